# SPDX-License-Identifier: Apache-2.0
"""Figures as inline SVG, coloured by the page's style sheet; shapes tell the kinds apart too.

strip      one line on a scale of 0 to 100, for the overview
dot_plot   every system with its interval, the published figures and people below
bars       a breakdown: best system, best rule, best published, people, by value
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from benchmarks.published import Published
from benchmarks.report import tables
from benchmarks.results import MetricValue, TaskResult, metric_info

_WIDTH = 760
_LEFT, _RIGHT = 226, 148
_ROW = 26
_TEXT_LIMIT = 32


@dataclass(frozen=True)
class Scale:
    """A linear axis."""

    low: float
    """Value at the left end."""
    high: float
    """Value at the right end."""
    left: float
    """Place of the left end."""
    right: float
    """Place of the right end."""

    def __call__(self, value: float) -> float:
        """The place of a value, held inside the axis."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(self.left + share * (self.right - self.left), 1)

    def ticks(self) -> list[float]:
        """Four to eight round values."""
        step = _step((self.high - self.low) / 5)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [round(step * place, 6) for place in range(first, last + 1)]


def scale(values: Iterable[float], *, percent: bool, left: float, right: float) -> Scale:
    """An axis that holds all values with some air; percents stay in 0..100."""
    numbers = list(values) or [0.0, 100.0]
    low, high = min(numbers), max(numbers)
    air = max(0.06 * (high - low), 2.0 if percent else 0.2)
    step = _step((high - low + 2 * air) / 5)
    low, high = step * math.floor((low - air) / step), step * math.ceil((high + air) / step)
    return Scale(max(low, 0.0), min(high, 100.0) if percent else high, left, right)


def _step(rough: float) -> float:
    power: float = 10.0 ** math.floor(math.log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)


def mark(kind: str, x: float, y: float, title: str = "") -> str:
    """A mark: circle for systems, hollow for rules, diamond for published, triangle for people."""
    inside = f"<title>{escape(title)}</title>" if title else ""
    if kind == "published":
        shape = f"M{x} {y - 5.5}L{x + 5.5} {y}L{x} {y + 5.5}L{x - 5.5} {y}Z"
    elif kind == "human":
        shape = f"M{x} {y - 5.5}L{x + 5.5} {y + 4.5}L{x - 5.5} {y + 4.5}Z"
    elif kind == "outputs":
        shape = f"M{x - 4.5} {y - 4.5}h9v9h-9Z"
    else:
        return f'<circle class="mark {kind}" cx="{x}" cy="{y}" r="4.8">{inside}</circle>'
    return f'<path class="mark {kind}" d="{shape}">{inside}</path>'


def strip(task: TaskResult) -> str:
    """The overview's line: best rule, best system with its interval, best published, people."""
    metric = task.primary_metric
    axis = Scale(0.0, 100.0, 8.0, 212.0)
    ours, theirs = 9.0, 24.0
    parts = [f'<line class="axis" x1="8" x2="212" y1="{ours}" y2="{ours}"/>']
    parts += [f'<line class="grid" x1="{x}" x2="{x}" y1="3" y2="30"/>' for x in (8, 110, 212)]
    said = []
    for best in (tables.best_rule(task), tables.best_system(task)):
        if best and (found := best.result.metrics.get(metric)):
            title = f"{best.name}: {tables.interval(found, metric)}"
            parts.append(_whisker(best.result.kind, axis, found, ours))
            parts.append(mark(best.result.kind, axis(found.value), ours, title))
            said.append(title)
    for human in (False, True):
        if figure := tables.best_published(task, metric, human=human):
            title = f"{figure.system}, published: {tables.printed(task, figure)}"
            kind = "human" if human else "published"
            parts.append(mark(kind, axis(figure.value), theirs, title))
            said.append(title)
    label = f"{metric_info(metric).title} from 0 to 100. {'. '.join(said)}"
    return (
        f'<svg class="strip" viewBox="0 0 220 33" role="img" aria-label="{escape(label)}">'
        f"{''.join(parts)}</svg>"
    )


