# SPDX-License-Identifier: Apache-2.0
"""`fabula ingest`: bring data sets into the story graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ingest.options import DataOption, GraphOption

if TYPE_CHECKING:
    from ingest.report import IngestReport

EXAMPLES = """
**Examples**

`fabula ingest all` - everything, from ./data, a download, or the bundled sample

`fabula ingest pasta poque --data ~/data` - two data sets from a folder

`fabula ingest choice75 --strict` - stop at the first malformed row

`fabula ingest all --ray local` - rows are checked and mapped on all cores

A run that was stopped is finished by running the same command again.
"""


def ingest(
    names: Annotated[list[str], typer.Argument(help="Data sets: poque, pasta, choice75, or all.")],
    graph: GraphOption = None,
    data: DataOption = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Stop at the first malformed row.")
    ] = False,
    limit: Annotated[
        int | None,
        typer.Option(min=1, help="Read at most this many rows of each split.", show_default=False),
    ] = None,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove rows that the files do not give any more.")
    ] = False,
    rejects: Annotated[
        Path | None,
        typer.Option(
            help="File for malformed rows. Default: rejects.jsonl in the graph's folder.",
            show_default=False,
        ),
    ] = None,
    ray: Annotated[
        str | None,
        typer.Option(
            help="Prepare the rows on a Ray cluster: local (this machine's cores), auto, or its "
            "address. The graph is the same.",
            metavar="ADDRESS",
            show_default=False,
        ),
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")] = False,
) -> None:
    """Bring data sets into the story graph; rows that are there already are skipped."""
    from graph.progress import Progress
    from graph.store import open_graph
    from ingest.readers import READERS
    from ingest.run import ingest as run_ingest
    from ingest.source import Source

    for name in names:
        if name != "all":
            READERS.get(name)  # a wrong name is told before a graph is made
    source = Source(data)
    with open_graph(graph) as store, Progress(quiet=quiet) as progress:
        report = run_ingest(
            store,
            names,
            source,
            strict=strict,
            limit=limit,
            prune=prune,
            rejects=rejects,
            ray=ray,
            progress=progress,
        )
    _show(report)


def _show(report: IngestReport) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table("data set", "from", box=None, pad_edge=False)
    for column in ("read", "new", "changed", "same", "rejected", "nodes", "edges", "s"):
        table.add_column(column, justify="right")
    for row in report.datasets:
        counts = (
            *(row.read, row.written - row.changed, row.changed, row.unchanged),
            *(row.rejections, row.nodes, row.edges),
        )
        figures = (f"{count:,}" for count in counts)
        table.add_row(row.dataset, row.origin, *figures, f"{row.seconds:.1f}")
    console = Console(soft_wrap=True)
    console.print(table)
    for row in report.datasets:
        for reason, count in row.rejected.items():
            console.print(f"{row.dataset}: {count} rejected: {reason}", markup=False)
        if row.kept:
            console.print(
                f"{row.dataset}: {row.kept} rows of the graph are not in the files (gone or "
                "rejected now); they were kept, --prune removes them",
                markup=False,
            )
        if row.pruned:
            console.print(f"{row.dataset}: {row.pruned} rows removed", markup=False)
    if any(row.origin == "sample" for row in report.datasets):
        console.print("this is SAMPLE DATA: figures on it mean nothing")
    if report.rejects:
        console.print(f"rejected rows: {report.rejects}", markup=False)
