# SPDX-License-Identifier: Apache-2.0
"""Runs benchmarks: ingests what is missing, lets reasoners answer, scores what the graph holds."""

from __future__ import annotations

import hashlib
import platform
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from benchmarks import published, report
from benchmarks.config import RunConfig, claim_folder
from benchmarks.results import (
    DataSource,
    Environment,
    Results,
    SystemResult,
    TaskResult,
    write,
)
from benchmarks.samples import SampleFile, SampleRecord
from benchmarks.scoring import describe_gold, score
from graph import queries
from graph.errors import DataError, UsageError
from graph.progress import SILENT, Progress
from graph.store import BOLT_SCHEMES, GraphStore
from graph.task_queries import Setting
from graph.version import __version__
from ingest.readers import READERS
from ingest.run import ingest
from ingest.source import Located, Source
from reasoners.base import AnswerError, Reasoner
from reasoners.context import read_gold, read_inputs, training
from reasoners.metrics.bertscore import BertScore
from reasoners.metrics.bertscore import load as load_bertscore
from reasoners.registry import BASELINES, REASONERS
from reasoners.run import RunSpec, Sample, answer, answered, start, trained_on
from reasoners.task import Gold, Task, TextMetric
from reasoners.tasks import TASKS

UPSTREAM: Mapping[str, str] = {
    "poque.endpoint/story": "last-sentence",
    "poque.factors": "copy",
    "poque.change_summary": "template",
}
"""Pipeline setting: who fills an input for a reasoner that does not answer that task itself."""


@dataclass(frozen=True)
class Request:
    """What the user asked for.

    Attributes:
        tasks: the tasks, in working order.
        reasoners: names; `baselines` is spelt out already.
        out: output folder.
        split: split to score instead of each data set's test split.
        limit: annotations to use of each split.
        seed: seed.
        setting: oracle or pipeline.
        bertscore: encoder of BERTScore; None for no BERTScore.
        bertscore_layer: its layer; None for the encoder's own.
    """

    tasks: Sequence[Task]
    reasoners: Sequence[str]
    out: Path
    split: str | None = None
    limit: int | None = None
    seed: int = 11
    setting: Setting = "oracle"
    bertscore: str | None = None
    bertscore_layer: int | None = None


def run(
    store: GraphStore,
    request: Request,
    source: Source | None = None,
    progress: Progress = SILENT,
    scripted: Mapping[str, Reasoner] | None = None,
) -> Results:
    """Runs benchmarks and writes results.json, results.md, report.html and samples.jsonl.

    The same request in the same folder finishes an interrupted run.

    Args:
        store: the graph.
        request: what to do.
        source: where data files are.
        progress: where to show how far it is.
        scripted: reasoners by name that are not in the registry (for tests).

    Returns:
        The results, as written.

    Raises:
        UsageError: no reasoner answers any of the tasks.
        DataError: a data set is missing, or does not have the split.
        MissingExtraError: BERTScore is asked for without the extra `models`.
        RunError: the folder holds another run, or results cannot be written.
    """
    began = datetime.now(UTC)
    clock = time.monotonic()
    source = source or Source()
    # Before anything else: it may not be installed, and the folder's configuration names it.
    bertscore = similarity(request.bertscore, request.bertscore_layer)
    data, notices = bring_in(store, request.tasks, source, progress)
    reasoners = {
        name: (scripted or {}).get(name) or REASONERS.get(name)(seed=request.seed)
        for name in request.reasoners
    }
    config = RunConfig(
        tasks=tuple(task.id for task in request.tasks),
        reasoners=tuple(reasoners),
        splits={task.dataset: request.split or task.split for task in request.tasks},
        limit=request.limit,
        seed=request.seed,
        setting=request.setting,
        graph=_public(store.url),
        data={name: dict(each.sha256) for name, each in data.items()},
        version=__version__,
        bertscore=bertscore.encoder if bertscore else None,
    )
    resumed = claim_folder(request.out, config)
    samples = SampleFile(request.out / "samples.jsonl")
    try:
        work = _Work(store, request, reasoners, samples, progress, resumed, bertscore)
        results = {task.id: work.task(task) for task in request.tasks}
    finally:
        samples.close()
    tasks = {task: result for task, result in results.items() if result is not None}
    if not any(result.systems for result in tasks.values()):
        raise UsageError(
            f"none of {', '.join(request.reasoners)} answers {', '.join(config.tasks)}: "
            "see `python -m benchmarks.run --list`"
        )
    outcome = Results(
        fabula_version=__version__,
        config=config.model_dump(mode="json"),
        environment=environment(began, time.monotonic() - clock),
        data=data,
        notices=(*notices, *work.notices),
        tasks=tasks,
    )
    write(outcome, request.out / "results.json")
    report.write_reports(outcome, request.out)
    return outcome


