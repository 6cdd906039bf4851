# SPDX-License-Identifier: Apache-2.0
"""RDF: what is written is what rdflib reads, comes back as the same graph, and is documented."""

from __future__ import annotations

import importlib.util
import itertools
import json
import math
import re
import subprocess
import sys
import tracemalloc
import warnings
from collections import Counter
from pathlib import Path

import pytest
import rdflib

from graph import elements
from graph.batch import Edge, GraphBatch
from graph.canonical import canonical_hash
from graph.errors import DataError, UsageError
from graph.formats.base import Selection
from graph.formats.rdf import vocabulary as v
from graph.formats.rdf.documents import parse
from graph.formats.rdf.ontology import owl
from graph.formats.rdf.statements import describe_node
from graph.formats.registry import FORMATS
from graph.model import (
    EDGES,
    Branch,
    ChangeModeSet,
    Event,
    Model,
    Option,
    Participant,
    ProcessSummary,
    Ref,
    Run,
)
from graph.schema import property_kind
from graph.store import open_graph
from ingest.run import ingest
from ingest.source import Source

ROOT = Path(__file__).resolve().parent.parent.parent
ALL = ("jsonld", "nquads", "ntriples", "trig", "turtle")
NAMED = ("nquads", "trig")


class Held(Selection):
    """A selection of what is at hand."""

    def __init__(self, nodes=(), edges=()):
        self._batch = GraphBatch(tuple(nodes), tuple(edges))

    whole = False

    def nodes(self):
        return iter(self._batch.nodes)

    def edges(self):
        return iter(self._batch.edges)

    def batches(self):
        yield self._batch


def triples(path, name):
    """What rdflib reads, as strings that differ where terms differ; without the graphs."""
    return {tuple(term.n3() for term in triple) for triple in parse(path, name)}


@pytest.fixture(scope="module")
def datasets(files):
    """The files with named graphs, as rdflib's data sets."""
    found = {name: rdflib.Dataset() for name in NAMED}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        for name, dataset in found.items():
            dataset.parse(files[name], format=name)
    return found


def quads(dataset):
    """The statements of a data set, with the name of their graph, as strings."""
    default = str(dataset.default_graph.identifier)
    return {
        (*(term.n3() for term in triple), str(graph.identifier).replace(default, ""))
        for triple, graphs in dataset.store.triples((None, None, None))
        for graph in graphs
        if graph is not None
    }


@pytest.fixture(scope="module")
def files(predicted, tmp_path_factory):
    """The sample with predictions, in every format."""
    folder = tmp_path_factory.mktemp("rdf")
    nodes, edges = len(list(elements.nodes(predicted))), len(list(elements.edges(predicted)))
    found = {}
    for name in ALL:
        path = folder / f"sample{FORMATS.get(name).suffix}"
        assert FORMATS.get(name).write(Selection(predicted), path) == (nodes, edges, (path,))
        found[name] = path
    assert sorted(folder.iterdir()) == sorted(found.values()), "no half-written files stay"
    return found


@pytest.fixture(scope="module")
def read(files):
    """The triples of every file, as rdflib reads them."""
    return {name: triples(path, name) for name, path in files.items()}


# --- round trips -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ALL)
def test_all_formats_say_the_same(name, read):
    assert len(read["ntriples"]) > 10_000
    assert read[name] == read["ntriples"]
    assert not [term for triple in read[name] for term in triple if term.startswith("_:")]


@pytest.mark.parametrize("name", ALL)
def test_a_file_gives_the_same_graph_and_that_the_same_file(name, files, predicted, tmp_path):
    format, again = FORMATS.get(name), tmp_path / "again"
    with open_graph(tmp_path / "new") as new:
        with format.read(files[name]) as content:
            elements.load(new, content.nodes, content.edges)
        assert canonical_hash(new) == canonical_hash(predicted)
        format.write(Selection(new), again)
    if name in ("ntriples", "nquads"):  # their order is the store's
        one, other = (path.read_bytes().splitlines() for path in (again, files[name]))
        assert sorted(one) == sorted(other)
    else:
        assert again.read_bytes() == files[name].read_bytes()


