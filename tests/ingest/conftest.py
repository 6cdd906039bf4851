# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the ingest tests: copies of the sample, and one graph that holds it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graph.store import GraphStore, open_graph
from ingest.run import ingest
from ingest.source import SAMPLE, Source


class DataFolder:
    """A data folder that a test may change."""

    def __init__(self, root: Path) -> None:
        self.root = root
        shutil.copytree(SAMPLE, root)

    @property
    def source(self) -> Source:
        return Source(self.root, download=False)

    def rows(self, name: str) -> list[dict[str, Any]]:
        text = (self.root / name).read_text(encoding="utf-8")
        if name.endswith(".json"):
            return [json.loads(text)]
        return [json.loads(line) for line in text.splitlines()]

    def write(self, name: str, rows: list[dict[str, Any]]) -> None:
        self.write_lines(name, [json.dumps(row) for row in rows])

    def write_lines(self, name: str, lines: list[str]) -> None:
        (self.root / name).write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "data")


@pytest.fixture
def clean(tmp_path: Path) -> DataFolder:
    """A second copy, to compare with."""
    return DataFolder(tmp_path / "clean")


@pytest.fixture(scope="session")
def sample_store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphStore]:
    """A graph with the sample; for reading only."""
    with open_graph(tmp_path_factory.mktemp("sample") / "graph") as store:
        ingest(store, "all", Source(SAMPLE))
        yield store
