# SPDX-License-Identifier: Apache-2.0
"""Graph values in result rows, the same for every engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class NodeValue:
    """A node as a query returned it."""

    labels: tuple[str, ...]
    """Its labels, sorted."""
    properties: dict[str, Any]
    """Its properties."""


@dataclass(frozen=True)
class EdgeValue:
    """An edge as a query returned it."""

    type: str
    """Its type."""
    properties: dict[str, Any]
    """Its properties."""


@dataclass(frozen=True)
class PathValue:
    """A path as a query returned it."""

    nodes: tuple[NodeValue, ...]
    """Its nodes, in order."""
    edges: tuple[EdgeValue, ...]
    """Its edges, in order; one fewer than the nodes."""


def plain(value: Any) -> Any:
    """Returns a value that JSON can hold: graph values become dictionaries, the rest text."""
    if isinstance(value, NodeValue):
        return {"labels": list(value.labels), "properties": plain(value.properties)}
    if isinstance(value, EdgeValue):
        return {"type": value.type, "properties": plain(value.properties)}
    if isinstance(value, PathValue):
        return {"nodes": plain(list(value.nodes)), "edges": plain(list(value.edges))}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return str(value)
