# SPDX-License-Identifier: Apache-2.0
"""Fixtures of all tests: a clean environment, real stores, golden files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from neo4j_server import LTS, Neo4jServer, UnavailableError

from graph import queries
from graph.model import NODES, Meta
from graph.store import GraphStore, Transaction, open_graph


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests must not reach a user's graph."""
    for name in ("FABULA_GRAPH", "FABULA_GRAPH_USER", "FABULA_GRAPH_PASSWORD"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def real_data() -> Path:
    """The real data sets, for tests with the marker `data`."""
    folder = os.environ.get("FABULA_DATA")
    if not folder:
        pytest.skip("FABULA_DATA is not set: the real data sets are needed here")
    return Path(folder).resolve()


@pytest.fixture
def embedded(tmp_path: Path) -> Iterator[GraphStore]:
    """A new embedded graph."""
    with open_graph(tmp_path / "graph") as store:
        yield store


@pytest.fixture(scope="session")
def predicted_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed embedded graph of the whole sample with predictions of some rules: copy it."""
    root = tmp_path_factory.mktemp("predicted")
    tasks = ["poque", "pasta", "choice75.decision"]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.run", *tasks, "--graph", str(root / "graph"),
         "--out", str(root / "out"), "--limit", "4"],
        env={k: v for k, v in os.environ.items() if not k.startswith("FABULA")}
        | {"FABULA_OFFLINE": "1"},
        cwd=root, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return root / "graph"


@pytest.fixture(scope="module")
def predicted(
    predicted_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[GraphStore]:
    """The sample with predictions, open, for a module's tests that only read."""
    copy = tmp_path_factory.mktemp("read") / "graph"
    shutil.copytree(predicted_folder, copy)
    with open_graph(copy) as store:
        yield store


@pytest.fixture(scope="session")
def neo4j_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neo4jServer]:
    """A real Neo4j of the version that FABULA_TEST_NEO4J_VERSION names."""
    version = os.environ.get("FABULA_TEST_NEO4J_VERSION", LTS)
    server = Neo4jServer(tmp_path_factory.mktemp("neo4j"), version)
    try:
        server.start()
    except UnavailableError as error:
        pytest.skip(str(error))
    yield server
    server.stop()


@pytest.fixture(scope="session")
def _neo4j_open(neo4j_server: Neo4jServer) -> Iterator[GraphStore]:
    with open_graph(
        neo4j_server.url, user=neo4j_server.user, password=neo4j_server.password
    ) as store:
        yield store


@pytest.fixture
def neo4j_store(_neo4j_open: GraphStore) -> GraphStore:
    """A real Neo4j with an empty graph."""
    empty(_neo4j_open)
    return _neo4j_open


def empty(store: GraphStore) -> None:
    """Deletes everything but the graph's own description."""

    def some(tx: Transaction, label: str) -> int:
        text = f"MATCH (n:{label}) WITH n LIMIT 5000 DETACH DELETE n RETURN count(n) AS n"
        return int(tx.run(text)[0]["n"])

    for cls in NODES:
        if cls is not Meta:
            while store.transact(lambda tx, label=cls.__name__: some(tx, label)):  # type: ignore[misc]
                pass
    assert store.read(queries.count_label("Claim")) == [{"n": 0}]
