# SPDX-License-Identifier: Apache-2.0
"""Measures the graph store: bulk against naive writes, query latency, memory, at growing size."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import BaseModel, ConfigDict

from graph import queries
from graph.batch import BatchBuilder, Edge, GraphBatch, properties_of
from graph.engine import version
from graph.errors import RunError, UsageError
from graph.ids import make_id
from graph.model import Node, Ref
from graph.progress import Progress, Task
from graph.serve import GraphServer
from graph.store import GraphStore, Transaction, open_graph
from ingest.readers import READERS
from ingest.rows import parse, read_lines, read_whole
from ingest.run import BATCH
from ingest.source import Source

if TYPE_CHECKING:
    from rich.table import Table

SEED = 11


class Latency(BaseModel):
    """Milliseconds of one query, over many parameters."""

    model_config = ConfigDict(frozen=True)

    p50: float
    """Median."""
    p99: float
    """99th percentile."""
    n: int
    """Queries timed."""
    cpu_p50: float
    """Median of the processor time that the calling thread took: an embedded engine works in it,
    and other programs on the machine do not count."""
    cpu_p99: float
    """99th percentile of the same."""


class Writes(BaseModel):
    """Nodes and edges written in a second."""

    model_config = ConfigDict(frozen=True)

    bulk: float
    """Batches, as ingest writes them."""
    naive: float
    """One MERGE, one transaction a node or edge."""

    @property
    def ratio(self) -> float:
        """How many times faster bulk is."""
        return self.bulk / self.naive


class Size(BaseModel):
    """Everything measured at one size."""

    model_config = ConfigDict(frozen=True)

    scale: int
    """Copies of the data."""
    nodes: int
    """Nodes in the graph."""
    edges: int
    """Edges in the graph."""
    in_process: Writes | None
    """Writes to the embedded store; bulk over all that this size adds; None for a server."""
    bolt: Writes | None
    """Writes over Bolt: for the embedded engine at the smallest size only."""
    states: dict[str, Latency]
    """Participant-state query, `in-process` (not for a server) and `bolt`."""
    neighbourhood: dict[str, Latency]
    """Two-hop neighbourhood of a story, in the same ways."""
    memory_mb: float
    """Resident memory of this process, with the engine if that is embedded, after the writes."""
    disk_mb: float | None
    """Size of the graph's folder; None for a server."""


class Measured(BaseModel):
    """The figures of all sizes."""

    model_config = ConfigDict(frozen=True)

    engine: str
    """Name and version of the engine."""
    sizes: tuple[Size, ...]
    """By scale, ascending."""

    def verdicts(self) -> list[str]:
        """The figures that the project has set itself, asked and got."""
        first, last = self.sizes[0], self.sizes[-1]
        lines = []
        if first.in_process:
            lines.append(
                f"bulk over naive, in-process: asked >= 20, got {first.in_process.ratio:.1f}"
            )
        if first.bolt:
            lines.append(f"bulk over naive, over Bolt: got {first.bolt.ratio:.1f}")
        for way, found in first.states.items():
            asked = "< 1 ms" if way == "in-process" else "< 3 ms"
            lines.append(f"participant-state p50 {way}: asked {asked}, got {found.p50:.3f} ms")
        if last.scale > first.scale:
            way = next(iter(first.states))
            growth = last.states[way].p50 / first.states[way].p50
            lines.append(
                f"participant-state p50 {way} at {last.scale}x over {first.scale}x: "
                f"asked <= 1.5, got {growth:.2f}"
            )
        return lines


