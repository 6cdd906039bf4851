# SPDX-License-Identifier: Apache-2.0
"""A graph as a stream of the model's nodes and edges: what exports, copies and backups share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import ValidationError

from graph import queries
from graph.batch import Edge, GraphBatch, chunks
from graph.errors import SchemaError
from graph.model import EDGES, NODES, EdgeType, Meta, Node, Ref
from graph.progress import SILENT, Progress
from graph.schema import concrete, node_class
from graph.store import GraphStore, Row, Written

SIZE = 4000
"""Nodes or edges that are written in one transaction."""


def count(store: GraphStore) -> Written:
    """Counts the nodes, all but the graph's own `Meta`, and the edges."""
    labels = (cls.__name__ for cls in NODES if cls is not Meta)
    return Written(
        sum(
            store.read(queries.count_label(label))[0]["n"]
            for label in labels
            if concrete(label) == (label,)
        ),
        sum(store.read(queries.count_edges(edge.name))[0]["n"] for edge in EDGES),
    )


def nodes(store: GraphStore, labels: Iterable[str] | None = None) -> Iterator[Node]:
    """Yields every node, label by label, as the rows come; all but the graph's own `Meta`.

    Args:
        store: the graph.
        labels: only nodes whose most special label is among these.

    Raises:
        SchemaError: a node in the graph is not what the schema declares.
    """
    wanted = None if labels is None else set(labels)
    for cls in NODES:
        label = cls.__name__
        if (
            cls is Meta
            or concrete(label) != (label,)
            or (wanted is not None and label not in wanted)
        ):
            continue
        for row in store.stream(queries.stream_nodes(label)):
            yield make_node(label, row["properties"])


def edges(store: GraphStore, names: Iterable[str] | None = None) -> Iterator[Edge]:
    """Yields every edge, type by type, as the rows come.

    Args:
        store: the graph.
        names: only edges of these types.
    """
    wanted = None if names is None else set(names)
    for declared in EDGES:
        if wanted is not None and declared.name not in wanted:
            continue
        for source in (label for end in declared.sources for label in concrete(end)):
            for target in (label for end in declared.targets for label in concrete(end)):
                text = queries.stream_edges(declared.name, source, target)
                yield from make_edges(declared, source, target, store.stream(text))


def make_edges(declared: EdgeType, source: str, target: str, rows: Iterable[Row]) -> Iterator[Edge]:
    """Makes edges from rows with the columns `source`, `target` and one for each property."""
    for row in rows:
        properties = ((name, row[name]) for name in declared.properties)
        yield Edge(
            declared.name,
            Ref(source, row["source"]),
            Ref(target, row["target"]),
            tuple(pair for pair in properties if pair[1] is not None),
        )


def make_node(label: str, properties: dict[str, Any]) -> Node:
    """Makes a node of the model from its label and its properties.

    Raises:
        SchemaError: a property is missing, unknown or of another type.
    """
    try:
        return node_class(label).model_validate(
            {name: value for name, value in properties.items() if value is not None}
        )
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise SchemaError(
            f"{label} {properties.get('id')!r} is not what the schema declares: "
            f"{place}: {first['msg']}"
        ) from error


def load(
    store: GraphStore,
    nodes: Iterable[Node],
    edges: Iterable[Edge],
    *,
    progress: Progress = SILENT,
    size: int = SIZE,
    totals: tuple[int, int] | None = None,
) -> Written:
    """Upserts nodes, then edges, batch by batch: memory stays that of a batch.

    A load that was stopped is finished by running it again.

    Args:
        store: the graph.
        nodes: the nodes.
        edges: the edges; their ends are among the nodes, or in the graph already.
        progress: where to show how far it is.
        size: nodes or edges in one transaction.
        totals: how many nodes and edges there are, where that is known.

    Returns:
        How many were created.
    """
    created_nodes = created_edges = 0
    of_nodes, of_edges = totals or (None, None)
    task = progress.task("loading nodes", of_nodes)
    for some_nodes in chunks(nodes, size):
        created_nodes += store.write(GraphBatch(nodes=some_nodes)).nodes
        task.advance(len(some_nodes))
    task.done()
    task = progress.task("loading edges", of_edges)
    for some_edges in chunks(edges, size):
        created_edges += store.write(GraphBatch(edges=some_edges)).edges
        task.advance(len(some_edges))
    task.done()
    return Written(created_nodes, created_edges)
