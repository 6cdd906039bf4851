# SPDX-License-Identifier: Apache-2.0
"""`fabula graph ...`: share a graph folder over Bolt, bring one to the current schema."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from graph.errors import UsageError
from graph.store import BOLT_SCHEMES, DEFAULT_FOLDER
from ingest.options import GraphOption

SERVE_EXAMPLES = """**Examples**

`fabula graph serve --port 7687`

then, in another terminal:

`export FABULA_GRAPH_USER=root FABULA_GRAPH_PASSWORD=$(cat fabula-graph/bolt-password)`

`fabula schema --graph bolt://127.0.0.1:7687`
"""


def serve(
    graph: GraphOption = None,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port on 127.0.0.1; 0 takes a free one.")
    ] = 0,
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout",
            min=0,
            help="Seconds after which the server stops a statement; 0 for no limit.",
        ),
    ] = 600.0,
) -> None:
    """Put a graph folder on loopback Bolt, for several processes and for Neo4j tools."""
    from graph.serve import Address, GraphServer, serve_until_signal

    folder = graph or os.environ.get("FABULA_GRAPH") or DEFAULT_FOLDER
    if folder.startswith(BOLT_SCHEMES):
        raise UsageError(f"{folder} is a server already: give the folder of an embedded graph")

    def ready(address: Address) -> None:
        print(f"serving {folder} at {address.url}, database {address.database}")
        print(f"user {address.user}, password in {address.password_file} (readable by you only)")
        print("stop with Ctrl-C", flush=True)

    serve_until_signal(GraphServer(Path(folder), port=port, timeout_s=timeout), ready)
    print("stopped")


def migrate(graph: GraphOption = None) -> None:
    """Bring a graph that an earlier Fabula made to the current schema."""
    from graph.migrations import migrate as run
    from graph.migrations import version_of
    from graph.store import open_graph

    with open_graph(graph, create=False, check=False) as store:
        passed = run(store)
        print(
            f"schema version {version_of(store)}: "
            + (f"migrated through {', '.join(map(str, passed))}" if passed else "nothing to do")
        )