class _Work:
    """Works through tasks and reasoners of one run."""

    def __init__(
        self,
        store: GraphStore,
        request: Request,
        reasoners: Mapping[str, Reasoner],
        samples: SampleFile,
        progress: Progress,
        resumed: bool,
        compare: TextMetric | None,
    ) -> None:
        self._store = store
        self._request = request
        self._reasoners = reasoners
        self._samples = samples
        self._progress = progress
        self._resumed = resumed
        self._compare = compare
        self.notices: list[str] = []

    def task(self, task: Task) -> TaskResult | None:
        """Answers and scores one task with every reasoner that knows it."""
        request = self._request
        split = request.split or task.split
        golds = self._limited(task, read_gold(self._store, task, split))
        if not golds:
            raise DataError(
                f"the graph holds no {task.dataset} split {split!r} for {task.id}: "
                f"{_splits(self._store, task)}"
            )
        if request.setting == "pipeline" and "" in task.needs.values():
            self.notices.append(f"{task.id}: left out, nothing predicts its inputs yet")
            return None
        systems = {}
        for name, reasoner in self._reasoners.items():
            if task.id not in reasoner.tasks:
                continue
            try:
                systems[name] = self._system(task, split, name, reasoner, golds)
            except AnswerError as error:
                self.notices.append(f"{task.id}: {name} is left out: {error}")
        return TaskResult(
            title=task.title,
            dataset=task.dataset,
            split=split,
            n=len(golds),
            primary_metric=task.primary,
            inputs=task.inputs,
            systems=systems,
            reference=describe_gold(task, golds, seed=request.seed),
            published=published.for_task(task.id),
        )

    def _limited(self, task: Task, golds: list[Gold]) -> list[Gold]:
        """The items of the first annotations, so that pairs stay whole."""
        if self._request.limit is None:
            return golds
        units = list(dict.fromkeys(_unit(task, gold.item) for gold in golds))
        kept = set(units[: self._request.limit])
        return [gold for gold in golds if _unit(task, gold.item) in kept]

    def _system(
        self, task: Task, split: str, name: str, reasoner: Reasoner, golds: list[Gold]
    ) -> SystemResult:
        clock = time.monotonic()
        spec, upstream = self._spec(task, split, name, reasoner)
        by_item = {gold.item: gold for gold in golds}
        # An interrupted run: what the graph has needs no new answer, at most its line.
        done = answered(self._store, task, spec.id) if self._resumed else {}
        self._record(task, spec, list(done.values()), by_item)
        wanted = by_item.keys() - done.keys()
        if wanted:
            self._answer(task, spec, reasoner, upstream, wanted, by_item, fresh=not done)
        concluded = answered(self._store, task, spec.id)
        failed = tuple(gold.item for gold in golds if gold.item not in concluded)
        figures = score(
            task,
            golds,
            {item: sample.answer for item, sample in concluded.items()},
            seed=self._request.seed,
            confidences={item: sample.confidence for item, sample in concluded.items()},
            compare=self._compare,
        )
        return SystemResult(
            kind="baseline" if reasoner.kind == "baseline" else "model",
            description=reasoner.description,
            trained_on=trained_on(self._store, spec.id),
            coverage=100.0 * (len(golds) - len(failed)) / len(golds),
            failed=failed,
            seconds=round(time.monotonic() - clock, 3),
            metrics=figures.metrics,
            breakdowns=figures.breakdowns,
        )

    def _answer(
        self,
        task: Task,
        spec: RunSpec,
        reasoner: Reasoner,
        upstream: Mapping[str, str],
        wanted: Collection[str],
        golds: Mapping[str, Gold],
        *,
        fresh: bool,
    ) -> None:
        """Answers the wanted items; `fresh` begins the run, otherwise it goes on."""
        reasoner.prepare(task.id, training(self._store, task, spec.split))
        if fresh:
            start(self._store, spec, reasoner)
        inputs = read_inputs(self._store, task, spec.split, spec.setting, upstream)
        items = [item for item in inputs if item.key in wanted]
        bar = self._progress.task(f"{task.id}: {spec.reasoner}", len(items))
        try:
            for chunk in answer(self._store, task, reasoner, spec, items):
                self._record(task, spec, chunk, golds)
                bar.advance(len(chunk))
        finally:
            bar.done()

    def _record(
        self, task: Task, spec: RunSpec, chunk: Sequence[Sample], golds: Mapping[str, Gold]
    ) -> None:
        self._samples.add(
            SampleRecord(
                task=task.id,
                system=spec.reasoner,
                item=sample.item,
                answer=sample.answer,
                gold=golds[sample.item].answer,
                confidence=sample.confidence,
                error=sample.error,
            )
            for sample in chunk
            if sample.item in golds
        )

    def _spec(
        self, task: Task, split: str, name: str, reasoner: Reasoner
    ) -> tuple[RunSpec, dict[str, str]]:
        upstream = {}
        if self._request.setting == "pipeline":
            upstream = {
                field: self._upstream(TASKS.get(needed), split, name, reasoner)
                for field, needed in task.needs.items()
            }
        settings = {"limit": self._request.limit, "upstream": upstream}
        spec = RunSpec(
            task.id, name, reasoner.version, split, self._request.setting, self._request.seed,
            settings,
        )  # fmt: skip
        return spec, upstream

    def _upstream(self, task: Task, split: str, name: str, reasoner: Reasoner) -> str:
        """Makes sure that a task which feeds another is answered; returns its run."""
        if task.id not in reasoner.tasks:
            name = UPSTREAM[task.id]
            reasoner = self._reasoners.get(name) or REASONERS.get(name)(seed=self._request.seed)
        spec, upstream = self._spec(task, split, name, reasoner)
        golds = self._limited(task, read_gold(self._store, task, split))
        by_item = {gold.item: gold for gold in golds}
        if answered(self._store, task, spec.id).keys() != by_item.keys():
            self._answer(task, spec, reasoner, upstream, by_item.keys(), {}, fresh=True)
        return spec.id


