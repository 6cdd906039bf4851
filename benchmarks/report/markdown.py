# SPDX-License-Identifier: Apache-2.0
"""`results.md`: an overview, then one table a task; no volatile value is in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from benchmarks.published import notes
from benchmarks.report import tables
from benchmarks.results import Results, TaskResult, metric_info

_SPECIAL = re.compile(r"([\\`*\[\]<>|~#])|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")


def render(results: Results) -> str:
    """The report as GitHub-flavoured Markdown; equal for identical runs."""
    return "\n".join(_lines(results)).rstrip() + "\n"


def escape(text: str) -> str:
    """Text that shows as it is, on one line and inside a table's cell."""
    line = " ".join(text.replace("&", "&amp;").split())
    return _SPECIAL.sub(lambda found: "\\" + found[0], line)


def _code(text: str) -> str:
    return f"`{text}`" if re.fullmatch(r"[\w./-]+", text) else escape(text)


def _lines(results: Results) -> Iterator[str]:
    yield "# Results"
    yield ""
    for notice in results.notices:
        yield f"> **Note.** {escape(notice)}"
        yield ""
    yield f"Fabula {escape(results.fabula_version)}."
    yield "Figures are percent unless a unit is given, with 95 % bootstrap intervals over stories."
    yield "**Bold**: best value. *rule*: a trivial rule, to be beaten before anything is learnt."
    yield ""
    yield "## Overview"
    yield ""
    yield from _table(
        ("Task", "Metric", "n", "Best trivial rule", "Best system", "Published", "People"),
        [_overview(task_id, task) for task_id, task in results.tasks.items()],
        numbers=2,
    )
    for dataset, tasks in tables.by_dataset(results.tasks).items():
        yield f"## {escape(tables.DATASETS.get(dataset, dataset))}"
        yield ""
        for task_id, task in tasks.items():
            yield from _task(task_id, task)
    yield "## Run"
    yield ""
    yield from _table(
        ("Setting", "Value"),
        [(escape(name), escape(value)) for name, value in tables.settings(results.config)],
    )
    yield from _table(
        ("Data set", "From", "Records"),
        [
            (
                escape(tables.DATASETS.get(name, name)),
                source.kind,
                ", ".join(f"{escape(split)} {n:,}" for split, n in source.counts.items()),
            )
            for name, source in results.data.items()
        ],
    )


def _overview(task_id: str, task: TaskResult) -> tuple[str, ...]:
    metric = task.primary_metric
    cells = []
    for best in (tables.best_rule(task), tables.best_system(task)):
        found = best and best.result.metrics.get(metric)
        partial = " †" if best and best.partial else ""
        named = best and found and f"{tables.interval(found, metric)} {escape(best.name)}{partial}"
        cells.append(named or "–")
    for human in (False, True):
        figure = tables.best_published(task, metric, human=human)
        cells.append(
            "–" if figure is None else f"{tables.printed(task, figure)} {escape(figure.system)}"
        )
    return (escape(task_id), metric_info(metric).title, tables.count(task.n), *cells)


def _task(task_id: str, task: TaskResult) -> Iterator[str]:
    yield f"### {escape(task.title)}"
    yield ""
    yield (
        f"{_code(task_id)}: given {escape(task.inputs)}; "
        f"split {escape(task.split)}, {tables.count(task.n)} items. "
        f"Ranked by {metric_info(task.primary_metric).title}."
    )
    yield ""
    metrics = tables.columns(task)
    header = ("System", "n", *(f"{_header(name)} [{i}]" for i, name in enumerate(metrics, 1)))
    yield from _table(header, _rows(task, metrics), numbers=1)
    yield from _footnotes(task, metrics)
    extra = tables.published_only(task)
    if extra:
        yield "Published for other metrics:"
        yield ""
        header = ("System", *(_header(name) for name in extra), "Source")
        yield from _table(header, list(_published(task, extra)), numbers=1)
    for dimension, values in tables.dimensions(task).items():
        yield f"{_header(task.primary_metric)} by {escape(dimension)}:"
        yield ""
        header = ("System", *(escape(tables.value_title(value)) for value in values))
        yield from _table(header, _parts(task, dimension, values), numbers=1)
    for note in notes(task_id):
        yield f"- {escape(note)}"
    yield ""


def _header(metric: str) -> str:
    info = metric_info(metric)
    unit = "" if info.unit == "percent" else f" ({info.unit})"
    arrow = {True: "", False: " ↓", None: ""}[info.higher_is_better]
    return escape(info.title) + unit + arrow


