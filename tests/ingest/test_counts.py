# SPDX-License-Identifier: Apache-2.0
"""Counts and statistics of the graph, against what is known of the published files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from graph import queries
from graph.store import GraphStore, open_graph
from ingest.run import ingest
from ingest.source import Source


def splits(store: GraphStore, label: str) -> dict[str, int]:
    return {row["split"]: row["n"] for row in store.read(queries.units_by_split(label))}


def test_sample(sample_store: GraphStore) -> None:
    assert splits(sample_store, "ComplexEvent") == {"valid": 8, "test": 8}
    assert splits(sample_store, "Contrast") == {"val": 8, "te": 8}
    assert splits(sample_store, "Branch") == {"dev": 9, "train": 9}
    assert splits(sample_store, "Scenario") == {"dev": 19, "train": 14}


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphStore]:
    import os

    if not os.environ.get("FABULA_DATA"):
        pytest.skip("FABULA_DATA is not set: the real data sets are needed here")
    data = Path(os.environ["FABULA_DATA"]).resolve()
    with open_graph(tmp_path_factory.mktemp("real") / "graph") as store:
        report = ingest(store, "all", Source(data))
        assert report.rejections == 0
        # No file differs from the published one that this code knows.
        assert report.notices == ()
        yield store


def one(store: GraphStore, text: str) -> float:
    return float(next(iter(store.read(text)[0].values())))


@pytest.mark.data
def test_real_units(real: GraphStore) -> None:
    events = splits(real, "ComplexEvent")
    assert (events["valid"], events["test"]) == (986, 1196)
    contrasts = splits(real, "Contrast")
    assert (contrasts["val"], contrasts["te"]) == (1350, 917)
    assert splits(real, "Branch") == {"dev": 195, "train": 29}
    assert splits(real, "Scenario") == {"dev": 565, "train": 86}


@pytest.mark.data
def test_real_poque(real: GraphStore) -> None:
    here = "MATCH (u:ComplexEvent) WHERE u.split IN ['valid', 'test'] "
    stories = real.read(
        here + "MATCH (u)-[:OF_STORY]->(s) "
        "RETURN u.split AS split, count(DISTINCT s.id) AS n ORDER BY split"
    )
    assert [(row["split"], row["n"]) for row in stories] == [("test", 762), ("valid", 915)]
    roles = real.read(
        here + "RETURN u.split AS split, u.role AS role, count(u) AS n ORDER BY split, role"
    )
    assert [row["n"] for row in roles] == [607, 589, 493, 493]
    claims = here + "MATCH (u)<-[:ABOUT]-"
    assert one(real, claims + "(c:Change {text: ''}) RETURN count(c)") == 532
    anchoring = real.read(
        claims + "(c:Endpoint) RETURN c.anchoring AS a, count(c) AS n ORDER BY n DESC"
    )
    shares = [round(100 * row["n"] / 2182, 1) for row in anchoring]
    assert shares == [70.1, 28.0, 1.9]
    involved = one(
        real,
        "MATCH (u:ComplexEvent {split: 'test'})<-[:ABOUT]-(c:Involvement {involved: true}) "
        "RETURN count(c)",
    )
    assert involved == 1020
    assert round(one(real, claims + "(c:Factor) RETURN count(c)") / 2182, 2) == 3.57


@pytest.mark.data
def test_real_pasta(real: GraphStore) -> None:
    here = "MATCH (u:Contrast) WHERE u.split IN ['val', 'te'] "
    assert one(real, here + "MATCH (u)-[:OF_STORY]->(s) RETURN count(DISTINCT s.id)") == 1061
    counts = {
        label: one(real, here + f"MATCH (u)<-[:ABOUT]-(c:{label}) RETURN count(c)")
        for label in ("Inference", "Revision", "StateChange", "State", "CounterfactualState")
    }
    assert counts == {
        "Inference": 3668 + 5400, "Revision": 4534, "StateChange": 4534,
        "State": 2267, "CounterfactualState": 2267,
    }  # fmt: skip
    justified = one(
        real, here + "MATCH (u)<-[:ABOUT]-(:State)-[r:JUSTIFIED_BY]->() RETURN count(r)"
    )
    assert round(justified / 2267, 2) == 1.45
    changed = one(real, here + "MATCH (u)-[:REVISED_AS]->()-[:HAS_SENTENCE]->()-[r:REPLACES]->() "
                  "RETURN count(r)")  # fmt: skip
    assert round(changed / 2267, 2) == 1.47
    linked = one(real, here + "MATCH (u)<-[:ABOUT]-(c)-[:STATE_OF]->() RETURN count(c)")
    assert linked / (2 * 2267) > 0.85


@pytest.mark.data
def test_real_choice75(real: GraphStore) -> None:
    rows = real.read(
        "MATCH (d:Decision)-[:ABOUT]->(:Scenario)-[:AT_BRANCH]->(b:Branch) "
        "WHERE d.source = 'gold' "
        "RETURN b.format AS format, b.split AS split, d.level AS level, count(d) AS n"
    )
    found = {(row["format"], row["split"], row["level"]): row["n"] for row in rows}
    expected = {
        ("verb_phrase_manual", "dev"): (65, 76, 36, 65),
        ("verb_phrase_manual", "train"): (7, 15, 6, 3),
        ("verb_phrase_machine", "dev"): (39, 26, 16, 47),
        ("verb_phrase_machine", "train"): (7, 15, 6, 3),
        ("user_profile", "dev"): (45, 70, 15, 65),
        ("user_profile", "train"): (8, 6, 2, 8),
    }
    assert found == {
        (*folder, level): n
        for folder, counts in expected.items()
        for level, n in zip(("easy", "medium", "hard", "na"), counts, strict=True)
    }
    assert one(real, "MATCH (g:Goal) RETURN count(g)") == 83
