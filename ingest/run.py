# SPDX-License-Identifier: Apache-2.0
"""Brings data sets into the graph: streamed, in batches, and safe to stop at any moment.

A batch of rows is written in one transaction together with a `Record` node for each row, which
holds a hash of the row and the names of the nodes that it gave. So a run that was killed is
finished by running it again: rows whose hash is there are skipped. A row that changed loses the
nodes that nothing else gives, and the graph is the one that a fresh ingest would make.

A row that is gone from its file, or malformed there now, stays in the graph as it was, because
predictions may rest on it; the report counts it, and `prune` removes it.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from graph import queries
from graph.batch import BatchBuilder, GraphBatch
from graph.errors import RecordError, UsageError
from graph.ids import make_id
from graph.model import Record
from graph.progress import SILENT, Progress
from graph.store import GraphStore, Transaction
from ingest.readers import READERS, DataFile, Reader, Row
from ingest.rejects import RejectFile
from ingest.report import DatasetReport, IngestReport
from ingest.rows import RawRow, parse, read_lines, read_whole
from ingest.source import Located, Source

MAPPING_VERSION = 1
"""Raised by one when a reader maps rows differently, so that all rows count as changed."""
BATCH = 150
"""Rows a transaction."""
REJECTS = "rejects.jsonl"


class Prepared(NamedTuple):
    """A valid row."""

    key: str
    """Its key, unique in the data set."""
    hash: str
    """Hash of its content and of the mapping's version."""
    graph: Callable[[], GraphBatch]
    """Gives its nodes and edges."""


Outcome = tuple[DataFile, RawRow, Prepared | RecordError]
"""A row with what became of it."""
Prepare = Callable[[Reader[Any], Iterable[tuple[DataFile, RawRow]]], Iterator[Outcome]]
"""Prepares rows, here or elsewhere, and yields them in the order given."""


def prepare(reader: Reader[Any], rows: Iterable[tuple[DataFile, RawRow]]) -> Iterator[Outcome]:
    """Checks rows one by one; maps those whose graph is asked for."""
    for file, raw in rows:
        try:
            row = parse(raw)
            record = reader.parse(row, file)
            key = reader.key(record, file)
        except RecordError as error:
            yield file, raw, error
        else:
            yield file, raw, Prepared(key, _hash(row), partial(reader.to_graph, record, file))


def ingest(
    store: GraphStore,
    names: str | Iterable[str] = "all",
    source: Source | None = None,
    *,
    strict: bool = False,
    limit: int | None = None,
    prune: bool = False,
    rejects: Path | None = None,
    ray: str | None = None,
    progress: Progress = SILENT,
) -> IngestReport:
    """Brings data sets into a graph.

    Args:
        store: the graph.
        names: names of data sets, or `all`.
        source: where their files are; default: see `ingest.source`.
        strict: stop at the first malformed row; the batches before it stay written.
        limit: rows to read at most of each split (and format).
        prune: remove rows that the files do not give any more; not with `limit`.
        rejects: file for the malformed rows; default `rejects.jsonl` in the graph's folder.
        ray: address of a Ray cluster that prepares the rows, `local` for one on this machine
            (see `ingest.cluster`); the graph is the same.
        progress: where to show how far it is.

    Returns:
        What was done.

    Raises:
        UnknownNameError: there is no such data set.
        UsageError: options that do not go together, or sample and real data in one graph.
        DataError: a data set is not where it should be.
        RecordError: a malformed row, with `strict`.
        MissingExtraError: Ray is asked for and not installed.
    """
    if prune and limit is not None:
        raise UsageError("prune needs all rows: leave limit out")
    readers = [READERS.get(name) for name in _chosen(names)]
    source = source or Source()
    # Everything is looked for before anything is written.
    located = [(reader, source.locate(reader, progress)) for reader in readers]
    for reader, place in located:
        _refuse_mixture(store, reader, place)
        for notice in place.notices:
            progress.note(notice)
    files = [file.name for _, place in located for file in place.files]
    with ExitStack() as stack:
        how: Prepare = prepare
        if ray is not None:
            from ingest.cluster import Cluster

            how = stack.enter_context(Cluster(ray)).prepare
        rejected = stack.enter_context(RejectFile(rejects or _default_rejects(store), files))
        reports = [
            _Ingest(store, reader, place, rejected, strict, limit, prune, how).run(progress)
            for reader, place in located
        ]
    return IngestReport(
        datasets=tuple(reports),
        notices=tuple(notice for _, place in located for notice in place.notices),
        rejects=str(rejected.path) if any(report.rejections for report in reports) else None,
    )


