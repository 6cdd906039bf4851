# SPDX-License-Identifier: Apache-2.0
"""SHACL shapes, made from `graph.model`: what a graph in the vocabulary must look like.

Properties, datatypes, values and the ends of edges come from the model. How many edges a node
has, and within which bounds numbers lie, the model does not say: those stand in the tables here.
A parent label counts for its children.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from graph.formats.base import Declaration
from graph.formats.rdf import vocabulary as v
from graph.formats.rdf.ontology import SHORT, block, header, local
from graph.formats.rdf.syntax import quoted
from graph.formats.rdf.vocabulary import IDS
from graph.model import EDGES, EdgeType
from graph.schema import concrete, labels, properties, property_kind

SHAPES = "https://w3id.org/fabula/shapes#"
"""Namespace of the shapes."""


class Count(NamedTuple):
    """How many edges of a type a node has."""

    label: str
    edge: str
    least: int
    most: int | None


OUTGOING: tuple[Count, ...] = (
    Count("Story", "HAS_SENTENCE", 1, None),
    Count("Story", "REVISES", 0, 1),
    Count("Sentence", "NEXT", 0, 1),
    Count("Sentence", "REPLACES", 0, 1),
    Count("Participant", "IN_STORY", 1, 1),
    Count("Mention", "REFERS_TO", 1, 1),
    Count("Mention", "IN_SENTENCE", 1, None),
    Count("Event", "IN_SENTENCE", 1, None),
    Count("ComplexEvent", "OF_STORY", 1, 1),
    Count("ComplexEvent", "HAS_PARTICIPANT", 1, 1),
    Count("Contrast", "OF_STORY", 1, 1),
    Count("Contrast", "REVISED_AS", 1, 1),
    Count("Branch", "OF_GOAL", 1, 1),
    Count("Branch", "AT_STEP", 0, 1),
    Count("Branch", "HAS_OPTION", 2, 2),
    Count("Step", "NEXT_STEP", 0, 1),
    Count("Scenario", "AT_BRANCH", 1, 1),
    Count("Claim", "ABOUT", 1, 1),
    Count("Factor", "ABOUT", 0, 1),  # a predicted factor's unit is that of its set
    Count("FactorSet", "HAS_FACTOR", 0, None),
    Count("State", "STATE_OF", 0, 1),
    Count("CounterfactualState", "STATE_OF", 0, 1),
    Count("CounterfactualState", "COUNTERFACTUAL_TO", 0, 1),
    Count("Inference", "IN_STORY", 1, 1),
    Count("Inference", "OF_STATE", 1, 1),
    Count("Revision", "OF_STORY", 1, 1),
    Count("Revision", "OF_STATE", 1, 1),
    Count("Revision", "REVISED_AS", 0, 1),
    Count("StateChange", "FROM_STORY", 1, 1),
    Count("StateChange", "TO_STORY", 1, 1),
    Count("StateChange", "FROM_STATE", 0, 1),
    Count("StateChange", "TO_STATE", 0, 1),
    Count("Decision", "PREFERS", 1, 2),
    Count("Run", "MADE_BY", 1, 1),
)
"""How many edges start at a node; any number where there is no line."""
INCOMING: tuple[Count, ...] = (
    Count("Sentence", "HAS_SENTENCE", 1, 1),
    Count("Sentence", "NEXT", 0, 1),
    Count("Step", "HAS_STEP", 1, 1),
    Count("Step", "NEXT_STEP", 0, 1),
    Count("Option", "HAS_OPTION", 1, None),
    Count("Factor", "HAS_FACTOR", 1, 1),
    Count("Claim", "PRODUCED", 0, 1),
)
"""How many edges lead to a node."""
BOUNDS: Mapping[str, tuple[int, int | None]] = MappingProxyType(
    {
        "confidence": (0, 1),
        "likert": (0, 4),
        "start": (0, None),
        "end": (0, None),
        "index": (0, None),
        "position": (0, None),
        "step_index": (0, None),
        "line": (1, None),
    }
)
"""Property -> least and greatest value."""


def shacl() -> str:
    """The shapes as Turtle."""
    parts = [
        header(("f", "rdf", "xsd", "sh", "oa", "prov")).rstrip("\n"),
        f"\n@prefix fs: <{SHAPES}> .\n\n",
        *map(_label, v.LABELS),
        *(_list(name) for name in v.lists()),
        *(_ends(edge) for edge in EDGES if len(edge.targets) > 1),
        *(_relation(edge) for edge in v.RELATIONS),
        *_queries(),
        _ALWAYS.replace("CLASSES", " ".join(f"f:{name}" for name in (*v.PARENTS, *v.LABELS))),
    ]
    return "".join(parts).rstrip("\n") + "\n"


def _label(label: str) -> str:
    """The shape of a label, then the shapes of its properties."""
    shapes: dict[str, list[str]] = {}
    classes = labels(label)
    shapes["type"] = [
        "sh:path rdf:type",
        f"sh:in ( {' '.join(f'f:{name}' for name in classes)} )",
        f"sh:minCount {len(classes)}",
    ]
    for name in properties(label):
        shapes[v.property_iri(name).removeprefix(v.NS)] = _property(label, name)
    if v.span(label):
        shapes["start"].append("sh:lessThanOrEquals f:end")
        shapes["selector"] = ["sh:path oa:hasSelector", *_exactly_one(), "sh:nodeKind sh:IRI"]
        for end in ("start", "end"):
            shapes[f"selector-{end}"] = [
                f"sh:path ( oa:hasSelector oa:{end} )",
                f"sh:equals f:{end}",
            ]
    if "started" in properties(label):
        shapes["startedAtTime"] = [
            "sh:path prov:startedAtTime", "sh:datatype xsd:dateTime", "sh:maxCount 1",
        ]  # fmt: skip
    for edge in EDGES:
        if set(classes) & set(edge.sources):
            shapes[v.edge_iri(edge.name).removeprefix(v.NS)] = [
                f"sh:path {local(v.edge_iri(edge.name))}",
                "sh:nodeKind sh:IRI",
                # Where there are several classes, see `_ends`.
                *([f"sh:class f:{edge.targets[0]}"] if len(edge.targets) == 1 else ()),
                *_counts(OUTGOING, classes, edge.name),
            ]
    for edge in EDGES:
        if set(classes) & set(edge.targets) and (found := _counts(INCOMING, classes, edge.name)):
            name = v.edge_iri(edge.name).removeprefix(v.NS)
            shapes[f"inverse-{name}"] = [f"sh:path [ sh:inversePath f:{name} ]", *found]
    return _targeting(
        label,
        f"sh:targetClass f:{label}",
        shapes,
        "sh:nodeKind sh:IRI",
        f"sh:pattern {quoted(f'^{IDS}{label}/[^/#]+$')}",
        "sh:closed true",
    )


def _property(label: str, name: str) -> list[str]:
    kind = property_kind(label, name)
    lines = [f"sh:path {local(v.property_iri(name))}"]
    if kind == "list":
        # Its cells are checked by fs:List, that they lead to the end by `_list`.
        lines.append("sh:nodeKind sh:IRI")
    else:
        lines.append(f"sh:datatype {SHORT[kind]}")
    lines += _exactly_one() if v.required(label, name) else ["sh:maxCount 1"]
    if values := v.choices(label, name):
        some = (quoted(value) if isinstance(value, str) else str(value) for value in values)
        lines.append(f"sh:in ( {' '.join(some)} )")
    if name == "id":
        lines.append("sh:minLength 1")
    least, most = BOUNDS.get(name, (None, None))
    if least is not None:
        lines.append(f"sh:minInclusive {least}")
    if most is not None:
        lines.append(f"sh:maxInclusive {most}")
    return lines


def _exactly_one() -> list[str]:
    return ["sh:minCount 1", "sh:maxCount 1"]


def _targeting(name: str, target: str, shapes: Mapping[str, list[str]], *more: str) -> str:
    """A node shape and its property shapes; all have names, so that reports can say which."""
    names = ", ".join(f"fs:{name}-{each}" for each in shapes)
    lines = ["a sh:NodeShape", target, *more, f"sh:property {names}"]
    return block(f"fs:{name}", lines) + "".join(
        block(f"fs:{name}-{each}", ["a sh:PropertyShape", *its]) for each, its in shapes.items()
    )


def _list(name: str) -> str:
    """From cell to cell, a list leads to its end."""
    term = v.property_iri(name).removeprefix(v.NS)
    end = [f"sh:path ( f:{term} [ sh:zeroOrMorePath rdf:rest ] )", "sh:hasValue rdf:nil"]
    return _targeting(f"{term}-list", f"sh:targetSubjectsOf f:{term}", {"end": end})


def _ends(edge: EdgeType) -> str:
    """What an edge type may lead to, where that is one of several classes.

    Not as `sh:or` of several `sh:class`: for that a validator starts anew for every edge.
    """
    name = v.edge_iri(edge.name).removeprefix(v.NS)
    kind = ["sh:path rdf:type", "sh:minCount 1", _among(edge.targets)]
    return _targeting(f"{name}-target", f"sh:targetObjectsOf f:{name}", {"type": kind})


def _among(classes: Iterable[str]) -> str:
    names = dict.fromkeys(
        parent for name in classes for special in concrete(name) for parent in labels(special)
    )
    return f"sh:in ( {' '.join(f'f:{name}' for name in names)} )"


def _relation(edge: EdgeType) -> str:
    shapes: dict[str, list[str]] = {}
    for term, classes in ((v.FROM, edge.sources), (v.TO, edge.targets)):
        end = term.removeprefix(v.NS)
        shapes[end] = [f"sh:path f:{end}", "sh:nodeKind sh:IRI", *_exactly_one()]
        shapes[f"{end}-type"] = [
            f"sh:path ( f:{end} rdf:type )", "sh:minCount 1", _among(classes),
        ]  # fmt: skip
    for each in edge.properties:
        name = v.property_iri(each).removeprefix(v.NS)
        shapes[name] = [
            f"sh:path f:{name}",
            *_exactly_one(),
            "sh:or ( [ sh:datatype xsd:string ] [ sh:datatype xsd:integer ] )",
        ]
    return _targeting(
        v.relation_iri(edge.name).removeprefix(v.NS),
        f"sh:targetClass {local(v.relation_iri(edge.name))}",
        shapes,
        "sh:closed true",
        "sh:ignoredProperties ( rdf:type )",
    )


def _counts(table: Iterable[Count], classes: Iterable[str], edge: str) -> list[str]:
    counts = {label: (least, most) for label, name, least, most in table if name == edge}
    for label in classes:  # the most special label first
        if label in counts:
            least, most = counts[label]
            return ([f"sh:minCount {least}"] if least else []) + (
                [f"sh:maxCount {most}"] if most is not None else []
            )
    return []


def _queries() -> Iterator[str]:
    """What plain shapes cannot say: rules that join several nodes.

    Each has one node as its target, a class, and finds all that break the rule with one query: a
    query for every node would take hours.
    """
    source, produced, claim = v.property_iri("source"), v.edge_iri("PRODUCED"), v.class_iri("Claim")
    yield _query(
        "predicted",
        "Claim",
        "a predicted claim has a run that produced it",
        f'?value <{source}> "predicted" ; a <{claim}> . '
        f"FILTER NOT EXISTS {{ ?run <{produced}> ?value }}",
    )
    yield _query(
        "gold",
        "Claim",
        "no run produced a gold claim",
        f'?run <{produced}> ?value . ?value <{source}> "gold" .',
    )
    for edge in v.RELATIONS:
        name = v.relation_iri(edge.name).removeprefix(v.NS)
        yield _query(
            "stated",
            name,
            "the edge that it describes is stated",
            f"?value a <{v.relation_iri(edge.name)}> ; <{v.FROM}> ?from ; <{v.TO}> ?to . "
            f"FILTER NOT EXISTS {{ ?from <{v.edge_iri(edge.name)}> ?to }}",
        )
    text, start, end = map(v.property_iri, ("text", "start", "end"))
    has = v.edge_iri("HAS_SENTENCE")
    across = f"<{has}>/^<{v.edge_iri('IN_SENTENCE')}>"
    # Mentions and events are joined to the story through their sentences.
    for label, path in (("Sentence", f"<{has}>"), ("Mention", across)):
        yield _query(
            "quote",
            label,
            "its text is the story's from start to end",
            f"?value <{start}> ?start ; <{end}> ?end ; <{text}> ?own . "
            f"?story {path} ?value ; <{text}> ?text . "
            "FILTER (SUBSTR(?text, ?start + 1, ?end - ?start) != ?own)",
        )


def _query(name: str, label: str, message: str, where: str) -> str:
    select = quoted(f"SELECT DISTINCT $this ?value WHERE {{ {where} }}")
    return block(
        f"fs:{label}-{name}",
        [
            "a sh:NodeShape",
            f"sh:targetNode f:{label}",
            f"sh:sparql [ sh:message {quoted(message)} ; sh:select {select} ]",
        ],
    )


_ALWAYS = """\
fs:Node a sh:NodeShape ;
    sh:targetSubjectsOf f:id ;
    sh:property fs:Node-type .

