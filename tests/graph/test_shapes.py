# SPDX-License-Identifier: Apache-2.0
"""Shapes: real graphs have none but valid nodes, and every planted fault is found."""

from __future__ import annotations

import os
import subprocess
import sys

import pyshacl
import pytest
import rdflib

from graph import elements
from graph.errors import DataError, UsageError
from graph.formats.base import Selection
from graph.formats.rdf.shapes import BOUNDS, INCOMING, OUTGOING, SHAPES, shacl
from graph.formats.rdf.validation import Checker, check_file, check_store
from graph.formats.rdf.vocabulary import LABELS, PREFIXES
from graph.formats.registry import FORMATS
from graph.model import NODES, Ref
from graph.schema import edge_type, labels, properties
from graph.store import open_graph
from ingest.run import ingest
from ingest.source import Source

PREFIX = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in PREFIXES.items())


def one(store, text):
    return store.read(f"{text} RETURN x.id AS id ORDER BY id LIMIT 1")[0]["id"]


@pytest.fixture(scope="module")
def selection(predicted):
    """A story of each kind and a goal, with what belongs to them, predictions included."""
    told = one(
        predicted,
        "MATCH (x:Story)<-[:OF_STORY]-(:Contrast)<-[:ABOUT]-(c:Revision {source: 'predicted'})",
    )
    seen = one(
        predicted,
        "MATCH (x:Story)<-[:OF_STORY]-(:ComplexEvent)<-[:ABOUT]-(:FactorSet {source: 'predicted'})",
    )
    goal = one(predicted, "MATCH (x:Goal)")
    return Selection(predicted, [Ref("Story", told), Ref("Story", seen), Ref("Goal", goal)])


@pytest.fixture(scope="module")
def valid(selection, tmp_path_factory):
    """The selection as a graph of rdflib's."""
    path = tmp_path_factory.mktemp("shapes") / "valid.nt"
    FORMATS.get("ntriples").write(selection, path)
    return rdflib.Graph().parse(path, format="nt")


@pytest.fixture(scope="module")
def checker():
    return Checker()


def copied(graph):
    copy = rdflib.Graph()
    for triple in graph:
        copy.add(triple)
    return copy


def test_a_valid_graph_has_no_violations(valid, checker):
    assert len(valid) > 2000
    assert checker.graph(copied(valid)) == []


def changed(pattern, old="", new=""):
    """An update of the first match, so that one place alone is at fault."""
    del_, ins = (f"{word} {{ {what} }}" if what else "" for word, what in
                 (("DELETE", old), ("INSERT", new)))  # fmt: skip
    return f"{del_} {ins} WHERE {{ {{ SELECT * WHERE {{ {pattern} }} ORDER BY ?n ?o LIMIT 1 }} }}"


