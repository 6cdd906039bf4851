# SPDX-License-Identifier: Apache-2.0
"""The schema of results.json."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from benchmarks import results
from benchmarks.results import MetricValue, SystemResult
from graph.errors import DataError, RunError
from reasoners.metrics.base import Figure
from reasoners.tasks import ORDER, TASKS


def replaced(example, *path, value):
    """The example as JSON with one value changed."""
    content = example.model_dump(mode="json")
    place = content
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return content


def test_what_is_written_is_read_back(example, tmp_path):
    path = tmp_path / "new" / "results.json"
    results.write(example, path)
    assert results.read(path) == example
    assert path.read_text(encoding="utf-8").endswith("}\n")
    assert [file.name for file in path.parent.iterdir()] == ["results.json"]


def test_the_shape_is_as_documented(example):
    content = json.loads(example.model_dump_json())
    assert list(content) == [
        "schema_version",
        "fabula_version",
        "config",
        "environment",
        "data",
        "notices",
        "tasks",
    ]
    system = content["tasks"]["choice75.decision"]["systems"]["encoder"]
    assert system["kind"] == "model"
    assert system["metrics"]["accuracy"] == {
        "value": 52.25,
        "low": 50.25,
        "high": 54.25,
        "n": 565,
        "variant": "share of items",
    }
    assert system["breakdowns"]["level"]["hard"]["accuracy"]["value"] == 55


def test_stable_leaves_out_exactly_what_is_volatile(example):
    later = replaced(example, "environment", "host", value="other")
    later["config"]["graph"] = "bolt://elsewhere:7687"
    later["tasks"]["choice75.decision"]["systems"]["encoder"]["seconds"] = 99.0
    other = results.Results.model_validate_json(json.dumps(later))
    assert other != example
    assert results.stable(other) == results.stable(example)
    kept = results.stable(example)
    assert "environment" not in kept
    assert "graph" not in kept["config"]
    system = kept["tasks"]["choice75.decision"]["systems"]["encoder"]
    assert set(system) == set(SystemResult.model_fields) - {"seconds"}


def test_stable_sees_every_other_difference(example):
    path = ("tasks", "choice75.decision", "systems", "encoder", "metrics", "accuracy", "value")
    other = replaced(example, *path, value=52.26)
    changed = results.Results.model_validate_json(json.dumps(other))
    assert results.stable(changed) != results.stable(example)


def test_a_figure_of_the_metrics_is_accepted():
    found = MetricValue.model_validate(Figure(81.81234567, 80.9, 82.6, 40, "share"))
    assert found == MetricValue(value=81.812346, low=80.9, high=82.6, n=40, variant="share")


@given(st.floats(0, 100), st.floats(0, 1e-9))
def test_the_last_bits_of_a_sum_do_not_count(value, error):
    def rounded(number):
        return MetricValue(value=number, low=0, high=100, n=1, variant="").value

    assert abs(rounded(value) - rounded(value + error)) <= 1.000001e-6


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("surprise",), 1),
        (("environment", "started"), "2026-11-21T10:00:00"),
        (("data", "pasta", "kind"), "found"),
        (("tasks", "choice75.decision", "systems", "encoder", "coverage"), 101),
        (("tasks", "choice75.decision", "systems", "encoder", "kind"), "oracle"),
        (("tasks", "choice75.decision", "systems", "encoder", "metrics", "accuracy", "low"), 99),
    ],
)
def test_anything_outside_the_schema_is_named(example, tmp_path, path, value):
    file = tmp_path / "results.json"
    file.write_text(json.dumps(replaced(example, *path, value=value)), encoding="utf-8")
    with pytest.raises(DataError, match=r"is no results file: .*docs/results\.md") as error:
        results.read(file)
    assert str(path[0]) in str(error.value)


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_no_figure_is_nan_or_infinite(number):
    with pytest.raises(ValidationError):
        MetricValue(value=number, low=0, high=1, n=1, variant="")


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema_version": 2}'])
def test_other_files_are_refused(tmp_path, text):
    file = tmp_path / "results.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=r"results\.json"):
        results.read(file)


def test_a_missing_file_is_a_data_error(tmp_path):
    with pytest.raises(DataError, match="cannot be read"):
        results.read(tmp_path / "none.json")


def test_results_that_cannot_be_written_are_an_error(example, tmp_path):
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(RunError, match="cannot be written"):
        results.write(example, tmp_path / "file" / "results.json")


def test_a_failed_write_leaves_the_old_file(tmp_path):
    file = tmp_path / "results.md"
    results.write_text(file, "old")
    with pytest.raises(RunError):
        results.write_text(file, "new \ud800")
    assert file.read_text(encoding="utf-8") == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["results.md"]


def test_the_json_schema_describes_every_field(example):
    schema = results.json_schema()
    assert schema["$schema"].startswith("https://json-schema.org")
    assert schema["properties"]["tasks"]["additionalProperties"] == {"$ref": "#/$defs/TaskResult"}
    assert {"TaskResult", "SystemResult", "MetricValue", "Published"} <= set(schema["$defs"])
    json.dumps(schema)


def test_every_metric_is_described():
    for name, info in results.METRICS.items():
        assert info.title, name
        assert info.meaning.endswith("."), name
    others = {name for name, info in results.METRICS.items() if info.unit != "percent"}
    assert others - {"agreement"} == {"len", "n_factors"} | {
        f"human_{rating}" for rating in ("abstractness", "factuality", "salience", "brevity")
    }


def test_a_metric_from_elsewhere_has_a_fallback():
    assert results.metric_info("chrf").title == "chrf"


# --- docs/results.md ---------------------------------------------------------------------------


@pytest.fixture
def page():
    return (Path(__file__).parents[2] / "docs" / "results.md").read_text(encoding="utf-8")


def section(page, title):
    return page.partition(f"## {title}\n")[2].partition("\n## ")[0]


def first_cells(text):
    return re.findall(r"^\| `([^`]+)` \|", text, flags=re.MULTILINE)


def test_the_page_lists_every_metric_and_its_unit(page):
    lines = section(page, "Metrics")
    assert first_cells(lines) == list(results.METRICS)
    for name, info in results.METRICS.items():
        assert f"| `{name}` | {info.unit} |" in lines


def test_the_page_lists_every_task_and_its_main_metric(page):
    lines = section(page, "Tasks")
    assert sorted(first_cells(lines)) == sorted(ORDER)
    for name in ORDER:
        task = TASKS.get(name)
        row = next(line for line in lines.split("\n") if line.startswith(f"| `{name}` |"))
        assert row.endswith(f"| `{task.primary}` |")
        assert f"| {task.inputs} |" in row


def test_the_page_lists_what_is_volatile(page):
    text = page.partition("| volatile path |")[2].partition("\n\n")[0]
    assert first_cells(text) == [".".join(path) for path in results.VOLATILE]


def test_the_page_names_every_field(page):
    text = section(page, "results.json")
    for model in ("TaskResult", "SystemResult", "MetricValue", "DataSource", "Published"):
        for field in getattr(results, model).model_fields:
            assert f"`{field}`" in text, (model, field)


def test_the_pages_example_runs(page, example, tmp_path, monkeypatch, capsys):
    results.write(example, tmp_path / "build" / "benchmark" / "results.json")
    monkeypatch.chdir(tmp_path)
    exec(page.partition("```python\n")[2].partition("```")[0], {})
    assert "choice75.decision encoder: 52.2 [50.2, 54.2], n 565" in capsys.readouterr().out
