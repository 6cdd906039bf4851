# SPDX-License-Identifier: Apache-2.0
"""Nodes and edges as RDF statements, and statements as nodes and edges again.

A node is a resource with a type for each of its labels and a statement for each property. What
one statement cannot hold has a resource of its own, whose IRI is the node's with a fragment, so
that nothing is a blank node: the cells of a list (`#texts-0`), the text position of a span
(`#span`), the properties of an edge (`#hasOption/Option/1f3a`, at its source).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from graph.batch import Edge, GraphBatch
from graph.elements import make_node
from graph.errors import DataError, SchemaError
from graph.formats.rdf import vocabulary as v
from graph.formats.rdf.vocabulary import DATATYPES, FIRST, NIL, REST, TYPE, Iri, Moment
from graph.model import EDGES, EdgeType, Node, Ref
from graph.schema import check, labels, properties, property_kind

Object = Iri | Moment | str | int | float | bool
"""The object of a statement: a resource, or a literal of the datatype of its Python type."""
Pair = tuple[Iri, Object]
"""A predicate and an object."""


class Description(NamedTuple):
    """Statements about one resource."""

    subject: Iri
    pairs: list[Pair]


# --- to statements -----------------------------------------------------------------------------


def describe_node(node: Node) -> list[Description]:
    """A node as statements: first about itself, then about the resources that belong to it."""
    return describe(node.ref, node.__dict__)


def describe(ref: Ref, values: Mapping[str, Any]) -> list[Description]:
    """The same of properties that need not be as the schema declares.

    Args:
        ref: the node.
        values: its properties; those that are None are left out.
    """
    subject = v.node_iri(ref)
    pairs: list[Pair] = list(types(ref.label))
    described = [Description(subject, pairs)]
    for name, value in values.items():
        if value is None:
            continue
        predicate = v.property_iri(name)
        if isinstance(value, list | tuple):
            local = predicate.removeprefix(v.NS)
            cells = [Iri(f"{subject}#{local}-{place}") for place in range(len(value))]
            pairs.append((predicate, cells[0] if cells else NIL))
            for cell, rest, member in zip(cells, [*cells, NIL][1:], value, strict=True):
                described.append(Description(cell, [(FIRST, member), (REST, rest)]))
        else:
            pairs.append((predicate, value))
    start, end = values.get("start"), values.get("end")
    if start is not None and end is not None:
        selector = Iri(subject + "#span")
        pairs.append((v.HAS_SELECTOR, selector))
        described.append(
            Description(selector, [(TYPE, v.SELECTOR), (v.OA_START, start), (v.OA_END, end)])
        )
    if (started := _moment(values.get("started"))) is not None:
        pairs.append((v.STARTED_AT, started))
    return described


@cache
def types(label: str) -> tuple[Pair, ...]:
    """The statements of a node's types: its label's class and those above it."""
    return tuple((TYPE, v.class_iri(each)) for each in labels(label))


def _moment(text: Any) -> Moment | None:
    try:
        return Moment(datetime.fromisoformat(text).isoformat())
    except (TypeError, ValueError):
        return None  # not set, or not a time: then only the text itself is stated


def describe_edge(edge: Edge) -> list[Description]:
    """An edge as a statement, and its properties as a relation at its source."""
    source, target = v.node_iri(edge.source), v.node_iri(edge.target)
    predicate = v.edge_iri(edge.type)
    described = [Description(source, [(predicate, target)])]
    if edge.properties:
        pairs: list[Pair] = [(TYPE, v.relation_iri(edge.type)), (v.FROM, source), (v.TO, target)]
        pairs += ((v.property_iri(name), value) for name, value in edge.properties)
        described.append(Description(_relation(source, predicate, target), pairs))
    return described


def _relation(source: str, predicate: str, target: str) -> Iri:
    return Iri(f"{source}#{predicate.removeprefix(v.NS)}/{target.removeprefix(v.IDS)}")


def number(value: float) -> str:
    """A float as xsd:double writes it, exactly."""
    if math.isfinite(value):
        return repr(value)
    return "NaN" if math.isnan(value) else "INF" if value > 0 else "-INF"


# --- from statements ---------------------------------------------------------------------------


class Statement(NamedTuple):
    """A statement that was read."""

    subject: str
    predicate: str
    object: Object
    line: int = 0
    """Line in the file, from 1; 0 where the reader does not know it."""


_MOMENT = v.expand("xsd:dateTime")


def literal(lexical: str, datatype: str) -> Object:
    """The value of a literal.

    Raises:
        DataError: no property has that datatype, or the text is not of it.
    """
    try:
        if datatype == DATATYPES["str"]:
            return lexical
        if datatype == DATATYPES["int"]:
            return int(lexical)
        if datatype == DATATYPES["float"]:
            return float(lexical)
        if datatype == DATATYPES["bool"]:
            return {"true": True, "1": True, "false": False, "0": False}[lexical]
    except (ValueError, KeyError) as error:
        raise DataError(f"{lexical!r} is not of the datatype <{datatype}>") from error
    if datatype == _MOMENT:
        return Moment(lexical)
    raise DataError(f"the vocabulary has no literals of the datatype <{datatype}>: {lexical!r}")


def home(subject: str) -> str:
    """The IRI of the node that a resource belongs to."""
    return subject.partition("#")[0]


@cache
def _properties(label: str) -> dict[str, str]:
    return {v.property_iri(name): name for name in properties(label)}


_EDGES: dict[str, EdgeType] = {v.edge_iri(edge.name): edge for edge in EDGES}
_CLASSES = {v.class_iri(label) for label in (*v.LABELS, *v.PARENTS)}
_DERIVED = {v.HAS_SELECTOR, v.STARTED_AT}


class Element(NamedTuple):
    """What the statements about a node, and the resources that belong to it, say."""

    node: Node | None
    """None if they only join the node to others."""
    edges: list[Edge]


class _Reading:
    """The statements about one node and the resources that belong to it."""

    def __init__(self, iri: str, statements: Iterable[Statement]) -> None:
        self.ref = v.node_of(iri)
        self.iri = iri
        self.own: list[Statement] = []
        self.others: dict[str, dict[str, Object]] = {}
        for each in statements:
            if each.subject == iri:
                self.own.append(each)
            else:
                about = self.others.setdefault(each.subject, {})
                if about.setdefault(each.predicate, each.object) != each.object:
                    raise DataError(f"<{each.subject}> has two values of <{each.predicate}>")

    def element(self) -> Element:
        kinds: set[str] = set()
        values: dict[str, Any] = {}
        targets: list[tuple[str, str]] = []
        names = _properties(self.ref.label)
        for each in self.own:
            predicate, value = each.predicate, each.object
            if predicate == TYPE:
                kinds.add(str(value))
            elif name := names.get(predicate):
                self._set(values, name, value)
            elif predicate in _EDGES:
                if not isinstance(value, Iri):
                    raise DataError(f"<{predicate}> leads to the literal {value!r}")
                targets.append((predicate, value))
            elif predicate not in _DERIVED:
                raise DataError(f"a {self.ref.label} has no property <{predicate}>")
        node = self._node(kinds, values) if kinds or values else None
        edges = [self._edge(*target) for target in dict.fromkeys(targets)]
        position = {
            TYPE: v.SELECTOR,
            v.OA_START: values.get("start"),
            v.OA_END: values.get("end"),
        }
        for subject, about in self.others.items():
            if about != position:
                raise DataError(f"<{subject}> says what the node does not: {_text(about)}")
        return Element(node, edges)

    def _set(self, values: dict[str, Any], name: str, value: Object) -> None:
        kind = property_kind(self.ref.label, name)
        if kind == "list":
            found: Any = self._list(value)
        elif type(value).__name__ == kind:
            found = value
        else:
            raise DataError(f"{name} is {value!r}, and should be {DATATYPES[kind]}")
        # Compared with the type, since 1 == True, and as text, since NaN differs from itself.
        if name in values and repr(values[name]) != repr(found):
            raise DataError(f"{name} has two values: {values[name]!r} and {found!r}")
        values[name] = found

    def _list(self, head: Object) -> tuple[str, ...]:
        members: list[str] = []
        while head != NIL or not isinstance(head, Iri):
            cell = self.others.pop(str(head), {}) if isinstance(head, Iri) else {}
            member = cell.get(FIRST)
            if set(cell) != {FIRST, REST} or type(member) is not str:
                raise DataError(f"the list is broken at {head!r}")
            members.append(member)
            head = cell[REST]
        return tuple(members)

    def _node(self, kinds: set[str], values: dict[str, Any]) -> Node:
        expected = {str(value) for _, value in types(self.ref.label)}
        if kinds != expected:
            if unknown := sorted(kinds - _CLASSES):
                raise DataError(f"the vocabulary has no class <{unknown[0]}>")
            raise DataError(
                f"its types should be {', '.join(sorted(expected))}, "
                f"and are {', '.join(sorted(kinds)) or 'not given'}"
            )
        if values.setdefault("id", self.ref.id) != self.ref.id:
            raise DataError(f"its id is {values['id']!r}, and its IRI says {self.ref.id!r}")
        try:
            return make_node(self.ref.label, values)
        except SchemaError as error:
            raise DataError(str(error)) from error

    def _edge(self, predicate: str, target: str) -> Edge:
        declared = _EDGES[predicate]
        about = self.others.pop(_relation(self.iri, predicate, target), {})
        given: list[tuple[str, str | int]] = []
        for name in declared.properties:
            value = about.get(v.property_iri(name))
            if type(value) is str or type(value) is int:
                given.append((name, value))
        edge = Edge(declared.name, self.ref, v.node_of(target), tuple(given))
        if about and dict(describe_edge(edge)[-1].pairs) != about:
            raise DataError(f"the relation at <{predicate}> to <{target}> is not as it should be")
        if problem := _refused(declared.name, edge.source.label, edge.target.label):
            raise DataError(problem)
        return edge


def _text(about: Mapping[str, Object]) -> str:
    return "; ".join(f"<{predicate}> {value!r}" for predicate, value in about.items())


@cache
def _refused(name: str, source: str, target: str) -> str:
    """Why the schema has no such edge between nodes of these labels; empty if it has."""
    try:
        check(GraphBatch(edges=(Edge(name, Ref(source, "x"), Ref(target, "x")),)))
    except SchemaError as error:
        return str(error)
    return ""


def element(iri: str, statements: Iterable[Statement]) -> Element:
    """Reads all statements about a node and the resources that belong to it.

    Args:
        iri: the node's IRI.
        statements: the statements, in any order.

    Raises:
        DataError: they are not what `describe_node` and `describe_edge` make.
    """
    try:
        return _Reading(iri, statements).element()
    except DataError as error:
        raise DataError(f"<{iri}>: {error}") from error


def groups(statements: Iterable[Statement]) -> Iterator[tuple[str, list[Statement]]]:
    """Yields runs of statements that belong to the same node, with the node's IRI."""
    iri, found = "", list[Statement]()
    for each in statements:
        if (other := home(each.subject)) != iri:
            if found:
                yield iri, found
            iri, found = other, []
        found.append(each)
    if found:
        yield iri, found
