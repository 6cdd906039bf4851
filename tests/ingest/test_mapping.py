# SPDX-License-Identifier: Apache-2.0
"""What the sample's rows become, seen through Cypher."""

from __future__ import annotations

from typing import Any

import pytest

from graph.model import EDGES, Mention, Sentence
from graph.store import GraphStore
from ingest.readers import READERS
from ingest.rows import parse, read_lines, read_whole
from ingest.source import SAMPLE


def column(store: GraphStore, text: str, **params: Any) -> list[Any]:
    return [next(iter(row.values())) for row in store.read(text, params)]


def test_every_span_is_the_text_it_says(sample_store: GraphStore) -> None:
    for label, path in (
        ("Sentence", "(x)<-[:HAS_SENTENCE]-(s)"),
        ("Mention", "(x)-[:REFERS_TO]->(:Participant)-[:IN_STORY]->(s)"),
    ):
        rows = sample_store.read(
            f"MATCH (x:{label}) MATCH {path} "
            "RETURN x.text AS text, x.start AS start, x.end AS end, s.text AS story"
        )
        assert len(rows) == column(sample_store, f"MATCH (x:{label}) RETURN count(x)")[0] > 40
        for row in rows:
            assert row["story"][row["start"] : row["end"]] == row["text"]


def test_sentences_follow_each_other(sample_store: GraphStore) -> None:
    rows = sample_store.read(
        "MATCH (a:Sentence)-[:NEXT]->(b:Sentence) RETURN a.index AS a, b.index AS b"
    )
    stories = column(sample_store, "MATCH (s:Story) RETURN count(s)")[0]
    sentences = column(sample_store, "MATCH (s:Sentence) RETURN count(s)")[0]
    assert len(rows) == sentences - stories
    assert all(row["b"] == row["a"] + 1 for row in rows)


def test_every_gold_claim_is_about_a_unit(sample_store: GraphStore) -> None:
    claims = column(sample_store, "MATCH (c:Claim) RETURN count(c)")[0]
    linked = column(sample_store, "MATCH (c:Claim)-[:ABOUT]->(u) RETURN count(DISTINCT c)")[0]
    gold = column(sample_store, "MATCH (c:Claim {source: 'gold'}) RETURN count(c)")[0]
    assert claims == linked == gold > 300


def test_views_and_splits_of_a_poque_story_share_it(sample_store: GraphStore) -> None:
    rows = sample_store.read(
        "MATCH (u:ComplexEvent)-[:OF_STORY]->(s:Story {key: '503'}) "
        "RETURN u.split AS split, u.role AS role, s.id AS story, s.origin AS origin"
    )
    assert {(row["split"], row["role"]) for row in rows} == {
        ("valid", "agent"), ("test", "patient"),
    }  # fmt: skip
    assert {row["story"] for row in rows} == {rows[0]["story"]}
    assert rows[0]["origin"] == "ANYT National Desk"


def test_nested_mentions_refer_to_the_lines_own_participant(sample_store: GraphStore) -> None:
    rows = sample_store.read(
        "MATCH (:ComplexEvent {key: '3'})-[:HAS_PARTICIPANT]->(p)<-[:REFERS_TO]-(m:Mention) "
        "MATCH (m)-[:IN_SENTENCE]->(x:Sentence) "
        "RETURN p.name AS name, m.text AS text, x.index AS sentence ORDER BY m.start, m.end"
    )
    assert [(row["text"], row["sentence"]) for row in rows] == [
        ("Jonas", 0), ("his", 0), ("his sister", 0), ("He", 1), ("He", 4),
    ]  # fmt: skip
    assert {row["name"] for row in rows} == {"Jonas"}


def test_a_mention_across_sentences_lies_in_both() -> None:
    reader = READERS.get("poque")
    file = reader.files(SAMPLE)[0]
    row = parse(next(iter(read_lines(file.path))))
    row["story_text"] = " Then Mr. Ode left. It rained."
    row["original_story_text"] = " Then <participant>Mr. Ode</participant> left. It rained."
    batch = reader.to_graph(reader.parse(row, file), file)
    (mention,) = (node for node in batch.nodes if isinstance(node, Mention))
    by_id = {node.id: node for node in batch.nodes}
    inside = [by_id[edge.target.id] for edge in batch.edges if edge.type == "IN_SENTENCE"]
    assert (mention.text, mention.start, mention.end) == ("Mr. Ode", 5, 12)
    assert [node.text for node in inside if isinstance(node, Sentence)] == [
        "Then Mr.", "Ode left.",
    ]  # fmt: skip


