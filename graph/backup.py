# SPDX-License-Identifier: Apache-2.0
"""A whole graph in one file that no engine owns, and back.

The file is gzip with one JSON value a line:

    {"format": "fabula-backup", "format_version": 1, "schema_version": 1, "shape": {...}, ...}
    ["Story", ["Story"], {"id": "...", ...}]                             a node: label, labels, properties
    ["HAS_SENTENCE", ["Story", "..."], ["Sentence", "..."], {}]          an edge: type, ends, properties
    {"end": true, "sha256": "...", "sums": {"Story": [1693, "..."], ...}}

Nodes come before edges. `sha256` is of all lines before the last one; `sums` hold the number of
elements and a checksum for each label and edge type (`graph.canonical.Sum`), with which the
restored graph is compared. The schema goes along, so that a later Fabula, which declares another
one, can still restore the file: as it was, and then through its migrations.
"""  # noqa: E501

from __future__ import annotations

import contextlib
import gzip
import hashlib
import itertools
import json
import os
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from graph import elements, queries
from graph.batch import Edge, chunks
from graph.canonical import Fingerprint, Sum, fingerprint, line_of
from graph.errors import DataError, GraphError, MigrationError, UsageError
from graph.migrations import check_version, migrate
from graph.model import Node, Ref
from graph.progress import SILENT, Progress
from graph.schema import SCHEMA_VERSION, Shape, shape
from graph.store import GraphStore, Transaction
from graph.transfer import Comparison, begin, end, refuse_other, verify
from graph.version import __version__

FORMAT = "fabula-backup"
FORMAT_VERSION = 1
PART = ".part"
"""Ending of a file that is being written."""
_LEVEL = 4
"""Of gzip: a third of the time of the usual 9, and a file that is hardly larger."""


class Header(BaseModel):
    """The first line."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal["fabula-backup"] = "fabula-backup"
    """What the file is."""
    format_version: int = FORMAT_VERSION
    """Version of the format of the file."""
    schema_version: int
    """Schema version of the graph."""
    fabula: str
    """Version of Fabula that wrote the file."""
    engine: str
    """Engine that held the graph."""
    created: str
    """When, UTC, ISO 8601."""
    nodes: int
    """Number of nodes when the backup began."""
    edges: int
    """Number of edges when the backup began."""
    shape: Shape
    """The schema."""


class Trailer(BaseModel):
    """The last line."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    end: Literal[True] = True
    """What the line is."""
    sha256: str
    """Of all lines before it."""
    sums: dict[str, Sum]
    """What the file holds, by label and edge type."""


Line = TypeVar("Line", Header, Trailer)
_OF_EDGE = 4
"""Parts of an edge's line; a node's has three."""


class Backup(NamedTuple):
    """A backup that was read to its end and is whole."""

    path: Path
    header: Header
    trailer: Trailer

    @property
    def name(self) -> str:
        """What restoring calls it: the same for each copy of the file."""
        return f"the backup {self.trailer.sha256[:16]} of {self.header.created}"


# --- writing ---------------------------------------------------------------------------------


def backup(
    store: GraphStore, out: Path, *, force: bool = False, progress: Progress = SILENT
) -> Backup:
    """Writes a graph to a file.

    The file gets its name when it is whole and on the disk.

    Args:
        store: the graph; nothing else may write to it meanwhile, which is certain for a folder.
        out: the file.
        force: replace what is there.
        progress: where to show how far it is.

    Raises:
        UsageError: the file is there already.
        GraphError: the graph changed meanwhile.
    """
    if out.exists() and not force:
        raise UsageError(f"{out} is there already: give another name, or --force to replace it")
    part = out.with_name(out.name + PART)
    try:
        with part.open("wb") as raw, gzip.GzipFile(out.name, "wb", _LEVEL, raw, mtime=0) as file:
            header, trailer = _write(store, file, progress)
            file.close()
            raw.flush()
            os.fsync(raw.fileno())
        part.replace(out)
        _sync_folder(out.parent)
    except OSError as error:
        raise UsageError(f"{out} cannot be written: {error.strerror or error}") from error
    finally:
        part.unlink(missing_ok=True)
    return Backup(out, header, trailer)


