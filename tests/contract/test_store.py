# SPDX-License-Identifier: Apache-2.0
"""What every store must do, run on each of them."""

from __future__ import annotations

import threading
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph import queries
from graph.batch import BatchBuilder, Edge, GraphBatch
from graph.errors import (
    QueryError,
    QueryTimeoutError,
    ReadOnlyError,
    SchemaError,
)
from graph.model import (
    Branch,
    Claim,
    CounterfactualState,
    FactorSet,
    Option,
    Participant,
    Ref,
    Sentence,
    State,
    Story,
)
from graph.store import Written
from graph.values import EdgeValue, NodeValue, PathValue

SLOW = (
    "MATCH (a:Sentence), (b:Sentence), (c:Sentence) "
    "WHERE a.index + b.index + c.index = -1 RETURN count(*) AS n"
)


def story(key="1", text="Megan ran. She hid."):
    return Story(id=f"story-{key}", dataset="test", key=key, text=text)


def state(key="1", text="Megan was scared.", **more):
    return State(id=f"state-{key}", source="gold", item=key, text=text, **more)


def properties(store, node):
    rows = store.read(queries.all_nodes(type(node).__name__))
    return next(row["properties"] for row in rows if row["properties"]["id"] == node.id)


def small():
    batch = BatchBuilder()
    who = batch.node(Participant(id="p", name="Megan", source="derived"))
    told = batch.node(story())
    batch.edge("IN_STORY", who, told)
    for index, text in enumerate(("Megan ran.", "She hid.")):
        sentence = batch.node(Sentence(id=f"s{index}", index=index, text=text, start=0, end=1))
        batch.edge("HAS_SENTENCE", told, sentence)
    scared = batch.node(state())
    batch.edge("STATE_OF", scared, who)
    batch.edge("JUSTIFIED_BY", scared, Ref("Sentence", "s1"))
    return batch.build()


def many_sentences(store, n=400):
    store.write(
        GraphBatch(
            tuple(Sentence(id=f"x{i}", index=i, text=f"S {i}.", start=0, end=1) for i in range(n))
        )
    )


