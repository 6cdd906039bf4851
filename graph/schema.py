# SPDX-License-Identifier: Apache-2.0
"""The schema that `graph.model` declares, rendered for both engines and checked on every write."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from graph.batch import GraphBatch
from graph.errors import SchemaError
from graph.model import EDGES, NODES, EdgeType, Node

SCHEMA_VERSION = 1
"""Raised by one with every change that an existing graph must be migrated for."""

_NODE_BY_LABEL: dict[str, type[Node]] = {cls.__name__: cls for cls in NODES}
_EDGE_BY_NAME: dict[str, EdgeType] = {edge.name: edge for edge in EDGES}


def node_class(label: str) -> type[Node]:
    """Returns the class that declares a label.

    Raises:
        SchemaError: no class declares it.
    """
    if label not in _NODE_BY_LABEL:
        raise SchemaError(
            f"unknown label {label!r}: the schema declares {', '.join(sorted(_NODE_BY_LABEL))}"
        )
    return _NODE_BY_LABEL[label]


def edge_type(name: str) -> EdgeType:
    """Returns the declaration of an edge type.

    Raises:
        SchemaError: there is none of that name.
    """
    if name not in _EDGE_BY_NAME:
        raise SchemaError(
            f"unknown edge type {name!r}: the schema declares {', '.join(sorted(_EDGE_BY_NAME))}"
        )
    return _EDGE_BY_NAME[name]


@cache
def labels(label: str) -> tuple[str, ...]:
    """All labels of a node whose most special label is `label`, that one first."""
    return tuple(
        cls.__name__
        for cls in node_class(label).__mro__
        if issubclass(cls, Node) and cls is not Node
    )


@cache
def concrete(label: str) -> tuple[str, ...]:
    """Labels that nodes with this one can have as their most special: itself, or its children."""
    children = tuple(
        cls.__name__ for cls in NODES if cls.__name__ != label and label in labels(cls.__name__)
    )
    return children or labels(label)[:1]


@cache
def properties(label: str) -> tuple[str, ...]:
    """Names of a label's properties, `id` first."""
    return tuple(node_class(label).model_fields)


@cache
def property_kind(label: str, name: str) -> str:
    """Type of a property: `str`, `int`, `float`, `bool` or `list`."""
    return _kind(node_class(label).model_fields[name].annotation)


def edge_property_kind(name: str, property: str) -> str:
    """Type of an edge type's property: `str` or `int`."""
    return "int" if property in edge_type(name).numbers else "str"


def _kind(annotation: Any) -> str:
    origin = typing.get_origin(annotation)
    if origin in (typing.Union, types.UnionType):
        return _kind(next(a for a in typing.get_args(annotation) if a is not type(None)))
    if origin is Literal:
        return type(typing.get_args(annotation)[0]).__name__
    if origin is tuple:
        return "list"
    return str(annotation.__name__)


def full_text_indexes() -> dict[str, tuple[str, str]]:
    """Full-text indexes: name -> (label, property)."""
    return _full_text_indexes(shape())


def _full_text_indexes(of: Shape) -> dict[str, tuple[str, str]]:
    return {
        f"{label.name}_{name}".lower(): (label.name, name)
        for label in of.labels
        for name in label.full_text
    }


# --- the schema as a value: what a backup carries, since a later Fabula declares another ----------