def measure(
    scales: Sequence[int],
    source: Source,
    folder: Path | None,
    n_queries: int,
    n_naive: int,
    progress: Progress,
    url: str | None = None,
) -> Measured:
    """Measures at each scale, in one growing graph.

    Args:
        scales: how many copies of the data, ascending.
        source: where the data are.
        folder: where to make the graph; None for a temporary folder. Removed afterwards.
        n_queries: queries to time of each kind.
        n_naive: nodes and edges, each, of the naive loop.
        progress: where to show how far it is.
        url: address of an empty server to measure instead of the embedded engine; what is
            written stays in it.

    Returns:
        The figures.

    Raises:
        UsageError: the server's graph is not empty.
    """
    if url is not None:
        with open_graph(url) as store:
            sizes = tuple(_server_sizes(store, scales, source, n_queries, n_naive, progress))
            return Measured(engine=store.engine, sizes=sizes)
    root = Path(tempfile.mkdtemp(prefix="fabula-perf-", dir=folder))
    try:
        sizes = tuple(_sizes(scales, source, root, n_queries, n_naive, progress))
        return Measured(engine=f"ArcadeDB {version()} (embedded)", sizes=sizes)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def _sizes(
    scales: Sequence[int],
    source: Source,
    root: Path,
    n_queries: int,
    n_naive: int,
    progress: Progress,
) -> Iterator[Size]:
    batches = list(_batches(source, progress))
    copies = 0
    for scale in scales:
        with open_graph(root / "graph") as store:
            work = progress.task(f"{scale}x: writing", (scale - copies) * len(batches))
            seconds, elements = 0.0, 0
            for copy in range(copies, scale):
                for batch in batches:
                    one = copied(batch, copy)
                    began = time.perf_counter()
                    store.write(one)
                    seconds += time.perf_counter() - began
                    elements += len(one)
                    work.advance(1)
            work.done()
            copies = scale
            naive = _naive(store, batches, f"naive-{scale}", n_naive)
            size_nodes = sum(len(batch.nodes) for batch in batches) * scale
            size_edges = sum(len(batch.edges) for batch in batches) * scale
            participants, stories = _some(batches, scale, n_queries)
            progress.note(f"{scale}x: timing queries")
            states = {
                "in-process": latency(
                    store, queries.PARTICIPANT_STATES, "participant", participants
                )
            }
            near = {"in-process": latency(store, queries.STORY_NEIGHBOURHOOD, "story", stories)}
            memory = _resident_mb()
        with GraphServer(root / "graph") as address:
            password = address.password_file.read_text(encoding="ascii").strip()
            with open_graph(address.url, user=address.user, password=password) as store:
                states["bolt"] = latency(
                    store, queries.PARTICIPANT_STATES, "participant", participants
                )
                near["bolt"] = latency(store, queries.STORY_NEIGHBOURHOOD, "story", stories)
                bolt = None
                if scale == scales[0]:
                    bolt = Writes(
                        bulk=_bulk(store, [copied(batch, -1) for batch in batches]),
                        naive=_naive(store, batches, "naive-bolt", n_naive),
                    )
        yield Size(
            scale=scale,
            nodes=size_nodes,
            edges=size_edges,
            in_process=Writes(bulk=elements / seconds, naive=naive),
            bolt=bolt,
            states=states,
            neighbourhood=near,
            memory_mb=memory,
            disk_mb=folder_mb(root),
        )


def _server_sizes(
    store: GraphStore,
    scales: Sequence[int],
    source: Source,
    n_queries: int,
    n_naive: int,
    progress: Progress,
) -> Iterator[Size]:
    refuse_unless_empty(store)
    batches = list(_batches(source, progress))
    copies = 0
    for scale in scales:
        work = progress.task(f"{scale}x: writing", (scale - copies) * len(batches))
        fresh = (copied(batch, copy) for copy in range(copies, scale) for batch in batches)
        bulk = _bulk(store, _shown(fresh, work))
        work.done()
        copies = scale
        participants, stories = _some(batches, scale, n_queries)
        progress.note(f"{scale}x: timing queries")
        yield Size(
            scale=scale,
            nodes=sum(len(batch.nodes) for batch in batches) * scale,
            edges=sum(len(batch.edges) for batch in batches) * scale,
            in_process=None,
            bolt=Writes(bulk=bulk, naive=_naive(store, batches, f"naive-{scale}", n_naive)),
            states={
                "bolt": latency(store, queries.PARTICIPANT_STATES, "participant", participants)
            },
            neighbourhood={"bolt": latency(store, queries.STORY_NEIGHBOURHOOD, "story", stories)},
            memory_mb=_resident_mb(),
            disk_mb=None,
        )