fs:Node-type a sh:PropertyShape ;
    sh:path rdf:type ;
    sh:minCount 1 ;
    sh:in ( CLASSES ) .

fs:Claim a sh:NodeShape ;
    sh:targetClass f:Claim ;
    sh:property fs:Claim-type .

fs:Claim-type a sh:PropertyShape ;
    sh:path rdf:type ;
    sh:minCount 2 ;
    sh:message "a claim has a class of its own besides f:Claim" .

fs:Branch-numbers a sh:NodeShape ;
    sh:targetClass f:Branch ;
    sh:property fs:Branch-number .

fs:Branch-number a sh:PropertyShape ;
    sh:path ( [ sh:inversePath f:from ] f:number ) ;
    sh:in ( 1 2 ) ;
    sh:minCount 2 ;
    sh:message "the options of a branch are numbered 1 and 2" .

fs:Selector a sh:NodeShape ;
    sh:targetClass oa:TextPositionSelector ;
    sh:closed true ;
    sh:ignoredProperties ( rdf:type ) ;
    sh:property fs:Selector-start, fs:Selector-end .

fs:Selector-start a sh:PropertyShape ;
    sh:path oa:start ;
    sh:datatype xsd:integer ;
    sh:minCount 1 ;
    sh:maxCount 1 .

fs:Selector-end a sh:PropertyShape ;
    sh:path oa:end ;
    sh:datatype xsd:integer ;
    sh:minCount 1 ;
    sh:maxCount 1 .

fs:List a sh:NodeShape ;
    sh:targetSubjectsOf rdf:first, rdf:rest ;
    sh:closed true ;
    sh:property fs:List-first, fs:List-rest .

fs:List-first a sh:PropertyShape ;
    sh:path rdf:first ;
    sh:datatype xsd:string ;
    sh:minCount 1 ;
    sh:maxCount 1 .

fs:List-rest a sh:PropertyShape ;
    sh:path rdf:rest ;
    sh:nodeKind sh:IRI ;
    sh:minCount 1 ;
    sh:maxCount 1 .
"""


class Shacl(Declaration):
    """The shapes as a format: nothing of the graph is in it."""

    name = "shacl"
    title = "SHACL shapes for the RDF formats; nothing of the graph itself"
    suffix = ".ttl"

    def text(self) -> str:
        """See `Declaration.text`."""
        return shacl()


SHACL = Shacl()
