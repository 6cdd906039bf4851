# SPDX-License-Identifier: Apache-2.0
"""Stories and their sentences as nodes, the same for every data set.

Many rows tell the same story, so a story node is shared. Its id is made from all that it holds
(key, text, title, origin, sentence bounds): rows that agree share it, and a row that tells another
story under the same key cannot change what the others say.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from graph.batch import BatchBuilder
from graph.ids import make_id
from graph.model import Ref, Sentence, Story

Span = tuple[int, int]
"""Start and end of a piece of text, in characters."""

_BREAK = re.compile(r"(?<=[.!?])\s+")
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class StoryRefs:
    """A story that was added to a batch."""

    ref: Ref
    """The `Story`."""
    text: str
    """Its text."""
    spans: tuple[Span, ...]
    """Its sentences' places."""
    sentences: tuple[Ref, ...]
    """Its `Sentence`s, in order."""

    def overlapped(self, start: int, end: int) -> tuple[Ref, ...]:
        """The sentences that a span of the text touches."""
        return tuple(
            ref
            for ref, (first, last) in zip(self.sentences, self.spans, strict=True)
            if start < last and first < end
        )


def add_story(
    build: BatchBuilder,
    dataset: str,
    key: str,
    text: str,
    spans: tuple[Span, ...],
    *,
    title: str | None = None,
    origin: str | None = None,
) -> StoryRefs:
    """Adds a story with its sentences.

    Args:
        build: the batch.
        dataset: data set of the story.
        key: the data set's key of it.
        text: full text.
        spans: place of each sentence in the text.
        title: title, where there is one.
        origin: where the data set took it from.
    """
    bounds = [bound for span in spans for bound in span]
    story_id = make_id(dataset, "Story", key, text, title or "", origin or "", *bounds)
    story = build.node(
        Story(id=story_id, dataset=dataset, key=key, text=text, title=title, origin=origin)
    )
    sentences: list[Ref] = []
    for index, (start, end) in enumerate(spans):
        sentence = build.node(
            Sentence(
                id=make_id(dataset, "Sentence", story_id, index),
                index=index,
                text=text[start:end],
                start=start,
                end=end,
            )
        )
        build.edge("HAS_SENTENCE", story, sentence)
        if sentences:
            build.edge("NEXT", sentences[-1], sentence)
        sentences.append(sentence)
    return StoryRefs(story, text, spans, tuple(sentences))


def join_lines(lines: tuple[str, ...]) -> tuple[str, tuple[Span, ...]]:
    """Joins a story's lines with one space each; returns the text and the lines' places."""
    spans: list[Span] = []
    position = 0
    for line in lines:
        spans.append((position, position + len(line)))
        position += len(line) + 1
    return " ".join(lines), tuple(spans)


def split_sentences(text: str) -> tuple[Span, ...]:
    """Places of the sentences: the text is cut after `.`, `!` or `?` and white space.

    The plain cut, abbreviations and all, is the one under which POQue's last-sentence baseline
    gives the published figure.
    """
    spans: list[Span] = []
    end = len(text.rstrip())
    start = len(text) - len(text.lstrip())
    for gap in _BREAK.finditer(text, start, end):
        spans.append((start, gap.start()))
        start = gap.end()
    if start < end:
        spans.append((start, end))
    return tuple(spans)


def find_words(phrase: str, text: str) -> list[Span]:
    """Places where the words of a phrase stand in a text, one after the other.

    Case, punctuation and the spaces around them do not count: pre-tokenised newswire writes
    `grass - roots` where annotators write `grass-roots`.
    """
    wanted = _WORD.findall(phrase.casefold())
    if not wanted:
        return []
    words = list(_WORD.finditer(text))
    folded = [word.group().casefold() for word in words]
    return [
        (words[i].start(), words[i + len(wanted) - 1].end())
        for i in range(len(words) - len(wanted) + 1)
        if folded[i] == wanted[0] and folded[i : i + len(wanted)] == wanted
    ]
