# SPDX-License-Identifier: Apache-2.0
"""`fabula backup` and `fabula restore`: a whole graph in one file, and back."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from ingest.options import GraphOption

BACKUP_EXAMPLES = """**Examples**

`fabula backup stories.backup`

`fabula backup stories.backup --graph bolt://127.0.0.1:7687`
"""
RESTORE_EXAMPLES = """**Examples**

`fabula restore stories.backup --graph new-graph`

`fabula restore stories.backup --check` - only check that the file is whole

A restore that was stopped is finished by running the same command again.
"""

QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress.")]


def backup(
    out: Annotated[Path, typer.Argument(help="File to write.")],
    graph: GraphOption = None,
    force: Annotated[bool, typer.Option("--force", help="Replace what is there.")] = False,
    quiet: QuietOption = False,
) -> None:
    """Write the whole graph to one file, which every engine and later Fabula can restore."""
    from graph.backup import backup as write
    from graph.progress import Progress
    from graph.store import open_graph
    from graph.transfer import Comparison, tell_strangers

    with open_graph(graph, create=False) as store, Progress(quiet=quiet) as progress:
        began = time.monotonic()
        made = write(store, out, force=force, progress=progress)
        seconds = time.monotonic() - began
        left_out = tell_strangers(store)
    sums = Comparison(made.trailer.sums, {})
    print(
        f"{sums.nodes:,} nodes and {sums.edges:,} edges in {seconds:.1f} s: "
        f"{out}, {out.stat().st_size / 1e6:,.1f} MB"
    )
    if left_out:
        print(left_out)


def restore(
    file: Annotated[Path, typer.Argument(help="File that `fabula backup` wrote.")],
    graph: GraphOption = None,
    only_check: Annotated[
        bool, typer.Option("--check", help="Only check that the file is whole; write nothing.")
    ] = False,
    quiet: QuietOption = False,
) -> None:
    """Bring a backup into an empty graph, and compare the two."""
    from graph.backup import check
    from graph.backup import restore as run
    from graph.progress import Progress
    from graph.store import open_graph
    from graph.transfer import Comparison

    with Progress(quiet=quiet) as progress:
        began = time.monotonic()
        found = check(file, progress)
        sums = Comparison(found.trailer.sums, {})
        told = f"{sums.nodes:,} nodes and {sums.edges:,} edges"
        of = f"Fabula {found.header.fabula}, schema {found.header.schema_version}"
        if only_check:
            print(f"{file} is whole: {told}, written {found.header.created} by {of}")
            return
        with open_graph(graph, check=False) as store:
            passed = run(found, store, progress)
            seconds = time.monotonic() - began
    print(f"{told} in {seconds:.1f} s: {store.url} holds what {file} holds")
    if passed:
        print(f"migrated through schema version {', '.join(map(str, passed))}")
