# SPDX-License-Identifier: Apache-2.0
"""The embedded store: ArcadeDB in this process, on a folder. One process at a time holds it."""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from graph import queries, schema
from graph.batch import Edge, GraphBatch, properties_of
from graph.engine import DATABASE, PACKAGE, Engine
from graph.engine import version as engine_version
from graph.errors import GraphBusyError, GraphError, QueryTimeoutError, SchemaError
from graph.model import Node
from graph.store import GraphStore, Params, Row, Rows, Transaction, Written

T = TypeVar("T")
HOLDER = "holder.json"
ENGINE = "engine.json"
"""Names the engine that wrote the folder last."""
_RETRIES = 12


class EmbeddedStore(GraphStore):
    """A story graph in a folder, held by this process.

    Args:
        folder: the graph's folder; its database lies in `databases/fabula` below it.
        create: make it if it is not there.

    Raises:
        GraphBusyError: another process holds the folder; the message names it.
        GraphError: there is none, it cannot be opened, or another engine made it.
    """

    embedded = True
    supertypes = True

    def __init__(self, folder: Path, *, create: bool = True) -> None:
        self.folder = folder
        self.url = str(folder)
        database = folder.resolve() / "databases" / DATABASE
        made_with = _made_with(folder) if database.exists() else None
        if made_with is not None and _kind(made_with) != _kind(_engine_here()):
            raise GraphError(
                f"the graph {folder} was made with {made_with}, and here is {_engine_here()}, "
                f"whose files may differ: {_way_over(folder)}"
            )
        try:
            self._engine = Engine.open(database, create=create)
        except GraphBusyError as error:
            raise GraphBusyError(_busy_message(folder)) from error
        except GraphError as error:
            if made_with is None:
                raise
            raise GraphError(
                f"{error} (made with {made_with}, here is {_engine_here()}): if the engine "
                f"was changed, {_way_over(folder)}"
            ) from error
        self._open = True
        self.engine = f"ArcadeDB {engine_version()} (embedded)"
        write_holder(folder, None)
        if made_with != _engine_here():
            _note_engine(folder)

    def transact(self, work: Callable[[Transaction], T]) -> T:
        engine = self._engine
        failure: list[BaseException] = []

        def attempt() -> T:
            failure.clear()
            try:
                return work(_EmbeddedTransaction(engine))
            except BaseException as error:
                failure.append(error)
                raise

        try:
            return engine.database.run_in_transaction(attempt, retries=_RETRIES)  # type: ignore[no-any-return]
        except Exception as error:
            # The package wraps what `work` raised: give the caller its own error back.
            raise engine.translate(failure[0] if failure else error) from error  # type: ignore[arg-type]

    def read(self, text: str, params: Params | None = None) -> list[Row]:
        return self._engine.run(text, dict(params or {}), write=False)

    def stream(self, text: str, params: Params | None = None) -> Iterator[Row]:
        return self._engine.rows(text, dict(params or {}))

    def ask(
        self,
        text: str,
        params: Params | None = None,
        *,
        max_rows: int = 10_000,
        timeout_s: float = 30.0,
    ) -> Rows:
        rows: list[Row] = []
        truncated = False
        stream = self._engine.rows(text, dict(params or {}), timeout_s=timeout_s)
        try:
            for row in stream:
                if len(rows) == max_rows:
                    truncated = True
                    break
                rows.append(row)
        except QueryTimeoutError as error:
            raise QueryTimeoutError(
                f"the query was stopped after {timeout_s:g} s: narrow it, or raise the limit"
            ) from error
        columns = tuple(rows[0]) if rows else ()
        return Rows(columns, tuple(tuple(row.values()) for row in rows), truncated)

    def apply_schema(self, of: schema.Shape | None = None) -> None:
        for statement in schema.arcade_ddl(of):
            self._engine.sql(statement)

    def close(self) -> None:
        if self._open:
            self._open = False
            self._engine.close()
            (self.folder / HOLDER).unlink(missing_ok=True)


