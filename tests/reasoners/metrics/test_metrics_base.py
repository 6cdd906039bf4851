# SPDX-License-Identifier: Apache-2.0
"""The common shapes: totals, means, ratios, F1."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import UsageError
from reasoners.metrics.base import Stats, divide, f1_stats, mean_stats, ratio_stats, same_length

UNIT = st.floats(0.0, 1.0)


@given(st.lists(UNIT, min_size=1, max_size=30))
def test_mean_is_the_rounded_mean(values):
    stats = mean_stats("m", "v", values)
    assert stats.figure == 100.0 * (math.fsum(values) / len(values))
    assert stats.n == len(values)


@given(st.lists(UNIT, min_size=1, max_size=30), st.randoms())
def test_the_order_of_items_does_not_change_the_last_bit(values, rng: random.Random):
    shuffled = list(values)
    rng.shuffle(shuffled)
    assert mean_stats("m", "v", values).figure == mean_stats("m", "v", shuffled).figure


def test_masked_items_do_not_count():
    stats = mean_stats("m", "v", [1.0, 0.0, 0.5], [True, False, True])
    assert stats.figure == 75.0
    assert stats.n == 2
    assert stats.rows.tolist() == [[1.0, 1.0], [0.0, 0.0], [0.5, 1.0]]


def test_nothing_scores_zero():
    assert mean_stats("m", "v", []).figure == 0.0
    assert mean_stats("m", "v", [1.0], [False]).figure == 0.0
    assert ratio_stats("r", "v", [0.0], [0.0]).figure == 0.0
    assert f1_stats("f", "v", [0], [0], [0]).figure == 0.0


def test_ratio_pools():
    assert ratio_stats("r", "v", [1, 0], [1, 3]).figure == 25.0


def test_f1_is_the_harmonic_mean():
    precision, recall = 2 / 4, 2 / 3
    expected = 200 * precision * recall / (precision + recall)
    assert f1_stats("f", "v", [1, 1], [3, 1], [1, 2]).figure == pytest.approx(expected, abs=1e-12)


def test_value_takes_many_totals_at_once():
    stats = ratio_stats("r", "v", [1, 1], [2, 4])
    assert stats.value(np.array([[[1.0, 2.0], [0.0, 0.0]]])).tolist() == [[50.0, 0.0]]
    assert stats.per_item().tolist() == [50.0, 25.0]


def test_divide_names_its_zero():
    assert divide(np.array([0.0, 1.0]), np.array([0.0, 2.0]), empty=1.0).tolist() == [1.0, 0.5]


def test_lists_of_different_lengths_are_refused():
    with pytest.raises(UsageError, match=r"'a': 1, 'b': 2"):
        same_length(a=[1], b=[1, 2])


@pytest.mark.parametrize("rows", [np.array([[np.nan]]), np.zeros(3)])
def test_rows_must_be_a_finite_matrix(rows):
    with pytest.raises(UsageError, match="finite matrix"):
        Stats("m", "v", rows, lambda totals: totals[..., 0], 1)
