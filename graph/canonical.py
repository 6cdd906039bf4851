# SPDX-License-Identifier: Apache-2.0
"""A graph as text that depends on its content alone: two graphs are equal if their texts are.

`canonical_lines` sorts, and leaves out when things were made: for tests and for comparing by eye.
`fingerprint` streams, and holds everything: for graphs of any size.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from graph import queries, schema
from graph.batch import Edge, properties_of
from graph.model import EDGES, NODES, Meta, Node
from graph.progress import SILENT, Progress
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


# --- without sorting -----------------------------------------------------------------------------

encode = json.JSONEncoder(sort_keys=True).encode
"""One encoder for all lines: making one for each would take longer than encoding."""


class Sum(NamedTuple):
    """The elements of one label or edge type."""

    n: int
    """How many there are."""
    checksum: str
    """Sum of their lines' SHA-256, modulo 2^256: no order matters, and each element counts."""


class Fingerprint:
    """Adds elements up; two graphs with equal fingerprints hold the same, `Meta` aside."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = defaultdict(int)
        self._sums: dict[str, int] = defaultdict(int)

    def add(self, line: str) -> None:
        """Adds an element's line, as `node_line` and `edge_line` make it."""
        name = line[2 : line.index('"', 2)]
        self._counts[name] += 1
        digest = hashlib.sha256(line.encode("ascii")).digest()
        self._sums[name] += int.from_bytes(digest, "big")

    @property
    def sums(self) -> dict[str, Sum]:
        """The sums by label and edge type, those that occur, in alphabetical order."""
        return {
            name: Sum(count, f"{self._sums[name] % 2**256:064x}")
            for name, count in sorted(self._counts.items())
        }


def node_line(label: str, labels: Iterable[str], properties: Mapping[str, Any]) -> str:
    """A node as one line of JSON; properties that are not set are left out."""
    given = {name: value for name, value in properties.items() if value is not None}
    return encode([label, sorted(labels), given])


def edge_line(
    name: str, source: tuple[str, str], target: tuple[str, str], properties: Mapping[str, Any]
) -> str:
    """An edge as one line of JSON; its ends are pairs of label and id."""
    given = {key: value for key, value in properties.items() if value is not None}
    return encode([name, source, target, given])


def line_of(element: Node | Edge) -> str:
    """The line of a node or edge of the model."""
    if isinstance(element, Node):
        label = type(element).__name__
        return node_line(label, schema.labels(label), properties_of(element))
    return edge_line(element.type, element.source, element.target, dict(element.properties))


def fingerprint(
    store: GraphStore, of: schema.Shape | None = None, progress: Progress = SILENT
) -> dict[str, Sum]:
    """Adds up what a graph holds, as the rows come: memory stays small.

    Args:
        store: the graph.
        of: its schema; default: the one that `graph.model` declares.
        progress: where to show how far it is.
    """
    of = of or schema.shape()
    found = Fingerprint()
    task = progress.task(f"checking {store.url}")
    for label in of.labels:
        if not label.abstract and label.name != Meta.__name__:
            for row in store.stream(queries.any_nodes(label.name)):
                found.add(node_line(label.name, row["labels"], row["properties"]))
                task.advance()
    for edge, source, target in of.ends:
        text = queries.any_edges(edge.name, source, target, edge.properties)
        for row in store.stream(text):
            ends = (source, row["source"]), (target, row["target"])
            found.add(edge_line(edge.name, *ends, {each: row[each] for each in edge.properties}))
            task.advance()
    task.done()
    return found.sums


def differences(left: Mapping[str, Sum], right: Mapping[str, Sum]) -> list[str]:
    """Names of the labels and edge types that two fingerprints differ in, in alphabetical order."""
    return sorted(name for name in {*left, *right} if left.get(name) != right.get(name))
