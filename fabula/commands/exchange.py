# SPDX-License-Identifier: Apache-2.0
"""`fabula export` and `fabula import`: the graph in other tools' formats, and back."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from ingest.options import GraphOption

EXPORT_EXAMPLES = """**Examples**

`fabula export turtle stories.ttl`

`fabula export jsonld one.jsonld --story 1234`

`fabula export --list`
"""
IMPORT_EXAMPLES = """**Examples**

`fabula import turtle stories.ttl --graph new-graph`
"""


def export(
    format: Annotated[str | None, typer.Argument(help="Format; `--list` shows all.")] = None,
    out: Annotated[Path | None, typer.Argument(help="File or folder to write.")] = None,
    graph: GraphOption = None,
    story: Annotated[
        list[str] | None,
        typer.Option("--story", help="Only what belongs to the story of this key; repeatable."),
    ] = None,
    run: Annotated[
        list[str] | None,
        typer.Option("--run", help="Only what the run of this id concluded; repeatable."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
    show: Annotated[bool, typer.Option("--list", help="List the formats and exit.")] = False,
) -> None:
    """Write the graph, or part of it, in a format that other tools read."""
    from graph.errors import UsageError
    from graph.formats.base import Declaration, Selection, named_roots
    from graph.formats.registry import FORMATS
    from graph.progress import Progress
    from graph.store import open_graph

    if show:
        _list()
        return
    if format is None or out is None:
        raise UsageError("give a format and where to write: `fabula export turtle stories.ttl`")
    chosen = FORMATS.get(format)
    if out.exists() and not force:
        raise UsageError(f"{out} is there already: give another name, or --force to replace it")
    if isinstance(chosen, Declaration):
        print(*chosen.declare(out).files)
        return
    with open_graph(graph, create=False) as store, Progress(quiet=quiet) as progress:
        began = time.monotonic()
        written = chosen.write(Selection(store, named_roots(store, story, run)), out, progress)
        seconds = time.monotonic() - began
    print(
        f"{written.nodes:,} nodes and {written.edges:,} edges in {seconds:.1f} s: "
        f"{', '.join(map(str, written.files))}"
    )


def import_(
    format: Annotated[str, typer.Argument(help="Format; `fabula export --list` shows all.")],
    path: Annotated[Path, typer.Argument(help="File or folder that `fabula export` wrote.")],
    graph: GraphOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Read a graph that `fabula export` wrote into a graph; what is there already stays."""
    from graph import elements
    from graph.errors import DataError
    from graph.formats.registry import FORMATS
    from graph.progress import Progress
    from graph.store import open_graph

    chosen = FORMATS.get(format)
    if not path.exists():
        raise DataError(f"{path} is not there")
    with (
        chosen.read(path) as content,
        open_graph(graph) as store,
        Progress(quiet=quiet) as progress,
    ):
        created = elements.load(store, content.nodes, content.edges, progress=progress)
    print(f"{created.nodes:,} nodes and {created.edges:,} edges are new in {store.url}")


def _list() -> None:
    from rich.console import Console
    from rich.table import Table

    from graph.formats.registry import FORMATS

    table = Table(header_style="bold")
    for column in ("format", "what it is", "file", "read back", "needs"):
        table.add_column(column)
    for name in FORMATS:
        each = FORMATS.get(name)
        table.add_row(
            name,
            each.title,
            each.suffix or "folder",
            "yes" if each.readable else "no",
            f"the extra {each.extra}" if each.extra else "",
        )
    Console(file=sys.stdout).print(table)