def _chosen(names: str | Iterable[str]) -> list[str]:
    wanted = [names] if isinstance(names, str) else list(names)
    chosen = [name for given in wanted for name in (READERS if given == "all" else [given])]
    return list(dict.fromkeys(chosen))


def _default_rejects(store: GraphStore) -> Path:
    return Path(store.url) / REJECTS if store.embedded else Path(REJECTS)


def _refuse_mixture(store: GraphStore, reader: Reader[Any], place: Located) -> None:
    rows = store.read(queries.HOLDS_SAMPLE, {"dataset": reader.dataset})
    if rows and rows[0]["sample"] != (place.origin == "sample"):
        held, found = ("sample", "real") if rows[0]["sample"] else ("real", "sample")
        raise UsageError(
            f"the graph {store.url} holds {held} data of {reader.dataset} and this run found "
            f"{found} data: use another graph, or the same data as before (--data, FABULA_DATA)"
        )


@dataclass(frozen=True)
class _Entry:
    """A valid row on its way into the graph."""

    id: str
    """Id of its `Record`."""
    hash: str
    line: int
    file: DataFile
    graph: Callable[[], GraphBatch]


@dataclass
class _Tally:
    """What was done so far."""

    read: int = 0
    written: int = 0
    changed: int = 0
    unchanged: int = 0
    nodes: int = 0
    edges: int = 0
    rejected: Counter[str] = field(default_factory=Counter)


class _BatchDone(NamedTuple):
    written: int
    changed: int
    nodes: int
    edges: int


