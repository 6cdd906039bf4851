# SPDX-License-Identifier: Apache-2.0
"""A folder of CSV files: for `neo4j-admin database import full`, for spreadsheets, and back.

A file a label and one for each edge type between two labels, as Neo4j's importer wants them: UTF-8,
all text quoted, a quote doubled, newlines inside quotes. What the importer makes of a value was
tried out with Neo4j 5.26, and `tests/neo4j/test_formats.py` holds it to that:

- Nothing is null, and `""` is the empty string; but for a list `""` is null too.
- Items of a list, and a node's labels, are separated by U+001F: it cannot be escaped, so it has to
  be a character that texts do not hold.
- So three lists cannot be written: an empty one, one of a single empty string, and one with U+001F
  in an item. The empty one is `""`, the others are U+001E and then JSON; `after.cypher` sets them
  once the server runs. It declares the constraints and indexes as well.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from graph.batch import Edge
from graph.errors import DataError
from graph.formats.base import Content, Format, Selection, Written
from graph.formats.files import check_folder, new_folder
from graph.formats.tables import (
    EdgeTable,
    NodeTable,
    edge_tables,
    node_table,
    node_tables,
    strings,
)
from graph.model import Meta, Node
from graph.progress import SILENT, Progress
from graph.schema import SCHEMA_VERSION, labels, neo4j_ddl
from graph.version import __version__

SEPARATOR = "\x1f"
JSON_MARK = "\x1e"
AFTER = "after.cypher"
ARGUMENTS = "import.args"

_TYPES = {"str": "string", "int": "long", "float": "double", "bool": "boolean", "list": "string[]"}
_FIELD = re.compile(r'"((?:[^"]|"")*)"|([^,"\n]*)')
_IDS = 200
"""Lists set by one statement of `after.cypher`."""
_BUFFER = 4 << 20
"""Bytes of the importer's read buffer unless it is told otherwise; a value has to fit in."""


class CSV(Format):
    """A folder of CSV files."""

    name = "csv"
    title = "CSV files with the header lines of neo4j-admin database import"
    suffix = ""

    def write(self, selection: Selection, out: Path, progress: Progress = SILENT) -> Written:
        """Writes the selection."""
        nodes = edges = 0
        with new_folder(out, self.name) as folder, ExitStack() as stack:
            tables = _Tables(folder, stack)
            after = _After(stack.enter_context(_new(folder / AFTER)))
            # The graph's own description: without it Fabula takes the new database for empty.
            meta = Meta(id="schema", schema_version=SCHEMA_VERSION, created_by=__version__)
            tables.node(node_table("Meta"), meta)
            known = {table.label: table for table in node_tables()}
            task = progress.task("writing nodes")
            for node in selection.nodes():
                tables.node(known[node.ref.label], node)
                after.node(node)
                nodes += 1
                task.advance()
            task.done()
            after.flush()
            joins = {(table.type, table.source, table.target): table for table in edge_tables()}
            task = progress.task("writing edges")
            for edge in selection.edges():
                tables.edge(joins[edge.type, edge.source.label, edge.target.label], edge)
                edges += 1
                task.advance()
            task.done()
            with _new(folder / ARGUMENTS) as file:
                file.writelines(f"{line}\n" for line in tables.arguments())
        return Written(nodes, edges, (out,))

    @contextmanager
    def read(self, path: Path) -> Iterator[Content]:
        """Opens a folder that `write` made; `Meta.csv` and `after.cypher` are for Neo4j."""
        check_folder(path, self.name)
        yield Content(_nodes(path), _edges(path))


CSV_FOLDER = CSV()


def _new(path: Path) -> IO[str]:
    return path.open("w", encoding="utf-8", newline="")


def _quoted(text: str) -> str:
    doubled = text.replace('"', '""')
    return f'"{doubled}"'


def _fits(items: list[str]) -> bool:
    """Whether the importer can read a list: see the head of this file."""
    return items not in ([], [""]) and not any(
        SEPARATOR in each or JSON_MARK in each for each in items
    )


def _cell(value: Any) -> str:
    """A value as it stands in a file."""
    if value is None:
        return ""
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, list):
        if not value or _fits(value):
            return _quoted(SEPARATOR.join(value))
        return _quoted(JSON_MARK + json.dumps(value, ensure_ascii=False))
    return json.dumps(value)


def _node_header(table: NodeTable) -> str:
    rest = (f"{name}:{_TYPES[kind]}" for name, kind in table.columns[1:])
    return ",".join([f"id:ID({table.label})", ":LABEL", *rest])


def _edge_header(table: EdgeTable) -> str:
    rest = (f"{name}:{_TYPES[kind]}" for name, kind in table.columns)
    ends = (f":START_ID({table.source})", f":END_ID({table.target})")
    return ",".join([*ends, ":TYPE", *rest])


