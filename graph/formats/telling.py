# SPDX-License-Identifier: Apache-2.0
"""Stories as annotated text: sentences, tokens, who is mentioned where, what happens.

The graph holds no tokens, so a rule makes them: a run of letters and digits with apostrophes or
hyphens inside is one, any other character that is no space is one. Where a mention or an event
begins or ends inside such a token, it is cut there: every span is then a run of whole tokens.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeVar

from graph.batch import Edge, GraphBatch
from graph.formats.base import Selection
from graph.model import Event, Mention, Node, Participant, Sentence, Story

T = TypeVar("T", bound=Node)

_TOKEN = re.compile(r"\w+(?:['’-]\w+)*|[^\w\s]")


class Token(NamedTuple):
    """A word or a sign."""

    start: int
    """Offset of its first character in the story's text."""
    end: int
    """Offset after its last character."""


class Argument(NamedTuple):
    """A participant in an event."""

    event: Event
    """The event."""
    role: str
    """The participant's role in it, such as `agent`."""


class Placed(NamedTuple):
    """A mention and where it belongs."""

    mention: Mention
    """The mention."""
    cluster: int
    """Position of its participant."""
    sentences: tuple[int, ...]
    """Positions of the sentences that it lies in."""


@dataclass(frozen=True)
class Telling:
    """A story with its layer of text, everything in the order of the text."""

    story: Story
    """The story."""
    sentences: tuple[Sentence, ...]
    """Its sentences."""
    participants: tuple[Participant, ...]
    """Who takes part, in the order of first mention; the position is the cluster's number."""
    mentions: tuple[Placed, ...]
    """Mentions of the participants."""
    follows: tuple[tuple[int, int], ...]
    """`NEXT`: positions of two sentences of which one is told before the other."""
    events: tuple[Event, ...] = ()
    """Events."""
    arguments: tuple[tuple[Argument, ...], ...] = ()
    """For each participant, the events that it takes part in."""

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens of the text."""
        spans = {(placed.mention.start, placed.mention.end) for placed in self.mentions}
        spans |= {(event.start, event.end) for event in self.events}
        cuts = sorted({at for span in spans for at in span})
        found: list[Token] = []
        for match in _TOKEN.finditer(self.story.text):
            start, end = match.span()
            for cut in cuts[bisect_right(cuts, start) : bisect_left(cuts, end)]:
                found.append(Token(start, cut))
                start = cut
            found.append(Token(start, end))
        return tuple(found)

    @cached_property
    def sentence_of(self) -> tuple[int, ...]:
        """For each token the position of the sentence that it lies in, the last one begun."""
        starts = [sentence.start for sentence in self.sentences]
        return tuple(max(bisect_right(starts, token.start) - 1, 0) for token in self.tokens)

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Positions of the first and last token between two offsets, None if there is no token."""
        first = bisect_left(self.tokens, start, key=lambda token: token.start)
        last = bisect_right(self.tokens, end, key=lambda token: token.end) - 1
        return (first, last) if first <= last else None


def tellings(selection: Selection) -> Iterator[Telling]:
    """Yields the stories of a selection, a few in memory at a time."""
    for batch in selection.batches():
        yield from _of(batch)


def _of(batch: GraphBatch) -> Iterator[Telling]:
    nodes = {node.id: node for node in batch.nodes}
    outgoing: dict[tuple[str, str], list[Edge]] = defaultdict(list)
    incoming: dict[tuple[str, str], list[Edge]] = defaultdict(list)
    for edge in batch.edges:
        outgoing[edge.type, edge.source.id].append(edge)
        incoming[edge.type, edge.target.id].append(edge)

    def sources(name: str, target: Node, kind: type[T]) -> list[T]:
        found = (nodes.get(edge.source.id) for edge in incoming[name, target.id])
        return [node for node in found if isinstance(node, kind)]

    for story in batch.nodes:
        if not isinstance(story, Story):
            continue
        ends = (nodes.get(edge.target.id) for edge in outgoing["HAS_SENTENCE", story.id])
        sentences = sorted(
            (node for node in ends if isinstance(node, Sentence)),
            key=lambda each: (each.start, each.index, each.id),
        )
        position = {sentence.id: at for at, sentence in enumerate(sentences)}
        spans = {
            each.id: sorted(sources("REFERS_TO", each, Mention), key=_order)
            for each in sources("IN_STORY", story, Participant)
        }
        participants = sorted(
            sources("IN_STORY", story, Participant),
            # Who is never mentioned comes last.
            key=lambda each: (not spans[each.id], *map(_order, spans[each.id][:1]), each.id),
        )
        events = {
            event.id: event for each in sentences for event in sources("IN_SENTENCE", each, Event)
        }
        yield Telling(
            story,
            tuple(sentences),
            tuple(participants),
            tuple(
                sorted(
                    (
                        Placed(mention, at, _positions(outgoing, "IN_SENTENCE", mention, position))
                        for at, participant in enumerate(participants)
                        for mention in spans[participant.id]
                    ),
                    key=lambda placed: _order(placed.mention),
                )
            ),
            tuple(
                (at, after)
                for at, sentence in enumerate(sentences)
                for after in _positions(outgoing, "NEXT", sentence, position)
            ),
            tuple(sorted(events.values(), key=lambda each: (each.index, each.start, each.id))),
            tuple(
                tuple(
                    Argument(events[edge.source.id], str(dict(edge.properties).get("role", "")))
                    for edge in incoming["HAS_ARGUMENT", participant.id]
                    if edge.source.id in events
                )
                for participant in participants
            ),
        )


def _order(mention: Mention) -> tuple[int, int, str]:
    return mention.start, -mention.end, mention.id


def _positions(
    outgoing: Mapping[tuple[str, str], list[Edge]], name: str, node: Node, known: Mapping[str, int]
) -> tuple[int, ...]:
    ends = (edge.target.id for edge in outgoing.get((name, node.id), ()))
    return tuple(sorted(known[end] for end in ends if end in known))