def _shown(batches: Iterable[GraphBatch], work: Task) -> Iterator[GraphBatch]:
    for batch in batches:
        yield batch
        work.advance()


def refuse_unless_empty(store: GraphStore) -> None:
    """Keeps measurements out of a graph that somebody needs.

    Raises:
        UsageError: the graph holds something.
    """
    if store.read(queries.ANY_NODE):
        raise UsageError(
            f"the graph {store.url} is not empty, and a measurement would fill it with copies "
            "and synthetic stories: give an empty one"
        )


def _batches(source: Source, progress: Progress) -> Iterator[GraphBatch]:
    """The real data sets as batches of the size that ingest writes."""
    for name in READERS:
        reader = READERS.get(name)
        read = read_whole if reader.whole_files else read_lines
        waiting: list[GraphBatch] = []
        for file in source.locate(reader, progress).files:
            for raw in read(file.path):
                waiting.append(reader.to_graph(reader.parse(parse(raw), file), file))
                if len(waiting) == BATCH:
                    yield BatchBuilder().extend(waiting).build()
                    waiting = []
        if waiting:
            yield BatchBuilder().extend(waiting).build()


def copied(batch: GraphBatch, copy: int | str) -> GraphBatch:
    """The batch with other ids: a synthetic copy with the same degrees."""
    ids: dict[str, str] = {}

    def renamed(id: str) -> str:
        if id not in ids:
            ids[id] = make_id("copy", copy, id)
        return ids[id]

    return GraphBatch(
        tuple(node.model_copy(update={"id": renamed(node.id)}) for node in batch.nodes),
        tuple(
            Edge(
                edge.type,
                Ref(edge.source.label, renamed(edge.source.id)),
                Ref(edge.target.label, renamed(edge.target.id)),
                edge.properties,
            )
            for edge in batch.edges
        ),
    )


def _bulk(store: GraphStore, batches: Iterable[GraphBatch]) -> float:
    seconds, elements = 0.0, 0
    for batch in batches:
        began = time.perf_counter()
        store.write(batch)
        seconds += time.perf_counter() - began
        elements += len(batch)
    return elements / seconds


def _naive(store: GraphStore, batches: Sequence[GraphBatch], copy: str, n: int) -> float:
    """Elements a second of one statement and one transaction each, on a fresh copy's data."""
    rng = random.Random(SEED)
    chosen = list(batches)
    rng.shuffle(chosen)
    nodes: list[Node] = []
    edges: list[Edge] = []
    known: set[str] = set()
    for batch in chosen:
        one = copied(batch, copy)
        nodes += one.nodes
        known |= {node.id for node in one.nodes}
        edges += [edge for edge in one.edges if edge.source.id in known and edge.target.id in known]
        if len(nodes) >= n and len(edges) >= n:
            break
    # Whole records first, so that every edge finds its ends; the write is not timed.
    timed_nodes = nodes[:n]
    began = time.perf_counter()
    for node in timed_nodes:
        text = queries.merge_one_node(type(node).__name__)
        params = {"id": node.id, "properties": properties_of(node)}
        store.transact(lambda tx, t=text, p=params: _run(tx, t, p))  # type: ignore[misc]
    seconds = time.perf_counter() - began
    store.write(GraphBatch(tuple(nodes)))
    timed_edges = edges[:n]
    began = time.perf_counter()
    for edge in timed_edges:
        text = queries.merge_one_edge(edge.type, edge.source.label, edge.target.label)
        params = {"source": edge.source.id, "target": edge.target.id}
        store.transact(lambda tx, t=text, p=params: _run(tx, t, p))  # type: ignore[misc]
    seconds += time.perf_counter() - began
    return (len(timed_nodes) + len(timed_edges)) / seconds


