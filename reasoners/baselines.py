# SPDX-License-Identifier: Apache-2.0
"""Rules without learning: they stay in every table, above all where they win.

Several beat published systems on a metric (docs/results.md says where), which is what they
are for: a floor, or a claim of progress, is measured against the best of them.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from graph.vocabulary import CHANGE_MODES
from reasoners.base import Answer, AnswerError, AnswerValue, Reasoner
from reasoners.inputs import (
    DecisionInput,
    OutcomeInput,
    StateChangeInput,
    StateInferenceInput,
    StoryRevisionInput,
    TaskInput,
)
from reasoners.training import Training

_INFERENCE = ("pasta.state_inference/marked", "pasta.state_inference/unmarked")
_INVOLVEMENT = ("poque.involvement/change", "poque.involvement/endpoint")


class Rule(Reasoner):
    """A fixed rule a task."""

    kind = "baseline"
    rules: ClassVar[Mapping[str, Callable[[Any], AnswerValue]]]

    def __init__(self, seed: int = 0) -> None:
        self.tasks = frozenset(self.rules)

    def answer(self, task: str, inputs: Sequence[TaskInput]) -> list[Answer | AnswerError]:
        rule = self.rules[task]
        return [Answer(rule(each)) for each in inputs]


class Copy(Rule):
    """The input as it is: no answer to the question, and hard to beat on overlap metrics."""

    name = "copy"
    description = "story unchanged; every sentence as a factor; the endpoint as the change"
    rules: ClassVar = {
        "pasta.story_revision": lambda x: x.story.sentences,
        "poque.factors": lambda x: x.story.sentences,
        "poque.change_summary": lambda x: x.endpoint,
    }


class FirstThree(Rule):
    """The story's first three sentences as factors."""

    name = "first-three"
    description = "the first three sentences as factors"
    rules: ClassVar = {"poque.factors": lambda x: x.story.sentences[:3]}


class LastSentence(Rule):
    """The story's last sentence as its endpoint (POQue 5.2)."""

    name = "last-sentence"
    description = "the story's last sentence"
    rules: ClassVar = {
        "poque.endpoint/story": lambda x: x.story.sentences[-1],
        "poque.process_summary/story": lambda x: x.story.sentences[-1],
    }


class LastFactor(Rule):
    """The last factor as endpoint or summary."""

    name = "last-factor"
    description = "the last factor"
    rules: ClassVar = {
        "poque.endpoint/factors": lambda x: x.factors[-1] if x.factors else "",
        "poque.process_summary/factors": lambda x: x.factors[-1] if x.factors else "",
    }


class About(Rule):
    """`About P` (POQue 5.1)."""

    name = "about"
    description = "About P"
    rules: ClassVar = {"poque.process_summary/story": lambda x: f"About {x.participant}"}


class Template(Rule):
    """`P changed`: the frame of most change summaries."""

    name = "template"
    description = "P changed"
    rules: ClassVar = {"poque.change_summary": lambda x: f"{x.participant} changed"}


class NoChanges(Rule):
    """Nothing ever changes."""

    name = "no-changes"
    description = "no changes"
    rules: ClassVar = {
        "poque.change_summary": lambda x: "",
        "poque.change_modes": lambda x: (),
    }


class AllModes(Rule):
    """Everything changes in every way."""

    name = "all-modes"
    description = "all five modes"
    rules: ClassVar = {"poque.change_modes": lambda x: CHANGE_MODES}


class OneBit(Rule):
    """Involved if and only if there is a change: what a system that learnt one bit does."""

    name = "one-bit"
    description = "yes if the change summary is not empty"
    rules: ClassVar = {"poque.involvement/change": lambda x: bool(x.change.strip())}


class ConstantYes(Rule):
    """Always yes."""

    name = "constant-yes"
    description = "always yes"
    rules: ClassVar = dict.fromkeys((*_INFERENCE, *_INVOLVEMENT), lambda x: True)


class ConstantNo(Rule):
    """Always no."""

    name = "constant-no"
    description = "always no"
    rules: ClassVar = dict.fromkeys((*_INFERENCE, *_INVOLVEMENT), lambda x: False)


class Option1(Rule):
    """Always the first option."""

    name = "option-1"
    description = "always option 1"
    rules: ClassVar = {"choice75.decision": lambda x: 1}


class Option2(Rule):
    """Always the second option."""

    name = "option-2"
    description = "always option 2"
    rules: ClassVar = {"choice75.decision": lambda x: 2}


class Either(Rule):
    """Never decides."""

    name = "either"
    description = "always either"
    rules: ClassVar = {"choice75.decision": lambda x: 0}


def _first_word_states(task_input: StateChangeInput) -> tuple[str, str]:
    word = task_input.story.text.split()[0]
    return f"{word} is a", f"{word} is not a"


class FirstWord(Rule):
    """The first word of the story `is a`, `is not a`: short outputs pay off in ROUGE."""

    name = "first-word"
    description = "the story's first word + is a / is not a"
    rules: ClassVar = {"pasta.state_change": _first_word_states}


def _revise_last_two(task_input: StoryRevisionInput) -> tuple[str, ...]:
    return (*task_input.story.sentences[:-2], task_input.state, task_input.state)


class LastTwo(Rule):
    """The last two sentences replaced by the state: where most revisions are."""

    name = "last-two"
    description = "the last two sentences replaced by the state"
    rules: ClassVar = {"pasta.story_revision": _revise_last_two}


# --- word overlap ------------------------------------------------------------------------------

