# SPDX-License-Identifier: Apache-2.0
"""Turtle, TriG and JSON-LD: written a few stories at a time, read with rdflib into memory."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from graph.batch import GraphBatch
from graph.errors import DataError, UsageError
from graph.extras import require
from graph.formats.base import Content, Format, Selection, Written
from graph.formats.rdf.lines import producers
from graph.formats.rdf.statements import (
    Description,
    Object,
    Statement,
    describe_edge,
    describe_node,
    element,
    home,
    literal,
)
from graph.formats.rdf.syntax import JsonLd, Syntax, TriG, Turtle, replacing
from graph.formats.rdf.vocabulary import DATATYPES, Iri
from graph.progress import SILENT, Progress

if TYPE_CHECKING:
    import rdflib
    from rdflib.term import Node


class Document(Format):
    """A syntax that joins what is said about a resource.

    Args:
        name: what users write, which is also what rdflib calls it.
        title: one line for the help.
        suffix: ending of its files' names.
        syntax: how it is written.
        graphs: whether the claims of a run are in a named graph of their own.
    """

    extra = "rdf"

    def __init__(
        self, name: str, title: str, suffix: str, syntax: Syntax, *, graphs: bool = False
    ) -> None:
        self.name = name
        self.title = title
        self.suffix = suffix
        self._syntax = syntax
        self._graphs = graphs

    def write(self, selection: Selection, out: Path, progress: Progress = SILENT) -> Written:
        """See `Format.write`."""
        runs = producers(selection) if self._graphs else {}
        nodes = edges = 0
        with replacing(out, self._syntax) as put:
            task = progress.task("writing nodes")
            for batch in selection.batches():
                for graph, described in _described(batch, runs).items():
                    some = (Description(subject, pairs) for subject, pairs in described.items())
                    put(self._syntax.text(some, graph))
                nodes += len(batch.nodes)
                edges += len(batch.edges)
                task.advance(len(batch.nodes))
            task.done()
        return Written(nodes, edges, (out,))

    def read(self, path: Path) -> AbstractContextManager[Content]:
        """See `Format.read`. The whole file is held in memory."""
        return self._open(path)

    @contextmanager
    def _open(self, path: Path) -> Iterator[Content]:
        triples = parse(path, self.name)
        try:
            waiting = _statements(triples)
            found = [element(iri, waiting.pop(iri)) for iri in list(waiting)]
        except DataError as error:
            if str(error).startswith(str(path)):
                raise
            raise DataError(f"{path}: {error}") from error
        yield Content(
            (each.node for each in found if each.node is not None),
            (edge for each in found for edge in each.edges),
        )


_PARSERS = {name: name for name in ("turtle", "trig", "nquads")} | {
    "jsonld": "json-ld",
    "ntriples": "nt",
}


def parse(path: Path, format: str) -> Iterator[tuple[Node, Node, Node]]:
    """Reads a file of RDF into memory and yields its triples, of whichever graph.

    Args:
        path: the file.
        format: name of the format.

    Raises:
        UsageError: the format is not RDF.
        DataError: the file is not of that format.
    """
    if format not in _PARSERS:
        raise UsageError(f"{format!r} is not RDF: choose among {', '.join(_PARSERS)}")
    rdf = require("rdflib", "rdf")
    with warnings.catch_warnings():
        # rdflib's own parsers use what rdflib deprecates.
        warnings.simplefilter("ignore", DeprecationWarning)
        data: rdflib.Graph = rdf.Dataset() if format in ("trig", "nquads") else rdf.Graph()
        try:
            # Parsers raise errors of many kinds, down to IndexError, for malformed text.
            data.parse(path, format=_PARSERS[format])
        except Exception as error:
            reason = " ".join(str(error).split())
            raise DataError(f"{path}: not {format}: {reason[:300]}") from error
    # Of the store below: a data set yields its triples one graph at a time, with warnings.
    yield from (triple for triple, _ in data.store.triples((None, None, None)))


def _described(
    batch: GraphBatch, runs: dict[str, Iri]
) -> dict[Iri | None, dict[Iri, list[tuple[Iri, Object]]]]:
    """A batch as graph -> resource -> statements; the edges of a node stand with it."""
    found: dict[Iri | None, dict[Iri, list[tuple[Iri, Object]]]] = defaultdict(dict)
    for node in batch.nodes:
        graph = found[runs.get(node.id)]
        for subject, pairs in describe_node(node):
            graph.setdefault(subject, []).extend(pairs)
    for edge in sorted(batch.edges):  # so that the same graph gives the same file
        graph = found[runs.get(edge.source.id)]
        for subject, pairs in describe_edge(edge):
            graph.setdefault(subject, []).extend(pairs)
    return found


def _statements(triples: Iterable[tuple[Node, Node, Node]]) -> dict[str, list[Statement]]:
    """The statements by the node that they belong to."""
    rdf = require("rdflib", "rdf")
    found: dict[str, list[Statement]] = defaultdict(list)
    for subject, predicate, value in triples:
        if isinstance(subject, rdf.BNode) or isinstance(value, rdf.BNode):
            raise DataError(
                f"the vocabulary has no blank nodes; Fabula writes none (at <{predicate}>)"
            )
        iri = home(str(subject))
        # As text: rdflib's IRIs equal nothing but themselves.
        datatype = str(getattr(value, "datatype", None) or DATATYPES["str"])
        if getattr(value, "language", None) is not None:
            raise DataError(f"<{iri}>: the vocabulary has no strings with a language: {value!r}")
        try:
            read: Object = (
                Iri(value) if isinstance(value, rdf.URIRef) else literal(str(value), datatype)
            )
        except DataError as error:
            raise DataError(f"<{iri}>: {error}") from error
        found[iri].append(Statement(str(subject), str(predicate), read))
    return found


TURTLE = Document("turtle", "RDF as people read it", ".ttl", Turtle())
TRIG = Document("trig", "Turtle with a named graph for each run", ".trig", TriG(), graphs=True)
JSONLD = Document("jsonld", "RDF as JSON, one document", ".jsonld", JsonLd())
