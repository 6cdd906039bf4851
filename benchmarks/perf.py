# SPDX-License-Identifier: Apache-2.0
"""`python -m benchmarks.perf`: how fast, and how that grows."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from graph.command import program, run_command
from graph.progress import Progress
from ingest.options import DataOption
from ingest.source import Source

EXAMPLES = """**Examples**

`python -m benchmarks.perf graph`

`python -m benchmarks.perf graph --scale 1 --scale 10 --out build/perf.json`
"""

app = program(no_args_is_help=True)


@app.callback()
def _root() -> None:
    """Measure speed and memory."""


@app.command(epilog=EXAMPLES)
def graph(
    scale: Annotated[
        list[int] | None,
        typer.Option(
            "--scale", min=1, help="How many copies of the data; repeatable. Default: 1, 10, 50."
        ),
    ] = None,
    queries: Annotated[
        int,
        typer.Option(
            "--queries", min=10, help="Queries to time of each kind, after as many to warm up."
        ),
    ] = 2000,
    naive: Annotated[
        int, typer.Option("--naive", min=10, help="Nodes and edges, each, of the naive loop.")
    ] = 3000,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--folder",
            help="Where to make the graph; it is removed afterwards. Default: a temporary folder.",
        ),
    ] = None,
    data: DataOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Also write the figures as JSON.")
    ] = None,
) -> None:
    """Bulk ingest against a naive loop, query latency in-process and over Bolt, memory, by size."""
    from rich.console import Console

    from benchmarks.perf_graph import measure, table

    with Progress() as progress:
        measured = measure(
            sorted(set(scale or (1, 10, 50))), Source(data), folder, queries, naive, progress
        )
    Console().print(table(measured))
    for line in measured.verdicts():
        print(line)
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(
            json.dumps(measured.model_dump(mode="json"), indent=1) + "\n", encoding="utf-8"
        )


if __name__ == "__main__":
    sys.exit(run_command(app))
