# SPDX-License-Identifier: Apache-2.0
"""Every touch of the embedded engine's Python package (arcadedb-embedded) is in this file.

The package is about to be replaced by its successors, so nothing else may import it. The Java
virtual machine starts at the first use, never at import; after it has started, processes must be
spawned, not forked.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from graph.arcade import corrected
from graph.errors import (
    GraphBusyError,
    GraphError,
    QueryError,
    QueryTimeoutError,
    ReadOnlyError,
)
from graph.schema import labels
from graph.values import EdgeValue, NodeValue, PathValue, time_text

DATABASE = "fabula"
"""Name of the database inside a graph folder."""
PACKAGE = "arcadedb-embedded"
"""Distribution that the engine comes in."""

_PLAIN = frozenset((str, int, float, bool, type(None)))
_LIMIT_WINDOW_S = 0.25
_start_lock = threading.Lock()
_LOGGING = Path(__file__).with_name("engine-logging.properties")


def version() -> str:
    """Version of the engine's package."""
    from importlib.metadata import version

    return version(PACKAGE)


def start() -> Any:
    """Starts the Java virtual machine once and returns the engine's package.

    `FABULA_GRAPH_HEAP` sets its heap (default `1g`).

    Raises:
        GraphError: the engine is not installed for this platform.
    """
    try:
        import arcadedb_embedded
        import jpype
        from arcadedb_embedded.jvm import start_jvm
    except ImportError as error:
        raise GraphError(
            f"the embedded graph engine cannot be loaded ({error}): it needs Linux with glibc "
            "2.34+, macOS on ARM or Windows; elsewhere use a server: --graph bolt://HOST:7687"
        ) from error
    with _start_lock:
        if not jpype.isJVMStarted():
            os.environ.setdefault(
                "ARCADEDB_JVM_ERROR_FILE",
                str(Path(tempfile.gettempdir()) / "fabula-jvm-crash-%p.log"),
            )
            # The JVM works with SIGSEGV (safepoints, null checks). Python's fault handler, which
            # pytest turns on, takes the signal back when it is turned off, and the next safepoint
            # would end the process. The JVM writes its own report of a real crash.
            faulthandler.disable()
            with _quiet_start():
                start_jvm(
                    heap_size=os.environ.get("FABULA_GRAPH_HEAP", "1g"),
                    # -Xrs leaves SIGINT and SIGTERM to Python: without it the JVM crashes on them.
                    jvm_args=["-Xrs", f"-Djava.util.logging.config.file={_LOGGING}"],
                )
    return arcadedb_embedded


@contextlib.contextmanager
def _quiet_start() -> Iterator[None]:
    """Holds back what the JVM prints at its start (a notice on modules); shows it on failure."""
    sys.stderr.flush()
    with tempfile.TemporaryFile() as held:
        saved = os.dup(2)
        os.dup2(held.fileno(), 2)
        try:
            yield
        except BaseException:
            held.seek(0)
            os.write(saved, held.read())
            raise
        finally:
            os.dup2(saved, 2)
            os.close(saved)