def _run(tx: Transaction, text: str, params: dict[str, object]) -> None:
    tx.run(text, params)


def _some(batches: Sequence[GraphBatch], scale: int, n: int) -> tuple[list[str], list[str]]:
    """Ids of participants with states and of stories, from all copies, twice `n` of each."""
    rng = random.Random(SEED)
    participants = [
        edge.target.id for batch in batches for edge in batch.edges if edge.type == "STATE_OF"
    ]
    stories = [node.id for batch in batches for node in batch.nodes if node.ref.label == "Story"]

    def draw(ids: Sequence[str]) -> list[str]:
        return [make_id("copy", rng.randrange(scale), rng.choice(ids)) for _ in range(2 * n)]

    return draw(participants), draw(stories)


def latency(store: GraphStore, text: str, name: str, ids: Sequence[str]) -> Latency:
    """Times a query for the second half of the ids; the first half warms up.

    Args:
        store: the graph.
        text: the query.
        name: its parameter.
        ids: values of that.

    Raises:
        RunError: one of the timed answers is empty.
    """
    half = len(ids) // 2
    for id in ids[:half]:
        store.read(text, {name: id})
    times: list[float] = []
    cpu_times: list[float] = []
    for id in ids[half:]:
        began, cpu_began = time.perf_counter(), time.thread_time()
        rows = store.read(text, {name: id})
        times.append(1000 * (time.perf_counter() - began))
        cpu_times.append(1000 * (time.thread_time() - cpu_began))
        if not rows:  # an empty answer would be fast, and wrong
            raise RunError(f"the {name} {id} has vanished from the graph under measurement")
    return Latency(
        p50=_share(times, 0.5),
        p99=_share(times, 0.99),
        n=len(times),
        cpu_p50=_share(cpu_times, 0.5),
        cpu_p99=_share(cpu_times, 0.99),
    )


def _share(times: list[float], share: float) -> float:
    return sorted(times)[int(share * (len(times) - 1))]


def _resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def folder_mb(folder: Path) -> float:
    """Size of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 2**20


def table(measured: Measured) -> Table:
    """The figures as a table for the terminal."""
    from rich.table import Table

    shown = Table(header_style="bold")
    shown.add_column("")
    for size in measured.sizes:
        shown.add_column(f"{size.scale}x", justify="right")

    def row(title: str, cells: Iterable[str]) -> None:
        shown.add_row(title, *cells)

    row("nodes", (f"{size.nodes:,}" for size in measured.sizes))
    row("edges", (f"{size.edges:,}" for size in measured.sizes))
    for way, found in (
        ("in-process", [size.in_process for size in measured.sizes]),
        ("bolt", [size.bolt for size in measured.sizes]),
    ):
        if any(found):
            row(f"bulk, {way}, elements/s", (f"{w.bulk:,.0f}" if w else "" for w in found))
            row(f"naive, {way}, elements/s", (f"{w.naive:,.0f}" if w else "" for w in found))
            row(f"bulk / naive, {way}", (f"{w.ratio:.1f}" if w else "" for w in found))
    for title, field in (("states", "states"), ("neighbourhood", "neighbourhood")):
        for way in getattr(measured.sizes[0], field):
            times = [getattr(size, field)[way] for size in measured.sizes]
            row(
                f"{title}, {way}, p50 / p99 ms",
                (f"{each.p50:.3f} / {each.p99:.3f}" for each in times),
            )
    row("memory, MB", (f"{size.memory_mb:,.0f}" for size in measured.sizes))
    if measured.sizes[0].disk_mb is not None:
        row("disk, MB", (f"{size.disk_mb:,.0f}" for size in measured.sizes))
    return shown
