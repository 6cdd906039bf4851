# SPDX-License-Identifier: Apache-2.0
"""What a format is: it writes what a graph holds, and where it can, reads it back."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from graph import elements, groups, queries
from graph.batch import Edge, GraphBatch
from graph.errors import UsageError
from graph.model import Node, Ref
from graph.progress import SILENT, Progress
from graph.store import GraphStore


class Written(NamedTuple):
    """What an export wrote."""

    nodes: int
    edges: int
    files: tuple[Path, ...]


class Selection:
    """What of a graph is exported: all of it, or what belongs to some stories, goals or runs.

    Args:
        store: the graph.
        roots: stories, goals or runs; None for the whole graph.
    """

    def __init__(self, store: GraphStore, roots: Iterable[Ref] | None = None) -> None:
        self.store = store
        self._roots = None if roots is None else tuple(roots)

    @property
    def whole(self) -> bool:
        """Whether it is the whole graph."""
        return self._roots is None

    def nodes(self) -> Iterator[Node]:
        """Yields the nodes, each once, in no order that matters; can be called again."""
        if self._roots is None:
            return elements.nodes(self.store)
        return iter(self._part.nodes)

    def edges(self) -> Iterator[Edge]:
        """Yields the edges, each once; both ends are among the nodes."""
        if self._roots is None:
            return elements.edges(self.store)
        return iter(self._part.edges)

    def batches(self) -> Iterator[GraphBatch]:
        """Yields the same a few stories at a time: each node with all edges that start at it."""
        if self._roots is None:
            yield from groups.partition(self.store)
        else:
            yield self._part

    @cached_property
    def _part(self) -> GraphBatch:
        ids = groups.members(self.store, self._roots or ())
        # Predictions of a story name their run, gold modes their mode: those come along, bare.
        batch = groups.content(self.store, groups.with_context(self.store, ids))
        known = {node.id for node in batch.nodes}
        return GraphBatch(
            batch.nodes,
            tuple(e for e in batch.edges if e.source.id in known and e.target.id in known),
        )


def named_roots(
    store: GraphStore, stories: Iterable[str] | None, runs: Iterable[str] | None
) -> list[Ref] | None:
    """Finds the stories of some keys and the runs of some ids; None where none are named.

    Raises:
        UsageError: there is no such story or run.
    """
    if not stories and not runs:
        return None
    found: list[Ref] = []
    for label, wanted, text in (
        ("Story", stories or (), queries.STORIES_OF_KEY),
        ("Run", runs or (), queries.RUN_OF_ID),
    ):
        for each in wanted:
            rows = store.read(text, {"key": each})
            if not rows:
                raise UsageError(f"there is no {label.lower()} {each!r} in {store.url}")
            found += [Ref(label, row["id"]) for row in rows]
    return found


class Content(NamedTuple):
    """What a file holds, as two streams; the nodes are read to their end before the edges."""

    nodes: Iterator[Node]
    edges: Iterator[Edge]


class Format(ABC):
    """A format; instances hold nothing, the registry has one of each."""

    name: str
    """What users write."""
    title: str
    """One line for the help."""
    suffix: str
    """Ending of its files' names, with the dot; empty for a folder of files."""
    extra: str | None = None
    """The extra that it needs, None for none."""
    readable: bool = True
    """Whether `read` can bring a graph back."""

    @abstractmethod
    def write(self, selection: Selection, out: Path, progress: Progress = SILENT) -> Written:
        """Writes the selection.

        Args:
            selection: what of which graph.
            out: file to write, or folder where `suffix` is empty; what is there is replaced.
            progress: where to show how far it is.
        """

    def read(self, path: Path) -> AbstractContextManager[Content]:
        """Opens a file (or folder) that `write` made.

        Raises:
            UsageError: the format cannot be read back.
            DataError: the file is not what `write` makes; names the place.
        """
        raise UsageError(
            f"the format {self.name} is written only: it does not hold the whole graph"
        )


class Declaration(Format):
    """A format of what the model declares: it is the same for all graphs, and needs none."""

    readable = False

    @abstractmethod
    def text(self) -> str:
        """What is written."""

    def write(self, selection: Selection, out: Path, progress: Progress = SILENT) -> Written:
        """See `Format.write`; the selection is not looked at."""
        return self.declare(out)

    def declare(self, out: Path) -> Written:
        """Writes it without a graph."""
        out.write_text(self.text(), encoding="utf-8")
        return Written(0, 0, (out,))
