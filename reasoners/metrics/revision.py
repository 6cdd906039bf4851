# SPDX-License-Identifier: Apache-2.0
"""Story revision: which of the sentences were changed, and how well.

Copying the story beats every published system in GLEU and ROUGE over the whole text (PASTA,
Table 8), so these metrics look at the changed sentences alone.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import numpy.typing as npt

from graph.errors import UsageError
from reasoners.metrics.base import (
    Stats,
    f1_of,
    f1_stats,
    mean_stats,
    ratio_stats,
    same_length,
)
from reasoners.metrics.text import gleu, rouge

Output = Sequence[str] | str | None
"""A revised story: its sentences, one text, or None for no revision (the story unchanged)."""

_MAX_PIECES = 30
"""Pieces a gap is cut into at most: keeps the alignment of runaway output fast."""

_END = re.compile(r"""[.!?]["'”’)\]]*$""")
_BREAK = re.compile(r"""(?:(?<=[.!?])|(?<=[.!?]["'”’)\]]))\s+""")
_WORD = re.compile(r"\w+")


def as_text(story: Sequence[str], output: Output) -> str:
    """The revised story as one text, for scores over the whole story.

    Sentences are joined by one space (PASTA's ROUGE and GLEU); no revision is the story itself.
    """
    if isinstance(output, str):
        return output
    return " ".join(story if output is None else output)


def as_sentences(story: Sequence[str], output: Output) -> tuple[str, ...]:
    """The revised story as one text for each sentence of the story.

    Raises:
        UsageError: a list of another length than the story.
    """
    if isinstance(output, str):
        return align(story, output)
    revised = tuple(story if output is None else output)
    if len(revised) != len(story):
        raise UsageError(
            f"a revised story has {len(revised)} sentences and the story {len(story)}: "
            f"{revised!r}; give one for each, or the revision as one text"
        )
    return revised


def align(story: Sequence[str], output: str) -> tuple[str, ...]:
    """Cuts a revised story in one text into one segment for each sentence of the story.

    1. White space is reduced to single spaces, on both sides.
    2. The largest set of story sentences that occur in the output verbatim, in order and as
       whole sentences become anchors: the unchanged sentences.
    3. The text between two anchors goes to the sentences between them. It is split after
       . ! ? and a space. As many pieces as sentences: one each. Otherwise the split into
       consecutive groups, also empty ones, that shares most words with the sentences (sum of
       word F1); at equal scores the earlier sentences get the pieces.
    4. Text between neighbouring anchors is an insertion: it is added to the sentence before
       it (at the start of the output to the first), which thereby counts as changed.

    Nothing is lost: the segments joined by spaces are the output but for white space.

    Args:
        story: the m sentences of the story.
        output: the revised story.

    Returns:
        m segments; an unchanged sentence is given exactly as in `story`, a deleted one as "".
    """
    return _align(tuple(story), output)


def changed_sentence_f1(
    stories: Sequence[Sequence[str]], gold: Sequence[Sequence[str]], outputs: Sequence[Output]
) -> Stats:
    """F1 of the sentences that the output changes against those that gold changes, pooled.

    A sentence is changed if it is not the same string as in the story.

    Args:
        stories: n stories, lists of sentences.
        gold: n gold revisions, as many sentences as the story.
        outputs: n revisions.

    Returns:
        Rows of (changed in both, in the output, in gold). 0/0 is 0.
    """
    predicted, actual = _changes(stories, gold, outputs)
    both = _counts(predicted, actual)
    variant = "F1 of changed sentences, pooled over items"
    return f1_stats("changed_sentence_f1", variant, both, _counts(predicted), _counts(actual))


def changed_sentence_precision(
    stories: Sequence[Sequence[str]], gold: Sequence[Sequence[str]], outputs: Sequence[Output]
) -> Stats:
    """Share of the changed sentences that gold changes too, pooled; arguments as for F1.

    Returns:
        Rows of (changed in both, in the output). 0/0 is 0.
    """
    predicted, actual = _changes(stories, gold, outputs)
    variant = "precision of changed sentences, pooled over items"
    both = _counts(predicted, actual)
    return ratio_stats("changed_sentence_precision", variant, both, _counts(predicted))


