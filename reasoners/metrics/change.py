# SPDX-License-Identifier: Apache-2.0
"""POQue's change summaries, a quarter of which are empty ("no changes").

How empty ones are scored decides the figure (a constant can beat every published system), so
the conventions are metrics of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from reasoners.metrics.base import Stats, mean_stats
from reasoners.metrics.classification import f1_empty
from reasoners.metrics.text import rouge

NO_CHANGES = "no changes"


def change_summary_stats(
    predictions: Sequence[str], references: Sequence[str], participants: Sequence[str]
) -> list[Stats]:
    """The four readings of a change summary.

    Args:
        predictions: n outputs, empty for no changes.
        references: n references, empty for no changes.
        participants: n names of the participant, for the template words.

    Returns:
        F1 of emptiness; ROUGE-L over the non-empty references; the same with the words of the
        template (participant, `changed`, `'s`) taken out on both sides; ROUGE-L over all with
        empty texts written as `no changes`.
    """
    kept = [bool(text.strip()) for text in references]
    scores = rouge("rouge_l", predictions, references, stemmer=True)
    bare = rouge(
        "rouge_l",
        [without_template(*pair) for pair in zip(predictions, participants, strict=True)],
        [without_template(*pair) for pair in zip(references, participants, strict=True)],
        stemmer=True,
    )
    written = rouge(
        "rouge_l",
        [text.strip() or NO_CHANGES for text in predictions],
        [text.strip() or NO_CHANGES for text in references],
        stemmer=True,
    )
    return [
        replace(f1_empty(predictions, references), name="empty_f1"),
        mean_stats(
            "rouge_l_nonempty",
            f"{scores.variant}; non-empty references only",
            scores.per_item() / 100.0,
            mask=kept,
        ),
        mean_stats(
            "rouge_l_nonempty_no_template",
            f"{scores.variant}; non-empty references only, without the template's words",
            bare.per_item() / 100.0,
            mask=kept,
        ),
        replace(
            written,
            name="rouge_l_empty_as_text",
            variant=f"{written.variant}; empty written as '{NO_CHANGES}' on both sides",
        ),
    ]


def without_template(text: str, participant: str) -> str:
    """Drops the participant, `changed` and `'s` from a change summary."""
    name = participant.strip().rstrip(",").strip()
    if name:
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", text, flags=re.IGNORECASE)
    text = re.sub(r"\bchanged\b|['’]\s?s\b", " ", text, flags=re.IGNORECASE)
    return " ".join(text.split())
