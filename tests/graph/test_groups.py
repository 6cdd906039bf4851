# SPDX-License-Identifier: Apache-2.0
"""Streams of a graph's elements, and what belongs together."""

from __future__ import annotations

from collections import Counter

import pytest

from graph import elements, groups
from graph.canonical import canonical_hash
from graph.errors import SchemaError
from graph.formats.base import Selection
from graph.model import NODES, Meta, Ref
from graph.schema import concrete, labels
from graph.store import open_graph

ROOTS = {"Story", "Goal", "ChangeMode", "Run", "Reasoner", "Model", "Record", "Meta"}


def count(store, pattern):
    return store.read(f"MATCH {pattern} RETURN count(*) AS n")[0]["n"]


def story(store):
    """A story that has predictions."""
    text = (
        "MATCH (s:Story)<-[:OF_STORY]-(:Contrast)<-[:ABOUT]-(c:Inference) "
        "WHERE c.source = 'predicted' RETURN s.id AS id ORDER BY id LIMIT 1"
    )
    return store.read(text)[0]["id"]


def test_every_label_has_an_owner_or_is_a_root():
    owned = {found[1] for cls in NODES for found in groups.owned(cls.__name__)}
    declared = {cls.__name__ for cls in NODES if concrete(cls.__name__) == (cls.__name__,)}
    assert declared - owned == ROOTS - {"Story"}  # a revision belongs to the story it revises


def test_the_streams_hold_the_whole_graph(predicted):
    nodes = list(elements.nodes(predicted))
    edges = list(elements.edges(predicted))
    assert len(nodes) == count(predicted, "(n)") - 1  # Meta is the graph's own
    assert len(edges) == count(predicted, "()-[r]->()")
    assert not any(isinstance(node, Meta) for node in nodes)


def test_loading_the_streams_gives_the_same_graph(predicted, tmp_path):
    with open_graph(tmp_path / "copy") as copy:
        first = elements.load(copy, elements.nodes(predicted), elements.edges(predicted), size=100)
        assert first.nodes == len(list(elements.nodes(predicted)))
        assert canonical_hash(copy) == canonical_hash(predicted)
        again = elements.load(copy, elements.nodes(predicted), elements.edges(predicted))
        assert again == (0, 0)


@pytest.mark.parametrize("at_once", [1, 16])
def test_the_partition_gives_each_element_once(predicted, at_once):
    nodes, edges = Counter(), Counter()
    for batch in groups.partition(predicted, at_once):
        nodes.update(batch.nodes)
        edges.update(batch.edges)
        starts = {node.id for node in batch.nodes}
        assert all(edge.source.id in starts for edge in batch.edges)
    assert nodes == Counter(elements.nodes(predicted))
    assert edges == Counter(elements.edges(predicted))


def test_a_story_has_its_revisions_units_and_claims(predicted):
    found = groups.members(predicted, [Ref("Story", story(predicted))])
    for label in ("Story", "Sentence", "Participant", "Contrast", "State", "Inference"):
        assert found[label], label
    revisions = count(predicted, f"(:Story {{id: '{story(predicted)}'}})<-[:REVISES]-(:Story)")
    assert len(found["Story"]) == 1 + revisions
    assert revisions > 0
    assert not set(found) & {"Run", "Record", "Goal", "ChangeMode"}


def test_a_run_has_its_claims_and_no_gold(predicted):
    run = predicted.read("MATCH (r:Run) RETURN r.id AS id ORDER BY id LIMIT 1")[0]["id"]
    found = groups.members(predicted, [Ref("Run", run)])
    assert found.pop("Run") == [run]
    assert found
    for label, ids in found.items():
        assert "Claim" in labels(label)
        sources = predicted.read(
            f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) RETURN DISTINCT n.source AS s",
            {"ids": ids},
        )
        assert sources == [{"s": "predicted"}]


def test_a_selection_closes_over_runs_and_modes(predicted):
    selection = Selection(predicted, [Ref("Story", story(predicted))])
    known = {node.id for node in selection.nodes()}
    assert all(e.source.id in known and e.target.id in known for e in selection.edges())
    assert {"Run", "Reasoner"} <= {node.ref.label for node in selection.nodes()}
    assert not selection.whole


def test_a_node_that_is_not_as_declared_is_named():
    with pytest.raises(SchemaError, match=r"Sentence 'x'.*index"):
        elements.make_node("Sentence", {"id": "x", "text": "", "start": 0, "end": 0})