def test_runs_have_named_graphs_with_their_claims(datasets, predicted):
    runs = predicted.read("MATCH (r:Run)-[:PRODUCED]->(c:Claim) RETURN r.id AS run, c.id AS claim")
    assert len({row["run"] for row in runs}) > 1
    found = quads(datasets["trig"])
    assert found == quads(datasets["nquads"])
    graph = {row["claim"]: str(v.node_iri(Ref("Run", row["run"]))) for row in runs}
    for subject, predicate, _, name in found:
        node = v.node_of(subject[1:-1].partition("#")[0])
        assert name == graph.get(node.id, ""), predicate


def test_a_run_alone_is_in_its_graph(predicted, tmp_path):
    run = predicted.read("MATCH (r:Run)-[:PRODUCED]->() RETURN r.id AS id LIMIT 1")[0]["id"]
    path = tmp_path / "run.nq"
    FORMATS.get("nquads").write(Selection(predicted, [Ref("Run", run)]), path)
    graphs = {line.split(" ")[-2] for line in path.read_text(encoding="utf-8").splitlines()}
    assert {graph for graph in graphs if "/Run/" in graph} == {f"<{v.node_iri(Ref('Run', run))}>"}


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("dataset", ["choice75", "pasta", "poque"])
def test_real_data_come_back_from_turtle(dataset, real_data, tmp_path):
    turtle, triples_of = FORMATS.get("turtle"), FORMATS.get("ntriples")
    with open_graph(tmp_path / "one") as one, open_graph(tmp_path / "two") as two:
        ingest(one, dataset, Source(real_data))
        turtle.write(Selection(one), tmp_path / "1.ttl")
        with turtle.read(tmp_path / "1.ttl") as content:
            elements.load(two, content.nodes, content.edges)
        assert canonical_hash(one) == canonical_hash(two)
        turtle.write(Selection(two), tmp_path / "2.ttl")
        # The same bytes: stronger than isomorphic.
        assert (tmp_path / "1.ttl").read_bytes() == (tmp_path / "2.ttl").read_bytes()
        triples_of.write(Selection(one), tmp_path / "1.nt")
        with triples_of.read(tmp_path / "1.nt") as content:
            assert sum(1 for _ in content.nodes) == len(list(elements.nodes(one)))
            assert sum(1 for _ in content.edges) == len(list(elements.edges(one)))


# --- values ------------------------------------------------------------------------------------

CHARACTERS = "".join(
    map(chr, [*range(0x300), 0x2028, 0x2029, 0xE000, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF, 0x1F600,
              0x10FFFF])
)  # fmt: skip
SUMMARY = {"source": "predicted", "item": "x", "text": ""}
NODES = (
    Option(id="plain", text=CHARACTERS),
    Option(id="\ufeff", text='"""\\u0041\\'),
    Option(id=CHARACTERS, text=""),
    Option(id="..", text="."),
    Option(id="a/b#c?d e%20", text="\r\n"),
    ProcessSummary(id="s1", **SUMMARY, confidence=0.1 + 0.2, alternatives=()),
    ProcessSummary(id="s2", **SUMMARY, confidence=5e-324, alternatives=("a", "b", "a", "", "\0")),
    ProcessSummary(id="s3", **SUMMARY, confidence=1e300),
    ProcessSummary(id="s4", **SUMMARY, confidence=-0.0),
    ProcessSummary(id="s5", **SUMMARY, confidence=math.inf),
    ProcessSummary(id="s6", **SUMMARY, confidence=1.0),
    ChangeModeSet(id="m", source="gold", item="x", modes=()),
    Participant(id="p", name="P", source="gold", animate=False),
    Event(id="e", predicate="go", text="goes", start=2**60, end=2**61, index=0),
    Branch(id="b", dataset="d", split="s", format="f", key="k", text="t", step_index=0),
    Run(id="r", task="t", reasoner="x", split="s", setting="oracle", seed=-1, settings="{}",
        version="1", started="not a time"),
    Model(id="w", name="w"),
)  # fmt: skip
EDGE_LIST = (
    Edge("HAS_ARGUMENT", Ref("Event", "e"), Ref("Participant", "p"), (("role", 'the "agent"'),)),
    Edge("HAS_OPTION", Ref("Branch", "b"), Ref("Option", "plain"), (("number", 1),)),
    Edge("HAS_OPTION", Ref("Branch", "b"), Ref("Option", ".."), (("number", 2),)),
    Edge("HAS_OPTION", Ref("Branch", "b"), Ref("Option", "a/b#c?d e%20")),
    Edge("PRODUCED", Ref("Run", "r"), Ref("ProcessSummary", "s2")),
)


