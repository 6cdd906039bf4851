# SPDX-License-Identifier: Apache-2.0
"""A folder of Parquet files, for pandas, polars, DuckDB and Spark, and back.

A file a label and one for each edge type between two labels. Node files have a column a property,
edge files the columns `source` and `target` and the properties. Lists are lists, null is null.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph.batch import Edge
from graph.errors import DataError
from graph.extras import require
from graph.formats.base import Content, Format, Selection, Written
from graph.formats.files import check_folder, new_folder
from graph.formats.tables import EdgeTable, NodeTable, edge_tables, node_tables
from graph.model import Node
from graph.progress import SILENT, Progress

if TYPE_CHECKING:
    import pyarrow

_ROWS = 10_000
"""Rows of a row group: what is in memory of a table at a time."""


class Parquet(Format):
    """A folder of Parquet files."""

    name = "parquet"
    title = "Parquet files, one a label and edge type"
    suffix = ""
    extra = "parquet"

    def write(self, selection: Selection, out: Path, progress: Progress = SILENT) -> Written:
        """Writes the selection."""
        require("pyarrow", "parquet")
        nodes = edges = 0
        with new_folder(out, self.name) as folder, ExitStack() as stack:
            files: dict[str, _File] = {}

            def file_of(table: NodeTable | EdgeTable) -> _File:
                if table.name not in files:
                    file = _File(folder / f"{table.name}.parquet", _schema(table))
                    files[table.name] = stack.enter_context(file.open())
                return files[table.name]

            known = {table.label: table for table in node_tables()}
            task = progress.task("writing nodes")
            for node in selection.nodes():
                table = known[node.ref.label]
                file_of(table).add(dict(table.row(node)))
                nodes += 1
                task.advance()
            task.done()
            joins = {(table.type, table.source, table.target): table for table in edge_tables()}
            task = progress.task("writing edges")
            for edge in selection.edges():
                join = joins[edge.type, edge.source.label, edge.target.label]
                ends = {"source": edge.source.id, "target": edge.target.id}
                file_of(join).add({**ends, **dict(edge.properties)})
                edges += 1
                task.advance()
            task.done()
        return Written(nodes, edges, (out,))

    @contextmanager
    def read(self, path: Path) -> Iterator[Content]:
        """Opens a folder that `write` made."""
        require("pyarrow", "parquet")
        check_folder(path, self.name)
        yield Content(_nodes(path), _edges(path))


PARQUET = Parquet()


def _schema(table: NodeTable | EdgeTable) -> pyarrow.Schema:
    arrow = require("pyarrow", "parquet")
    types = {
        "str": arrow.string(),
        "int": arrow.int64(),
        "float": arrow.float64(),
        "bool": arrow.bool_(),
        "list": arrow.list_(arrow.string()),
    }
    columns = [(name, types[kind]) for name, kind in table.columns]
    if isinstance(table, EdgeTable):
        columns = [("source", types["str"]), ("target", types["str"]), *columns]
    return arrow.schema(columns)


class _File:
    """A file, written a row group at a time."""

    def __init__(self, path: Path, schema: pyarrow.Schema) -> None:
        self._path = path
        self._schema = schema
        self._rows: list[dict[str, Any]] = []
        self._writer: Any = None

    @contextmanager
    def open(self) -> Iterator[_File]:
        parquet = require("pyarrow.parquet", "parquet")
        with parquet.ParquetWriter(self._path, self._schema, compression="zstd") as self._writer:
            yield self
            self._flush()

    def add(self, row: dict[str, Any]) -> None:
        self._rows.append(row)
        if len(self._rows) == _ROWS:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            arrow = require("pyarrow", "parquet")
            self._writer.write_table(arrow.Table.from_pylist(self._rows, schema=self._schema))
            self._rows = []


def _nodes(path: Path) -> Iterator[Node]:
    for table in node_tables():
        for place, row in _rows(path, table):
            yield table.node(row, place)


def _edges(path: Path) -> Iterator[Edge]:
    for table in edge_tables():
        for place, row in _rows(path, table):
            yield table.edge(row["source"], row["target"], row, place)


def _rows(folder: Path, table: NodeTable | EdgeTable) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields where a row stands and its values; nothing where there is no such file."""
    path = folder / f"{table.name}.parquet"
    if not path.exists():
        return
    arrow, parquet = require("pyarrow", "parquet"), require("pyarrow.parquet", "parquet")
    number = 0
    try:
        with parquet.ParquetFile(path) as file:
            if not file.schema_arrow.equals(_schema(table)):
                raise DataError(f"{path}: not the columns of an export of this schema")
            for batch in file.iter_batches(batch_size=_ROWS):
                for row in batch.to_pylist():
                    number += 1
                    yield f"{path}, row {number}", row
    except (arrow.ArrowException, OSError) as error:
        raise DataError(f"{path}, after row {number}: {error}") from error
