# SPDX-License-Identifier: Apache-2.0
"""`python -m benchmarks.score`: scores outputs that were made elsewhere, on exactly their items."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from benchmarks import published
from benchmarks.report import console, write_reports
from benchmarks.results import Results, SystemResult, TaskResult, write
from benchmarks.runner import bring_in, environment, similarity
from benchmarks.scoring import describe_gold, score
from graph.command import program, run_command
from graph.errors import DataError, UsageError
from graph.progress import Progress
from graph.store import GraphStore, open_graph
from graph.version import __version__
from ingest.options import (
    BertScoreLayerOption,
    BertScoreOption,
    DataOption,
    GraphOption,
    SeedOption,
)
from ingest.source import Source
from reasoners.base import Answer, AnswerValue
from reasoners.context import read_gold, read_inputs, training
from reasoners.registry import BASELINES, REASONERS
from reasoners.task import Gold, Task, TextMetric
from reasoners.tasks import select

EXAMPLES = """**Examples**

`python -m benchmarks.score --task pasta.story_revision --outputs t5.jsonl --out build/score`

A line: `{"id": "3MTM...", "direction": "forward", "output": ["...", "...", "...", "...", "..."]}`;
docs/results.md has the lines of every task.
"""


class Output(NamedTuple):
    """One line of the file."""

    line: int
    item: str
    value: AnswerValue


def main(
    task: Annotated[str, typer.Option("--task", help="Task id; the input form may be left out.")],
    outputs: Annotated[
        Path, typer.Option("--outputs", metavar="FILE.jsonl", help="One JSON object a line.")
    ],
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="FOLDER", help="Where the results go.")
    ] = Path("build/score"),
    split: Annotated[
        str | None,
        typer.Option("--split", help="Split of the items. Default: the paper's test split."),
    ] = None,
    name: Annotated[
        str | None, typer.Option("--name", help="Name of the system. Default: the file's name.")
    ] = None,
    seed: SeedOption = 11,
    bertscore: BertScoreOption = None,
    bertscore_layer: BertScoreLayerOption = None,
    graph: GraphOption = None,
    data: DataOption = None,
) -> None:
    """Score outputs that were made elsewhere against the gold, on exactly the items listed."""
    chosen = select([task])[0]
    with open_graph(graph) as store, Progress() as progress:
        results = score_file(
            store, chosen, outputs, out, split=split, name=name, seed=seed,
            source=Source(data), progress=progress,
            bertscore=bertscore, bertscore_layer=bertscore_layer,
        )  # fmt: skip
    console.show(results)
    print(f"see {out / 'results.md'}")


def score_file(
    store: GraphStore,
    task: Task,
    outputs: Path,
    out: Path,
    *,
    source: Source,
    progress: Progress,
    split: str | None = None,
    name: str | None = None,
    seed: int = 11,
    bertscore: str | None = None,
    bertscore_layer: int | None = None,
) -> Results:
    """Scores a file of outputs and writes results.json, results.md and report.html.

    Args:
        store: the graph; what it lacks of the data set is ingested.
        task: the task.
        outputs: the file.
        out: output folder.
        source: where the data set is.
        progress: where to show how far it is.
        split: split of the items; default: the task's test split.
        name: name of the system; default: the file's name.
        seed: seed of the intervals.
        bertscore: encoder of BERTScore; None for no BERTScore.
        bertscore_layer: its layer; None for the encoder's own.

    Returns:
        The results, as written.

    Raises:
        MissingExtraError: BERTScore is asked for without the extra `models`.
        DataError: a line is malformed or its id unknown; names the line.
    """
    began, clock = datetime.now(UTC), time.monotonic()
    compare = similarity(bertscore, bertscore_layer)
    data, notices = bring_in(store, [task], source, progress)
    split = split or task.split
    golds = {gold.item: gold for gold in read_gold(store, task, split)}
    found = {output.item: output for output in read_outputs(outputs, task, golds)}
    listed = [gold for item, gold in golds.items() if item in found]
    answers = {item: output.value for item, output in found.items()}
    figures = score(task, listed, answers, seed=seed, compare=compare)
    system = name or outputs.stem
    if system in BASELINES:
        raise UsageError(f"{system!r} is the name of a baseline: give the system another --name")
    systems = {
        system: SystemResult(
            kind="outputs",
            description=f"outputs of {outputs.name}",
            metrics=figures.metrics,
            breakdowns=figures.breakdowns,
        )
    }
    systems |= _baselines(store, task, split, listed, seed, compare)
    results = Results(
        fabula_version=__version__,
        config={
            "task": task.id,
            "system": system,
            "split": split,
            "seed": seed,
            "bertscore": compare.encoder if compare else None,
        },
        environment=environment(began, time.monotonic() - clock),
        data=data,
        notices=notices,
        tasks={
            task.id: TaskResult(
                title=task.title,
                dataset=task.dataset,
                split=split,
                n=len(listed),
                primary_metric=task.primary,
                inputs=task.inputs,
                systems=systems,
                reference=describe_gold(task, listed, seed=seed),
                published=published.for_task(task.id),
            )
        },
    )
    write(results, out / "results.json")
    write_reports(results, out)
    return results


def _baselines(
    store: GraphStore,
    task: Task,
    split: str,
    golds: Sequence[Gold],
    seed: int,
    compare: TextMetric | None,
) -> dict[str, SystemResult]:
    """The rules that stay in every table, on the same items."""
    listed = {gold.item for gold in golds}
    items = [item for item in read_inputs(store, task, split) if item.key in listed]
    found = {}
    for name in BASELINES:
        rule = REASONERS.get(name)(seed=seed)
        if task.id not in rule.tasks:
            continue
        rule.prepare(task.id, training(store, task, split))
        given = rule.answer(task.id, [item.input for item in items])
        answers = {
            item.key: answer.value
            for item, answer in zip(items, given, strict=True)
            if isinstance(answer, Answer)
        }
        figures = score(task, golds, answers, seed=seed, compare=compare)
        found[name] = SystemResult(
            kind="baseline",
            description=rule.description,
            trained_on=rule.trained_on,
            metrics=figures.metrics,
            breakdowns=figures.breakdowns,
        )
    return found


def read_outputs(path: Path, task: Task, golds: dict[str, Gold]) -> Iterator[Output]:
    """Reads a file of outputs.

    Args:
        path: the file, one JSON object a line.
        task: the task.
        golds: item -> gold answer; an output for anything else is an error.

    Yields:
        The outputs.

    Raises:
        DataError: a line is malformed, its id unknown or given twice; names the line.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"outputs cannot be read from {path}: {error}") from error
    seen: dict[str, int] = {}
    read = _READERS[task.dataset]
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            content = json.loads(line)
            if not isinstance(content, dict):
                raise ValueError("not a JSON object")
            item, value = read(task, content)
            if item not in golds:
                raise ValueError(f"unknown id {item!r} in the scored split")
            if item in seen:
                raise ValueError(f"{item!r} was given in line {seen[item]} already")
            seen[item] = number
            yield Output(number, item, _parsed(task, value, golds[item]))
        except ValueError as error:
            raise DataError(f"{path}, line {number}: {error}") from error
    if not seen:
        raise DataError(f"{path} holds no outputs: one JSON object a line is needed")


