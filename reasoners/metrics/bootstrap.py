# SPDX-License-Identifier: Apache-2.0
"""Percentile intervals by resampling clusters (stories), not items.

Items of one story are alike, so resampling items would make intervals too narrow.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from graph.errors import UsageError
from reasoners.metrics.base import Array, Figure, Stats, same_length

_CHUNK_CELLS = 4_000_000
"""Largest number of cells in one matrix of counts: 32 MB of float64."""


def interval(
    stats: Stats,
    clusters: Sequence[str],
    *,
    seed: int,
    resamples: int = 1000,
    level: float = 0.95,
) -> Figure:
    """The figure with a percentile interval from a bootstrap over clusters.

    The order of the items does not matter. Two metrics with the same clusters and seed are
    resampled alike, so differences of their resamples would be paired.

    Args:
        stats: the metric.
        clusters: cluster of each item, usually the story id.
        seed: seed of the resampling.
        resamples: number of resamples.
        level: coverage, between 0 and 1.

    Returns:
        The figure of all items, and the (1 - level) / 2 and (1 + level) / 2 quantiles of the
        resampled figures (Efron and Tibshirani 1993, chapter 13).

    Raises:
        UsageError: a length, number or level that cannot be used.
    """
    same_length(rows=stats.rows, clusters=clusters)
    if resamples < 1 or not 0.0 < level < 1.0:
        raise UsageError(
            f"resamples={resamples}, level={level}: give at least one resample and a level "
            "between 0 and 1, for example resamples=1000, level=0.95"
        )
    value = stats.figure
    if not len(clusters):
        return Figure(value, value, value, stats.n, stats.variant)
    figures = stats.value(_resampled_totals(_cluster_totals(stats.rows, clusters), seed, resamples))
    low, high = np.quantile(figures, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return Figure(value, float(low), float(high), stats.n, stats.variant)


def _cluster_totals(rows: Array, clusters: Sequence[str]) -> Array:
    """Sums within clusters in the order of the sorted cluster ids, shape (C, k)."""
    _, index, counts = np.unique(np.asarray(clusters), return_inverse=True, return_counts=True)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    # Sorting the values too makes the rounding independent of the items' order.
    sums = [np.add.reduceat(column[np.lexsort((column, index))], starts) for column in rows.T]
    return np.stack(sums, axis=-1)


def _resampled_totals(totals: Array, seed: int, resamples: int) -> Array:
    """Totals of each resample of the clusters, shape (resamples, k)."""
    size = len(totals)
    generator = np.random.default_rng(seed)
    chunk = max(1, min(resamples, _CHUNK_CELLS // size))
    parts = []
    for first in range(0, resamples, chunk):
        number = min(chunk, resamples - first)
        drawn = generator.integers(size, size=(number, size))
        drawn += np.arange(number)[:, None] * size
        counts = np.bincount(drawn.ravel(), minlength=number * size).reshape(number, size)
        parts.append(counts.astype(np.float64) @ totals)
    return np.concatenate(parts)
