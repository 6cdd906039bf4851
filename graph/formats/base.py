# SPDX-License-Identifier: Apache-2.0
"""What a format is: a writer of what a graph holds, and where it can, a reader of the same."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from graph import elements, groups
from graph.batch import Edge, GraphBatch, chunks
from graph.errors import UsageError
from graph.model import NODES, Node, Ref
from graph.progress import SILENT, Progress
from graph.schema import concrete
from graph.store import GraphStore

_REST = 2000


@dataclass(frozen=True)
class Count:
    """What was written."""

    nodes: int
    edges: int


class Selection:
    """What of a graph is exported: all of it, or some groups with the runs of their claims.

    Args:
        store: the graph.
        roots: stories, goals or runs; None for the whole graph.
    """

    def __init__(self, store: GraphStore, roots: Iterable[Ref] | None = None) -> None:
        self.store = store
        self.roots = None if roots is None else tuple(roots)

    def nodes(self) -> Iterator[Node]:
        """Yields the nodes, in no order that matters; call it as often as needed."""
        if self.roots is None:
            yield from elements.nodes(self.store)
        else:
            for batch in self.groups():
                yield from batch.nodes

    def edges(self) -> Iterator[Edge]:
        """Yields the edges; both ends are among the nodes."""
        if self.roots is None:
            yield from elements.edges(self.store)
        else:
            for batch in self.groups():
                yield from batch.edges

    def groups(self) -> Iterator[GraphBatch]:
        """Yields everything a story (or goal) at a time, then what belongs to none.

        Each node comes once, with all edges that start at it.
        """
        ...


class Format(ABC):
    """A format. Instances have no state; the registry holds one of each."""

    name: str
    """What users write."""
    title: str
    """One line for the help."""
    suffix: str
    """Ending of the file's name, with the dot; empty for a folder of files."""
