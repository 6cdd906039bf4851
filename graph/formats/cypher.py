# SPDX-License-Identifier: Apache-2.0
"""Cypher statements that make the graph in Neo4j: `cypher-shell -f graph.cypher`.

Values stand in the text here, and nowhere else in Fabula, because a dump has no parameters. They
are JSON: its strings, numbers and lists are literals of Cypher with the same meaning, escapes
included (`tests/neo4j/test_formats.py` runs the worst ones). A string in JSON has no line break, so
a row is a line, and what reads a dump back needs no parser of Cypher. Statements may be run again:
they merge.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, Any

from graph.batch import Edge
from graph.errors import DataError
from graph.formats.base import Content, Format, Selection, Written
from graph.formats.files import check_version, new_file
from graph.formats.tables import (
    EdgeTable,
    NodeTable,
    edge_tables,
    node_table,
    node_tables,
)
from graph.model import Meta, Node
from graph.progress import SILENT, Progress
from graph.schema import SCHEMA_VERSION, labels, neo4j_ddl
from graph.version import __version__

_ROWS = 500
"""Rows of one statement."""
_FIRST = "// Fabula, schema version {version}"
_BEGIN = "UNWIND ["


class Cypher(Format):
    """One file of statements, each ending with `;` at the end of a line."""

    name = "cypher"
    title = "Cypher statements for Neo4j: cypher-shell -f FILE"
    suffix = ".cypher"

    def write(self, selection: Selection, out: Path, progress: Progress = SILENT) -> Written:
        """Writes the selection."""
        nodes = edges = 0
        with new_file(out) as file:
            file.write(_FIRST.format(version=SCHEMA_VERSION) + "\n")
            for statement in (*neo4j_ddl(), "CALL db.awaitIndexes(300)"):
                file.write(f"{statement};\n")
            meta = Meta(id="schema", schema_version=SCHEMA_VERSION, created_by=__version__)
            writer = _Statements(file)
            about = node_table("Meta")
            writer.row(_node_tail(about), _node_row(about, meta))
            known = {table.label: (table, _node_tail(table)) for table in node_tables()}
            task = progress.task("writing nodes")
            for node in selection.nodes():
                table, tail = known[node.ref.label]
                writer.row(tail, _node_row(table, node))
                nodes += 1
                task.advance()
            task.done()
            joins = {(t.type, t.source, t.target): (t, _edge_tail(t)) for t in edge_tables()}
            task = progress.task("writing edges")
            for edge in selection.edges():
                join, tail = joins[edge.type, edge.source.label, edge.target.label]
                values = dict(edge.properties)
                row = [edge.source.id, edge.target.id]
                writer.row(tail, row + [values.get(name) for name, _ in join.columns])
                edges += 1
                task.advance()
            task.done()
            writer.end()
        return Written(nodes, edges, (out,))

    @contextmanager
    def read(self, path: Path) -> Iterator[Content]:
        """Opens a file that `write` made; other Cypher is not understood."""
        with path.open(encoding="utf-8", newline="\n") as file:
            elements = _elements(path, file)
            first = next(elements, None)
            while isinstance(first, Meta):
                first = next(elements, None)
            whole = elements if first is None else chain([first], elements)
            yield Content(*_split(whole))


CYPHER = Cypher()


def _node_tail(table: NodeTable) -> str:
    own, *parents = labels(table.label)
    changes = [f"n:{parent}" for parent in parents]
    changes += [f"n.{name} = row[{at}]" for at, (name, _) in enumerate(table.columns) if at]
    return f"] AS row MERGE (n:{own} {{id: row[0]}}) SET {', '.join(changes)};"


def _node_row(table: NodeTable, node: Node) -> list[Any]:
    values = table.row(node)
    return [values.get(name) for name, _ in table.columns]


def _edge_tail(table: EdgeTable) -> str:
    changes = ", ".join(f"r.{name} = row[{at}]" for at, (name, _) in enumerate(table.columns, 2))
    return (
        f"] AS row MATCH (a:{table.source} {{id: row[0]}}) MATCH (b:{table.target} {{id: row[1]}}) "
        f"MERGE (a)-[r:{table.type}]->(b){f' SET {changes}' if changes else ''};"
    )


class _Statements:
    """Puts rows into statements: one ends when its rows are many, or the next row is another's."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._tail = ""
        self._rows = 0

    def row(self, tail: str, values: Sequence[Any]) -> None:
        if tail != self._tail or self._rows == _ROWS:
            self.end()
            self._file.write(f"{_BEGIN}\n")
            self._tail = tail
        text = json.dumps(values, ensure_ascii=False)
        self._file.write(f"{',' if self._rows else ''}{text}\n")
        self._rows += 1

    def end(self) -> None:
        if self._rows:
            self._file.write(f"{self._tail}\n")
        self._tail, self._rows = "", 0