class Engine:
    """An open database of the embedded engine.

    Args:
        database: the package's `Database`.
    """

    def __init__(self, database: Any) -> None:
        import jpype

        self.database = database
        self.java = database.get_java_database()
        self._json_array = jpype.JClass("com.arcadedb.serializer.json.JSONArray")
        self._hash_map = jpype.JClass("java.util.HashMap")
        direction = jpype.JClass("com.arcadedb.graph.Vertex").DIRECTION
        self.outgoing, self.incoming = direction.OUT, direction.IN
        self._vertex = jpype.JClass("com.arcadedb.graph.Vertex")
        self._edge = jpype.JClass("com.arcadedb.graph.Edge")
        self._path = jpype.JClass("com.arcadedb.query.opencypher.traversal.TraversalPath")
        timeouts = jpype.JClass("com.arcadedb.GlobalConfiguration")
        self._timeout_key = timeouts.COMMAND_TIMEOUT
        self._starts = threading.Lock()
        # The engine flushes its log to the disk at each commit: what is committed survives a
        # power cut as well as a killed process.
        database.set_wal_flush("yes_nometadata")

    @staticmethod
    def open(path: Path, *, create: bool) -> Engine:
        """Opens the database in a folder.

        Raises:
            GraphBusyError: another process, or another store of this one, holds it.
            GraphError: there is none, or it cannot be opened.
        """
        package = start()
        try:
            if package.database_exists(str(path)):
                return Engine(package.open_database(str(path)))
            if not create:
                raise GraphError(
                    f"there is no graph at {path.parent.parent}: make one with "
                    "`fabula ingest all --graph ...`"
                )
            path.parent.mkdir(parents=True, exist_ok=True)
            return Engine(package.create_database(str(path)))
        except package.ArcadeDBError as error:
            if "LockException" in str(error) or "in use" in str(error):
                raise GraphBusyError(str(path)) from error
            raise GraphError(f"the graph at {path} cannot be opened: {error}") from error

    def to_java(self, rows: Sequence[Any]) -> Any:
        """Hands a list over as one JSON text: far fewer crossings than value by value."""
        return self._json_array(json.dumps(rows)).toList()

    def run(
        self,
        text: str,
        params: dict[str, Any] | None = None,
        *,
        write: bool,
    ) -> list[dict[str, Any]]:
        """Runs a statement and returns its rows."""
        try:
            result = self._call(text, params, write=write)
            return [] if result is None else [self._row(row) for row in result.to_list()]
        except Exception as error:
            raise self.translate(error) from error

    def rows(
        self, text: str, params: dict[str, Any] | None = None, *, timeout_s: float | None = None
    ) -> Iterator[dict[str, Any]]:
        """Runs a query that cannot write and yields its rows as they come.

        Raises:
            ReadOnlyError, QueryTimeoutError, QueryError: as their names say.
        """
        try:
            if timeout_s is None:
                with self._call(text, params, write=False) as result:
                    for row in result.iter_dicts():
                        yield self._row(row)
            else:
                yield from self._limited(text, params, timeout_s)
        except Exception as error:
            raise self.translate(error) from error

    def _limited(
        self, text: str, params: dict[str, Any] | None, timeout_s: float
    ) -> Iterator[dict[str, Any]]:
        """Runs a query under a time limit.

        The engine has one limit for the database and reads it when a statement computes its
        first row. So the limit is set for that moment only, while other statements wait to
        start; for a statement whose first row is slow, a timer ends the moment.
        """
        self._starts.acquire()
        settings = self.java.getConfiguration()
        ended = threading.Lock()

        def end() -> None:
            if ended.acquire(blocking=False):
                settings.setValue(self._timeout_key, 0)
                self._starts.release()

        timer = threading.Timer(_LIMIT_WINDOW_S, end)
        try:
            settings.setValue(self._timeout_key, max(1, int(timeout_s * 1000)))
            timer.start()
            result = self._query(text, params, write=False)
            with result:
                rows = result.iter_dicts()
                first = next(rows, None)
                end()
                if first is not None:
                    yield self._row(first)
                    for row in rows:
                        yield self._row(row)
        finally:
            timer.cancel()
            end()

    def _call(self, text: str, params: dict[str, Any] | None, *, write: bool) -> Any:
        with self._starts:
            pass  # wait until no statement with a time limit is starting
        return self._query(text, params, write=write)

    def _query(self, text: str, params: dict[str, Any] | None, *, write: bool) -> Any:
        text = corrected(text)
        call = self.database.command if write else self.database.query
        return call("opencypher", text, params) if params else call("opencypher", text)

    def _row(self, row: dict[str, Any]) -> dict[str, Any]:
        return {
            name: value if type(value) in _PLAIN else self.value(value)
            for name, value in row.items()
        }

    def translate(self, error: Exception) -> Exception:
        """Turns the package's errors into Fabula's; leaves others alone."""
        from arcadedb_embedded import ArcadeDBError

        if not isinstance(error, ArcadeDBError):
            return error
        text = str(error)
        if "QueryNotIdempotent" in text:
            return ReadOnlyError("this query would write; here only reading is allowed")
        if "TimeoutException" in text and "command.timeout" in text:
            return QueryTimeoutError("the query took too long and was stopped")
        return QueryError(_engine_words(text))

    def value(self, value: Any) -> Any:
        """Turns engine values into plain ones and `graph.values` types."""
        if value is None or isinstance(value, (str, int, float, bool)):
            return value
        if isinstance(value, (list, tuple)):
            return [self.value(item) for item in value]
        if isinstance(value, dict):
            return {str(key): self.value(item) for key, item in value.items()}
        if isinstance(value, self._vertex):
            return NodeValue(self._labels(str(value.getTypeName())), self._properties(value))
        if isinstance(value, self._edge):
            return EdgeValue(str(value.getTypeName()), self._properties(value))
        if isinstance(value, self._path):
            return PathValue(
                tuple(self.value(node) for node in value.getVertices()),
                tuple(self.value(edge) for edge in value.getEdges()),
            )
        return time_text(value.isoformat() if hasattr(value, "isoformat") else str(value))

    @staticmethod
    def _labels(type_name: str) -> tuple[str, ...]:
        return tuple(sorted(labels(type_name)))

    def _properties(self, record: Any) -> dict[str, Any]:
        from arcadedb_embedded.type_conversion import convert_java_to_python

        return {
            str(name): self.value(convert_java_to_python(record.get(name)))
            for name in record.getPropertyNames()
        }

    def sql(self, statement: str) -> None:
        """Runs a statement of the engine's own language, for the schema."""
        try:
            self.database.command("sql", statement)
        except Exception as error:
            raise self.translate(error) from error

    def close(self) -> None:
        """Closes the database; its log is flushed first."""
        self.database.close()


def _engine_words(text: str) -> str:
    """Drops class names from an engine's message."""
    for prefix in ("Query failed: ", "Command failed: ", "Reading the result set failed: "):
        text = text.removeprefix(prefix)
    head, _, rest = text.partition(": ")
    return rest if head.startswith("com.arcadedb.") and rest else text


def server(
    root: Path, *, password: str, bolt_port: int, http_port: int, host: str, timeout_s: float
) -> Any:
    """Starts the engine's server on a graph folder and returns it; it has a `stop()`.

    Raises:
        GraphError: it cannot start.
    """
    package = start()
    (root / "log").mkdir(exist_ok=True)
    try:
        running = package.create_server(
            str(root),
            root_password=password,
            config={
                "host": host,
                "http_port": http_port,
                # Production mode would hide the reason when a statement is refused.
                "mode": "development",
                "server_plugins": "Bolt:com.arcadedb.bolt.BoltProtocolPlugin",
                "bolt_port": bolt_port,
                "bolt_defaultDatabase": DATABASE,
                "txWalFlush": 1,
                "command_timeout": int(timeout_s * 1000),
            },
        )
        running.start()
    except package.ArcadeDBError as error:
        raise GraphError(f"the graph at {root} cannot be served: {error}") from error
    return running
