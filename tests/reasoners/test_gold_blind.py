# SPDX-License-Identifier: Apache-2.0
"""No reasoner can see the gold it is scored on, and an answer depends on its own input alone.

Everything that annotators concluded about the scored split is scrambled in the graph, except
the inputs that the paper defines for the task; every input and every prediction must stay the
same to the byte. The table of those inputs stands here on its own, not in the code under test.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable

import pytest

from graph.store import GraphStore, Transaction
from reasoners import inputs as types
from reasoners.base import Answer, AnswerError
from reasoners.context import read_gold, read_inputs, training
from reasoners.registry import BASELINES, REASONERS
from reasoners.tasks import ORDER, TASKS
from reasoners.training import Example, Training

# Claims and edges of the own unit that the paper gives to a system (sections in reasoners/tasks).
DECLARED: dict[str, set[str]] = {
    "poque.process_summary/story": set(),
    "poque.process_summary/factors": {"FactorSet"},
    "poque.endpoint/story": set(),
    "poque.endpoint/factors": {"FactorSet"},
    "poque.factors": {"Endpoint"},
    "poque.change_summary": {"Endpoint"},
    "poque.change_modes": {"Endpoint"},
    "poque.involvement/change": {"Change"},
    "poque.involvement/endpoint": {"Endpoint"},
    "pasta.state_inference/marked": {"query", "EVIDENCED_BY"},
    "pasta.state_inference/unmarked": {"query"},
    "pasta.story_revision": {"query"},
    "pasta.state_change": {"both stories"},
    "choice75.decision": set(),
}

# What holds an answer or part of one: label -> the assignments that destroy it.
SCRAMBLE: dict[str, str] = {
    "ProcessSummary": "c.text = 'scrambled ' + c.id, c.alternatives = ['x', 'y']",
    "Endpoint": "c.text = 'scrambled ' + c.id, c.alternatives = ['x', 'y'], c.anchoring = 'unsure'",
    "FactorSet": "c.texts = ['scrambled ' + c.id, 'x', 'y', 'z']",
    "Factor": "c.text = 'scrambled ' + c.id, c.index = 9 - c.index",
    "Change": "c.text = CASE c.text WHEN '' THEN 'scrambled ' + c.id ELSE '' END",
    "ChangeModeSet": "c.modes = CASE size(c.modes) WHEN 0 THEN ['Feeling'] ELSE [] END",
    "Involvement": "c.involved = NOT c.involved, c.likert = 4 - c.likert",
    "State": "c.text = 'scrambled ' + c.id, c.category = 'physical'",
    "CounterfactualState": "c.text = 'scrambled ' + c.id, c.category = 'physical'",
    "Inference": "c.holds = NOT c.holds",
    "Revision": "c.sentences = ['scrambled ' + c.id, 'b', 'c', 'd', 'e']",
    "StateChange": "c.states = ['scrambled ' + c.id, 'y']",
    "Decision": "c.choice = (c.choice + 1) % 3, c.level = 'scrambled'",
}
GOLD_EDGES = (
    "HAS_FACTOR", "GROUNDED_IN", "HAS_MODE", "STATE_OF", "JUSTIFIED_BY", "COUNTERFACTUAL_TO",
    "HOLDS_IN", "CONTRADICTED_IN", "EVIDENCED_BY", "FROM_STATE", "TO_STATE", "PREFERS",
)  # fmt: skip


class _RollBack(Exception):
    pass


def scrambled(store: GraphStore, work: Callable[[Transaction], object]) -> None:
    """Runs `work` in a transaction that never takes effect."""

    def attempt(tx):
        work(tx)
        raise _RollBack

    with pytest.raises(_RollBack):
        store.transact(attempt)


def scramble(tx: Transaction, task, split: str, kept: Iterable[str], keep: str = "false") -> None:
    """Destroys gold of a split: all labels but `kept`, and of units where `keep` is not true."""
    for label, assignments in SCRAMBLE.items():
        if label not in kept:
            tx.run(
                f"MATCH (c:{label} {{source: 'gold'}})-[:ABOUT]->(u:{task.unit} {{split: $split}}) "
                f"WHERE NOT ({keep}) SET {assignments}",
                {"split": split},
            )
    for edge in GOLD_EDGES:
        if edge not in kept:
            tx.run(f"MATCH (:Claim)-[r:{edge}]->() DELETE r")


def scramble_stories(tx: Transaction, which: str) -> None:
    """Destroys the revised stories, or the stories they revise."""
    pattern = "(s:Story)-[:REVISES]->()" if which == "revised" else "()-[:REVISES]->(s:Story)"
    tx.run(f"MATCH {pattern} SET s.text = 'scrambled ' + s.id, s.title = 'scrambled'")
    tx.run(f"MATCH {pattern} MATCH (s)-[:HAS_SENTENCE]->(x) SET x.text = 'scrambled ' + x.id")


def inputs_of(tx: Transaction, task, split: str) -> dict[str, str]:
    rows = tx.run(task.context("oracle"), {"split": split})
    return {row["item"]: task.to_input(row).model_dump_json() for row in rows}


def state_of(store: GraphStore, task) -> tuple[dict[str, str], dict[str, object]]:
    """Inputs and gold as they are, read before a transaction begins (it would be read from)."""
    inputs = read_inputs(store, task, task.split)
    golds = read_gold(store, task, task.split)
    return (
        {item.key: item.input.model_dump_json() for item in inputs},
        {gold.item: gold.answer for gold in golds},
    )


INPUT_TYPES = {
    "poque.process_summary": types.ProcessSummaryInput,
    "poque.endpoint": types.EndpointInput,
    "poque.factors": types.FactorsInput,
    "poque.change_summary": types.OutcomeInput,
    "poque.change_modes": types.OutcomeInput,
    "poque.involvement": types.OutcomeInput,
    "pasta.state_inference": types.StateInferenceInput,
    "pasta.story_revision": types.StoryRevisionInput,
    "pasta.state_change": types.StateChangeInput,
    "choice75.decision": types.DecisionInput,
}


def predictions(task, inputs: dict[str, str], examples: list[Example]) -> str:
    """Every reasoner's answers to inputs, as text to compare byte by byte."""
    model = INPUT_TYPES[task.id.split("/")[0]]
    given = [model.model_validate_json(text) for text in inputs.values()]
    found = {}
    for name in REASONERS:
        reasoner = REASONERS.get(name)(seed=3)
        if task.id in reasoner.tasks:
            reasoner.prepare(task.id, Training(lambda: ("", examples)))
            answers = reasoner.answer(task.id, given)
            found[name] = [repr(answer) for answer in answers]
    assert len(found) >= 2, f"{task.id} has no baselines"
    return json.dumps(found)


