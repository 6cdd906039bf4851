# SPDX-License-Identifier: Apache-2.0
"""A graph as text that depends on its content alone: two graphs are equal if their texts are."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from graph import queries
from graph.model import EDGES, NODES
from graph.store import GraphStore

VOLATILE = {"Run": ("started",)}
"""Properties that are left out, by label: they say when something was made, not what it is."""


def canonical_lines(store: GraphStore) -> Iterator[str]:
    """Yields a line of JSON for each node and edge, in an order that only content decides."""
    for cls in NODES:
        if not cls.__dict__.get("abstract"):
            label = cls.__name__
            rows = store.stream(queries.all_nodes(label))
            yield from sorted(_node(label, row) for row in rows)
    for edge in EDGES:
        rows = store.stream(queries.all_edges(edge.name))
        yield from sorted(_edge(edge.name, row) for row in rows)


def canonical_hash(store: GraphStore) -> str:
    """SHA-256 of the graph's canonical lines."""
    digest = hashlib.sha256()
    for line in canonical_lines(store):
        digest.update(line.encode("ascii") + b"\n")
    return digest.hexdigest()


def _node(label: str, row: dict[str, Any]) -> str:
    left_out = VOLATILE.get(label, ())
    properties = {
        name: value
        for name, value in row["properties"].items()
        # Engines differ in whether a property that is not set is there as null.
        if value is not None and name not in left_out
    }
    return json.dumps([label, sorted(row["labels"]), properties], sort_keys=True)


def _edge(name: str, row: dict[str, Any]) -> str:
    properties = {key: value for key, value in row["properties"].items() if value is not None}
    return json.dumps([name, row["source"], row["target"], properties], sort_keys=True)
