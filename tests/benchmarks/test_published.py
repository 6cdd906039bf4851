# SPDX-License-Identifier: Apache-2.0
"""The papers' figures, spot-checked against their tables."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks import published
from benchmarks.results import METRICS

TASKS = {
    "poque.process_summary/story",
    "poque.process_summary/factors",
    "poque.endpoint/story",
    "poque.endpoint/factors",
    "poque.factors",
    "poque.change_summary",
    "poque.change_modes",
    "poque.involvement/change",
    "poque.involvement/endpoint",
    "pasta.state_inference/marked",
    "pasta.state_inference/unmarked",
    "pasta.story_revision",
    "pasta.state_change",
    "choice75.decision",
}


def one(task, system, metric, **part):
    found = [
        each
        for each in published.for_task(task)
        if (each.system, each.metric, each.part) == (system, metric, part)
    ]
    assert len(found) == 1, found
    return found[0]


@pytest.mark.parametrize(
    ("task", "system", "metric", "value"),
    [
        # POQue, Table 11
        ("poque.process_summary/story", "Bart-base", "rouge_l", 21.43),
        ("poque.process_summary/story", "T5-base", "meteor", 18.43),
        ("poque.process_summary/story", "T5-large", "bleu", 4.16),
        ("poque.process_summary/story", "Reference", "human_abstractness", 3.57),
        ("poque.process_summary/story", "Reference", "ext", 13.0),
        ("poque.process_summary/factors", "Bart-base", "rouge_l", 23.81),
        ("poque.process_summary/factors", "T5-base", "ext", 56.0),
        ("poque.process_summary/factors", "About P", "rouge_2", 4.22),
        # Table 12
        ("poque.endpoint/story", "Last sentence", "meteor", 24.62),
        ("poque.endpoint/story", "Last sentence", "bleu", 6.59),
        ("poque.endpoint/story", "T5-large", "rouge_l", 25.71),
        ("poque.endpoint/story", "Bart-large", "sentence_bleu", 10.82),
        ("poque.endpoint/story", "T5-base", "human_salience", 4.03),
        ("poque.endpoint/factors", "Bart-base", "bertscore_f1", 87.93),
        ("poque.endpoint/factors", "T5-base", "rouge_2", 9.52),
        # Table 13
        ("poque.factors", "T5-large", "rouge_l", 47.96),
        ("poque.factors", "T5-large", "bleu", 26.8),
        ("poque.factors", "T5-base", "n_factors", 2.6),
        ("poque.factors", "Bart-base", "human_brevity", 2.46),
        ("poque.factors", "Reference", "len", 8.3),
        # Table 14
        ("poque.change_summary", "Bart-base", "rouge_l", 34.79),
        ("poque.change_summary", "Bart-large", "rouge_2", 20.68),
        ("poque.change_summary", "T5-large", "human_factuality", 3.81),
        # Table 7
        ("poque.change_modes", "Bart-base", "hamming", 71.7),
        ("poque.change_modes", "T5-base, encoder-decoder", "macro_f1", 62.0),
        ("poque.change_modes", "T5-base, encoder only", "subset_accuracy", 59.4),
        # Table 8
        ("poque.involvement/change", "T5-large", "macro_f1", 77.4),
        ("poque.involvement/change", "Bart-large", "accuracy", 76.0),
        # PASTA, Tables 3 and 4
        ("pasta.state_inference/marked", "RoBERTa-large", "contrastive_accuracy", 83.7),
        ("pasta.state_inference/marked", "BERT-base", "accuracy", 73.8),
        ("pasta.state_inference/marked", "People", "accuracy", 96.9),
        ("pasta.state_inference/marked", "People", "contrastive_accuracy", 94.2),
        ("pasta.state_inference/unmarked", "T5-large", "contrastive_accuracy", 69.8),
        ("pasta.state_inference/unmarked", "People", "accuracy", 93.5),
        ("pasta.state_inference/unmarked", "People", "contrastive_accuracy", 88.9),
        # Tables 6 to 8, 10
        ("pasta.story_revision", "T5-large", "human_acceptable", 54.0),
        ("pasta.story_revision", "GPT-3, few-shot", "human_minimal_revision", 86.33),
        ("pasta.story_revision", "T5-base", "gleu", 73.2),
        ("pasta.story_revision", "T5-base", "rouge_lsum", 81.7),
        ("pasta.state_change", "GPT-3, few-shot", "human_valid_inferable", 67.46),
        ("pasta.state_change", "T5-base", "human_acceptable", 35.17),
        ("pasta.state_change", "T5-large", "rouge_l", 32.4),
        ("pasta.state_change", "Crowd raters", "agreement", 0.76),
        # Choice-75
        ("choice75.decision", "text-davinci-003", "accuracy", 57.0),
        ("choice75.decision", "gpt-3.5-turbo", "accuracy_binary", 77.0),
        ("choice75.decision", "People", "accuracy", 74.0),
        ("choice75.decision", "Annotators", "agreement", 0.59),
    ],
)
def test_figures_are_as_printed(task, system, metric, value):
    assert one(task, system, metric).value == value


@pytest.mark.parametrize(
    ("task", "system", "metric", "part", "value", "n"),
    [
        ("poque.involvement/change", "Bart-base", "macro_f1", {"role": "agent"}, 75.2, None),
        ("poque.involvement/change", "T5-large", "accuracy", {"role": "patient"}, 84.5, None),
        (
            "poque.endpoint/story",
            "Bart-base trained on newswire",
            "rouge_l",
            {"source": "News"},
            23.12,
            None,
        ),
        (
            "pasta.state_inference/marked",
            "RoBERTa-large",
            "accuracy",
            {"category": "emotional"},
            93.5,
            None,
        ),
        (
            "pasta.state_inference/marked",
            "RoBERTa-large",
            "contrastive_accuracy",
            {"direction": "backward"},
            82.3,
            917,
        ),
        ("choice75.decision", "gpt-3.5-turbo", "accuracy", {"level": "hard"}, 68.0, 67),
        ("choice75.decision", "People", "accuracy", {"level": "na"}, 53.0, None),
        (
            "choice75.decision",
            "text-davinci-003, story prompt",
            "accuracy",
            {"format": "verb_phrase_manual", "level": "na"},
            2.0,
            65,
        ),
        (
            "choice75.decision",
            "gpt-3.5-turbo, naive prompt",
            "accuracy_binary",
            {"format": "user_profile"},
            69.0,
            130,
        ),
        (
            "choice75.decision",
            "People",
            "accuracy",
            {"format": "verb_phrase_machine", "level": "hard"},
            68.0,
            None,
        ),
    ],
)
def test_parts_are_as_printed(task, system, metric, part, value, n):
    found = one(task, system, metric, **part)
    assert (found.value, found.n) == (value, n)


def test_every_task_is_covered_but_the_one_without_figures():
    assert {each.task for each in published.figures()} == TASKS - {"poque.involvement/endpoint"}
    assert published.for_task("poque.involvement/endpoint") == ()
    assert all(published.notes(task) for task in TASKS)
    assert published.notes("someone.elses") == ()


def test_metrics_are_documented_and_percents_are_percents():
    for each in published.figures():
        info = METRICS[each.metric]
        limit = {"percent": 100, "1 to 5": 5, "coefficient": 1}.get(info.unit, 30)
        assert 0 <= each.value <= limit, each


def test_no_figure_is_there_twice():
    keys = Counter(
        (each.task, each.system, each.metric, each.source, *sorted(each.part.items()))
        for each in published.figures()
    )
    assert keys.most_common(1)[0][1] == 1


@pytest.mark.parametrize("level", ["easy", "medium", "hard", "na"])
def test_choice75_overall_is_the_mean_of_formats_and_prompts(level):
    # The paper's Average row, which is how the rows' transcription can be checked.
    for model in ("text-davinci-003", "gpt-3.5-turbo"):
        parts = [
            each.value
            for each in published.for_task("choice75.decision")
            if each.system.startswith(f"{model}, ")
            and each.metric == "accuracy"
            and "format" in each.part
            and each.part.get("level") == level
        ]
        assert len(parts) == 6
        printed = one("choice75.decision", model, "accuracy", level=level).value
        assert sum(parts) / 6 == pytest.approx(printed, abs=0.7)


@pytest.mark.parametrize("form", ["verb_phrase_manual", "verb_phrase_machine", "user_profile"])
def test_choice75_levels_add_up_to_all(form):
    # Holds with the counts of the dev folders alone (data/README.md).
    counts = dict(zip(published._LEVELS, published._COUNTS[form], strict=True))
    for model in ("text-davinci-003", "gpt-3.5-turbo"):
        for prompt in ("naive", "story"):
            system = f"{model}, {prompt} prompt"
            levels = [
                n * one("choice75.decision", system, "accuracy", format=form, level=level).value
                for level, n in counts.items()
            ]
            whole = one("choice75.decision", system, "accuracy", format=form)
            assert whole.n == sum(counts.values())
            assert sum(levels) / whole.n == pytest.approx(whole.value, abs=0.8)


def test_people_are_marked():
    people = {each.system for each in published.figures() if each.human}
    assert people == {"People", "Reference", "Crowd raters", "Annotators"}


@pytest.mark.parametrize(
    ("task", "metric", "words"),
    [
        ("pasta.story_revision", "gleu", "200 human-rated items, forward direction only"),
        ("pasta.state_change", "rouge_l", "forward direction only"),
        ("poque.change_modes", "macro_f1", "five-fold cross-validation"),
        ("poque.involvement/change", "accuracy", "five-fold cross-validation"),
        ("poque.change_summary", "rouge_l", "empty references"),
        ("choice75.decision", "accuracy", "565 scenarios"),
    ],
)
def test_known_differences_are_noted(task, metric, words):
    figures = [
        each for each in published.for_task(task) if each.metric == metric and not each.human
    ]
    assert figures
    assert all(words in each.note for each in figures)