def test_the_table_names_every_task():
    assert set(DECLARED) == set(ORDER) == set(TASKS)


@pytest.mark.parametrize("name", [name for name in ORDER if name.startswith("poque")])
@pytest.mark.parametrize("view", ["agent", "patient"])
def test_poque_is_blind(sample_graph, name, view):
    """Also to the sibling view of the same story: its claims are scrambled whatever they are."""
    task = TASKS.get(name)
    before, old = state_of(sample_graph, task)
    examples = list(training(sample_graph, task, task.split))

    def work(tx):
        mine = {
            row["key"]
            for row in tx.run(
                "MATCH (u:ComplexEvent {split: 'test', role: $role}) RETURN u.key AS key",
                {"role": view},
            )
        }
        scramble(tx, task, "test", DECLARED[name])
        for label in DECLARED[name]:
            tx.run(
                f"MATCH (c:{label} {{source: 'gold'}})-[:ABOUT]->(u:ComplexEvent) "
                f"WHERE u.role <> $role SET {SCRAMBLE[label]}",
                {"role": view},
            )
        after = inputs_of(tx, task, "test")
        wanted = {key: text for key, text in before.items() if key in mine}
        assert wanted
        assert {key: after[key] for key in wanted} == wanted
        assert predictions(task, {key: after[key] for key in wanted}, examples) == predictions(
            task, wanted, examples
        )
        # The scrambling has teeth: no gold answer of this task survives it.
        gold = {row["item"]: row["answer"] for row in tx.run(task.gold, {"split": "test"})}
        assert all(gold[key] != _plain(old[key]) for key in wanted)

    scrambled(sample_graph, work)