def changed_sentence_recall(
    stories: Sequence[Sequence[str]], gold: Sequence[Sequence[str]], outputs: Sequence[Output]
) -> Stats:
    """Share of gold's changed sentences that the output changes, pooled; arguments as for F1.

    Returns:
        Rows of (changed in both, in gold). 0/0 is 0.
    """
    predicted, actual = _changes(stories, gold, outputs)
    variant = "recall of changed sentences, pooled over items"
    both = _counts(predicted, actual)
    return ratio_stats("changed_sentence_recall", variant, both, _counts(actual))


def changed_sentence_f1_mean(
    stories: Sequence[Sequence[str]], gold: Sequence[Sequence[str]], outputs: Sequence[Output]
) -> Stats:
    """Mean over items of the F1 of changed sentences; arguments as for F1.

    Returns:
        Rows of (F1, 1). An item where neither side changes anything scores 1.
    """
    predicted, actual = _changes(stories, gold, outputs)
    both, claimed, real = _counts(predicted, actual), _counts(predicted), _counts(actual)
    f1 = np.where(claimed + real > 0, f1_of(np.stack([both, claimed, real], axis=-1)), 1.0)
    return mean_stats("changed_sentence_f1_mean", "F1 of changed sentences, mean over items", f1)


def changed_sentence_gleu(
    stories: Sequence[Sequence[str]], gold: Sequence[Sequence[str]], outputs: Sequence[Output]
) -> Stats:
    """Corpus GLEU over the sentences that gold changes; arguments as for F1.

    Sentence i of the output against sentence i of gold, each pair a segment of its own; `n` is
    the number of such sentences.

    Returns:
        Rows of (matches, larger count), see `text.gleu`.
    """
    owners, predicted, actual = _changed_pairs(stories, gold, outputs)
    return _by_item("changed_sentence_gleu", gleu(predicted, actual), owners, len(stories))


def changed_sentence_rouge_l(
    stories: Sequence[Sequence[str]], gold: Sequence[Sequence[str]], outputs: Sequence[Output]
) -> Stats:
    """ROUGE-L F without stemmer over the sentences that gold changes; arguments as for F1.

    Sentence i of the output against sentence i of gold; the mean is over such sentences, whose
    number is `n`.

    Returns:
        Rows of (sum of F, gold-changed sentences).
    """
    owners, predicted, actual = _changed_pairs(stories, gold, outputs)
    scores = rouge("rouge_l", predicted, actual, stemmer=False)
    return _by_item("changed_sentence_rouge_l", scores, owners, len(stories))


def _changes(
    stories: Sequence[Sequence[str]], gold: Sequence[Sequence[str]], outputs: Sequence[Output]
) -> tuple[list[frozenset[int]], list[frozenset[int]]]:
    """Places of the changed sentences in the outputs and in gold."""
    same_length(stories=stories, gold=gold, outputs=outputs)
    predicted, actual = [], []
    for story, target, output in zip(stories, gold, outputs, strict=True):
        predicted.append(_changed(story, as_sentences(story, output)))
        actual.append(_changed(story, as_sentences(story, tuple(target))))
    return predicted, actual


def _changed(story: Sequence[str], revised: Sequence[str]) -> frozenset[int]:
    pairs = enumerate(zip(story, revised, strict=True))
    return frozenset(place for place, (old, new) in pairs if old != new)


def _counts(
    changes: Sequence[frozenset[int]], others: Sequence[frozenset[int]] | None = None
) -> npt.NDArray[np.float64]:
    """Number of changed sentences of each item, or of those in both lists."""
    if others is not None:
        changes = [one & other for one, other in zip(changes, others, strict=True)]
    return np.array([len(places) for places in changes], dtype=np.float64)


def _changed_pairs(
    stories: Sequence[Sequence[str]], gold: Sequence[Sequence[str]], outputs: Sequence[Output]
) -> tuple[list[int], list[str], list[str]]:
    """Item, output and gold of each sentence that gold changes."""
    _, actual = _changes(stories, gold, outputs)
    owners: list[int] = []
    predicted: list[str] = []
    targets: list[str] = []
    for item, places in enumerate(actual):
        revised = as_sentences(stories[item], outputs[item])
        for place in sorted(places):
            owners.append(item)
            predicted.append(revised[place])
            targets.append(gold[item][place])
    return owners, predicted, targets


