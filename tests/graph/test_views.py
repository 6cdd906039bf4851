# SPDX-License-Identifier: Apache-2.0
"""networkx graphs: the same graph there and back, and the network of participants."""

from __future__ import annotations

import networkx as nx
import pytest

import fabula
from graph.batch import BatchBuilder
from graph.canonical import canonical_hash
from graph.errors import SchemaError, UsageError
from graph.model import Event, Mention, Participant, Sentence, Story
from graph.store import open_graph
from graph.views import from_networkx, participant_network, to_networkx
from ingest.run import ingest
from ingest.source import SAMPLE, Source


def test_networkx_and_back_is_the_same_graph(predicted, tmp_path):
    graph = to_networkx(predicted)
    assert isinstance(graph, nx.MultiDiGraph)
    with open_graph(tmp_path / "copy") as copy:
        copy.write(from_networkx(graph))
        assert canonical_hash(copy) == canonical_hash(predicted)


def test_attributes_have_their_types(predicted):
    graph = to_networkx(predicted)
    labels = {data["label"] for _, data in graph.nodes(data=True)}
    assert {"Story", "State", "Run"} <= labels
    assert "Meta" not in labels
    (mode,) = [d for _, d in graph.nodes(data=True) if d["label"] == "ChangeModeSet"][:1]
    assert mode["labels"] == ":ChangeModeSet:Claim"
    assert isinstance(mode["modes"], list)
    assert "confidence" not in mode or isinstance(mode["confidence"], float)
    sentence = next(d for _, d in graph.nodes(data=True) if d["label"] == "Sentence")
    assert isinstance(sentence["index"], int)
    numbers = [
        d["number"] for *_, key, d in graph.edges(keys=True, data=True) if key == "HAS_OPTION"
    ]
    assert set(numbers) == {1, 2}


def test_one_story_is_copied_with_what_belongs_to_it(predicted):
    key = predicted.read(
        "MATCH (:Story)-[:REVISES]->(s:Story) RETURN s.key AS key ORDER BY key LIMIT 1"
    )[0]["key"]
    graph = to_networkx(predicted, story=key)
    assert key in {data.get("key") for _, data in graph.nodes(data=True)}
    assert 0 < len(graph) < len(to_networkx(predicted))
    assert nx.number_weakly_connected_components(graph) == 1
    run = predicted.read("MATCH (r:Run) RETURN r.id AS id ORDER BY id LIMIT 1")[0]["id"]
    claims = to_networkx(predicted, run=run)
    assert [data["label"] for _, data in claims.nodes(data=True)].count("Run") == 1
    assert len(claims) > 1
    with pytest.raises(UsageError, match="no story 'nowhere'"):
        to_networkx(predicted, story="nowhere")


def test_a_graph_that_the_schema_does_not_know_is_refused():
    graph = nx.MultiDiGraph()
    graph.add_node("a", label="Story")
    with pytest.raises(SchemaError, match=r"Story 'a'.*dataset"):
        from_networkx(graph)
    graph.add_node("b")
    graph.nodes["a"].update(dataset="d", key="k", text="t")
    with pytest.raises(UsageError, match="'b' has no attribute 'label'"):
        from_networkx(graph)
    with pytest.raises(UsageError, match="MultiDiGraph is needed, this is a Graph"):
        from_networkx(nx.Graph())


@pytest.fixture
def town(embedded):
    """Two stories with three participants each, of whom one has the same name in both."""
    batch = BatchBuilder()
    for key in ("one", "two"):
        story = batch.node(Story(id=key, dataset="town", key=key, text="Ann saw Bob. Cat ran."))
        for at, (start, end) in enumerate([(0, 12), (13, 21)]):
            text = "Ann saw Bob. Cat ran."[start:end]
            sentence = Sentence(id=f"{key}{at}", index=at, text=text, start=start, end=end)
            batch.edge("HAS_SENTENCE", story, batch.node(sentence))
        for name, start, sentence in (("Ann", 0, 0), (f"Bob{key}", 8, 0), (f"Cat{key}", 13, 1)):
            who = batch.node(Participant(id=f"{key}{name}", name=name, source="gold"))
            batch.edge("IN_STORY", who, story)
            span = {"text": "...", "start": start, "end": start + 3}
            mention = batch.node(Mention(id=f"{key}{name}m", **span))
            batch.edge("REFERS_TO", mention, who)
            batch.edge("IN_SENTENCE", mention, Sentence(
                id=f"{key}{sentence}", index=0, text="", start=0, end=0).ref)  # fmt: skip
        event = batch.node(
            Event(id=f"{key}e", predicate="see", text="saw", start=4, end=7, index=0)
        )
        batch.edge("HAS_ARGUMENT", event, Participant(
            id=f"{key}Ann", name="", source="gold").ref, role="agent")  # fmt: skip
        batch.edge("HAS_ARGUMENT", event, Participant(
            id=f"{key}Bob{key}", name="", source="gold").ref, role="patient")  # fmt: skip
    embedded.write(batch.build())
    return embedded


def test_participants_are_joined_by_what_they_share(town):
    network = participant_network(town)
    assert len(network) == 6
    assert nx.number_connected_components(network) == 2
    assert network.edges["oneAnn", "oneBobone"] == {
        "weight": 3, "sentence": 1, "event": 1, "story": 1,
    }  # fmt: skip
    assert network.edges["oneAnn", "oneCatone"] == {"weight": 1, "story": 1}
    assert network.nodes["oneAnn"] == {"name": "Ann", "story": "one", "mentions": 1, "states": 0}


def test_participants_of_one_name_join_stories(town):
    network = participant_network(town, by_name=True, dataset="town")
    assert len(network) == 5
    assert nx.is_connected(network)
    assert network.nodes["ann"] == {"name": "Ann", "mentions": 2, "states": 0, "stories": 2}
    assert nx.betweenness_centrality(network)["ann"] == max(
        nx.betweenness_centrality(network).values()
    )
    assert len(participant_network(town, dataset="another")) == 0


def test_links_can_be_chosen(town):
    network = participant_network(town, story="one", links=["event"])
    assert list(network.edges(data="weight")) == [("oneAnn", "oneBobone", 1)]
    assert len(network) == 3
    with pytest.raises(UsageError, match="unknown link 'kin'"):
        participant_network(town, links=["kin"])


def test_they_are_public():
    assert fabula.to_networkx is to_networkx
    assert fabula.from_networkx is from_networkx
    assert fabula.participant_network is participant_network


def test_the_picture_of_the_page_is_up_to_date(embedded):
    import draw_network

    ingest(embedded, "pasta", Source(SAMPLE))
    drawn = draw_network.draw(embedded)
    old = draw_network.SVG.read_text(encoding="utf-8")
    assert drawn == old, "run `python scripts/draw_network.py`"