FAULTS = {
    "a missing property": (
        changed("?n a f:Sentence ; f:index ?o", "?n f:index ?o"), "Sentence-index"),
    "a missing id": (
        changed("?n a f:Option ; f:id ?o", "?n f:id ?o"), "Option-id"),
    "an empty id": (
        changed("?n a f:Goal ; f:id ?o", "?n f:id ?o", '?n f:id ""'), "Goal-id"),
    "a number as text": (
        changed("?n a f:Step ; f:index ?o", "?n f:index ?o", '?n f:index "0"'), "Step-index"),
    "a truth value as text": (
        changed("?n a f:Inference ; f:holds ?o", "?n f:holds ?o", '?n f:holds "yes"'),
        "Inference-holds"),
    "two values": (
        changed("?n a f:Goal ; f:text ?o", new='?n f:text "another"'), "Goal-text"),
    "a value outside the list": (
        changed("?n a f:ComplexEvent ; f:role ?o", "?n f:role ?o", '?n f:role "witness"'),
        "ComplexEvent-role"),
    "a choice outside the list": (
        changed("?n a f:Decision ; f:choice ?o", "?n f:choice ?o", "?n f:choice 3"),
        "Decision-choice"),
    "a confidence above one": (
        changed("?n a f:Endpoint ; f:text ?o", new='?n f:confidence "1.5"^^xsd:double'),
        "Endpoint-confidence"),
    "a negative index": (
        changed("?n a f:Factor ; f:index ?o", "?n f:index ?o", "?n f:index -1"), "Factor-index"),
    "an undeclared property": (
        changed("?n a f:Participant ; f:name ?o", new='?n f:mood "good"'), "Participant"),
    "a property of another label": (
        changed("?n a f:Participant ; f:name ?o", new="?n f:likert 3"), "Participant"),
    "an undeclared class": (
        changed("?n a f:State ; f:id ?o", new="?n a f:Mood"), "State-type"),
    "a missing parent class": (
        changed("?n a f:State ; f:id ?o", "?n a f:Claim"), "State-type"),
    "a claim of no kind": (
        changed("?n a f:State ; f:id ?o", "?n a f:State"), "Claim-type"),
    "no class at all": (
        changed("?n a f:Goal ; f:id ?o", "?n a f:Goal"), "Node-type"),
    "an IRI of another label": (
        "DELETE { ?n ?p ?o } INSERT { f:odd ?p ?o } WHERE { "
        "{ SELECT ?n WHERE { ?n a f:ChangeMode } LIMIT 1 } ?n ?p ?o }", "ChangeMode"),
    "a span that ends before it starts": (
        changed("?n a f:Mention ; f:start ?o", "?n f:start ?o", "?n f:start 99999"),
        "Mention-start"),
    "a selector of another place": (
        changed("?n a f:Mention . ?n oa:hasSelector ?s . ?s oa:start ?o", "?s oa:start ?o",
                "?s oa:start 0, 1"), "Mention-selector-start"),
    "a span without a selector": (
        changed("?n a f:Mention ; oa:hasSelector ?o", "?n oa:hasSelector ?o"),
        "Mention-selector"),
    "a sentence that the story does not hold": (
        changed("?n a f:Sentence ; f:text ?o", "?n f:text ?o", '?n f:text "Not told."'),
        "Sentence-quote"),
    "a mention that the story does not hold": (
        changed("?n a f:Mention ; f:text ?o", "?n f:text ?o", '?n f:text "nobody"'),
        "Mention-quote"),
    "a sentence of no story": (
        changed("?o f:hasSentence ?n", "?o f:hasSentence ?n"), "Sentence-inverse-hasSentence"),
    "a sentence of two stories": (
        changed("?o f:hasSentence ?n . ?s a f:Story FILTER (?s != ?o)", new="?s f:hasSentence ?n"),
        "Sentence-inverse-hasSentence"),
    "two sentences next": (
        changed("?n f:next ?o", new="?n f:next ?n"), "Sentence-next"),
    "a mention of nobody": (
        changed("?n f:refersTo ?o", "?n f:refersTo ?o"), "Mention-refersTo"),
    "an edge to another label": (
        changed("?n f:stateOf ?o . ?s a f:Story", "?n f:stateOf ?o", "?n f:stateOf ?s"),
        "State-stateOf"),
    "an edge to one of several other labels": (
        changed("?n a f:Change ; f:about ?o . ?s a f:Story", "?n f:about ?o", "?n f:about ?s"),
        "about-target-type"),
    "an edge from another label": (
        changed("?n a f:Participant . ?o a f:Sentence", new="?n f:hasSentence ?o"), "Participant"),
    "an edge to nothing": (
        changed("?n f:inStory ?o", "?n f:inStory ?o", "?n f:inStory f:nowhere"),
        "Inference-inStory"),
    "an edge to a text": (
        changed("?n f:hasParticipant ?o", "?n f:hasParticipant ?o", '?n f:hasParticipant "Ann"'),
        "ComplexEvent-hasParticipant"),
    "a claim about nothing": (
        changed("?n a f:Involvement ; f:about ?o", "?n f:about ?o"), "Involvement-about"),
    "a claim without a source": (
        changed("?n a f:Change ; f:source ?o", "?n f:source ?o"), "Change-source"),
    "a claim of an unknown source": (
        changed("?n a f:Change ; f:source ?o", "?n f:source ?o", '?n f:source "hearsay"'),
        "Change-source"),
    "a prediction of no run": (
        changed("?o f:produced ?n", "?o f:produced ?n"), "Claim-predicted"),
    "a prediction of two runs": (
        changed("?o f:produced ?n . ?r a f:Run FILTER (?r != ?o)", new="?r f:produced ?n"),
        "-inverse-produced"),
    "gold of a run": (
        changed('?n a f:Claim ; f:source "gold" . ?o a f:Run', new="?o f:produced ?n"),
        "Claim-gold"),
    "a run by nobody": (
        changed("?n f:madeBy ?o", "?n f:madeBy ?o"), "Run-madeBy"),
    "a branch with three options": (
        changed("?n f:hasOption ?o", new="?n f:hasOption f:third"), "Branch-hasOption"),
    "an option of the number three": (
        changed("?n a f:HasOption ; f:number ?o", "?n f:number ?o", "?n f:number 3"),
        "Branch-number"),
    "a relation without its edge": (
        changed("?n f:hasOption ?o", "?n f:hasOption ?o"), "HasOption-stated"),
    "a relation without an end": (
        changed("?n a f:HasOption ; f:to ?o", "?n f:to ?o"), "HasOption-to"),
    "a list that breaks off": (
        changed("?n rdf:rest ?o . FILTER (?o != rdf:nil)", "?n rdf:rest ?o"), "List-rest"),
    "a list that goes nowhere": (
        changed("?n rdf:rest ?o . FILTER (?o != rdf:nil)", "?n rdf:rest ?o",
                "?n rdf:rest f:nowhere"), "-list-end"),
    "a number in a list": (
        changed("?n rdf:first ?o", "?n rdf:first ?o", "?n rdf:first 1"), "List-first"),
    "a list with an empty place": (
        changed("?n rdf:first ?o", "?n rdf:first ?o"), "List-first"),
}  # fmt: skip


