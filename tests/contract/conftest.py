# SPDX-License-Identifier: Apache-2.0
"""Every store that the contract holds for: embedded, the same served over Bolt, any Bolt server.

`FABULA_TEST_BOLT_URL` (with `FABULA_TEST_BOLT_USER`, `FABULA_TEST_BOLT_PASSWORD`) adds a
server. Its graph is EMPTIED by the tests.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from graph import queries
from graph.model import NODES, Meta
from graph.serve import GraphServer
from graph.store import GraphStore, open_graph

_STORES = ["embedded", "served", pytest.param("neo4j", marks=pytest.mark.neo4j)]
if os.environ.get("FABULA_TEST_BOLT_URL"):
    _STORES.append("external")


@pytest.fixture(scope="session", params=_STORES)
def any_store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[GraphStore]:
    with ExitStack() as stack:
        folder = tmp_path_factory.mktemp("contract") / "graph"
        if request.param == "neo4j":
            yield request.getfixturevalue("_neo4j_open")
            return
        if request.param == "embedded":
            store = open_graph(folder)
        elif request.param == "served":
            address = stack.enter_context(GraphServer(folder))
            password = address.password_file.read_text().strip()
            store = open_graph(address.url, user=address.user, password=password)
        else:
            store = open_graph(
                os.environ["FABULA_TEST_BOLT_URL"],
                user=os.environ.get("FABULA_TEST_BOLT_USER"),
                password=os.environ.get("FABULA_TEST_BOLT_PASSWORD"),
            )
        yield stack.enter_context(store)


@pytest.fixture
def store(any_store: GraphStore) -> GraphStore:
    """An empty graph."""

    def clear(tx):
        for cls in NODES:
            if cls is not Meta:
                tx.run(f"MATCH (n:{cls.__name__}) DETACH DELETE n")

    any_store.transact(clear)
    assert any_store.read(queries.count_label("Claim")) == [{"n": 0}]
    return any_store