class _EmbeddedTransaction(Transaction):
    """Writes through the engine's record interface: one crossing a record, no statement to plan."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def run(self, text: str, params: Params | None = None) -> list[Row]:
        return self._engine.run(text, dict(params or {}), write=True)

    def write(self, batch: GraphBatch) -> Written:
        schema.check(batch)
        existing = self._find(batch)
        records: dict[str, Any] = dict(existing)
        by_label: dict[str, list[Node]] = defaultdict(list)
        for node in batch.nodes:
            by_label[type(node).__name__].append(node)
        created = 0
        for label, nodes in by_label.items():
            rows = [properties_of(node) for node in nodes]
            for row, values in zip(rows, self._engine.to_java(rows), strict=True):
                record = existing.get(row["id"])
                if record is None:
                    record = self._engine.java.newVertex(label)
                    created += 1
                elif record.propertiesAsMap().equals(values):
                    continue
                else:
                    record = record.modify()
                    for name in set(schema.properties(label)) - set(row):
                        record.remove(name)
                record.fromMap(values)
                record.save()
                records[row["id"]] = record
        return Written(created, self._write_edges(batch.edges, existing, records))

    def _find(self, batch: GraphBatch) -> dict[str, Any]:
        """Returns the records, by id, of the batch's nodes and edge ends that exist."""
        wanted: dict[str, set[str]] = defaultdict(set)
        for node in batch.nodes:
            wanted[type(node).__name__].add(node.id)
        for edge in batch.edges:
            wanted[edge.source.label].add(edge.source.id)
            wanted[edge.target.label].add(edge.target.id)
        found: dict[str, Any] = {}
        for label, ids in wanted.items():
            parameters = self._engine._hash_map()
            parameters.put("ids", self._engine.to_java(sorted(ids)))
            result = self._engine.java.query("opencypher", queries.find_nodes(label), parameters)
            while result.hasNext():
                row = result.next()
                found[str(row.getProperty("id"))] = row.getProperty("n")
        return found

    def _write_edges(
        self, edges: tuple[Edge, ...], existing: dict[str, Any], records: dict[str, Any]
    ) -> int:
        created = 0
        for edge in edges:
            source, target = records.get(edge.source.id), records.get(edge.target.id)
            if source is None or target is None:
                missing = edge.source if source is None else edge.target
                raise SchemaError(f"{edge.type}: the {missing.label} {missing.id} is not there")
            old = None
            if edge.source.id in existing and edge.target.id in existing:
                old = self._old_edge(edge, source, target)
            if old is None:
                java_properties = [part for pair in edge.properties for part in pair]
                source.newEdge(edge.type, target, *java_properties)
                created += 1
            elif edge.properties:
                changed = old.modify()
                for name, value in edge.properties:
                    changed.set(name, value)
                changed.save()
        return created

    def _old_edge(self, edge: Edge, source: Any, target: Any) -> Any:
        # From the end that has few edges of the type: a run has thousands, its claim has one.
        if schema.edge_type(edge.type).look_from == "source":
            start, direction, other = source, self._engine.outgoing, target
        else:
            start, direction, other = target, self._engine.incoming, source
        wanted = other.getIdentity()
        for old in start.getEdges(direction, edge.type):
            end = old.getIn() if direction == self._engine.outgoing else old.getOut()
            if end.equals(wanted):
                return old
        return None


def write_holder(folder: Path, shared_at: str | None) -> None:
    """Notes who holds the folder, for the message that the next process gets."""
    note = {
        "pid": os.getpid(),
        "command": " ".join([Path(sys.argv[0]).name, *sys.argv[1:]])[:200],
        "since": datetime.now(UTC).isoformat(timespec="seconds"),
        "shared_at": shared_at,
    }
    (folder / HOLDER).write_text(json.dumps(note), encoding="utf-8")


def _busy_message(folder: Path) -> str:
    try:
        note = json.loads((folder / HOLDER).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        note = {}
    if note.get("pid") == os.getpid():
        return (
            f"the graph {folder} is open in this process already: use that store, or close it first"
        )
    who = (
        f"process {note['pid']} ({note['command']}, since {note['since']})"
        if note
        else "another process"
    )
    if note.get("shared_at"):
        share = (
            f"it shares the graph: use --graph {note['shared_at']} with FABULA_GRAPH_USER=root "
            f"and FABULA_GRAPH_PASSWORD=$(cat {folder / 'bolt-password'})"
        )
    else:
        share = (
            "wait for it, or stop it and share the graph with "
            f"`fabula graph serve --graph {folder}`"
        )
    return f"the graph {folder} is held by {who}: {share}"


def _engine_here() -> str:
    return f"{PACKAGE} {engine_version()}"


def _kind(engine: str) -> tuple[str, str]:
    """Package and major version: what the files in a folder are expected to depend on."""
    package, _, version = engine.partition(" ")
    return package, version.partition(".")[0]


def _made_with(folder: Path) -> str | None:
    """Package and version that wrote a folder last, None where nothing tells."""
    try:
        note = json.loads((folder / ENGINE).read_text(encoding="utf-8"))
        return f"{note['package']} {note['version']}"
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _note_engine(folder: Path) -> None:
    new = folder / f"{ENGINE}.new"
    note = {"package": PACKAGE, "version": engine_version()}
    new.write_text(json.dumps(note), encoding="utf-8")
    new.replace(folder / ENGINE)


def _way_over(folder: Path) -> str:
    return (
        f"with the Fabula that made it, run `fabula backup graph.backup --graph {folder}`, then "
        "here `fabula restore graph.backup --graph NEW-FOLDER`"
    )