def _by_item(name: str, stats: Stats, owners: Sequence[int], items: int) -> Stats:
    """The rows of sentences summed into the rows of their items."""
    rows = np.zeros((items, stats.rows.shape[1]))
    np.add.at(rows, np.asarray(owners, dtype=np.intp), stats.rows)
    variant = f"{stats.variant}; gold-changed sentences as items"
    return replace(stats, name=name, variant=variant, rows=rows)


@functools.lru_cache(maxsize=2**13)
def _align(story: tuple[str, ...], output: str) -> tuple[str, ...]:
    text = " ".join(output.split())
    wanted = [" ".join(sentence.split()) for sentence in story]
    anchors = _anchors(wanted, text)
    segments = ["" if place not in anchors else story[place] for place in range(len(story))]
    edges = [(-1, 0, 0), *((place, *span) for place, span in anchors.items())]
    for (left, _, start), (right, end, _) in zip(
        edges, [*edges[1:], (len(story), len(text), len(text))], strict=True
    ):
        gap = text[start:end].strip()
        between = range(left + 1, right)
        if between:
            pieces = _spread(_pieces(gap), [wanted[place] for place in between])
            segments[left + 1 : right] = pieces
        elif gap and left >= 0:
            segments[left] = f"{segments[left]} {gap}"
        elif gap and story:
            segments[0] = f"{gap} {segments[0]}"
    return tuple(segments)


def _anchors(wanted: Sequence[str], text: str) -> dict[int, tuple[int, int]]:
    """Place and span of the story sentences found in the text, as many as possible."""
    found = [place for place, sentence in enumerate(wanted) if sentence and sentence in text]
    for size in range(len(found), 0, -1):
        for places in combinations(found, size):
            spans = _locate([wanted[place] for place in places], text)
            if spans:
                return dict(zip(places, spans, strict=True))
    return {}


def _locate(sentences: Sequence[str], text: str) -> list[tuple[int, int]]:
    """Spans of the sentences in order, each a whole sentence of the text; [] if one is missing."""
    spans: list[tuple[int, int]] = []
    after = 0
    for sentence in sentences:
        start = text.find(sentence, after)
        while start >= 0 and not _is_whole(text, start, start + len(sentence), after):
            start = text.find(sentence, start + 1)
        if start < 0:
            return []
        after = start + len(sentence)
        spans.append((start, after))
    return spans


def _is_whole(text: str, start: int, end: int, after: int) -> bool:
    """Whether a sentence of the text, not a part of one, lies at start:end."""
    before = text[max(after, start - 9) : start].rstrip()
    begins = not before or (text[start - 1] == " " and bool(_END.search(before)))
    if end == len(text) or not begins:
        return begins
    # A story sentence without a full stop may be the beginning of a longer one.
    return text[end] == " " and (bool(_END.search(text[start:end])) or text[end + 1].isupper())


def _pieces(gap: str) -> list[str]:
    pieces = _BREAK.split(gap) if gap else []
    if len(pieces) > _MAX_PIECES:
        pieces[_MAX_PIECES - 1 :] = [" ".join(pieces[_MAX_PIECES - 1 :])]
    return pieces


def _spread(pieces: Sequence[str], sentences: Sequence[str]) -> list[str]:
    """Groups the pieces into as many consecutive texts as there are sentences."""
    if len(pieces) == len(sentences):
        return list(pieces)
    # For each number of pieces used so far: the best score, and the groups that give it.
    best: dict[int, tuple[float, list[str]]] = {0: (0.0, [])}
    for sentence in sentences:
        grown: dict[int, tuple[float, list[str]]] = {}
        for stop in range(len(pieces) + 1):
            for start in range(stop, -1, -1):
                if start in best:
                    group = " ".join(pieces[start:stop])
                    score = best[start][0] + _overlap(group, sentence)
                    if stop not in grown or score > grown[stop][0]:
                        grown[stop] = (score, [*best[start][1], group])
        best = grown
    return best[len(pieces)][1]


@functools.lru_cache(maxsize=2**14)
def _overlap(one: str, other: str) -> float:
    """F1 of the words in lower case, without punctuation."""
    first, second = Counter(_WORD.findall(one.lower())), Counter(_WORD.findall(other.lower()))
    shared, total = (first & second).total(), first.total() + second.total()
    return 2.0 * shared / total if total else 0.0
