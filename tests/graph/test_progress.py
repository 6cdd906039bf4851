# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import io

from graph.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_plain_lines_without_a_terminal() -> None:
    stream = io.StringIO()
    with Progress(stream=stream, every_s=0.0) as progress:
        task = progress.task("reading", 2)
        task.advance()
        progress.note("[bold]look[/bold]")
        task.advance()
        task.done()
    assert stream.getvalue() == "reading: 1 of 2\n[bold]look[/bold]\nreading: 2 of 2\n"


def test_lines_come_now_and_then_only() -> None:
    stream = io.StringIO()
    with Progress(stream=stream, every_s=60.0) as progress:
        task = progress.task("reading")
        for _ in range(1000):
            task.advance()
    assert stream.getvalue() == ""


def test_bars_on_a_terminal() -> None:
    stream = Terminal()
    with Progress(stream=stream) as progress:
        task = progress.task("[reading]", 2)
        task.advance(2)
        progress.note("a note")
        task.done()
    assert "a note" in stream.getvalue()


def test_quiet_is_quiet() -> None:
    stream = Terminal()
    with Progress(quiet=True, stream=stream) as progress:
        task = progress.task("reading", 2)
        task.advance()
        progress.note("a note")
        task.done()
    assert stream.getvalue() == ""
