# SPDX-License-Identifier: Apache-2.0
"""The bundled sample in an embedded graph; tests here only read it, or roll back."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.store import GraphStore, open_graph
from ingest.run import ingest
from ingest.source import SAMPLE, Source


@pytest.fixture(scope="session")
def sample_graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphStore]:
    with open_graph(tmp_path_factory.mktemp("sample") / "graph") as store:
        ingest(store, "all", Source(SAMPLE))
        yield store
