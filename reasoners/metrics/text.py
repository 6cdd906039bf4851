# SPDX-License-Identifier: Apache-2.0
"""Scores of generated text against one reference an item, as the reference libraries give them.

The variants are those that reproduce the figures of PASTA (Ghosh et al. 2023) and POQue
(Vallurupalli et al. 2022); each `Stats.variant` says which one it is.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any, Literal, TypeVar

import numpy as np

from reasoners.metrics.base import Array, Stats, mean_stats, ratio_stats, same_length
from reasoners.metrics.wordnet import synonyms

_Score = TypeVar("_Score")

RougeKind = Literal["rouge_1", "rouge_2", "rouge_l", "rouge_lsum"]

_ORDERS = (1, 2, 3, 4)
_LIBRARY_NAMES = {"rouge_1": "rouge1", "rouge_2": "rouge2", "rouge_lsum": "rougeLsum"}


def rouge(
    kind: RougeKind, predictions: Sequence[str], references: Sequence[str], *, stemmer: bool
) -> Stats:
    """ROUGE F-measure of rouge_score, mean over items.

    PASTA is scored without the stemmer, POQue with it. ROUGE-Lsum splits on line breaks only;
    without one it equals ROUGE-L.

    Args:
        kind: which ROUGE; also the metric's name.
        predictions: n texts.
        references: n texts.
        stemmer: reduce words of more than three letters to their Porter stems.

    Returns:
        Rows of (F, 1). An empty text on either side scores 0, both empty too.
    """
    texts = "Porter stemmer" if stemmer else "no stemmer"
    variant = f"rouge_score {version('rouge_score')} {kind}, F, {texts}, mean over items"

    def score(prediction: str, reference: str) -> float:
        return _rouge_f(kind, prediction, reference, stemmer)

    return mean_stats(kind, variant, _each(score, predictions, references))


def gleu(predictions: Sequence[str], references: Sequence[str]) -> Stats:
    """Corpus GLEU (Wu et al. 2016) of nltk on mteval-13a tokens, case kept.

    Matching n-grams of 1 to 4 tokens over the larger n-gram count of the two sides, both summed
    over items (PASTA, Table 8). It is not the mean of sentence scores.

    Returns:
        Rows of (matches, larger count); `per_item()` gives sentence GLEU. 0/0 is 0.
    """

    def count(prediction: str, reference: str) -> tuple[int, int]:
        predicted, gold = _ngrams(prediction), _ngrams(reference)
        return (predicted & gold).total(), max(predicted.total(), gold.total())

    counts = np.array(_each(count, predictions, references), dtype=np.float64).reshape(-1, 2)
    variant = "corpus GLEU as in nltk, 1 to 4-grams, sacrebleu 13a tokens, case kept"
    return ratio_stats("gleu", variant, counts[:, 0], counts[:, 1])


def bleu(predictions: Sequence[str], references: Sequence[str]) -> Stats:
    """Corpus BLEU of sacrebleu with its defaults.

    Returns:
        Rows of (output length, reference length, 4 x matches, 4 x output n-grams), shape (n, 10).
    """
    rows = [_bleu_counts(*pair)[0] for pair in _pairs(predictions, references)]
    matrix = np.array(rows, dtype=np.float64).reshape(-1, 10)
    return Stats("bleu", f"sacrebleu corpus, {_bleu_signature()}", matrix, _corpus_bleu, len(rows))


def sentence_bleu(predictions: Sequence[str], references: Sequence[str]) -> Stats:
    """Mean of sacrebleu's sentence BLEU with its defaults (effective order).

    The sentence BLEU that POQue publishes could not be reproduced with any variant.

    Returns:
        Rows of (BLEU / 100, 1).
    """
    values = [_bleu_counts(*pair)[1] / 100.0 for pair in _pairs(predictions, references)]
    signature = _bleu_signature().replace("eff:no", "eff:yes")
    return mean_stats("sentence_bleu", f"sacrebleu sentence, mean over items, {signature}", values)


def meteor(predictions: Sequence[str], references: Sequence[str]) -> Stats:
    """METEOR of nltk on whitespace tokens, mean over items, as POQue uses it.

    Exact, stem and synonym matches with nltk's defaults (alpha .9, beta 3, gamma .5); the
    synonyms come from the bundled WordNet 3.0 table. Identical texts stay below 100, because
    even one unbroken chunk is penalised: 1 - .5 / words ** 3.

    Returns:
        Rows of (METEOR, 1). An empty text on either side scores 0.
    """
    variant = f"nltk {version('nltk')}, WordNet 3.0, whitespace tokens, mean over items"
    return mean_stats("meteor", variant, _each(_meteor, predictions, references))


def len_tokens(predictions: Sequence[str]) -> Stats:
    """Mean number of whitespace tokens."""
    lengths = [len(text.split()) for text in predictions]
    return _length("len_tokens", "whitespace tokens, mean over items", lengths, "tokens")


def len_trigrams(predictions: Sequence[str]) -> Stats:
    """Mean number of whitespace trigrams, max(tokens - 2, 0): `Len` of POQue's Tables 3 and 4."""
    lengths = [max(len(text.split()) - 2, 0) for text in predictions]
    return _length("len_trigrams", "whitespace trigrams, mean over items", lengths, "trigrams")


