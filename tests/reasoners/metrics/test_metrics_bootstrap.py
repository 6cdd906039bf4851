# SPDX-License-Identifier: Apache-2.0
"""Intervals: clusters, seeds, order, memory."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.errors import UsageError
from reasoners.metrics import bootstrap, interval
from reasoners.metrics.base import mean_stats
from reasoners.metrics.text import bleu


def _example(size: int = 60, seed: int = 0) -> tuple[list[float], list[str]]:
    rng = random.Random(seed)
    return [rng.random() for _ in range(size)], [f"story{rng.randrange(15)}" for _ in range(size)]


def test_same_seed_same_interval():
    values, clusters = _example()
    stats = mean_stats("m", "v", values)
    assert interval(stats, clusters, seed=3) == interval(stats, clusters, seed=3)
    assert interval(stats, clusters, seed=3) != interval(stats, clusters, seed=4)


@settings(max_examples=25)
@given(st.randoms(use_true_random=False))
def test_the_order_of_items_does_not_matter(rng: random.Random):
    values, clusters = _example()
    order = list(range(len(values)))
    rng.shuffle(order)
    first = interval(mean_stats("m", "v", values), clusters, seed=1, resamples=50)
    second = interval(
        mean_stats("m", "v", [values[i] for i in order]),
        [clusters[i] for i in order],
        seed=1,
        resamples=50,
    )
    assert first == second


def test_equals_resampling_of_items_by_hand():
    values, clusters = _example()
    stats = mean_stats("m", "v", values)
    names = sorted(set(clusters))
    generator = np.random.default_rng(7)
    figures = []
    for drawn in generator.integers(len(names), size=(200, len(names))):
        picked = [v for d in drawn for v, c in zip(values, clusters, strict=True) if c == names[d]]
        figures.append(100.0 * sum(picked) / len(picked))
    low, high = np.quantile(figures, [0.05, 0.95])
    figure = interval(stats, clusters, seed=7, resamples=200, level=0.9)
    assert figure.value == stats.figure
    assert figure.low == pytest.approx(low, abs=1e-9)
    assert figure.high == pytest.approx(high, abs=1e-9)
    assert (figure.n, figure.variant) == (60, "v")


def test_chunks_do_not_change_the_draws(monkeypatch):
    values, clusters = _example()
    stats = mean_stats("m", "v", values)
    whole = interval(stats, clusters, seed=5, resamples=100)
    monkeypatch.setattr(bootstrap, "_CHUNK_CELLS", 7 * len(set(clusters)))
    cut = interval(stats, clusters, seed=5, resamples=100)
    assert cut.low == pytest.approx(whole.low, abs=1e-12)
    assert cut.high == pytest.approx(whole.high, abs=1e-12)


def test_covers_the_mean_about_as_often_as_it_says():
    covered = 0
    for seed in range(100):
        rng = np.random.default_rng(seed)
        values = rng.random(200)
        figure = interval(
            mean_stats("m", "v", values), [str(i) for i in range(200)], seed=seed, resamples=200
        )
        covered += figure.low <= 50.0 <= figure.high
    assert 88 <= covered <= 99


def test_clusters_widen_the_interval():
    values = [float(story % 2) for story in range(20) for _ in range(10)]
    stats = mean_stats("m", "v", values)
    stories = interval(stats, [str(story) for story in range(20) for _ in range(10)], seed=0)
    items = interval(stats, [str(item) for item in range(200)], seed=0)
    assert stories.high - stories.low > 2 * (items.high - items.low)


def test_one_cluster_has_no_width():
    figure = interval(mean_stats("m", "v", [0.0, 1.0]), ["a", "a"], seed=0)
    assert (figure.low, figure.value, figure.high) == (50.0, 50.0, 50.0)


def test_no_items():
    figure = interval(mean_stats("m", "v", []), [], seed=0)
    assert (figure.low, figure.value, figure.high, figure.n) == (0.0, 0.0, 0.0, 0)


def test_resamples_that_miss_every_counted_item_stay_finite():
    stats = mean_stats("m", "v", [1.0, 0.0], [True, False])
    figure = interval(stats, ["a", "b"], seed=0)
    assert (figure.low, figure.high) == (0.0, 100.0)


def test_figures_that_are_no_means_can_be_resampled():
    stats = bleu(["a b c d e", "x y"] * 5, ["a b c d f", "x z"] * 5)
    figure = interval(stats, [str(i) for i in range(10)], seed=0, resamples=50)
    assert 0.0 <= figure.low <= figure.value <= figure.high <= 100.0


@pytest.mark.parametrize("options", [{"resamples": 0}, {"level": 0.0}, {"level": 1.0}])
def test_bad_options_are_refused(options):
    with pytest.raises(UsageError, match="resamples="):
        interval(mean_stats("m", "v", [1.0]), ["a"], seed=0, **options)


def test_a_cluster_for_each_item():
    with pytest.raises(UsageError, match="different lengths"):
        interval(mean_stats("m", "v", [1.0]), [], seed=0)
