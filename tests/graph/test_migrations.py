# SPDX-License-Identifier: Apache-2.0
"""Schema versions: new graphs get the current one, others are refused or migrated."""

from __future__ import annotations

import sys
import types

import pytest

from graph import queries
from graph.batch import GraphBatch
from graph.errors import MigrationError
from graph.migrations import MIGRATIONS, migrate, version_of
from graph.model import Participant
from graph.schema import SCHEMA_VERSION
from graph.store import open_graph


def set_version(store, version):
    values = {"version": version, "created_by": "test"}
    store.transact(lambda tx: tx.run(queries.SET_META, values))


def test_a_new_graph_has_the_current_version(embedded):
    assert version_of(embedded) == SCHEMA_VERSION
    assert migrate(embedded) == []


def test_every_version_has_its_migration():
    assert sorted(MIGRATIONS) == list(range(2, SCHEMA_VERSION + 1))


def test_an_older_graph_is_refused_with_the_command_to_run(tmp_path):
    with open_graph(tmp_path / "g") as store:
        set_version(store, SCHEMA_VERSION - 1)
    with pytest.raises(MigrationError, match="fabula graph migrate --graph"):
        open_graph(tmp_path / "g")


def test_a_newer_graph_is_refused(tmp_path):
    with open_graph(tmp_path / "g") as store:
        set_version(store, SCHEMA_VERSION + 1)
    with pytest.raises(MigrationError, match="upgrade fabula"):
        open_graph(tmp_path / "g")


def test_steps_are_taken_in_order_and_can_be_taken_up_after_a_kill(tmp_path, monkeypatch):
    def step(name, change):
        module = types.ModuleType(name)
        module.migrate = lambda store: store.transact(lambda tx: tx.run(change))
        monkeypatch.setitem(sys.modules, name, module)
        return name

    first, second = SCHEMA_VERSION + 1, SCHEMA_VERSION + 2
    migrations = {
        first: step("m_first", "MATCH (p:Participant) SET p.name = p.name + '!'"),
        second: step("m_second", "MATCH (p:Participant) SET p.name = p.name + '?'"),
    }
    with open_graph(tmp_path / "g") as store:
        store.write(GraphBatch((Participant(id="p", name="Ann", source="gold"),)))
        with pytest.raises(MigrationError, match=f"schema version {first + 2}"):
            migrate(store, migrations, first + 2)
        # The two steps before the missing one were taken, and are not taken again.
        assert version_of(store) == second
        assert migrate(store, migrations, second) == []
        assert store.read("MATCH (p:Participant) RETURN p.name AS n") == [{"n": "Ann!?"}]
