# SPDX-License-Identifier: Apache-2.0
"""What a reasoner is: something that answers task inputs, one answer each, in order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graph.model import Model
from reasoners.inputs import TaskInput

if TYPE_CHECKING:
    from reasoners.training import Training

AnswerValue = str | bool | int | tuple[str, ...]
"""Text, truth value, choice, or a list of texts: which of them, the task says."""


@dataclass(frozen=True)
class Answer:
    """One conclusion.

    Attributes:
        value: the conclusion itself.
        confidence: from 0 to 1, None if the reasoner has no measure.
        evidence: positions of the story sentences that it rests on.
    """

    value: AnswerValue
    confidence: float | None = None
    evidence: tuple[int, ...] = ()


class AnswerError(Exception):
    """One item could not be answered; it counts with the worst score and is listed."""


class Reasoner(ABC):
    """Answers inputs of the tasks it knows.

    Attributes:
        name: name in the registry, and of the system in results.
        version: raised when its answers may change.
        kind: `baseline` for rules that stay in every table, `model` otherwise.
        description: one line for tables.
        tasks: ids of the tasks that it answers.
        trained_on: what it was trained or counted on, None for nothing.
        models: the weights that it loads.
    """

    name: str
    version: str = "1"
    kind: str = "model"
    description: str
    tasks: frozenset[str]
    trained_on: str | None = None
    models: tuple[Model, ...] = ()

    def prepare(self, task: str, training: Training) -> None:  # noqa: B027 - optional
        """Gets ready for a task; called once before its inputs.

        Args:
            task: the task's id.
            training: examples of the training split, read when asked for; never of the split
                that is answered.
        """

    @abstractmethod
    def answer(self, task: str, inputs: Sequence[TaskInput]) -> list[Answer | AnswerError]:
        """Answers each input from that input alone.

        Args:
            task: the task's id.
            inputs: any number of inputs, of the task's input type.

        Returns:
            One answer, or the reason why there is none, for each input, in their order.
        """
