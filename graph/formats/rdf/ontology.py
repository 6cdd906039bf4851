# SPDX-License-Identifier: Apache-2.0
"""The vocabulary as an OWL ontology, made from `graph.model`: classes, properties, mappings."""

from __future__ import annotations

from collections.abc import Iterable

from graph.formats.base import Declaration
from graph.formats.rdf import vocabulary as v
from graph.formats.rdf.syntax import quoted
from graph.formats.rdf.vocabulary import NS, PREFIXES
from graph.model import EDGES
from graph.schema import SCHEMA_VERSION, labels, property_kind

ONTOLOGY = NS.removesuffix("#")
"""IRI of the ontology itself."""
SHORT = {"str": "xsd:string", "int": "xsd:integer", "float": "xsd:double", "bool": "xsd:boolean"}
"""Kind of property -> datatype, as a prefixed name."""


def header(prefixes: Iterable[str]) -> str:
    """The prefixes of a Turtle document that is made from the model."""
    lines = [f"@prefix {prefix}: <{PREFIXES[prefix]}> ." for prefix in prefixes]
    return "\n".join(
        ["# Made from graph/model.py: `make docs` writes it again.", "", *lines, "", ""]
    )


def block(subject: str, lines: Iterable[str]) -> str:
    """A resource with a property a line."""
    return f"{subject} " + " ;\n    ".join(lines) + " .\n\n"


def local(iri: str) -> str:
    """The prefixed name of a term of the vocabulary."""
    return f"f:{iri.removeprefix(NS)}"


def union(names: Iterable[str]) -> str:
    """A class expression: one class, or any of several."""
    some = tuple(names)
    if len(some) == 1:
        return f"f:{some[0]}"
    return f"[ a owl:Class ; owl:unionOf ( {' '.join(f'f:{name}' for name in some)} ) ]"


def owl() -> str:
    """The ontology as Turtle."""
    parts = [
        header(("f", "rdf", "rdfs", "xsd", "owl", "prov", "sem", "oa", "skos", "dcterms")),
        block(
            f"<{ONTOLOGY}>",
            [
                "a owl:Ontology",
                'dcterms:title "Fabula: stories, what was concluded about them, and by whom"',
                "dcterms:license <https://www.apache.org/licenses/LICENSE-2.0>",
                f'owl:versionInfo "{SCHEMA_VERSION}"',
                "rdfs:comment " + quoted(
                    "What happened in a story, what that meant for whom, and what if not. "
                    "The name is an identifier: there is no page behind it yet."
                ),
            ],
        ),
        "# --- classes\n\n",
        *_classes(),
        "# --- properties of nodes and of edges\n\n",
        *_properties(),
        "# --- edges\n\n",
        *_edges(),
        "# --- what follows for other vocabularies\n\n",
        *_chains(),
    ]  # fmt: skip
    return "".join(parts).rstrip("\n") + "\n"


def _term(kind: str, name: str, comment: str) -> list[str]:
    return [
        f"a {kind}",
        f"rdfs:label {quoted(name)}",
        f"rdfs:comment {quoted(comment)}",
        f"rdfs:isDefinedBy <{ONTOLOGY}>",
    ]


def _classes() -> Iterable[str]:
    yield block(local(v.ROOT), _term("owl:Class", "Node", "Anything with an id of its own."))
    for label in (*v.PARENTS, *v.LABELS):
        parents = [f"f:{name}" for name in labels(label)[1:2]] or [local(v.ROOT)]
        parents += v.CLASS_PARENTS.get(label, ())
        lines = _term("owl:Class", label, v.meaning(label))
        yield block(f"f:{label}", [*lines, f"rdfs:subClassOf {', '.join(parents)}"])
    comment = "An edge with what is known about it; the edge itself is a statement too."
    yield block(local(v.RELATION), _term("owl:Class", "Relation", comment))
    for edge in v.RELATIONS:
        name = local(v.relation_iri(edge.name))
        lines = _term("owl:Class", name[2:], f"An edge {edge.name}: {edge.meaning}.")
        yield block(name, [*lines, f"rdfs:subClassOf {local(v.RELATION)}"])