@pytest.mark.parametrize("name", ALL)
def test_every_value_survives(name, tmp_path):
    path = tmp_path / "file"
    FORMATS.get(name).write(Held(NODES, EDGE_LIST), path)
    with FORMATS.get(name).read(path) as content:
        nodes = {node.id: node for node in content.nodes}
        assert nodes == {node.id: node for node in NODES}
        assert {repr(node) for node in nodes.values()} == {repr(node) for node in NODES}  # -0.0
        assert Counter(content.edges) == Counter(EDGE_LIST)


@pytest.mark.parametrize("name", ALL)
def test_not_a_number_survives(name, tmp_path):
    path = tmp_path / "file"
    FORMATS.get(name).write(Held([ProcessSummary(id="n", **SUMMARY, confidence=math.nan)]), path)
    with FORMATS.get(name).read(path) as content:
        (node,) = content.nodes
    assert math.isnan(node.confidence)


@pytest.mark.parametrize("name", ALL)
def test_half_a_character_is_refused_and_what_was_there_stays(name, tmp_path):
    path = tmp_path / "file"
    path.write_text("before")
    with pytest.raises(DataError, match=r"surrogate '\\ud800' after .*half "):
        FORMATS.get(name).write(Held([Option(id="x", text="half \ud800")]), path)
    with pytest.raises(DataError, match=r"id 'half\\ud800'"):
        FORMATS.get(name).write(Held([Option(id="half\ud800", text="")]), path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ALL)
def test_an_empty_graph_is_a_file(name, tmp_path):
    path = tmp_path / "file"
    FORMATS.get(name).write(Held(), path)
    assert triples(path, name) == set()
    with FORMATS.get(name).read(path) as content:
        assert not list(content.nodes)
        assert not list(content.edges)


# --- memory ------------------------------------------------------------------------------------


class Many(Held):
    """A long selection that is never held as a whole."""

    def nodes(self):
        return (Option(id=f"o{number}", text="a story " * 20) for number in range(4000))


@pytest.mark.parametrize("name", ["ntriples", "nquads"])
def test_lines_are_streams(name, tmp_path):
    path = tmp_path / "file"
    tracemalloc.start()
    try:
        FORMATS.get(name).write(Many(), path)
        with FORMATS.get(name).read(path) as content:
            assert sum(1 for _ in content.nodes) == 4000
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert path.stat().st_size > 1_500_000
    assert peak < 500_000


def test_lines_are_read_as_they_are_asked_for(tmp_path):
    path = tmp_path / "file.nt"
    FORMATS.get("ntriples").write(Held(NODES), path)
    path.write_text(path.read_text(encoding="utf-8") + "nonsense\n", encoding="utf-8")
    with FORMATS.get("ntriples").read(path) as content:
        assert next(content.nodes).id == "plain"
        with pytest.raises(DataError, match="nonsense"):
            list(content.nodes)


