# SPDX-License-Identifier: Apache-2.0
"""Scoring outputs made elsewhere, on exactly the items listed."""

from __future__ import annotations

import json

import pytest

from benchmarks import score as module
from benchmarks.score import score_file
from graph.errors import DataError, UsageError
from graph.progress import SILENT
from graph.store import open_graph
from ingest.run import ingest
from ingest.source import SAMPLE, Source
from reasoners.context import read_gold
from reasoners.tasks import TASKS, select

SOURCE = Source(SAMPLE)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    with open_graph(tmp_path_factory.mktemp("score") / "graph") as opened:
        ingest(opened, "all", SOURCE)
        yield opened


@pytest.fixture
def scored(store, tmp_path):
    def run(task, lines, **more):
        path = tmp_path / "mine.jsonl"
        path.write_text(
            "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
        )
        results = score_file(
            store, select([task])[0], path, tmp_path / "out", source=SOURCE, progress=SILENT, **more
        )
        (result,) = results.tasks.values()
        assert next(iter(result.systems)) == "mine"
        return result

    return run


def gold_lines(store, task):
    lines = []
    for gold in read_gold(store, TASKS.get(task), TASKS.get(task).split):
        answer = list(gold.answer) if isinstance(gold.answer, tuple) else gold.answer
        if task.startswith("pasta"):
            id, direction, *query = gold.item.split("/")
            line = {"id": id, "direction": direction, "output": answer}
            lines.append(line | ({"query": query[0]} if query else {}))
        else:
            key = int(gold.item) if task.startswith("poque") else gold.item
            lines.append({"id": key, "output": answer})
    return lines


@pytest.mark.parametrize("task", list(TASKS))
def test_gold_itself_gets_full_marks(store, scored, task):
    result = scored(task, gold_lines(store, task))
    metric = result.systems["mine"].metrics[result.primary_metric]
    assert metric.value == pytest.approx(100)
    assert result.n == len(gold_lines(store, task))
    assert any(system.kind == "baseline" for system in result.systems.values())


def test_only_the_items_listed_count(store, scored):
    lines = gold_lines(store, "pasta.story_revision")[:3]
    result = scored("pasta.story_revision", lines)
    assert result.n == 3
    assert result.systems["copy"].metrics["gleu"].n == 3


def test_half_a_pair_is_no_pair(store, scored):
    lines = gold_lines(store, "pasta.state_inference/marked")[:3]
    metrics = scored("pasta.state_inference/marked", lines).systems["mine"].metrics
    assert metrics["accuracy"].n == 3
    assert metrics["contrastive_accuracy"].n == 1


def test_no_revision_is_the_unchanged_story(store, scored):
    lines = [line | {"output": None} for line in gold_lines(store, "pasta.story_revision")]
    systems = scored("pasta.story_revision", lines).systems
    assert systems["mine"].metrics == systems["copy"].metrics


def test_a_text_is_compared_as_it_is(store, scored):
    lines = gold_lines(store, "pasta.story_revision")
    as_lists = scored("pasta.story_revision", lines).systems["mine"].metrics
    as_texts = scored(
        "pasta.story_revision", [line | {"output": " ".join(line["output"])} for line in lines]
    ).systems["mine"].metrics  # fmt: skip
    assert as_texts["gleu"] == as_lists["gleu"]
    assert as_texts["changed_sentence_f1"].value == pytest.approx(100)


@pytest.mark.parametrize(
    ("task", "line", "message"),
    [
        ("pasta.story_revision", "not json", "line 1"),
        ("pasta.story_revision", "[1]", "not a JSON object"),
        ("pasta.story_revision", {"id": "x", "direction": "forward", "output": None}, "unknown id"),
        ("pasta.story_revision", {"id": "x", "output": None}, "keys"),
        ("pasta.story_revision", {"id": "x", "direction": "up", "output": None}, "direction"),
        ("pasta.story_revision", {"output": ["a", "b"]}, "5 texts"),
        ("pasta.story_revision", {"output": [1, 2, 3, 4, 5]}, "list of texts"),
        ("pasta.state_change", {"output": ["a", "b", "c"]}, "2 texts"),
        ("pasta.state_change", {"output": "a"}, "list of texts"),
        ("pasta.state_inference/marked", {"output": 1}, "true or false"),
        ("pasta.state_inference/marked", {"query": "both"}, "query"),
        ("poque.endpoint/story", {"output": None}, "a text"),
        ("poque.change_modes", {"output": ["Smell"]}, "unknown change mode"),
        ("choice75.decision", {"output": 3}, "0 \\(either\\), 1 or 2"),
        ("choice75.decision", {"output": True}, "0 \\(either\\), 1 or 2"),
        ("choice75.decision", {"extra": 1}, "keys"),
    ],
)
def test_bad_lines_name_the_line(store, scored, task, line, message):
    good = gold_lines(store, task)
    bad = good[1] | line if isinstance(line, dict) and "id" not in line else line
    with pytest.raises(DataError, match=message) as caught:
        scored(task, [good[0], bad])
    assert "line 2" in str(caught.value) or message == "line 1"


def test_an_item_twice_is_an_error(store, scored):
    line = gold_lines(store, "choice75.decision")[0]
    with pytest.raises(DataError, match=r"line 2.*line 1"):
        scored("choice75.decision", [line, line])


def test_an_empty_file_is_an_error(scored):
    with pytest.raises(DataError, match="holds no outputs"):
        scored("choice75.decision", ["", " "])


def test_a_baselines_name_is_refused(store, scored):
    with pytest.raises(UsageError, match="name of a baseline"):
        scored("choice75.decision", gold_lines(store, "choice75.decision"), name="random")


def test_the_command_line_names_the_mistake(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(
        "sys.argv", ["score", "--task", "pasta.nothing", "--outputs", "x", "--graph", str(tmp_path)]
    )
    assert module.run_command(module.app) == 2
    assert "did you mean" in capsys.readouterr().err