class _Tables:
    """The files, each opened when its first row comes."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder = folder
        self._stack = stack
        self._files: dict[str, IO[str]] = {}
        self._nodes: list[str] = []
        self._edges: list[str] = []
        self._longest = 0

    def node(self, table: NodeTable, node: Node) -> None:
        if table.name not in self._files:
            self._open(table.name, _node_header(table))
            self._nodes.append(table.name)
        row = table.row(node)
        cells = [_cell(row.get(name)) for name, _ in table.columns]
        cells.insert(1, _quoted(SEPARATOR.join(labels(table.label))))
        self._write(table.name, cells)

    def edge(self, table: EdgeTable, edge: Edge) -> None:
        if table.name not in self._files:
            self._open(table.name, _edge_header(table))
            self._edges.append(table.name)
        row = dict(edge.properties)
        cells = [_cell(edge.source.id), _cell(edge.target.id), _cell(edge.type)]
        self._write(table.name, [*cells, *(_cell(row.get(name)) for name, _ in table.columns)])

    def arguments(self) -> Iterator[str]:
        yield "# In this folder, with the database stopped:"
        yield f"#   neo4j-admin database import full @{ARGUMENTS} neo4j"
        yield "# and when it runs again:"
        yield f"#   cypher-shell -f {AFTER}"
        yield from (f"--nodes={name}.csv" for name in self._nodes)
        yield from (f"--relationships={name}.csv" for name in self._edges)
        yield f"--array-delimiter=U+{ord(SEPARATOR):04X}"
        if self._longest > _BUFFER // 2:
            yield f"--read-buffer-size={2 * self._longest}"
        yield "--multiline-fields=true"

    def _open(self, name: str, header: str) -> None:
        file = self._files[name] = self._stack.enter_context(_new(self._folder / f"{name}.csv"))
        file.write(f"{header}\n")

    def _write(self, name: str, cells: list[str]) -> None:
        # A character has up to four bytes.
        self._longest = max(self._longest, 4 * max(map(len, cells)))
        self._files[name].write(f"{','.join(cells)}\n")


class _After:
    """`after.cypher`: what the importer cannot be told; each value is JSON, which Cypher reads."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._waiting: dict[tuple[str, str], list[tuple[str, list[str]]]] = {}
        for statement in (*neo4j_ddl(), "CALL db.awaitIndexes(300)"):
            file.write(f"{statement};\n")

    def node(self, node: Node) -> None:
        label = node.ref.label
        for name, value in node.__dict__.items():
            if isinstance(value, tuple) and not _fits(list(value)):
                waiting = self._waiting.setdefault((label, name), [])
                waiting.append((node.id, list(value)))
                if len(waiting) == _IDS:
                    self._set(label, name)

    def flush(self) -> None:
        for label, name in list(self._waiting):
            self._set(label, name)

    def _set(self, label: str, name: str) -> None:
        rows = json.dumps(self._waiting.pop((label, name)), ensure_ascii=False)
        self._file.write(
            f"UNWIND {rows} AS row MATCH (n:{label} {{id: row[0]}}) SET n.{name} = row[1];\n"
        )


def _nodes(path: Path) -> Iterator[Node]:
    for table in node_tables():
        wanted = SEPARATOR.join(labels(table.label))
        columns = (*table.columns[:1], ("", "str"), *table.columns[1:])
        for place, row in _rows(path / f"{table.name}.csv", _node_header(table), columns):
            if row.pop("") != wanted:
                raise DataError(f"{place}: the labels are not those of a {table.label}")
            yield table.node(row, place)


def _edges(path: Path) -> Iterator[Edge]:
    for table in edge_tables():
        columns = ((":S", "str"), (":E", "str"), (":T", "str"), *table.columns)
        for place, row in _rows(path / f"{table.name}.csv", _edge_header(table), columns):
            if row[":T"] != table.type:
                raise DataError(f"{place}: the type is not {table.type}")
            yield table.edge(row[":S"], row[":E"], row, place)


def _rows(
    path: Path, header: str, columns: tuple[tuple[str, str], ...]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields where a row stands and its values; nothing where there is no such file."""
    if not path.exists():
        return
    with path.open(encoding="utf-8", newline="\n") as file:
        try:
            first = file.readline()
            if first != f"{header}\n":
                raise DataError(f"{path}, line 1: not the header line {header!r}")
            for line, cells in _records(path, file):
                place = f"{path}, line {line}"
                if len(cells) != len(columns):
                    raise DataError(f"{place}: {len(cells)} columns, not {len(columns)}")
                pairs = zip(columns, cells, strict=True)
                yield place, {name: _value(kind, cell, place) for (name, kind), cell in pairs}
        except UnicodeDecodeError as error:
            raise DataError(f"{path} is not UTF-8: {error}") from error


def _records(path: Path, file: IO[str]) -> Iterator[tuple[int, list[str | None]]]:
    line = 1
    while piece := file.readline():
        line += 1
        began, pieces, quotes = line, [piece], piece.count('"')
        while quotes % 2:
            piece = file.readline()
            if not piece:
                raise DataError(f"{path}, line {began}: a quote that does not end")
            line += 1
            quotes += piece.count('"')
            pieces.append(piece)
        text = "".join(pieces)
        if not text.endswith("\n"):
            raise DataError(f"{path}, line {line}: the file ends in the middle of a row")
        yield began, _cells(text[:-1], f"{path}, line {began}")


def _cells(text: str, place: str) -> list[str | None]:
    cells: list[str | None] = []
    at = 0
    while found := _FIELD.match(text, at):
        quoted, bare = found.groups()
        cells.append(bare or None if quoted is None else quoted.replace('""', '"'))
        at = found.end()
        if at == len(text):
            return cells
        if text[at] != ",":
            break
        at += 1
    raise DataError(f"{place}: a quote within a value that does not start with one")


def _value(kind: str, cell: str | None, place: str) -> Any:
    if cell is None or kind == "str":
        return cell
    try:
        if kind == "list":
            if cell.startswith(JSON_MARK):
                return strings(cell[1:])
            return cell.split(SEPARATOR) if cell else []
        if kind == "bool":
            return {"true": True, "false": False}[cell]
        return int(cell) if kind == "int" else float(cell)
    except (ValueError, KeyError) as error:
        raise DataError(f"{place}: {cell[:60]!r} is no {kind}") from error
