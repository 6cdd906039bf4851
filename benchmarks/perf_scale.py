# SPDX-License-Identifier: Apache-2.0
"""Measures how loading and queries grow with the number of stories, up to any size.

One graph grows from size to size with the stories of `benchmarks.synthetic`. After each batch the
state is written to `scale.json` beside the graph, so a run that was stopped goes on from there
with the same command, and what has been measured is never lost.
"""

from __future__ import annotations

import json
import os
import platform
import random
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from benchmarks import synthetic
from benchmarks.perf_graph import Latency, folder_mb, latency, refuse_unless_empty
from graph import elements, queries
from graph.batch import Edge
from graph.errors import RunError, UsageError
from graph.formats.base import Selection
from graph.model import ChangeMode, Node
from graph.progress import SILENT, Progress
from graph.store import GraphStore

if TYPE_CHECKING:
    from rich.table import Table

STATE = "scale.json"
BYTES = 250
"""Disk that an element takes at most in the embedded engine, its log and its indexes included."""
ELEMENTS = 134
"""Nodes and edges of a story, on average."""
_ROUNDS = 3
_TENTHS = 10


class Load(BaseModel):
    """How what a size adds was written."""

    model_config = ConfigDict(frozen=True)

    elements: int
    """Nodes and edges written."""
    seconds: float
    """Wall-clock time of drawing and writing them."""
    write_seconds: float
    """The part of it in the store."""
    cpu_seconds: float
    """Processor time of this process, all threads; an embedded engine's are among them."""
    tenths: tuple[float, ...]
    """Elements a second of each tenth of the load, to see whether it slows down."""

    @property
    def rate(self) -> float:
        """Elements a second, drawing included."""
        return self.elements / self.seconds


class Point(BaseModel):
    """Everything measured at one size."""

    model_config = ConfigDict(frozen=True)

    stories: int
    """Stories in the graph."""
    nodes: int
    """Nodes in the graph, counted by it."""
    edges: int
    """Edges in the graph, counted by it."""
    load: Load | None
    """The load up to this size; None where something else did it."""
    peak_mb: float
    """Highest resident memory of this process so far, with an embedded engine's heap."""
    disk_mb: float | None
    """Size of the graph's folder; None for a server."""
    states: Latency
    """Participant-state query, the best of three rounds."""
    neighbourhood: Latency
    """Two-hop neighbourhood of a story, the best of three rounds."""
    load_average: float
    """Processes that wanted to run, over the last minute, when this was measured."""
    measured: str
    """When, UTC, ISO 8601."""


class Curve(BaseModel):
    """The figures of all sizes."""

    model_config = ConfigDict(frozen=True)

    engine: str
    """Name and version of the engine."""
    machine: str
    """System, Python, cores and memory of the client."""
    seed: int
    """Seed of the stories."""
    points: tuple[Point, ...] = ()
    """By size, ascending."""

    def verdicts(self) -> list[str]:
        """The figures that the project has set itself, asked and got."""
        if not self.points:
            return []
        first, last = self.points[0], self.points[-1]
        lines = []
        if last.load is not None:
            lines = [
                f"bulk load up to {last.stories:,} stories: asked >= 20,000 elements/s, got "
                f"{last.load.elements / last.load.write_seconds:,.0f} in the store, "
                f"{last.load.rate:,.0f} with the drawing of the stories, "
                f"{last.load.elements / last.load.cpu_seconds:,.0f} a second of processor time "
                f"(slowest tenth {min(last.load.tenths):,.0f}; "
                f"load average {last.load_average:.1f} on {os.cpu_count()} cores)",
                f"client memory at its peak: asked < 3,000 MB, got {last.peak_mb:,.0f} MB",
            ]
        if last.stories > first.stories:
            growth = last.states.p50 / first.states.p50
            cpu_growth = last.states.cpu_p50 / first.states.cpu_p50
            lines.append(
                f"participant-state p50 at {last.stories:,} over {first.stories:,} stories: "
                f"asked <= 1.5, got {growth:.2f} (processor time {cpu_growth:.2f})"
            )
        return lines


class _State(BaseModel):
    """What a stopped run needs to go on."""

    curve: Curve
    loaded: int = 0
    """Stories written."""
    batches: list[tuple[int, float, float, float]] = []
    """Elements, seconds, seconds in the store and processor time of each batch of this size."""
    peak_mb: float = 0.0


