# SPDX-License-Identifier: Apache-2.0
"""Neo4j gives what the embedded engine gives, and nothing is lost when the server is killed.

On the real data where FABULA_DATA names them, else on the sample.
"""

from __future__ import annotations

import random
import time

import pytest
from neo4j_server import Neo4jServer

from benchmarks.results import read, stable
from graph.canonical import canonical_hash
from graph.store import open_graph

pytestmark = pytest.mark.neo4j

INGEST = ("fabula", "ingest", "all", "--quiet")
RUN = ("benchmarks.run", "all", "--limit", "100", "--quiet")


def finish(process, code=0):
    told = process.communicate(timeout=900)[0]
    assert process.returncode == code, told[-3000:]
    return told


def hash_of(where, **login):
    with open_graph(where, **login) as store:
        return canonical_hash(store)


def login(server):
    return {"user": server.user, "password": server.password}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """What the embedded engine gives: folder, then filled in by the first test that runs."""
    return tmp_path_factory.mktemp("undisturbed")


@pytest.fixture
def expected(undisturbed, command):
    """Hashes of the embedded graph after the ingest and after the run, and the run's results."""
    done = undisturbed / "hashes"
    graph, out = undisturbed / "graph", undisturbed / "out"
    if not done.exists():
        finish(command(*INGEST, "--graph", str(graph)))
        after_ingest = hash_of(graph)
        finish(command(*RUN, "--graph", str(graph), "--out", str(out)))
        done.write_text(f"{after_ingest} {hash_of(graph)}", encoding="ascii")
    after_ingest, after_run = done.read_text(encoding="ascii").split()
    return after_ingest, after_run, out


def same_results(one, other):
    assert stable(read(one / "results.json")) == stable(read(other / "results.json"))
    lines = (one / "samples.jsonl").read_text(encoding="utf-8")
    assert lines == (other / "samples.jsonl").read_text(encoding="utf-8")


def test_ingest_and_benchmark_give_the_same(neo4j_server, neo4j_store, command, expected, tmp_path):
    after_ingest, after_run, out = expected
    finish(command(*INGEST, **neo4j_server.environment))
    assert canonical_hash(neo4j_store) == after_ingest
    finish(command(*RUN, "--out", str(tmp_path / "out"), **neo4j_server.environment))
    assert canonical_hash(neo4j_store) == after_run
    same_results(tmp_path / "out", out)


@pytest.mark.parametrize("what", ["ingest", "run"])
def test_a_killed_server_loses_nothing(what, command, expected, tmp_path):
    """The server is killed in the middle; when it is back, the same command finishes."""
    after_ingest, after_run, out = expected
    server = Neo4jServer(tmp_path / "server")
    server.start()
    try:
        work = (*RUN, "--out", str(tmp_path / "out")) if what == "run" else INGEST
        if what == "run":
            finish(command(*INGEST, **server.environment))
        before = count(server)
        process = command(*work, **server.environment)
        while count(server) <= before and process.poll() is None:
            time.sleep(0.02)
        time.sleep(random.Random(11).uniform(0.1, 0.6))
        server.kill()
        assert process.poll() is None, "the work ended before the kill"
        told = finish(process, code=2)
        assert "connection" in told
        assert "Traceback" not in told
        server.start()
        left = count(server)
        finish(command(*work, **server.environment))
        assert left < count(server), "nothing was left to do after the kill"
        wanted = after_ingest if what == "ingest" else after_run
        assert hash_of(server.url, **login(server)) == wanted
        if what == "run":
            same_results(tmp_path / "out", out)
    finally:
        server.stop()


def count(server):
    with open_graph(server.url, **login(server)) as store:
        return store.read("MATCH (n) RETURN count(n) AS n")[0]["n"]
