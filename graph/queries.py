# SPDX-License-Identifier: Apache-2.0
"""All Cypher text of Fabula that is not a task's own (those are in `graph.task_queries`).

Values always travel as parameters. Labels and edge types cannot, so the functions here take only
names that `graph.schema` declares. The text keeps to what ArcadeDB and Neo4j both run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from graph.errors import SchemaError
from graph.schema import edge_type, labels, node_class

# --- writing (Bolt servers; the embedded store writes records directly) ------------------------


def find_nodes(label: str) -> str:
    """Rows `{id, n}` of the nodes of a label among `$ids`."""
    node_class(label)
    return f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) RETURN n.id AS id, n"


def upsert_nodes(label: str, *, supertypes: bool) -> str:
    """Upserts `$rows` of `{id, properties}`; returns how many were created.

    Args:
        label: the most special label.
        supertypes: the engine derives parent labels from its types (ArcadeDB); otherwise they
            are set on each node (Neo4j).
    """
    own, *parents = labels(label)
    extra = "".join(f", n:{parent}" for parent in parents) if not supertypes else ""
    return f"UNWIND $rows AS row MERGE (n:{own} {{id: row.id}}) SET n += row.properties{extra}"


def upsert_edges(name: str, source: str, target: str) -> str:
    """Upserts `$rows` of `{source, target, properties}`; `matched` is how many had both ends."""
    edge_type(name), node_class(source), node_class(target)
    return (
        f"UNWIND $rows AS row MATCH (a:{source} {{id: row.source}}) "
        f"MATCH (b:{target} {{id: row.target}}) "
        f"MERGE (a)-[r:{name}]->(b) SET r += row.properties RETURN count(r) AS matched"
    )


# --- the naive way, for measurement only -------------------------------------------------------


def merge_one_node(label: str) -> str:
    """One node, one statement: what `benchmarks.perf` measures the bulk path against."""
    node_class(label)
    return f"MERGE (n:{label} {{id: $id}}) SET n += $properties"


def merge_one_edge(name: str, source: str, target: str) -> str:
    """One edge, one statement: what `benchmarks.perf` measures the bulk path against."""
    edge_type(name), node_class(source), node_class(target)
    return (
        f"MATCH (a:{source} {{id: $source}}) MATCH (b:{target} {{id: $target}}) "
        f"MERGE (a)-[:{name}]->(b)"
    )


# --- the graph itself --------------------------------------------------------------------------

META = (
    "MATCH (m:Meta {id: 'schema'}) RETURN m.schema_version AS version, m.created_by AS created_by"
)
SET_META = (
    "MERGE (m:Meta {id: 'schema'}) SET m.schema_version = $version, m.created_by = $created_by"
)
INCOMING = "MATCH (m:Meta {id: 'incoming'}) RETURN m.created_by AS source"
SET_INCOMING = "MERGE (m:Meta {id: 'incoming'}) SET m.created_by = $source"
END_INCOMING = "MATCH (m:Meta {id: 'incoming'}) DELETE m"
COUNT_NODES = "MATCH (n) RETURN count(n) AS n"
COUNT_EDGES = "MATCH ()-[r]->() RETURN count(r) AS n"

ANY_NODE = "MATCH (n) WHERE NOT n:Meta RETURN 1 AS found LIMIT 1"


def count_label(label: str) -> str:
    """Number of nodes with a label."""
    node_class(label)
    return f"MATCH (n:{label}) RETURN count(n) AS n"


def count_edges(name: str) -> str:
    """Number of edges of a type."""
    edge_type(name)
    return f"MATCH ()-[r:{name}]->() RETURN count(r) AS n"


def all_nodes(label: str) -> str:
    """Every node of a label as `{labels, properties}`, by id."""
    node_class(label)
    return (
        f"MATCH (n:{label}) RETURN labels(n) AS labels, properties(n) AS properties ORDER BY n.id"
    )


def all_edges(name: str) -> str:
    """Every edge of a type as `{source, target, properties}`, ordered by its ends."""
    edge_type(name)
    return (
        f"MATCH (a)-[r:{name}]->(b) "
        "RETURN a.id AS source, b.id AS target, properties(r) AS properties ORDER BY source, target"
    )


def stream_nodes(label: str) -> str:
    """Every node of a label as `{properties}`, in no order: nothing is held back for sorting."""
    node_class(label)
    return f"MATCH (n:{label}) RETURN properties(n) AS properties"


def stream_edges(name: str, source: str, target: str) -> str:
    """Every edge of a type between two labels as its ends' ids and its properties, in no order."""
    node_class(source), node_class(target)
    return f"MATCH (a:{source})-[r:{name}]->(b:{target}) RETURN {_edge_columns(name)}"


