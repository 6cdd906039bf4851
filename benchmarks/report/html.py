# SPDX-License-Identifier: Apache-2.0
"""`report.html`: one self-contained page that asks for nothing from outside."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape

from benchmarks.published import Published, notes
from benchmarks.report import plots, tables
from benchmarks.report.style import SCRIPT, STYLE
from benchmarks.results import MetricValue, Results, SystemResult, TaskResult, metric_info

_LEGEND = (
    ("model", "model"),
    ("outputs", "given outputs"),
    ("baseline", "trivial rule"),
    ("published", "published"),
    ("human", "people, published"),
)


def render(results: Results) -> str:
    """The report as one HTML page."""
    digest = base64.b64encode(hashlib.sha256(SCRIPT.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>Fabula: results</title>\n<style>{STYLE}</style>\n</head>\n"
        f'<body>\n<div class="page">\n{_body(results)}\n</div>\n'
        f"<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def _body(results: Results) -> str:
    names = {task_id: f"task-{place}" for place, task_id in enumerate(results.tasks, 1)}
    parts = [_head(results), "<main>", _overview(results, names)]
    for place, (dataset, tasks) in enumerate(tables.by_dataset(results.tasks).items(), 1):
        title = _text(tables.DATASETS.get(dataset, dataset))
        parts.append(f'<section aria-labelledby="set-{place}"><h2 id="set-{place}">{title}</h2>')
        parts += [_task(task_id, task, names[task_id]) for task_id, task in tasks.items()]
        parts.append("</section>")
    parts += [_run(results), "</main>"]
    return "\n".join(parts)


def _head(results: Results) -> str:
    notices = "".join(f'<p class="notice">{_text(notice)}</p>' for notice in results.notices)
    day = results.environment.finished.strftime("%d %B %Y").lstrip("0")
    return (
        "<header><h1>Fabula: results</h1>"
        f'<p class="lead">What became of whom, why, and what if not. Version '
        f"{_text(results.fabula_version)}, {day}</p>"
        f"{notices}</header>"
    )


# --- overview ----------------------------------------------------------------------------------


def _overview(results: Results, names: Mapping[str, str]) -> str:
    rows: list[str] = []
    for dataset, tasks in tables.by_dataset(results.tasks).items():
        title = _text(tables.DATASETS.get(dataset, dataset))
        rows.append(f'<tr class="group"><th colspan="6" scope="rowgroup">{title}</th></tr>')
        rows += [_overview_row(names[task_id], task) for task_id, task in tasks.items()]
    partial = any(
        best and best.partial
        for task in results.tasks.values()
        for best in (tables.best_rule(task), tables.best_system(task))
    )
    dagger = (
        '<p class="quiet">† scored on fewer items than the rest: not comparable with it.</p>'
        if partial
        else ""
    )
    return (
        '<section aria-labelledby="overview"><h2 id="overview">Overview</h2>'
        "<p>Each task by its main metric, in percent, with 95 % bootstrap intervals over stories. "
        "A system has learnt something only where its interval is clear of the best trivial "
        "rule’s. Published figures are often of other items or conventions: each task’s notes say "
        "which.</p>"
        f"{_legend()}"
        f"{_scroll('Overview')}<table class='overview'><thead><tr>"
        '<th scope="col">Task</th><th scope="col">0 to 100</th>'
        '<th scope="col" class="number">Best rule</th>'
        '<th scope="col" class="number">Best system</th>'
        '<th scope="col" class="number">Published</th>'
        '<th scope="col" class="number">People</th></tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table></div>{dagger}</section>"
    )


def _overview_row(name: str, task: TaskResult) -> str:
    metric = task.primary_metric
    cells = [_best(best, metric) for best in (tables.best_rule(task), tables.best_system(task))]
    for human in (False, True):
        figure = tables.best_published(task, metric, human=human)
        if figure is None:
            cells.append('<td class="number">–</td>')
        else:
            named = "" if human else f'<span class="name">{_text(figure.system)}</span>'
            cells.append(f'<td class="number">{tables.printed(task, figure)}{named}</td>')
    return (
        f'<tr><th scope="row"><a href="#{name}">{_text(task.title)}</a>'
        f'<span class="name">{_text(metric_info(metric).title)}</span></th>'
        f"<td>{plots.strip(task)}</td>{''.join(cells)}</tr>"
    )


def _best(best: tables.Ranked | None, metric: str) -> str:
    found = None if best is None else best.result.metrics.get(metric)
    if best is None or found is None:
        return '<td class="number">–</td>'
    mark = " †" if best.partial else ""
    return (
        f'<td class="number">{tables.number(found.value, metric)}{mark}'
        f'<span class="name">{_text(best.name)}</span></td>'
    )


def _legend() -> str:
    items = "".join(
        f'<li><svg viewBox="0 0 14 14" aria-hidden="true">{plots.mark(kind, 7, 7)}</svg>'
        f"{title}</li>"
        for kind, title in _LEGEND
    )
    return f'<ul class="legend">{items}</ul>'


# --- a task ------------------------------------------------------------------------------------


def _task(task_id: str, task: TaskResult, name: str) -> str:
    known = "".join(f"<li>{_text(note)}</li>" for note in notes(task_id))
    body = [
        f'<article class="task" id="{name}" aria-labelledby="{name}-name">',
        f'<header><h3 id="{name}-name">{_text(task.title)}</h3>',
        f'<p class="quiet"><code>{_text(task_id)}</code> · given {_text(task.inputs)} · split '
        f"{_text(task.split)}, {tables.count(task.n)} items</p>{_verdict(task)}</header>",
    ]
    if task.systems:
        body.append(_plot(metric_info(task.primary_metric).title, plots.dot_plot(task, name)))
    body.append(_scores(task))
    for place, dimension in enumerate(tables.dimensions(task), 1):
        body.append(f"<h4>By {_text(dimension)}</h4>")
        body.append(_plot("", plots.bars(task, dimension, f"{name}-by-{place}")))
        body.append(_breakdown(task, dimension))
    if known:
        body.append(f'<div class="notes"><ul>{known}</ul></div>')
    body += [_variants(task), _systems(task), _other_figures(task), "</article>"]
    return "\n".join(part for part in body if part)


def _verdict(task: TaskResult) -> str:
    said, rule, best = tables.verdict(task), tables.best_rule(task), tables.best_system(task)
    if said is None or rule is None or best is None:
        return ""
    words = tables.VERDICTS[said].replace("{rule}", _text(rule.name))
    return f'<p class="verdict {said}">{_text(best.name)} {words}.</p>'


def _plot(caption: str, svg: str) -> str:
    words = f"<figcaption>{_text(caption)}</figcaption>" if caption else ""
    return f"<figure>{words}{_scroll('Figure')}{svg}</div></figure>"


def _scores(task: TaskResult) -> str:
    metrics = tables.columns(task)
    systems = tables.ranked(task)
    best = {metric: _top(systems, metric) for metric in metrics}
    head = "".join(
        f'<th scope="col" class="number">{_text(_metric_title(metric))}</th>' for metric in metrics
    )
    rows = []
    for each in systems:
        cells = [_cell(each, metric, best[metric]) for metric in metrics]
        found = each.result.metrics.get(task.primary_metric)
        size = found.n if found else None
        rows.append(
            f'<tr>{_system_name(each)}<td class="number" data-value="{size or 0}">'
            f"{tables.count(size)}</td>{''.join(cells)}</tr>"
        )
    return (
        f"{_scroll('Scores')}<table class='sortable'><thead><tr>"
        f'<th scope="col">System</th><th scope="col" class="number">n</th>{head}</tr></thead>'
        f'<tbody class="systems">{"".join(rows)}</tbody>'
        f"{_published_body(task, metrics)}</table></div>{_dagger(systems)}"
    )


def _published_body(task: TaskResult, metrics: Sequence[str]) -> str:
    rows = []
    if task.reference:
        own = [task.reference.get(metric) for metric in metrics]
        cells = "".join(
            '<td class="number">–</td>' if one is None else _figure_cell(one, metrics[place])
            for place, one in enumerate(own)
        )
        rows.append(
            f'<tr><th scope="row">gold itself</th><td class="number">{tables.count(task.n)}</td>'
            f"{cells}</tr>"
        )
    for human in (False, True):
        for row in tables.published_rows(task, metrics, human=human):
            figures = [row.figures.get(metric) for metric in metrics]
            size = next(figure.n for figure in figures if figure)
            cells = "".join(
                f'<td class="number">{_published_text(task, figure)}</td>' for figure in figures
            )
            badge = "people" if human else "published"
            rows.append(
                f'<tr><th scope="row">{_text(row.system)}{_badge(badge)}'
                f'<span class="interval">{_text(row.sources)}</span></th>'
                f'<td class="number">{tables.count(size)}</td>{cells}</tr>'
            )
    return f'<tbody class="published">{"".join(rows)}</tbody>' if rows else ""


def _published_text(task: TaskResult, figure: Published | None) -> str:
    return "–" if figure is None else tables.printed(task, figure)


def _system_name(each: tables.Ranked) -> str:
    badges = "" if each.result.kind == "model" else _badge(tables.KINDS[each.result.kind])
    if each.result.coverage < 100:
        badges += _badge(f"coverage {each.result.coverage:.1f} %")
    mark = " †" if each.partial else ""
    return f'<th scope="row" data-value="{escape(each.name)}">{_text(each.name)}{mark}{badges}</th>'


def _cell(each: tables.Ranked, metric: str, best: float | None) -> str:
    found = each.result.metrics.get(metric)
    if found is None:
        return '<td class="number" data-value="">–</td>'
    top = found.value == best and not each.partial
    return _figure_cell(found, metric, "number best" if top else "number")


def _figure_cell(found: MetricValue, metric: str, style: str = "number") -> str:
    low, high = tables.number(found.low, metric), tables.number(found.high, metric)
    return (
        f'<td class="{style}" data-value="{found.value}">{tables.number(found.value, metric)}'
        f'<span class="interval">{low} – {high}</span></td>'
    )


def _top(systems: Sequence[tables.Ranked], metric: str) -> float | None:
    better = metric_info(metric).higher_is_better
    found = [
        each.result.metrics[metric].value
        for each in systems
        if metric in each.result.metrics and not each.partial
    ]
    if better is None or len(found) < 2:
        return None
    return max(found) if better else min(found)


def _metric_title(metric: str) -> str:
    info = metric_info(metric)
    unit = "" if info.unit == "percent" else f" ({info.unit})"
    return f"{info.title}{unit}" + (", lower is better" if info.higher_is_better is False else "")


def _dagger(systems: Iterable[tables.Ranked]) -> str:
    if not any(each.partial for each in systems):
        return ""
    return '<p class="quiet">† scored on fewer items than the rest: not comparable with it.</p>'


def _breakdown(task: TaskResult, dimension: str) -> str:
    metric, values = task.primary_metric, tables.dimensions(task)[dimension]
    head = "".join(
        f'<th scope="col" class="number">{_text(tables.value_title(value))}</th>'
        for value in values
    )
    rows = []
    for each in tables.ranked(task):
        found = [tables.broken_down(task, each.result, dimension, value) for value in values]
        cells = "".join(
            '<td class="number" data-value="">–</td>'
            if value is None
            else _figure_cell(value, metric)
            for value in found
        )
        if any(found):
            rows.append(f"<tr>{_system_name(each)}{cells}</tr>")
    published = []
    for human in (False, True):
        for row in _published_parts(task, dimension, values, human=human):
            published.append(row)
    below = f'<tbody class="published">{"".join(published)}</tbody>' if published else ""
    return (
        f"<details><summary>All systems by {_text(dimension)}</summary>"
        f"{_scroll('Breakdown')}<table class='sortable'><thead><tr>"
        f'<th scope="col">System</th>{head}</tr></thead>'
        f'<tbody class="systems">{"".join(rows)}</tbody>{below}</table></div></details>'
    )


def _published_parts(
    task: TaskResult, dimension: str, values: Sequence[str], *, human: bool
) -> Iterator[str]:
    found: dict[str, dict[str, str]] = {}
    for value in values:
        part = {dimension: value}
        for row in tables.published_rows(task, [task.primary_metric], part, human=human):
            figure = row.figures[task.primary_metric]
            found.setdefault(row.system, {})[value] = tables.printed(task, figure)
    for system, cells in found.items():
        texts = "".join(f'<td class="number">{cells.get(value, "–")}</td>' for value in values)
        badge = _badge("people" if human else "published")
        yield f'<tr><th scope="row">{_text(system)}{badge}</th>{texts}</tr>'


def _variants(task: TaskResult) -> str:
    items = [
        f"<dt>{_text(_metric_title(metric))}</dt><dd>{_text(metric_info(metric).meaning)}<br>"
        f"{'<br>'.join(_text(text) for text in tables.variants(task, metric))}</dd>"
        for metric in tables.columns(task)
    ]
    return f"<details><summary>Metrics, exactly</summary><dl>{''.join(items)}</dl></details>"


def _systems(task: TaskResult) -> str:
    items = [
        f"<dt>{_text(each.name)}{_badge(tables.KINDS[each.result.kind])}</dt>"
        f"<dd>{_about(each.result)}</dd>"
        for each in tables.ranked(task)
    ]
    return f"<details><summary>Systems</summary><dl>{''.join(items)}</dl></details>"


def _about(system: SystemResult) -> str:
    lines = [_text(system.description)]
    lines.append(f"Trained on {_text(system.trained_on)}." if system.trained_on else "Not trained.")
    if system.seconds is not None:
        lines.append(f"{system.seconds:.1f} s.")
    if system.failed:
        some = ", ".join(system.failed[:20])
        more = ", …" if len(system.failed) > 20 else ""
        lines.append(f"No answer, worst score, for {len(system.failed)} items: {_text(some)}{more}")
    return "<br>".join(lines)


def _other_figures(task: TaskResult) -> str:
    """Every published figure with its note, also those that no row above shows."""
    if not task.published:
        return ""
    rows = "".join(
        f'<tr><th scope="row">{_text(each.system)}</th>'
        f"<td>{_text(metric_info(each.metric).title)}</td>"
        f"<td>{_text(_part(each.part))}</td>"
        f'<td class="number">{tables.printed(task, each)}</td>'
        f'<td class="number">{tables.count(each.n)}</td>'
        f"<td>{_text(each.source)}</td><td>{_text(each.note)}</td></tr>"
        for each in task.published
    )
    heads = ("System", "Metric", "Part", "Value", "n", "Source", "Note")
    head = "".join(f'<th scope="col">{title}</th>' for title in heads)
    return (
        f"<details><summary>Published figures and their notes ({len(task.published)})</summary>"
        f"{_scroll('Published figures')}<table><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table></div></details>"
    )


def _part(part: Mapping[str, str]) -> str:
    return ", ".join(tables.value_title(value) for value in part.values()) or "all"


# --- the run -----------------------------------------------------------------------------------


def _run(results: Results) -> str:
    place = results.environment
    packages = ", ".join(f"{name} {number}" for name, number in place.packages.items())
    about = [
        ("Host", place.host),
        ("Platform", place.platform),
        ("Python", place.python),
        ("Packages", packages),
        ("Started", place.started.isoformat(timespec="seconds")),
        ("Finished", place.finished.isoformat(timespec="seconds")),
        ("Seconds", f"{place.seconds:.1f}"),
    ]
    sources = "".join(
        f'<tr><th scope="row">{_text(tables.DATASETS.get(name, name))}</th>'
        f"<td>{source.kind}</td>"
        f"<td>{_text(', '.join(f'{split} {n:,}' for split, n in source.counts.items()))}</td></tr>"
        for name, source in results.data.items()
    )
    files = "".join(
        f'<tr><th scope="row">{_text(f"{name}/{file}")}</th>'
        f"<td><code>{_text(digest)}</code></td></tr>"
        for name, source in results.data.items()
        for file, digest in source.sha256.items()
    )
    return (
        '<section aria-labelledby="run"><h2 id="run">Run</h2>'
        f"<h4>Asked for</h4>{_pairs(tables.settings(results.config))}"
        f"<h4>Data</h4>{_scroll('Data')}<table class='wrap'><thead><tr>"
        '<th scope="col">Data set</th><th scope="col">From</th><th scope="col">Records</th></tr>'
        f"</thead><tbody>{sources}</tbody></table></div>"
        f"<details><summary>Files and checksums (SHA-256)</summary>{_scroll('Checksums')}"
        '<table class="wrap"><thead><tr><th scope="col">File</th><th scope="col">SHA-256</th></tr>'
        f"</thead><tbody>{files}</tbody></table></div></details>"
        f"<h4>Where and when</h4>{_pairs(about)}</section>"
    )


def _pairs(pairs: Iterable[tuple[str, str]]) -> str:
    rows = "".join(
        f'<tr><th scope="row">{_text(name)}</th><td>{_text(value)}</td></tr>'
        for name, value in pairs
    )
    return (
        f"{_scroll('Settings')}<table class='wrap'><thead><tr>"
        '<th scope="col">Setting</th><th scope="col">Value</th></tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _scroll(label: str) -> str:
    """A wide table or figure scrolls by itself, also from the keyboard."""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(label)}">'


def _badge(text: str) -> str:
    return f'<span class="badge">{escape(text)}</span>'


def _text(text: str) -> str:
    """Foreign text, escaped; its writing direction cannot leak into the page."""
    return f"<bdi>{escape(text)}</bdi>"
