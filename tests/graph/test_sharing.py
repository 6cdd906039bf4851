# SPDX-License-Identifier: Apache-2.0
"""One process holds a folder; others are told who, and can share it over loopback Bolt."""

from __future__ import annotations

import os
import re
import signal
import stat
import subprocess
import sys
import time

import pytest

from graph.batch import GraphBatch
from graph.errors import GraphBusyError, GraphConnectionError, GraphError, UsageError
from graph.model import Participant
from graph.serve import GraphServer
from graph.store import open_graph

HOLD = """
import sys
from graph.store import open_graph
with open_graph(sys.argv[1]):
    print("ready", flush=True)
    sys.stdin.read()
"""


def test_a_second_process_is_told_who_holds_the_folder_and_how_to_share(tmp_path):
    folder = tmp_path / "g"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert holder.stdout.readline() == "ready\n"
        with pytest.raises(GraphBusyError) as caught:
            open_graph(folder)
        assert f"process {holder.pid}" in str(caught.value)
        assert "fabula graph serve --graph" in str(caught.value)
    finally:
        holder.communicate("", timeout=20)
    open_graph(folder).close()


def test_a_killed_holder_does_not_block_the_folder(tmp_path):
    folder = tmp_path / "g"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert holder.stdout.readline() == "ready\n"
    holder.kill()
    holder.communicate(timeout=20)
    with open_graph(folder) as store:
        assert store.read("RETURN 1 AS one") == [{"one": 1}]


def test_the_same_process_is_told_so(embedded):
    with pytest.raises(GraphBusyError, match="open in this process already"):
        open_graph(embedded.url)


def test_serve_from_the_command_line_and_stop_cleanly(tmp_path):
    folder = tmp_path / "g"
    with open_graph(folder) as store:
        store.write(GraphBatch((Participant(id="p", name="Ann", source="gold"),)))
    server = subprocess.Popen(
        [sys.executable, "-m", "fabula", "graph", "serve", "--graph", str(folder)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        url = re.search(r"bolt://127\.0\.0\.1:\d+", server.stdout.readline())[0]
        password_file = folder / "bolt-password"
        assert stat.S_IMODE(password_file.stat().st_mode) == 0o600
        password = password_file.read_text().strip()
        assert len(password) > 20
        with open_graph(url, user="root", password=password) as store:
            assert store.read("MATCH (p:Participant) RETURN p.name AS n") == [{"n": "Ann"}]
            store.write(GraphBatch((Participant(id="q", name="Bo", source="gold"),)))
        with pytest.raises(GraphConnectionError, match="refused the login"):
            open_graph(url, user="root", password="wrong")
        with pytest.raises(GraphBusyError, match=re.escape(url)):
            open_graph(folder)
    finally:
        server.send_signal(signal.SIGTERM)
        out, err = server.communicate(timeout=30)
    assert server.returncode == 0, err
    assert "stopped" in out
    assert err == ""
    assert not (folder / "holder.json").exists()
    with open_graph(folder) as store:
        names = store.read("MATCH (p:Participant) RETURN p.name AS n ORDER BY n")
    assert names == [{"n": "Ann"}, {"n": "Bo"}]


def test_the_password_stays_and_a_deleted_one_is_made_anew(tmp_path):
    passwords = []
    for _ in range(3):
        with GraphServer(tmp_path / "g") as address:
            passwords.append(address.password_file.read_text().strip())
            open_graph(address.url, user=address.user, password=passwords[-1]).close()
        if len(passwords) == 2:
            address.password_file.unlink()
    assert passwords[0] == passwords[1] != passwords[2]


def test_a_taken_port_is_an_error(tmp_path):
    with GraphServer(tmp_path / "a") as address, pytest.raises(UsageError, match="is taken"):
        GraphServer(tmp_path / "b", port=int(address.url.rpartition(":")[2]))


def test_no_server_there():
    with pytest.raises(GraphConnectionError, match="is the server running"):
        open_graph("bolt://127.0.0.1:1")


def test_no_graph_there(tmp_path):
    with pytest.raises(GraphError, match="there is no graph at"):
        open_graph(tmp_path / "none", create=False)
    assert not (tmp_path / "none").exists()


def test_a_strange_address_is_an_error():
    with pytest.raises(UsageError, match="http://x"):
        open_graph("http://x")


def test_commits_survive_a_kill(tmp_path):
    """What was committed is there after SIGKILL; a batch is there whole or not at all."""
    script = """
import sys
from graph.batch import GraphBatch
from graph.model import Participant
from graph.store import open_graph
store = open_graph(sys.argv[1])
for n in range(10_000):
    nodes = tuple(Participant(id=f"{n}-{i}", name=str(n), source="gold") for i in range(50))
    store.write(GraphBatch(nodes))
    print(n, flush=True)
"""
    folder = tmp_path / "g"
    child = subprocess.Popen(
        [sys.executable, "-c", script, str(folder)], stdout=subprocess.PIPE, text=True
    )
    last = -1
    deadline = time.monotonic() + 1.5
    for line in child.stdout:
        last = int(line)
        if last >= 0 and time.monotonic() > deadline:
            os.kill(child.pid, signal.SIGKILL)
            break
    rest = child.stdout.read().split()
    child.wait()
    child.stdout.close()
    last = int(rest[-1]) if rest else last
    with open_graph(folder) as store:
        counts = store.read(
            "MATCH (p:Participant) RETURN toInteger(p.name) AS batch, count(*) AS n ORDER BY batch"
        )
    assert [row["batch"] for row in counts][: last + 1] == list(range(last + 1))
    assert {row["n"] for row in counts} == {50}