def _unit(task: Task, item: str) -> str:
    return item.split("/")[0] if task.dataset == "pasta" else item


def _splits(store: GraphStore, task: Task) -> str:
    rows = store.read(queries.units_by_split(task.unit))
    held = ", ".join(
        f"{row['split']} ({row['n']})" for row in rows if row["dataset"] == task.dataset
    )
    return f"it holds {held}" if held else "it holds none of its splits"


def _counts(store: GraphStore, dataset: str, tasks: Sequence[Task]) -> dict[str, int]:
    unit = next(task.unit for task in tasks if task.dataset == dataset)
    rows = store.read(queries.units_by_split(unit))
    return {row["split"]: row["n"] for row in rows if row["dataset"] == dataset}


def bring_in(
    store: GraphStore, tasks: Sequence[Task], source: Source, progress: Progress
) -> tuple[dict[str, DataSource], tuple[str, ...]]:
    """Ingests what the graph lacks of the tasks' data sets.

    A graph that holds a data set is used as it is where only the bundled sample is at hand.

    Args:
        store: the graph.
        tasks: the tasks.
        source: where data files are.
        progress: where to show how far it is.

    Returns:
        What each data set was read from, and what the user should know about it.
    """
    found: dict[str, DataSource] = {}
    notices: list[str] = []
    for name in dict.fromkeys(task.dataset for task in tasks):
        place = source.locate(READERS.get(name), progress)
        held = store.read(queries.HOLDS_SAMPLE, {"dataset": name})
        if place.origin == "sample" and held and not held[0]["sample"]:
            kind: DataKind = "graph"
            checksums: dict[str, str] = {}
        else:
            kind = _KINDS.get(place.origin, "given")
            checksums = _checksums(place)
            notices += ingest(store, name, source, progress=progress).notices
        found[name] = DataSource(kind=kind, counts=_counts(store, name, tasks), sha256=checksums)
    return found, tuple(notices)


DataKind = Literal["given", "downloaded", "sample", "graph"]
_KINDS: Mapping[str, DataKind] = {"sample": "sample", "downloaded": "downloaded"}


def _checksums(place: Located) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.path.read_bytes()).hexdigest() for file in place.files}


def _public(url: str) -> str:
    """The address without a user's name or password."""
    if not url.startswith(BOLT_SCHEMES):
        return url
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.hostname}:{parts.port or 7687}"


def environment(began: datetime, seconds: float) -> Environment:
    """Where and when a run was made."""
    return Environment(
        host=platform.node(),
        platform=f"{platform.system()} {platform.machine()}",
        python=platform.python_version(),
        packages=_packages(),
        started=began,
        finished=datetime.now(UTC),
        seconds=round(seconds, 3),
    )


@cache
def _packages() -> dict[str, str]:
    found = {}
    for name in (
        "arcadedb-embedded",
        "bert-score",
        "neo4j",
        "nltk",
        "numpy",
        "rouge-score",
        "sacrebleu",
        "torch",
        "transformers",
    ):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


def similarity(encoder: str | None, layer: int | None) -> BertScore | None:
    """BERTScore as a user asks for it; None without an encoder.

    Raises:
        UsageError: a layer without an encoder, or no such encoder or layer.
        MissingExtraError: the extra `models` is not installed.
        DataError: the encoder cannot be loaded.
    """
    if encoder is None:
        if layer is not None:
            raise UsageError("--bertscore-layer needs --bertscore ENCODER")
        return None
    return load_bertscore(encoder, layer)


def spell_out(names: Sequence[str]) -> list[str]:
    """Replaces `baselines` by their names; checks that every name is known.

    A reasoner that is not a baseline brings the baselines with it: they are in every table
    that claims something.

    Raises:
        UnknownNameError: a reasoner is not registered.
    """
    for name in names:
        if name not in REASONERS and name != "baselines":
            REASONERS.get(name)  # raises, with suggestions
    claims = any(name not in BASELINES for name in names)
    wanted = [name for name in names if name != "baselines"]
    return list(dict.fromkeys([*wanted, *(BASELINES if claims else ())]))
