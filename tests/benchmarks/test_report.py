# SPDX-License-Identifier: Apache-2.0
"""The reports: right rows, safe text, one self-contained page."""

from __future__ import annotations

import io
import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from benchmarks.report import console, html, markdown, plots, tables, write_reports
from benchmarks.results import Results, TaskResult
from graph.errors import RunError

HOSTILE = [
    "<script>alert(1)</script>",
    "</style></svg><img src=x onerror=alert(1)>",
    "a | b \\| `c` **d** [e](http://f)",
    "line\nbreak\r\n# heading",
    "\"quoted\" 'name' & &amp; &lt;",
    "[bold red]markup[/bold red] [/]",
    "\u202eright to left",
]
VOID = {"meta", "br"}


class Page(HTMLParser):
    """Collects what a page would load or run, and checks that its tags match."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.tags, self.attributes, self.words, self.scripts = [], [], [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes
        if tag not in VOID and not self.get_starttag_text().endswith("/>"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += attributes

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        (self.scripts if self.open[-1:] == ["script"] else self.words).append(data)

    @property
    def text(self):
        return "".join(self.words)


def changed(example, change):
    content = example.model_dump(mode="json")
    change(content)
    return Results.model_validate_json(json.dumps(content))


def with_texts(example, text):
    """The example with a hostile text wherever a text comes from outside."""

    def change(content):
        content["notices"] = [text]
        content["config"] = {text: text, "list": [text]}
        content["fabula_version"] = text
        content["environment"]["host"] = text
        content["data"] = {text: {"kind": "given", "counts": {text: 1}, "sha256": {text: text}}}
        for task in content["tasks"].values():
            task["systems"] = {
                text if name in ("encoder", "editor") else name: system
                for name, system in task["systems"].items()
            }
            system = task["systems"][text]
            system["description"] = system["trained_on"] = text
            system["failed"] = [text]
            for metrics in system["breakdowns"].values():
                metrics[text] = metrics[next(iter(metrics))]
            system["breakdowns"][text] = {
                text: {task["primary_metric"]: system["metrics"][task["primary_metric"]]}
            }
            for name in ("title", "split", "inputs", "dataset"):
                task[name] = text
            for figure in task["published"]:
                figure["system"] = figure["note"] = figure["source"] = text
        content["tasks"][text] = content["tasks"].pop("choice75.decision")

    return changed(example, change)


def rendered(results):
    output = io.StringIO()
    console.show(results, Console(file=output, width=160, color_system=None))
    return output.getvalue()


# --- rows --------------------------------------------------------------------------------------


def test_systems_are_ranked_and_smaller_sets_come_last(example):
    names = [each.name for each in tables.ranked(example.tasks["pasta.story_revision"])]
    assert names == ["editor", "last-two", "copy", "t5-base.jsonl"]
    best = tables.best_system(example.tasks["pasta.story_revision"])
    assert best.name == "editor"


def test_lower_is_better_turns_the_order(example):
    task = example.tasks["choice75.decision"]
    systems = {
        name: system.model_copy(
            update={"metrics": {"calibration_error": system.metrics["accuracy"]}}
        )
        for name, system in task.systems.items()
    }
    turned = task.model_copy(update={"primary_metric": "calibration_error", "systems": systems})
    assert [each.name for each in tables.ranked(turned)] == ["option-2", "encoder"]
    assert tables.verdict(turned) == "worse"


def test_progress_is_measured_against_the_best_rule(example):
    assert tables.verdict(example.tasks["choice75.decision"]) == "better"
    assert tables.verdict(example.tasks["pasta.story_revision"]) == "open"


def test_best_published_is_of_the_same_part_and_kind(example):
    task = example.tasks["choice75.decision"]
    assert tables.best_published(task, "accuracy").system == "gpt-3.5-turbo"
    assert tables.best_published(task, "accuracy", human=True).value == 74
    assert tables.best_published(task, "accuracy", {"level": "hard"}).value == 68
    assert tables.best_published(task, "accuracy", {"level": "none"}) is None


def test_levels_come_in_the_order_of_difficulty(example):
    task = example.tasks["choice75.decision"]
    assert tables.dimensions(task) == {"level": ["easy", "medium", "hard", "na"]}


def test_figures_that_no_system_has_are_shown_apart(example):
    task = example.tasks["pasta.story_revision"]
    assert tables.columns(task) == ["changed_sentence_f1", "gleu"]
    assert "human_acceptable" in tables.published_only(task)
    assert "gleu" not in tables.published_only(task)


def test_published_figures_keep_the_decimals_of_their_column(example):
    task = example.tasks["pasta.story_revision"]
    figures = {(each.system, each.metric): each for each in task.published}
    assert tables.printed(task, figures["T5-base", "gleu"]) == "73.2"
    assert tables.printed(task, figures["T5-base", "human_minimal_revision"]) == "91.39"
    assert tables.printed(task, figures["T5-base", "human_acceptable"]) == "34.0"


# --- results.md --------------------------------------------------------------------------------


def test_markdown_is_as_before(example, check_golden):
    check_golden("results.md", markdown.render(example))


def test_markdown_holds_nothing_volatile(example):
    def change(content):
        content["environment"]["host"] = "elsewhere"
        content["tasks"]["choice75.decision"]["systems"]["encoder"]["seconds"] = 1.0

    assert markdown.render(changed(example, change)) == markdown.render(example)


@pytest.mark.parametrize("text", HOSTILE)
def test_markdown_tables_survive_hostile_texts(example, text):
    table: list[int] = []
    for line in markdown.render(with_texts(example, text)).split("\n"):
        if line.startswith("|"):
            table.append(len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)))
        else:
            assert len(set(table)) <= 1
            table = []
        assert not re.search(r"(?<!\\)<", line)
        assert not line.startswith("# heading")


@given(st.text())
def test_escaped_markdown_is_one_line_without_markup(text):
    line = markdown.escape(text)
    assert "\n" not in line
    assert not re.search(r"(?<!\\)(?:\\\\)*[|<>`*\[\]]", line)


# --- report.html -------------------------------------------------------------------------------


def test_the_page_asks_for_nothing_from_outside(example):
    text = html.render(example)
    page = Page(text)
    assert not set(page.tags) & {"link", "img", "iframe", "object", "embed", "base", "form"}
    for name, value in page.attributes:
        assert name not in ("src", "srcset", "action"), (name, value)
        assert not name.startswith("on"), (name, value)
        assert name != "href" or value.startswith("#")
    assert "@import" not in text
    assert "url(" not in text
    assert "default-src 'none'" in text


def test_links_lead_to_ids_that_exist_once(example):
    attributes = Page(html.render(example)).attributes
    ids = [value for name, value in attributes if name == "id"]
    assert len(ids) == len(set(ids))
    targets = {value[1:] for name, value in attributes if name == "href"}
    labels = {
        part for name, value in attributes if name == "aria-labelledby" for part in value.split()
    }
    assert targets | labels <= set(ids)


def test_the_page_shows_systems_figures_and_notices(example):
    text = Page(html.render(example)).text
    for expected in (
        "Choice-75: the bundled sample was scored.",
        "encoder is better than the best rule",
        "editor is not told apart from the best rule",
        "52.2 [50.2, 54.2]",
        "gpt-3.5-turbo",
        "section 4.2, Choice-75",
        "verb_phrase_manual/dev/41#0",
        "coverage 99.6 %",
        "Copying the story unchanged scores GLEU 79.6",
        "2026-11-21T10:12:30+00:00",
        "cd" * 32,
    ):
        assert expected in text, expected


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_are_shown_not_run(example, text):
    plain = Page(html.render(example))
    page = Page(html.render(with_texts(example, text)))
    assert page.tags.count("script") == plain.tags.count("script") == 1
    assert page.scripts == plain.scripts
    assert "img" not in page.tags
    assert text.replace("\r\n", "\n") in page.text.replace("\r\n", "\n")


@pytest.mark.parametrize("text", ["plain", *HOSTILE])
def test_every_figure_is_sound_and_described(example, text):
    content = html.render(with_texts(example, text))
    figures = re.findall(r'<svg class="plot".*?</svg>', content, flags=re.DOTALL)
    assert len(figures) >= 3
    for figure in figures:
        root = ElementTree.fromstring(figure)
        assert root.get("role") == "img"
        assert root[0].tag == "title"
        assert root[1].tag == "desc"
        assert root[1].text


def test_tables_have_header_cells_with_scope(example):
    text = html.render(example)
    assert not re.search(r"<th(?![^>]*scope=)[ >]", text)


def test_a_run_without_systems_or_tasks_renders(example):
    task = TaskResult(
        title="Empty",
        dataset="new",
        split="test",
        n=0,
        primary_metric="chrf",
        inputs="nothing",
        systems={},
    )
    for tasks in ({}, {"new.task": task}):
        results = example.model_copy(update={"tasks": tasks})
        Page(html.render(results))
        assert markdown.render(results).startswith("# Results")
        assert "Task" in rendered(results)


@given(st.lists(st.floats(0, 100), max_size=8))
def test_an_axis_holds_its_values(values):
    axis = plots.scale(values, percent=True, left=0.0, right=100.0)
    assert 0 <= axis.low < axis.high <= 100
    assert all(axis.low - 1e-9 <= value <= axis.high + 1e-9 for value in values)
    assert 2 <= len(axis.ticks()) <= 12


def _luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [0, 1])
def test_texts_have_enough_contrast_in_light_and_dark(example, scheme):
    blocks = re.findall(r":root \{(.*?)\}", html.render(example), flags=re.DOTALL)
    colours = dict(re.findall(r"--([\w-]+): (#\w{6})", blocks[scheme]))
    for ink in ("ink", "quiet", "model", "published", "human"):
        for ground in ("paper", "card", "wash"):
            pair = sorted((_luminance(colours[ink]), _luminance(colours[ground])))
            assert (pair[1] + 0.05) / (pair[0] + 0.05) >= 4.5, (ink, ground)


# --- terminal and files ------------------------------------------------------------------------


def test_the_terminal_shows_the_primary_metric_of_every_task(example):
    text = rendered(example)
    assert "Choice-75: the bundled sample was scored." in text
    line = next(line for line in text.split("\n") if "choice75.decision" in line)
    for expected in ("35.0 [33.0, 37.0] option-2", "52.2 [50.2, 54.2] encoder", "60.0 gpt", "74.0"):
        assert expected in line
    assert "t5-base.jsonl (200 items)" in text


@pytest.mark.parametrize("text", HOSTILE)
def test_the_terminal_shows_markup_as_it_is(example, text):
    shown = "".join(rendered(with_texts(example, text)).split())
    assert "".join(text.split())[:8] in shown


def test_both_files_are_written_or_an_error_raised(example, tmp_path):
    paths = write_reports(example, tmp_path / "out")
    assert [path.name for path in paths] == ["results.md", "report.html"]
    assert all(path.stat().st_size > 1000 for path in paths)
    with pytest.raises(RunError):
        write_reports(example, paths[0])
