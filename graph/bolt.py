# SPDX-License-Identifier: Apache-2.0
"""The store for any Bolt server, through the official `neo4j` driver."""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from graph import queries, schema
from graph.arcade import corrected
from graph.batch import GraphBatch, chunks, properties_of
from graph.engine import DATABASE
from graph.errors import (
    GraphConnectionError,
    QueryError,
    QueryTimeoutError,
    ReadOnlyError,
    SchemaError,
)
from graph.store import GraphStore, Params, Row, Rows, Transaction, Written
from graph.values import EdgeValue, NodeValue, PathValue, duration_text, time_text

T = TypeVar("T")
_ROWS_A_STATEMENT = 2000


class BoltStore(GraphStore):
    """A story graph on a server.

    Args:
        url: `bolt://HOST:PORT` or `neo4j://HOST:PORT`.
        user: login name.
        password: login password.

    Raises:
        GraphConnectionError: the server cannot be reached or refused the login.
    """

    embedded = False

    def __init__(self, url: str, *, user: str, password: str) -> None:
        import neo4j
        from neo4j.exceptions import AuthError, DriverError, Neo4jError

        self.url = url
        self._auth = (user, password)
        self._driver = neo4j.GraphDatabase.driver(
            url, auth=self._auth, notifications_min_severity="OFF"
        )
        try:
            self._driver.verify_connectivity()
            self.engine = self._driver.get_server_info().agent
            # Neo4j calls its first database so; a shared graph folder names its own.
            self.supertypes = "ArcadeDB" in self.engine
            self._database = DATABASE if self.supertypes else "neo4j"
        except AuthError as error:
            self._driver.close()
            raise GraphConnectionError(
                f"{url} refused the login as {user!r}: set FABULA_GRAPH_USER and "
                "FABULA_GRAPH_PASSWORD"
            ) from error
        except (DriverError, Neo4jError, OSError) as error:
            self._driver.close()
            raise GraphConnectionError(
                f"{url} cannot be reached ({error}): is the server running, and is the port right?"
            ) from error

    def _session(self, *, read: bool) -> Any:
        from neo4j import READ_ACCESS, WRITE_ACCESS

        return self._driver.session(
            database=self._database, default_access_mode=READ_ACCESS if read else WRITE_ACCESS
        )

    def _sent(self, text: str) -> str:
        return corrected(text) if self.supertypes else text

    def transact(self, work: Callable[[Transaction], T]) -> T:
        try:
            with self._session(read=False) as session:
                return session.execute_write(  # type: ignore[no-any-return]
                    lambda tx: work(_BoltTransaction(tx, self.supertypes))
                )
        except Exception as error:
            raise _translate(error) from error

    def read(self, text: str, params: Params | None = None) -> list[Row]:
        return list(self.stream(text, params))

    def stream(self, text: str, params: Params | None = None) -> Iterator[Row]:
        try:
            with self._session(read=True) as session:
                transaction = session.begin_transaction()
                try:
                    result = transaction.run(self._sent(text), dict(params or {}))
                    names = result.keys()
                    for record in result:
                        yield dict(zip(names, map(_value, record), strict=True))
                    _refuse_writes(result.consume())
                finally:
                    # ArcadeDB lets writes through in read sessions: they are never committed.
                    transaction.close()
        except Exception as error:
            raise _translate(error) from error

    def ask(
        self,
        text: str,
        params: Params | None = None,
        *,
        max_rows: int = 10_000,
        timeout_s: float = 30.0,
    ) -> Rows:
        # A thread of its own, because the caller may be in an event loop (a notebook is).
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            return pool.submit(
                lambda: asyncio.run(self._ask(text, dict(params or {}), max_rows, timeout_s))
            ).result()

    async def _ask(
        self, text: str, params: dict[str, Any], max_rows: int, timeout_s: float
    ) -> Rows:
        import neo4j

        async def work() -> Rows:
            async with (
                neo4j.AsyncGraphDatabase.driver(
                    self.url, auth=self._auth, notifications_min_severity="OFF"
                ) as driver,
                driver.session(
                    database=self._database, default_access_mode=neo4j.READ_ACCESS
                ) as session,
            ):
                # Neo4j obeys the server-side limit; for other servers, cancelling this task
                # drops the connection, so that the limit holds for the caller in any case.
                transaction = await session.begin_transaction(timeout=timeout_s)
                try:
                    result = await transaction.run(self._sent(text), params)
                    rows: list[tuple[Any, ...]] = []
                    truncated = False
                    async for record in result:
                        if len(rows) == max_rows:
                            truncated = True
                            break
                        rows.append(tuple(map(_value, record)))
                    columns = tuple(result.keys())
                    if not truncated:
                        _refuse_writes(await result.consume())
                    return Rows(columns, tuple(rows), truncated)
                finally:
                    await transaction.close()

        try:
            return await asyncio.wait_for(work(), timeout_s)
        except TimeoutError as error:
            raise _stopped(timeout_s) from error
        except Exception as error:
            translated = _translate(error)
            raise (
                _stopped(timeout_s) if isinstance(translated, QueryTimeoutError) else translated
            ) from error

    def apply_schema(self, of: schema.Shape | None = None) -> None:
        if self.supertypes:
            # ArcadeDB declares types in its own SQL, which Bolt does not carry:
            # `fabula graph serve` has applied the schema before it opened the port.
            return
        try:
            with self._session(read=False) as session:
                for statement in schema.neo4j_ddl(of):
                    session.run(statement).consume()
                session.run("CALL db.awaitIndexes(300)").consume()
        except Exception as error:
            raise _translate(error) from error

    def close(self) -> None:
        self._driver.close()


