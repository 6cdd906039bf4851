# SPDX-License-Identifier: Apache-2.0
"""Metrics as sums: each is a row of sufficient statistics an item and a function of totals.

    base            Stats, Figure and the common shapes (mean, ratio, F1)
    bootstrap       intervals by resampling whole stories
    text            ROUGE, GLEU, BLEU, METEOR, lengths, extractiveness
    wordnet         the synonym table behind METEOR
    classification  accuracy, F1, multi-label and contrastive scores, calibration
    revision        which sentences of a story were changed, and how well

A `Stats` holds both; `interval` makes it a `Figure` with a bootstrap interval over stories.
"""

from reasoners.metrics.base import Figure, Stats
from reasoners.metrics.bootstrap import interval

__all__ = ["Figure", "Stats", "interval"]