def _rows(task: TaskResult, metrics: Sequence[str]) -> list[Sequence[str]]:
    rows: list[Sequence[str]] = []
    systems = tables.ranked(task)
    best = {name: _best(systems, name) for name in metrics}
    for each in systems:
        name = escape(each.name)
        if each.result.kind == "baseline":
            name = f"*rule* {name}"
        name += " †" if each.partial else ""
        if each.result.coverage < 100:
            name += f" (coverage {each.result.coverage:.1f} %)"
        primary = each.result.metrics.get(task.primary_metric)
        cells = []
        for metric in metrics:
            found = each.result.metrics.get(metric)
            text = "–" if found is None else tables.interval(found, metric)
            top = found is not None and not each.partial and found.value == best[metric]
            cells.append(f"**{text}**" if top else text)
        rows.append((name, tables.count(primary.n if primary else None), *cells))
    if task.reference:
        own = [task.reference.get(metric) for metric in metrics]
        cells = [
            "–" if one is None else tables.interval(one, metrics[i]) for i, one in enumerate(own)
        ]
        rows.append(("*gold itself*", tables.count(task.n), *cells))
    for human, title in ((False, "*published*"), (True, "*people, published*")):
        published = tables.published_rows(task, metrics, human=human)
        if published:
            rows.append((title, *[""] * (len(metrics) + 1)))
        for row in published:
            values = [row.figures.get(metric) for metric in metrics]
            texts = ["–" if value is None else tables.printed(task, value) for value in values]
            counts = [value.n for value in values if value]
            rows.append(
                (f"{escape(row.system)}, {escape(row.sources)}", tables.count(counts[0]), *texts)
            )
    return rows


def _best(systems: Sequence[tables.Ranked], metric: str) -> float | None:
    better = metric_info(metric).higher_is_better
    found = [
        each.result.metrics[metric].value
        for each in systems
        if not each.partial and metric in each.result.metrics
    ]
    if better is None or len(found) < 2:
        return None
    return max(found) if better else min(found)


def _footnotes(task: TaskResult, metrics: Sequence[str]) -> Iterator[str]:
    for place, metric in enumerate(metrics, 1):
        for text in tables.variants(task, metric):
            yield f"- [{place}] {_header(metric)}: {escape(text)}"
    if any(each.partial for each in tables.ranked(task)):
        yield "- † scored on fewer items than the rest: not comparable with it"
    for name, system in task.systems.items():
        trained = f"; trained on {escape(system.trained_on)}" if system.trained_on else ""
        kind = tables.KINDS[system.kind]
        yield f"- {escape(name)} ({kind}): {escape(system.description.rstrip('.'))}{trained}"
        if system.failed:
            yield f"  - no answer, worst score, for {len(system.failed)}: {_some(system.failed)}"
    for whom, note in tables.published_notes(task, [*metrics, *tables.published_only(task)]):
        yield f"- published, {escape(whom)}: {escape(note)}"
    yield ""


def _some(items: Sequence[str], most: int = 10) -> str:
    more = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(escape(item) for item in items[:most]) + more


def _published(task: TaskResult, metrics: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for human in (False, True):
        for row in tables.published_rows(task, metrics, human=human):
            values = [row.figures.get(metric) for metric in metrics]
            texts = ["–" if value is None else tables.printed(task, value) for value in values]
            yield (escape(row.system), *texts, escape(row.sources))


def _parts(task: TaskResult, dimension: str, values: Sequence[str]) -> list[Sequence[str]]:
    rows: list[Sequence[str]] = []
    metric = task.primary_metric
    for each in tables.ranked(task):
        found = [tables.broken_down(task, each.result, dimension, value) for value in values]
        if any(found):
            rule = "*rule* " if each.result.kind == "baseline" else ""
            cells = ["–" if value is None else tables.interval(value, metric) for value in found]
            rows.append((rule + escape(each.name), *cells))
    for human, title in ((False, "*best published*"), (True, "*people, published*")):
        best = [
            tables.best_published(task, metric, {dimension: value}, human=human) for value in values
        ]
        if any(best):
            cells = [
                "–" if each is None else f"{tables.printed(task, each)} {escape(each.system)}"
                for each in best
            ]
            rows.append((title, *cells))
    return rows


def _table(
    header: Sequence[str], rows: Sequence[Sequence[str]], numbers: int | None = None
) -> Iterator[str]:
    """A table whose columns from `numbers` on are aligned to the right."""
    right = len(header) if numbers is None else numbers
    yield "| " + " | ".join(header) + " |"
    yield "|" + "|".join("---" if i < right else "---:" for i in range(len(header))) + "|"
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""