def _properties() -> Iterable[str]:
    declared = v.property_names()
    for name in (*declared, *_only_of_edges()):
        by = declared.get(name, ())
        kinds = {property_kind(label, name) for label in by}
        domain = list(by if name != "id" else ("Node",))
        domain += (v.relation_iri(e.name)[len(NS) :] for e in v.RELATIONS if name in e.properties)
        notes = dict.fromkeys(
            f"{label}: {v.property_meaning(label, name)}" for label in by if name != "id"
        )
        notes |= dict.fromkeys(
            f"{edge.name}: {edge.meaning}." for edge in v.RELATIONS if name in edge.properties
        )
        lines = [
            f"a {'owl:ObjectProperty' if kinds == {'list'} else 'owl:DatatypeProperty'}, "
            "owl:FunctionalProperty",
            f"rdfs:label {quoted(name)}",
            f"rdfs:comment {quoted(' '.join(notes) or v.property_meaning('Story', name))}",
            f"rdfs:isDefinedBy <{ONTOLOGY}>",
            f"rdfs:domain {union(domain)}",
            f"rdfs:range {_range(name, by, kinds)}",
        ]
        if parents := v.PROPERTY_PARENTS.get(name):
            lines.append(f"rdfs:subPropertyOf {', '.join(parents)}")
        yield block(local(v.property_iri(name)), lines)
    for term, comment in (
        (v.FROM, "The node that the edge starts from."),
        (v.TO, "The node that the edge leads to."),
    ):
        lines = _term("owl:ObjectProperty, owl:FunctionalProperty", term[len(NS) :], comment)
        ends = [f"rdfs:domain {local(v.RELATION)}", f"rdfs:range {local(v.ROOT)}"]
        yield block(local(term), [*lines, *ends])


def _only_of_edges() -> list[str]:
    names = dict.fromkeys(name for edge in v.RELATIONS for name in edge.properties)
    return [name for name in names if name not in v.property_names()]


def _range(name: str, declaring: tuple[str, ...], kinds: set[str]) -> str:
    if kinds == {"list"}:
        return "rdf:List"
    if not kinds:
        return "rdfs:Literal"  # the model declares no types for the properties of edges
    values = {v.choices(label, name) for label in declaring}
    free = any(name in edge.properties for edge in v.RELATIONS)
    if len(values) == 1 and () not in values and not free:
        members = " ".join(
            quoted(value) if isinstance(value, str) else str(value) for value in values.pop()
        )
        return f"[ a rdfs:Datatype ; owl:oneOf ( {members} ) ]"
    return SHORT[kinds.pop()]


def _edges() -> Iterable[str]:
    for edge in EDGES:
        ends = f"{' or '.join(edge.sources)} to {' or '.join(edge.targets)}"
        lines = _term("owl:ObjectProperty", edge.name, f"{ends}: {edge.meaning}.")
        lines += [f"rdfs:domain {union(edge.sources)}", f"rdfs:range {union(edge.targets)}"]
        parents = list(v.EDGE_PARENTS.get(edge.name, ()))
        if inverse := v.INVERSE_PARENTS.get(edge.name):
            parents.append(f"[ owl:inverseOf {inverse} ]")
        if parents:
            lines.append(f"rdfs:subPropertyOf {', '.join(parents)}")
        yield block(local(v.edge_iri(edge.name)), lines)


def _chains() -> Iterable[str]:
    for name, steps in v.CHAINS.items():
        chain = " ".join(
            f"[ owl:inverseOf {local(v.edge_iri(step[1:]))} ]"
            if step.startswith("^")
            else local(v.edge_iri(step))
            for step in steps
        )
        yield block(name, [f"owl:propertyChainAxiom ( {chain} )"])


class Owl(Declaration):
    """The ontology as a format: nothing of the graph is in it."""

    name = "owl"
    title = "the RDF vocabulary as an OWL ontology; nothing of the graph itself"
    suffix = ".ttl"

    def text(self) -> str:
        """See `Declaration.text`."""
        return owl()


OWL = Owl()
