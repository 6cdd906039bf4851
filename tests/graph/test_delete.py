# SPDX-License-Identifier: Apache-2.0
"""What is deleted goes whole, nothing else does, and an ingest brings stories back."""

from __future__ import annotations

import json
import shutil

import pytest

from graph import groups, queries
from graph.canonical import canonical_lines, fingerprint
from graph.delete import delete, find, plan
from graph.errors import UsageError
from graph.model import NODES, Ref
from graph.schema import concrete
from graph.store import open_graph
from ingest.run import ingest
from ingest.source import SAMPLE, Source
from reasoners import run as runs

FREE = {"Story", "Goal", "ChangeMode", "Run", "Reasoner", "Model", "Record", "Meta"}
"""Labels whose nodes belong to nothing."""
SHARED = {"ChangeMode", "Reasoner", "Model"}


@pytest.fixture
def graph(predicted_folder, tmp_path):
    """The sample with predictions, to be changed."""
    shutil.copytree(predicted_folder, tmp_path / "graph")
    with open_graph(tmp_path / "graph") as store:
        yield store


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    """The sample, for tests that bring it back to what it was."""
    with open_graph(tmp_path_factory.mktemp("sample") / "g") as store:
        ingest(store, "all", Source(SAMPLE))
        yield store


def first(store, kind):
    """Something of each kind: a story of a data set, a goal, a run."""
    if kind in ("poque", "pasta"):
        text = (
            "MATCH (s:Story) WHERE s.dataset = $kind AND NOT (s)-[:REVISES]->() "
            "RETURN s.key AS key ORDER BY key LIMIT 1"
        )
        return find(store, "story", store.read(text, {"kind": kind})[0]["key"], kind)
    label, key = ("Goal", "key") if kind == "goal" else ("Run", "id")
    rows = store.read(f"MATCH (n:{label}) RETURN n.{key} AS key ORDER BY key LIMIT 1")
    return find(store, kind, rows[0]["key"])


def orphans(store):
    """Nodes that belong to nothing, of labels whose nodes always belong to something."""
    names = [cls.__name__ for cls in NODES if concrete(cls.__name__) == (cls.__name__,)]
    return [ref for name in set(names) - FREE for ref in groups.roots(store, name)]


@pytest.mark.parametrize("kind", ["poque", "pasta", "goal", "run"])
def test_the_group_goes_and_nothing_else(graph, kind):
    roots = first(graph, kind)
    group = groups.members(graph, roots)
    ids = {id for some in group.values() for id in some}
    told = plan(graph, roots)
    assert orphans(graph) == []
    before = set(canonical_lines(graph))
    assert delete(graph, roots) == told == {name: len(some) for name, some in group.items()}
    after = set(canonical_lines(graph))
    assert after < before
    assert orphans(graph) == []
    gone = [json.loads(line) for line in before - after]
    nodes = {(element[0], element[-1]["id"]) for element in gone if len(element) == 3}
    assert ids <= {id for _, id in nodes}
    others = {(label, id) for label, id in nodes if id not in ids}
    assert {label for label, _ in others} <= SHARED | {"Record"}
    for element in gone:
        if len(element) == 4:
            ends = {element[1], element[2]}
            assert ends & ids or ends <= {id for label, id in others if label in SHARED}


@pytest.mark.parametrize("kind", ["poque", "pasta", "goal"])
def test_an_ingest_brings_it_back(sample, kind):
    before = list(canonical_lines(sample))
    delete(sample, first(sample, kind))
    assert list(canonical_lines(sample)) != before
    report = ingest(sample, "all", Source(SAMPLE))
    assert sum(part.written for part in report.datasets) > 0
    assert list(canonical_lines(sample)) == before


def test_with_all_stories_goals_and_runs_everything_goes(graph):
    for label in ("Story", "Goal"):
        delete(graph, list(groups.roots(graph, label)))
    left = set(fingerprint(graph))
    assert left == {"Run", "Reasoner", "MADE_BY"}
    for row in graph.read(queries.RUNS):
        assert row["claims"] == 0
        runs.delete(graph, row["id"])
    assert fingerprint(graph) == {}


def test_a_reasoner_stays_while_another_run_uses_it(graph):
    text = (
        "MATCH (a:Run)-[:MADE_BY]->(x:Reasoner)<-[:MADE_BY]-(b:Run) "
        "RETURN x.id AS id, a.id AS run ORDER BY id LIMIT 1"
    )
    row = graph.read(text)[0]
    makers = "MATCH (r:Run)-[:MADE_BY]->(x:Reasoner {id: $id}) RETURN r.id AS id"
    exists = "MATCH (x:Reasoner {id: $id}) RETURN x.id AS id"
    using = [each["id"] for each in graph.read(makers, {"id": row["id"]})]
    for run in using:
        assert graph.read(exists, {"id": row["id"]})
        runs.delete(graph, run)
    assert not graph.read(exists, {"id": row["id"]})


def test_a_run_that_is_not_there_is_no_error_to_the_code_and_one_to_users(embedded):
    before = list(canonical_lines(embedded))
    runs.delete(embedded, "none")
    assert list(canonical_lines(embedded)) == before
    with pytest.raises(UsageError, match=r"there is no run 'none'.*fabula runs"):
        find(embedded, "run", "none")


def test_a_key_that_several_data_sets_have_needs_the_data_set(embedded):
    from graph.batch import GraphBatch
    from graph.model import Story

    embedded.write(
        GraphBatch(tuple(Story(id=d, dataset=d, key="1", text="") for d in ("one", "two")))
    )
    with pytest.raises(UsageError, match=r"one and two each have a story '1'.*--dataset"):
        find(embedded, "story", "1")
    assert find(embedded, "story", "1", "two") == [Ref("Story", "two")]
    with pytest.raises(UsageError, match="no story '1' of three"):
        find(embedded, "story", "1", "three")


@pytest.mark.data
@pytest.mark.slow
def test_real_stories_go_and_come_back(real_data, tmp_path):
    with open_graph(tmp_path / "g") as store:
        ingest(store, "all", Source(real_data))
        before = fingerprint(store)
        for label in ("Story", "Goal"):
            found = sorted(groups.roots(store, label))
            delete(store, found[:: max(1, len(found) // 40)])
            assert orphans(store) == []
        assert fingerprint(store) != before
        ingest(store, "all", Source(real_data))
        assert fingerprint(store) == before
