# SPDX-License-Identifier: Apache-2.0
"""A graph goes from a folder to a real Neo4j and back, by copy and by backup, killed or not."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import types

import pytest
from freeze_schema_version import by_hand

from graph.backup import backup, check, restore
from graph.batch import GraphBatch
from graph.canonical import canonical_lines, fingerprint
from graph.delete import delete
from graph.errors import UsageError
from graph.groups import roots
from graph.migrations import migrate, set_version, version_of
from graph.model import Participant
from graph.schema import SCHEMA_VERSION
from graph.store import open_graph
from graph.transfer import copy

pytestmark = pytest.mark.neo4j


def test_to_neo4j_and_back(predicted, neo4j_store, tmp_path):
    there = copy(predicted, neo4j_store)
    assert list(canonical_lines(neo4j_store)) == list(canonical_lines(predicted))
    with open_graph(tmp_path / "back", check=False) as back:
        home = copy(neo4j_store, back)
        assert list(canonical_lines(back)) == list(canonical_lines(predicted))
    assert there.left == there.right == home.left == home.right
    assert copy(predicted, neo4j_store) == there


def test_backup_here_restore_there_and_back(predicted, neo4j_store, tmp_path):
    here = backup(predicted, tmp_path / "here.backup")
    restore(check(here.path), neo4j_store)
    there = backup(neo4j_store, tmp_path / "there.backup")
    assert there.trailer.sums == here.trailer.sums


def test_a_killed_copy_is_finished(predicted_folder, neo4j_server, neo4j_store, tmp_path):
    import shutil

    shutil.copytree(predicted_folder, tmp_path / "g")
    environment = os.environ | {"FABULA_TO_PASSWORD": neo4j_server.password}
    command = [sys.executable, "-m", "fabula", "copy", "--from", str(tmp_path / "g")]
    command += ["--to", neo4j_server.url, "--to-user", neo4j_server.user, "--quiet"]
    child = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    while child.poll() is None:
        if neo4j_store.read("MATCH (s:Sentence) RETURN count(s) AS n")[0]["n"]:
            child.send_signal(signal.SIGKILL)
            child.wait()
    child.stdout.close()
    assert child.returncode == -signal.SIGKILL
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with open_graph(tmp_path / "g") as store:
        assert fingerprint(neo4j_store) == fingerprint(store)


def test_a_story_is_deleted_whole(neo4j_store):
    neo4j_store.write(by_hand())
    delete(neo4j_store, list(roots(neo4j_store, "Story")))
    assert set(fingerprint(neo4j_store)) == {"Run", "Reasoner", "Model", "MADE_BY", "LOADS"}
    delete(neo4j_store, list(roots(neo4j_store, "Run")))
    assert fingerprint(neo4j_store) == {}


def test_a_graph_in_use_is_left_alone(predicted, neo4j_store):
    neo4j_store.write(GraphBatch((Participant(id="a", name="Ann", source="gold"),)))
    with pytest.raises(UsageError, match="holds 1 nodes already"):
        copy(predicted, neo4j_store)


def test_steps_of_migration(neo4j_store, monkeypatch):
    neo4j_store.write(GraphBatch((Participant(id="a", name="Ann", source="gold"),)))
    steps = {}
    for version, mark in ((SCHEMA_VERSION + 1, "!"), (SCHEMA_VERSION + 2, "?")):
        module = types.ModuleType(f"m_{version}")
        text = f"MATCH (p:Participant) SET p.name = p.name + '{mark}'"
        module.migrate = lambda store, text=text: store.transact(lambda tx: tx.run(text))
        monkeypatch.setitem(sys.modules, module.__name__, module)
        steps[version] = module.__name__
    try:
        assert migrate(neo4j_store, steps, SCHEMA_VERSION + 2) == sorted(steps)
        assert version_of(neo4j_store) == SCHEMA_VERSION + 2
        assert neo4j_store.read("MATCH (p:Participant) RETURN p.name AS n") == [{"n": "Ann!?"}]
    finally:
        set_version(neo4j_store, SCHEMA_VERSION)