def test_factors_are_grounded_where_their_words_stand(sample_store: GraphStore) -> None:
    rows = sample_store.read(
        "MATCH (:ComplexEvent {key: '8'})<-[:ABOUT]-(:FactorSet)-[:HAS_FACTOR]->(f:Factor) "
        "OPTIONAL MATCH (f)-[:GROUNDED_IN]->(x:Sentence) "
        "RETURN f.index AS factor, x.index AS sentence ORDER BY factor"
    )
    assert [(row["factor"], row["sentence"]) for row in rows] == [(0, 0), (1, 1), (2, None)]


def test_change_modes_are_shared_and_empty_sets_stay(sample_store: GraphStore) -> None:
    names = column(sample_store, "MATCH (m:ChangeMode) RETURN m.name AS name ORDER BY name")
    assert names == ["Existence", "Feeling", "Location", "Other_Way", "Possession"]
    rows = sample_store.read(
        "MATCH (c:ChangeModeSet {item: '4'}) OPTIONAL MATCH (c)-[:HAS_MODE]->(m) "
        "RETURN c.modes AS modes, m.name AS name"
    )
    assert rows == [{"modes": [], "name": None}]


@pytest.mark.parametrize(
    ("uid", "likert", "involved", "anchoring", "value"),
    [("4", 2, True, "implied", 2), ("5", 1, False, "unsure", 0), ("108", 1, False, "unsure", 3)],
)
def test_likert_and_anchoring(
    sample_store: GraphStore, uid: str, likert: int, involved: bool, anchoring: str, value: int
) -> None:
    assert sample_store.read(
        "MATCH (i:Involvement {item: $uid}) MATCH (e:Endpoint {item: $uid}) "
        "RETURN i.likert AS likert, i.involved AS involved, e.anchoring AS anchoring, "
        "e.anchoring_value AS value",
        {"uid": uid},
    ) == [{"likert": likert, "involved": involved, "anchoring": anchoring, "value": value}]


def test_a_contrast_has_two_worlds(sample_store: GraphStore) -> None:
    rows = sample_store.read(
        "MATCH (u:Contrast {key: 'SAMPLEVAL004'}) "
        "MATCH (u)<-[:ABOUT]-(c:CounterfactualState)-[:COUNTERFACTUAL_TO]->(s:State) "
        "MATCH (s)-[:HOLDS_IN]->(a:Story)<-[:CONTRADICTED_IN]-(c) "
        "MATCH (c)-[:HOLDS_IN]->(b:Story)<-[:CONTRADICTED_IN]-(s) "
        "MATCH (u)-[:OF_STORY]->(a) MATCH (u)-[:REVISED_AS]->(b) MATCH (b)-[:REVISES]->(a) "
        "RETURN a.title AS title, b.key AS revised"
    )
    assert rows == [{"title": "Last Ferry", "revised": "SAMPLEVAL004/revised"}]
    replaced = column(
        sample_store,
        "MATCH (:Story {key: 'SAMPLEVAL004/revised'})-[:HAS_SENTENCE]->(x)-[:REPLACES]->(y) "
        "WHERE x.index = y.index RETURN x.index AS i ORDER BY i",
    )
    assert replaced == [3, 4]


def test_justification_is_marked_and_changed(sample_store: GraphStore) -> None:
    found = {
        label: column(
            sample_store,
            f"MATCH (c:{label} {{item: 'SAMPLEVAL004'}})-[:JUSTIFIED_BY]->(x:Sentence) "
            "RETURN x.index AS i ORDER BY i",
        )
        for label in ("State", "CounterfactualState")
    }
    assert found == {"State": [3], "CounterfactualState": [3, 4]}


def test_the_four_inferences(sample_store: GraphStore) -> None:
    rows = sample_store.read(
        "MATCH (i:Inference)-[:ABOUT]->(:Contrast {key: 'SAMPLEVAL004'}) "
        "MATCH (i)-[:OF_STATE]->(s) MATCH (i)-[:IN_STORY]->(t:Story) "
        "MATCH (i)-[:EVIDENCED_BY]->(x:Sentence) "
        "WITH i, s, t, x ORDER BY x.index "
        "RETURN i.item AS item, i.holds AS holds, s.text AS state, t.key AS story, "
        "collect(x.index) AS evidence ORDER BY item"
    )
    kind, strict = "The captain is kind.", "The captain is strict."
    assert [tuple(row.values()) for row in rows] == [
        ("SAMPLEVAL004/backward/counterfactual", True, strict, "SAMPLEVAL004/revised", [3, 4]),
        ("SAMPLEVAL004/backward/state", False, kind, "SAMPLEVAL004/revised", [3, 4]),
        ("SAMPLEVAL004/forward/counterfactual", False, strict, rows[2]["story"], [3]),
        ("SAMPLEVAL004/forward/state", True, kind, rows[2]["story"], [3]),
    ]


