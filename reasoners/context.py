# SPDX-License-Identifier: Apache-2.0
"""Reads from the graph what a task needs: inputs, gold answers, training examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from graph import queries
from graph.store import GraphStore
from graph.task_queries import Setting
from reasoners.inputs import TaskInput
from reasoners.task import Gold, Task
from reasoners.training import Example, Training


class Item(NamedTuple):
    """An item's key, kept from the reasoner, and its input."""

    key: str
    input: TaskInput


def read_inputs(
    store: GraphStore,
    task: Task,
    split: str,
    setting: Setting = "oracle",
    upstream: Mapping[str, str] | None = None,
) -> list[Item]:
    """Reads a task's inputs, ordered by item, through its context query alone.

    Args:
        store: the graph.
        task: the task.
        split: the split to read.
        setting: where the inputs besides the raw text come from.
        upstream: pipeline setting: input name -> id of the run whose claims fill it.

    Returns:
        The items; none if the graph does not hold the split.
    """
    params = {"split": split} | {f"{name}_run": run for name, run in (upstream or {}).items()}
    return [
        Item(row["item"], task.to_input(row)) for row in store.stream(task.context(setting), params)
    ]


def read_gold(store: GraphStore, task: Task, split: str) -> list[Gold]:
    """Reads a task's gold answers, ordered by item."""
    golds = []
    for row in store.stream(task.gold, {"split": split}):
        direction = row["item"].split("/")[1] if task.dataset == "pasta" else None
        golds.append(
            Gold(
                item=row["item"],
                answer=task.parse(row["answer"]),
                cluster=row["cluster"],
                row=row if direction is None else row | {"direction": direction},
            )
        )
    return golds


def training(store: GraphStore, task: Task, split: str) -> Training:
    """The examples that may be learnt from when `split` is answered.

    The first of the task's training splits that the graph holds, without the stories of
    `split`: POQue's valid and test share 54.
    """

    def load() -> tuple[str, list[Example]]:
        present = {
            row["split"] for row in store.read(queries.units_by_split(task.unit)) if row["n"]
        }
        source = next((name for name in task.training if name in present and name != split), None)
        if source is None:
            return "nothing: the graph holds no training split", []
        held_out = {gold.cluster for gold in read_gold(store, task, split)}
        inputs = {item.key: item.input for item in read_inputs(store, task, source)}
        golds = read_gold(store, task, source)
        examples = [
            Example(inputs[gold.item], gold.answer, gold.cluster)
            for gold in golds
            if gold.cluster not in held_out
        ]
        dropped = len(golds) - len(examples)
        note = f", {dropped} of stories shared with {split} left out" if dropped else ""
        return f"{task.dataset} {source} ({len(examples)} examples{note})", examples

    return Training(load)