def ext(predictions: Sequence[str], stories: Sequence[str]) -> Stats:
    """Share of the outputs' trigrams that occur in the story: `Ext` of POQue's Tables 3 and 4.

    Lower case, whitespace tokens; a trigram counts as often as the output has it; pooled over
    items. The paper prints shares (.132), this is in percent (13.2).

    Returns:
        Rows of (trigrams found in the story, trigrams). 0/0 is 0.
    """
    found, total = [], []
    for prediction, story in _pairs(predictions, stories):
        trigrams = _trigrams(prediction)
        known = set(_trigrams(story))
        found.append(sum(trigram in known for trigram in trigrams))
        total.append(len(trigrams))
    variant = "share of lower-case whitespace trigrams found in the story, pooled"
    return ratio_stats("ext", variant, found, total, higher_is_better=None)


def _pairs(predictions: Sequence[str], references: Sequence[str]) -> list[tuple[str, str]]:
    same_length(predictions=predictions, references=references)
    return list(zip(predictions, references, strict=True))


def _each(
    score: Callable[[str, str], _Score], predictions: Sequence[str], references: Sequence[str]
) -> list[_Score]:
    """The score of each pair; equal pairs, common among rule-made outputs, are scored once."""
    pairs = _pairs(predictions, references)
    scores = {pair: score(*pair) for pair in dict.fromkeys(pairs)}
    return [scores[pair] for pair in pairs]


def _length(name: str, variant: str, lengths: Sequence[int], unit: str) -> Stats:
    return mean_stats(name, variant, lengths, scale=1.0, higher_is_better=None, unit=unit)


def _trigrams(text: str) -> list[tuple[str, ...]]:
    tokens = text.lower().split()
    return list(zip(tokens, tokens[1:], tokens[2:], strict=False))


@functools.cache
def _porter() -> Callable[[str], str]:
    from nltk.stem.porter import PorterStemmer

    stem: Callable[[str], str] = PorterStemmer().stem
    return stem


class _Stemmer:
    """The Porter stemmer that rouge_score and nltk's METEOR use, with a memory for words."""

    @staticmethod
    @functools.lru_cache(maxsize=2**17)
    def stem(word: str) -> str:
        return _porter()(word)


class _Tokenizer:
    """rouge_score's tokenizer with a memory for texts."""

    def __init__(self, stemmer: bool) -> None:
        self._stemmer = _Stemmer() if stemmer else None
        self.tokenize = functools.lru_cache(maxsize=2**14)(self._tokenize)

    def _tokenize(self, text: str) -> list[str]:
        from rouge_score import tokenize

        tokens: list[str] = tokenize.tokenize(text, self._stemmer)
        return tokens


