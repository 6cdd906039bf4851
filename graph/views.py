# SPDX-License-Identifier: Apache-2.0
"""The graph as networkx graphs: all of it as it is, and who has to do with whom.

networkx is an optional dependency: `pip install '.[networkx]'` in the checkout.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import combinations
from typing import TYPE_CHECKING, Any, Literal

from graph import queries
from graph.batch import Edge, GraphBatch, properties_of
from graph.elements import make_node
from graph.errors import UsageError
from graph.extras import require
from graph.formats.base import Selection, named_roots
from graph.model import Node
from graph.schema import edge_type, labels
from graph.store import GraphStore

if TYPE_CHECKING:
    import networkx

Link = Literal["sentence", "event", "state", "story"]
"""What can join two participants; `participant_network` says how."""


def to_networkx(
    store: GraphStore,
    *,
    story: str | Iterable[str] | None = None,
    run: str | Iterable[str] | None = None,
) -> networkx.MultiDiGraph:
    """Copies a graph, or what belongs to some stories or runs, to networkx.

    Nodes are named by their ids. They have the attribute `label` (the most special one), `labels`
    (all, such as `:State:Claim`) and the node's properties with their Python types, lists as lists;
    what is not set is not there. An edge's key is its type, its attributes are its properties.

    Args:
        store: the graph.
        story: keys of stories; only what belongs to them is copied, with the runs that it names.
        run: ids of runs; only their claims are copied.

    Raises:
        MissingExtraError: networkx is not installed.
        UsageError: there is no such story or run.
    """
    graph = require("networkx", "networkx").MultiDiGraph()
    selection = Selection(store, named_roots(store, _several(story), _several(run)))
    # In an order of its own: with the same seed, every engine's graph has the same communities.
    for node in sorted(selection.nodes(), key=lambda node: (node.ref.label, node.id)):
        graph.add_node(node.id, **node_attributes(node))
    for edge in sorted(selection.edges()):
        graph.add_edge(edge.source.id, edge.target.id, key=edge.type, **dict(edge.properties))
    return graph


def node_attributes(node: Node) -> dict[str, Any]:
    """A node's attributes in networkx and in GraphML."""
    label = node.ref.label
    values = properties_of(node)
    del values["id"]
    return {"label": label, "labels": "".join(f":{each}" for each in labels(label)), **values}


def from_networkx(graph: networkx.MultiDiGraph) -> GraphBatch:
    """Makes nodes and edges of the model from a graph that `to_networkx` could have made.

    Args:
        graph: the graph; the attribute `labels` may be missing.

    Returns:
        All of it, for `GraphStore.write`.

    Raises:
        SchemaError: a node, an edge or an attribute is not what the schema declares.
        UsageError: the graph is not a directed one with several edges between nodes.
    """
    if not (graph.is_directed() and graph.is_multigraph()):
        raise UsageError(f"a MultiDiGraph is needed, this is a {type(graph).__name__}")
    nodes: dict[str, Node] = {}
    for id, attributes in graph.nodes(data=True):
        values = {name: v for name, v in attributes.items() if name not in ("label", "labels")}
        if "label" not in attributes:
            raise UsageError(f"the node {id!r} has no attribute 'label'")
        nodes[id] = make_node(attributes["label"], {"id": id, **values})
    edges: list[Edge] = []
    for source, target, key, attributes in graph.edges(keys=True, data=True):
        names = edge_type(key).properties
        extra = sorted(set(attributes) - set(names))
        if extra:
            raise UsageError(f"the edge type {key} has no property {extra[0]!r}")
        values = {name: attributes[name] for name in names if name in attributes}
        edges.append(Edge(key, nodes[source].ref, nodes[target].ref, tuple(values.items())))
    return GraphBatch(tuple(nodes.values()), tuple(edges))


def participant_network(
    store: GraphStore,
    *,
    dataset: str | None = None,
    story: str | Iterable[str] | None = None,
    links: Iterable[Link] = ("sentence", "event", "state", "story"),
    by_name: bool = False,
) -> networkx.Graph:
    """Makes the network of participants: two are joined by each thing that they share.

    A `sentence` that mentions both, an `event` in which both take part, a sentence that gives a
    `state` of each, or merely the `story`. An edge has the number of things of each kind and their
    sum, `weight`. A node has `name`, `story` (the key), `mentions` and `states` (numbers).

    Args:
        store: the graph.
        dataset: only participants of this data set's stories.
        story: only participants of the stories with these keys.
        links: what joins participants.
        by_name: participants of the same name (letter case aside) are one node, named so, across
            stories: `dog` is every dog. Then `story` is missing and `stories` is a number.

    Raises:
        MissingExtraError: networkx is not installed.
        UsageError: there is no such story, or no such kind of link.
    """
    wanted = tuple(links)
    if unknown := set(wanted) - set(queries.SHARED):
        raise UsageError(
            f"unknown link {sorted(unknown)[0]!r}: known: {', '.join(sorted(queries.SHARED))}"
        )
    graph = require("networkx", "networkx").Graph()
    roots = named_roots(store, _several(story), None)
    stories = None if roots is None else {root.id for root in roots}
    merged: dict[str, str] = {}  # id of a participant -> name of its node
    seen: dict[str, set[str]] = defaultdict(set)
    for row in store.stream(queries.PARTICIPANTS):
        if (dataset is not None and row["dataset"] != dataset) or (
            stories is not None and row["story_id"] not in stories
        ):
            continue
        node = row["name"].casefold() if by_name else row["id"]
        merged[row["id"]] = node
        seen[node].add(row["story_id"])
        if node not in graph:
            graph.add_node(node, name=row["name"], mentions=0, states=0)
        if by_name:
            graph.nodes[node]["stories"] = len(seen[node])
        else:
            graph.nodes[node]["story"] = row["story"]
    for attribute, text in (("mentions", queries.MENTIONED), ("states", queries.STATED)):
        for row in store.stream(text):
            if row["id"] in merged:
                graph.nodes[merged[row["id"]]][attribute] += row["n"]
    for kind in wanted:
        together: dict[str, set[str]] = defaultdict(set)
        for row in store.stream(queries.SHARED[kind]):
            if row["id"] in merged:
                together[row["shared"]].add(merged[row["id"]])
        pairs = Counter(
            pair for some in together.values() for pair in combinations(sorted(some), 2)
        )
        for (one, other), number in sorted(pairs.items()):
            if not graph.has_edge(one, other):
                graph.add_edge(one, other, weight=0)
            edge = graph.edges[one, other]
            edge[kind] = number
            edge["weight"] += number
    return graph


def _several(value: str | Iterable[str] | None) -> list[str] | None:
    return None if value is None else [value] if isinstance(value, str) else list(value)
