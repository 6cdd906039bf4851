# SPDX-License-Identifier: Apache-2.0
"""The store interface: one small surface, for the embedded engine and for Bolt servers."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

from graph.batch import GraphBatch
from graph.schema import Shape

T = TypeVar("T")
Params = Mapping[str, Any]
Row = dict[str, Any]
"""A result row: column name -> value. Nodes, edges and paths are `graph.values` types."""

DEFAULT_FOLDER = "fabula-graph"
BOLT_SCHEMES = ("bolt://", "bolt+s://", "bolt+ssc://", "neo4j://", "neo4j+s://", "neo4j+ssc://")


class Written(NamedTuple):
    """What a write created; everything else was there already."""

    nodes: int
    edges: int


@dataclass(frozen=True)
class Rows:
    """The answer to a query that a user typed."""

    columns: tuple[str, ...]
    """Column names, in the query's order."""
    rows: tuple[tuple[Any, ...], ...]
    """One tuple a row, in the columns' order."""
    truncated: bool
    """True if the row limit cut the answer off."""

    def dicts(self) -> list[Row]:
        """The rows as dictionaries."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


class Transaction(ABC):
    """What can be done inside a transaction; nothing of it is seen before the commit."""

    @abstractmethod
    def run(self, text: str, params: Params | None = None) -> list[Row]:
        """Runs one Cypher statement and returns its rows."""

    @abstractmethod
    def write(self, batch: GraphBatch) -> Written:
        """Upserts nodes by id and edges by type and ends.

        A node that exists gets exactly the properties given; an edge that exists gets the
        properties given. Writing the same batch twice changes nothing.

        Raises:
            SchemaError: the batch holds something undeclared, or an edge's end is missing.
        """


class GraphStore(ABC):
    """A story graph. Use it as a context manager, or call `close()`.

    Attributes:
        url: folder or address, as given.
        engine: name and version of the engine.
        embedded: True if the engine runs in this process.
        supertypes: True if the engine derives parent labels from its types (ArcadeDB); otherwise
            they are set on each node (Neo4j).
    """

    url: str
    engine: str
    embedded: bool
    supertypes: bool

    @abstractmethod
    def transact(self, work: Callable[[Transaction], T]) -> T:
        """Runs `work` in a transaction: committed when it returns, rolled back when it raises.

        `work` may run more than once: conflicts with other writers and lost connections are
        retried.
        """

    @abstractmethod
    def read(self, text: str, params: Params | None = None) -> list[Row]:
        """Runs a Cypher query that cannot write and returns all rows.

        Raises:
            ReadOnlyError: the text would write.
            QueryError: the engine refused it.
        """

    @abstractmethod
    def stream(self, text: str, params: Params | None = None) -> Iterator[Row]:
        """Runs a Cypher query that cannot write and yields rows as they come."""

    @abstractmethod
    def ask(
        self,
        text: str,
        params: Params | None = None,
        *,
        max_rows: int = 10_000,
        timeout_s: float = 30.0,
    ) -> Rows:
        """Runs a query that a user typed: read-only, bounded in rows and in time.

        Args:
            text: Cypher.
            params: values of its `$parameters`.
            max_rows: rows to return at most; the answer says if there were more.
            timeout_s: seconds of wall-clock time; after them the query is stopped.

        Raises:
            ReadOnlyError: the text would write; nothing was changed.
            QueryTimeoutError: it took too long.
            QueryError: the engine refused it.
        """

    @abstractmethod
    def apply_schema(self, of: Shape | None = None) -> None:
        """Declares labels, constraints and indexes; does nothing where they exist.

        Args:
            of: the schema; default: the one that `graph.model` declares.
        """

    @abstractmethod
    def close(self) -> None:
        """Releases the graph; calling it twice is fine."""

    def write(self, batch: GraphBatch) -> Written:
        """Upserts a batch in a transaction of its own (see `Transaction.write`)."""
        return self.transact(lambda tx: tx.write(batch))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def open_graph(
    where: str | os.PathLike[str] | None = None,
    *,
    create: bool = True,
    check: bool = True,
    user: str | None = None,
    password: str | None = None,
) -> GraphStore:
    """Opens a story graph and makes sure that its schema is this code's.

    Args:
        where: a folder for the embedded engine, or `bolt://...` / `neo4j://...` for a server.
            Default: `FABULA_GRAPH`, else `./fabula-graph`.
        create: make the folder if it is not there.
        check: refuse a graph of another schema version; only a migration goes without.
        user: login at a server; default `FABULA_GRAPH_USER`, else `neo4j`.
        password: default `FABULA_GRAPH_PASSWORD`.

    Returns:
        The open store.

    Raises:
        GraphBusyError: another process holds the folder.
        GraphConnectionError: the server cannot be reached, or refused the login.
        MigrationError: another schema version made the graph.
        UnfinishedError: a restore or copy into the graph was stopped.
    """
    from graph.migrations import check_version

    target = os.fspath(where) if where is not None else os.environ.get("FABULA_GRAPH", "")
    target = target or DEFAULT_FOLDER
    store: GraphStore
    if "://" in target and "@" in target.partition("://")[2].partition("/")[0]:
        from graph.errors import UsageError

        # Without the address: it would put the password on the screen.
        raise UsageError(
            "the graph's address holds a login: give it as bolt://HOST:PORT, and the login "
            "through FABULA_GRAPH_USER and FABULA_GRAPH_PASSWORD"
        )
    if target.startswith(BOLT_SCHEMES):
        from graph.bolt import BoltStore

        store = BoltStore(
            target,
            user=user or os.environ.get("FABULA_GRAPH_USER") or "neo4j",
            password=password or os.environ.get("FABULA_GRAPH_PASSWORD") or "",
        )
    elif "://" in target:
        from graph.errors import UsageError

        raise UsageError(
            f"cannot open {target!r}: give a folder, or an address that starts with "
            "bolt:// or neo4j://"
        )
    else:
        from graph.embedded import EmbeddedStore

        store = EmbeddedStore(Path(target), create=create)
    try:
        if check:
            check_version(store)
    except BaseException:
        store.close()
        raise
    return store
