# SPDX-License-Identifier: Apache-2.0
"""Ids, the registry and the declared schema."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph import schema
from graph.errors import SchemaError, UnknownNameError, UsageError
from graph.ids import make_id
from graph.model import EDGES, NODES, Claim, Node
from graph.registry import Registry


class TestIds:
    def test_are_stable_over_releases(self):
        assert make_id("pasta", "Sentence", "key", 3) == "90362d22db9811a1b930"

    def test_parts_cannot_run_into_each_other(self):
        assert make_id("ab", "c") != make_id("a", "bc")
        assert make_id("a") != make_id("a", "")

    @given(st.lists(st.text(st.characters(codec="utf-8")), min_size=1, max_size=4))
    def test_look_alike(self, parts):
        assert re.fullmatch(r"[0-9a-f]{20}", make_id(*parts))


class TestRegistry:
    def test_loads_when_asked(self):
        registry = Registry("thing")
        registry.register("ids", "graph.ids:make_id")
        assert registry.get("ids") is make_id
        assert list(registry) == ["ids"]

    def test_suggests_names(self):
        registry = Registry("thing")
        registry.register("endpoint", "x:y")
        with pytest.raises(
            UnknownNameError, match="unknown thing 'endpont': did you mean endpoint"
        ):
            registry.get("endpont")

    def test_refuses_a_name_twice(self):
        registry = Registry("thing")
        registry.register("a", make_id)
        with pytest.raises(UsageError, match="registered already"):
            registry.register("a", make_id)


class TestSchema:
    def test_parents_come_first(self):
        seen = set()
        for cls in NODES:
            assert set(schema.labels(cls.__name__)[1:]) <= seen
            seen.add(cls.__name__)

    def test_every_edge_joins_declared_labels(self):
        for edge in EDGES:
            for label in (*edge.sources, *edge.targets):
                assert schema.node_class(label)

    def test_every_property_has_a_type_and_a_docstring_worth_the_name(self):
        kinds = {"str", "int", "float", "bool", "list"}
        for cls in NODES:
            for name in schema.properties(cls.__name__):
                assert schema.property_kind(cls.__name__, name) in kinds

    def test_every_label_is_rendered_for_both_engines(self):
        arcade, neo4j = "\n".join(schema.arcade_ddl()), "\n".join(schema.neo4j_ddl())
        for cls in NODES:
            assert f"CREATE VERTEX TYPE {cls.__name__} " in arcade + " "
            assert f"FOR (n:{cls.__name__}) REQUIRE n.id IS UNIQUE" in neo4j
        for name, (label, _) in schema.full_text_indexes().items():
            assert f"CREATE INDEX {name} IF NOT EXISTS ON {label}" in arcade
            assert f"CREATE FULLTEXT INDEX {name} IF NOT EXISTS FOR (n:{label})" in neo4j

    def test_full_text_covers_story_sentence_and_states(self):
        labels = {label for label, _ in schema.full_text_indexes().values()}
        assert labels == {"Story", "Sentence", "State", "CounterfactualState"}

    def test_foreign_names_are_refused(self):
        for lookup in (schema.node_class, schema.edge_type):
            with pytest.raises(SchemaError, match="unknown"):
                lookup("Story) DETACH DELETE (n")

    def test_claims_are_claims(self):
        assert issubclass(schema.node_class("State"), Claim)
        assert schema.labels("State") == ("State", "Claim")
        assert all(issubclass(cls, Node) for cls in NODES)