class _BoltTransaction(Transaction):
    def __init__(self, transaction: Any, supertypes: bool) -> None:
        self._transaction = transaction
        self._supertypes = supertypes

    def run(self, text: str, params: Params | None = None) -> list[Row]:
        sent = corrected(text) if self._supertypes else text
        result = self._transaction.run(sent, dict(params or {}))
        names = result.keys()
        return [dict(zip(names, map(_value, record), strict=True)) for record in result]

    def write(self, batch: GraphBatch) -> Written:
        schema.check(batch)
        nodes: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for node in batch.nodes:
            label = type(node).__name__
            values: dict[str, Any] = dict.fromkeys(schema.properties(label))
            values.update(properties_of(node))
            nodes[label].append({"id": node.id, "properties": values})
        edges: dict[tuple[str, str, str], list[dict[str, Any]]] = defaultdict(list)
        for edge in batch.edges:
            edges[edge.type, edge.source.label, edge.target.label].append(
                {
                    "source": edge.source.id,
                    "target": edge.target.id,
                    "properties": dict(edge.properties),
                }
            )
        created_nodes = created_edges = 0
        for label, rows in nodes.items():
            text = queries.upsert_nodes(label, supertypes=self._supertypes)
            for some in chunks(rows, _ROWS_A_STATEMENT):
                summary = self._transaction.run(text, {"rows": some}).consume()
                created_nodes += summary.counters.nodes_created
        for (name, source, target), rows in edges.items():
            text = queries.upsert_edges(name, source, target)
            for some in chunks(rows, _ROWS_A_STATEMENT):
                result = self._transaction.run(text, {"rows": some})
                matched = result.single()["matched"]
                created_edges += result.consume().counters.relationships_created
                if matched != len(some):
                    raise SchemaError(
                        f"{name}: {len(some) - matched} of {len(some)} edges lead from a {source} "
                        f"or to a {target} that is not there"
                    )
        return Written(created_nodes, created_edges)


def _refuse_writes(summary: Any) -> None:
    if summary.counters.contains_updates or summary.counters.contains_system_updates:
        raise ReadOnlyError("this query would write; here only reading is allowed")


def _stopped(timeout_s: float) -> QueryTimeoutError:
    return QueryTimeoutError(
        f"the query was stopped after {timeout_s:g} s: narrow it, or raise the limit"
    )


def _value(value: Any) -> Any:
    """Turns driver values into plain ones and `graph.values` types."""
    from neo4j.graph import Node, Path, Relationship
    from neo4j.time import Duration

    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    if isinstance(value, Duration):
        return duration_text(*value)
    if isinstance(value, bytes):
        return list(value)
    if isinstance(value, (list, tuple)):
        return [_value(item) for item in value]
    if isinstance(value, dict):
        return {key: _value(item) for key, item in value.items()}
    if isinstance(value, Node):
        return NodeValue(tuple(sorted(value.labels)), {k: _value(v) for k, v in value.items()})
    if isinstance(value, Relationship):
        return EdgeValue(value.type, {k: _value(v) for k, v in value.items()})
    if isinstance(value, Path):
        return PathValue(
            tuple(_value(node) for node in value.nodes),
            tuple(_value(edge) for edge in value.relationships),
        )
    return time_text(value.iso_format() if hasattr(value, "iso_format") else str(value))


def _translate(error: Exception) -> Exception:
    """Turns the driver's errors into Fabula's; leaves others alone."""
    from neo4j.exceptions import AuthError, DriverError, Neo4jError, ServiceUnavailable

    if isinstance(error, Neo4jError):
        code = error.code or ""
        if "AccessMode" in code or "writing in read access mode" in str(error).lower():
            return ReadOnlyError("this query would write; here only reading is allowed")
        if "TransactionTimedOut" in code or "Terminated" in code:
            return QueryTimeoutError("the query took too long and was stopped")
        if isinstance(error, AuthError):
            return GraphConnectionError(f"the server refused the login: {error.message}")
        return QueryError(error.message or str(error))
    if isinstance(error, (ServiceUnavailable, DriverError)):
        return GraphConnectionError(f"the connection to the server failed: {error}")
    return error
