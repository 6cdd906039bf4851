# SPDX-License-Identifier: Apache-2.0
"""What belongs together: a story, a goal or a run with everything that makes no sense without it.

The edge types that declare an `owner` say what belongs to what. A group is its root and all that
can be reached from it down those edges: a story with its sentences, participants, revisions, units
and the claims about them; a goal with its script, branches and scenarios; a run with its claims.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from graph import queries
from graph.batch import Edge, GraphBatch, chunks
from graph.elements import make_edges, make_node
from graph.model import EDGES, NODES, Node, Ref
from graph.schema import concrete, labels
from graph.store import GraphStore

_IDS = 500
"""Ids in one query."""
CONTEXT = (
    ("ChangeModeSet", "HAS_MODE", "ChangeMode"),
    ("Run", "MADE_BY", "Reasoner"),
    ("Reasoner", "LOADS", "Model"),
)
"""Shared nodes that a group's nodes lead to: they belong to no group, and go along with each."""


def owned(label: str, *, by_runs: bool = True) -> Iterator[tuple[str, str, bool]]:
    """Yields what belongs to nodes of a label: edge type, label of the other end, outgoing.

    Args:
        label: the owner's label.
        by_runs: claims belong to their run as well as to what they are about.
    """
    for edge in EDGES:
        if edge.owner is None or (edge.name == "PRODUCED" and not by_runs):
            continue
        outgoing = edge.owner == "source"
        here, there = (edge.sources, edge.targets) if outgoing else (edge.targets, edge.sources)
        if set(labels(label)) & set(here):
            for end in there:
                for each in concrete(end):
                    yield edge.name, each, outgoing


def members(
    store: GraphStore, roots: Iterable[Ref], *, by_runs: bool = True
) -> dict[str, list[str]]:
    """Finds everything that belongs to the roots, themselves included.

    Args:
        store: the graph.
        roots: stories, goals, runs, or any other nodes.
        by_runs: claims belong to their run as well as to what they are about.

    Returns:
        Ids by label, sorted.
    """
    found: dict[str, set[str]] = defaultdict(set)
    waiting: dict[str, set[str]] = defaultdict(set)
    for root in roots:
        waiting[root.label].add(root.id)
    while waiting:
        label = next(iter(waiting))
        fresh = waiting.pop(label) - found[label]
        found[label] |= fresh
        for some in chunks(sorted(fresh), _IDS):
            for name, other, outgoing in owned(label, by_runs=by_runs):
                text = queries.neighbours(label, name, other, outgoing=outgoing)
                ids = {row["id"] for row in store.read(text, {"ids": list(some)})}
                if ids - found[other]:
                    waiting[other] |= ids - found[other]
    return {label: sorted(ids) for label, ids in found.items() if ids}


def roots(store: GraphStore, label: str) -> Iterator[Ref]:
    """Yields the nodes of a label that belong to nothing but, for claims, to a run."""
    owners = [
        (edge.name, edge.owner == "target")
        for edge in EDGES
        if edge.owner is not None
        and edge.name != "PRODUCED"
        and set(labels(label)) & set(edge.targets if edge.owner == "source" else edge.sources)
    ]
    for row in store.stream(queries.without_owner(label, owners)):
        yield Ref(label, row["id"])


def parts(store: GraphStore, at_once: int = 16) -> Iterator[dict[str, list[str]]]:
    """Yields the ids of the whole graph a few groups at a time, by label, as `members` does.

    Args:
        store: the graph.
        at_once: stories or goals at a time: more are faster, and need more memory.
    """
    for label in ("Story", "Goal"):
        for some in chunks(roots(store, label), at_once):
            yield members(store, some, by_runs=False)
    for cls in NODES:
        label = cls.__name__
        if label not in ("Story", "Goal", "Meta") and concrete(label) == (label,):
            for some in chunks(roots(store, label), _IDS):
                yield members(store, some, by_runs=False)


def partition(store: GraphStore, at_once: int = 16) -> Iterator[GraphBatch]:
    """Yields the whole graph a few groups at a time: stories, goals, then what is in neither.

    Each node comes once, with all edges that start at it; the graph's own `Meta` does not.

    Args:
        store: the graph.
        at_once: stories or goals in one batch: more are faster, and need more memory.
    """
    for ids in parts(store, at_once):
        yield content(store, ids)


def with_context(store: GraphStore, ids: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Adds what members of a group point to or come from outside: runs, reasoners, modes.

    Args:
        store: the graph.
        ids: ids by label, as `members` returns them.
    """
    found = {label: set(some) for label, some in ids.items()}
    for label in [label for label in found if "Claim" in labels(label)]:
        for some in chunks(sorted(found[label]), _IDS):
            text = queries.neighbours(label, "PRODUCED", "Run", outgoing=False)
            rows = store.read(text, {"ids": list(some)})
            found.setdefault("Run", set()).update(row["id"] for row in rows)
    for label, name, other in CONTEXT:
        for some in chunks(sorted(found.get(label, ())), _IDS):
            text = queries.neighbours(label, name, other, outgoing=True)
            rows = store.read(text, {"ids": list(some)})
            found.setdefault(other, set()).update(row["id"] for row in rows)
    return {label: sorted(some) for label, some in found.items() if some}


def content(store: GraphStore, ids: Mapping[str, Iterable[str]]) -> GraphBatch:
    """Reads nodes and all edges that start at them.

    Args:
        store: the graph.
        ids: ids by label, as `members` returns them.

    Returns:
        The nodes, and their edges; an edge may lead to a node outside.
    """
    nodes: list[Node] = []
    edges: list[Edge] = []
    for label, wanted in ids.items():
        for some in chunks(wanted, _IDS):
            params = {"ids": list(some)}
            rows = store.read(queries.properties_of_nodes(label), params)
            nodes += (make_node(label, row["properties"]) for row in rows)
            for declared in EDGES:
                if set(labels(label)) & set(declared.sources):
                    for end in declared.targets:
                        for target in concrete(end):
                            text = queries.edges_from(declared.name, label, target)
                            edges += make_edges(declared, label, target, store.read(text, params))
    return GraphBatch(tuple(nodes), tuple(edges))
