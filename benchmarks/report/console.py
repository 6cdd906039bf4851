# SPDX-License-Identifier: Apache-2.0
"""A compact table of the primary metrics for the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text

from benchmarks.report import tables
from benchmarks.results import Results, TaskResult, metric_info


def show(results: Results, console: Console | None = None) -> None:
    """Prints the notices and the table.

    Args:
        results: what to show.
        console: where to; None for standard output.
    """
    console = console or Console()
    for notice in results.notices:
        console.print(Text(notice, style="yellow"))
    console.print(table(results))


def table(results: Results) -> Table:
    """One row a task: best trivial rule, every other system, best published, people."""
    grid = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    systems = {task_id: _systems(task) for task_id, task in results.tasks.items()}
    grid.add_column("Task", no_wrap=True, overflow="ellipsis")
    titles = ["Metric", "Best rule", "Systems", "Published", "People"]
    if not any(systems.values()):
        titles.remove("Systems")
    for title in titles:
        grid.add_column(title)
    for task_id, task in results.tasks.items():
        cells = {
            "Metric": Text(metric_info(task.primary_metric).title, style="dim"),
            "Best rule": _rule(task),
            "Systems": systems[task_id] or _NONE,
            "Published": _published(task, human=False),
            "People": _published(task, human=True),
        }
        grid.add_row(Text(task_id), *(cells[title] for title in titles))
    return grid


_NONE = Text("–", style="dim")


def _rule(task: TaskResult) -> Text:
    best = tables.best_rule(task)
    return _NONE if best is None else _line(task, best)


def _systems(task: TaskResult) -> Text:
    lines = [_line(task, each) for each in tables.ranked(task) if each.result.kind != "baseline"]
    return Text("\n").join(lines)


def _line(task: TaskResult, system: tables.Ranked) -> Text:
    found = system.result.metrics.get(task.primary_metric)
    figure = "–" if found is None else tables.interval(found, task.primary_metric)
    partial = f" ({found.n} items)" if found is not None and system.partial else ""
    return Text.assemble(figure, (f" {_one_line(system.name)}{partial}", "dim"))


def _published(task: TaskResult, *, human: bool) -> Text:
    figure = tables.best_published(task, task.primary_metric, human=human)
    if figure is None:
        return _NONE
    return Text.assemble(
        tables.printed(task, figure), ("" if human else f" {figure.system}", "dim")
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())
