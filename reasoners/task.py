# SPDX-License-Identifier: Apache-2.0
"""What a task is: what may be read for it, what answers it, how answers are attached and scored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from graph.batch import BatchBuilder
from graph.model import Claim, Ref
from graph.store import Row
from graph.task_queries import Setting
from reasoners.base import Answer, AnswerValue
from reasoners.inputs import TaskInput
from reasoners.metrics.base import Stats

AnswerKind = Literal["text", "texts", "flag", "choice"]


@dataclass(frozen=True)
class Gold:
    """The gold answer of an item, and what scoring needs besides it.

    Attributes:
        item: the item's key.
        answer: the annotators' answer.
        cluster: story or goal that items share; intervals resample these.
        row: the gold query's other columns.
    """

    item: str
    answer: AnswerValue
    cluster: str
    row: Row = field(repr=False)


Score = Callable[[Sequence[Gold], Sequence[AnswerValue | None]], list[Stats]]
"""Statistics of all metrics; None stands for a failed item and gets the worst score."""

TextMetric = Callable[[Sequence[str], Sequence[str]], Stats]
"""Statistics of one metric of predictions and references; an empty text scores worst."""

Compare = Callable[[Sequence[Gold], Sequence[AnswerValue | None], TextMetric], Stats]
"""A metric that the user asks for, on the texts of a task's answers; None is a failed item."""

Attach = Callable[[BatchBuilder, Ref, Ref, Row, Answer], None]
"""Adds a claim's further edges: gets the batch, the run, the claim, its ends and the answer."""


@dataclass(frozen=True)
class Task:
    """One task in one input form.

    Attributes:
        id: task id with its input form, such as `poque.endpoint/story`.
        title: for people.
        dataset: whose annotations it uses.
        unit: label of the node that answers are `ABOUT`.
        claim: the label of its answers.
        answer: the claim's property that holds the answer.
        kind: type of the answer.
        inputs: one line on what a reasoner is given.
        context: Cypher of the inputs, by setting.
        to_input: a context row as the task's input type.
        gold: Cypher of the gold answers.
        ends: Cypher of the nodes that answers are attached to.
        attach: adds a claim's edges besides `ABOUT` and `EVIDENCED_BY`.
        score: computes the metrics' statistics.
        primary: the metric that systems are ranked by.
        split: split that is scored.
        training: splits to learn from, the first that is in the graph.
        dimensions: gold columns to break figures down by.
        needs: in the pipeline setting, which task's answers fill which input.
        compare: computes a further metric of the answers' texts; None where they are no texts.
    """

    id: str
    title: str
    dataset: str
    unit: str
    claim: type[Claim]
    answer: str
    kind: AnswerKind
    inputs: str
    context: Callable[[Setting], str]
    to_input: Callable[[Row], TaskInput]
    gold: str
    ends: str
    attach: Attach
    score: Score
    primary: str
    split: str
    training: tuple[str, ...]
    dimensions: tuple[str, ...] = ()
    needs: Mapping[str, str] = field(default_factory=dict)
    compare: Compare | None = None

    def parse(self, value: Any) -> AnswerValue:
        """Turns a stored or foreign value into the task's answer type.

        Raises:
            ValueError: it is of another type; the message says which was expected.
        """
        if self.kind == "text" and isinstance(value, str):
            return value
        is_list = isinstance(value, (list, tuple)) and all(isinstance(x, str) for x in value)
        if self.kind == "texts" and is_list:
            return tuple(value)
        if self.kind == "flag" and isinstance(value, bool):
            return value
        if self.kind == "choice" and type(value) is int and value in (0, 1, 2):
            return value
        expected = {
            "text": "a text",
            "texts": "a list of texts",
            "flag": "true or false",
            "choice": "0 (either), 1 or 2",
        }[self.kind]
        raise ValueError(f"{self.id} is answered by {expected}, not by {value!r:.80}")
