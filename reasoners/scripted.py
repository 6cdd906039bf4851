# SPDX-License-Identifier: Apache-2.0
"""A reasoner that says what it is told to: for tests, also for users' own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from reasoners.base import Answer, AnswerError, AnswerValue, Reasoner
from reasoners.inputs import TaskInput


class Scripted(Reasoner):
    """Answers by calling a function of yours.

    Args:
        script: gets the task's id and one input; returns the answer's value, or raises
            `AnswerError` for an item that fails.
        tasks: ids of the tasks that it answers.
        name: name of the system in results.
    """

    description = "answers by a script"

    def __init__(
        self,
        script: Callable[[str, TaskInput], AnswerValue],
        tasks: Iterable[str],
        name: str = "scripted",
    ) -> None:
        self._script = script
        self.tasks = frozenset(tasks)
        self.name = name

    def answer(self, task: str, inputs: Sequence[TaskInput]) -> list[Answer | AnswerError]:
        answers: list[Answer | AnswerError] = []
        for each in inputs:
            try:
                answers.append(Answer(self._script(task, each)))
            except AnswerError as error:
                answers.append(error)
        return answers
