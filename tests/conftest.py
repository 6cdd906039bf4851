# SPDX-License-Identifier: Apache-2.0
"""Fixtures of all tests: a clean environment, real stores, golden files."""

from __future__ import annotations

import os
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