Name = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_]*$", max_length=80)]
"""A label, edge type or property: it reaches the engines as text, so nothing else may be in it."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class LabelShape(_Value):
    """A label as it is stored."""

    name: Name
    """The label."""
    parents: tuple[Name, ...] = ()
    """Labels that come with it, the nearest first."""
    abstract: bool = False
    """True if nodes have it only together with a more special one."""
    properties: dict[Name, Literal["str", "int", "float", "bool", "list"]]
    """Name -> type, those of its parents included."""
    indexed: tuple[Name, ...] = ()
    """Properties with an index of their own."""
    full_text: tuple[Name, ...] = ()
    """Properties with a full-text index."""


class EdgeShape(_Value):
    """An edge type as it is stored."""

    name: Name
    """The type."""
    sources: tuple[Name, ...]
    """Labels that it starts from; a parent stands for its children."""
    targets: tuple[Name, ...]
    """Labels that it leads to."""
    properties: tuple[Name, ...] = ()
    """Names of its properties."""


class Shape(_Value):
    """All labels and edge types of one schema version."""

    labels: tuple[LabelShape, ...]
    """Parents before children."""
    edges: tuple[EdgeShape, ...]
    """Every edge type."""

    def concrete(self, label: str) -> list[str]:
        """Labels that nodes with this one can have as their most special."""
        children = [each.name for each in self.labels if label in each.parents]
        return children or [label]

    @property
    def ends(self) -> list[tuple[EdgeShape, str, str]]:
        """Every edge type with every label that it starts from and leads to."""
        return [
            (edge, source, target)
            for edge in self.edges
            for start in edge.sources
            for source in self.concrete(start)
            for end in edge.targets
            for target in self.concrete(end)
        ]


@cache
def shape() -> Shape:
    """The schema that `graph.model` declares."""
    return Shape(
        labels=tuple(
            LabelShape(
                name=cls.__name__,
                parents=labels(cls.__name__)[1:],
                abstract=bool(cls.__dict__.get("abstract")),
                properties={name: property_kind(cls.__name__, name) for name in cls.model_fields},  # type: ignore[misc]
                indexed=cls.__dict__.get("indexed", ()),
                full_text=cls.__dict__.get("full_text", ()),
            )
            for cls in NODES
        ),
        edges=tuple(
            EdgeShape(
                name=edge.name,
                sources=edge.sources,
                targets=edge.targets,
                properties=edge.properties,
            )
            for edge in EDGES
        ),
    )


def check(batch: GraphBatch) -> None:
    """Checks that a batch holds only what the schema declares.

    Labels and edge types reach the engines as text (no engine takes them as parameters), so
    this check is also what keeps foreign text out of statements.

    Raises:
        SchemaError: a label, edge type, edge property or an edge's end is not declared.
    """
    for node in batch.nodes:
        if type(node) is not _NODE_BY_LABEL.get(type(node).__name__) or type(node).__dict__.get(
            "abstract"
        ):
            raise SchemaError(f"{type(node).__name__!r} is not a label that nodes can be made with")
        if not node.id:
            raise SchemaError(f"a {type(node).__name__} without an id cannot be stored: {node!r}")
    for edge in batch.edges:
        declared = edge_type(edge.type)
        _check_end(edge.type, "start from", edge.source.label, declared.sources)
        _check_end(edge.type, "lead to", edge.target.label, declared.targets)
        if extra := {name for name, _ in edge.properties} - set(declared.properties):
            raise SchemaError(f"edge type {edge.type} has no property {sorted(extra)[0]!r}")


def _check_end(name: str, verb: str, label: str, allowed: Iterable[str]) -> None:
    if not set(labels(label)) & set(allowed):
        raise SchemaError(
            f"{name} cannot {verb} a {label}: the schema allows {', '.join(sorted(allowed))}"
        )


_ARCADE_TYPES = {
    "str": "STRING",
    "int": "LONG",
    "float": "DOUBLE",
    "bool": "BOOLEAN",
    "list": "LIST",
}


def arcade_ddl(of: Shape | None = None) -> list[str]:
    """A schema as ArcadeDB SQL (its Cypher has no statements for this); idempotent.

    A parent label is a supertype there, and children inherit its properties and indexes.

    Args:
        of: the schema; default: the one that `graph.model` declares.
    """
    of = of or shape()
    known: dict[str, LabelShape] = {}
    statements: list[str] = []
    for label in of.labels:
        extends = f" EXTENDS {label.parents[0]}" if label.parents else ""
        statements.append(f"CREATE VERTEX TYPE {label.name} IF NOT EXISTS{extends}")
        inherited = known[label.parents[0]].properties if label.parents else {}
        known[label.name] = label
        for name, kind in label.properties.items():
            if name not in inherited:
                # Backticks: some names (`index`, `key`, `type`) are words of SQL.
                statements.append(
                    f"CREATE PROPERTY {label.name}.`{name}` IF NOT EXISTS {_ARCADE_TYPES[kind]}"
                )
        if not label.abstract:
            # On each label by itself: an index on the parent would be asked for every sibling
            # at each write.
            statements.append(f"CREATE INDEX IF NOT EXISTS ON {label.name} (id) UNIQUE")
        for name in label.indexed:
            statements.append(f"CREATE INDEX IF NOT EXISTS ON {label.name} (`{name}`) NOTUNIQUE")
    for index, (on, name) in _full_text_indexes(of).items():
        statements.append(f"CREATE INDEX {index} IF NOT EXISTS ON {on} (`{name}`) FULL_TEXT")
    statements += [f"CREATE EDGE TYPE {edge.name} IF NOT EXISTS" for edge in of.edges]
    return statements


def neo4j_ddl(of: Shape | None = None) -> list[str]:
    """A schema as Neo4j Cypher; idempotent. Parent labels are second labels there.

    Args:
        of: the schema; default: the one that `graph.model` declares.
    """
    of = of or shape()
    statements: list[str] = []
    for label in of.labels:
        statements.append(
            f"CREATE CONSTRAINT {label.name.lower()}_id IF NOT EXISTS "
            f"FOR (n:{label.name}) REQUIRE n.id IS UNIQUE"
        )
        for name in label.indexed:
            statements.append(
                f"CREATE INDEX {label.name.lower()}_{name}_lookup IF NOT EXISTS "
                f"FOR (n:{label.name}) ON (n.{name})"
            )
    for index, (on, name) in _full_text_indexes(of).items():
        statements.append(
            f"CREATE FULLTEXT INDEX {index} IF NOT EXISTS FOR (n:{on}) ON EACH [n.{name}]"
        )
    return statements
