# SPDX-License-Identifier: Apache-2.0
"""Takes a story, a goal or a run out of a graph, with all that belongs to it and nothing else.

What belongs to what is `graph.groups`' knowledge. Transactions are bounded, so a deletion can be
stopped half-way; it goes from the leaves to the roots, so what is left still hangs on its root and
the same deletion, done again, finds it. The notes on rows of data files go first: from then on an
ingest brings the rows back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from graphlib import TopologicalSorter

from graph import queries
from graph.batch import chunks
from graph.errors import UsageError
from graph.groups import CONTEXT, members, owned
from graph.model import NODES, Ref
from graph.progress import SILENT, Progress
from graph.schema import concrete
from graph.store import GraphStore, Transaction

SIZE = 1000
"""Nodes that are deleted in one transaction."""
KINDS: Mapping[str, tuple[str, str]] = {
    "story": ("Story", queries.STORIES_OF_KEY),
    "goal": ("Goal", queries.GOALS_OF_KEY),
    "run": ("Run", queries.RUN_OF_ID),
}
"""What can be deleted: label, and the query that finds it by its key."""


def find(store: GraphStore, kind: str, key: str, dataset: str | None = None) -> list[Ref]:
    """Finds what a user names.

    Args:
        store: the graph.
        kind: one of `KINDS`.
        key: the data set's key of a story or goal, or a run's id.
        dataset: the data set, for a key that several have.

    Returns:
        The nodes; several where stories of a data set share a key.

    Raises:
        UsageError: there is none, or several data sets have one.
    """
    label, text = KINDS[kind]
    rows = store.read(text, {"key": key})
    if dataset is not None:
        rows = [row for row in rows if row["dataset"] == dataset]
    if not rows:
        where = f" of {dataset}" if dataset else ""
        raise UsageError(
            f"there is no {kind} {key!r}{where} in {store.url}: `fabula "
            + ("runs` lists the runs" if kind == "run" else "query` finds keys")
        )
    names = sorted({row["dataset"] for row in rows if "dataset" in row})
    if len(names) > 1:
        raise UsageError(
            f"{' and '.join(names)} each have a {kind} {key!r}: name one with --dataset"
        )
    return [Ref(label, row["id"]) for row in rows]


def plan(store: GraphStore, roots: Sequence[Ref]) -> dict[str, int]:
    """Counts what `delete` would take out, by label; notes on rows of data files aside."""
    return {label: len(ids) for label, ids in sorted(members(store, roots).items())}


def delete(store: GraphStore, roots: Iterable[Ref], progress: Progress = SILENT) -> dict[str, int]:
    """Deletes nodes with all that belongs to them.

    What only they used goes too: reasoners and models of runs, modes of change. So do the notes
    on the rows of data files that gave them, so that an ingest brings them back.

    Args:
        store: the graph.
        roots: stories, goals or runs.
        progress: where to show how far it is.

    Returns:
        How many nodes of each label belonged to the roots.
    """
    counts: dict[str, int] = {}
    for root in roots:
        for label, n in _delete(store, root, progress).items():
            counts[label] = counts.get(label, 0) + n
    return dict(sorted(counts.items()))


def _delete(store: GraphStore, root: Ref, progress: Progress) -> dict[str, int]:
    group = members(store, [root])
    counts = {label: len(ids) for label, ids in group.items()}
    task = progress.task(f"deleting {root.label} {root.id}", sum(counts.values()))
    # Each row that gave a part of a story or goal names the story or goal itself.
    rows = store.read(queries.RECORDS_GIVING, {"name": ":".join(root)})
    store.transact(partial(_drop, "Record", [row["id"] for row in rows]))
    # Nodes of the root's own label (revisions of a story) go together with it, at the end.
    last = group.pop(root.label)
    for label in _leaves_first():
        for some in chunks(group.get(label, ()), SIZE):
            store.transact(partial(_drop, label, some))
            task.advance(len(some))
    store.transact(partial(_finish, root.label, last))
    task.done()
    return counts


def _drop(label: str, ids: Sequence[str], tx: Transaction) -> None:
    if ids:
        tx.run(queries.delete_nodes(label), {"ids": list(ids)})


def _finish(label: str, ids: Sequence[str], tx: Transaction) -> None:
    """Deletes the last nodes of a group, and what is shared and not used any more."""
    _drop(label, ids, tx)
    for _, edge, shared in CONTEXT:
        unused = tx.run(queries.without_owner(shared, [(edge, False)]))
        _drop(shared, [row["id"] for row in unused], tx)


@cache
def _leaves_first() -> tuple[str, ...]:
    """Every label, each before those that its nodes belong to."""
    names = [cls.__name__ for cls in NODES if concrete(cls.__name__) == (cls.__name__,)]
    belongs = {name: {other for _, other, _ in owned(name)} - {name} for name in names}
    return tuple(TopologicalSorter(belongs).static_order())
