# SPDX-License-Identifier: Apache-2.0
"""How far a long piece of work is: bars on a terminal, a plain line now and then otherwise.

All of it goes to stderr, so that stdout stays what a command was asked for.
"""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self, TextIO

if TYPE_CHECKING:
    import rich.progress

_EVERY_S = 5.0


class Progress:
    """Shows how far tasks are. Use it as a context manager.

    Args:
        quiet: show neither bars nor notes.
        stream: where to write; default stderr.
        every_s: seconds between lines where there is no terminal.
    """

    def __init__(
        self, *, quiet: bool = False, stream: TextIO | None = None, every_s: float = _EVERY_S
    ) -> None:
        self._quiet = quiet
        self._stream = stream or sys.stderr
        self._every_s = every_s
        self._bars: rich.progress.Progress | None = None

    def __enter__(self) -> Self:
        if not self._quiet and self._stream.isatty():
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                TextColumn,
                TimeRemainingColumn,
            )
            from rich.progress import Progress as Bars

            self._bars = Bars(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                MofNCompleteColumn(),
                TimeRemainingColumn(),
                console=Console(file=self._stream),
            )
            self._bars.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bars is not None:
            self._bars.stop()
            self._bars = None

    def note(self, line: str) -> None:
        """Shows a line that the user should see, above any bars."""
        if self._bars is not None:
            self._bars.console.print(line, markup=False, highlight=False, soft_wrap=True)
        elif not self._quiet:
            print(line, file=self._stream, flush=True)

    def task(self, name: str, total: int | None = None) -> Task:
        """Starts a task.

        Args:
            name: what it is, in a few words.
            total: how many units it has, where that is known.
        """
        return Task(self, name, total)


class Task:
    """One task of a `Progress`; call `advance` as it goes on and `done` at its end."""

    def __init__(self, progress: Progress, name: str, total: int | None) -> None:
        self._progress = progress
        self._name = name
        self._total = total
        self._count = 0
        self._told = time.monotonic()
        bars = progress._bars
        self._bar = None if bars is None else bars.add_task(name, total=total)

    def advance(self, units: int = 1) -> None:
        """Adds units that are done."""
        self._count += units
        if self._bar is not None and self._progress._bars is not None:
            self._progress._bars.advance(self._bar, units)
        elif time.monotonic() - self._told >= self._progress._every_s:
            self._told = time.monotonic()
            of = "" if self._total is None else f" of {self._total}"
            self._progress.note(f"{self._name}: {self._count}{of}")

    def done(self) -> None:
        """Ends the task; its bar goes away."""
        if self._bar is not None and self._progress._bars is not None:
            self._progress._bars.remove_task(self._bar)
            self._bar = None


SILENT = Progress(quiet=True)
"""Shows nothing; for callers that give no progress."""
