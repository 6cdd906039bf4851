# SPDX-License-Identifier: Apache-2.0
"""The figures that the metrics must give on the real data sets, to the digit.

Each is published, or was found by recomputation from the released data. Run with
FABULA_DATA set to the folder that holds `poque/`, `pasta/` and `pasta-outputs/`.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from reasoners.metrics import classification as c
from reasoners.metrics import revision as r
from reasoners.metrics import text

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif(
        "FABULA_DATA" not in os.environ,
        reason="FABULA_DATA is not set to the folder with poque/, pasta/ and pasta-outputs/",
    ),
]

MODES = ["Existence", "Feeling", "Location", "Possession", "Other_Way"]


def _read(name: str) -> list[dict]:
    path = Path(os.environ["FABULA_DATA"]) / name
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


@pytest.fixture(scope="module")
def poque():
    return _read("poque/all_test_data.jsonl")


@pytest.fixture(scope="module")
def pasta():
    """Story, gold revision, state and gold state of both directions."""
    items = []
    for row in _read("pasta/te_data.jsonl"):
        story = [row[f"Input.line{i}"] for i in range(1, 6)]
        revised = [row[f"Answer.mod_line{i}"] for i in range(1, 6)]
        states = (row["Answer.assertion"], row["Answer.mod_assertion"])
        items += [(story, revised, states), (revised, story, states[::-1])]
    return items


@pytest.fixture(scope="module")
def revisions():
    rows = _read("pasta-outputs/story_revision.t5-base.jsonl")
    return [[row[k] for row in rows] for k in ("story", "reference_story", "output_story")]


def _rouge(predictions, references):
    """ROUGE-1, 2, L with the stemmer: POQue."""
    kinds = ("rouge_1", "rouge_2", "rouge_l")
    return [text.rouge(k, predictions, references, stemmer=True).figure for k in kinds]


def _sentences(story):
    return re.split(r"(?<=[.!?]) ", story.strip())


def _near(*figures):
    """Equal once rounded to the digits given."""
    digits = max(len(str(figure).partition(".")[2]) for figure in figures)
    return pytest.approx(figures if len(figures) > 1 else figures[0], abs=0.5 * 10**-digits)


def test_pasta_revision_of_t5(revisions):
    story, gold, output = revisions
    predicted = [r.as_text(s, o) for s, o in zip(story, output, strict=True)]
    target = [" ".join(sentences) for sentences in gold]
    assert text.gleu(predicted, target).figure == _near(73.21)
    for kind in ("rouge_l", "rouge_lsum"):
        assert text.rouge(kind, predicted, target, stemmer=False).figure == _near(81.77)


def test_pasta_copying_beats_every_published_system(revisions):
    story, gold, _ = revisions
    predicted = [r.as_text(s, None) for s in story]
    target = [" ".join(sentences) for sentences in gold]
    assert text.gleu(predicted, target).figure == _near(79.6)
    assert text.rouge("rouge_l", predicted, target, stemmer=False).figure == _near(86.8)


def test_pasta_copying_wins_on_the_changed_sentences_too(revisions):
    # GLEU and ROUGE reward copies even there; only which sentences were changed shows them up.
    story, gold, output = revisions
    nothing = [None] * len(story)
    for metric in (r.changed_sentence_gleu, r.changed_sentence_rouge_l):
        assert metric(story, gold, nothing).figure > metric(story, gold, output).figure
    assert r.changed_sentence_f1(story, gold, nothing).figure == 0.0
    assert r.changed_sentence_f1(story, gold, output).figure == _near(64.0)


def test_pasta_one_text_scores_like_five_sentences(revisions):
    story, gold, output = revisions
    joined = [" ".join(sentences) for sentences in output]
    for metric in (r.changed_sentence_f1, r.changed_sentence_gleu, r.changed_sentence_rouge_l):
        assert metric(story, gold, joined).figure == metric(story, gold, output).figure


def test_pasta_gold_in_one_text_is_cut_at_the_right_places(pasta):
    stories, gold = [item[0] for item in pasta], [item[1] for item in pasta]
    joined = [" ".join(sentences) for sentences in gold]
    assert r.changed_sentence_f1(stories, gold, joined).figure > 99.7


def test_pasta_state_change_of_t5():
    rows = _read("pasta-outputs/state_change.t5-base.jsonl")
    predicted = [row[key] for row in rows for key in ("output_state", "output_mod_state")]
    target = [row[key] for row in rows for key in ("reference_state", "reference_mod_state")]
    assert text.gleu(predicted, target).figure == _near(11.66)
    assert text.rouge("rouge_l", predicted, target, stemmer=False).figure == _near(29.50)


def test_pasta_the_last_two_sentences(pasta):
    stories, gold = [item[0] for item in pasta], [item[1] for item in pasta]
    outputs = [[*story[:3], "changed", "changed"] for story in stories]
    assert len(pasta) == 1834
    assert r.changed_sentence_f1(stories, gold, outputs).figure == _near(63.3)
    assert r.changed_sentence_f1_mean(stories, gold, outputs).figure == _near(61.8)


def test_pasta_first_word_rule(pasta):
    words = [story[0].split()[0] for story, _, _ in pasta]
    predicted = [state for word in words for state in (f"{word} is a", f"{word} is not a")]
    target = [state for _, _, states in pasta for state in states]
    assert text.rouge("rouge_l", predicted, target, stemmer=False).figure == _near(25.5)


def test_poque_about_p(poque):
    predicted = [f"About {row['identified_participant']}" for row in poque]
    target = [row["process_summary"] for row in poque]
    assert _rouge(predicted, target) == _near(10.55, 4.23, 10.43)
    assert text.bleu(predicted, target).figure == _near(2.70)


def test_poque_last_sentence(poque):
    predicted = [_sentences(row["story_text"])[-1] for row in poque]
    target = [row["endpoint_description"] for row in poque]
    assert _rouge(predicted, target) == _near(23.86, 12.19, 21.57)
    assert text.meteor(predicted, target).figure == _near(24.62)


def test_poque_lengths_and_extractiveness_of_the_references(poque):
    stories = [row["story_text"] for row in poque]
    for key, length, share in (
        ("process_summary", 3.57, 13.2),
        ("endpoint_description", 7.93, 27.0),
    ):
        texts = [row[key] for row in poque]
        assert text.len_trigrams(texts).figure == _near(length)
        assert text.ext(texts, stories).figure == _near(share)


def test_poque_factors(poque):
    target = [" ".join(row["factors"]) for row in poque]
    stories = [_sentences(row["story_text"]) for row in poque]
    assert _rouge([" ".join(s) for s in stories], target)[2] == _near(44.2)
    assert _rouge([" ".join(s[:3]) for s in stories], target)[2] == _near(41.6)


def test_poque_change_summary(poque):
    target = [row["change_summary"] for row in poque]
    changed = [f"{row['identified_participant']} changed" for row in poque]
    written = [summary or "no changes" for summary in target]
    assert _rouge(["no changes"] * len(poque), written)[2] == _near(35.2)
    assert _rouge(changed, written)[2] == _near(36.6)
    assert _rouge(changed, target)[2] == _near(27.0)
    filled = [(p, t) for p, t in zip(changed, target, strict=True) if t]
    assert _rouge([p for p, _ in filled], [t for _, t in filled])[2] == _near(36.5)
    assert c.f1_empty([""] * len(poque), target).figure == _near(41.3)


@pytest.mark.parametrize(
    ("role", "constant", "rule", "rule_f1"),
    [(None, 85.3, 84.5, 76.2), ("agent", 83.9, 82.4, 74.0), ("patient", 86.8, 86.8, 78.5)],
)
def test_poque_involvement(poque, role, constant, rule, rule_f1):
    rows = [row for row in poque if role in (None, row["story_version"])]
    gold = [row["participant_involvement"]["value"] >= 2 for row in rows]
    changed = [row["change_summary"] != "" for row in rows]
    assert c.accuracy([True] * len(rows), gold).figure == _near(constant)
    assert c.accuracy(changed, gold).figure == _near(rule)
    assert c.macro_f1(changed, gold, [False, True]).figure == _near(rule_f1)


def test_poque_change_modes(poque):
    gold = [row["change_modes"] for row in poque]
    nothing = [[]] * len(poque)
    assert c.subset_accuracy(nothing, gold).figure == c.hamming(nothing, gold).figure
    assert c.multilabel_macro_f1(nothing, gold, MODES).figure == 0.0
    assert c.multilabel_macro_f1_two_class(nothing, gold, MODES).figure == _near(44.8)
