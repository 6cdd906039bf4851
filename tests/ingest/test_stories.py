# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph.batch import BatchBuilder
from ingest.stories import add_story, find_words, join_lines, split_sentences
from ingest.subject import find_subject, subject_phrase


@given(st.text(alphabet="ab.!? \n\t\x1c", max_size=40))
def test_only_white_space_lies_outside_of_sentences(text: str) -> None:
    spans = split_sentences(text)
    ends = [0, *(end for _, end in spans)]
    starts = [*(start for start, _ in spans), len(text)]
    assert all(not text[a:b].strip() for a, b in zip(ends, starts, strict=True))
    assert all(text[a:b] and text[a:b] == text[a:b].strip() for a, b in spans)


def test_sentences_end_with_a_mark_and_a_space() -> None:
    text = "He ran! Was it 3.5 km? Yes . '' Good , '' he said."
    assert [text[a:b] for a, b in split_sentences(text)] == [
        "He ran!", "Was it 3.5 km?", "Yes .", "'' Good , '' he said.",
    ]  # fmt: skip


def test_lines_are_joined_by_one_space_and_keep_their_own() -> None:
    lines = ("One. ", "T\nwo.", " Three")
    text, spans = join_lines(lines)
    assert text == "One.  T\nwo.  Three"
    assert tuple(text[a:b] for a, b in spans) == lines


def test_equal_stories_share_an_id_and_differing_ones_do_not() -> None:
    def story(*lines: str, title: str | None = None) -> str:
        return add_story(BatchBuilder(), "d", "key", *join_lines(lines), title=title).ref.id

    assert story("a b", "c") == story("a b", "c")
    assert len({story("a b", "c"), story("a", "b c"), story("a b", "c", title="t")}) == 3


@pytest.mark.parametrize(
    ("phrase", "found"),
    [
        ("a grass-roots plan", ["A grass - roots plan"]),
        ("Plan,", ["plan", "plan"]),
        ("plan failed", []),
        ("lan", []),
        ("...", []),
    ],
)
def test_words_are_found_as_words(phrase: str, found: list[str]) -> None:
    text = "A grass - roots plan , no other plan"
    assert [text[a:b] for a, b in find_words(phrase, text)] == found


@pytest.mark.parametrize(
    ("sentence", "phrase"),
    [
        ("The dog was hungry.", "dog"),
        ("My little sister doesn't care.", "little sister"),
        ("Nadia's kettle never works.", "Nadia's kettle"),
        ("I'm tired.", "I"),
        ("He’s tired.", "He"),
        ("Will was late.", "Will"),
        ("Rain on the roof.", None),
        ("", None),
        ("is", None),
    ],
)
def test_subject_phrase(sentence: str, phrase: str | None) -> None:
    assert subject_phrase(sentence) == phrase


@pytest.mark.parametrize(
    ("sentence", "name", "count"),
    [
        ("Nadia is patient.", "Nadia", 2),
        ("nadia is patient.", "Nadia", 2),
        ("Nadia's brother is kind.", "brother", 1),
        ("The owner of the shop is rich.", "owner", 1),
        ("I was glad.", "I", 1),
        ("Nad is patient.", None, 0),
        ("The moon is full.", None, 0),
        ("Nadia and Olek are tired.", None, 0),
    ],
)
def test_subject_is_found_as_whole_words(sentence: str, name: str | None, count: int) -> None:
    story = "Nadia met her brother Olek. I saw Nadia and the owner, in Nadiasville."
    found = find_subject(sentence, story)
    assert (found.name if found else None) == name
    spans = found.spans if found else ()
    assert len(spans) == count
    assert all(story[a:b] == name for a, b in spans)