def _edge_columns(name: str) -> str:
    extra = "".join(f", r.{each} AS {each}" for each in edge_type(name).properties)
    return f"a.id AS source, b.id AS target{extra}"


def without_owner(label: str, owners: Iterable[tuple[str, bool]]) -> str:
    """Ids of the nodes of a label that none of the edges joins to an owner, by id.

    Args:
        label: the label.
        owners: edge types to owners, each with whether it starts at the node.
    """
    node_class(label)
    patterns = [
        f"NOT (n)-[:{edge_type(name).name}]->()"
        if outgoing
        else f"NOT (n)<-[:{edge_type(name).name}]-()"
        for name, outgoing in owners
    ]
    where = f" WHERE {' AND '.join(patterns)}" if patterns else ""
    return f"MATCH (n:{label}){where} RETURN n.id AS id ORDER BY id"


STORIES_OF_KEY = (
    "MATCH (s:Story {key: $key}) WHERE NOT (s)-[:REVISES]->() "
    "RETURN s.id AS id, s.dataset AS dataset ORDER BY id"
)
GOALS_OF_KEY = "MATCH (g:Goal {key: $key}) RETURN g.id AS id, g.dataset AS dataset ORDER BY id"
RUN_OF_ID = "MATCH (r:Run {id: $key}) RETURN r.id AS id"


def neighbours(label: str, name: str, other: str, *, outgoing: bool) -> str:
    """Ids of the nodes of a label that edges of a type join to the nodes among `$ids`."""
    edge_type(name), node_class(label), node_class(other)
    arrow = f"-[:{name}]->" if outgoing else f"<-[:{name}]-"
    return f"UNWIND $ids AS id MATCH (:{label} {{id: id}}){arrow}(m:{other}) RETURN m.id AS id"


def properties_of_nodes(label: str) -> str:
    """The nodes of a label among `$ids`, as `{properties}`."""
    node_class(label)
    return f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) RETURN properties(n) AS properties"


def edges_from(name: str, source: str, target: str) -> str:
    """The edges of a type from the nodes among `$ids`, as `stream_edges` gives them."""
    node_class(source), node_class(target)
    return (
        f"UNWIND $ids AS id MATCH (a:{source} {{id: id}})-[r:{name}]->(b:{target}) "
        f"RETURN {_edge_columns(name)}"
    )


# --- graphs of any schema version ----------------------------------------------------------------
# Names come from a `graph.schema.Shape`, which may be of a version that this code does not declare.


def _plain(name: str) -> str:
    if not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", name):
        raise SchemaError(f"{name!r} cannot be a label or an edge type")
    return name


def any_nodes(label: str) -> str:
    """Every node of a label as `{labels, properties}`, in no order."""
    return f"MATCH (n:{_plain(label)}) RETURN labels(n) AS labels, properties(n) AS properties"


def any_edges(name: str, source: str, target: str, properties: Iterable[str]) -> str:
    """Every edge of a type between two labels as `stream_edges` gives them, in no order."""
    columns = "".join(f", r.{_plain(each)} AS {each}" for each in properties)
    return (
        f"MATCH (a:{_plain(source)})-[r:{_plain(name)}]->(b:{_plain(target)}) "
        f"RETURN a.id AS source, b.id AS target{columns}"
    )


def put_nodes(label: str, parents: Sequence[str]) -> str:
    """Upserts `$rows` of `{id, properties}`."""
    extra = "".join(f", n:{_plain(parent)}" for parent in parents)
    return (
        f"UNWIND $rows AS row MERGE (n:{_plain(label)} {{id: row.id}}) "
        f"SET n += row.properties{extra}"
    )


def put_edges(name: str, source: str, target: str) -> str:
    """Upserts `$rows` of `{source, target, properties}`."""
    return (
        f"UNWIND $rows AS row MATCH (a:{_plain(source)} {{id: row.source}}) "
        f"MATCH (b:{_plain(target)} {{id: row.target}}) "
        f"MERGE (a)-[r:{_plain(name)}]->(b) SET r += row.properties"
    )


