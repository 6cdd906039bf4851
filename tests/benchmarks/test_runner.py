# SPDX-License-Identifier: Apache-2.0
"""The runner on the bundled sample: from the graph and back, resumable, honest about failures."""

from __future__ import annotations

import json

import pytest

from benchmarks import results as schema
from benchmarks.runner import Request, run, spell_out
from graph import queries
from graph.errors import RunError, UnknownNameError, UsageError
from graph.store import open_graph
from ingest.source import SAMPLE, Source
from reasoners.base import AnswerError
from reasoners.registry import BASELINES, REASONERS
from reasoners.run import delete
from reasoners.scripted import Scripted
from reasoners.tasks import ORDER, select

SOURCE = Source(SAMPLE)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Every baseline on every task."""
    folder = tmp_path_factory.mktemp("run")
    request = Request(select(["all"]), spell_out(["baselines"]), folder / "out")
    with open_graph(folder / "graph") as store:
        yield store, request, run(store, request, SOURCE)


def samples(out):
    return [json.loads(line) for line in (out / "samples.jsonl").read_text().splitlines()]


def test_all_tasks_with_all_baselines(finished):
    _store, request, results = finished
    assert list(results.tasks) == list(ORDER)
    assert results.tasks["pasta.state_inference/marked"].n == 4 * 8
    assert results.tasks["pasta.story_revision"].n == 2 * 8
    for task in results.tasks.values():
        assert {"random"} <= set(task.systems)
        assert task.published or task.title == "Involvement, from the endpoint"
        for system in task.systems.values():
            assert system.coverage == 100
            assert task.primary_metric in system.metrics
            for figure in system.metrics.values():
                assert figure.low <= figure.value + 1e-9
                assert figure.value <= figure.high + 1e-9
    assert any("SAMPLE DATA" in notice or "sample" in notice for notice in results.notices) or (
        results.data["pasta"].kind == "given"
    )
    n = sum(task.n * len(task.systems) for task in results.tasks.values())
    assert len(samples(request.out)) == n
    for name in ("results.json", "results.md", "report.html", "run.json"):
        assert (request.out / name).stat().st_size > 100
    assert schema.read(request.out / "results.json") == results


def test_predictions_are_claims_with_provenance(finished):
    store, _, results = finished
    rows = store.read(
        "MATCH (m:Reasoner)<-[:MADE_BY]-(r:Run {task: 'poque.endpoint/story'})"
        "-[:PRODUCED]->(c:Endpoint)-[:ABOUT]->(u:ComplexEvent)"
        "<-[:ABOUT]-(g:Endpoint {source: 'gold'}) "
        "WHERE m.name = 'last-sentence' RETURN c.source AS source, c.text AS text, g.text AS gold"
    )
    assert len(rows) == results.tasks["poque.endpoint/story"].n
    assert {row["source"] for row in rows} == {"predicted"}
    assert store.read(
        "MATCH (c:Claim {source: 'predicted'}) WHERE NOT EXISTS { MATCH (:Run)-[:PRODUCED]->(c) } "
        "RETURN count(c) AS n"
    ) == [{"n": 0}]


def test_the_same_command_again_changes_nothing(finished):
    store, request, results = finished
    lines = (request.out / "samples.jsonl").read_bytes()
    again = run(store, request, SOURCE)
    assert schema.stable(again) == schema.stable(results)
    assert (request.out / "samples.jsonl").read_bytes() == lines


def test_deleting_a_run_removes_its_claims_and_nothing_else(finished, tmp_path):
    store, _, _ = finished
    before = store.read(queries.count_label("Claim"))[0]["n"]
    request = Request(select(["poque.factors"]), ["copy"], tmp_path / "out", seed=99)
    run(store, request, SOURCE)
    during = store.read(queries.count_label("Claim"))[0]["n"]
    assert during > before
    (row,) = store.read("MATCH (r:Run {seed: 99}) RETURN r.id AS id")
    delete(store, row["id"])
    assert store.read(queries.count_label("Claim"))[0]["n"] == before
    assert store.read("MATCH (r:Run {seed: 99}) RETURN r.id AS id") == []


def test_another_configuration_in_the_folder_is_refused(finished):
    store, request, _ = finished
    other = Request(request.tasks, request.reasoners, request.out, seed=5, limit=3)
    with pytest.raises(RunError, match=r"limit.*seed"):
        run(store, other, SOURCE)


def test_a_torn_line_is_dropped_and_written_again(finished):
    store, request, results = finished
    path = request.out / "samples.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    assert schema.stable(run(store, request, SOURCE)) == schema.stable(results)
    assert path.read_bytes() == whole


def test_foreign_lines_are_refused(finished, tmp_path):
    store, _, _ = finished
    request = Request(select(["poque.factors"]), ["copy"], tmp_path)
    run(store, request, SOURCE)
    (tmp_path / "samples.jsonl").write_text('{"not": "ours"}\n')
    with pytest.raises(RunError, match="line 1"):
        run(store, request, SOURCE)


class Interrupted(Scripted):
    """Stops in the middle, once."""

    calls = 0

    def answer(self, task, inputs):
        self.calls += 1
        if self.calls == 2:
            raise KeyboardInterrupt
        return super().answer(task, inputs)


def test_an_interrupted_run_is_finished(finished, tmp_path, monkeypatch):
    store, _, _ = finished
    monkeypatch.setattr("reasoners.run.CHUNK", 3)
    task = "pasta.state_inference/marked"
    request = Request(select([task]), ["stops"], tmp_path / "a")

    def script(task, task_input):
        return len(task_input.state) % 2 == 0

    stops = Interrupted(script, [task], "stops")
    with pytest.raises(KeyboardInterrupt):
        run(store, request, SOURCE, scripted={"stops": stops})
    assert len(samples(request.out)) == 3
    first = run(store, request, SOURCE, scripted={"stops": stops})
    assert stops.calls == 2 + 10  # 29 of 32 items were left
    # The same run undisturbed, in another folder.
    calm = Request(select([task]), ["stops"], tmp_path / "b")
    second = run(store, calm, SOURCE, scripted={"stops": Scripted(script, [task], "stops")})
    assert schema.stable(first) == schema.stable(second)
    assert samples(request.out) == samples(calm.out)


def test_failed_items_count_with_the_worst_score_and_are_listed(finished, tmp_path):
    store, _, _ = finished
    task = select(["poque.involvement/endpoint"])[0]
    golds = {each["item"]: each["answer"] for each in store.read(task.gold, {"split": "test"})}
    inputs = {
        task.to_input(row).model_dump_json(): golds[row["item"]]
        for row in store.read(task.context("oracle"), {"split": "test"})
    }
    no_idea, bug = list(inputs)[1:3]

    def script(name, task_input):
        text = task_input.model_dump_json()
        if text == no_idea:
            raise AnswerError("no idea")
        if text == bug:
            raise ZeroDivisionError("a bug")
        return inputs[text]

    request = Request([task], ["frail"], tmp_path)
    system = (
        run(store, request, SOURCE, scripted={"frail": Scripted(script, [task.id], "frail")})
        .tasks[task.id]
        .systems["frail"]
    )
    n = len(golds)
    assert system.metrics["accuracy"].n == n
    assert len(system.failed) == 2
    assert system.coverage == pytest.approx(100 * (n - 2) / n)
    assert system.metrics["accuracy"].value == pytest.approx(system.coverage)
    errors = [each for each in samples(tmp_path) if each["error"]]
    assert {each["item"] for each in errors} == set(system.failed)


def test_limit_keeps_pairs_whole(finished, tmp_path):
    store, _, _ = finished
    request = Request(select(["pasta"]), ["random", "copy"], tmp_path, limit=3)
    results = run(store, request, SOURCE)
    assert results.tasks["pasta.state_inference/marked"].n == 12
    assert (
        results.tasks["pasta.state_inference/marked"]
        .systems["random"]
        .metrics["contrastive_accuracy"]
        .n
        == 6
    )


def test_pipeline_takes_predicted_inputs(finished, tmp_path):
    store, _, _ = finished
    request = Request(
        select(["all"]), ["last-factor", "one-bit", "constant-yes"], tmp_path, setting="pipeline"
    )
    results = run(store, request, SOURCE)
    assert "pasta.state_inference/marked" not in results.tasks
    assert any("pasta.state_inference/marked" in notice for notice in results.notices)
    # `template` always sees a change, so the one-bit rule always says yes.
    involvement = results.tasks["poque.involvement/change"].systems
    assert involvement["one-bit"].metrics == involvement["constant-yes"].metrics
    # The factors are those of `copy`: the last factor is the story's last sentence.
    answers = {
        each["item"]: each["answer"]
        for each in samples(tmp_path)
        if each["task"] == "poque.endpoint/factors"
    }
    last = {
        row["item"]: row["sentences"][-1]
        for row in store.read(
            select(["poque.endpoint/story"])[0].context("oracle"), {"split": "test"}
        )
    }
    assert answers == last


def test_a_reasoner_that_answers_none_of_the_tasks_is_an_error(finished, tmp_path):
    store, _, _ = finished
    with pytest.raises(UsageError, match="about answers"):
        run(store, Request(select(["pasta"]), ["about"], tmp_path), SOURCE)


def test_names_are_suggested():
    with pytest.raises(UnknownNameError, match="did you mean last-two"):
        spell_out(["last-too"])
    assert spell_out(["copy", "baselines"])[0] == "copy"


def test_baselines_come_with_every_other_reasoner(monkeypatch):
    assert spell_out(["copy", "last-two"]) == ["copy", "last-two"]
    monkeypatch.setitem(REASONERS._loaded, "clever", Scripted)
    assert spell_out(["clever"]) == ["clever", *BASELINES]
    assert spell_out(["baselines"]) == list(BASELINES)
