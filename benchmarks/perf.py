# SPDX-License-Identifier: Apache-2.0
"""`python -m benchmarks.perf`: how fast, and how that grows."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from graph.command import program, run_command
from graph.errors import UsageError
from graph.progress import Progress
from ingest.options import DataOption
from ingest.source import Source

if TYPE_CHECKING:
    from benchmarks.perf_scale import Curve

EXAMPLES = """**Examples**

`python -m benchmarks.perf graph`

`python -m benchmarks.perf graph --scale 1 --scale 10 --out build/perf.json`

`python -m benchmarks.perf graph --engine neo4j --graph bolt://127.0.0.1:7687`
"""
SCALE_EXAMPLES = """**Examples**

`python -m benchmarks.perf scale --stories 1000 --stories 10000 --out build/scale.json`

`python -m benchmarks.perf scale --stories 100000 --folder /mnt/scratch` - goes on where it stopped

`python -m benchmarks.perf scale --stories 10000 --engine neo4j --graph bolt://127.0.0.1:7687`
"""
CSV_EXAMPLES = """**Examples**

`python -m benchmarks.perf csv --stories 100000 --out build/csv`
"""

Engine = Literal["embedded", "neo4j"]
EngineOption = Annotated[
    Engine,
    typer.Option("--engine", help="The embedded engine, or a server: a scratch one, and empty."),
]
ServerOption = Annotated[
    str | None,
    typer.Option(
        "--graph",
        help="The server's address; its login is in FABULA_GRAPH_USER and FABULA_GRAPH_PASSWORD. "
        "What is measured stays in it.",
    ),
]
StoriesOption = Annotated[
    list[int] | None,
    typer.Option("--stories", min=10, help="Stories; repeatable. Default: 1000, 10000, 100000."),
]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="Seed of the stories.")]

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
    engine: EngineOption = "embedded",
    server: ServerOption = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Also write the figures as JSON.")
    ] = None,
) -> None:
    """Bulk ingest against a naive loop, query latency in-process and over Bolt, memory, by size."""
    from rich.console import Console

    from benchmarks.perf_graph import measure, table

    with Progress() as progress:
        measured = measure(
            sorted(set(scale or (1, 10, 50))),
            Source(data),
            folder,
            queries,
            naive,
            progress,
            url=_server(engine, server),
        )
    Console().print(table(measured))
    for line in measured.verdicts():
        print(line)
    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(
            json.dumps(measured.model_dump(mode="json"), indent=1) + "\n", encoding="utf-8"
        )


@app.command(epilog=SCALE_EXAMPLES)
def scale(
    stories: StoriesOption = None,
    engine: EngineOption = "embedded",
    server: ServerOption = None,
    folder: Annotated[
        Path | None,
        typer.Option(
            "--folder",
            help="Where the graph and the state are kept, so that a stopped run goes on. "
            "Default: a temporary folder, removed afterwards.",
        ),
    ] = None,
    loaded: Annotated[
        bool,
        typer.Option(
            "--loaded", help="The stories are in the graph already (see csv): only time queries."
        ),
    ] = False,
    queries: Annotated[
        int, typer.Option("--queries", min=10, help="Queries to time of each kind in a round.")
    ] = 1000,
    seed: SeedOption = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Also write the figures as JSON, after each size."),
    ] = None,
) -> None:
    """Load rate, memory, disk and query latency by number of stories; the stories are synthetic."""
    import tempfile
    from contextlib import ExitStack

    from rich.console import Console

    from benchmarks.perf_scale import measure, table, write_json
    from graph.store import open_graph

    def keep(curve: Curve) -> None:
        if out is not None:
            write_json(curve, out)

    sizes = sorted(set(stories or (1000, 10_000, 100_000)))
    url = _server(engine, server)
    if loaded and (url is None or len(sizes) > 1):
        raise UsageError("--loaded goes with a server and one --stories: what it holds")
    with ExitStack() as stack, Progress() as progress:
        root = folder or Path(stack.enter_context(tempfile.TemporaryDirectory("-fabula-scale")))
        curve = measure(
            sizes,
            lambda: open_graph(url or root / "graph"),
            root,
            seed=seed,
            loaded=loaded,
            n_queries=queries,
            done=keep,
            progress=progress,
        )
    Console().print(table(curve))
    for line in curve.verdicts():
        print(line)


@app.command(epilog=CSV_EXAMPLES)
def csv(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder to write.")],
    stories: Annotated[int, typer.Option("--stories", min=10, help="How many.")] = 100_000,
    seed: SeedOption = 0,
) -> None:
    """Write synthetic stories as CSV files for `neo4j-admin database import full`."""
    from benchmarks.perf_scale import Synthetic
    from graph.formats.registry import FORMATS

    with Progress() as progress:
        written = FORMATS.get("csv").write(Synthetic(stories, seed), out, progress)
    print(f"{written.nodes:,} nodes and {written.edges:,} edges in {out}")


def _server(engine: Engine, address: str | None) -> str | None:
    """The server's address; None for the embedded engine.

    Raises:
        UsageError: the two do not go together.
    """
    if (engine == "neo4j") != (address is not None):
        raise UsageError("--engine neo4j and --graph bolt://HOST:PORT go together")
    return address


if __name__ == "__main__":
    sys.exit(run_command(app))
