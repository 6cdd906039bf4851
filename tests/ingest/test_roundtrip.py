# SPDX-License-Identifier: Apache-2.0
"""Every annotated field is in the graph: the rows can be made from it again."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from graph.store import GraphStore, open_graph
from ingest.readers import READERS
from ingest.run import ingest
from ingest.source import SAMPLE, Source


def rows_of(dataset: str, root: Path) -> dict[str, dict[str, dict[str, Any]]]:
    """Split -> key -> row, parsed in the plainest way."""
    reader = READERS.get(dataset)
    rows: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
    for file in reader.files(root):
        text = file.path.read_text(encoding="utf-8")
        for line in [text] if reader.whole_files else text.split("\n"):
            if line.strip():
                row = json.loads(line)
                rows[file.split][reader.key(reader.parse(row, file), file)] = row
    return rows


def assert_same(store: GraphStore, dataset: str, root: Path) -> None:
    for split, rows in rows_of(dataset, root).items():
        rebuilt = READERS.get(dataset).rebuild(store, split, list(rows))
        assert rebuilt.keys() == rows.keys()
        for key, row in rows.items():
            assert rebuilt[key] == row, key


@pytest.mark.parametrize("dataset", ["poque", "pasta", "choice75"])
def test_sample(sample_store: GraphStore, dataset: str) -> None:
    assert_same(sample_store, dataset, SAMPLE)


def test_unknown_keys_give_nothing(sample_store: GraphStore) -> None:
    for name in READERS:
        assert READERS.get(name).rebuild(sample_store, "test", ["no such key"]) == {}


@pytest.mark.data
def test_real_data(real_data: Path, tmp_path: Path) -> None:
    with open_graph(tmp_path / "graph") as store:
        report = ingest(store, "all", Source(real_data))
        assert report.rejections == 0
        for name in READERS:
            assert_same(store, name, real_data)
        again = ingest(store, "all", Source(real_data))
        assert all(part.unchanged == part.read for part in again.datasets)
