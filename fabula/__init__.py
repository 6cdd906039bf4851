# SPDX-License-Identifier: Apache-2.0
"""Stories as a graph: what became of whom, why, and what if not.

    import fabula

    with fabula.open_graph() as graph:
        for row in graph.ask("MATCH (s:Story) RETURN s.title AS title").dicts():
            print(row["title"])

Other projects import this package only; `graph`, `ingest`, `reasoners` and `benchmarks` are its
parts. Importing it does no work: names are loaded when they are first used.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graph.errors import FabulaError
    from graph.store import GraphStore, open_graph
    from graph.version import __version__
    from graph.views import from_networkx, participant_network, to_networkx

__all__ = [
    "FabulaError",
    "GraphStore",
    "__version__",
    "from_networkx",
    "open_graph",
    "participant_network",
    "to_networkx",
]

_HOMES = {
    "FabulaError": "graph.errors",
    "GraphStore": "graph.store",
    "__version__": "graph.version",
    "from_networkx": "graph.views",
    "open_graph": "graph.store",
    "participant_network": "graph.views",
    "to_networkx": "graph.views",
}
"""Public name -> module that holds it."""


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = globals()[name] = getattr(import_module(_HOMES[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
