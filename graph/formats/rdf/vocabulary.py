# SPDX-License-Identifier: Apache-2.0
"""The vocabulary: an IRI for every label, property, edge type and node that the model declares."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import get_args, get_origin
from urllib.parse import quote, unquote

from graph import model
from graph.errors import DataError
from graph.model import EDGES, NODES, EdgeType, Meta, Node, Ref
from graph.schema import concrete, labels, node_class, properties, property_kind

NS = "https://w3id.org/fabula/ns#"
"""Namespace of the terms."""
IDS = "https://w3id.org/fabula/id/"
"""What every node's IRI starts with: then its most special label, a slash, its id."""


class Iri(str):
    """An absolute IRI."""

    __slots__ = ()


class Moment(str):
    """A point in time, as ISO 8601 writes it."""

    __slots__ = ()


PREFIXES: Mapping[str, str] = MappingProxyType(
    {
        "f": NS,
        "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
        "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
        "xsd": "http://www.w3.org/2001/XMLSchema#",
        "owl": "http://www.w3.org/2002/07/owl#",
        "sh": "http://www.w3.org/ns/shacl#",
        "prov": "http://www.w3.org/ns/prov#",
        "sem": "http://semanticweb.cs.vu.nl/2009/11/sem/",
        "oa": "http://www.w3.org/ns/oa#",
        "skos": "http://www.w3.org/2004/02/skos/core#",
        "dcterms": "http://purl.org/dc/terms/",
    }
)
"""Prefix -> namespace, of all documents."""


def expand(name: str) -> Iri:
    """The IRI of a prefixed name such as `prov:Entity`."""
    prefix, _, local = name.partition(":")
    return Iri(PREFIXES[prefix] + local)


TYPE = expand("rdf:type")
FIRST, REST, NIL = expand("rdf:first"), expand("rdf:rest"), expand("rdf:nil")
HAS_SELECTOR, SELECTOR = expand("oa:hasSelector"), expand("oa:TextPositionSelector")
OA_START, OA_END = expand("oa:start"), expand("oa:end")
STARTED_AT = expand("prov:startedAtTime")
FROM, TO = Iri(NS + "from"), Iri(NS + "to")
ROOT, RELATION = Iri(NS + "Node"), Iri(NS + "Relation")
"""Classes that are no label: of all nodes, and of edges that have properties."""

DATATYPES: Mapping[str, Iri] = MappingProxyType(
    {
        "str": expand("xsd:string"),
        "int": expand("xsd:integer"),
        "float": expand("xsd:double"),
        "bool": expand("xsd:boolean"),
        "list": expand("rdf:List"),
    }
)
"""Kind of property (`graph.schema.property_kind`) -> datatype, or class of its values."""

# What the terms mean in vocabularies that other tools know. Only what holds for every node and
# edge without exception: a reasoner takes these literally.
CLASS_PARENTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Story": ("prov:Entity",),
        "Sentence": ("oa:SpecificResource", "prov:Entity"),
        "Mention": ("oa:SpecificResource",),
        "Event": ("sem:Event", "oa:SpecificResource"),
        "Participant": ("sem:Actor",),
        "Claim": ("prov:Entity",),
        "ChangeMode": ("skos:Concept",),
        "Run": ("prov:Activity",),
        "Reasoner": ("prov:SoftwareAgent",),
        "Model": ("prov:Entity",),
        "Record": ("prov:Entity",),
    }
)
"""Label -> classes elsewhere that it is a subclass of."""
EDGE_PARENTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "HAS_ARGUMENT": ("sem:hasActor",),
        "REVISES": ("prov:wasRevisionOf",),
        "EVIDENCED_BY": ("prov:wasDerivedFrom",),
        "JUSTIFIED_BY": ("prov:wasDerivedFrom",),
        "PRODUCED": ("prov:generated",),
        "MADE_BY": ("prov:wasAssociatedWith",),
    }
)
"""Edge type -> properties elsewhere that it is a sub-property of."""
PROPERTY_PARENTS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"id": ("dcterms:identifier",), "title": ("dcterms:title",)}
)
"""Property -> properties elsewhere that it is a sub-property of."""
INVERSE_PARENTS: Mapping[str, str] = MappingProxyType({"HAS_SENTENCE": "oa:hasSource"})
"""Edge type -> property elsewhere that its inverse is a sub-property of."""
CHAINS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "prov:used": ("MADE_BY", "LOADS"),
        "oa:hasSource": ("IN_SENTENCE", "^HAS_SENTENCE"),
    }
)
"""Property elsewhere -> edge types that imply it one after the other, `^` against the arrow."""


def _camel(name: str) -> str:
    head, *rest = name.lower().split("_")
    return head + "".join(part.capitalize() for part in rest)


