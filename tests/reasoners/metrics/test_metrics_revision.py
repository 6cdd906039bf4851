# SPDX-License-Identifier: Apache-2.0
"""Which sentences were changed, and how one text is cut into five."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graph.errors import UsageError
from reasoners.metrics import revision as r
from reasoners.metrics import text

STORY = ("Tom was sad.", "He went out.", "It rained.", "He got wet.", "He went home.")
GOLD = ("Tom was sad.", "He went out.", "It was sunny.", "He got a tan.", "He went home.")
METRICS = (
    r.changed_sentence_f1,
    r.changed_sentence_precision,
    r.changed_sentence_recall,
    r.changed_sentence_f1_mean,
    r.changed_sentence_gleu,
    r.changed_sentence_rouge_l,
)
SENTENCE = st.one_of(
    st.sampled_from([*STORY, "Tom was glad.", "But it rained.", "He stayed", 'He said "No."', ""]),
    st.text(max_size=12),
)
STORIES = st.lists(SENTENCE, min_size=5, max_size=5)


def _words(*parts: str) -> list[str]:
    return " ".join(parts).split()


@pytest.mark.parametrize(
    ("output", "segments"),
    [
        # nothing changed; nothing written
        (" ".join(STORY), STORY),
        ("\n".join(STORY) + "\n", STORY),
        ("", ("", "", "", "", "")),
        # changed in place
        (" ".join(GOLD), GOLD),
        ("Tom was glad. He went out. It rained. He got wet. He left.",
         ("Tom was glad.", "He went out.", "It rained.", "He got wet.", "He left.")),
        # a part of a longer sentence is no anchor
        ("But Tom was sad. He went out. It rained. He got wet. He went home.",
         ("But Tom was sad.", *STORY[1:])),
        ('He said "Tom was sad." He went out. It rained. He got wet. He went home.',
         ('He said "Tom was sad."', *STORY[1:])),
        # deleted
        ("Tom was sad. He went home.", ("Tom was sad.", "", "", "", "He went home.")),
        # inserted
        ("Hello! " + " ".join(STORY) + " The end.",
         ("Hello! Tom was sad.", *STORY[1:4], "He went home. The end.")),
        ("Tom was sad. He went out. By car. It rained. He got wet. He went home.",
         ("Tom was sad.", "He went out. By car.", "It rained.", "He got wet.", "He went home.")),
        # two pieces for one sentence
        ("Tom was sad. He went out. It was sunny. And hot. He got wet. He went home.",
         ("Tom was sad.", "He went out.", "It was sunny. And hot.", "He got wet.",
          "He went home.")),
        # fewer pieces than sentences: by shared words
        ("Tom was sad. He got a tan. He went home.",
         ("Tom was sad.", "", "", "He got a tan.", "He went home.")),
        # more pieces than sentences: by shared words
        ("Tom was sad. He went out. It did. Then it rained. He got very wet. He went home.",
         ("Tom was sad.", "He went out.", "It did. Then it rained.", "He got very wet.",
          "He went home.")),
        # nothing in common
        ("No idea", ("No idea", "", "", "", "")),
    ],
)  # fmt: skip
def test_align(output, segments):
    assert r.align(STORY, output) == segments


def test_align_prefers_the_most_anchors():
    story = ("A b.", "C d.", "E f.", "A b.", "G h.")
    assert r.align(story, "X. C d. E f. A b. G h.") == ("X.", *story[1:])


def test_align_keeps_story_sentences_as_they_are():
    story = ("Tom  was\nsad.", *STORY[1:])
    assert r.align(story, " ".join(STORY)) == story


def test_align_knows_a_sentence_without_full_stop_from_its_extension():
    story = ("Tom was sad", *STORY[1:])
    assert r.align(story, " ".join(story)) == story
    longer = r.align(story, "Tom was sad and tired. He stayed in. It rained. He got wet. He left.")
    assert longer[:2] == ("Tom was sad and tired.", "He stayed in.")


@settings(deadline=None, max_examples=200)
@given(STORIES, st.one_of(STORIES.map(" ".join), st.text(max_size=60)))
def test_align_loses_nothing_and_gives_one_segment_each(story, output):
    segments = r.align(story, output)
    assert len(segments) == len(story)
    assert _words(*segments) == output.split()


@given(st.permutations(["One a.", "Two b.", "Three c.", "Four d.", "Five e."]))
def test_align_finds_an_unchanged_story(story):
    assert r.align(story, " ".join(story)) == tuple(story)


def test_align_of_runaway_output_is_fast():
    output = " ".join(f"He went {number} times and it rained." for number in range(3000))
    started = time.process_time()
    r.align(STORY, output)
    assert time.process_time() - started < 5.0


def test_as_text():
    assert r.as_text(STORY, None) == " ".join(STORY)
    assert r.as_text(STORY, list(GOLD)) == " ".join(GOLD)
    assert r.as_text(STORY, "as it is ") == "as it is "


def test_as_sentences():
    assert r.as_sentences(STORY, None) == STORY
    assert r.as_sentences(STORY, list(GOLD)) == GOLD
    assert r.as_sentences(STORY, " ".join(GOLD)) == GOLD
    with pytest.raises(UsageError, match="4 sentences and the story 5"):
        r.as_sentences(STORY, GOLD[:4])


@pytest.mark.parametrize("output", [GOLD, " ".join(GOLD)])
def test_gold_is_perfect(output):
    for metric in METRICS:
        assert metric([STORY], [GOLD], [output]).figure == 100.0


def test_no_revision_changes_nothing():
    for metric in METRICS[:4]:
        assert metric([STORY], [GOLD], [None]).figure == 0.0
    assert r.changed_sentence_f1_mean([STORY], [STORY], [None]).figure == 100.0
    assert r.changed_sentence_f1([STORY], [STORY], [None]).figure == 0.0


def test_pooled_and_mean_scores():
    other_gold = ("Tom was glad.", *STORY[1:])
    first = (*STORY[:3], "He got a cold.", "He left.")
    outputs = [first, other_gold]
    stories, gold = [STORY, STORY], [GOLD, other_gold]
    # item 1: changes 3, 4 of the gold 2, 3; item 2 as gold
    assert r.changed_sentence_precision(stories, gold, outputs).figure == pytest.approx(200 / 3)
    assert r.changed_sentence_recall(stories, gold, outputs).figure == pytest.approx(200 / 3)
    assert r.changed_sentence_f1(stories, gold, outputs).figure == pytest.approx(200 / 3)
    assert r.changed_sentence_f1_mean(stories, gold, outputs).figure == 75.0


def test_scores_of_changed_sentences_look_at_nothing_else():
    other_gold = ("Tom was glad.", *STORY[1:])
    stories, gold, outputs = [STORY] * 3, [GOLD, other_gold, STORY], [None, None, GOLD]
    predicted = [STORY[2], STORY[3], STORY[0]]
    targets = [GOLD[2], GOLD[3], other_gold[0]]
    gleu = r.changed_sentence_gleu(stories, gold, outputs)
    assert gleu.figure == text.gleu(predicted, targets).figure
    assert gleu.rows.shape == (3, 2)
    assert gleu.rows[2].tolist() == [0.0, 0.0]
    rouge = r.changed_sentence_rouge_l(stories, gold, outputs)
    expected = text.rouge("rouge_l", predicted, targets, stemmer=False).figure
    assert rouge.figure == pytest.approx(expected, abs=1e-12)
    assert (rouge.n, gleu.n) == (3, 3)


@settings(deadline=None, max_examples=60)
@given(
    st.lists(
        st.tuples(STORIES, STORIES, st.one_of(st.none(), STORIES, STORIES.map(" ".join))),
        max_size=4,
    )
)
def test_scores_are_percentages(items):
    stories, gold, outputs = ([item[place] for item in items] for place in range(3))
    for metric in METRICS:
        stats = metric(stories, gold, outputs)
        assert 0.0 <= stats.figure <= 100.0
        assert stats.rows.shape[0] == len(items)
        assert stats.name == metric.__name__


def test_lists_of_different_lengths_are_refused():
    for metric in METRICS:
        with pytest.raises(UsageError, match="different lengths"):
            metric([STORY], [GOLD], [])
