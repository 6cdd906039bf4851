# SPDX-License-Identifier: Apache-2.0
"""The command line: `fabula ...`."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from graph.command import program, run_command
from graph.version import __version__

app = program(
    name="fabula",
    help="Stories as a graph: what became of whom, why, and what if not.",
    no_args_is_help=True,
)
graph_app = typer.Typer(
    name="graph",
    help="Share, migrate and look at a story graph.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"fabula {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", callback=_show_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Stories as a graph: what became of whom, why, and what if not."""


def _register() -> None:
    """Loads the commands; done when the command line runs, so that importing costs nothing."""
    from fabula.commands import doctor, exchange, ingest, query, schema, share

    app.command(name="ingest", epilog=ingest.EXAMPLES)(ingest.ingest)
    app.command(name="query", epilog=query.EXAMPLES)(query.query)
    app.command(name="schema", epilog=schema.EXAMPLES)(schema.schema)
    app.command(name="export", epilog=exchange.EXPORT_EXAMPLES)(exchange.export)
    app.command(name="import", epilog=exchange.IMPORT_EXAMPLES)(exchange.import_)
    app.command(name="doctor", epilog=doctor.EXAMPLES)(doctor.doctor)
    graph_app.command(name="serve", epilog=share.SERVE_EXAMPLES)(share.serve)
    graph_app.command(name="migrate")(share.migrate)
    app.add_typer(graph_app)


def main() -> None:
    """Entry point of `fabula` and of `python -m fabula`."""
    _register()
    sys.exit(run_command(app))
