# SPDX-License-Identifier: Apache-2.0
"""Text metrics equal the reference libraries, to the bit where one item is scored."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.translate.gleu_score import corpus_gleu
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from graph.errors import UsageError
from reasoners.metrics import text

NAMES = {"rouge_1": "rouge1", "rouge_2": "rouge2", "rouge_l": "rougeL", "rouge_lsum": "rougeLsum"}
KINDS = tuple(NAMES)
SCORERS = {stemmer: RougeScorer(list(NAMES.values()), use_stemmer=stemmer) for stemmer in (0, 1)}

PREDICTIONS = [
    "The cat sat on the mat.",
    "Nobody was running to the stations.\nThe trains departed.",
    "",
    "word",
    "Zoë paid 3,50 € (or $4.20) - didn't she?",
    "a a a b a a",
    "the quick brown fox",
]
REFERENCES = [
    "On the mat sat the cat.",
    "The trains were departing.\nNobody ran to a station.",
    "not empty",
    "word",
    "Zoe paid 3,50 &amp; $4.20 - did not she?",
    "a b a a a",
    "",
]

WORDS = st.sampled_from(
    ["the", "The", "cats", "cat", "running", "ran", "a", "mat", ".", ",", "U.S.", "3.5", "é", "-"]
)
SENTENCES = st.lists(WORDS, max_size=14).map(" ".join)
LINES = st.lists(SENTENCES, max_size=3).map("\n".join)
TEXTS = st.one_of(SENTENCES, LINES, st.text(max_size=30))
PAIRS = st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=6)
# The tokenizers and stemmers are slow on their first words.
RELAXED = settings(deadline=None, max_examples=150)


def _split(pairs):
    return [one for one, _ in pairs], [other for _, other in pairs]


@pytest.mark.parametrize("stemmer", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_rouge_equals_rouge_score(kind, stemmer):
    stats = text.rouge(kind, PREDICTIONS, REFERENCES, stemmer=stemmer)
    for row, prediction, reference in zip(stats.rows, PREDICTIONS, REFERENCES, strict=True):
        expected = SCORERS[stemmer].score(reference, prediction)[NAMES[kind]].fmeasure
        assert row.tolist() == [expected, 1.0]
    assert stats.name == kind
    assert ("no stemmer" in stats.variant) is not stemmer


@RELAXED
@given(TEXTS, TEXTS, st.booleans())
def test_rouge_equals_rouge_score_on_any_text(prediction, reference, stemmer):
    expected = SCORERS[stemmer].score(reference, prediction)
    for kind, name in NAMES.items():
        stats = text.rouge(kind, [prediction], [reference], stemmer=stemmer)
        assert stats.rows[0, 0] == expected[name].fmeasure


@RELAXED
@given(PAIRS)
def test_gleu_equals_nltk(pairs):
    predictions, references = _split(pairs)
    tokenize = Tokenizer13a()
    expected = corpus_gleu(
        [[tokenize(reference).split()] for reference in references],
        [tokenize(prediction).split() for prediction in predictions],
    )
    assert text.gleu(predictions, references).figure == 100.0 * expected


def test_gleu_equals_nltk_on_fixed_input():
    tokenize = Tokenizer13a()
    expected = corpus_gleu(
        [[tokenize(reference).split()] for reference in REFERENCES],
        [tokenize(prediction).split() for prediction in PREDICTIONS],
    )
    assert text.gleu(PREDICTIONS, REFERENCES).figure == 100.0 * expected
    assert text.gleu(["The cat"], ["the cat"]).figure < 100.0


@RELAXED
@given(PAIRS)
def test_bleu_equals_sacrebleu(pairs):
    predictions, references = _split(pairs)
    expected = BLEU().corpus_score(predictions, [references]).score
    assert text.bleu(predictions, references).figure == expected


def test_bleu_equals_sacrebleu_on_fixed_input():
    metric = BLEU()
    expected = metric.corpus_score(PREDICTIONS, [REFERENCES]).score
    stats = text.bleu(PREDICTIONS, REFERENCES)
    assert stats.figure == expected
    assert expected > 0.0
    assert str(metric.get_signature()) in stats.variant


@RELAXED
@given(PAIRS)
def test_sentence_bleu_equals_sacrebleu(pairs):
    predictions, references = _split(pairs)
    metric = BLEU(effective_order=True)
    scores = [metric.sentence_score(p, [r]).score for p, r in pairs]
    assert text.sentence_bleu(predictions, references).figure == pytest.approx(
        math.fsum(scores) / len(scores), abs=1e-9
    )


def test_sentence_bleu_names_its_variant():
    metric = BLEU(effective_order=True)
    metric.sentence_score("a", ["a"])
    assert str(metric.get_signature()) in text.sentence_bleu(["a"], ["a"]).variant


@RELAXED
@given(PAIRS, st.booleans())
def test_scores_are_percentages(pairs, stemmer):
    predictions, references = _split(pairs)
    every = [text.rouge(kind, predictions, references, stemmer=stemmer) for kind in KINDS]
    for metric in (text.gleu, text.bleu, text.sentence_bleu, text.meteor, text.ext):
        every.append(metric(predictions, references))
    for stats in every:
        # BLEU goes through a logarithm, so a perfect score may miss 100 by the last bits.
        assert 0.0 <= stats.figure <= 100.0 + 1e-9
        assert stats.rows.shape[0] == stats.n == len(pairs)


@given(st.lists(st.sampled_from("abcdefgh"), min_size=4, max_size=12).map(" ".join))
def test_a_text_is_like_itself(same):
    for kind in KINDS:
        assert text.rouge(kind, [same], [same], stemmer=True).figure == 100.0
    assert text.gleu([same], [same]).figure == 100.0
    assert text.ext([same], [same]).figure == 100.0
    assert text.bleu([same], [same]).figure == pytest.approx(100.0)
    assert text.sentence_bleu([same], [same]).figure == pytest.approx(100.0)
    words = len(same.split())
    assert text.meteor([same], [same]).figure == pytest.approx(100.0 * (1 - 0.5 / words**3))


@given(
    st.lists(st.integers(0, 3).map(str), max_size=15),
    st.lists(st.integers(0, 3).map(str), max_size=15),
)
def test_lcs_length_equals_the_table(first, second):
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, one in enumerate(first):
        for j, other in enumerate(second):
            longer = max(table[i][j + 1], table[i + 1][j])
            table[i + 1][j + 1] = table[i][j] + 1 if one == other else longer
    assert text.lcs_length(first, second) == table[-1][-1]


@pytest.mark.parametrize("empty", ["", " ", "\n", "…"])
def test_empty_texts_score_zero(empty):
    for pair in ((empty, "a word here"), ("a word here", empty), (empty, empty)):
        predictions, references = [pair[0]], [pair[1]]
        for kind in KINDS:
            assert text.rouge(kind, predictions, references, stemmer=True).figure == 0.0
        if empty != "…":
            for metric in (text.gleu, text.bleu, text.sentence_bleu, text.meteor, text.ext):
                assert metric(predictions, references).figure == 0.0


def test_no_items():
    for metric in (text.gleu, text.bleu, text.sentence_bleu, text.meteor, text.ext):
        stats = metric([], [])
        assert (stats.figure, stats.n) == (0.0, 0)
    assert text.rouge("rouge_l", [], [], stemmer=False).figure == 0.0
    assert text.len_tokens([]).figure == 0.0


def test_lengths():
    texts = ["one two three  four", "one", "", "a\tb\nc"]
    assert text.len_tokens(texts).figure == 8 / 4
    assert text.len_trigrams(texts).figure == 3 / 4
    assert text.len_trigrams(texts).unit == "trigrams"
    assert text.len_tokens(texts).higher_is_better is None


def test_ext_pools_trigrams():
    stats = text.ext(["A b c d", "x y"], ["a B c", "x y"])
    assert stats.rows.tolist() == [[1.0, 2.0], [0.0, 0.0]]
    assert stats.figure == 50.0


def test_ext_counts_a_repeated_trigram_each_time():
    assert text.ext(["a b c a b c x"], ["a b c"]).figure == 100.0 * 2 / 5


def test_lists_of_different_lengths_are_refused():
    with pytest.raises(UsageError, match="different lengths"):
        text.gleu(["a"], [])


def test_import_loads_no_library():
    code = (
        "import sys, reasoners.metrics, reasoners.metrics.text, reasoners.metrics.revision\n"
        "print({'nltk', 'sacrebleu', 'rouge_score'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
