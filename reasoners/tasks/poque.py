# SPDX-License-Identifier: Apache-2.0
"""POQue's five tasks (Vallurupalli et al. 2022, sections 5 and 6), in both input forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, cast

from graph import task_queries as cypher
from graph.batch import BatchBuilder
from graph.ids import make_id
from graph.model import (
    Change,
    ChangeMode,
    ChangeModeSet,
    Claim,
    Endpoint,
    Factor,
    FactorSet,
    Involvement,
    ProcessSummary,
    Ref,
)
from graph.store import Row
from graph.vocabulary import CHANGE_MODES as MODES
from reasoners.base import Answer, AnswerValue
from reasoners.inputs import (
    EndpointInput,
    FactorsInput,
    OutcomeInput,
    ProcessSummaryInput,
    StoryText,
)
from reasoners.metrics import classification, text
from reasoners.metrics.base import Stats, mean_stats, ratio_stats
from reasoners.metrics.change import change_summary_stats
from reasoners.task import AnswerKind, Attach, Compare, Gold, Score, Task, TextMetric


def _story(row: Row) -> StoryText:
    return StoryText(text=row["story"], sentences=tuple(row["sentences"]))


def _process_summary_input(row: Row) -> ProcessSummaryInput:
    if "factors" in row:
        return ProcessSummaryInput(factors=tuple(row["factors"]))
    return ProcessSummaryInput(story=_story(row), participant=row["participant"])


def _endpoint_input(row: Row) -> EndpointInput:
    if "factors" in row:
        return EndpointInput(factors=tuple(row["factors"]))
    return EndpointInput(story=_story(row))


def _factors_input(row: Row) -> FactorsInput:
    return FactorsInput(story=_story(row), endpoint=row["endpoint"])


def _outcome_input(row: Row) -> OutcomeInput:
    return OutcomeInput(
        story=_story(row),
        participant=row["participant"],
        role=row["role"],
        endpoint=row.get("endpoint"),
        change=row.get("change"),
    )


def _attach_nothing(batch: BatchBuilder, run: Ref, claim: Ref, ends: Row, answer: Answer) -> None:
    """`ABOUT` says it all."""


def _attach_factors(batch: BatchBuilder, run: Ref, claim: Ref, ends: Row, answer: Answer) -> None:
    for index, factor in enumerate(cast("tuple[str, ...]", answer.value)):
        node = Factor(
            id=make_id(claim.id, "Factor", index),
            source="predicted",
            item=ends["item"],
            index=index,
            text=factor,
        )
        batch.edge("HAS_FACTOR", claim, batch.node(node))
        batch.edge("PRODUCED", run, node.ref)


def _attach_modes(batch: BatchBuilder, run: Ref, claim: Ref, ends: Row, answer: Answer) -> None:
    for mode in cast("tuple[str, ...]", answer.value):
        node = ChangeMode(id=make_id("poque", "ChangeMode", mode), name=mode)
        batch.edge("HAS_MODE", claim, batch.node(node))


# --- scores ------------------------------------------------------------------------------------


def _texts(
    golds: Sequence[Gold], answers: Sequence[AnswerValue | None]
) -> tuple[list[str], list[str]]:
    """References and outputs; a failed item is a text that matches nothing."""
    references = [cast("str", gold.answer) for gold in golds]
    return references, ["" if answer is None else cast("str", answer) for answer in answers]


def _generation(outputs: list[str], references: list[str]) -> list[Stats]:
    return [
        *(
            text.rouge(kind, outputs, references, stemmer=True)
            for kind in ("rouge_1", "rouge_2", "rouge_l", "rouge_lsum")
        ),
        text.bleu(outputs, references),
        text.sentence_bleu(outputs, references),
        text.meteor(outputs, references),
    ]


def _length(outputs: list[str]) -> Stats:
    # The paper's Len of summaries counts trigrams (notes on its Tables 3 and 4).
    return replace(text.len_trigrams(outputs), name="len")


def _score_text(golds: Sequence[Gold], answers: Sequence[AnswerValue | None]) -> list[Stats]:
    references, outputs = _texts(golds, answers)
    stories = [gold.row["story"] for gold in golds]
    return [
        *_generation(outputs, references),
        _length(outputs),
        text.ext(outputs, stories),
    ]


def _score_factors(golds: Sequence[Gold], answers: Sequence[AnswerValue | None]) -> list[Stats]:
    gold_lists = [cast("tuple[str, ...]", gold.answer) for gold in golds]
    lists = [cast("tuple[str, ...]", answer or ()) for answer in answers]
    joined = [" ".join(factors) for factors in lists]
    return [
        *_generation(joined, [" ".join(factors) for factors in gold_lists]),
        ratio_stats(
            "len",
            "whitespace tokens of a factor, pooled",
            [sum(len(factor.split()) for factor in factors) for factors in lists],
            [len(factors) for factors in lists],
            scale=1.0,
            higher_is_better=None,
            unit="tokens",
        ),
        mean_stats(
            "n_factors",
            "factors, mean over items",
            [len(factors) for factors in lists],
            scale=1.0,
            higher_is_better=None,
            unit="factors",
        ),
    ]


def _score_change(golds: Sequence[Gold], answers: Sequence[AnswerValue | None]) -> list[Stats]:
    references = [cast("str", gold.answer) for gold in golds]
    # A failed item must not pass for "no changes".
    outputs = ["\ufffd" if answer is None else cast("str", answer) for answer in answers]
    participants = [gold.row["participant"] for gold in golds]
    return [
        *_generation(outputs, references),
        *change_summary_stats(outputs, references, participants),
        _length(outputs),
    ]


def _compare_text(
    golds: Sequence[Gold], answers: Sequence[AnswerValue | None], metric: TextMetric
) -> Stats:
    references, outputs = _texts(golds, answers)
    return metric(outputs, references)


def _compare_factors(
    golds: Sequence[Gold], answers: Sequence[AnswerValue | None], metric: TextMetric
) -> Stats:
    references = [" ".join(cast("tuple[str, ...]", gold.answer)) for gold in golds]
    outputs = [" ".join(cast("tuple[str, ...]", answer or ())) for answer in answers]
    stats = metric(outputs, references)
    return replace(stats, variant=f"{stats.variant}; factors joined by a space")


def _compare_change(
    golds: Sequence[Gold], answers: Sequence[AnswerValue | None], metric: TextMetric
) -> Stats:
    stats = _compare_text(golds, answers, metric)
    return replace(stats, variant=f"{stats.variant}; all items, empty references too")


def _score_modes(golds: Sequence[Gold], answers: Sequence[AnswerValue | None]) -> list[Stats]:
    gold = [cast("tuple[str, ...]", each.answer) for each in golds]
    outputs = [
        _worst_modes(want) if got is None else cast("tuple[str, ...]", got)
        for want, got in zip(gold, answers, strict=True)
    ]
    return [
        classification.multilabel_macro_f1(outputs, gold, MODES),
        classification.multilabel_macro_f1_two_class(outputs, gold, MODES),
        classification.subset_accuracy(outputs, gold),
        classification.hamming(outputs, gold),
    ]


def _worst_modes(gold: Sequence[str]) -> tuple[str, ...]:
    return tuple(mode for mode in MODES if mode not in gold)


def _score_involvement(golds: Sequence[Gold], answers: Sequence[AnswerValue | None]) -> list[Stats]:
    gold = [cast("bool", each.answer) for each in golds]
    outputs = [
        not want if got is None else cast("bool", got)
        for want, got in zip(gold, answers, strict=True)
    ]
    return [
        classification.macro_f1(outputs, gold, (False, True)),
        classification.accuracy(outputs, gold),
    ]


# --- the tasks ---------------------------------------------------------------------------------


def _task(
    id: str,
    title: str,
    claim: type[Claim],
    answer: str,
    kind: AnswerKind,
    inputs: str,
    context: Callable[[cypher.Setting], str],
    to_input: Callable[[Row], Any],
    score: Score,
    primary: str,
    attach: Attach = _attach_nothing,
    needs: dict[str, str] | None = None,
    compare: Compare | None = None,
) -> Task:
    return Task(
        id=id,
        title=title,
        dataset="poque",
        unit="ComplexEvent",
        claim=claim,
        answer=answer,
        kind=kind,
        inputs=inputs,
        context=context,
        to_input=to_input,
        gold=cypher.poque_gold(claim.__name__, answer),
        ends=cypher.POQUE_ENDS,
        attach=attach,
        score=score,
        primary=primary,
        split="test",
        training=("train", "valid"),
        dimensions=("role", "source"),
        needs=needs or {},
        compare=compare,
    )


_summary = partial(
    _task, claim=ProcessSummary, answer="text", kind="text", to_input=_process_summary_input,
    score=_score_text, primary="rouge_l", compare=_compare_text,
)  # fmt: skip
_endpoint = partial(
    _task, claim=Endpoint, answer="text", kind="text", to_input=_endpoint_input,
    score=_score_text, primary="rouge_l", compare=_compare_text,
)  # fmt: skip
_involvement = partial(
    _task, claim=Involvement, answer="involved", kind="flag", to_input=_outcome_input,
    score=_score_involvement, primary="macro_f1",
)  # fmt: skip
_BY_ENDPOINT = {"endpoint": "poque.endpoint/story"}
_BY_FACTORS = {"factors": "poque.factors"}

PROCESS_SUMMARY_STORY = _summary(
    id="poque.process_summary/story",
    title="Process summary, from the story",
    inputs="story, participant",
    context=cypher.process_summary_from_story,
)
PROCESS_SUMMARY_FACTORS = _summary(
    id="poque.process_summary/factors",
    title="Process summary, from the factors",
    inputs="factors",
    context=cypher.from_factors,
    needs=_BY_FACTORS,
)
ENDPOINT_STORY = _endpoint(
    id="poque.endpoint/story",
    title="Endpoint, from the story",
    inputs="story",
    context=cypher.endpoint_from_story,
)
ENDPOINT_FACTORS = _endpoint(
    id="poque.endpoint/factors",
    title="Endpoint, from the factors",
    inputs="factors",
    context=cypher.from_factors,
    needs=_BY_FACTORS,
)
FACTORS = _task(
    id="poque.factors",
    title="Factors that lead to the endpoint",
    claim=FactorSet,
    answer="texts",
    kind="texts",
    inputs="story, endpoint",
    context=cypher.factors,
    to_input=_factors_input,
    score=_score_factors,
    primary="rouge_l",
    attach=_attach_factors,
    compare=_compare_factors,
    needs=_BY_ENDPOINT,
)
CHANGE_SUMMARY = _task(
    id="poque.change_summary",
    title="Change summary",
    claim=Change,
    answer="text",
    kind="text",
    inputs="story, endpoint, participant, role",
    context=cypher.with_endpoint,
    to_input=_outcome_input,
    score=_score_change,
    primary="rouge_l_nonempty",
    compare=_compare_change,
    needs=_BY_ENDPOINT,
)
CHANGE_MODES = _task(
    id="poque.change_modes",
    title="Change modes",
    claim=ChangeModeSet,
    answer="modes",
    kind="texts",
    inputs="story, participant, role, endpoint",
    context=cypher.with_endpoint,
    to_input=_outcome_input,
    score=_score_modes,
    primary="macro_f1",
    attach=_attach_modes,
    needs=_BY_ENDPOINT,
)
INVOLVEMENT_CHANGE = _involvement(
    id="poque.involvement/change",
    title="Involvement, from the change summary",
    inputs="story, participant, role, change summary",
    context=cypher.with_change,
    needs={"change": "poque.change_summary"},
)
INVOLVEMENT_ENDPOINT = _involvement(
    id="poque.involvement/endpoint",
    title="Involvement, from the endpoint",
    inputs="story, participant, role, endpoint",
    context=cypher.with_endpoint,
    needs=_BY_ENDPOINT,
)
