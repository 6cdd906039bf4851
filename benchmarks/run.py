# SPDX-License-Identifier: Apache-2.0
"""`python -m benchmarks.run`: reasoners on the tasks of the three papers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from benchmarks.report import console
from benchmarks.runner import Request, run, spell_out
from graph.command import program, run_command
from graph.errors import UsageError
from graph.progress import Progress
from graph.store import open_graph
from ingest.options import (
    BertScoreLayerOption,
    BertScoreOption,
    DataOption,
    GraphOption,
    SeedOption,
)
from ingest.source import Source
from reasoners.registry import REASONERS
from reasoners.tasks import ORDER, TASKS, select

EXAMPLES = """**Examples**

`python -m benchmarks.run all`

`python -m benchmarks.run pasta --reasoner copy --reasoner last-two --limit 50 --out build/try`

`python -m benchmarks.run poque.endpoint --setting pipeline`

The same command again in the same --out finishes an interrupted run.
"""


def main(
    tasks: Annotated[
        list[str] | None,
        typer.Argument(help="all, poque, pasta, choice75, or task ids (see --list)."),
    ] = None,
    reasoner: Annotated[
        list[str] | None,
        typer.Option(
            "--reasoner",
            "-r",
            help="A reasoner, or `baselines`; repeatable. Default: the baselines, which also "
            "come with every reasoner that is not one.",
        ),
    ] = None,
    split: Annotated[
        str | None,
        typer.Option("--split", help="Split to score. Default: each paper's test split."),
    ] = None,
    limit: Annotated[
        int | None,
        typer.Option(
            "--limit",
            min=1,
            help="Annotations to use of each split (one of PASTA's gives up to four items).",
        ),
    ] = None,
    seed: SeedOption = 11,
    graph: GraphOption = None,
    data: DataOption = None,
    setting: Annotated[
        Literal["oracle", "pipeline"],
        typer.Option(
            "--setting",
            help="oracle: annotated inputs, as in the papers; pipeline: predicted ones.",
        ),
    ] = "oracle",
    bertscore: BertScoreOption = None,
    bertscore_layer: BertScoreLayerOption = None,
    out: Annotated[
        Path,
        typer.Option(
            "--out",
            "-o",
            metavar="FOLDER",
            help="Where results.json, results.md, report.html and samples.jsonl go.",
        ),
    ] = Path("build/benchmark"),
    listing: Annotated[
        bool, typer.Option("--list", help="List tasks and reasoners and exit.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Score reasoners on POQue, PASTA and Choice-75 through the story graph."""
    if listing:
        _list()
        return
    if not tasks:
        raise UsageError("name what to run: all, a data set, or task ids (see --list)")
    request = Request(
        tasks=select(tasks),
        reasoners=spell_out(reasoner or ["baselines"]),
        out=out,
        split=split,
        limit=limit,
        seed=seed,
        setting=setting,
        bertscore=bertscore,
        bertscore_layer=bertscore_layer,
    )
    with open_graph(graph) as store, Progress(quiet=quiet) as progress:
        results = run(store, request, Source(data), progress)
    console.show(results)
    print(
        f"tasks: {len(results.tasks)}, {results.environment.seconds:.0f} s; "
        f"see {out / 'report.html'}"
    )


def _list() -> None:
    from rich.console import Console
    from rich.table import Table

    screen = Console()
    table = Table(title="Tasks", title_justify="left", header_style="bold")
    for column in ("task", "inputs", "main metric", "test split"):
        table.add_column(column)
    for name in ORDER:
        task = TASKS.get(name)
        table.add_row(name, task.inputs, task.primary, f"{task.dataset} {task.split}")
    screen.print(table)
    table = Table(title="Reasoners", title_justify="left", header_style="bold")
    for column in ("reasoner", "what it does", "tasks"):
        table.add_column(column)
    for name in REASONERS:
        reasoner = REASONERS.get(name)(seed=0)
        known = [task for task in ORDER if task in reasoner.tasks]
        table.add_row(
            name, reasoner.description, " ".join(known) if len(known) < 4 else f"{len(known)} tasks"
        )
    screen.print(table)


app = program()
app.command(epilog=EXAMPLES)(main)

if __name__ == "__main__":
    sys.exit(run_command(app))
