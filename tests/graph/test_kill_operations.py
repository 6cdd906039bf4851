# SPDX-License-Identifier: Apache-2.0
"""A restore, copy or deletion that is killed at any moment is finished by doing it again."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time

import pytest

from graph.backup import backup, check, restore
from graph.canonical import fingerprint
from graph.delete import delete
from graph.errors import UnfinishedError
from graph.groups import roots
from graph.serve import GraphServer
from graph.store import open_graph
from graph.transfer import copy

CHILD = """
import sys
from pathlib import Path
from graph import delete, elements
from graph.backup import check, restore
from graph.groups import roots
from graph.store import GraphStore, open_graph
from graph.transfer import copy

what, target, *more = sys.argv[1:]
elements.load.__kwdefaults__["size"] = 300  # many transactions, so that kills fall between them
delete.SIZE = 20

def told(store):
    transact = store.transact
    def work(given):
        print("transaction", flush=True)
        return transact(given)
    store.transact = work
    return store

login = {}
if what == "serve":
    login = {"user": more[1], "password": more[2]}
with told(open_graph(target, check=what == "delete", **login)) as store:
    if what == "restore":
        restore(check(Path(more[0])), store)
    elif what == "delete":
        delete.delete(store, list(roots(store, "Story")))
    else:
        with open_graph(more[0]) as source:
            copy(source, store)
print("done", flush=True)
"""


def kill(chance, arguments):
    """Starts a child and kills it at some moment; returns False if it had ended before."""
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, *map(str, arguments)], stdout=subprocess.PIPE, text=True
    )
    wait = chance.randrange(1, 12)
    for line in child.stdout:
        if line == "done\n":
            break
        wait -= 1
        if wait == 0:
            time.sleep(chance.uniform(0, 0.1))
            child.send_signal(signal.SIGKILL)
            break
    child.communicate()
    return child.returncode == -signal.SIGKILL


def kills(chance, times, arguments):
    assert sum(kill(chance, arguments) for _ in range(times)) > 0


@pytest.fixture
def source(predicted_folder, tmp_path):
    shutil.copytree(predicted_folder, tmp_path / "source")
    return tmp_path / "source"


@pytest.fixture(params=[1, pytest.param(10, marks=pytest.mark.slow)])
def times(request):
    return request.param


def test_restore(source, tmp_path, times):
    with open_graph(source) as store:
        made = backup(store, tmp_path / "all.backup")
    kills(random.Random(1), times, ["restore", tmp_path / "g", made.path])
    with pytest.raises(UnfinishedError):
        open_graph(tmp_path / "g")
    with open_graph(tmp_path / "g", check=False) as store:
        restore(check(made.path), store)
    with open_graph(tmp_path / "g") as store:
        assert fingerprint(store) == made.trailer.sums


def test_copy(source, tmp_path, times):
    kills(random.Random(2), times, ["copy", tmp_path / "g", source])
    with open_graph(source) as left, open_graph(tmp_path / "g", check=False) as right:
        assert copy(left, right).equal


def test_copy_to_a_server(source, tmp_path, times):
    with GraphServer(tmp_path / "g") as address:
        login = (address.user, address.password_file.read_text().strip())
        kills(random.Random(3), times, ["serve", address.url, source, *login])
        with (
            open_graph(source) as left,
            open_graph(address.url, check=False, user=login[0], password=login[1]) as right,
        ):
            assert copy(left, right).equal


def test_delete(source, tmp_path, times):
    shutil.copytree(source, tmp_path / "calm")
    with open_graph(tmp_path / "calm") as store:
        delete(store, list(roots(store, "Story")))
        calm = fingerprint(store)
    kills(random.Random(4), times, ["delete", source])
    with open_graph(source) as store:
        delete(store, list(roots(store, "Story")))
        assert fingerprint(store) == calm
