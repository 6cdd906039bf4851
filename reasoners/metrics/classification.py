# SPDX-License-Identifier: Apache-2.0
"""Scores of labels, label sets, pairs of answers and stated confidences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Sequence

import numpy as np

from graph.errors import UsageError
from reasoners.metrics.base import (
    Array,
    Stats,
    columns,
    divide,
    f1_of,
    f1_stats,
    mean_stats,
    same_length,
)


def accuracy(predictions: Sequence[Hashable], gold: Sequence[Hashable]) -> Stats:
    """Share of items with the right label; None, for no answer, is wrong.

    Returns:
        Rows of (right, 1).
    """
    same_length(predictions=predictions, gold=gold)
    right = [_same(one, other) for one, other in zip(predictions, gold, strict=True)]
    return mean_stats("accuracy", "share of items, no answer is wrong", right)


def macro_f1(
    predictions: Sequence[Hashable], gold: Sequence[Hashable], classes: Sequence[Hashable]
) -> Stats:
    """Mean of the classes' F1 as in sklearn, 0/0 = 0 (POQue, task 5).

    Args:
        predictions: n labels; one outside `classes`, such as None, is a miss for its gold class
            and no claim of any class.
        gold: n labels, all in `classes`.
        classes: the classes to average over, also those that do not occur.

    Returns:
        Rows of (hit, predicted, gold) for each class, shape (n, 3 * classes).

    Raises:
        UsageError: no class, or a gold label outside `classes`.
    """
    same_length(predictions=predictions, gold=gold)
    outside = sorted(map(repr, set(gold) - set(classes)))
    if not classes or outside:
        raise UsageError(
            f"macro F1 over the classes {list(classes)!r}: the gold labels {outside} are not "
            "among them; list every class"
        )
    rows = _label_rows(
        [{label} for label in predictions], [{label} for label in gold], list(classes)
    )
    variant = f"mean of F1 over the {len(classes)} classes, 0/0 = 0"
    return Stats("macro_f1", variant, rows, _mean_f1, len(rows))


def subset_accuracy(
    predictions: Sequence[Collection[str]], gold: Sequence[Collection[str]]
) -> Stats:
    """Share of items whose set of labels is exactly right (POQue, task 4).

    Returns:
        Rows of (right, 1).
    """
    same_length(predictions=predictions, gold=gold)
    right = [set(one) == set(other) for one, other in zip(predictions, gold, strict=True)]
    return mean_stats("subset_accuracy", "share of items with exactly the gold labels", right)


def hamming(predictions: Sequence[Collection[str]], gold: Sequence[Collection[str]]) -> Stats:
    """Hamming score: mean of |Y and Z| / |Y or Z| (POQue, task 4); 0/0 is 1.

    Returns:
        Rows of (score, 1).
    """
    same_length(predictions=predictions, gold=gold)
    scores = []
    for one, other in zip(map(set, predictions), map(set, gold), strict=True):
        scores.append(len(one & other) / len(one | other) if one | other else 1.0)
    return mean_stats("hamming", "mean of |Y and Z| / |Y or Z|, 0/0 = 1", scores)


def multilabel_macro_f1(
    predictions: Sequence[Collection[str]],
    gold: Sequence[Collection[str]],
    labels: Sequence[str],
) -> Stats:
    """Mean over labels of the F1 of the label being present, 0/0 = 0.

    Args:
        predictions: n sets of labels; what is not in `labels` is ignored.
        gold: n sets of labels.
        labels: the labels to average over.

    Returns:
        Rows of (hit, predicted, gold) for each label, shape (n, 3 * labels).
    """
    rows = _label_rows(predictions, gold, labels)
    variant = f"mean of positive-class F1 over the {len(labels)} labels, 0/0 = 0"
    return Stats("macro_f1", variant, rows, _mean_f1, len(rows))


def multilabel_macro_f1_two_class(
    predictions: Sequence[Collection[str]],
    gold: Sequence[Collection[str]],
    labels: Sequence[str],
) -> Stats:
    """Mean over labels and both classes (present, absent) of F1, 0/0 = 0.

    A constant answer does well here: absence is the frequent class.

    Args:
        predictions: n sets of labels; what is not in `labels` is ignored.
        gold: n sets of labels.
        labels: the labels to average over.

    Returns:
        Rows of (hit, predicted, gold) for each label's presence, then for each label's absence,
        shape (n, 6 * labels).
    """
    present = _label_rows(predictions, gold, labels)
    everything = frozenset(labels)
    absent = _label_rows(
        [everything.difference(found) for found in predictions],
        [everything.difference(found) for found in gold],
        labels,
    )
    rows = np.concatenate([present, absent], axis=1)
    variant = f"mean of F1 over both classes of the {len(labels)} labels, 0/0 = 0"
    return Stats("macro_f1_two_class", variant, rows, _mean_f1, len(rows))


def contrastive_accuracy(correct: Sequence[bool], pairs: Sequence[Hashable]) -> Stats:
    """Share of pairs with both items right (PASTA, state inference).

    Args:
        correct: whether each of n items is right.
        pairs: key of each item's pair.

    Returns:
        Rows of (both right, 1) at the first item of a pair, (0, 0) at the second; `n` is the
        number of pairs. Both items of a pair must be in the same cluster of a bootstrap.

    Raises:
        UsageError: a key without exactly two items.
    """
    same_length(correct=correct, pairs=pairs)
    for pair, size in Counter(pairs).items():
        if size != 2:
            raise UsageError(
                f"contrastive pair {pair!r} has {size} items; give exactly two items to each pair"
            )
    wrong = {pair for right, pair in zip(correct, pairs, strict=True) if not right}
    seen: set[Hashable] = set()
    first = []
    for pair in pairs:
        first.append(pair not in seen)
        seen.add(pair)
    both = [pair not in wrong for pair in pairs]
    return mean_stats("contrastive_accuracy", "share of pairs with both items right", both, first)


def f1_empty(predictions: Sequence[str], references: Sequence[str]) -> Stats:
    """F1 of answering with nothing where the reference is empty ("no changes" in POQue).

    White space counts as empty. Phrases such as "no changes" do not: map them to "" first.

    Returns:
        Rows of (both empty, prediction empty, reference empty). 0/0 is 0.
    """
    same_length(predictions=predictions, references=references)
    predicted = np.array([not text.strip() for text in predictions], dtype=bool)
    gold = np.array([not text.strip() for text in references], dtype=bool)
    return f1_stats("f1_empty", "F1 of the empty text, pooled", predicted & gold, predicted, gold)


def calibration_error(
    confidences: Sequence[float], correct: Sequence[bool], *, bins: int = 10
) -> Stats:
    """Expected calibration error over bins of equal width (Guo et al. 2017, section 2).

    Bin i holds confidences in [i / bins, (i + 1) / bins), the last one 1 too.

    Args:
        confidences: n probabilities that the answer is right.
        correct: whether it is.
        bins: number of bins.

    Returns:
        Rows of (items, confidence, right) for each bin, shape (n, 3 * bins). No items give 0.

    Raises:
        UsageError: a confidence outside 0..1, or no bin.
    """
    same_length(confidences=confidences, correct=correct)
    values = np.asarray(confidences, dtype=np.float64)
    if bins < 1 or not ((values >= 0.0) & (values <= 1.0)).all():
        raise UsageError(
            f"calibration error with bins={bins} and confidences {_range(values)}: give at "
            "least one bin and probabilities between 0 and 1"
        )
    place = np.searchsorted(np.arange(1, bins) / bins, values, side="right")
    rows = np.zeros((len(values), bins, 3))
    rows[np.arange(len(values)), place] = columns(np.ones(len(values)), values, correct)

    def value(totals: Array) -> Array:
        by_bin = totals.reshape(*totals.shape[:-1], bins, 3)
        gaps: Array = np.abs(by_bin[..., 1] - by_bin[..., 2]).sum(axis=-1)
        return 100.0 * divide(gaps, by_bin[..., 0].sum(axis=-1))

    return Stats(
        "calibration_error",
        f"expected calibration error, {bins} bins of equal width",
        rows.reshape(len(values), 3 * bins),
        value,
        len(values),
        higher_is_better=False,
    )


def _same(one: Hashable, other: Hashable) -> bool:
    return one is not None and one == other


def _label_rows(
    predictions: Sequence[Collection[Hashable]],
    gold: Sequence[Collection[Hashable]],
    labels: Sequence[Hashable],
) -> Array:
    """(hit, predicted, gold) of each label and item, shape (n, 3 * labels)."""
    same_length(predictions=predictions, gold=gold)
    predicted = np.array([[label in found for label in labels] for found in predictions], bool)
    actual = np.array([[label in found for label in labels] for found in gold], bool)
    rows = columns(predicted & actual, predicted, actual)
    return rows.reshape(len(gold), 3 * len(labels))


def _mean_f1(totals: Array) -> Array:
    """Mean F1 in percent from totals (..., 3 * classes)."""
    by_class = totals.reshape(*totals.shape[:-1], -1, 3)
    mean: Array = 100.0 * f1_of(by_class).mean(axis=-1)
    return mean


def _range(values: Array) -> str:
    return f"from {values.min()} to {values.max()}" if len(values) else "(none)"
