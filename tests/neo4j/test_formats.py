# SPDX-License-Identifier: Apache-2.0
"""Neo4j reads what the formats made for it write: the same graph, to the last character."""

from __future__ import annotations

import contextlib
import importlib.util
import os
from pathlib import Path

import pytest
from neo4j_server import LTS, Neo4jServer, UnavailableError, admin

from graph.canonical import canonical_hash
from graph.formats.base import Selection
from graph.formats.registry import FORMATS
from graph.store import open_graph

pytestmark = pytest.mark.neo4j

VERSION = os.environ.get("FABULA_TEST_NEO4J_VERSION", LTS)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """The hostile graph of tests/graph, which is no package that could be imported."""
    path = Path(__file__).parent.parent / "graph" / "conftest.py"
    spec = importlib.util.spec_from_file_location("hostile", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with open_graph(tmp_path_factory.mktemp("hostile") / "graph") as store:
        store.write(module.hostile_batch())
        yield store


def run_script(store, path):
    """What `cypher-shell -f` does with a file in which each statement ends its last line."""
    statement = ""
    with path.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            statement += line
            if line.endswith(";\n"):
                store.transact(lambda tx, text=statement: tx.run(text))
                statement = ""
    assert statement == ""


@pytest.mark.parametrize("which", ["predicted", "hostile"])
def test_neo4j_admin_imports_the_csv_folder(which, request, tmp_path):
    store = request.getfixturevalue(which)
    out = tmp_path / "csv"
    FORMATS.get("csv").write(Selection(store), out)
    try:
        server = Neo4jServer(tmp_path / "server", VERSION)
        with contextlib.chdir(out):
            arguments = ["database", "import", "full", "@import.args", "neo4j"]
            assert admin(tmp_path / "server", VERSION, arguments) == 0
        server.start()
    except UnavailableError as error:
        pytest.skip(str(error))
    try:
        with open_graph(server.url, user=server.user, password=server.password) as imported:
            run_script(imported, out / "after.cypher")
            assert canonical_hash(imported) == canonical_hash(store)
            indexes = imported.read("SHOW INDEXES YIELD name, state RETURN name, state")
            states = {row["name"]: row["state"] for row in indexes}
            assert {"story_id", "story_text", "sentence_text"} <= set(states)
            assert set(states.values()) == {"ONLINE"}
    finally:
        server.stop()


@pytest.mark.parametrize("which", ["predicted", "hostile"])
def test_neo4j_runs_the_cypher_dump(which, request, neo4j_store, tmp_path):
    store = request.getfixturevalue(which)
    out = tmp_path / "graph.cypher"
    FORMATS.get("cypher").write(Selection(store), out)
    for _ in range(2):
        run_script(neo4j_store, out)
        assert canonical_hash(neo4j_store) == canonical_hash(store)


@pytest.mark.parametrize("name", ["csv", "cypher", "graphml", "parquet"])
def test_neo4j_exports_the_same_content(name, neo4j_store, hostile, tmp_path):
    """What was written from the embedded engine is written from Neo4j, in whatever order."""
    from graph import elements

    elements.load(neo4j_store, elements.nodes(hostile), elements.edges(hostile))
    found = []
    for at, store in enumerate((hostile, neo4j_store)):
        out = tmp_path / f"{at}{FORMATS.get(name).suffix}"
        FORMATS.get(name).write(Selection(store), out)
        with FORMATS.get(name).read(out) as content:
            found.append((sorted(map(repr, content.nodes)), sorted(map(repr, content.edges))))
    assert found[0] == found[1]