def _write(store: GraphStore, file: gzip.GzipFile, progress: Progress) -> tuple[Header, Trailer]:
    nodes, edges = elements.count(store)
    header = Header(
        schema_version=SCHEMA_VERSION,
        fabula=__version__,
        engine=store.engine,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        nodes=nodes,
        edges=edges,
        shape=shape(),
    )
    digest = hashlib.sha256()
    sums = Fingerprint()

    def put(line: str) -> None:
        data = line.encode("ascii") + b"\n"
        digest.update(data)
        file.write(data)

    put(json.dumps(header.model_dump()))
    task = progress.task("writing", nodes + edges)
    for stream in (elements.nodes(store), elements.edges(store)):
        for element in stream:
            line = line_of(element)
            sums.add(line)
            put(line)
            task.advance()
    task.done()
    trailer = Trailer(sha256=digest.hexdigest(), sums=sums.sums)
    file.write(json.dumps(trailer.model_dump()).encode("ascii") + b"\n")
    compared = Comparison(trailer.sums, {})
    if (compared.nodes, compared.edges) != (nodes, edges):
        raise GraphError(
            f"the graph {store.url} changed while it was written: it had {nodes:,} nodes and "
            f"{edges:,} edges, and gave {compared.nodes:,} and {compared.edges:,}. Do it again "
            "while nothing writes to it"
        )
    return header, trailer