class Synthetic(Selection):
    """The first stories of a seed as what a format can write, so that no graph is needed.

    Args:
        stories: how many.
        seed: seed of the stories.
    """

    def __init__(self, stories: int, seed: int = 0) -> None:
        self._range = range(stories)
        self._seed = seed

    @property
    def whole(self) -> bool:
        """Always: nothing is left out."""
        return True

    def nodes(self) -> Iterator[Node]:
        """Yields the nodes; the shared ones once."""
        shared: set[str] = set()
        for number in self._range:
            for node in synthetic.draw(number, self._seed).batch.nodes:
                if not isinstance(node, ChangeMode):
                    yield node
                elif node.id not in shared:
                    shared.add(node.id)
                    yield node

    def edges(self) -> Iterator[Edge]:
        """Yields the edges."""
        for number in self._range:
            yield from synthetic.draw(number, self._seed).batch.edges


def measure(
    sizes: Sequence[int],
    open_store: Callable[[], GraphStore],
    folder: Path,
    *,
    seed: int = 0,
    loaded: bool = False,
    n_queries: int = 1000,
    size: int = 300,
    done: Callable[[Curve], None] = lambda _: None,
    progress: Progress = SILENT,
) -> Curve:
    """Measures at each size, in one growing graph.

    Args:
        sizes: numbers of stories, ascending.
        open_store: opens the graph; an embedded one lies in `folder`.
        folder: where the state is kept.
        seed: seed of the stories.
        loaded: the stories of the one size are in the graph already: only queries are timed.
        n_queries: queries of each kind in a round.
        size: stories in a batch.
        done: called with the figures so far after each size.
        progress: where to show how far it is.

    Returns:
        The figures.

    Raises:
        UsageError: too little disk, or the graph holds something else.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with open_store() as store:
        embedded = store.embedded
        state = _resumed(folder / STATE, store, seed, loaded)
    if embedded and not loaded:
        check_disk(folder, sizes[-1] - state.loaded)
    for stories in sizes:
        if any(point.stories == stories for point in state.curve.points):
            continue
        if not loaded:
            with open_store() as store:
                _load(store, state, stories, size, folder / STATE, progress)
        # Opened anew, so that no size profits from what its load left in the caches.
        with open_store() as store:
            point = _point(store, state, stories, n_queries, folder, progress)
        points = (*state.curve.points, point)
        state.curve = state.curve.model_copy(update={"points": points})
        state.batches = []
        _keep(state, folder / STATE)
        done(state.curve)
    return state.curve


def check_disk(folder: Path, stories: int) -> None:
    """Refuses to begin what the disk has no room for.

    Raises:
        UsageError: says what is needed and what is there.
    """
    needed = stories * ELEMENTS * BYTES
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise UsageError(
            f"{stories:,} stories need about {needed / 1e9:.1f} GB of disk and {folder} has "
            f"{free / 1e9:.1f} GB: give another --folder, or fewer --stories"
        )


def _resumed(path: Path, store: GraphStore, seed: int, loaded: bool) -> _State:
    curve = Curve(engine=store.engine, machine=_machine(), seed=seed)
    if path.exists():
        state = _State.model_validate_json(path.read_text(encoding="utf-8"))
        if (state.curve.engine, state.curve.seed) != (curve.engine, seed):
            raise UsageError(
                f"{path} is of {state.curve.engine} with seed {state.curve.seed}: give another "
                "--folder"
            )
        return state
    if not loaded:
        refuse_unless_empty(store)
    return _State(curve=curve)


def _keep(state: _State, path: Path) -> None:
    draft = path.with_suffix(".draft")
    draft.write_text(state.model_dump_json(), encoding="utf-8")
    draft.replace(path)


def _load(
    store: GraphStore, state: _State, stories: int, size: int, path: Path, progress: Progress
) -> None:
    task = progress.task(f"{stories:,} stories: loading", stories - state.loaded)
    last, last_cpu = time.perf_counter(), time.process_time()
    for batch in synthetic.batches(state.loaded, stories, seed=state.curve.seed, size=size):
        began = time.perf_counter()
        store.write(batch)
        now, cpu = time.perf_counter(), time.process_time()
        state.batches.append((len(batch), now - last, now - began, cpu - last_cpu))
        last, last_cpu = now, cpu
        some = min(size, stories - state.loaded)
        state.loaded += some
        state.peak_mb = max(state.peak_mb, peak_mb())
        _keep(state, path)
        task.advance(some)
    task.done()


def _point(
    store: GraphStore,
    state: _State,
    stories: int,
    n_queries: int,
    folder: Path,
    progress: Progress,
) -> Point:
    progress.note(f"{stories:,} stories: timing queries")
    participants, roots = _chosen(stories, state.curve.seed, 2 * n_queries)
    states = _best(store, queries.PARTICIPANT_STATES, "participant", participants)
    near = _best(store, queries.STORY_NEIGHBOURHOOD, "story", roots)
    progress.note(f"{stories:,} stories: counting")
    counted = elements.count(store)
    return Point(
        stories=stories,
        nodes=counted.nodes,
        edges=counted.edges,
        load=_tally(state.batches) if state.batches else None,
        peak_mb=max(state.peak_mb, peak_mb()),
        disk_mb=folder_mb(folder) if store.embedded else None,
        states=states,
        neighbourhood=near,
        load_average=os.getloadavg()[0],
        measured=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _tally(batches: Sequence[tuple[int, float, float, float]]) -> Load:
    step = max(1, len(batches) // _TENTHS)
    tenths = [batches[start : start + step] for start in range(0, len(batches), step)]
    elements, seconds, write_seconds, cpu_seconds = map(sum, zip(*batches, strict=True))
    return Load(
        elements=int(elements),
        seconds=seconds,
        write_seconds=write_seconds,
        cpu_seconds=cpu_seconds,
        tenths=tuple(sum(b[0] for b in some) / sum(b[1] for b in some) for some in tenths),
    )


def _best(store: GraphStore, text: str, name: str, ids: Sequence[str]) -> Latency:
    # Other programs on the machine only ever add time, so the best round is the nearest.
    rounds = (latency(store, text, name, ids) for _ in range(_ROUNDS))
    return min(rounds, key=lambda found: found.p50)


def _chosen(stories: int, seed: int, n: int) -> tuple[list[str], list[str]]:
    """Ids of `n` participants with states and of `n` stories, from the whole graph."""
    rng = random.Random(f"{seed}/{stories}")
    participants: list[str] = []
    roots: list[str] = []
    for _ in range(200 * n):
        drawn = synthetic.draw(rng.randrange(stories), seed)
        participants += drawn.participants
        roots += filter(None, [drawn.story])
        if len(participants) >= n and len(roots) >= n:
            return participants[:n], roots[:n]
    raise RunError(f"{stories} stories have no participant with a state: take more stories")


def peak_mb() -> float:
    """Highest resident memory of this process so far."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _machine() -> str:
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{platform.system()} {platform.machine()}, Python {platform.python_version()}, "
        f"{os.cpu_count()} cores, {memory:.0f} GiB"
    )


