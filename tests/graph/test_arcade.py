# SPDX-License-Identifier: Apache-2.0
"""Cypher that ArcadeDB would answer wrongly is put right or refused; the rest is left alone."""

from __future__ import annotations

import pytest

from graph.arcade import corrected
from graph.errors import QueryError

OPTIONAL = "MATCH (p:Participant) OPTIONAL MATCH (p)<-[:STATE_OF]-(s:State) WITH p, "


@pytest.mark.parametrize(
    ("count", "sent"),
    [
        ("count(s) AS n RETURN n", "count(s.id) AS n RETURN n"),
        ("COUNT( s ) as n RETURN n", "COUNT( s.id ) as n RETURN n"),
        ("count(DISTINCT s) AS n RETURN n", None),
        ("count(*) AS n RETURN n", None),
        ("count(q) AS n RETURN n", None),
        ("count(s.text) AS n RETURN n", None),
        ("'count(s) AS n' AS n RETURN n", None),
        ("1 AS n // count(s) AS n\nRETURN n", None),
    ],
)
def test_a_count_after_optional_match_keeps_the_label(count, sent):
    assert corrected(OPTIONAL + count) == OPTIONAL + (sent or count)


@pytest.mark.parametrize("node", ["(s)", "(s:State)", "(s {text: 'x'})", "(s:State {text: $x})"])
@pytest.mark.parametrize("pattern", ["(p)<-[:STATE_OF]-{}", "{}-[:STATE_OF]->(p)", "(p)--{}"])
def test_nodes_are_known_by_their_pattern(node, pattern):
    text = f"MATCH (p) OPTIONAL MATCH {pattern.format(node)} WITH p, count(s) AS n RETURN n"
    assert corrected(text) == text.replace("count(s)", "count(s.id)")


def test_edges_are_counted_as_they_are():
    text = "MATCH (p) OPTIONAL MATCH (p)-[r:HAS]->(s) WITH p, count(r) AS n RETURN n"
    assert corrected(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (s)-->(x) RETURN s {.key, n: count(x)} AS m",
        "MATCH (s)-->(x) RETURN s { .*, n: size(collect(x)) } AS m",
        "MATCH (b)-[r:HAS]->(o) WITH o ORDER BY r.number RETURN o",
        "MATCH (b)-[r]->(o) WITH b.key AS k, o ORDER BY o.id, r.number DESC LIMIT 3 RETURN o",
    ],
)
def test_what_cannot_be_helped_is_refused(text):
    with pytest.raises(QueryError, match="this engine"):
        corrected(text)


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (s)-->(x) WITH s, count(x) AS n RETURN s {.key, n} AS m",
        "MATCH (s) RETURN s {.key, n: COUNT { (s)-->() }} AS m",
        "CALL { MATCH (s) RETURN count(s) AS n } RETURN n",
        "MATCH (b)-[r]->(o) WITH o, r ORDER BY r.number WITH o RETURN o",
        "MATCH (b)-[r]->(o) WITH * ORDER BY r.number RETURN o",
        "MATCH (b)-[r]->(o) WHERE r.number > 0 WITH o ORDER BY r.number RETURN o",
        "MATCH (b)-[r]->(o) WITH o, r.number AS n ORDER BY n RETURN o",
        "MATCH (s)-[:HAS]->(x) WITH x ORDER BY s.key RETURN x",
        "MATCH (b)-[r]->(o) RETURN o ORDER BY r.number",
        "MATCH (b)-[r]->(o) WHERE o.text STARTS WITH 'a' RETURN o ORDER BY r.number",
    ],
)
def test_the_rest_is_left_alone(text):
    assert corrected(text) == text