def _elements(path: Path, file: IO[str]) -> Iterator[Node | Edge]:
    nodes = {_node_tail(table): table for table in (*node_tables(), node_table("Meta"))}
    edges = {_edge_tail(table): table for table in edge_tables()}
    skipped = {f"{each};" for each in (*neo4j_ddl(), "CALL db.awaitIndexes(300)")}
    rows: list[tuple[str, list[Any]]] | None = None
    line = 0
    try:
        for line, text in enumerate(file, 1):
            place = f"{path}, line {line}"
            content = text.removesuffix("\n")
            if line == 1:
                found = re.fullmatch(_FIRST.format(version=r"(\d+)"), content)
                if found is None:
                    raise DataError(f"{place}: not a dump that `fabula export` wrote")
                check_version(found[1], path)
            elif rows is None:
                if content == _BEGIN:
                    rows = []
                elif content not in skipped:
                    raise DataError(f"{place}: a statement that no export writes")
            elif content in nodes:
                for at, values in rows:
                    yield _node(nodes[content], values, at)
                rows = None
            elif content in edges:
                for at, values in rows:
                    yield _edge(edges[content], values, at)
                rows = None
            else:
                rows.append((place, _row(content, place)))
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8: {error}") from error
    if rows is not None or line == 0:
        raise DataError(f"{path}, line {line}: the file ends in the middle of a statement")


def _row(text: str, place: str) -> list[Any]:
    try:
        values = json.loads(text.removeprefix(","))
    except ValueError as error:
        raise DataError(f"{place}: not a row of values: {error}") from error
    if not isinstance(values, list):
        raise DataError(f"{place}: not a row of values, but {text[:60]!r}")
    return values


def _node(table: NodeTable, values: list[Any], place: str) -> Node:
    return table.node(_named([name for name, _ in table.columns], values, place), place)


def _edge(table: EdgeTable, values: list[Any], place: str) -> Edge:
    names = [":S", ":E", *(name for name, _ in table.columns)]
    row = _named(names, values, place)
    return table.edge(row[":S"], row[":E"], row, place)


def _named(names: Sequence[str], values: list[Any], place: str) -> dict[str, Any]:
    if len(names) != len(values):
        raise DataError(f"{place}: {len(values)} values, not {len(names)}")
    return dict(zip(names, values, strict=True))


def _split(elements: Iterable[Node | Edge]) -> tuple[Iterator[Node], Iterator[Edge]]:
    """Parts a stream in which the nodes come first."""
    stream = iter(elements)
    held: list[Edge] = []

    def nodes() -> Iterator[Node]:
        for element in stream:
            if isinstance(element, Edge):
                held.append(element)
                return
            yield element

    def edges() -> Iterator[Edge]:
        for element in chain(held, stream):
            if not isinstance(element, Edge):
                raise DataError(f"a {element.ref.label} after edges; nodes have to come first")
            yield element

    return nodes(), edges()