@pytest.mark.parametrize("what", FAULTS)
def test_every_planted_fault_is_found(what, valid, checker):
    update, shape = FAULTS[what]
    graph = copied(valid)
    graph.update(PREFIX + update)
    assert set(graph) != set(valid), "nothing was planted"
    found = {each.shape for each in checker.graph(graph)}
    assert [name for name in found if name == shape or name.endswith(shape)], found


def test_the_published_shapes_find_the_same(valid, checker):
    """The checker rewrites them, so that many nodes are checked at once."""
    graph = copied(valid)
    for update, _ in FAULTS.values():
        graph.update(PREFIX + update)
    plain = rdflib.Graph().parse(data=shacl(), format="turtle")
    conforms, report, _ = pyshacl.validate(copied(graph), shacl_graph=plain, meta_shacl=False)
    assert not conforms
    sh = rdflib.Namespace(PREFIXES["sh"])
    published = {
        (str(report.value(result, sh.sourceShape)).removeprefix(SHAPES),
         str(report.value(result, sh.value if "/ns#" in focus else sh.focusNode)))
        for result, focus in report.subject_objects(sh.focusNode)
    }  # fmt: skip
    assert published == {(each.shape, each.node) for each in checker.graph(graph)}
    assert len(published) > 40


def test_a_store_is_checked_as_it_is(selection, tmp_path):
    where = tmp_path / "graph"
    with open_graph(where) as store:
        elements.load(store, selection.nodes(), selection.edges())
    done = run("validate", "--graph", where)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("0 violations in ")
    with open_graph(where) as store:
        # Past the model: `elements` could not even read this.
        for text in (
            "MATCH (m:Mention) WITH m ORDER BY m.id LIMIT 1 SET m.start = 99999",
            "MATCH (d:Decision) WITH d ORDER BY d.id LIMIT 1 SET d.choice = 7",
            "MATCH (p:Participant) WITH p ORDER BY p.id LIMIT 1 SET p.mood = 'good'",
            "MATCH (:Run)-[r:PRODUCED]->(c:Change) WITH r, c ORDER BY c.id LIMIT 1 DELETE r",
        ):
            store.transact(lambda tx, text=text: tx.run(text))
    done = run("validate", "--graph", where, "--limit", "2", "--quiet")
    assert done.returncode == 1, done.stderr
    *shown, more = done.stdout.splitlines()[:3]
    assert all("<https://w3id.org/fabula/id/" in line for line in shown)
    assert "more (--limit shows more)" in more
    *counts, last = done.stdout.splitlines()[3:]
    shapes = {shape: int(count) for count, shape in map(str.split, counts)}
    assert set(shapes) >= {"Mention-start", "Decision-choice", "Participant", "Claim-predicted"}
    assert last.startswith(f"{sum(shapes.values())} violations in ")


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-c", "from fabula.cli import main; main()", *map(str, arguments)],
        env={k: v for k, v in os.environ.items() if not k.startswith("FABULA")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_file_is_checked(valid, tmp_path):
    path = tmp_path / "file.ttl"
    graph = copied(valid)
    graph.update(PREFIX + FAULTS["gold of a run"][0])
    graph.serialize(path, format="turtle")
    done = run("validate", "--file", path)
    assert done.returncode == 1
    assert "Claim-gold: <https://w3id.org/fabula/id/" in done.stdout
    assert "no run produced a gold claim" in done.stdout


def test_a_file_that_is_none_is_named(tmp_path):
    done = run("validate", "--file", tmp_path / "none.ttl")
    assert (done.returncode, done.stdout) == (2, "")
    assert "none.ttl is not a file" in done.stderr
    path = tmp_path / "file"
    path.write_text("@prefix")
    with pytest.raises(UsageError, match="'graphml' is not RDF"):
        check_file(path, "graphml")
    with pytest.raises(DataError, match="not turtle"):
        check_file(path, "turtle")


@pytest.mark.slow
def test_the_shapes_are_shapes():
    """By the shapes of SHACL itself."""
    graph = rdflib.Graph().parse(data=shacl(), format="turtle")
    conforms, _, text = pyshacl.validate(rdflib.Graph(), shacl_graph=graph, meta_shacl=True)
    assert conforms, text


def test_the_tables_name_what_the_model_declares():
    known = {cls.__name__ for cls in NODES}
    for table, ends in ((OUTGOING, "sources"), (INCOMING, "targets")):
        for count in table:
            assert count.label in known
            allowed = getattr(edge_type(count.edge), ends)
            assert set(labels(count.label)) & set(allowed), count
    assert {name for label in LABELS for name in properties(label)} >= set(BOUNDS)


@pytest.mark.slow
@pytest.mark.data
def test_real_data_have_no_violations(real_data, tmp_path):
    with open_graph(tmp_path / "graph") as store:
        ingest(store, "all", Source(real_data))
        assert list(check_store(store)) == []