def edges_out(label: str) -> str:
    """All edges from the nodes among `$ids`, as `{id, type, properties, labels, other}`."""
    node_class(label)
    return (
        f"UNWIND $ids AS id MATCH (a:{label} {{id: id}})-[r]->(b) RETURN a.id AS id, "
        "type(r) AS type, properties(r) AS properties, labels(b) AS labels, b.id AS other"
    )


def edges_in(name: str, label: str) -> str:
    """The edges of a type that lead to the nodes among `$ids`, as `edges_out` gives them."""
    edge_type(name), node_class(label)
    return (
        f"UNWIND $ids AS id MATCH (a:{label} {{id: id}})<-[r:{name}]-(b) RETURN a.id AS id, "
        "type(r) AS type, properties(r) AS properties, labels(b) AS labels, b.id AS other"
    )


# --- ingest ------------------------------------------------------------------------------------

RECORDS = (
    "UNWIND $ids AS id MATCH (r:Record {id: id}) "
    "RETURN r.id AS id, r.hash AS hash, r.line AS line, r.nodes AS nodes"
)
RECORDS_SHARING = (
    "MATCH (r:Record) WHERE r.dataset = $dataset AND NOT r.id IN $ids RETURN r.nodes AS nodes"
)
RECORDS_GIVING = "MATCH (r:Record) WHERE $name IN r.nodes RETURN r.id AS id"
RECORD_IDS = "MATCH (r:Record) WHERE r.dataset = $dataset RETURN r.id AS id"
HOLDS_SAMPLE = (
    "MATCH (r:Record) WHERE r.dataset = $dataset "
    "RETURN r.file STARTS WITH 'sample/' AS sample LIMIT 1"
)


def delete_nodes(label: str) -> str:
    """Deletes the nodes of a label among `$ids`, with their edges."""
    node_class(label)
    return f"UNWIND $ids AS id MATCH (n:{label} {{id: id}}) DETACH DELETE n"


def delete_edges_from(label: str) -> str:
    """Deletes the edges that start at the nodes of a label among `$ids`."""
    node_class(label)
    return f"UNWIND $ids AS id MATCH (n:{label} {{id: id}})-[r]->() DELETE r"


def units_by_split(label: str) -> str:
    """Number of units of a label by data set and split."""
    node_class(label)
    return (
        f"MATCH (u:{label}) RETURN u.dataset AS dataset, u.split AS split, count(u) AS n "
        "ORDER BY dataset, split"
    )


# Rows of data files again: what each reader's `rebuild` reads. `$ids` are ids of units.


def gold_claims(unit: str) -> str:
    """Rows `{id, claim}` of the gold claims about the units of a label."""
    node_class(unit)
    return (
        f"UNWIND $ids AS id MATCH (u:{unit} {{id: id}})<-[:ABOUT]-(claim:Claim) "
        "WHERE claim.source = 'gold' RETURN u.id AS id, claim"
    )


POQUE_UNITS = (
    "UNWIND $ids AS id MATCH (u:ComplexEvent {id: id})-[:OF_STORY]->(s:Story) "
    "MATCH (u)-[:HAS_PARTICIPANT]->(p:Participant) "
    "RETURN u.id AS id, u.key AS key, u.role AS role, s.key AS story, s.origin AS origin, "
    "s.text AS text, p.name AS name"
)
POQUE_MENTIONS = (
    "UNWIND $ids AS id MATCH (u:ComplexEvent {id: id})-[:HAS_PARTICIPANT]->(:Participant)"
    "<-[:REFERS_TO]-(m:Mention) RETURN u.id AS id, m.start AS start, m.end AS end"
)


def pasta_lines(edge: str) -> str:
    """Rows `{id, key, story, title, index, text}`: the sentences of a contrast's story.

    Args:
        edge: `OF_STORY` for the story, `REVISED_AS` for the revised one.
    """
    edge_type(edge)
    return (
        f"UNWIND $ids AS id MATCH (u:Contrast {{id: id}})-[:{edge}]->(s:Story)"
        "-[:HAS_SENTENCE]->(x:Sentence) "
        "RETURN u.id AS id, u.key AS key, s.key AS story, s.title AS title, x.index AS index, "
        "x.text AS text"
    )


PASTA_JUSTIFIED = (
    "UNWIND $ids AS id MATCH (u:Contrast {id: id})<-[:ABOUT]-(c:State)-[:JUSTIFIED_BY]->"
    "(x:Sentence) WHERE c.source = 'gold' RETURN u.id AS id, x.index AS index"
)

