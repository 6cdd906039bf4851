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
from graph.model import EDGES, Node, Ref
from graph.schema import concrete, labels
from graph.store import GraphStore

_IDS = 500
"""Ids in one query."""


def owned(label: str) -> Iterator[tuple[str, str, bool]]:
    """Yields what belongs to nodes of a label: edge type, label of the other end, outgoing."""
    for edge in EDGES:
        if edge.owner is None:
            continue
        outgoing = edge.owner == "source"
        here, there = (edge.sources, edge.targets) if outgoing else (edge.targets, edge.sources)
        if set(labels(label)) & set(here):
            for end in there:
                for each in concrete(end):
                    yield edge.name, each, outgoing


def members(store: GraphStore, roots: Iterable[Ref]) -> dict[str, list[str]]:
    """Finds everything that belongs to the roots, themselves included.

    Args:
        store: the graph.
        roots: stories, goals, runs, or any other nodes.

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
            for name, other, outgoing in owned(label):
                text = queries.neighbours(label, name, other, outgoing=outgoing)
                ids = {row["id"] for row in store.read(text, {"ids": list(some)})}
                if ids - found[other]:
                    waiting[other] |= ids - found[other]
    return {label: sorted(ids) for label, ids in found.items() if ids}


def roots(store: GraphStore) -> Iterator[Ref]:
    """Yields the roots of all groups that hold stories and goals, in the order of their keys."""
    for label, text in (("Story", queries.BASE_STORIES), ("Goal", queries.GOALS)):
        for row in store.stream(text):
            yield Ref(label, row["id"])


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
