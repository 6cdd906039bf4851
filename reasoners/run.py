# SPDX-License-Identifier: Apache-2.0
"""Lets a reasoner answer a task and writes its conclusions into the graph, with provenance.

Batching, failures, write-back and resuming live here, so that a reasoner only has to answer.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from graph import queries, task_queries
from graph.batch import BatchBuilder, GraphBatch
from graph.delete import delete as delete_groups
from graph.ids import make_id
from graph.model import Model, Ref, Run
from graph.model import Reasoner as ReasonerNode
from graph.store import GraphStore, Row, Transaction
from graph.task_queries import Setting
from graph.version import __version__
from reasoners.base import Answer, AnswerError, AnswerValue, Reasoner
from reasoners.context import Item
from reasoners.inputs import TaskInput
from reasoners.task import Task

CHUNK = 512
"""Items that are answered and written together: what a kill can lose."""


@dataclass(frozen=True)
class RunSpec:
    """What makes a run the same run: its id follows from these.

    Attributes:
        task: the task's id.
        reasoner: name of the reasoner.
        version: version of the reasoner.
        split: the split that is answered.
        setting: where inputs come from.
        seed: seed of everything random.
        settings: everything else that answers depend on (limit, upstream runs, options).
    """

    task: str
    reasoner: str
    version: str
    split: str
    setting: Setting
    seed: int
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        """Id of the run's node."""
        return make_id(
            "Run", self.task, self.reasoner, self.version, self.split, self.setting, self.seed,
            self._settings_text,
        )  # fmt: skip

    @property
    def _settings_text(self) -> str:
        return json.dumps(self.settings, sort_keys=True)

    def batch(self, trained_on: str | None = None, models: Sequence[Model] = ()) -> GraphBatch:
        """The run's own nodes: the run, its reasoner, and the weights it loads."""
        batch = BatchBuilder()
        run = batch.node(
            Run(
                id=self.id,
                task=self.task,
                reasoner=self.reasoner,
                split=self.split,
                setting=self.setting,
                seed=self.seed,
                settings=self._settings_text,
                version=__version__,
                trained_on=trained_on,
                started=datetime.now(UTC).isoformat(timespec="seconds"),
            )
        )
        reasoner = batch.node(
            ReasonerNode(
                id=make_id("Reasoner", self.reasoner, self.version),
                name=self.reasoner,
                version=self.version,
            )
        )
        batch.edge("MADE_BY", run, reasoner)
        for model in models:
            batch.edge("LOADS", reasoner, batch.node(model))
        return batch.build()


@dataclass(frozen=True)
class Sample:
    """The outcome of one item.

    Attributes:
        item: the item's key.
        answer: the conclusion, None if it failed.
        confidence: the reasoner's, None if it gave none.
        error: why it failed, None if it did not.
    """

    item: str
    answer: AnswerValue | None
    confidence: float | None = None
    error: str | None = None


def start(store: GraphStore, spec: RunSpec, reasoner: Reasoner) -> None:
    """Begins a run afresh: claims of an earlier run with the same id are removed.

    Args:
        store: the graph.
        spec: the run.
        reasoner: who will answer, prepared for the task: what it was trained on and the weights
            it loads become the run's provenance.
    """

    def work(tx: Transaction) -> None:
        tx.run(queries.DELETE_RUN_CLAIMS, {"run": spec.id})
        tx.write(spec.batch(reasoner.trained_on, reasoner.models))

    store.transact(work)


def delete(store: GraphStore, run: str) -> None:
    """Removes a run with all its claims, and nothing else but what only it used."""
    delete_groups(store, [Ref("Run", run)])


def trained_on(store: GraphStore, run: str) -> str | None:
    """What the reasoner of a run was trained on, as the graph has it."""
    rows = store.read(queries.RUN, {"run": run})
    return rows[0]["trained_on"] if rows else None


def answered(store: GraphStore, task: Task, run: str) -> dict[str, Sample]:
    """Reads back from the graph what a run has concluded so far, by item."""
    rows = store.stream(task_queries.predicted(task.claim.__name__, task.answer), {"run": run})
    return {
        row["item"]: Sample(row["item"], task.parse(row["answer"]), row["confidence"])
        for row in rows
    }


def answer(
    store: GraphStore, task: Task, reasoner: Reasoner, spec: RunSpec, items: Sequence[Item]
) -> Iterator[list[Sample]]:
    """Answers items chunk by chunk; each chunk is in the graph before it is yielded.

    Args:
        store: the graph, in which `start` has put the run.
        task: the task.
        reasoner: a reasoner that is prepared for it.
        spec: the run.
        items: what to answer.

    Yields:
        The samples of a chunk, in the items' order.
    """
    ends = {row["item"]: row for row in store.stream(task.ends, {"split": spec.split})}
    for first in range(0, len(items), CHUNK):
        chunk = items[first : first + CHUNK]
        answers = answer_safely(reasoner, task.id, [item.input for item in chunk])
        samples = []
        batch = BatchBuilder()
        for item, given in zip(chunk, answers, strict=True):
            if isinstance(given, AnswerError):
                samples.append(Sample(item.key, None, error=str(given) or "no answer"))
                continue
            add_claim(batch, task, spec.id, ends[item.key], given)
            samples.append(Sample(item.key, given.value, given.confidence))
        store.write(batch.build())
        yield samples


def answer_safely(
    reasoner: Reasoner, task: str, inputs: Sequence[TaskInput]
) -> list[Answer | AnswerError]:
    """Answers inputs; an error in a batch costs only the items that cause it."""
    try:
        answers = reasoner.answer(task, inputs)
    except Exception as error:
        if len(inputs) == 1:
            return [AnswerError(f"{type(error).__name__}: {error}")]
        return [answer_safely(reasoner, task, [each])[0] for each in inputs]
    if len(answers) != len(inputs):
        raise AnswerError(
            f"{reasoner.name} gave {len(answers)} answers to {len(inputs)} inputs of {task}"
        )
    return answers


def add_claim(batch: BatchBuilder, task: Task, run: str, ends: Row, given: Answer) -> Ref:
    """Adds a conclusion as a claim with its provenance.

    Args:
        batch: where to.
        task: the task.
        run: id of the run.
        ends: the item's row of the task's `ends` query.
        given: the conclusion.

    Returns:
        The claim.
    """
    item = ends["item"]
    claim = batch.node(
        task.claim.model_validate(
            {
                "id": make_id(run, task.claim.__name__, item),
                "source": "predicted",
                "item": item,
                "confidence": given.confidence,
                task.answer: given.value,
            }
        )
    )
    batch.edge("ABOUT", claim, Ref(task.unit, ends["unit"]))
    batch.edge("PRODUCED", Ref("Run", run), claim)
    for place in given.evidence:
        batch.edge("EVIDENCED_BY", claim, Ref("Sentence", ends["sentences"][place]))
    task.attach(batch, Ref("Run", run), claim, ends, given)
    return claim
