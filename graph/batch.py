# SPDX-License-Identifier: Apache-2.0
"""What is written together: nodes and edges of one record, or of many merged into one batch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from graph.model import Node, Ref

T = TypeVar("T")


class Edge(NamedTuple):
    """An edge between two nodes; one of a type at most joins the same two nodes."""

    type: str
    source: Ref
    target: Ref
    properties: tuple[tuple[str, str | int], ...] = ()


@dataclass(frozen=True)
class GraphBatch:
    """Nodes and edges that are written in one transaction.

    Attributes:
        nodes: the nodes, each id once.
        edges: the edges; their ends are in this batch or in the graph already.
    """

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()

    def __len__(self) -> int:
        return len(self.nodes) + len(self.edges)


@dataclass
class BatchBuilder:
    """Collects a batch; the same node or edge given twice counts once (the last one stays)."""

    _nodes: dict[str, Node] = field(default_factory=dict)
    _edges: dict[tuple[str, str, str], Edge] = field(default_factory=dict)

    def node(self, node: Node) -> Ref:
        """Adds a node and returns the reference that edges need."""
        self._nodes[node.id] = node
        return node.ref

    def edge(self, type: str, source: Ref, target: Ref, **properties: str | int) -> None:
        """Adds an edge."""
        self._edges[(type, source.id, target.id)] = Edge(
            type, source, target, tuple(sorted(properties.items()))
        )

    def extend(self, batches: Iterable[GraphBatch]) -> BatchBuilder:
        """Adds everything of the batches."""
        for batch in batches:
            for node in batch.nodes:
                self._nodes[node.id] = node
            for edge in batch.edges:
                self._edges[(edge.type, edge.source.id, edge.target.id)] = edge
        return self

    def build(self) -> GraphBatch:
        """Returns what was collected, in the order of first mention."""
        return GraphBatch(tuple(self._nodes.values()), tuple(self._edges.values()))


def properties_of(node: Node) -> dict[str, Any]:
    """A node's properties as the engines store them: without those that are not set."""
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in node.__dict__.items()
        if value is not None
    }


def chunks(values: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    """Yields the values `size` at a time, the last time fewer."""
    rest = iter(values)
    while some := tuple(islice(rest, size)):
        yield some
