# SPDX-License-Identifier: Apache-2.0
"""The formats that hold the whole graph: there and back, nothing is lost, nothing half is left."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import networkx as nx
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graph import elements
from graph.batch import Edge
from graph.canonical import canonical_hash
from graph.errors import DataError, UsageError
from graph.formats.base import Selection
from graph.formats.graphml import edge_kinds, node_kinds, unescape
from graph.formats.registry import FORMATS
from graph.model import EDGES, NODES, FactorSet, Ref, Story
from graph.schema import edge_property_kind, properties, property_kind
from graph.store import open_graph
from graph.views import to_networkx

NAMES = ["csv", "cypher", "graphml", "parquet"]


def write(name, selection, folder) -> Path:
    chosen = FORMATS.get(name)
    out = folder / f"out{chosen.suffix}"
    written = chosen.write(selection, out)
    assert written.files == (out,)
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []
    return out


def read(name, path):
    with FORMATS.get(name).read(path) as content:
        return list(content.nodes), list(content.edges)


@pytest.mark.parametrize("name", NAMES)
def test_the_graph_comes_back_as_it_was(name, predicted, tmp_path):
    comes_back(name, predicted, tmp_path)


def comes_back(name, store, folder):
    chosen = FORMATS.get(name)
    out = folder / f"out{chosen.suffix}"
    written = chosen.write(Selection(store), out)
    with open_graph(folder / "copy") as copy, chosen.read(out) as content:
        created = elements.load(copy, content.nodes, content.edges)
        assert created == (written.nodes, written.edges)
        assert canonical_hash(copy) == canonical_hash(store)
        assert created.nodes == copy.read("MATCH (n) RETURN count(n) AS n")[0]["n"] - 1


def test_a_hostile_graph_comes_back_as_it_was(hostile, tmp_path):
    comes_back("csv", hostile, tmp_path)


@pytest.mark.parametrize("name", NAMES)
def test_hostile_values_come_back_as_they_were(name, hostile, tmp_path):
    nodes, edges = read(name, write(name, Selection(hostile), tmp_path))
    assert Counter(map(repr, nodes)) == Counter(map(repr, elements.nodes(hostile)))
    assert Counter(edges) == Counter(elements.edges(hostile))


@pytest.mark.parametrize("name", NAMES)
def test_what_belongs_to_a_story_can_be_written_alone(name, predicted, tmp_path):
    story = predicted.read(
        "MATCH (:Story)-[:REVISES]->(s:Story) RETURN s.id AS id ORDER BY id LIMIT 1"
    )[0]["id"]
    selection = Selection(predicted, [Ref("Story", story)])
    nodes, edges = read(name, write(name, selection, tmp_path))
    assert sorted(nodes, key=lambda node: node.id) == sorted(
        selection.nodes(), key=lambda node: node.id
    )
    assert sorted(edges) == sorted(selection.edges())


class Given(Selection):
    """A selection that hypothesis made: no store is needed to write it."""

    def __init__(self, batch) -> None:
        self._batch = batch

    def nodes(self):
        return iter(self._batch[0])

    def edges(self):
        return iter(self._batch[1])


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20) | st.text('"\\\x1e\x1f_x0')


@pytest.mark.parametrize("name", NAMES)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=st.lists(st.tuples(texts, st.none() | texts, st.lists(texts, max_size=3))))
def test_any_text_comes_back(name, rows, tmp_path):
    nodes, edges = [], []
    for at, (text, title, items) in enumerate(rows):
        nodes.append(Story(id=f"s{at}", dataset="", key=text, text=text, title=title))
        edges.append(Edge("REVISES", Ref("Story", f"s{at}"), Ref("Story", "s0")))
        nodes.append(FactorSet(id=f"f{at}", source="gold", item=text, texts=tuple(items)))
    # Tables come back one by one.
    nodes.sort(key=lambda node: (type(node).__name__ != "Story", node.id))
    found = read(name, write(name, Given((nodes, edges)), tmp_path))
    assert (sorted(found[0], key=lambda n: (type(n).__name__ != "Story", n.id)), found[1]) == (
        nodes, edges,
    )  # fmt: skip


# --- what is there already -------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_failed_export_leaves_what_was_there(name, hostile, tmp_path):
    out = write(name, Selection(hostile), tmp_path)
    before = {path: path.read_bytes() for path in [out, *out.rglob("*")] if path.is_file()}

    class Broken(Given):
        def edges(self):
            raise RuntimeError("the power went")

    with pytest.raises(RuntimeError, match="the power went"):
        FORMATS.get(name).write(Broken(([Story(id="s", dataset="", key="", text="")], [])), out)
    assert {p: p.read_bytes() for p in [out, *out.rglob("*")] if p.is_file()} == before
    assert [path.name for path in tmp_path.iterdir()] == [out.name]
    again = Given(([Story(id="s", dataset="", key="", text="")], []))
    assert write(name, again, tmp_path) == out
    assert read(name, out) == (again._batch[0], [])


@pytest.mark.parametrize("name", ["csv", "parquet"])
def test_a_folder_of_the_user_is_never_replaced(name, hostile, tmp_path):
    precious = tmp_path / "thesis.txt"
    precious.write_text("years of work")
    with pytest.raises(UsageError, match="not a folder that an export wrote"):
        FORMATS.get(name).write(Selection(hostile), tmp_path)
    assert precious.read_text() == "years of work"
    with pytest.raises(UsageError, match=r"thesis\.txt is not a folder"):
        FORMATS.get(name).write(Selection(hostile), precious)


def test_a_file_does_not_replace_a_folder(hostile, tmp_path):
    with pytest.raises(UsageError, match="give the name of a file"):
        FORMATS.get("graphml").write(Selection(hostile), tmp_path)


# --- files that are not ours -----------------------------------------------------------------


def damaged(name, store, folder, old, new, file=""):
    """Exports, changes a piece of a file, and tells what the reader says."""
    out = write(name, store if isinstance(store, Selection) else Selection(store), folder)
    path = out / file if file else out
    text = path.read_bytes()
    assert old in text
    path.write_bytes(text.replace(old, new, 1))
    with pytest.raises(DataError) as caught:
        read(name, out)
    shutil.rmtree(out) if out.is_dir() else out.unlink()
    return str(caught.value).replace(str(folder), "")


STORY = Story(id="s", dataset="d", key="k", text="two\nlines")
SMALL = Given(([STORY, Story(id="t", dataset="d", key="k", text="t")], [
    Edge("REVISES", Ref("Story", "s"), Ref("Story", "t")),
]))  # fmt: skip


@pytest.mark.parametrize(
    ("name", "file", "old", "new", "says"),
    [
        ("graphml", "", b"</graphml>", b"", r"line \d+: not XML: no element found"),
        ("graphml", "", b'"n_dataset">', b'"n_data">', r"line \d+: not a node of the schema"),
        ("graphml", "", b">REVISES<", b">REVISED<", r"line \d+: not an edge of the schema"),
        ("graphml", "", b'target="t"', b'target="z"', r"line \d+: not an edge of the schema: 'z'"),
        ("graphml", "", b'"g_schema_version">1', b'"g_schema_version">99', "schema version 99"),
        ("graphml", "", b'key="g_schema_version"', b'key="x"', "no schema_version"),
        ("graphml", "", b"?>\n", b'?>\n<!DOCTYPE x [<!ENTITY y "z">]>\n', "line 2: a doc"),
        ("csv", "Story.csv", b"id:ID", b"key:ID", "Story.csv, line 1: not the header line"),
        ("csv", "Story.csv", b'"s",', b'"s",,', "Story.csv, line 2: .* columns, not 7"),
        ("csv", "Story.csv", b'"t"\x2c"Story"', b'"t","Goal"', "line 4: the labels are not those"),
        ("csv", "Story.csv", b'\n"t"', b'\n"', r"Story.csv, line \d: "),
        ("csv", "Story.csv", b'lines"', b"lines", r"Story.csv, line 2: "),
        ("csv", "Story-REVISES-Story.csv", b'"t"', b"", "line 2: an edge needs the ids"),
        ("csv", "fabula.json", b'"csv"', b'"parquet"', "is an export to parquet, not to csv"),
        ("csv", "fabula.json", b'"schema_version": 1', b'"schema_version": 9', "schema version 9"),
        ("parquet", "fabula.json", b"{", b"", "cannot be read"),
        ("parquet", "Story.parquet", b"\0PAR1", b"\0PAR2", r"Story.parquet, after row 0: "),
        ("cypher", "", b'"two', b'two', r"line \d+: not a row of values"),
        ("cypher", "", b', "two\\nlines"', b"", r"line \d+: 5 values, not 6"),
        ("cypher", "", b"MERGE (a)", b"CREATE (a)", r"line \d+: not a row of values"),
        ("cypher", "", b"CREATE C", b"DROP C", "line 2: a statement that no export writes"),
        ("cypher", "", b"version 1", b"version 2", "schema version 2"),
        ("cypher", "", b"// Fabula", b"//", "line 1: not a dump that"),
    ],
)  # fmt: skip
def test_a_damaged_file_is_refused_with_its_place(name, file, old, new, says, tmp_path):
    told = damaged(name, SMALL, tmp_path, old, new, file)
    assert re.search(says, told), told


@pytest.mark.parametrize("name", ["cypher", "graphml"])
def test_a_file_that_was_cut_off_is_refused(name, hostile, tmp_path):
    out = write(name, Selection(hostile), tmp_path)
    whole = out.read_bytes()
    for part in (0.1, 0.5, 0.9, 0.9999):
        out.write_bytes(whole[: int(len(whole) * part)])
        with pytest.raises(DataError, match=r"out\.\w+, line \d+"):
            read(name, out)


# --- what other tools read -------------------------------------------------------------------


def test_networkx_reads_the_graphml_as_the_same_graph(predicted, hostile, tmp_path):
    for at, store in enumerate((predicted, hostile)):
        (tmp_path / str(at)).mkdir()
        out = write("graphml", Selection(store), tmp_path / str(at))
        found = nx.read_graphml(out, edge_key_type=str, force_multigraph=True)
        wanted = to_networkx(store)
        lists = {name for name, kind in node_kinds().items() if kind == "list"}

        def plain(values, lists=lists):
            return {
                key: json.loads(unescape(value)) if key in lists
                else unescape(value) if isinstance(value, str) else value
                for key, value in values.items()
            }  # fmt: skip

        assert {unescape(id): plain(data) for id, data in found.nodes(data=True)} == dict(
            wanted.nodes(data=True)
        )
        edges = [
            (source, target, data.pop("key"), data)
            for source, target, data in found.edges(data=True)
        ]
        assert sorted(edges, key=repr) == sorted(wanted.edges(keys=True, data=True), key=repr)


def test_an_attribute_has_one_kind_in_all_labels():
    for cls in NODES:
        for name in properties(cls.__name__):
            assert name == "id" or node_kinds()[name] == property_kind(cls.__name__, name)
    for edge in EDGES:
        for name in edge.properties:
            assert edge_kinds()[name] == edge_property_kind(edge.name, name)


def test_edge_properties_are_of_the_declared_kind(predicted):
    for edge in elements.edges(predicted):
        for name, value in edge.properties:
            assert type(value).__name__ == edge_property_kind(edge.type, name)


def test_parquet_has_typed_columns(predicted, tmp_path):
    out = write("parquet", Selection(predicted), tmp_path)
    table = pq.read_table(out / "ChangeModeSet.parquet")
    assert {name: str(table.schema.field(name).type) for name in ("modes", "confidence")} == {
        "modes": "list<element: string>", "confidence": "double",
    }  # fmt: skip
    edges = pq.read_table(out / "Branch-HAS_OPTION-Option.parquet").to_pylist()
    assert set(edges[0]) == {"source", "target", "number"}
    assert (
        pq.ParquetFile(out / "Story.parquet").metadata.row_group(0).column(0).compression == "ZSTD"
    )
