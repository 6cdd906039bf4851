# SPDX-License-Identifier: Apache-2.0
"""Synthetic stories: always the same, with the degrees of the real data sets."""

from __future__ import annotations

from collections import Counter
from statistics import mean, median

import pytest

from benchmarks import synthetic
from benchmarks.perf_scale import Synthetic
from graph import schema
from graph.ids import make_id
from graph.model import Sentence

STORIES = 1000


@pytest.fixture(scope="module")
def drawn() -> list[synthetic.Drawn]:
    return [synthetic.draw(number) for number in range(STORIES)]


def test_a_story_is_the_same_whenever_and_wherever_it_is_drawn() -> None:
    (batch,) = synthetic.batches(40, 60, size=20)
    alone = synthetic.draw(47).batch
    assert set(alone.nodes) <= set(batch.nodes)
    assert set(alone.edges) <= set(batch.edges)
    assert synthetic.draw(47, seed=1).batch != alone
    # Not only within a process: another Python or another machine draws the same.
    names = sorted(node.id for node in alone.nodes)
    assert make_id(*names) == "29665af95cf3e0e1c049"


def test_every_story_is_what_the_schema_declares(drawn: list[synthetic.Drawn]) -> None:
    for each in drawn[:200]:
        schema.check(each.batch)
        known = {node.id for node in each.batch.nodes}
        assert all({edge.source.id, edge.target.id} <= known for edge in each.batch.edges)


def test_stories_share_nothing_but_the_modes(drawn: list[synthetic.Drawn]) -> None:
    seen = Counter(node.ref for each in drawn for node in each.batch.nodes)
    shared = {ref.label for ref, count in seen.items() if count > 1}
    assert shared == {"ChangeMode"}


def degrees(drawn: list[synthetic.Drawn], edge: str, end: str) -> list[int]:
    """Degrees, ascending, of the nodes that have an edge of a type."""
    counts = Counter(
        getattr(each, end).id for story in drawn for each in story.batch.edges if each.type == edge
    )
    return sorted(counts.values())


def test_degrees_are_near_the_real_ones(drawn: list[synthetic.Drawn]) -> None:
    assert mean(len(each.batch) for each in drawn) == pytest.approx(131, rel=0.08)
    sentences = degrees(drawn, "HAS_SENTENCE", "source")
    assert mean(sentences) == pytest.approx(5.1, abs=0.4)
    assert median(sentences) == 5
    mentions = degrees(drawn, "REFERS_TO", "target")
    assert mean(mentions) == pytest.approx(4.3, abs=0.8)
    factors = degrees(drawn, "HAS_FACTOR", "source")
    assert mean(factors) == pytest.approx(3.57, abs=0.25)
    states = degrees(drawn, "STATE_OF", "target")
    assert mean(states) == pytest.approx(3.2, abs=0.8)
    # The tail: a few participants have many.
    assert states[-1] >= 15
    words = sorted(
        len(node.text.split())
        for each in drawn
        for node in each.batch.nodes
        if isinstance(node, Sentence)
    )
    assert median(words) == pytest.approx(10, abs=1)
    assert words[-1] > 60


def test_a_participant_with_states_is_named_for_the_queries(drawn: list[synthetic.Drawn]) -> None:
    for each in drawn:
        targets = {edge.target.id for edge in each.batch.edges if edge.type == "STATE_OF"}
        assert set(each.participants) == targets
        stories = [node.id for node in each.batch.nodes if node.ref.label == "Story"]
        assert (each.story is None) == (not stories)


def test_as_a_selection_every_node_and_edge_comes_once() -> None:
    selection = Synthetic(100)
    ids = [node.id for node in selection.nodes()]
    assert len(ids) == len(set(ids))
    edges = [(edge.type, edge.source, edge.target) for edge in selection.edges()]
    assert len(edges) == len(set(edges))
    assert {end.id for _, *ends in edges for end in ends} <= set(ids)
