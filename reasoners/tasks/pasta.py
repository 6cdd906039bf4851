# SPDX-License-Identifier: Apache-2.0
"""PASTA's three tasks (Ghosh et al. 2023, section 4), both directions, marked and unmarked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import cast

import numpy as np

from graph import task_queries as cypher
from graph.batch import BatchBuilder
from graph.model import Inference, Ref, Revision, StateChange
from graph.store import Row
from reasoners.base import Answer, AnswerValue
from reasoners.inputs import StateChangeInput, StateInferenceInput, StoryRevisionInput, StoryText
from reasoners.metrics import classification, revision, text
from reasoners.metrics.base import Stats
from reasoners.task import Gold, Task, TextMetric

SENTENCES = 5
"""Every PASTA story has five sentences."""


def _story(row: Row) -> StoryText:
    return StoryText(text=row["story"], sentences=tuple(row["sentences"]))


def _inference_input(row: Row) -> StateInferenceInput:
    supporting = row.get("supporting")
    return StateInferenceInput(
        story=_story(row),
        state=row["state"],
        supporting=None if supporting is None else tuple(supporting),
    )


def _revision_input(row: Row) -> StoryRevisionInput:
    return StoryRevisionInput(story=_story(row), state=row["state"])


def _change_input(row: Row) -> StateChangeInput:
    revised = StoryText(text=row["revised"], sentences=tuple(row["revised_sentences"]))
    return StateChangeInput(story=_story(row), revised=revised)


def _state(ends: Row) -> Ref:
    label = "CounterfactualState" if "CounterfactualState" in ends["state_labels"] else "State"
    return Ref(label, ends["state"])


def _attach_inference(batch: BatchBuilder, run: Ref, claim: Ref, ends: Row, answer: Answer) -> None:
    batch.edge("OF_STATE", claim, _state(ends))
    batch.edge("IN_STORY", claim, Ref("Story", ends["story"]))


def _attach_revision(batch: BatchBuilder, run: Ref, claim: Ref, ends: Row, answer: Answer) -> None:
    batch.edge("OF_STATE", claim, _state(ends))
    batch.edge("OF_STORY", claim, Ref("Story", ends["story"]))


def _attach_change(batch: BatchBuilder, run: Ref, claim: Ref, ends: Row, answer: Answer) -> None:
    batch.edge("FROM_STORY", claim, Ref("Story", ends["story"]))
    batch.edge("TO_STORY", claim, Ref("Story", ends["revised"]))


# --- scores ------------------------------------------------------------------------------------


def _score_inference(golds: Sequence[Gold], answers: Sequence[AnswerValue | None]) -> list[Stats]:
    gold = [cast("bool", each.answer) for each in golds]
    correct = [got is not None and got == want for want, got in zip(gold, answers, strict=True)]
    return [_contrastive(golds, correct), classification.accuracy(answers, gold)]


def _contrastive(golds: Sequence[Gold], correct: Sequence[bool]) -> Stats:
    """Both query states of one story right (section 6.1); a half of a pair is left out."""
    # The item without its last part, which names the query state.
    pairs = [each.item.rpartition("/")[0] for each in golds]
    sizes = Counter(pairs)
    whole = [place for place, pair in enumerate(pairs) if sizes[pair] == 2]
    stats = classification.contrastive_accuracy(
        [correct[place] for place in whole], [pairs[place] for place in whole]
    )
    rows = np.zeros((len(golds), stats.rows.shape[1]))
    rows[whole] = stats.rows
    return replace(stats, rows=rows)


def _score_revision(golds: Sequence[Gold], answers: Sequence[AnswerValue | None]) -> list[Stats]:
    stories = [tuple(each.row["sentences"]) for each in golds]
    gold = [cast("tuple[str, ...]", each.answer) for each in golds]
    outputs: list[tuple[str, ...] | str] = [_output(answer) for answer in answers]
    joined, references = _joined(golds, answers)
    return [
        *(score(stories, gold, outputs) for score in _CHANGED),
        text.gleu(joined, references),
        *(
            text.rouge(kind, joined, references, stemmer=False)
            for kind in ("rouge_1", "rouge_2", "rouge_l", "rouge_lsum")
        ),
    ]


_CHANGED = (
    revision.changed_sentence_precision,
    revision.changed_sentence_recall,
    revision.changed_sentence_f1,
    revision.changed_sentence_f1_mean,
    revision.changed_sentence_gleu,
    revision.changed_sentence_rouge_l,
)


def _joined(
    golds: Sequence[Gold], answers: Sequence[AnswerValue | None]
) -> tuple[list[str], list[str]]:
    """Outputs and references, each as one text."""
    outputs = [
        revision.as_text(gold.row["sentences"], _output(answer))
        for gold, answer in zip(golds, answers, strict=True)
    ]
    return outputs, [" ".join(cast("tuple[str, ...]", gold.answer)) for gold in golds]


def _compare_revision(
    golds: Sequence[Gold], answers: Sequence[AnswerValue | None], metric: TextMetric
) -> Stats:
    return metric(*_joined(golds, answers))


def _output(answer: AnswerValue | None) -> tuple[str, ...] | str:
    if answer is None:
        return ("",) * SENTENCES
    sentences = cast("tuple[str, ...]", answer)
    return sentences if len(sentences) == SENTENCES else " ".join(sentences)


def _score_change(golds: Sequence[Gold], answers: Sequence[AnswerValue | None]) -> list[Stats]:
    scores: list[TextMetric] = [
        text.gleu,
        *(
            partial(text.rouge, kind, stemmer=False)
            for kind in ("rouge_1", "rouge_2", "rouge_l", "rouge_lsum")
        ),
        _length,
    ]
    return [_compare_change(golds, answers, score) for score in scores]


def _compare_change(
    golds: Sequence[Gold], answers: Sequence[AnswerValue | None], metric: TextMetric
) -> Stats:
    # Each of the two states is an item of its own, in the statistics of the same pair.
    references = [cast("tuple[str, ...]", each.answer) for each in golds]
    outputs = [cast("tuple[str, ...]", answer or ("", "")) for answer in answers]
    first, second = (
        metric([out[side] for out in outputs], [ref[side] for ref in references]) for side in (0, 1)
    )
    return _both(first, second)


def _length(outputs: Sequence[str], references: Sequence[str]) -> Stats:
    return replace(text.len_tokens(outputs), name="len")


def _both(first: Stats, second: Stats) -> Stats:
    return Stats(
        first.name,
        f"{first.variant}; each state an item",
        first.rows + second.rows,
        first.value,
        first.n + second.n,
        first.higher_is_better,
        first.unit,
    )


# --- the tasks ---------------------------------------------------------------------------------

_inference = partial(
    Task, dataset="pasta", unit="Contrast", claim=Inference, answer="holds", kind="flag",
    to_input=_inference_input, gold=cypher.STATE_INFERENCE_GOLD,
    ends=cypher.STATE_INFERENCE_ENDS, attach=_attach_inference, score=_score_inference,
    primary="contrastive_accuracy", split="te", training=("train", "val"),
    dimensions=("direction",),
)  # fmt: skip

STATE_INFERENCE_MARKED = _inference(
    id="pasta.state_inference/marked",
    title="State inference, supporting sentences marked",
    inputs="story, state, supporting sentences",
    context=lambda setting: cypher.state_inference(marked=True),
    # No task predicts supporting sentences, so there is no pipeline form.
    needs={"supporting": ""},
)
STATE_INFERENCE_UNMARKED = _inference(
    id="pasta.state_inference/unmarked",
    title="State inference, nothing marked",
    inputs="story, state",
    context=lambda setting: cypher.state_inference(marked=False),
)
STORY_REVISION = Task(
    id="pasta.story_revision",
    title="Story revision for a counterfactual state",
    dataset="pasta",
    unit="Contrast",
    claim=Revision,
    answer="sentences",
    kind="texts",
    inputs="story, counterfactual state",
    context=lambda setting: cypher.STORY_REVISION,
    to_input=_revision_input,
    gold=cypher.STORY_REVISION_GOLD,
    ends=cypher.STORY_REVISION_ENDS,
    attach=_attach_revision,
    score=_score_revision,
    compare=_compare_revision,
    primary="changed_sentence_f1",
    split="te",
    training=("train", "val"),
    dimensions=("direction",),
)
STATE_CHANGE = Task(
    id="pasta.state_change",
    title="State change between two stories",
    dataset="pasta",
    unit="Contrast",
    claim=StateChange,
    answer="states",
    kind="texts",
    inputs="story, revised story",
    context=lambda setting: cypher.STATE_CHANGE,
    to_input=_change_input,
    gold=cypher.STATE_CHANGE_GOLD,
    ends=cypher.STATE_CHANGE_ENDS,
    attach=_attach_change,
    score=_score_change,
    compare=_compare_change,
    primary="rouge_l",
    split="te",
    training=("train", "val"),
    dimensions=("direction",),
)
