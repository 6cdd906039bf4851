# SPDX-License-Identifier: Apache-2.0
"""N-Triples and N-Quads: written and read as streams, in the memory of one node."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

from graph import elements
from graph.batch import Edge
from graph.errors import DataError
from graph.formats.base import Content, Format, Selection, Written
from graph.formats.rdf import vocabulary as v
from graph.formats.rdf.statements import (
    Element,
    Object,
    Statement,
    describe_edge,
    describe_node,
    element,
    groups,
    literal,
)
from graph.formats.rdf.syntax import Lines, replacing
from graph.formats.rdf.vocabulary import DATATYPES, TYPE, Iri
from graph.model import Node
from graph.progress import SILENT, Progress


def producers(selection: Selection) -> dict[str, Iri]:
    """Claim -> the run that produced it; the named graphs of a selection."""
    if selection.whole:
        produced: Iterable[Edge] = elements.edges(selection.store, ["PRODUCED"])
    else:
        produced = (edge for edge in selection.edges() if edge.type == "PRODUCED")
    found: dict[str, Iri] = {}
    for edge in produced:
        run = v.node_iri(edge.source)
        # A claim has one run; should it have two, the file is the same each time.
        found[edge.target.id] = min(found.get(edge.target.id, run), run)
    return found


class LineFormat(Format):
    """N-Triples, or N-Quads.

    Args:
        name: what users write.
        title: one line for the help.
        suffix: ending of its files' names.
        quads: whether the claims of a run are in a named graph of their own.
    """

    def __init__(self, name: str, title: str, suffix: str, *, quads: bool) -> None:
        self.name = name
        self.title = title
        self.suffix = suffix
        self._quads = quads

    def write(self, selection: Selection, out: Path, progress: Progress = SILENT) -> Written:
        """See `Format.write`."""
        runs = producers(selection) if self._quads else {}
        syntax = Lines()
        nodes = edges = 0
        with replacing(out, syntax) as put:
            task = progress.task("writing nodes")
            for node in selection.nodes():
                put(syntax.text(describe_node(node), runs.get(node.id)))
                nodes += 1
                task.advance()
            task.done()
            task = progress.task("writing edges")
            for edge in selection.edges():
                put(syntax.text(describe_edge(edge), runs.get(edge.source.id)))
                edges += 1
                task.advance()
            task.done()
        return Written(nodes, edges, (out,))

    def read(self, path: Path) -> AbstractContextManager[Content]:
        """See `Format.read`. The file is read twice, as a stream: for nodes, then for edges."""
        return self._open(path)

    @contextmanager
    def _open(self, path: Path) -> Iterator[Content]:
        with closing(self._nodes(path)) as nodes, closing(self._edges(path)) as edges:
            yield Content(nodes, edges)

    def _nodes(self, path: Path) -> Generator[Node]:
        return (each.node for each in _elements(path, quads=self._quads) if each.node is not None)

    def _edges(self, path: Path) -> Generator[Edge]:
        return (edge for each in _elements(path, quads=self._quads) for edge in each.edges)


def _elements(path: Path, *, quads: bool) -> Iterator[Element]:
    with closing(_statements(path, quads=quads)) as statements:
        for iri, some in groups(statements):
            try:
                yield element(iri, some)
            except DataError as error:
                hint = ""
                if not any(each.predicate == TYPE and each.subject == iri for each in some):
                    hint = (
                        "; all lines about a node and what belongs to it must follow each other "
                        "(Turtle files may have any order)"
                    )
                raise DataError(f"{path}, line {some[0].line}: {error}{hint}") from error


# --- a line ------------------------------------------------------------------------------------

_ESCAPED = r"""\\[tbnrf"'\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}"""
# Possessive quantifiers: a malformed line must not make the pattern try every way to split it.
_IRI = r"""<((?:[^\x00-\x20<>"{}|^`\\]++|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*+)>"""
_LITERAL = rf'"((?:[^"\\\n\r]++|{_ESCAPED})*+)"(?:\^\^{_IRI}|@([A-Za-z0-9-]+))?'
_LINE = re.compile(
    rf"[ \t]*{_IRI}[ \t]*{_IRI}[ \t]*(?:{_IRI}|{_LITERAL})[ \t]*(?:{_IRI})?[ \t]*\.[ \t]*(?:\#.*)?"
)
_NOTHING = re.compile(r"[ \t]*(?:#.*)?")
_ONE_ESCAPE = re.compile(_ESCAPED)
_SHORT = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f", '"': '"', "'": "'", "\\": "\\"}


def _statements(path: Path, *, quads: bool) -> Generator[Statement]:
    number = 0
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, 1):
                text = line.rstrip("\r\n")
                if _NOTHING.fullmatch(text):
                    continue
                try:
                    yield _statement(text, number, quads=quads)
                except DataError as error:
                    raise DataError(f"{path}, line {number}: {error}") from error
    except UnicodeDecodeError as error:
        raise DataError(f"{path}, after line {number}: not UTF-8: {error.reason}") from error


def _statement(text: str, number: int, *, quads: bool) -> Statement:
    found = _LINE.fullmatch(text)
    if found is None:
        if re.search(r"(^|\s)_:", re.sub(r'"(?:[^"\\]|\\.)*"', "", text)):
            raise DataError("the vocabulary has no blank nodes; Fabula writes none")
        raise DataError(f"not a statement: {text[:200]!r}")
    subject, predicate, resource, lexical, datatype, language, graph = found.groups()
    if graph is not None and not quads:
        raise DataError("four terms in N-Triples; is it N-Quads?")
    if language is not None:
        raise DataError(f"the vocabulary has no strings with a language: @{language}")
    value: Object
    if resource is not None:
        value = Iri(_unescape(resource))
    else:
        value = literal(_unescape(lexical), DATATYPES["str"] if datatype is None else datatype)
    return Statement(_unescape(subject), _unescape(predicate), value, number)


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    return _ONE_ESCAPE.sub(_character, text)


def _character(found: re.Match[str]) -> str:
    escape = found[0][1:]
    if escape in _SHORT:
        return _SHORT[escape]
    code = int(escape[1:], 16)
    if code > 0x10FFFF or 0xD800 <= code < 0xE000:
        raise DataError(f"{found[0]} is no character")
    return chr(code)


NTRIPLES = LineFormat("ntriples", "RDF, a statement a line, streamed", ".nt", quads=False)
NQUADS = LineFormat(
    "nquads", "RDF, a statement a line, a named graph for each run, streamed", ".nq", quads=True
)
