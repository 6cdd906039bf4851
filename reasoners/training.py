# SPDX-License-Identifier: Apache-2.0
"""Examples that a reasoner may learn from: of the training split, without stories of the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from reasoners.base import AnswerValue
from reasoners.inputs import TaskInput


@dataclass(frozen=True)
class Example:
    """An input with its gold answer."""

    input: TaskInput
    answer: AnswerValue
    cluster: str
    """Key of the story or goal; splits for choosing are made along it."""


@dataclass
class Training:
    """Training examples of one task, read from the graph when first asked for.

    Attributes:
        source: what the examples are, for results and model cards, such as
            `pasta val (5400 instances)`. Known after the first use.
    """

    load: Callable[[], tuple[str, list[Example]]]
    source: str | None = None
    _examples: list[Example] | None = field(default=None, repr=False)

    def __iter__(self) -> Iterator[Example]:
        if self._examples is None:
            self.source, self._examples = self.load()
        return iter(self._examples)