class _Ingest:
    """Brings one data set in."""

    def __init__(
        self,
        store: GraphStore,
        reader: Reader[Any],
        place: Located,
        rejects: RejectFile,
        strict: bool,
        limit: int | None,
        prune: bool,
        prepare: Prepare,
    ) -> None:
        self.store = store
        self.reader = reader
        self.place = place
        self.rejects = rejects
        self.strict = strict
        self.limit = limit
        self.prune = prune
        self.prepare = prepare
        self.tally = _Tally()
        self.keys: set[str] = set()
        """Keys of the rows accepted."""
        self.accepted: set[str] = set()
        """Ids of their `Record`s."""

    def run(self, progress: Progress) -> DatasetReport:
        start = time.monotonic()
        task = progress.task(f"{self.reader.dataset}: ingesting", self._total())
        entries = self._entries(task.advance)
        while batch := list(itertools.islice(entries, BATCH)):
            done = self.store.transact(partial(self._write, batch))
            self.tally.written += done.written
            self.tally.changed += done.changed
            self.tally.unchanged += len(batch) - done.written
            self.tally.nodes += done.nodes
            self.tally.edges += done.edges
        gone = [] if self.limit is not None else self._gone()
        if self.prune and gone:
            self.store.transact(partial(self._remove, gone))
        task.done()
        return DatasetReport(
            dataset=self.reader.dataset,
            origin=self.place.origin,
            read=self.tally.read,
            written=self.tally.written,
            changed=self.tally.changed,
            unchanged=self.tally.unchanged,
            rejected=dict(sorted(self.tally.rejected.items())),
            kept=0 if self.prune else len(gone),
            pruned=len(gone) if self.prune else 0,
            nodes=self.tally.nodes,
            edges=self.tally.edges,
            seconds=round(time.monotonic() - start, 3),
        )

    def _total(self) -> int | None:
        if self.reader.whole_files:
            return len(self.place.files)
        total = 0
        for file in self.place.files:
            with file.path.open("rb") as lines:
                total += sum(1 for _ in iter(lambda: lines.readline(1 << 20), b""))
        return total

    def _rows(self) -> Iterator[tuple[DataFile, RawRow]]:
        read = read_whole if self.reader.whole_files else read_lines
        taken: Counter[str] = Counter()
        for file in self.place.files:
            for raw in read(file.path):
                if self.limit is not None and taken[file.group] >= self.limit:
                    break
                taken[file.group] += 1
                yield file, raw

    def _entries(self, advance: Any) -> Iterator[_Entry]:
        """Yields the valid rows; notes the others."""
        for file, raw, outcome in self.prepare(self.reader, self._rows()):
            self.tally.read += 1
            if isinstance(outcome, RecordError):
                self._reject(raw, file, outcome)
            elif outcome.key in self.keys:
                reason = "an earlier row has the same key"
                self._reject(raw, file, RecordError(reason, field=self.reader.key_field))
            else:
                self.keys.add(outcome.key)
                id = make_id(self.reader.dataset, "Record", file.name, outcome.key)
                self.accepted.add(id)
                yield _Entry(id, outcome.hash, raw.line, file, outcome.graph)
            advance()

    def _reject(self, raw: RawRow, file: DataFile, error: RecordError) -> None:
        placed = RecordError(error.reason, field=error.field, file=file.name, line=raw.line)
        if self.strict:
            raise placed from error
        self.tally.rejected[": ".join(filter(None, (error.field, error.reason)))] += 1
        self.rejects.add(raw, placed)

    def _write(self, entries: Sequence[_Entry], tx: Transaction) -> _BatchDone:
        """Writes what is new or changed of a batch; runs inside a transaction."""
        ids = {"ids": [entry.id for entry in entries]}
        old = {row["id"]: row for row in tx.run(queries.RECORDS, ids)}
        build = BatchBuilder()
        before: dict[str, Sequence[str]] = {}
        after: set[str] = set()
        written = 0
        for entry in entries:
            known = old.get(entry.id)
            if known is not None and known["hash"] == entry.hash:
                if known["line"] != entry.line:
                    build.node(self._record(entry, known["nodes"]))
                continue
            written += 1
            graph = entry.graph()
            names = [":".join(node.ref) for node in graph.nodes]
            build.extend([graph]).node(self._record(entry, names))
            after.update(names)
            if known is not None:
                before[entry.id] = known["nodes"]
        if before:
            self._clear(tx, before, after)
        nodes, edges = tx.write(build.build())
        return _BatchDone(written, len(before), nodes, edges)

    def _record(self, entry: _Entry, nodes: Iterable[str]) -> Record:
        return Record(
            id=entry.id,
            dataset=self.reader.dataset,
            file=entry.file.name,
            line=entry.line,
            hash=entry.hash,
            nodes=tuple(nodes),
        )

    def _clear(self, tx: Transaction, before: dict[str, Sequence[str]], after: set[str]) -> None:
        """Takes out what the old versions of rows gave and their new ones do not.

        Args:
            tx: the transaction.
            before: `Record` id -> the nodes that the row gave.
            after: the nodes that this batch gives.
        """
        others: set[str] = set()
        params = {"dataset": self.reader.dataset, "ids": list(before)}
        for row in tx.run(queries.RECORDS_SHARING, params):
            others.update(row["nodes"])
        own = {name for names in before.values() for name in names} - others
        for label, ids in _by_label(own - after):
            tx.run(queries.delete_nodes(label), {"ids": ids})
        for label, ids in _by_label(own & after):
            tx.run(queries.delete_edges_from(label), {"ids": ids})

    def _gone(self) -> list[str]:
        rows = self.store.read(queries.RECORD_IDS, {"dataset": self.reader.dataset})
        return sorted(row["id"] for row in rows if row["id"] not in self.accepted)

    def _remove(self, gone: list[str], tx: Transaction) -> None:
        rows = tx.run(queries.RECORDS, {"ids": gone})
        self._clear(tx, {row["id"]: row["nodes"] for row in rows}, set())
        tx.run(queries.delete_nodes("Record"), {"ids": gone})


def _by_label(names: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Sorts `Label:id` names into lists of ids, by label."""
    ids: dict[str, list[str]] = defaultdict(list)
    for name in sorted(names):
        label, _, id = name.partition(":")
        ids[label].append(id)
    return list(ids.items())


def _hash(row: Row) -> str:
    text = json.dumps([MAPPING_VERSION, row], sort_keys=True)
    return hashlib.blake2b(text.encode("ascii"), digest_size=16).hexdigest()