@pytest.mark.parametrize(
    ("name", "direction", "query"),
    [
        (name, direction, query)
        for name in ORDER
        if name.startswith("pasta")
        for direction, wished in (("forward", "counterfactual"), ("backward", "state"))
        for query in ("state", "counterfactual")
        # A revision's state follows from its direction.
        if name != "pasta.story_revision" or query == wished
    ],
)
def test_pasta_is_blind(sample_graph, name, direction, query):
    """Also to the other story and the other query state, where they are not given."""
    task = TASKS.get(name)
    before, old = state_of(sample_graph, task)
    examples = list(training(sample_graph, task, task.split))

    def work(tx):
        kept = set(DECLARED[name])
        if "query" in kept:
            kept.add({"state": "State", "counterfactual": "CounterfactualState"}[query])
        scramble(tx, task, "te", kept)
        if "both stories" not in kept:
            scramble_stories(tx, {"forward": "revised", "backward": "base"}[direction])
        after = inputs_of(tx, task, "te")
        wanted = {
            key: text
            for key, text in before.items()
            if key.split("/")[1] == direction
            and ("inference" not in name or key.split("/")[2] == query)
        }
        assert wanted
        assert {key: after[key] for key in wanted} == wanted
        assert predictions(task, {key: after[key] for key in wanted}, examples) == predictions(
            task, wanted, examples
        )
        gold = {row["item"]: row["answer"] for row in tx.run(task.gold, {"split": "te"})}
        assert all(gold[key] != _plain(old[key]) for key in wanted)

    scrambled(sample_graph, work)


def test_choice75_is_blind(sample_graph):
    task = TASKS.get("choice75.decision")
    before, old = state_of(sample_graph, task)

    def work(tx):
        scramble(tx, task, "dev", ())
        assert inputs_of(tx, task, "dev") == before
        gold = {row["item"]: row["answer"] for row in tx.run(task.gold, {"split": "dev"})}
        assert all(gold[key] != old[key] for key in before)

    scrambled(sample_graph, work)


@pytest.mark.parametrize("name", [name for name in ORDER if DECLARED[name] - {"both stories"}])
def test_the_declared_inputs_do_matter(sample_graph, name):
    """The blindness tests could not fail if contexts ignored the claims altogether."""
    task = TASKS.get(name)
    before, _ = state_of(sample_graph, task)

    def work(tx):
        scramble(tx, task, task.split, ())
        after = inputs_of(tx, task, task.split)
        assert all(after[key] != before[key] for key in before)

    scrambled(sample_graph, work)


def test_inputs_hold_no_item_keys(sample_graph):
    for task in map(TASKS.get, ORDER):
        for item in read_inputs(sample_graph, task, task.split):
            key = item.key.split("/")[0] if task.dataset == "pasta" else item.key
            assert len(key) < 3 or f'"{key}"' not in item.input.model_dump_json()


ALONE = """
import json, sys
from reasoners.base import Answer
from reasoners.registry import REASONERS
from reasoners.training import Example, Training
import reasoners.inputs as types
for line in reversed(sys.stdin.read().splitlines()):
    work = json.loads(line)
    model = getattr(types, work["type"])
    examples = [
        Example(model.model_validate(e["input"]),
                tuple(e["answer"]) if isinstance(e["answer"], list) else e["answer"], e["cluster"])
        for e in work["training"]
    ]
    for place in reversed(range(len(work["inputs"]))):
        reasoner = REASONERS.get(work["reasoner"])(seed=3)
        reasoner.prepare(work["task"], Training(lambda: ("", examples)))
        answer = reasoner.answer(work["task"], [model.model_validate(work["inputs"][place])])[0]
        print(json.dumps([work["task"], work["reasoner"], place, repr(answer)]))
"""


def test_items_answered_alone_in_a_fresh_process_get_the_same(sample_graph):
    lines, wanted = [], {}
    for task in map(TASKS.get, ORDER):
        items = read_inputs(sample_graph, task, task.split)
        examples = list(training(sample_graph, task, task.split))
        for name in REASONERS:
            reasoner = REASONERS.get(name)(seed=3)
            if task.id not in reasoner.tasks:
                continue
            reasoner.prepare(task.id, training(sample_graph, task, task.split))
            answers = reasoner.answer(task.id, [item.input for item in items])
            assert all(isinstance(answer, (Answer, AnswerError)) for answer in answers)
            for place, answer in enumerate(answers):
                wanted[task.id, name, place] = repr(answer)
            lines.append(
                json.dumps(
                    {
                        "task": task.id,
                        "reasoner": name,
                        "type": type(items[0].input).__name__,
                        "inputs": [item.input.model_dump(mode="json") for item in items],
                        "training": [
                            {
                                "input": example.input.model_dump(mode="json"),
                                "answer": example.answer,
                                "cluster": example.cluster,
                            }
                            for example in examples
                        ]
                        if name == "majority"
                        else [],
                    }
                )
            )
    done = subprocess.run(
        [sys.executable, "-c", ALONE], input="\n".join(lines), capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    alone = {tuple(row[:3]): row[3] for row in map(json.loads, done.stdout.splitlines())}
    assert alone == wanted
    assert {name for _, name, _ in wanted} == set(BASELINES)


def _plain(answer):
    return list(answer) if isinstance(answer, tuple) else answer