class TestWrite:
    def test_counts_what_it_creates(self, store):
        assert store.write(small()) == Written(nodes=5, edges=5)

    def test_twice_changes_nothing(self, store):
        store.write(small())
        before = [store.read(queries.all_nodes("Claim")), store.read(queries.all_edges("STATE_OF"))]
        assert store.write(small()) == Written(0, 0)
        after = [store.read(queries.all_nodes("Claim")), store.read(queries.all_edges("STATE_OF"))]
        assert after == before

    def test_a_node_gets_exactly_the_properties_given(self, store):
        store.write(GraphBatch((state(confidence=0.5, category="emotional"),)))
        store.write(GraphBatch((state(text="Megan was calm."),)))
        assert properties(store, state()) == {
            "id": "state-1",
            "source": "gold",
            "item": "1",
            "text": "Megan was calm.",
        }

    def test_an_edge_gets_the_properties_given(self, store):
        branch = Branch(
            id="b", dataset="t", split="dev", format="f", key="k", text="x", step_index=0
        )
        option = Option(id="o", text="fly")
        for number in (1, 2):
            edge = Edge("HAS_OPTION", branch.ref, option.ref, (("number", number),))
            store.write(GraphBatch((branch, option), (edge,)))
        assert store.read(queries.all_edges("HAS_OPTION")) == [
            {"source": "b", "target": "o", "properties": {"number": 2}}
        ]

    def test_edges_can_join_nodes_that_exist(self, store):
        store.write(small())
        other = CounterfactualState(id="c", source="gold", item="1", text="Megan was calm.")
        edges = (
            Edge("COUNTERFACTUAL_TO", other.ref, Ref("State", "state-1")),
            Edge("HOLDS_IN", Ref("State", "state-1"), Ref("Story", "story-1")),
            Edge("CONTRADICTED_IN", other.ref, Ref("Story", "story-1")),
        )
        assert store.write(GraphBatch((other,), edges)) == Written(1, 3)
        assert store.write(GraphBatch((), edges)) == Written(0, 0)
        assert store.read(queries.count_edges("HOLDS_IN")) == [{"n": 1}]
        assert store.read(
            "MATCH (:Story {id: 'story-1'})<-[r]-(s) RETURN type(r) AS t, s.id AS id ORDER BY t"
        ) == [
            {"t": "CONTRADICTED_IN", "id": "c"},
            {"t": "HOLDS_IN", "id": "state-1"},
            {"t": "IN_STORY", "id": "p"},
        ]

    def test_a_missing_end_is_refused_and_nothing_is_written(self, store):
        edge = Edge("STATE_OF", state().ref, Ref("Participant", "nobody"))
        with pytest.raises(SchemaError, match="Participant"):
            store.write(GraphBatch((state(),), (edge,)))
        assert store.read(queries.count_label("State")) == [{"n": 0}]

    def test_claims_are_found_by_either_label(self, store):
        store.write(GraphBatch((state(),)))
        for label in ("State", "Claim"):
            rows = store.read(queries.all_nodes(label))
            assert [sorted(row["labels"]) for row in rows] == [["Claim", "State"]]

    @pytest.mark.parametrize(
        "batch",
        [
            GraphBatch((Claim(id="x", source="gold", item="1"),)),
            GraphBatch((state().model_copy(update={"id": ""}),)),
            GraphBatch((), (Edge("NO_SUCH", Ref("State", "a"), Ref("Story", "b")),)),
            GraphBatch((), (Edge("STATE_OF", Ref("Story", "a"), Ref("Participant", "b")),)),
            GraphBatch((), (Edge("STATE_OF", Ref("State", "a"), Ref("Story", "b")),)),
            GraphBatch((), (Edge("IN_STORY", Ref("Participant`) DELETE (n", "a"), story().ref),)),
            GraphBatch((), (Edge("REVISES", story().ref, story("2").ref, (("x", 1),)),)),
        ],
        ids=["abstract", "no-id", "edge-type", "source", "target", "label-injection", "property"],
    )
    def test_refuses_what_the_schema_does_not_declare(self, store, batch):
        with pytest.raises(SchemaError):
            store.write(batch)
        assert store.read(queries.count_label("Claim")) == [{"n": 0}]

    @settings(
        max_examples=60,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    @given(
        text=st.text(st.characters(codec="utf-8"), max_size=200),
        texts=st.lists(st.text(st.characters(codec="utf-8"), max_size=20), max_size=5),
        confidence=st.floats(0, 1),
        index=st.integers(-(2**62), 2**62),
    )
    def test_values_come_back_as_they_went_in(self, store, text, texts, confidence, index):
        nodes = (
            state(text=text, confidence=confidence),
            FactorSet(id="f", source="gold", item=text, texts=tuple(texts)),
            Sentence(id="i", index=index, text=text, start=0, end=0),
        )
        store.write(GraphBatch(nodes))
        found = properties(store, nodes[0])
        assert found["text"] == text
        assert found["confidence"] == pytest.approx(confidence, abs=0, rel=0)
        assert properties(store, nodes[1])["texts"] == texts
        assert properties(store, nodes[2])["index"] == index

    def test_long_and_hostile_texts(self, store):
        for text in (
            "x" * 1_000_000,
            "a\x00b\x1b[0m",
            "' OR 1=1 }) DETACH DELETE n //",
            "\\u0027}) MATCH (n) DETACH DELETE n //",
            '"; DROP TYPE Story; --',
        ):
            store.write(GraphBatch((story(text=text),)))
            assert properties(store, story())["text"] == text


class TestTransactions:
    def test_an_error_rolls_everything_back(self, store):
        def work(tx):
            tx.write(small())
            raise ValueError("stop")

        with pytest.raises(ValueError, match="stop"):
            store.transact(work)
        assert store.read(queries.count_label("Story")) == [{"n": 0}]

    def test_reads_its_own_writes(self, store):
        def work(tx):
            tx.write(small())
            return tx.run(queries.count_label("Sentence"))

        assert store.transact(work) == [{"n": 2}]

    def test_writers_at_once_lose_nothing(self, store):
        store.write(GraphBatch((story(),)))
        errors = []

        def writer(name):
            try:
                for number in range(20):
                    who = Participant(id=f"{name}-{number}", name=name, source="gold")
                    store.write(
                        GraphBatch((who, story()), (Edge("IN_STORY", who.ref, story().ref),))
                    )
            except Exception as error:
                errors.append(error)

        threads = [threading.Thread(target=writer, args=(f"w{i}",)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert errors == []
        assert store.read(queries.count_edges("IN_STORY")) == [{"n": 80}]


class TestRead:
    def test_graph_values(self, store):
        store.write(small())
        row = store.read(
            "MATCH p = (s:State)-[r:STATE_OF]->(n:Participant) RETURN s, r, p, [n] AS list, "
            "{name: n.name} AS map"
        )[0]
        who = NodeValue(("Participant",), {"id": "p", "name": "Megan", "source": "derived"})
        assert row["s"].labels == ("Claim", "State")
        assert row["r"] == EdgeValue("STATE_OF", {})
        assert row["p"] == PathValue((row["s"], who), (row["r"],))
        assert row["list"] == [who]
        assert row["map"] == {"name": "Megan"}

    @pytest.mark.parametrize("method", ["read", "ask"])
    @pytest.mark.parametrize(
        "text",
        [
            "CREATE (n:Story {id: 'new'}) RETURN n.id AS id",
            "MATCH (n:Story) SET n.text = 'x' RETURN n.id AS id",
            "MATCH (n:Story) DETACH DELETE n",
            "MERGE (n:Story {id: 'new'}) RETURN n.id AS id",
            "/* MATCH */ cReAtE (n:Story {id: 'new'})",
        ],
    )
    def test_cannot_write(self, store, method, text):
        store.write(GraphBatch((story(),)))
        with pytest.raises(ReadOnlyError):
            getattr(store, method)(text)
        assert store.read("MATCH (n:Story) RETURN n.id AS id, n.text AS text") == [
            {"id": "story-1", "text": story().text}
        ]

    def test_parameters_are_values_only(self, store):
        store.write(small())
        text = "MATCH (n:Story {key: $key}) RETURN n.id AS id"
        assert store.read(text, {"key": "1"}) == [{"id": "story-1"}]
        assert store.read(text, {"key": "1'}) DETACH DELETE n //"}) == []
        assert store.read("RETURN $x AS x", {"x": [1, {"a": None}]}) == [{"x": [1, {"a": None}]}]

    def test_an_error_in_the_query_is_told(self, store):
        with pytest.raises(QueryError, match="BAD"):
            store.read("BAD QUERY")

    def test_stream_yields_as_rows_come(self, store):
        many_sentences(store)
        rows = store.stream("MATCH (a:Sentence), (b:Sentence) RETURN a.index AS a, b.index AS b")
        started = time.monotonic()
        assert set(next(rows)) == {"a", "b"}
        assert time.monotonic() - started < 5
        rows.close()

    def test_full_text(self, store):
        store.write(small())
        rows = store.read(
            "CALL db.index.fulltext.queryNodes('state_text', $words) YIELD node, score "
            "RETURN node.id AS id",
            {"words": "scared"},
        )
        assert rows == [{"id": "state-1"}]


class TestAsk:
    def test_columns_and_rows(self, store):
        store.write(small())
        rows = store.ask("MATCH (s:Sentence) RETURN s.index AS i, s.text AS t ORDER BY i")
        assert rows.columns == ("i", "t")
        assert rows.rows == ((0, "Megan ran."), (1, "She hid."))
        assert not rows.truncated

    def test_the_row_limit_holds(self, store):
        many_sentences(store)
        rows = store.ask("MATCH (s:Sentence) RETURN s.index AS i", max_rows=7)
        assert len(rows.rows) == 7
        assert rows.truncated
        exact = store.ask("MATCH (s:Sentence) RETURN s.index AS i", max_rows=400)
        assert len(exact.rows) == 400
        assert not exact.truncated

    def test_the_time_limit_holds(self, store):
        many_sentences(store)
        started = time.monotonic()
        with pytest.raises(QueryTimeoutError, match=r"0\.5 s"):
            store.ask(SLOW, timeout_s=0.5)
        assert time.monotonic() - started < 3
        # The store is still good afterwards.
        assert store.ask("RETURN 1 AS one").rows == ((1,),)


class TestCounts:
    def test_delete_nodes_and_edges(self, store):
        store.write(small())
        store.transact(lambda tx: tx.run(queries.delete_edges_from("State"), {"ids": ["state-1"]}))
        assert store.read(queries.count_edges("STATE_OF")) == [{"n": 0}]
        store.transact(lambda tx: tx.run(queries.delete_nodes("State"), {"ids": ["state-1"]}))
        assert store.read(queries.count_label("Claim")) == [{"n": 0}]
        assert store.read(queries.count_label("Sentence")) == [{"n": 2}]