@functools.cache
def _tokenizer(stemmer: bool) -> _Tokenizer:
    return _Tokenizer(stemmer)


@functools.cache
def _scorer(kind: str, stemmer: bool) -> Callable[[str, str], float]:
    from rouge_score.rouge_scorer import RougeScorer

    name = _LIBRARY_NAMES[kind]
    scorer = RougeScorer([name], tokenizer=_tokenizer(stemmer))

    def score(reference: str, prediction: str) -> float:
        return float(scorer.score(reference, prediction)[name].fmeasure)

    return score


def _rouge_f(kind: RougeKind, prediction: str, reference: str, stemmer: bool) -> float:
    lines = "\n" in prediction or "\n" in reference
    if kind in ("rouge_1", "rouge_2") or (kind == "rouge_lsum" and lines):
        return _scorer(kind, stemmer)(reference, prediction)
    tokenize = _tokenizer(stemmer).tokenize
    predicted, gold = tokenize(prediction), tokenize(reference)
    if not predicted or not gold:
        return 0.0
    length = lcs_length(predicted, gold)
    # The order of operations is rouge_score's, so that results are equal to the last bit.
    precision, recall = length / len(predicted), length / len(gold)
    return 2 * precision * recall / (precision + recall) if length else 0.0


def lcs_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence, bit-parallel (Hyyrö 2004)."""
    positions: dict[str, int] = {}
    for place, token in enumerate(first):
        positions[token] = positions.get(token, 0) | 1 << place
    full = (1 << len(first)) - 1
    unmatched = full
    for token in second:
        hits = unmatched & positions.get(token, 0)
        unmatched = (unmatched + hits | unmatched - hits) & full
    return len(first) - unmatched.bit_count()


@functools.cache
def _tokenize_13a() -> Callable[[str], str]:
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    tokenize: Callable[[str], str] = Tokenizer13a()  # type: ignore[no-untyped-call]
    return tokenize


@functools.lru_cache(maxsize=2**14)
def _ngrams(text: str) -> Counter[tuple[str, ...]]:
    tokens = _tokenize_13a()(text).split()
    return Counter(
        tuple(tokens[start : start + order])
        for order in _ORDERS
        for start in range(len(tokens) - order + 1)
    )


@functools.cache
def _sentence_scorer() -> Any:
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(effective_order=True)


@functools.lru_cache(maxsize=2**13)
def _bleu_counts(prediction: str, reference: str) -> tuple[tuple[int, ...], float]:
    """(output length, reference length, 4 x matches, 4 x n-grams) and sentence BLEU."""
    score = _sentence_scorer().sentence_score(prediction, [reference])
    return (score.sys_len, score.ref_len, *score.counts, *score.totals), float(score.score)


def _corpus_bleu(totals: Array) -> Array:
    """Corpus BLEU of sacrebleu from totals (..., 10), in percent."""
    from sacrebleu.metrics.bleu import BLEU

    figures = np.empty(totals.shape[:-1], dtype=np.float64)
    for place in np.ndindex(figures.shape):
        counts = [round(number) for number in totals[place].tolist()]
        score = BLEU.compute_bleu(
            counts[2:6], counts[6:], counts[0], counts[1], smooth_method="exp"
        )
        figures[place] = score.score
    return figures


@functools.cache
def _bleu_signature() -> str:
    from sacrebleu.metrics.bleu import BLEU

    metric = BLEU()
    # The signature names the number of references, which is known only after a first score.
    metric.corpus_score(["a"], [["a"]])
    return str(metric.get_signature())


def _meteor(prediction: str, reference: str) -> float:
    from nltk.translate.meteor_score import (
        single_meteor_score,
    )

    return float(
        single_meteor_score(
            reference.split(), prediction.split(), stemmer=_Stemmer(), wordnet=synonyms()
        )
    )