def test_the_two_revisions_and_state_changes(sample_store: GraphStore) -> None:
    rows = sample_store.read(
        "MATCH (r:Revision)-[:ABOUT]->(:Contrast {key: 'SAMPLEVAL004'}) "
        "MATCH (r)-[:OF_STORY]->(a:Story)-[:HAS_SENTENCE]->(x) MATCH (r)-[:REVISED_AS]->(b:Story) "
        "MATCH (r)-[:OF_STATE]->(s) MATCH (c:StateChange {item: r.item}) "
        "MATCH (c)-[:FROM_STORY]->(a) MATCH (c)-[:TO_STORY]->(b) "
        "MATCH (c)-[:FROM_STATE]->(f) MATCH (c)-[:TO_STATE]->(s) "
        "RETURN DISTINCT r.item AS item, r.sentences AS sentences, b.text AS text, "
        "s.text AS wished, f.text AS before, c.states AS states ORDER BY item"
    )
    assert [row["item"] for row in rows] == ["SAMPLEVAL004/backward", "SAMPLEVAL004/forward"]
    for row in rows:
        assert len(row["sentences"]) == 5
        assert " ".join(row["sentences"]) == row["text"]
        assert row["states"] == [row["before"], row["wished"]]
    assert rows[1]["wished"] == "The captain is strict."


def test_both_states_share_their_participant(sample_store: GraphStore) -> None:
    rows = sample_store.read(
        "MATCH (:State {item: 'SAMPLEVAL004'})-[:STATE_OF]->(p:Participant)<-[:STATE_OF]-"
        "(:CounterfactualState {item: 'SAMPLEVAL004'}) MATCH (p)<-[:REFERS_TO]-(m:Mention) "
        "RETURN p.name AS name, p.source AS source, m.text AS text"
    )
    assert rows == [{"name": "captain", "source": "derived", "text": "captain"}]


def test_formats_share_a_goal_and_its_options(sample_store: GraphStore) -> None:
    rows = sample_store.read(
        "MATCH (b:Branch)-[:OF_GOAL]->(g:Goal {key: '901'}) "
        "MATCH (b)-[r:HAS_OPTION]->(o:Option) "
        "RETURN b.format AS format, g.id AS goal, r.number AS number, o.id AS option, "
        "o.text AS text"
    )
    assert len(rows) == 6
    assert len({row["goal"] for row in rows}) == 1
    assert len({row["option"] for row in rows if row["number"] == 1}) == 1
    # One format words option 2 differently.
    assert len({row["option"] for row in rows if row["number"] == 2}) == 2


def test_a_decision_prefers_one_option_or_both(sample_store: GraphStore) -> None:
    rows = sample_store.read(
        "MATCH (d:Decision)-[:ABOUT]->(s:Scenario)-[:AT_BRANCH]->(b:Branch "
        "{key: 'verb_phrase_manual/dev/902'}) MATCH (d)-[:PREFERS]->(o:Option) "
        "MATCH (b)-[r:HAS_OPTION]->(o) WITH d, s, r ORDER BY r.number "
        "RETURN s.key AS key, d.choice AS choice, d.level AS level, collect(r.number) AS preferred "
        "ORDER BY key"
    )
    key = "verb_phrase_manual/dev/902"
    assert [tuple(row.values()) for row in rows] == [
        (f"{key}#0", 1, "hard", [1]), (f"{key}#1", 2, "easy", [2]), (f"{key}#2", 0, "na", [1, 2]),
    ]  # fmt: skip


def test_the_folder_gives_the_split(sample_store: GraphStore) -> None:
    rows = sample_store.read(
        "MATCH (b:Branch {key: 'user_profile/dev/902'})-[:AT_STEP]->(s:Step) "
        "RETURN b.split AS split, b.declared_split AS declared, s.index AS step"
    )
    assert rows == [{"split": "dev", "declared": "test", "step": 3}]


def test_no_story_hangs_together_with_another_by_chance(sample_store: GraphStore) -> None:
    counts = {
        edge.name: column(sample_store, f"MATCH ()-[r:{edge.name}]->() RETURN count(r)")[0]
        for edge in EDGES
    }
    of_predictions = {"HAS_ARGUMENT", "PRODUCED", "MADE_BY", "LOADS"}
    assert {name for name, count in counts.items() if not count} == of_predictions


@pytest.mark.parametrize("dataset", ["poque", "pasta", "choice75"])
def test_the_mapping_is_a_function(dataset: str) -> None:
    reader = READERS.get(dataset)
    for file in reader.files(SAMPLE):
        for raw in (read_whole if reader.whole_files else read_lines)(file.path):
            record = reader.parse(parse(raw), file)
            batch = reader.to_graph(record, file)
            assert batch == reader.to_graph(record, file)
            assert len({node.id for node in batch.nodes}) == len(batch.nodes)