CHOICE_BRANCHES = (
    "UNWIND $ids AS id MATCH (b:Branch {id: id})-[:OF_GOAL]->(g:Goal) "
    "RETURN b AS branch, g.id AS goal_id, g.key AS key, g.text AS goal"
)
CHOICE_STEPS = (
    "UNWIND $ids AS id MATCH (g:Goal {id: id})-[:HAS_STEP]->(s:Step) "
    "RETURN g.id AS id, s.index AS index, s.text AS text"
)
CHOICE_OPTIONS = (
    "UNWIND $ids AS id MATCH (b:Branch {id: id})-[r:HAS_OPTION]->(o:Option) "
    "RETURN b.id AS id, r.number AS number, o.text AS text"
)
CHOICE_SCENARIOS = (
    "UNWIND $ids AS id MATCH (b:Branch {id: id})<-[:AT_BRANCH]-(s:Scenario)"
    "<-[:ABOUT]-(d:Decision) WHERE d.source = 'gold' "
    "RETURN b.id AS id, s.position AS position, s.text AS text, "
    "d.choice AS choice, d.level AS level"
)

# --- exploring ---------------------------------------------------------------------------------

PARTICIPANT_STATES = (
    "MATCH (p:Participant {id: $participant})<-[:STATE_OF]-(s:Claim) "
    "OPTIONAL MATCH (s)-[:JUSTIFIED_BY]->(e:Sentence) "
    "OPTIONAL MATCH (s)-[:COUNTERFACTUAL_TO]-(other:Claim) "
    "WITH s, other, e ORDER BY e.index "
    "WITH s, other, collect(e.text) AS evidence "
    "RETURN s.id AS id, s.text AS state, s.source AS source, other.text AS counterpart, evidence "
    "ORDER BY id"
)
STORY_NEIGHBOURHOOD = (
    "MATCH (s:Story {id: $story})-[a]-(n) OPTIONAL MATCH (n)-[b]-(m) "
    "RETURN type(a) AS near, n.id AS id, type(b) AS far, m.id AS other"
)

# --- networks of participants ------------------------------------------------------------------

PARTICIPANTS = (
    "MATCH (p:Participant)-[:IN_STORY]->(s:Story) RETURN p.id AS id, p.name AS name, "
    "s.id AS story_id, s.key AS story, s.dataset AS dataset ORDER BY dataset, story, story_id, id"
)
MENTIONED = (
    "MATCH (p:Participant)<-[:REFERS_TO]-(m:Mention) RETURN p.id AS id, count(m) AS n ORDER BY id"
)
STATED = "MATCH (p:Participant)<-[:STATE_OF]-(c:Claim) RETURN p.id AS id, count(c) AS n ORDER BY id"
SHARED = {
    "sentence": (
        "MATCH (p:Participant)<-[:REFERS_TO]-(:Mention)-[:IN_SENTENCE]->(x:Sentence) "
        "RETURN DISTINCT p.id AS id, x.id AS shared"
    ),
    "event": (
        "MATCH (p:Participant)<-[:HAS_ARGUMENT]-(e:Event) "
        "RETURN DISTINCT p.id AS id, e.id AS shared"
    ),
    "state": (
        "MATCH (p:Participant)<-[:STATE_OF]-(:Claim)-[:JUSTIFIED_BY]->(x:Sentence) "
        "RETURN DISTINCT p.id AS id, x.id AS shared"
    ),
    "story": (
        "MATCH (p:Participant)-[:IN_STORY]->(s:Story) RETURN DISTINCT p.id AS id, s.id AS shared"
    ),
}
"""What participants can share -> rows `{id, shared}` of a participant and one such thing."""

# --- runs --------------------------------------------------------------------------------------

RUN = "MATCH (r:Run {id: $run}) RETURN r.trained_on AS trained_on"
DELETE_RUN_CLAIMS = "MATCH (r:Run {id: $run})-[:PRODUCED]->(c:Claim) DETACH DELETE c"
RUNS = (
    "MATCH (r:Run) OPTIONAL MATCH (r)-[:PRODUCED]->(c:Claim) WITH r, count(c) AS claims "
    "RETURN r.id AS id, r.task AS task, r.reasoner AS reasoner, r.split AS split, "
    "r.setting AS setting, r.seed AS seed, claims, r.started AS started "
    "ORDER BY started, task, id"
)