def _sync_folder(folder: Path) -> None:
    """Brings a new name to the disk, where the system can."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


# --- reading ---------------------------------------------------------------------------------


def check(path: Path, progress: Progress = SILENT) -> Backup:
    """Reads a backup to its end and checks that it is whole and unchanged.

    Raises:
        DataError: it is not there, not a backup, cut off or damaged; says what is wrong.
        MigrationError: a newer Fabula made it.
    """
    lines = _lines(path)
    first = next(lines, b"")
    header = _header(path, first)
    digest = hashlib.sha256(first)
    expected = header.nodes + header.edges
    task = progress.task(f"checking {path.name}", expected)
    trailer: Trailer | None = None
    count = 0
    for line in lines:
        if trailer is not None:
            raise _damaged(path, "something follows its last line")
        if line.startswith(b"{"):
            trailer = _parse(path, Trailer, line)
        else:
            digest.update(line)
            count += 1
            task.advance()
    task.done()
    if trailer is None:
        raise DataError(
            f"{path} is cut off after {count:,} of {expected:,} elements: copy the file again, or "
            "take another backup"
        )
    if digest.hexdigest() != trailer.sha256:
        raise _damaged(
            path,
            f"the SHA-256 of its {count:,} elements is {digest.hexdigest()[:16]}..., and "
            f"{trailer.sha256[:16]}... was written",
        )
    return Backup(path, header, trailer)


def _lines(path: Path) -> Iterator[bytes]:
    count = 0
    try:
        with gzip.open(path, "rb") as file:
            for line in file:
                count += 1
                yield line
    except FileNotFoundError as error:
        raise DataError(f"there is no file {path}") from error
    except EOFError as error:
        raise DataError(
            f"{path} is cut off after {count:,} lines: copy the file again, or take another backup"
        ) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        if not count:
            raise DataError(f"{path} is not a backup of Fabula: {error}") from error
        raise _damaged(path, f"after {count:,} lines: {error}") from error
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}") from error


def _damaged(path: Path, what: str) -> DataError:
    return DataError(f"{path} is damaged: {what}. Copy the file again, or take another backup")


def _header(path: Path, line: bytes) -> Header:
    try:
        told = json.loads(line)
    except ValueError:
        told = None
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise DataError(f"{path} is not a backup of Fabula: its first line does not say so")
    version = told.get("format_version")
    if not isinstance(version, int) or version > FORMAT_VERSION:
        raise DataError(
            f"{path} has the format version {version!r}, this Fabula reads {FORMAT_VERSION} at "
            "most: upgrade fabula"
        )
    header = _parse(path, Header, line)
    if header.schema_version > SCHEMA_VERSION:
        raise MigrationError(
            f"{path} has schema version {header.schema_version} (Fabula {header.fabula}), this "
            f"Fabula knows {SCHEMA_VERSION} at most: upgrade fabula"
        )
    return header


def _parse(path: Path, model: type[Line], line: bytes) -> Line:
    try:
        return model.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        what = "first" if model is Header else "last"
        raise _damaged(path, f"its {what} line: {place}: {first['msg']}") from error


def restore(backup: Backup, store: GraphStore, progress: Progress = SILENT) -> list[int]:
    """Restores a backup into an empty graph, and compares the two.

    What was stopped is finished by doing it again. A backup of an earlier schema version is
    restored as it was, compared, and then migrated.

    Args:
        backup: the backup, as `check` found it.
        store: a graph that was opened with `check=False`.
        progress: where to show how far it is.

    Returns:
        The schema versions that it was migrated through.

    Raises:
        UsageError: the graph holds something else; it was left alone.
        GraphError: in the end they differ.
    """
    restore_as_it_was(backup, store, progress)
    return migrate(store)


def restore_as_it_was(backup: Backup, store: GraphStore, progress: Progress = SILENT) -> None:
    """Restores a backup without migrating it; otherwise as `restore`."""
    header, sums = backup.header, backup.trailer.sums
    current = header.schema_version == SCHEMA_VERSION
    of = None if current else header.shape
    if not begin(store, backup.name, of, header.schema_version):
        check_version(store)
        compared = Comparison(sums, fingerprint(store, of, progress))
        refuse_other(compared, store, backup.name)
        return
    lines = _elements(backup.path)
    if current:
        first_edges: list[Any] = []
        elements.load(
            store,
            _nodes(lines, first_edges),
            _edges(lines, first_edges),
            progress=progress,
            totals=(header.nodes, header.edges),
        )
    else:
        _load_raw(store, lines, header, progress)
    verify(sums, store, backup.name, of, progress)
    end(store)


def _elements(path: Path) -> Iterator[Any]:
    for line in itertools.islice(_lines(path), 1, None):
        if not line.startswith(b"{"):
            yield json.loads(line)


def _nodes(lines: Iterator[Any], first_edges: list[Any]) -> Iterator[Node]:
    for line in lines:
        if len(line) == _OF_EDGE:
            first_edges.append(line)
            return
        label, _, properties = line
        yield elements.make_node(label, properties)


def _edges(lines: Iterator[Any], first_edges: list[Any]) -> Iterator[Edge]:
    for name, source, target, properties in itertools.chain(first_edges, lines):
        yield Edge(name, Ref(*source), Ref(*target), tuple(properties.items()))


def _load_raw(store: GraphStore, lines: Iterator[Any], header: Header, progress: Progress) -> None:
    """Upserts elements that this code's model does not describe."""
    parents = {each.name: each.parents for each in header.shape.labels}
    task = progress.task("loading", header.nodes + header.edges)

    def kind(line: Any) -> tuple[str, ...]:
        return (line[0],) if len(line) != _OF_EDGE else (line[0], line[1][0], line[2][0])

    for (name, *ends), group in itertools.groupby(lines, kind):
        if ends:
            text = queries.put_edges(name, *ends)
        else:
            text = queries.put_nodes(name, () if store.supertypes else parents[name])
        for some in chunks(group, elements.SIZE):
            rows = [
                {"source": line[1][1], "target": line[2][1], "properties": line[3]}
                if ends
                else {"id": line[2]["id"], "properties": line[2]}
                for line in some
            ]
            store.transact(partial(_run, text, rows))
            task.advance(len(rows))
    task.done()


def _run(text: str, rows: list[dict[str, Any]], tx: Transaction) -> None:
    tx.run(text, {"rows": rows})