def _keys(content: dict[str, Any], *names: str) -> list[Any]:
    if set(content) != set(names):
        raise ValueError(f"the keys are {', '.join(sorted(content))}, not {', '.join(names)}")
    return [content[name] for name in names]


def _pasta(task: Task, content: dict[str, Any]) -> tuple[str, Any]:
    asks_state = task.id.startswith("pasta.state_inference")
    names = ("id", "direction", "output", *(["query"] if asks_state else []))
    key, direction, output, *query = _keys(content, *names)
    if direction not in ("forward", "backward"):
        raise ValueError(f"direction is forward or backward, not {direction!r}")
    if query and query[0] not in ("state", "counterfactual"):
        raise ValueError(f"query is state or counterfactual, not {query[0]!r}")
    return "/".join([str(key), direction, *query]), output


def _by_id(task: Task, content: dict[str, Any]) -> tuple[str, Any]:
    key, output = _keys(content, "id", "output")
    return str(key), output


_READERS: dict[str, Callable[[Task, dict[str, Any]], tuple[str, Any]]] = {
    "pasta": _pasta,
    "poque": _by_id,
    "choice75": _by_id,
}


def _parsed(task: Task, value: Any, gold: Gold) -> AnswerValue:
    if task.id == "pasta.story_revision":
        # No revision counts as the unchanged story; a text is compared as it is.
        if value is None:
            return tuple(gold.row["sentences"])
        if isinstance(value, str):
            return (value,)
    parsed = task.parse(value)
    wanted = {"pasta.story_revision": 5, "pasta.state_change": 2}.get(task.id)
    if wanted is not None and isinstance(parsed, tuple) and len(parsed) != wanted:
        raise ValueError(f"{task.id} is answered by {wanted} texts, not {len(parsed)}")
    if task.id == "poque.change_modes" and isinstance(parsed, tuple):
        _check_modes(parsed)
    return parsed


def _check_modes(modes: tuple[str, ...]) -> None:
    from graph.vocabulary import CHANGE_MODES

    if unknown := [mode for mode in modes if mode not in CHANGE_MODES]:
        raise ValueError(f"unknown change mode {unknown[0]!r}: {', '.join(CHANGE_MODES)}")


app = program()
app.command(epilog=EXAMPLES)(main)

if __name__ == "__main__":
    sys.exit(run_command(app))