def dot_plot(task: TaskResult, name: str) -> str:
    """All systems by the primary metric with intervals, and the paper's figures.

    Args:
        task: what to show.
        name: prefix for the ids of the figure's title and description.
    """
    metric = task.primary_metric
    systems = [
        (each, found)
        for each in tables.ranked(task)
        if (found := each.result.metrics.get(metric)) is not None
    ]
    published = _whole(task, human=False)
    people = _whole(task, human=True)
    lanes = [
        (lane, title) for lane, title in ((published, "published"), (people, "people")) if lane
    ]
    values = [end for _, found in systems for end in (found.low, found.high)]
    values += [figure.value for lane, _ in lanes for figure in lane]
    percent = metric_info(metric).unit == "percent"
    axis = scale(values, percent=percent, left=_LEFT, right=_WIDTH - _RIGHT)
    top = 18 + 14 * len(lanes)
    bottom = top + _ROW * (len(systems) + len(lanes)) + 4
    parts = _axis(axis, top, bottom)
    best = {
        title: figure
        for _, title in lanes
        if (figure := tables.best_published(task, metric, human=title == "people")) is not None
    }
    # Labels point away from the other line.
    rightmost = max(best, key=lambda title: best[title].value, default="")
    for place, (lane, title) in enumerate(lanes):
        at = (axis(best[title].value), 14.0 + 14 * place, bottom)
        parts += _line(*at, tables.printed(task, best[title]), title, title == rightmost)
        parts += _lane(task, lane, title, axis, top + _ROW * (len(systems) + place + 0.5))
    for place, (each, found) in enumerate(systems):
        parts += _system(each, found, metric, axis, top + _ROW * (place + 0.5))
    info = metric_info(metric)
    told = "; ".join(f"{each.name} {tables.interval(found, metric)}" for each, found in systems)
    given = "; ".join(
        f"{each.system} {tables.printed(task, each)}" for lane, _ in lanes for each in lane
    )
    described = f"{told}. Published: {given or 'none'}."
    return _figure(name, f"{info.title} of every system", described, bottom + 26, parts)


def bars(task: TaskResult, dimension: str, name: str) -> str:
    """The primary metric by the values of a dimension.

    Args:
        task: what to show.
        dimension: key of the breakdowns.
        name: prefix for the ids of the figure's title and description.
    """
    metric = task.primary_metric
    groups = [
        (value, bars)
        for value in tables.dimensions(task)[dimension]
        if (bars := _bars(task, dimension, value))
    ]
    percent = metric_info(metric).unit == "percent"
    ends = [bar.found.high if bar.found else bar.value for _, group in groups for bar in group]
    axis = scale([0.0, *ends], percent=percent, left=_LEFT, right=_WIDTH - _RIGHT)
    height, gap = 17, 30
    bottom = 8 + sum(gap + height * len(group) for _, group in groups)
    parts = _axis(axis, 8, bottom)
    said = []
    y = 8.0
    for value, group in groups:
        n = next((bar.n for bar in group if bar.n), None)
        size = "" if n is None else f" · n {n:,}"
        heading = f"{_short(tables.value_title(value))}{size}"
        parts.append(f'<text class="group" x="0" y="{y + 20}">{escape(heading)}</text>')
        y += gap
        for bar in group:
            parts += _bar(bar, axis, y, height)
            given = ", published" if bar.found is None else ""
            said.append(f"{tables.value_title(value)}, {bar.label}{given}: {bar.text}")
            y += height
    title = f"{metric_info(metric).title} by {dimension}"
    return _figure(name, title, ". ".join(said), bottom + 26, parts)


@dataclass(frozen=True)
class _Bar:
    kind: str
    label: str
    value: float
    text: str
    n: int | None
    found: MetricValue | None = None


def _bars(task: TaskResult, dimension: str, value: str) -> list[_Bar]:
    metric = task.primary_metric
    group = []
    for best in (tables.best_system(task), tables.best_rule(task)):
        found = best and tables.broken_down(task, best.result, dimension, value)
        if best and found:
            text = tables.interval(found, metric)
            group.append(_Bar(best.result.kind, best.name, found.value, text, found.n, found))
    for human in (False, True):
        figure = tables.best_published(task, metric, {dimension: value}, human=human)
        if figure is not None:
            kind = "human" if human else "published"
            # The paper's n is of its own items: the heading shows that of this run.
            group.append(
                _Bar(
                    kind,
                    figure.system,
                    figure.value,
                    tables.printed(task, figure),
                    None,
                )
            )
    return group


