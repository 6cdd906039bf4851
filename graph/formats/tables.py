# SPDX-License-Identifier: Apache-2.0
"""The graph as tables: one for each label, one for each edge type between two labels."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graph.batch import Edge, properties_of
from graph.elements import make_node
from graph.errors import DataError, SchemaError
from graph.model import EDGES, NODES, Meta, Node, Ref
from graph.schema import concrete, edge_property_kind, properties, property_kind

Values = Mapping[str, Any]
"""A row: column name -> value."""


@dataclass(frozen=True)
class NodeTable:
    """The nodes of a label."""

    label: str
    """Their most special label."""
    columns: tuple[tuple[str, str], ...]
    """Names and kinds (see `graph.schema.property_kind`) of the properties, `id` first."""

    @property
    def name(self) -> str:
        """Name of its file, without the ending."""
        return self.label

    def row(self, node: Node) -> Values:
        """A node's values, without those that are not set."""
        return properties_of(node)

    def node(self, values: Values, place: str) -> Node:
        """Makes a node of a row.

        Raises:
            DataError: it is not what the schema declares; `place` says where it stands.
        """
        try:
            return make_node(self.label, dict(values))
        except SchemaError as error:
            raise DataError(f"{place}: {error}") from error


@dataclass(frozen=True)
class EdgeTable:
    """The edges of a type between two labels."""

    type: str
    """Their type."""
    source: str
    """Most special label of the nodes that they start from."""
    target: str
    """Most special label of the nodes that they lead to."""
    columns: tuple[tuple[str, str], ...]
    """Names and kinds of the properties."""

    @property
    def name(self) -> str:
        """Name of its file, without the ending."""
        return f"{self.source}-{self.type}-{self.target}"

    def edge(self, source: Any, target: Any, values: Values, place: str) -> Edge:
        """Makes an edge of a row.

        Raises:
            DataError: an end is missing; `place` says where the row stands.
        """
        if not (isinstance(source, str) and source and isinstance(target, str) and target):
            raise DataError(f"{place}: an edge needs the ids of both of its ends")
        return Edge(
            self.type,
            Ref(self.source, source),
            Ref(self.target, target),
            tuple((name, values[name]) for name, _ in self.columns if values[name] is not None),
        )


def node_tables() -> Iterator[NodeTable]:
    """Yields the tables of all labels that nodes are made with, but `Meta`."""
    for cls in NODES:
        label = cls.__name__
        if cls is not Meta and concrete(label) == (label,):
            yield node_table(label)


def node_table(label: str) -> NodeTable:
    """The table of a label."""
    return NodeTable(label, tuple((name, property_kind(label, name)) for name in properties(label)))


def edge_tables() -> Iterator[EdgeTable]:
    """Yields the tables of all edges that the schema allows."""
    for edge in EDGES:
        columns = tuple((name, edge_property_kind(edge.name, name)) for name in edge.properties)
        for source in (label for end in edge.sources for label in concrete(end)):
            for target in (label for end in edge.targets for label in concrete(end)):
                yield EdgeTable(edge.name, source, target, columns)


def strings(text: str) -> list[str]:
    """A list of strings of its JSON.

    Raises:
        ValueError: it is none.
    """
    value = json.loads(text)
    if not (isinstance(value, list) and all(isinstance(each, str) for each in value)):
        raise ValueError("no list of strings")
    return value
