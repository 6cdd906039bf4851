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

from graph.store import GraphStore, open_graph


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
