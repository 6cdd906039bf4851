# SPDX-License-Identifier: Apache-2.0
"""Choice-75's task (Hou et al. 2023, section 3): decide between two options under a scenario."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from graph import task_queries as cypher
from graph.batch import BatchBuilder
from graph.model import Decision, Ref
from graph.store import Row
from reasoners.base import Answer, AnswerValue
from reasoners.inputs import DecisionInput
from reasoners.metrics import classification
from reasoners.metrics.base import Stats, mean_stats
from reasoners.task import Gold, Task


def _to_input(row: Row) -> DecisionInput:
    return DecisionInput(
        goal=row["goal"],
        option_1=row["option_1"],
        option_2=row["option_2"],
        scenario=row["scenario"],
        script_goal=row["script_goal"],
        steps=tuple(row["steps"]),
    )


def _attach(batch: BatchBuilder, run: Ref, claim: Ref, ends: Row, answer: Answer) -> None:
    for number in (1, 2):
        if answer.value in (0, number):
            batch.edge("PREFERS", claim, Ref("Option", ends[f"option_{number}"]))


def _score(golds: Sequence[Gold], answers: Sequence[AnswerValue | None]) -> list[Stats]:
    gold = [cast("int", each.answer) for each in golds]
    right = [got is not None and got == want for want, got in zip(gold, answers, strict=True)]
    return [
        classification.accuracy(answers, gold),
        mean_stats(
            "accuracy_binary",
            "share of items whose gold is option 1 or 2",
            right,
            mask=[want != 0 for want in gold],
        ),
        classification.macro_f1(cast("Sequence[int]", answers), gold, (0, 1, 2)),
    ]


DECISION = Task(
    id="choice75.decision",
    title="Which option, or either",
    dataset="choice75",
    unit="Scenario",
    claim=Decision,
    answer="choice",
    kind="choice",
    inputs="branching step, two options, scenario; the script's goal and steps",
    context=lambda setting: cypher.DECISION,
    to_input=_to_input,
    gold=cypher.DECISION_GOLD,
    ends=cypher.DECISION_ENDS,
    attach=_attach,
    score=_score,
    primary="accuracy",
    # The 65 dev goals are the paper's test split; the train goals are for demonstrations.
    split="dev",
    training=("train",),
    dimensions=("format", "level"),
)
