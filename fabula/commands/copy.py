# SPDX-License-Identifier: Apache-2.0
"""`fabula copy`: moves a graph between folders and servers, and proves that it arrived."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabula.commands.backup import QuietOption

if TYPE_CHECKING:
    from graph.store import GraphStore
    from graph.transfer import Comparison

EXAMPLES = """**Examples**

`export FABULA_TO_PASSWORD=...`

`fabula copy --from fabula-graph --to bolt://127.0.0.1:7687` - a folder to Neo4j

`fabula copy --from bolt://127.0.0.1:7687 --to new-graph` - and back

A copy that was stopped is finished by running the same command again. Between graphs that are
equal already, it only says so.
"""


def copy(
    source: Annotated[str, typer.Option("--from", metavar="FOLDER|URL", help="The graph to copy.")],
    target: Annotated[
        str, typer.Option("--to", metavar="FOLDER|URL", help="Where to: an empty or new graph.")
    ],
    source_user: Annotated[
        str | None,
        typer.Option("--from-user", envvar="FABULA_FROM_USER", help="Login at the first server."),
    ] = None,
    target_user: Annotated[
        str | None,
        typer.Option("--to-user", envvar="FABULA_TO_USER", help="Login at the second server."),
    ] = None,
    quiet: QuietOption = False,
) -> None:
    """Copy a graph between folders and servers, and compare what both hold.

    Passwords come from FABULA_FROM_PASSWORD and FABULA_TO_PASSWORD; where only one side is a
    server, FABULA_GRAPH_USER and FABULA_GRAPH_PASSWORD will do.
    """
    from graph.errors import UsageError
    from graph.progress import Progress
    from graph.transfer import copy as run
    from graph.transfer import tell_strangers

    if _place(source) == _place(target):
        raise UsageError(f"--from and --to are the same graph, {source}")
    with (
        _open("from", source, source_user, other=target) as left,
        _open("to", target, target_user, other=source) as right,
        Progress(quiet=quiet) as progress,
    ):
        began = time.monotonic()
        compared = run(left, right, progress)
        seconds = time.monotonic() - began
        left_out = tell_strangers(left)
    _show(compared)
    print(
        f"{compared.nodes:,} nodes and {compared.edges:,} edges in {seconds:.1f} s: "
        f"{target} holds what {source} holds"
    )
    if left_out:
        print(left_out)


def _place(where: str) -> str:
    return where.rstrip("/") if "://" in where else str(Path(where).resolve())


def _open(end: str, where: str, user: str | None, *, other: str) -> GraphStore:
    """Opens one side; a login that is meant for the other one is never sent to it."""
    from graph.errors import UsageError
    from graph.store import open_graph

    prefix = f"FABULA_{end.upper()}"
    password = os.environ.get(f"{prefix}_PASSWORD")
    if "://" in where and "://" in other and password is None:
        raise UsageError(
            f"both graphs are on servers: set {prefix}_PASSWORD for {end}, {where} (empty if it "
            "needs none)"
        )
    if "://" in where and "://" in other:
        user = user or "neo4j"
    return open_graph(where, create=end == "to", check=end == "from", user=user, password=password)


def _show(compared: Comparison) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("label or edge type")
    for side in ("from", "to"):
        table.add_column(side, justify="right")
    table.add_column("checksum")
    for name in compared.names:
        counts = (f"{side[name].n:,}" for side in (compared.left, compared.right))
        table.add_row(name, *counts, compared.left[name].checksum[:12])
    Console(soft_wrap=True).print(table)