def _bar(bar: _Bar, axis: Scale, y: float, height: int) -> list[str]:
    left, right, middle = axis(0.0), axis(bar.value), y + height / 2
    parts = [
        _label(bar.label, middle, bar.label),
        f'<rect class="bar {bar.kind}" x="{left}" y="{y + 2}" rx="2" '
        f'width="{round(right - left, 1)}" height="{height - 4}"/>',
        f'<text class="value" x="{_WIDTH - _RIGHT + 10}" y="{middle + 4}">{bar.text}</text>',
    ]
    if bar.found is None:
        parts.insert(2, mark(bar.kind, right, middle))
    else:
        parts.insert(2, _whisker("over", axis, bar.found, middle))
    return parts


def _whole(task: TaskResult, *, human: bool) -> list[Published]:
    """The published figures of the primary metric over all items."""
    rows = tables.published_rows(task, [task.primary_metric], human=human)
    return [row.figures[task.primary_metric] for row in rows]


def _axis(axis: Scale, top: float, bottom: float) -> list[str]:
    parts = []
    for tick in axis.ticks():
        x = axis(tick)
        parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="{top}" y2="{bottom}"/>')
        parts.append(f'<text class="tick" x="{x}" y="{bottom + 16}">{tick:g}</text>')
    return parts


def _line(x: float, y: float, bottom: float, value: str, title: str, right: bool) -> list[str]:
    kind, text = ("human", "people") if title == "people" else ("published", "best published")
    anchor, at = ("start", x + 5) if right else ("end", x - 5)
    label = f"{text} {value}"
    return [
        f'<line class="reference {kind}" x1="{x}" x2="{x}" y1="{y - 9}" y2="{bottom}"/>',
        f'<text class="note {kind}" text-anchor="{anchor}" x="{at}" y="{y}">{label}</text>',
    ]


def _lane(
    task: TaskResult, figures: Sequence[Published], title: str, axis: Scale, y: float
) -> list[str]:
    kind = "human" if title == "people" else "published"
    parts = [f'<text class="label quiet" x="{_LEFT - 14}" y="{y + 4}">{title}</text>']
    for figure in figures:
        text = f"{figure.system}: {tables.printed(task, figure)} ({figure.source})"
        parts.append(mark(kind, axis(figure.value), y, text))
    best, least = (
        tables.printed(task, figures[0]),
        tables.printed(task, figures[-1]),
    )
    span = best if len(figures) == 1 else f"{least} to {best}"
    parts.append(f'<text class="value quiet" x="{_WIDTH - _RIGHT + 10}" y="{y + 4}">{span}</text>')
    return parts


def _system(
    each: tables.Ranked, found: MetricValue, metric: str, axis: Scale, y: float
) -> list[str]:
    text = tables.interval(found, metric)
    title = f"{each.name} ({tables.KINDS[each.result.kind]}): {text}, n {found.n:,}"
    label = f"{each.name} †" if each.partial else each.name
    return [
        _label(label, y, title),
        _whisker(each.result.kind, axis, found, y),
        mark(each.result.kind, axis(found.value), y, title),
        f'<text class="value" x="{_WIDTH - _RIGHT + 10}" y="{y + 4}">{text}</text>',
    ]


def _label(text: str, y: float, title: str) -> str:
    return (
        f'<text class="label" x="{_LEFT - 14}" y="{y + 4}">'
        f"<title>{escape(title)}</title>{escape(_short(text))}</text>"
    )


def _whisker(kind: str, axis: Scale, found: MetricValue, y: float) -> str:
    low, high = axis(found.low), axis(found.high)
    return f'<line class="whisker {kind}" x1="{low}" x2="{high}" y1="{y}" y2="{y}"/>'


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TEXT_LIMIT else line[: _TEXT_LIMIT - 1] + "…"


def _figure(name: str, title: str, described: str, height: float, parts: Sequence[str]) -> str:
    return (
        f'<svg class="plot" viewBox="0 0 {_WIDTH} {round(height)}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-desc">{escape(described)}</desc>{"".join(parts)}</svg>'
    )
