# SPDX-License-Identifier: Apache-2.0
"""Label scores against their definitions, written out plainly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.errors import UsageError
from reasoners.metrics import classification as c
from reasoners.metrics import interval

LABELS = ("Existence", "Feeling", "Location", "Possession", "Other_Way")
CLASS = st.sampled_from(["yes", "no", "either"])
SETS = st.frozensets(st.sampled_from(LABELS))
SET_PAIRS = st.lists(st.tuples(SETS, SETS), min_size=1, max_size=12)


def _split(pairs):
    return [one for one, _ in pairs], [other for _, other in pairs]


def _f1(predicted: list[bool], gold: list[bool]) -> float:
    hits = sum(p and g for p, g in zip(predicted, gold, strict=True))
    if not hits:
        return 0.0
    precision, recall = hits / sum(predicted), hits / sum(gold)
    return 2 * precision * recall / (precision + recall)


@given(st.lists(st.tuples(st.one_of(st.none(), CLASS), CLASS), min_size=1, max_size=20))
def test_accuracy_and_macro_f1_follow_their_definitions(pairs):
    predictions, gold = _split(pairs)
    right = sum(p == g for p, g in pairs)
    assert c.accuracy(predictions, gold).figure == pytest.approx(100 * right / len(pairs))
    classes = ["yes", "no", "either"]
    scores = [_f1([p == k for p in predictions], [g == k for g in gold]) for k in classes]
    figure = c.macro_f1(predictions, gold, classes).figure
    assert figure == pytest.approx(100 * sum(scores) / 3)


def test_no_answer_is_wrong_even_against_no_label():
    assert c.accuracy([None, "a"], [None, "a"]).figure == 50.0


def test_macro_f1_counts_classes_that_do_not_occur():
    assert c.macro_f1(["a"], ["a"], ["a", "b"]).figure == 50.0


def test_macro_f1_works_on_truth_values():
    figure = c.macro_f1([True] * 4, [True, True, True, False], [False, True]).figure
    assert figure == pytest.approx(100 * (6 / 7) / 2)


def test_macro_f1_refuses_unlisted_gold():
    with pytest.raises(UsageError, match="'c'"):
        c.macro_f1(["a"], ["c"], ["a", "b"])
    with pytest.raises(UsageError, match="every class"):
        c.macro_f1([], [], [])


@given(SET_PAIRS)
def test_multilabel_scores_follow_their_definitions(pairs):
    predictions, gold = _split(pairs)
    n = len(pairs)
    assert c.subset_accuracy(predictions, gold).figure == pytest.approx(
        100 * sum(p == g for p, g in pairs) / n
    )
    assert c.hamming(predictions, gold).figure == pytest.approx(
        100 * sum(len(p & g) / len(p | g) if p | g else 1.0 for p, g in pairs) / n
    )
    present = [_f1([k in p for p in predictions], [k in g for g in gold]) for k in LABELS]
    absent = [_f1([k not in p for p in predictions], [k not in g for g in gold]) for k in LABELS]
    assert c.multilabel_macro_f1(predictions, gold, LABELS).figure == pytest.approx(
        100 * sum(present) / 5
    )
    assert c.multilabel_macro_f1_two_class(predictions, gold, LABELS).figure == pytest.approx(
        100 * sum(present + absent) / 10
    )


@given(st.lists(SETS, min_size=1, max_size=8))
def test_gold_against_itself_is_perfect(gold):
    assert c.subset_accuracy(gold, gold).figure == 100.0
    assert c.hamming(gold, gold).figure == 100.0
    both = [*gold, frozenset(LABELS), frozenset()]
    assert c.multilabel_macro_f1(both, both, LABELS).figure == 100.0
    assert c.multilabel_macro_f1_two_class(both, both, LABELS).figure == 100.0


def test_labels_may_come_as_lists_and_unknown_ones_are_ignored():
    assert c.multilabel_macro_f1([["a", "z"]], [("a",)], ["a"]).figure == 100.0
    assert c.subset_accuracy([["b", "a"]], [["a", "b"]]).figure == 100.0


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=10), st.randoms())
def test_contrastive_accuracy_needs_both(pairs, rng):
    items = [(right, str(key)) for key, pair in enumerate(pairs) for right in pair]
    rng.shuffle(items)
    correct, keys = _split(items)
    stats = c.contrastive_accuracy(correct, keys)
    assert stats.n == len(pairs)
    assert stats.figure == pytest.approx(100 * sum(a and b for a, b in pairs) / len(pairs))
    assert stats.rows.shape == (2 * len(pairs), 2)


def test_contrastive_rows_sit_on_the_first_item_of_a_pair():
    stats = c.contrastive_accuracy([True, False, True, True], ["p", "q", "p", "q"])
    assert stats.rows.tolist() == [[1.0, 1.0], [0.0, 1.0], [0.0, 0.0], [0.0, 0.0]]
    assert interval(stats, ["s", "t", "s", "t"], seed=0, resamples=20).value == 50.0


@pytest.mark.parametrize("keys", [["p"], ["p", "p", "p"], ["p", "q"]])
def test_contrastive_pairs_have_two_items(keys):
    with pytest.raises(UsageError, match="exactly two items"):
        c.contrastive_accuracy([True] * len(keys), keys)


def test_f1_empty():
    stats = c.f1_empty(["", " \n", "text", ""], ["", "text", "", ""])
    assert stats.rows.sum(axis=0).tolist() == [2.0, 3.0, 3.0]
    assert stats.figure == pytest.approx(100 * 2 / 3)
    assert c.f1_empty(["text"], ["text"]).figure == 0.0
    assert c.f1_empty([""], [""]).figure == 100.0


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=30))
def test_calibration_error_follows_its_definition(pairs):
    confidences, correct = _split(pairs)
    error = 0.0
    for place in range(10):
        low, high = place / 10, (place + 1) / 10
        inside = [(p, r) for p, r in pairs if low <= p < high or (place == 9 and p == 1.0)]
        if inside:
            confidence = sum(p for p, _ in inside) / len(inside)
            right = sum(r for _, r in inside) / len(inside)
            error += len(inside) / len(pairs) * abs(confidence - right)
    stats = c.calibration_error(confidences, correct)
    assert stats.figure == pytest.approx(100 * error, abs=1e-9)
    assert stats.higher_is_better is False
    assert stats.rows.shape == (len(pairs), 30)


def test_calibration_error_of_the_certain():
    assert c.calibration_error([1.0, 0.0], [True, False]).figure == 0.0
    assert c.calibration_error([1.0, 0.0], [False, True]).figure == 100.0
    # .3 * 10 is above 3 in floating point, .3 must still open the fourth bin.
    assert c.calibration_error([0.3], [True]).rows[0, 9] == 1.0


@pytest.mark.parametrize(
    ("confidences", "options"), [([1.5], {}), ([float("nan")], {}), ([0.5], {"bins": 0})]
)
def test_calibration_error_refuses_what_is_no_probability(confidences, options):
    with pytest.raises(UsageError, match="probabilities between 0 and 1"):
        c.calibration_error(confidences, [True], **options)


def test_no_items():
    for stats in (
        c.accuracy([], []),
        c.macro_f1([], [], ["a", "b"]),
        c.subset_accuracy([], []),
        c.hamming([], []),
        c.multilabel_macro_f1([], [], LABELS),
        c.multilabel_macro_f1_two_class([], [], LABELS),
        c.contrastive_accuracy([], []),
        c.f1_empty([], []),
        c.calibration_error([], []),
    ):
        assert (stats.figure, stats.n) == (0.0, 0)


def test_lists_of_different_lengths_are_refused():
    for metric in (c.accuracy, c.subset_accuracy, c.hamming, c.contrastive_accuracy, c.f1_empty):
        with pytest.raises(UsageError, match="different lengths"):
            metric(["a"], [])
    with pytest.raises(UsageError, match="different lengths"):
        c.calibration_error([0.5], [])
