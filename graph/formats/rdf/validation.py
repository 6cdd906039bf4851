# SPDX-License-Identifier: Apache-2.0
"""A graph against the shapes, with pyshacl: a few stories at a time, as it is in the store."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from graph import groups, queries
from graph.batch import Edge, chunks
from graph.extras import require
from graph.formats.rdf import vocabulary as v
from graph.formats.rdf.documents import parse
from graph.formats.rdf.shapes import INCOMING, SHAPES, shacl
from graph.formats.rdf.statements import Description, Object, describe, describe_edge, types
from graph.formats.rdf.vocabulary import PREFIXES, TYPE, Iri, Moment
from graph.model import Ref
from graph.progress import SILENT, Progress
from graph.schema import labels
from graph.store import GraphStore, Row

if TYPE_CHECKING:
    import rdflib

NODES = 5000
"""Nodes that are checked at a time: a run of pyshacl costs half a second whatever it checks."""
_IDS = 500


class Violation(NamedTuple):
    """A place that is not as a shape says."""

    shape: str
    """Name of the shape, such as `Sentence-start`."""
    node: str
    """IRI of the node."""
    message: str
    """What is wrong."""


class Checker:
    """The shapes, ready to be held against graphs."""

    def __init__(self) -> None:
        self._rdf = require("rdflib", "rdf")
        self._pyshacl = require("pyshacl", "rdf")
        self._shapes = _flat(self._rdf.Graph().parse(data=shacl(), format="turtle"))

    def graph(self, data: rdflib.Graph) -> list[Violation]:
        """Checks a whole graph, to which it adds markers."""
        for subject, _, kind in list(data.triples((None, self._rdf.RDF.type, None))):
            data.add((subject, self._rdf.URIRef(_marker(str(kind))), kind))
        return self._check(data)

    def part(self, described: Iterable[Description], ends: Iterable[Ref]) -> list[Violation]:
        """Checks a part of a graph.

        Args:
            described: all statements about some nodes, and all edges that lead to them of the
                types in `graph.formats.rdf.shapes.INCOMING`.
            ends: nodes at the other ends of the edges; of these only the types are used.
        """
        data = self._rdf.Graph()
        for subject, pairs in described:
            for predicate, value in pairs:
                data.add((self._term(subject), self._term(predicate), self._term(value)))
                if predicate == TYPE:
                    marker = self._rdf.URIRef(_marker(str(value)))
                    data.add((self._term(subject), marker, self._term(value)))
        for ref in ends:
            for predicate, kind in types(ref.label):
                data.add((self._term(v.node_iri(ref)), self._term(predicate), self._term(kind)))
        return self._check(data)

    def _term(self, value: Object) -> rdflib.term.Node:
        made: rdflib.term.Node
        if isinstance(value, Iri):
            made = self._rdf.URIRef(value)
        elif isinstance(value, Moment):
            made = self._rdf.Literal(value, datatype=self._rdf.XSD.dateTime)
        else:
            made = self._rdf.Literal(value)
        return made

    def _check(self, data: rdflib.Graph) -> list[Violation]:
        _, report, _ = self._pyshacl.validate(data, shacl_graph=self._shapes, inplace=True)
        return sorted(self._violations(report))

    def _violations(self, report: rdflib.Graph) -> Iterator[Violation]:
        sh = self._rdf.Namespace(PREFIXES["sh"])
        for result in report.subjects(self._rdf.RDF.type, sh.ValidationResult):
            focus, value = report.value(result, sh.focusNode), report.value(result, sh.value)
            shape = str(report.value(result, sh.sourceShape))
            # A rule that joins several nodes has a class as its focus, and the node as the value.
            node = value if str(focus).startswith(v.NS) else focus
            messages = sorted(str(text) for text in report.objects(result, sh.resultMessage))
            yield Violation(shape.removeprefix(SHAPES), str(node), "; ".join(messages))


def check_file(path: Path, format: str) -> list[Violation]:
    """Checks a file of RDF as a whole, in memory.

    Args:
        path: the file.
        format: name of the format, such as `turtle`.

    Raises:
        UsageError: the format is not RDF.
        DataError: the file is not of that format.
    """
    checker = Checker()
    merged = require("rdflib", "rdf").Graph()
    for triple in parse(path, format):
        merged.add(triple)
    return checker.graph(merged)


def check_store(
    store: GraphStore, roots: Iterable[Ref] | None = None, *, progress: Progress = SILENT
) -> Iterator[Violation]:
    """Checks a graph as it is in the store, also where it is not as the model declares.

    Args:
        store: the graph.
        roots: only what belongs to these stories, goals or runs; None for everything.
        progress: where to show how far it is.

    Yields:
        What is wrong, a few stories at a time.
    """
    checker = Checker()
    task = progress.task("checking nodes")
    parts = (
        groups.parts(store)
        if roots is None
        else iter([groups.members(store, roots, by_runs=False)])
    )
    for ids in _merged(parts):
        yield from checker.part(*_part(store, ids))
        task.advance(sum(map(len, ids.values())))
    task.done()


def _merged(parts: Iterable[dict[str, list[str]]]) -> Iterator[dict[str, list[str]]]:
    waiting: dict[str, set[str]] = defaultdict(set)
    for part in parts:
        for label, ids in part.items():
            waiting[label].update(ids)
        if sum(map(len, waiting.values())) >= NODES:
            yield {label: sorted(ids) for label, ids in waiting.items()}
            waiting.clear()
    if waiting:
        yield {label: sorted(ids) for label, ids in waiting.items()}


def _part(store: GraphStore, ids: Mapping[str, list[str]]) -> tuple[list[Description], set[Ref]]:
    known = {Ref(label, id) for label, some in ids.items() for id in some}
    described: list[Description] = []
    ends: set[Ref] = set()
    for label, wanted in ids.items():
        incoming = {count.edge for count in INCOMING if count.label in labels(label)}
        for some in chunks(wanted, _IDS):
            params = {"ids": list(some)}
            for row in store.read(queries.properties_of_nodes(label), params):
                values = row["properties"]
                described += describe(Ref(label, str(values["id"])), values)
            for row in store.read(queries.edges_out(label), params):
                source = Ref(label, row["id"])
                edge = _edge(row, source, _ref(row))
                described += describe_edge(edge)
                ends.add(edge.target)
            for name in sorted(incoming):
                for row in store.read(queries.edges_in(name, label), params):
                    source = _ref(row)
                    if source not in known:  # otherwise it is among the edges that start here
                        described += describe_edge(_edge(row, source, Ref(label, row["id"])))
                        ends.add(source)
    return described, ends - known


def _ref(row: Row) -> Ref:
    """The other end of an edge, by its most special label."""
    special = [label for label in row["labels"] if label in v.LABELS]
    return Ref((special or sorted(row["labels"]))[0], str(row["other"]))


def _edge(row: Row, source: Ref, target: Ref) -> Edge:
    given = row["properties"].items()
    return Edge(row["type"], source, target, tuple((k, x) for k, x in given if x is not None))


# --- shapes for many nodes ---------------------------------------------------------------------


def _marker(kind: str) -> str:
    return f"urn:fabula:checked:{kind.rpartition('#')[2]}"


def _flat(shapes: rdflib.Graph) -> rdflib.Graph:
    """Rewrites the shapes so that pyshacl checks all nodes of a class at once.

    It checks the property shapes of a node shape node by node, which takes minutes; those with
    targets of their own it checks for all nodes together. And a class as a target would take in
    nodes of which only the type is known: the marker that takes its place does not.
    """
    rdf = require("rdflib", "rdf")
    collection = require("rdflib.collection", "rdf").Collection
    sh = rdf.Namespace(PREFIXES["sh"])
    for shape, _, kind in list(shapes.triples((None, sh.targetClass, None))):
        shapes.remove((shape, sh.targetClass, kind))
        shapes.add((shape, sh.targetSubjectsOf, rdf.URIRef(_marker(str(kind)))))
    classes = [*map(v.class_iri, (*v.LABELS, *v.PARENTS)), v.SELECTOR]
    classes += (v.relation_iri(edge.name) for edge in v.RELATIONS)
    markers = [rdf.URIRef(_marker(kind)) for kind in classes]
    for shape in list(shapes.subjects(rdf.RDF.type, sh.NodeShape)):
        own = list(shapes.objects(shape, sh.property))
        ignored = shapes.value(shape, sh.ignoredProperties)
        allowed = [*markers, *([] if ignored is None else collection(shapes, ignored))]
        for each in own:
            for target in (sh.targetSubjectsOf, sh.targetObjectsOf):
                for what in shapes.objects(shape, target):
                    shapes.add((each, target, what))
            path = shapes.value(each, sh.path)
            if isinstance(path, rdf.URIRef):
                allowed.append(path)
            shapes.remove((shape, sh.property, each))
        if (shape, sh.closed, None) in shapes:
            shapes.remove((shape, sh.ignoredProperties, None))
            head = rdf.BNode()
            collection(shapes, head, allowed)
            shapes.add((shape, sh.ignoredProperties, head))
    return shapes
