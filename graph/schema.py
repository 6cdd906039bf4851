# SPDX-License-Identifier: Apache-2.0
"""The schema that `graph.model` declares, rendered for both engines and checked on every write."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterable
from functools import cache
from typing import Any, Literal

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
    return {
        f"{cls.__name__}_{name}".lower(): (cls.__name__, name)
        for cls in NODES
        for name in cls.__dict__.get("full_text", ())
    }


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


def arcade_ddl() -> list[str]:
    """The schema as ArcadeDB SQL (its Cypher has no statements for this); idempotent.

    A parent label is a supertype there, and children inherit its properties and indexes.
    """
    statements: list[str] = []
    for cls in NODES:
        label = cls.__name__
        parents = labels(label)[1:]
        extends = f" EXTENDS {parents[0]}" if parents else ""
        statements.append(f"CREATE VERTEX TYPE {label} IF NOT EXISTS{extends}")
        inherited = properties(parents[0]) if parents else ()
        for name in properties(label):
            if name not in inherited:
                kind = _ARCADE_TYPES[property_kind(label, name)]
                # Backticks: some names (`index`, `key`, `type`) are words of SQL.
                statements.append(f"CREATE PROPERTY {label}.`{name}` IF NOT EXISTS {kind}")
        if not cls.__dict__.get("abstract"):
            # On each label by itself: an index on the parent would be asked for every sibling
            # at each write.
            statements.append(f"CREATE INDEX IF NOT EXISTS ON {label} (id) UNIQUE")
        for name in cls.__dict__.get("indexed", ()):
            statements.append(f"CREATE INDEX IF NOT EXISTS ON {label} (`{name}`) NOTUNIQUE")
    for index, (label, name) in full_text_indexes().items():
        statements.append(f"CREATE INDEX {index} IF NOT EXISTS ON {label} (`{name}`) FULL_TEXT")
    statements += [f"CREATE EDGE TYPE {edge.name} IF NOT EXISTS" for edge in EDGES]
    return statements


def neo4j_ddl() -> list[str]:
    """The schema as Neo4j Cypher; idempotent. Parent labels are second labels there."""
    statements: list[str] = []
    for cls in NODES:
        label = cls.__name__
        statements.append(
            f"CREATE CONSTRAINT {label.lower()}_id IF NOT EXISTS "
            f"FOR (n:{label}) REQUIRE n.id IS UNIQUE"
        )
        for name in cls.__dict__.get("indexed", ()):
            statements.append(
                f"CREATE INDEX {label.lower()}_{name}_lookup IF NOT EXISTS "
                f"FOR (n:{label}) ON (n.{name})"
            )
    for index, (label, name) in full_text_indexes().items():
        statements.append(
            f"CREATE FULLTEXT INDEX {index} IF NOT EXISTS FOR (n:{label}) ON EACH [n.{name}]"
        )
    return statements