def test_lines_need_no_extra():
    code = (
        "import sys; from pathlib import Path; from graph.formats.registry import FORMATS\n"
        "for name in FORMATS: FORMATS.get(name)\n"
        "assert not {'rdflib', 'pyshacl'} & set(sys.modules)\n"
        "sys.modules['rdflib'] = None\n"
        "import tempfile; path = Path(tempfile.mkdtemp()) / 'x.nt'\n"
        "path.write_text('')\n"
        "with FORMATS.get('ntriples').read(path) as content: assert not list(content.nodes)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


# --- mistakes ----------------------------------------------------------------------------------

O1 = f"<{v.IDS}Option/1>"
OPTION = f'{O1} <{v.TYPE}> <{v.NS}Option> .\n{O1} <{v.NS}id> "1" .\n{O1} <{v.NS}text> "t" .\n'
P1 = f"<{v.IDS}Participant/1>"
MODES = f"<{v.IDS}ChangeModeSet/1>"
MISTAKES = {
    "no statement": ("nonsense", "line 4: not a statement: 'nonsense'"),
    "no dot": (f'{O1} <{v.NS}text> "t"', "line 4: not a statement"),
    "an unclosed string": (f'{O1} <{v.NS}text> "t .', "line 4: not a statement"),
    "an unknown escape": (f'{O1} <{v.NS}text> "\\q" .', "line 4: not a statement"),
    "half a character": (f'{O1} <{v.NS}text> "\\uD800" .', r"line 4: \\uD800 is no character"),
    "a blank node": (f"_:x <{v.NS}text> \"t\" .", "blank nodes"),
    "a language": (f'{O1} <{v.NS}text> "t"@en .', "language"),
    "an unknown property": (f'{O1} <{v.NS}mood> "t" .', r"a Option has no property <\S+mood>"),
    "a foreign property": (f'{O1} <http://x.org/y> "t" .', "no property <http://x.org/y>"),
    "an unknown class": (f"{O1} <{v.TYPE}> <http://x.org/y> .", "no class <http://x.org/y>"),
    "another class": (f"{O1} <{v.TYPE}> <{v.NS}Step> .", "its types should be"),
    "two values": (f'{O1} <{v.NS}text> "u" .', "text has two values: '[tu]' and '[tu]'"),
    "another type": (f"{O1} <{v.NS}text> {O1} .", "text is 'https.* and should be"),
    "another id": (f'{O1} <{v.NS}id> "2" .', "id has two values"),
    "a foreign node": (f"<http://x.org/y> <{v.TYPE}> <{v.NS}Option> .", "does not name a node"),
    "an unknown label": (f"<{v.IDS}Mood/1> <{v.TYPE}> <{v.NS}Mood> .", "does not name a node"),
    "an unknown datatype": (f'{O1} <{v.NS}text> "t"^^<http://x.org/y> .', "has no literals of"),
    "a bad number": (f'{O1} <{v.NS}text> "t"^^<{v.DATATYPES["int"]}> .', "'t' is not of the data"),
    "a wrong edge": (f"{O1} <{v.NS}stateOf> {P1} .", "STATE_OF cannot start from a Option"),
    "a literal end": (f'{O1} <{v.NS}stateOf> "p" .', "leads to the literal 'p'"),
    "something loose": (f'<{v.IDS}Option/1#x> <{v.NS}number> 1 .'.replace(" 1 .", ' "1" .'),
                        "says what the node does not"),
    "a missing property": (f'{P1} <{v.TYPE}> <{v.NS}Participant> .\n{P1} <{v.NS}name> "n" .',
                           r"line 4: <\S+Participant/1>: .*source"),
    "a broken list": (
        f"{MODES} <{v.TYPE}> <{v.NS}ChangeModeSet> .\n{MODES} <{v.TYPE}> <{v.NS}Claim> .\n"
        f"{MODES} <{v.NS}modes> {MODES[:-1]}#modes-0> .", "the list is broken"),
}  # fmt: skip


@pytest.mark.parametrize("what", MISTAKES)
def test_a_mistake_in_lines_is_named_with_its_place(what, tmp_path):
    lines, message = MISTAKES[what]
    path = tmp_path / "file.nt"
    path.write_text(OPTION + lines + "\n")
    with (
        pytest.raises(DataError, match=message) as caught,
        FORMATS.get("ntriples").read(path) as content,
    ):
        list(content.nodes), list(content.edges)
    assert str(path) in str(caught.value)
    assert ", line " in str(caught.value)


@pytest.mark.filterwarnings("ignore:.*not a valid.*")  # rdflib's, for a bad number
@pytest.mark.parametrize("what", [what for what in MISTAKES if "line 4" not in MISTAKES[what][1]])
def test_a_mistake_in_turtle_is_named(what, tmp_path):
    lines, message = MISTAKES[what]
    path = tmp_path / "file.ttl"
    path.write_text(OPTION + lines + "\n")
    with pytest.raises(DataError, match=message) as caught, FORMATS.get("turtle").read(path):
        pass
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text"),
    [("turtle", "a b c ."), ("trig", "GRAPH {"), ("jsonld", "{"),
     ("jsonld", "[1"), ("turtle", "\ufffe\0"), ("trig", '<a:b> <c:d> "')],
)  # fmt: skip
def test_malformed_documents_are_named(name, text, tmp_path):
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(DataError, match=f"file: not {name}: "), FORMATS.get(name).read(path):
        pass


