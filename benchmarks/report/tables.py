# SPDX-License-Identifier: Apache-2.0
"""What the reports show: rows in order, columns, the best of each kind, and how they compare."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from benchmarks.published import Published
from benchmarks.results import METRICS, MetricValue, SystemResult, TaskResult, metric_info

Part = Mapping[str, str]
"""A part of the items, such as `{"level": "hard"}`; empty for all."""

Verdict = Literal["better", "open", "worse"]
"""How a system's interval lies to the best rule's; `open` if the two overlap."""

KINDS = {"baseline": "trivial rule", "model": "model", "outputs": "given outputs"}
VERDICTS: Mapping[Verdict, str] = {
    "better": "is better than the best rule, {rule}: their intervals are apart",
    "open": "is not told apart from the best rule, {rule}: their intervals overlap",
    "worse": "is worse than the best rule, {rule}: their intervals are apart",
}
DATASETS = {"poque": "POQue", "pasta": "PASTA", "choice75": "Choice-75"}
_VALUES = {
    "na": "either",
    "verb_phrase_manual": "verb phrase (manual)",
    "verb_phrase_machine": "verb phrase (machine)",
    "user_profile": "user profile",
}
_ORDER = ("easy", "medium", "hard", *_VALUES)


@dataclass(frozen=True)
class Ranked:
    """A system in its place."""

    name: str
    """The system's name."""
    result: SystemResult
    """How it did."""
    partial: bool
    """Whether it was scored on fewer items than the task's other systems."""


@dataclass(frozen=True)
class PublishedRow:
    """The figures of one published system over one part of the items."""

    system: str
    """The system's name."""
    human: bool
    """Whether people gave the answers."""
    figures: dict[str, Published]
    """By metric."""

    @property
    def sources(self) -> str:
        """Where the figures are printed."""
        return "; ".join(dict.fromkeys(figure.source for figure in self.figures.values()))


def columns(task: TaskResult) -> list[str]:
    """Metrics that a system has: the primary one, then in the order of `METRICS`, then others."""
    present = {name: None for system in task.systems.values() for name in system.metrics}
    known = [name for name in METRICS if name in present]
    ordered = [task.primary_metric, *known, *present]
    return list(dict.fromkeys(ordered))


def ranked(task: TaskResult) -> list[Ranked]:
    """Systems by the primary metric, best first; those scored on fewer items after the rest."""
    counts = [_count(task, system) for system in task.systems.values()]
    most = max(counts, default=0)
    systems = [
        Ranked(name, system, _count(task, system) < most) for name, system in task.systems.items()
    ]

    def place(each: Ranked) -> tuple[bool, float, str]:
        found = each.result.metrics.get(task.primary_metric)
        lowest = float("inf") if found is None else -_good(found.value, task.primary_metric)
        return each.partial, lowest, each.name

    return sorted(systems, key=place)


def best_rule(task: TaskResult) -> Ranked | None:
    """The best trivial rule."""
    return _first(each for each in ranked(task) if each.result.kind == "baseline")


def best_system(task: TaskResult) -> Ranked | None:
    """The best system that is no trivial rule; one scored on fewer items if there is no other."""
    return _first(each for each in ranked(task) if each.result.kind != "baseline")


def best_published(
    task: TaskResult, metric: str, part: Part | None = None, *, human: bool = False
) -> Published | None:
    """The best published figure of a metric over exactly that part of the items.

    Args:
        task: the task with its published figures.
        metric: name of the metric.
        part: dimension and value; None or empty for all items.
        human: figures of people instead of systems.
    """
    found = [
        figure
        for figure in task.published
        if figure.metric == metric and figure.human == human and figure.part == dict(part or {})
    ]
    return max(found, key=lambda figure: _good(figure.value, metric), default=None)


def published_rows(
    task: TaskResult, metrics: Iterable[str], part: Part | None = None, *, human: bool = False
) -> list[PublishedRow]:
    """The published systems that have one of the metrics over exactly that part, best first."""
    wanted = list(metrics)
    rows: dict[str, dict[str, Published]] = {}
    for figure in task.published:
        if figure.metric in wanted and figure.human == human and figure.part == dict(part or {}):
            rows.setdefault(figure.system, {})[figure.metric] = figure

    def place(row: PublishedRow) -> tuple[int, float]:
        first = next(metric for metric in wanted if metric in row.figures)
        return wanted.index(first), -_good(row.figures[first].value, first)

    return sorted((PublishedRow(name, human, cells) for name, cells in rows.items()), key=place)


def published_notes(task: TaskResult, metrics: Iterable[str]) -> list[tuple[str, str]]:
    """The notes on the figures over all items: whom (and which metrics) each is about, its text."""
    wanted = set(metrics)
    figures = [each for each in task.published if each.metric in wanted and not each.part]
    about: dict[str, list[Published]] = {}
    for figure in figures:
        if figure.note:
            about.setdefault(figure.note, []).append(figure)
    notes = []
    for note, found in about.items():
        systems = dict.fromkeys(figure.system for figure in found)
        named = dict.fromkeys(figure.metric for figure in found)
        others = {each.metric for each in figures if each.system in systems} - set(named)
        whom = ", ".join(systems)
        if others:
            whom += f" ({', '.join(metric_info(metric).title for metric in named)})"
        notes.append((whom, note))
    return notes


