# SPDX-License-Identifier: Apache-2.0
"""Rows on a Ray cluster: workers check and map them, this process writes what they give, in order.

Checking and mapping are pure functions of a row, so any process can do them. The rest stays here:
which key was seen first, what is malformed, what the graph holds already, and every write. So the
graph, the report and the reject file are those of an ingest without Ray, and a stopped one is
finished in the same way.
"""

from __future__ import annotations

import faulthandler
import os
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, NamedTuple, Self

from graph.batch import GraphBatch, chunks
from graph.errors import RecordError, UsageError
from graph.extras import require
from ingest.readers import READERS, DataFile, Reader
from ingest.rows import RawRow
from ingest.run import Outcome, Prepared, prepare

LOCAL = "local"
"""Address that starts workers on this machine, one a core, and ends them afterwards."""
ROWS = 50
"""Rows of a task: enough to outweigh its cost, few enough to spread a small file."""
_AHEAD = 3
"""Tasks in flight for each core: bounds memory where writing is slower than mapping."""

_Rows = tuple[tuple[DataFile, RawRow], ...]


class _Mapped(NamedTuple):
    key: str
    hash: str
    batch: GraphBatch


class _Problem(NamedTuple):
    reason: str
    field: str


class Cluster:
    """Workers that prepare rows. Use it as a context manager.

    Args:
        address: `local`; `auto` for the cluster that this machine is part of; or its address
            (`HOST:6379`, `ray://HOST:10001`), with this version of Fabula on every machine.
            A connection that this process has already is used, and left open. A program that
            imports Ray itself does so with RAY_DISABLE_FAILURE_SIGNAL_HANDLER=1 (see below).

    Raises:
        MissingExtraError: Ray is not installed.
        UsageError: there is no cluster at the address.
    """

    def __init__(self, address: str) -> None:
        # Ray reads these when it is imported. Its handler of crashes would take SIGSEGV from a JVM
        # that runs here, and the embedded engine works with that signal (see `graph.engine`).
        os.environ["RAY_DISABLE_FAILURE_SIGNAL_HANDLER"] = "1"
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        self._ray = require("ray", "ray")
        self._own = not self._ray.is_initialized()
        if self._own:
            self._start(address)
        self._task = self._ray.remote(_prepare)
        self._in_flight = _AHEAD * max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def _start(self, address: str) -> None:
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        if address == LOCAL:
            options |= {"num_cpus": os.cpu_count(), "include_dashboard": False}
        try:
            with _fault_handler_left_alone():
                self._ray.init(address=address, **options)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise UsageError(
                f"there is no Ray cluster at {address!r} ({error}): give its address, "
                f"or {LOCAL!r} for one on this machine"
            ) from error

    def prepare(
        self, reader: Reader[Any], rows: Iterable[tuple[DataFile, RawRow]]
    ) -> Iterator[Outcome]:
        """Prepares rows on the workers; yields them in the order given."""
        waiting: deque[tuple[_Rows, Any]] = deque()
        for some in chunks(rows, ROWS):
            waiting.append((some, self._task.remote(reader.dataset, some)))
            if len(waiting) >= self._in_flight:
                yield from self._first(waiting)
        while waiting:
            yield from self._first(waiting)

    def _first(self, waiting: deque[tuple[_Rows, Any]]) -> Iterator[Outcome]:
        rows, promise = waiting.popleft()
        for (file, raw), found in zip(rows, self._ray.get(promise), strict=True):
            if isinstance(found, _Problem):
                yield file, raw, RecordError(found.reason, field=found.field)
            else:
                yield file, raw, Prepared(found.key, found.hash, _Given(found.batch))

    def close(self) -> None:
        """Leaves the cluster; workers that were started here end."""
        if self._own:
            self._ray.shutdown()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


@dataclass(frozen=True)
class _Given:
    """A batch that is there already, where one that is still to be made can be."""

    batch: GraphBatch

    def __call__(self) -> GraphBatch:
        return self.batch


def _prepare(dataset: str, rows: _Rows) -> list[_Mapped | _Problem]:
    """What a worker does. Errors come back as values: they do not survive being sent."""
    return [
        _Problem(outcome.reason, outcome.field)
        if isinstance(outcome, RecordError)
        else _Mapped(outcome.key, outcome.hash, outcome.graph())
        for _, _, outcome in prepare(READERS.get(dataset), rows)
    ]


@contextmanager
def _fault_handler_left_alone() -> Iterator[None]:
    """Keeps Ray from turning Python's fault handler on: it takes SIGSEGV too."""
    enable = faulthandler.enable
    faulthandler.enable = lambda *_, **__: None
    try:
        yield
    finally:
        faulthandler.enable = enable