@cache
def class_iri(label: str) -> Iri:
    """The class of a label."""
    return Iri(NS + label)


@cache
def property_iri(name: str) -> Iri:
    """The property of a node's or an edge's property: one for all labels that have it."""
    return Iri(NS + _camel(name))


@cache
def edge_iri(name: str) -> Iri:
    """The property of an edge type."""
    return Iri(NS + _camel(name))


@cache
def relation_iri(name: str) -> Iri:
    """The class of the relations that hold the properties of an edge type's edges."""
    camel = _camel(name)
    return Iri(NS + camel[0].upper() + camel[1:])


def node_iri(ref: Ref) -> Iri:
    """The IRI of a node. What is not a letter, digit, `_` or `-` in its id is escaped.

    Raises:
        DataError: the id holds half a character.
    """
    try:
        # A dot could be a segment that resolving a relative IRI removes.
        local = quote(ref.id, safe="").replace(".", "%2E").replace("~", "%7E")
    except UnicodeEncodeError as error:
        raise DataError(f"RDF cannot name the {ref.label} of the id {ref.id!r}: {error}") from error
    return Iri(f"{IDS}{ref.label}/{local}")


def node_of(iri: str) -> Ref:
    """The node that an IRI names.

    Raises:
        DataError: it is not the IRI of a node.
    """
    label, slash, local = iri.removeprefix(IDS).partition("/")
    if iri.startswith(IDS) and slash and local and "/" not in local and "#" not in local:
        ref = Ref(label, unquote(local))
        if label in LABELS and node_iri(ref) == iri:
            return ref
    raise DataError(f"<{iri}> does not name a node: those start with <{IDS}Label/>")


LABELS: tuple[str, ...] = tuple(
    cls.__name__ for cls in NODES if cls is not Meta and concrete(cls.__name__) == (cls.__name__,)
)
"""Labels that nodes can have as their most special one; the graph's own `Meta` is not exported."""
PARENTS: tuple[str, ...] = tuple(
    dict.fromkeys(parent for label in LABELS for parent in labels(label)[1:])
)
"""Labels that only stand above others."""
RELATIONS: tuple[EdgeType, ...] = tuple(edge for edge in EDGES if edge.properties)
"""Edge types that have properties."""


def property_names() -> dict[str, tuple[str, ...]]:
    """Property -> the labels that declare it themselves; `id` and a parent's count once."""
    found: dict[str, list[str]] = {}
    for label in (*PARENTS, *LABELS):
        inherited = {name for parent in labels(label)[1:] for name in properties(parent)}
        for name in properties(label):
            if name not in inherited:
                found.setdefault(name, []).append(label)
    return {name: tuple(declaring) for name, declaring in found.items()}


def lists() -> tuple[str, ...]:
    """Properties whose values are lists."""
    return tuple(
        name
        for name, (label, *_) in property_names().items()
        if property_kind(label, name) == "list"
    )


def choices(label: str, name: str) -> tuple[str | int, ...]:
    """The values that a property is restricted to, empty if it is not."""

    def literals(annotation: object) -> tuple[str | int, ...]:
        arguments = get_args(annotation)
        if get_origin(annotation) is not None and str(annotation).startswith("typing.Literal"):
            return arguments
        return next((found for each in arguments if (found := literals(each))), ())

    if property_kind(label, name) == "list":
        return ()
    return literals(node_class(label).model_fields[name].annotation)


def required(label: str, name: str) -> bool:
    """Whether every node of the label has the property."""
    field = node_class(label).model_fields[name]
    # A default that is not None is stored too.
    return field.is_required() or field.default is not None


def span(label: str) -> bool:
    """Whether nodes of the label are spans of a story's text."""
    return {"start", "end"} <= set(properties(label))


def meaning(label: str) -> str:
    """What a label means: its docstring on one line."""
    return _one_line(inspect.getdoc(node_class(label)) or "")


@cache
def _fields() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for node in ast.parse(inspect.getsource(model)).body:
        if isinstance(node, ast.ClassDef):
            fields = found.setdefault(node.name, {})
            for field, doc in zip(node.body, node.body[1:], strict=False):
                if (
                    isinstance(field, ast.AnnAssign)
                    and isinstance(field.target, ast.Name)
                    and isinstance(doc, ast.Expr)
                    and isinstance(doc.value, ast.Constant)
                ):
                    fields[field.target.id] = _one_line(str(doc.value.value))
    return found


def property_meaning(label: str, name: str) -> str:
    """What a property of a label means: the docstring under its declaration, on one line."""
    for cls in node_class(label).__mro__:
        if issubclass(cls, Node) and name in _fields().get(cls.__name__, {}):
            return _fields()[cls.__name__][name]
    return ""


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