def test_bytes_that_are_no_text_are_named(tmp_path):
    path = tmp_path / "file.nt"
    path.write_bytes(OPTION.encode() + b"\xff\n")
    with (
        pytest.raises(DataError, match="not UTF-8"),
        FORMATS.get("ntriples").read(path) as content,
    ):
        list(content.nodes)


def test_lines_in_another_order_are_refused_and_turtle_takes_them(tmp_path):
    path = tmp_path / "file.nt"
    FORMATS.get("ntriples").write(Held(NODES, EDGE_LIST), path)
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    path.write_text("\n".join(lines[::2] + lines[1::2]), encoding="utf-8")
    with (
        pytest.raises(DataError, match="must follow each other"),
        FORMATS.get("ntriples").read(path) as content,
    ):
        list(content.nodes)
    with FORMATS.get("turtle").read(path) as content:
        assert {node.id for node in content.nodes} == {node.id for node in NODES}
        assert Counter(content.edges) == Counter(EDGE_LIST)


def test_whole_nodes_may_stand_in_any_order(tmp_path):
    path = tmp_path / "file.nt"
    FORMATS.get("ntriples").write(Held(NODES[::-1]), path)
    edges = tmp_path / "edges.nt"
    FORMATS.get("ntriples").write(Held((), EDGE_LIST), edges)
    text = "# first the edges\r\n\n" + edges.read_text() + path.read_text(encoding="utf-8")
    path.write_text(text, encoding="utf-8")
    with FORMATS.get("ntriples").read(path) as content:
        assert {node.id for node in content.nodes} == {node.id for node in NODES}
        assert Counter(content.edges) == Counter(EDGE_LIST)


def test_four_terms_are_no_triple(files):
    with (
        pytest.raises(DataError, match="is it N-Quads"),
        FORMATS.get("ntriples").read(files["nquads"]) as content,
    ):
        list(content.nodes)


@pytest.mark.parametrize("name", ["owl", "shacl"])
def test_what_holds_no_graph_cannot_be_read(name, tmp_path):
    FORMATS.get(name).write(Held(), tmp_path / "file")
    assert len(rdflib.Graph().parse(tmp_path / "file", format="turtle")) > 500
    with pytest.raises(UsageError, match="written only"):
        FORMATS.get(name).read(tmp_path / "file")


# --- the vocabulary ----------------------------------------------------------------------------


def test_terms_do_not_clash():
    terms = [
        *map(v.class_iri, (*v.LABELS, *v.PARENTS)),
        *map(v.property_iri, dict.fromkeys(v.property_names())),
        *(v.edge_iri(edge.name) for edge in EDGES),
        *(v.relation_iri(edge.name) for edge in v.RELATIONS),
        v.FROM, v.TO, v.ROOT, v.RELATION,
    ]  # fmt: skip
    assert [term for term, count in Counter(terms).items() if count > 1] == []
    # One property for all labels: then its values must be of one kind.
    for name, labels in v.property_names().items():
        assert len({property_kind(label, name) for label in labels}) == 1, name


def test_mappings_name_what_the_model_declares():
    assert set(v.CLASS_PARENTS) <= {*v.LABELS, *v.PARENTS}
    assert set(v.PROPERTY_PARENTS) <= set(v.property_names())
    edges = {edge.name for edge in EDGES}
    steps = {step.lstrip("^") for chain in v.CHAINS.values() for step in chain}
    assert {*v.EDGE_PARENTS, *v.INVERSE_PARENTS, *steps} <= edges


