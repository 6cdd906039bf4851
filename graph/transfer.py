# SPDX-License-Identifier: Apache-2.0
"""Whole graphs into empty ones: what a copy and a restore share, and the copy itself.

A graph that is being filled carries a mark that says from what, and no other command opens it.
The mark goes when everything is there and adds up. So half a graph never passes for a whole one,
and what was stopped at any moment is finished by doing it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from graph import elements, queries
from graph.batch import Edge
from graph.canonical import Fingerprint, Sum, differences, fingerprint, line_of
from graph.errors import GraphError, UsageError
from graph.migrations import incoming, set_version
from graph.model import Meta, Node
from graph.progress import SILENT, Progress
from graph.schema import SCHEMA_VERSION, Shape
from graph.store import GraphStore, Transaction

Element = TypeVar("Element", Node, Edge)


@dataclass(frozen=True)
class Comparison:
    """What two graphs hold, by label and edge type."""

    left: Mapping[str, Sum]
    """The first one's."""
    right: Mapping[str, Sum]
    """The other one's."""

    @property
    def equal(self) -> bool:
        """Whether they hold the same."""
        return not self.different

    @property
    def different(self) -> list[str]:
        """Labels and edge types that they differ in."""
        return differences(self.left, self.right)

    @property
    def names(self) -> list[str]:
        """Labels, then edge types, that occur in one of them."""
        # Edge types are in capitals.
        return sorted({*self.left, *self.right}, key=lambda name: (name.isupper(), name))

    @property
    def nodes(self) -> int:
        """Nodes of the first one."""
        return sum(each.n for name, each in self.left.items() if not name.isupper())

    @property
    def edges(self) -> int:
        """Edges of the first one."""
        return sum(each.n for name, each in self.left.items() if name.isupper())

    def told(self) -> str:
        """The differences in words."""
        return "; ".join(map(self._told, self.different))

    def _told(self, name: str) -> str:
        left, right = (side[name].n if name in side else 0 for side in (self.left, self.right))
        if left == right:
            return f"{name}: {left:,} on both sides, with different content"
        return f"{name}: {left:,} here, {right:,} there"


def tell_strangers(store: GraphStore) -> str:
    """Says what a database holds besides a story graph, which is left out; empty for nothing."""
    nodes, edges = elements.count(store)
    nodes += store.read(queries.count_label(Meta.__name__))[0]["n"]
    nodes = store.read(queries.COUNT_NODES)[0]["n"] - nodes
    edges = store.read(queries.COUNT_EDGES)[0]["n"] - edges
    if not nodes and not edges:
        return ""
    return f"left out: {nodes:,} nodes and {edges:,} edges of kinds that Fabula does not declare"


def begin(
    store: GraphStore, source: str, of: Shape | None = None, version: int = SCHEMA_VERSION
) -> bool:
    """Marks an empty graph as one that is being filled, or finds that it is.

    Args:
        store: the graph, opened without a check of its version.
        source: what comes in, in words that are the same each time.
        of: the schema of what comes in; default: the current one.
        version: its version.

    Returns:
        False if the graph is in use already and not marked; nothing was done then.

    Raises:
        UsageError: something else is coming in.
    """
    found = incoming(store)
    if found is not None and found != source:
        raise UsageError(
            f"the graph {store.url} holds a part of {found}, so {source} cannot come in: "
            "finish the former, or give an empty graph"
        )
    if found is None and elements.count(store).nodes:
        return False
    store.apply_schema(of)
    if found is None:

        def mark(tx: Transaction) -> None:
            tx.run(queries.SET_INCOMING, {"source": source})

        store.transact(mark)
    set_version(store, version)
    return True


def end(store: GraphStore) -> None:
    """Takes the mark off: the graph is whole."""
    store.transact(lambda tx: tx.run(queries.END_INCOMING))


def verify(
    expected: Mapping[str, Sum],
    store: GraphStore,
    source: str,
    of: Shape | None = None,
    progress: Progress = SILENT,
) -> Comparison:
    """Compares what a graph holds with what should be there.

    Raises:
        GraphError: it differs; says in what.
    """
    compared = Comparison(expected, fingerprint(store, of, progress))
    if not compared.equal:
        raise GraphError(
            f"{store.url} does not hold the same as {source}: {compared.told()}. Something else "
            "wrote to one of them: empty the graph, and do it again while nothing writes"
        )
    return compared


def refuse_other(compared: Comparison, store: GraphStore, source: str) -> None:
    """Refuses a graph that is in use and does not hold what should come in.

    Raises:
        UsageError: it differs.
    """
    if not compared.equal:
        nodes = elements.count(store).nodes
        raise UsageError(
            f"the graph {store.url} holds {nodes:,} nodes already and is not {source} "
            f"({compared.told()}): give an empty graph. Nothing was changed"
        )


def copy(source: GraphStore, target: GraphStore, progress: Progress = SILENT) -> Comparison:
    """Copies a graph into an empty one, in memory that does not grow with it, and compares them.

    A copy that was stopped is finished by doing it again; between graphs that are equal already,
    nothing is written.

    Args:
        source: the graph; nothing else should write to it meanwhile.
        target: a graph that was opened with `check=False`.
        progress: where to show how far it is.

    Returns:
        What both hold.

    Raises:
        UsageError: the target holds something else.
        GraphError: in the end they differ.
    """
    # The whole path, so that the name is the same from wherever the copy is taken up.
    name = f"a copy of {Path(source.url).resolve() if source.embedded else source.url}"
    if not begin(target, name):
        compared = Comparison(
            fingerprint(source, progress=progress), fingerprint(target, progress=progress)
        )
        refuse_other(compared, target, name)
        return compared
    sums = Fingerprint()
    elements.load(
        target,
        _summed(elements.nodes(source), sums.add),
        _summed(elements.edges(source), sums.add),
        progress=progress,
        totals=elements.count(source),
    )
    compared = verify(sums.sums, target, source.url, progress=progress)
    end(target)
    return compared


def _summed(elements: Iterable[Element], add: Callable[[str], None]) -> Iterator[Element]:
    for element in elements:
        add(line_of(element))
        yield element