def published_only(task: TaskResult) -> list[str]:
    """Metrics that the paper reports over all items and no system here has."""
    ours = columns(task)
    found = {figure.metric for figure in task.published if not figure.part}
    return [name for name in METRICS if name in found and name not in ours]


def dimensions(task: TaskResult) -> dict[str, list[str]]:
    """The dimensions that figures are broken down by, and their values in order."""
    found: dict[str, dict[str, None]] = {}
    for system in task.systems.values():
        for dimension, values in system.breakdowns.items():
            found.setdefault(dimension, {}).update(dict.fromkeys(values))
    return {dimension: sorted(values, key=_value_place) for dimension, values in found.items()}


def broken_down(
    task: TaskResult, system: SystemResult, dimension: str, value: str
) -> MetricValue | None:
    """A system's primary metric over a part of the items."""
    metrics = system.breakdowns.get(dimension, {}).get(value, {})
    return metrics.get(task.primary_metric)


def verdict(task: TaskResult) -> Verdict | None:
    """How the best system compares with the best trivial rule.

    Overlapping intervals do not prove equality: a paired comparison is sharper.

    Returns:
        None if either is missing, or they were scored on different items.
    """
    rule, system = best_rule(task), best_system(task)
    if rule is None or system is None or rule.partial != system.partial:
        return None
    theirs = rule.result.metrics.get(task.primary_metric)
    ours = system.result.metrics.get(task.primary_metric)
    if ours is None or theirs is None or ours.n != theirs.n:
        return None
    if ours.low <= theirs.high and theirs.low <= ours.high:
        return "open"
    higher = metric_info(task.primary_metric).higher_is_better is not False
    return "better" if (ours.low > theirs.high) == higher else "worse"


def by_dataset(tasks: Mapping[str, TaskResult]) -> dict[str, dict[str, TaskResult]]:
    """Tasks grouped by data set, in the order in which they come."""
    groups: dict[str, dict[str, TaskResult]] = {}
    for task_id, task in tasks.items():
        groups.setdefault(task.dataset, {})[task_id] = task
    return groups


def settings(config: Mapping[str, object]) -> list[tuple[str, str]]:
    """The run's configuration as pairs of texts, nested ones with dotted names.

    `data` is left out: it repeats the checksums.
    """
    pairs: list[tuple[str, str]] = []
    for name, value in config.items():
        if name == "data":
            continue
        if isinstance(value, Mapping):
            pairs += [(f"{name}.{inner}", text) for inner, text in settings(value)]
        elif isinstance(value, (list, tuple)):
            pairs.append((name, ", ".join(map(str, value)) or "none"))
        else:
            pairs.append((name, "none" if value is None else str(value)))
    return pairs


def value_title(value: str) -> str:
    """A breakdown's value for people."""
    return _VALUES.get(value, value)


def number(value: float, metric: str) -> str:
    """A figure of a run: one decimal for percent, two otherwise."""
    return f"{value:.1f}" if metric_info(metric).unit == "percent" else f"{value:.2f}"


def printed(task: TaskResult, figure: Published) -> str:
    """A published figure with the decimals that its column has in the paper, at least one."""
    column = [
        each.value
        for each in task.published
        if (each.source, each.metric) == (figure.source, figure.metric)
    ]
    digits = max((len(f"{value:.10g}".partition(".")[2]) for value in column), default=1)
    return f"{figure.value:.{max(digits, 1)}f}"


def interval(figure: MetricValue, metric: str) -> str:
    """`81.8 [80.9, 82.6]`."""
    low, high = number(figure.low, metric), number(figure.high, metric)
    return f"{number(figure.value, metric)} [{low}, {high}]"


def count(n: int | None) -> str:
    """A number of items, `1,834`, or a dash where it is not known."""
    return "–" if n is None else f"{n:,}"


def variants(task: TaskResult, metric: str) -> list[str]:
    """The variants of a metric in a task, each with the number of items behind it."""
    found = {
        (value.variant, value.n): None
        for system in task.systems.values()
        if (value := system.metrics.get(metric)) is not None
    }
    texts = dict.fromkeys(variant for variant, _ in found)
    return [f"{text} (n {_counts(n for other, n in found if other == text)})" for text in texts]


def _counts(numbers: Iterable[int]) -> str:
    return " or ".join(count(n) for n in sorted(numbers, reverse=True))


def _count(task: TaskResult, system: SystemResult) -> int:
    found = system.metrics.get(task.primary_metric)
    return 0 if found is None else found.n


def _good(value: float, metric: str) -> float:
    return -value if metric_info(metric).higher_is_better is False else value


def _first(systems: Iterable[Ranked]) -> Ranked | None:
    return next(iter(systems), None)


def _value_place(value: str) -> tuple[int, str]:
    return (_ORDER.index(value) if value in _ORDER else len(_ORDER), value)