def write_json(curve: Curve, out: Path) -> None:
    """Writes the figures and the verdicts."""
    out.parent.mkdir(parents=True, exist_ok=True)
    content = curve.model_dump(mode="json") | {"verdicts": curve.verdicts()}
    out.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def table(curve: Curve) -> Table:
    """The figures as a table for the terminal."""
    from rich.table import Table

    shown = Table(header_style="bold", title=f"{curve.engine}; {curve.machine}")
    shown.add_column("stories")
    for point in curve.points:
        shown.add_column(f"{point.stories:,}", justify="right")

    def row(title: str, cell: Callable[[Point], str]) -> None:
        shown.add_row(title, *map(cell, curve.points))

    def loaded(cell: Callable[[Load], str]) -> Callable[[Point], str]:
        return lambda point: "" if point.load is None else cell(point.load)

    row("nodes", lambda point: f"{point.nodes:,}")
    row("edges", lambda point: f"{point.edges:,}")
    row("load, elements/s", loaded(lambda load: f"{load.rate:,.0f}"))
    row(
        "load, in the store alone",
        loaded(lambda load: f"{load.elements / load.write_seconds:,.0f}"),
    )
    row("load, slowest tenth", loaded(lambda load: f"{min(load.tenths):,.0f}"))
    row(
        "load, elements per s of processor",
        loaded(lambda load: f"{load.elements / load.cpu_seconds:,.0f}"),
    )
    row("peak memory, MB", lambda point: f"{point.peak_mb:,.0f}")
    row("disk, MB", lambda point: "" if point.disk_mb is None else f"{point.disk_mb:,.0f}")
    for title, field in (("states", "states"), ("neighbourhood", "neighbourhood")):
        row(
            f"{title}, p50 / p99 ms",
            lambda point, field=field: (  # type: ignore[misc]
                f"{getattr(point, field).p50:.3f} / {getattr(point, field).p99:.3f}"
            ),
        )
    if all(point.disk_mb is not None for point in curve.points):
        for title, field in (("states", "states"), ("neighbourhood", "neighbourhood")):
            row(
                f"{title}, processor, p50 / p99 ms",
                lambda point, field=field: (  # type: ignore[misc]
                    f"{getattr(point, field).cpu_p50:.3f} / {getattr(point, field).cpu_p99:.3f}"
                ),
            )
    row("load average", lambda point: f"{point.load_average:.1f}")
    return shown
