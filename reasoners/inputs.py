# SPDX-License-Identifier: Apache-2.0
"""What a reasoner is given, one type a task; nothing else of the graph is visible to it.

The inputs hold no keys of the data set: PASTA's item names, for example, would tell the answer.
"""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict


class TaskInput(BaseModel):
    """Base of all inputs."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class StoryText(BaseModel):
    """A story as text and as sentences."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    """Full text."""
    sentences: tuple[str, ...]
    """Its sentences, in order."""


class ProcessSummaryInput(TaskInput):
    """POQue task 1: either the story and its participant, or the factors."""

    story: StoryText | None = None
    """The story, in the form `story`."""
    participant: str | None = None
    """Who it is seen through, in the form `story`."""
    factors: tuple[str, ...] | None = None
    """The salient events, in the form `factors`."""


class EndpointInput(TaskInput):
    """POQue task 2a: either the story or the factors."""

    story: StoryText | None = None
    """The story, in the form `story`."""
    factors: tuple[str, ...] | None = None
    """The salient events, in the form `factors`."""


class FactorsInput(TaskInput):
    """POQue task 2b."""

    story: StoryText
    """The story."""
    endpoint: str
    """How it ends."""


class OutcomeInput(TaskInput):
    """POQue tasks 3, 4 and 5: what the endpoint meant for one participant."""

    story: StoryText
    """The story."""
    participant: str
    """Who it is seen through."""
    role: Literal["agent", "patient"]
    """Whether the participant caused or experienced it."""
    endpoint: str | None = None
    """How it ends; not given in `poque.involvement/change`."""
    change: str | None = None
    """What changed, empty for nothing; given in `poque.involvement/change` only."""


class StateInferenceInput(TaskInput):
    """PASTA task 1."""

    story: StoryText
    """The story."""
    state: str
    """The query state."""
    supporting: tuple[int, ...] | None = None
    """Positions of the sentences to infer from, in the form `marked`."""


class StoryRevisionInput(TaskInput):
    """PASTA task 2."""

    story: StoryText
    """The story."""
    state: str
    """The state that the revised story has to imply."""


class StateChangeInput(TaskInput):
    """PASTA task 3."""

    story: StoryText
    """The story."""
    revised: StoryText
    """Its revision."""


class DecisionInput(TaskInput):
    """Choice-75."""

    goal: str
    """The branching step, which the paper's prompts call the goal."""
    option_1: str
    """The first way."""
    option_2: str
    """The second way."""
    scenario: str
    """The circumstance, as a verb phrase or a user profile of several lines."""
    script_goal: str | None = None
    """The goal of the whole script (optional context)."""
    steps: tuple[str, ...] = ()
    """The script's steps (optional context)."""
