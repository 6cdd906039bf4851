# SPDX-License-Identifier: Apache-2.0
"""Schema versions: new graphs get the current one, others are refused or migrated."""

from __future__ import annotations

import signal
import subprocess
import sys
import types

import pytest

from graph import queries
from graph.batch import GraphBatch
from graph.errors import MigrationError, UnfinishedError
from graph.migrations import MIGRATIONS, migrate, set_version, version_of
from graph.model import Participant
from graph.schema import SCHEMA_VERSION
from graph.serve import GraphServer
from graph.store import open_graph


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
    with (
        open_graph(tmp_path / "g", check=False) as store,
        pytest.raises(MigrationError, match="upgrade fabula"),
    ):
        migrate(store)


def test_a_graph_that_holds_a_part_only_is_neither_opened_nor_migrated(tmp_path):
    with open_graph(tmp_path / "g") as store:
        store.transact(lambda tx: tx.run(queries.SET_INCOMING, {"source": "the backup x"}))
    with pytest.raises(UnfinishedError, match=r"only a part of the backup x.*fabula restore"):
        open_graph(tmp_path / "g")
    with open_graph(tmp_path / "g", check=False) as store, pytest.raises(UnfinishedError):
        migrate(store)


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
        with pytest.raises(MigrationError, match=f"no migration to version {first + 2}"):
            migrate(store, migrations, first + 2)
        # The two steps before the missing one were taken, and are not taken again.
        assert version_of(store) == second
        assert migrate(store, migrations, second) == []
        assert store.read("MATCH (p:Participant) RETURN p.name AS n") == [{"n": "Ann!?"}]


STEPS = """
import os, signal, sys, types
from pathlib import Path
from graph.migrations import migrate
from graph.schema import SCHEMA_VERSION
from graph.store import open_graph

def module(name, work):
    made = types.ModuleType(name)
    made.migrate = work
    sys.modules[name] = made
    return name

def add(mark, killed):
    def work(store):
        # In two transactions, each of which does nothing where it was done already.
        for half in ("a", "b"):
            text = (
                "MATCH (p:Participant) WHERE p.id STARTS WITH $half AND NOT p.name ENDS WITH $mark "
                "SET p.name = p.name + $mark"
            )
            store.transact(lambda tx: tx.run(text, {"half": half, "mark": mark}))
            if half == "a" and killed:
                os.kill(os.getpid(), signal.SIGKILL)
    return work

where, kill, *login = sys.argv[1:]
first, second = SCHEMA_VERSION + 1, SCHEMA_VERSION + 2
steps = {
    first: module("m_first", add("!", kill == "first")),
    second: module("m_second", add("?", kill == "second")),
}
user, password = login or (None, None)
with open_graph(where, check=False, user=user, password=password) as store:
    print(migrate(store, steps, second))
"""


@pytest.mark.parametrize("served", [False, True], ids=["embedded", "served"])
def test_a_migration_that_was_killed_is_finished_by_running_it_again(tmp_path, served):
    def run(where, *login):
        told = []
        for kill in ("first", "second", "never"):
            done = subprocess.run(
                [sys.executable, "-c", STEPS, where, kill, *login],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            told.append((done.returncode, done.stdout.strip()))
        killed = (-signal.SIGKILL, "")
        assert told == [killed, killed, (0, str([SCHEMA_VERSION + 2]))]

    folder = tmp_path / "g"
    with open_graph(folder) as store:
        people = (Participant(id=i, name=i, source="gold") for i in ("a1", "a2", "b1"))
        store.write(GraphBatch(tuple(people)))
    if served:
        with GraphServer(folder) as address:
            run(address.url, address.user, address.password_file.read_text().strip())
    else:
        run(str(folder))
    with open_graph(folder, check=False) as store:
        assert version_of(store) == SCHEMA_VERSION + 2
        names = store.read("MATCH (p:Participant) RETURN p.name AS n ORDER BY n")
    assert [row["n"] for row in names] == ["a1!?", "a2!?", "b1!?"]
