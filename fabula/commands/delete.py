# SPDX-License-Identifier: Apache-2.0
"""`fabula delete`: takes a story, a goal or a run out, and leaves nothing behind."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from fabula.commands.backup import QuietOption
from ingest.options import GraphOption

STORY_EXAMPLES = """**Examples**

`fabula query "MATCH (s:Story) RETURN s.dataset AS dataset, s.key AS key LIMIT 5"`

`fabula delete story 42 --dataset poque`

An ingest brings the story back, without what reasoners concluded about it.
"""
GOAL_EXAMPLES = """**Examples**

`fabula query "MATCH (g:Goal) RETURN g.key AS key, g.text AS goal"`

`fabula delete goal 17`
"""
RUN_EXAMPLES = """**Examples**

`fabula runs`

`fabula delete run 1a71c68c6b2d2b3c0b0e --yes`
"""

DatasetOption = Annotated[
    str | None,
    typer.Option("--dataset", help="Data set of the key, where several have it."),
]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]


def story(
    key: Annotated[str, typer.Argument(help="The data set's key of the story.")],
    dataset: DatasetOption = None,
    graph: GraphOption = None,
    yes: YesOption = False,
    quiet: QuietOption = False,
) -> None:
    """Delete a story with its revisions, units, and all that was concluded about them."""
    _delete("story", key, dataset, graph, yes, quiet)


def goal(
    key: Annotated[str, typer.Argument(help="The data set's key of the goal.")],
    dataset: DatasetOption = None,
    graph: GraphOption = None,
    yes: YesOption = False,
    quiet: QuietOption = False,
) -> None:
    """Delete a goal with its script, branches, scenarios and decisions."""
    _delete("goal", key, dataset, graph, yes, quiet)


def run(
    id: Annotated[str, typer.Argument(help="Id of the run, as `fabula runs` shows it.")],
    graph: GraphOption = None,
    yes: YesOption = False,
    quiet: QuietOption = False,
) -> None:
    """Delete a run with its claims; what it was run on stays."""
    _delete("run", id, None, graph, yes, quiet)


def _delete(
    kind: str, key: str, dataset: str | None, graph: str | None, yes: bool, quiet: bool
) -> None:
    from graph.delete import delete, find, plan
    from graph.errors import UsageError
    from graph.progress import Progress
    from graph.store import open_graph

    with open_graph(graph, create=False) as store:
        roots = find(store, kind, key, dataset)
        counts = plan(store, roots)
        told = ", ".join(f"{n:,} {label}" for label, n in counts.items())
        if not yes:
            print(f"{kind} {key} in {store.url}: {told}")
            if not sys.stdin.isatty():
                raise UsageError("nothing was deleted: add --yes to delete it")
            typer.confirm("Delete all of it?", abort=True)
        with Progress(quiet=quiet) as progress:
            delete(store, roots, progress)
    print(f"deleted {sum(counts.values()):,} nodes with their edges: {told}")