_STOP = frozenset(
    """a an and are as at be but by did do does for from had has have he her him his i in is it its
    me my not of on or our out she so that the their them they this to up was we were what when
    which who will with you your""".split()  # noqa: SIM905 - a list of 60 strings reads worse
)


def content_words(text: str) -> frozenset[str]:
    """The words of a text, in lower case, without the most frequent function words."""
    return frozenset(re.findall(r"\w+", text.lower())) - _STOP


def _overlap(one: str, other: str) -> float:
    words = content_words(one)
    return len(words & content_words(other)) / len(words) if words else 0.0


def _infer_by_overlap(task_input: StateInferenceInput) -> bool:
    sentences = task_input.story.sentences
    places = range(len(sentences)) if task_input.supporting is None else task_input.supporting
    # Half of the content words: fixed beforehand, not tuned.
    return _overlap(task_input.state, " ".join(sentences[place] for place in places)) >= 0.5


def _decide_by_overlap(task_input: DecisionInput) -> int:
    first = len(content_words(task_input.option_1) & content_words(task_input.scenario))
    second = len(content_words(task_input.option_2) & content_words(task_input.scenario))
    return 0 if first == second else 1 if first > second else 2


def _revise_by_overlap(task_input: StoryRevisionInput) -> tuple[str, ...]:
    sentences = list(task_input.story.sentences)
    shared = [_overlap(task_input.state, sentence) for sentence in sentences]
    # The last of the best: revisions lie late in the story.
    place = max(range(len(sentences)), key=lambda index: (shared[index], index))
    sentences[place] = task_input.state
    return tuple(sentences)


class Overlap(Rule):
    """Decides by shared content words."""

    name = "overlap"
    description = "shared content words"
    rules: ClassVar = {
        **dict.fromkeys(_INFERENCE, _infer_by_overlap),
        "choice75.decision": _decide_by_overlap,
        "pasta.story_revision": _revise_by_overlap,
        "poque.factors": lambda x: tuple(
            sentence for sentence in x.story.sentences if _overlap(x.endpoint, sentence) > 0
        ),
    }


# --- chance and frequency ----------------------------------------------------------------------


def _some(rng: random.Random, parts: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(rng.sample(parts, rng.randint(1, min(5, len(parts)))), key=parts.index))


def _revise_at_random(rng: random.Random, task_input: StoryRevisionInput) -> tuple[str, ...]:
    sentences = list(task_input.story.sentences)
    sentences[rng.randrange(len(sentences))] = task_input.state
    return tuple(sentences)


def _yes_or_no(rng: random.Random, task_input: TaskInput) -> bool:
    return rng.random() < 0.5


def _random_modes(rng: random.Random, task_input: OutcomeInput) -> tuple[str, ...]:
    return tuple(mode for mode in CHANGE_MODES if rng.random() < 0.5)


class Random(Reasoner):
    """A random answer, drawn from the seed and the input alone, so that order cannot matter.

    Args:
        seed: seed of all draws.
    """

    name = "random"
    kind = "baseline"
    description = "at random (a sentence, a label), seeded"
    _draws: ClassVar[Mapping[str, Callable[[random.Random, Any], AnswerValue]]] = {
        **dict.fromkeys((*_INFERENCE, *_INVOLVEMENT), _yes_or_no),
        "poque.endpoint/story": lambda rng, x: rng.choice(x.story.sentences),
        "poque.endpoint/factors": lambda rng, x: rng.choice(x.factors or ("",)),
        "poque.process_summary/story": lambda rng, x: rng.choice(x.story.sentences),
        "poque.process_summary/factors": lambda rng, x: rng.choice(x.factors or ("",)),
        "poque.factors": lambda rng, x: _some(rng, x.story.sentences),
        "poque.change_summary": lambda rng, x: rng.choice(("", *x.story.sentences)),
        "poque.change_modes": _random_modes,
        "pasta.story_revision": _revise_at_random,
        "pasta.state_change": lambda rng, x: (
            rng.choice(x.story.sentences),
            rng.choice(x.revised.sentences),
        ),
        "choice75.decision": lambda rng, x: rng.choice((0, 1, 2)),
    }

    def __init__(self, seed: int = 0) -> None:
        self._seed = seed
        self.tasks = frozenset(self._draws)

    def answer(self, task: str, inputs: Sequence[TaskInput]) -> list[Answer | AnswerError]:
        return [Answer(self._draws[task](self._rng(task, each), each)) for each in inputs]

    def _rng(self, task: str, task_input: TaskInput) -> random.Random:
        text = f"{self._seed}\n{task}\n{task_input.model_dump_json()}"
        return random.Random(hashlib.sha256(text.encode("utf-8")).digest())


class Majority(Reasoner):
    """The most frequent answer of the training split."""

    name = "majority"
    kind = "baseline"
    description = "the most frequent answer of the training split"
    tasks = frozenset((*_INFERENCE, *_INVOLVEMENT, "poque.change_modes", "choice75.decision"))

    def __init__(self, seed: int = 0) -> None:
        self._answers: dict[str, AnswerValue] = {}

    def prepare(self, task: str, training: Training) -> None:
        counts = Counter(example.answer for example in training)
        if not counts:
            raise AnswerError(f"majority needs examples for {task}: there is no training split")
        # Ties go to the answer that comes first in text order: any fixed rule would do.
        self._answers[task] = max(sorted(counts, key=repr), key=counts.__getitem__)
        self.trained_on = training.source

    def answer(self, task: str, inputs: Sequence[TaskInput]) -> list[Answer | AnswerError]:
        return [Answer(self._answers[task])] * len(inputs)
