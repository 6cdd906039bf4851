# SPDX-License-Identifier: Apache-2.0
"""Scores answers against gold: every metric with n and an interval, whole and broken down."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence

import numpy as np

from benchmarks.results import MetricValue
from reasoners.base import AnswerValue
from reasoners.metrics import interval
from reasoners.metrics.base import Stats
from reasoners.metrics.classification import calibration_error
from reasoners.task import Gold, Task, TextMetric


@dataclasses.dataclass(frozen=True)
class Scored:
    """The figures of one system on one task."""

    metrics: dict[str, MetricValue]
    """Over all items."""
    breakdowns: dict[str, dict[str, dict[str, MetricValue]]]
    """Dimension, its value, metric."""


def score(
    task: Task,
    golds: Sequence[Gold],
    answers: Mapping[str, AnswerValue | None],
    *,
    seed: int,
    confidences: Mapping[str, float | None] | None = None,
    resamples: int = 1000,
    compare: TextMetric | None = None,
) -> Scored:
    """Scores a system.

    Args:
        task: the task.
        golds: the items to score; n never shrinks below them.
        answers: item -> answer; an item without one failed and gets the worst score.
        seed: seed of the intervals.
        confidences: item -> confidence, where the system gives them.
        resamples: bootstrap resamples, of whole stories or goals.
        compare: a further metric, for the tasks that are answered by texts.

    Returns:
        The figures.
    """
    ordered = [answers.get(gold.item) for gold in golds]
    stats = task.score(golds, ordered)
    if compare is not None and task.compare is not None:
        stats.append(task.compare(golds, ordered, compare))
    given = [(confidences or {}).get(gold.item) for gold in golds]
    if golds and task.kind in ("flag", "choice") and all(one is not None for one in given):
        correct = [got == gold.answer for got, gold in zip(ordered, golds, strict=True)]
        stats.append(calibration_error([one or 0.0 for one in given], correct))
    clusters = [gold.cluster for gold in golds]
    everything = np.arange(len(golds))
    breakdowns: dict[str, dict[str, dict[str, MetricValue]]] = {}
    for dimension in task.dimensions:
        values = np.array([str(gold.row[dimension]) for gold in golds])
        breakdowns[dimension] = {
            value: _figures(stats, clusters, np.flatnonzero(values == value), seed, resamples)
            for value in sorted(set(values.tolist()))
        }
    return Scored(_figures(stats, clusters, everything, seed, resamples), breakdowns)


_ALONE = ("len", "ext", "n_factors")


def describe_gold(task: Task, golds: Sequence[Gold], *, seed: int) -> dict[str, MetricValue]:
    """What the gold answers themselves are like: the papers' `Reference` rows."""
    own = score(task, golds, {gold.item: gold.answer for gold in golds}, seed=seed)
    return {name: own.metrics[name] for name in _ALONE if name in own.metrics}


def _figures(
    stats: Sequence[Stats],
    clusters: Sequence[str],
    chosen: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
    seed: int,
    resamples: int,
) -> dict[str, MetricValue]:
    some = [clusters[place] for place in chosen]
    return {
        each.name: MetricValue.model_validate(
            interval(_part(each, chosen), some, seed=seed, resamples=resamples)
        )
        for each in stats
    }


def _part(stats: Stats, chosen: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Stats:
    """The statistics of some of the items."""
    if len(chosen) == len(stats.rows):
        return stats
    rows = stats.rows[chosen]
    # A metric that leaves items out (pairs, non-empty ones) marks them by rows of zeros.
    counted = len(rows) if stats.n == len(stats.rows) else int(rows.any(axis=1).sum())
    if stats.n > len(stats.rows):
        counted = len(rows) * (stats.n // len(stats.rows))
    return dataclasses.replace(stats, rows=rows, n=counted)
