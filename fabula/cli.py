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
delete_app = typer.Typer(
    name="delete",
    help="Take a story, a goal or a run out, with all that belongs to it and nothing else.",
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
    from fabula.commands import (
        backup,
        copy,
        delete,
        doctor,
        exchange,
        ingest,
        query,
        runs,
        schema,
        share,
        validate,
    )

    app.command(name="ingest", epilog=ingest.EXAMPLES)(ingest.ingest)
    app.command(name="query", epilog=query.EXAMPLES)(query.query)
    app.command(name="schema", epilog=schema.EXAMPLES)(schema.schema)
    app.command(name="export", epilog=exchange.EXPORT_EXAMPLES)(exchange.export)
    app.command(name="import", epilog=exchange.IMPORT_EXAMPLES)(exchange.import_)
    app.command(name="runs", epilog=runs.EXAMPLES)(runs.runs)
    app.command(name="backup", epilog=backup.BACKUP_EXAMPLES)(backup.backup)
    app.command(name="restore", epilog=backup.RESTORE_EXAMPLES)(backup.restore)
    app.command(name="copy", epilog=copy.EXAMPLES)(copy.copy)
    delete_app.command(name="story", epilog=delete.STORY_EXAMPLES)(delete.story)
    delete_app.command(name="goal", epilog=delete.GOAL_EXAMPLES)(delete.goal)
    delete_app.command(name="run", epilog=delete.RUN_EXAMPLES)(delete.run)
    app.add_typer(delete_app)
    app.command(name="validate", epilog=validate.EXAMPLES)(validate.validate)
    app.command(name="doctor", epilog=doctor.EXAMPLES)(doctor.doctor)
    graph_app.command(name="serve", epilog=share.SERVE_EXAMPLES)(share.serve)
    graph_app.command(name="migrate")(share.migrate)
    app.add_typer(graph_app)


def main() -> None:
    """Entry point of `fabula` and of `python -m fabula`."""
    _register()
    sys.exit(run_command(app))