def test_the_ontology_declares_every_term_that_is_written(read):
    ontology = rdflib.Graph().parse(data=owl(), format="turtle")
    declared = {subject.n3() for subject in ontology.subjects(rdflib.RDF.type)}
    own = f"<{v.NS}"
    used = {
        term for triple in read["ntriples"] for term in triple[1:] if term.startswith(own)
    }  # fmt: skip
    assert used
    assert used <= declared
    commented = {subject.n3() for subject in ontology.subjects(rdflib.RDFS.comment)}
    assert {term for term in declared if term.startswith(own)} <= commented


def test_ontology_shapes_and_tables_are_up_to_date():
    path = ROOT / "scripts" / "write_vocabulary.py"
    spec = importlib.util.spec_from_file_location("write_vocabulary", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for path, text in module.outputs().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: `make docs`"


def test_prov_follows_from_the_ontology(predicted):
    """What the ontology entails, by the rules of RDFS, of one claim of a run."""
    from owlrl import DeductiveClosure, RDFS_Semantics

    row = predicted.read("MATCH (r:Run)-[:PRODUCED]->(c:Endpoint) RETURN r.id AS r, c.id AS c")[0]
    run, claim = (rdflib.URIRef(v.node_iri(Ref(*ref))) for ref in
                  (("Run", row["r"]), ("Endpoint", row["c"])))  # fmt: skip
    data = rdflib.Graph().parse(data=owl(), format="turtle")
    data.add((run, rdflib.URIRef(v.edge_iri("PRODUCED")), claim))
    data.add((claim, rdflib.RDF.type, rdflib.URIRef(v.class_iri("Endpoint"))))
    DeductiveClosure(RDFS_Semantics).expand(data)
    prov = rdflib.Namespace(v.PREFIXES["prov"])
    assert (run, prov.generated, claim) in data
    assert (run, rdflib.RDF.type, prov.Activity) in data
    assert (claim, rdflib.RDF.type, prov.Entity) in data


# --- queries of the documentation --------------------------------------------------------------

SPARQL = re.findall(r"^```sparql\n(.*?)^```$", (ROOT / "docs" / "rdf.md").read_text(), re.M | re.S)
CYPHER = (
    "MATCH (x:Sentence)<-[:JUSTIFIED_BY]-(s:State)-[:STATE_OF]->(p:Participant) "
    "RETURN p.name AS who, s.text AS state, x.text AS because",
    "MATCH (s:State)<-[:COUNTERFACTUAL_TO]-(c:CounterfactualState)-[:HOLDS_IN]->(:Story)"
    "-[:HAS_SENTENCE]->(n:Sentence)-[:REPLACES]->(o:Sentence) "
    "RETURN s.text AS state, c.text AS counterfactual, o.text AS told, n.text AS instead",
    "MATCH (g:Decision {source: 'gold'})-[:ABOUT]->(:Scenario)<-[:ABOUT]-"
    "(d:Decision {source: 'predicted'})<-[:PRODUCED]-(r:Run) "
    "RETURN r.reasoner AS reasoner, "
    "sum(CASE WHEN g.choice = d.choice THEN 1 ELSE 0 END) AS right, count(d) AS answers",
    "MATCH (e:Endpoint)<-[:PRODUCED]-(r:Run)-[:MADE_BY]->(a:Reasoner) "
    "RETURN e.text AS endpoint, a.name AS agent, r.started AS when",
    "MATCH (p:Participant)<-[:REFERS_TO]-(m:Mention) "
    "RETURN p.name AS name, m.start AS start, m.end AS end, m.text AS words",
    "MATCH (one:Decision {choice: 1, source: 'gold'})-[:ABOUT]->(a:Scenario)-[:AT_BRANCH]->"
    "(b:Branch)<-[:AT_BRANCH]-(c:Scenario)<-[:ABOUT]-(two:Decision {choice: 2, source: 'gold'}) "
    "MATCH (b)-[:OF_GOAL]->(g:Goal) "
    "RETURN g.text AS goal, a.text AS first, c.text AS second",
    "MATCH (f:Factor {source: 'gold'})-[:ABOUT]->(u:ComplexEvent)<-[:ABOUT]-"
    "(e:Endpoint {source: 'gold'}) RETURN e.text AS endpoint, f.text AS factor",
    "MATCH (b:Branch)-[r:HAS_OPTION]->(o:Option) "
    "RETURN b.text AS branch, r.number AS number, o.text AS option",
    "MATCH (r:Run)-[:PRODUCED]->(c:Claim) "
    "RETURN r.reasoner AS reasoner, r.task AS task, count(c) AS claims",
)  # fmt: skip


@pytest.fixture(scope="module")
def with_ontology(datasets):
    """The sample with named graphs, and the ontology."""
    data = datasets["trig"]
    for triple in rdflib.Graph().parse(ROOT / "docs" / "fabula.ttl", format="turtle"):
        data.default_graph.add(triple)
    return data


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")
@pytest.mark.parametrize("place", range(len(CYPHER)))
def test_the_queries_of_the_page_give_what_cypher_gives(place, with_ontology, predicted):
    assert len(SPARQL) == len(CYPHER)
    # As in a store that holds all graphs; the last query asks for the graphs themselves.
    with_ontology.default_union = "GRAPH" not in SPARQL[place]
    prefixes = "".join(f"PREFIX {name}: <{iri}>\n" for name, iri in v.PREFIXES.items())
    found = list(with_ontology.query(prefixes + SPARQL[place]))
    rows = predicted.read(CYPHER[place])
    assert rows
    assert Counter(tuple(map(str, row)) for row in found) == Counter(
        tuple(map(str, row.values())) for row in rows
    )


# --- looks -------------------------------------------------------------------------------------


def test_turtle_reads_well(tmp_path):
    FORMATS.get("turtle").write(Held(NODES[6:7], EDGE_LIST[1:2]), tmp_path / "f")
    text = (tmp_path / "f").read_text(encoding="utf-8")
    assert text == (
        "@base <https://w3id.org/fabula/id/> .\n"
        "@prefix f: <https://w3id.org/fabula/ns#> .\n"
        "@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n"
        "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .\n"
        "@prefix oa: <http://www.w3.org/ns/oa#> .\n"
        "@prefix prov: <http://www.w3.org/ns/prov#> .\n"
        "\n<ProcessSummary/s2> a f:ProcessSummary, f:Claim ;\n"
        '    f:id "s2" ;\n    f:source "predicted" ;\n    f:item "x" ;\n'
        '    f:confidence "5e-324"^^xsd:double ;\n    f:text "" ;\n'
        "    f:alternatives <ProcessSummary/s2#alternatives-0> .\n"
        + "".join(
            f"\n<ProcessSummary/s2#alternatives-{n}> rdf:first {member} ;\n    rdf:rest {rest} .\n"
            for n, (member, rest) in enumerate(
                zip(
                    ('"a"', '"b"', '"a"', '""', '"\\u0000"'),
                    [*(f"<ProcessSummary/s2#alternatives-{n}>" for n in range(1, 5)), "rdf:nil"],
                    strict=True,
                )
            )
        )
        + "\n<Branch/b> f:hasOption <Option/plain> .\n"
        "\n<Branch/b#hasOption/Option/plain> a f:HasOption ;\n"
        "    f:from <Branch/b> ;\n    f:to <Option/plain> ;\n    f:number 1 .\n"
    )


def test_jsonld_has_one_object_a_line(files):
    text = files["jsonld"].read_text(encoding="utf-8")
    document = json.loads(text)
    lines = text.split('"@graph": [\n')[1].split("\n")[:-2]
    assert [json.loads(line.rstrip(",")) for line in lines] == document["@graph"]
    state = next(each for each in document["@graph"] if "State" in each.get("@type", ()))
    assert state["@id"] == f"State/{state['id']}"
    assert state["@type"] == ["State", "Claim"]


def test_a_node_says_the_same_about_itself_wherever_it_is():
    described = list(itertools.chain(*map(describe_node, NODES)))
    assert len({each.subject for each in described}) == len(described)
