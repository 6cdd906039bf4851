# SPDX-License-Identifier: Apache-2.0
"""The common form of every metric: rows of sufficient statistics, and a function of totals.

A figure over a set of items depends only on the sum of the items' rows, so a bootstrap
resample is a weighted sum and a thousand of them one matrix product.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence, Sized
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from graph.errors import UsageError

Array = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Stats:
    """Sufficient statistics of one metric on one list of items.

    Raises:
        UsageError: `rows` is no matrix of finite numbers.
    """

    name: str
    """Key in results.json, for example `rouge_l`."""
    variant: str
    """The exact variant in words, for example `rouge_score 0.1.2, F, stemmer, mean over items`."""
    rows: Array
    """Shape (n items, k statistics); row i belongs to item i."""
    value: Callable[[Array], Array]
    """Maps totals (..., k) to figures (...), in `unit`; never NaN."""
    n: int
    """What the figure counts: items, or pairs, non-empty items, sentences."""
    higher_is_better: bool | None = True
    """None where neither direction is better, as for lengths."""
    unit: str = "percent"
    """Unit of the figure; `percent` runs from 0 to 100."""

    def __post_init__(self) -> None:
        if self.rows.ndim != 2 or not np.isfinite(self.rows).all():
            raise UsageError(
                f"metric {self.name}: rows must be a finite matrix (items, statistics), not shape "
                f"{self.rows.shape} with {int((~np.isfinite(self.rows)).sum())} non-finite values"
            )

    @property
    def totals(self) -> Array:
        """Sums over all items, shape (k,), rounded once so that item order cannot matter."""
        return np.array([math.fsum(column) for column in self.rows.T], dtype=np.float64)

    @property
    def figure(self) -> float:
        """The metric over all items."""
        return float(self.value(self.totals))

    def per_item(self) -> Array:
        """The metric of each item alone, shape (n,): for correlations, not for averaging."""
        return self.value(self.rows)


@dataclass(frozen=True)
class Figure:
    """A figure with its interval."""

    value: float
    """The metric over all items."""
    low: float
    """Lower end of the interval."""
    high: float
    """Upper end of the interval."""
    n: int
    """What the figure counts, see `Stats.n`."""
    variant: str
    """The exact variant in words."""


def same_length(**lists: Sized) -> int:
    """The common length of the named lists.

    Raises:
        UsageError: the lengths differ.
    """
    lengths = {name: len(items) for name, items in lists.items()}
    if len(set(lengths.values())) > 1:
        raise UsageError(f"lists of different lengths: {lengths}; give one entry an item in each")
    return next(iter(lengths.values()))


def divide(numerator: Array, denominator: Array, empty: float = 0.0) -> Array:
    """Elementwise quotient with `empty` where the denominator is 0."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    quotient = np.full(numerator.shape, empty, dtype=np.float64)
    return np.divide(numerator, denominator, out=quotient, where=denominator != 0)


def columns(*values: npt.ArrayLike) -> Array:
    """Stacks k lists of n numbers into rows, shape (n, k)."""
    return np.stack([np.asarray(column, dtype=np.float64) for column in values], axis=-1)


def mean_stats(
    name: str,
    variant: str,
    values: npt.ArrayLike,
    mask: Sequence[bool] | None = None,
    *,
    scale: float = 100.0,
    higher_is_better: bool | None = True,
    unit: str = "percent",
) -> Stats:
    """The mean of `values`, times `scale`; the mean of nothing is 0.

    Args:
        name: key of the metric.
        variant: its exact variant in words.
        values: one number an item.
        mask: False for the items to leave out; None keeps all.
        scale: 100 for values in 0..1 shown as percent.
        higher_is_better: see `Stats`.
        unit: see `Stats`.

    Returns:
        Rows of (value, 1), or (0, 0) for an item left out.
    """
    numbers = np.asarray(values, dtype=np.float64)
    kept = np.ones(len(numbers)) if mask is None else np.asarray(mask, dtype=np.float64)
    same_length(values=numbers, mask=kept)
    return ratio_stats(
        name,
        variant,
        np.where(kept > 0, numbers, 0.0),
        kept,
        n=int(kept.sum()),
        scale=scale,
        higher_is_better=higher_is_better,
        unit=unit,
    )


def ratio_stats(
    name: str,
    variant: str,
    numerators: npt.ArrayLike,
    denominators: npt.ArrayLike,
    *,
    n: int | None = None,
    scale: float = 100.0,
    higher_is_better: bool | None = True,
    unit: str = "percent",
) -> Stats:
    """The sum of `numerators` over the sum of `denominators`, times `scale`; 0/0 is 0.

    Args:
        name: key of the metric.
        variant: its exact variant in words.
        numerators: one number an item.
        denominators: one number an item.
        n: what the figure counts; None for the number of items.
        scale: 100 for percent.
        higher_is_better: see `Stats`.
        unit: see `Stats`.

    Returns:
        Rows of (numerator, denominator).
    """
    rows = columns(numerators, denominators)

    def value(totals: Array) -> Array:
        return scale * divide(totals[..., 0], totals[..., 1])

    return Stats(name, variant, rows, value, len(rows) if n is None else n, higher_is_better, unit)


def f1_of(totals: Array) -> Array:
    """F1 from (hits, predicted, gold) in the last axis, in 0..1; 0/0 is 0 as in sklearn."""
    return divide(2.0 * totals[..., 0], totals[..., 1] + totals[..., 2])


def f1_stats(
    name: str,
    variant: str,
    hits: npt.ArrayLike,
    predicted: npt.ArrayLike,
    gold: npt.ArrayLike,
) -> Stats:
    """Micro F1 in percent from each item's counts; 0/0 is 0.

    Returns:
        Rows of (hits, predicted, gold).
    """
    rows = columns(hits, predicted, gold)
    return Stats(name, variant, rows, lambda totals: 100.0 * f1_of(totals), len(rows))
