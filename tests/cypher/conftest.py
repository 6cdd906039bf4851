# SPDX-License-Identifier: Apache-2.0
"""The sample graph of the cookbook: made once, copied for each engine."""

from __future__ import annotations

from pathlib import Path

import cookbook
import pytest

from graph.store import open_graph


@pytest.fixture(scope="session")
def cookbook_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed embedded graph: copy it."""
    folder = tmp_path_factory.mktemp("cookbook") / "graph"
    with open_graph(folder) as store:
        cookbook.build(store)
    return folder
