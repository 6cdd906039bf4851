# SPDX-License-Identifier: Apache-2.0
"""Graphs of every schema version still migrate, as frozen files under data/ prove."""

from __future__ import annotations

import gzip
import json
import sys
import types

import freeze_schema_version as freezing
import pytest

from graph.backup import backup, check, restore, restore_as_it_was
from graph.canonical import canonical_lines, fingerprint
from graph.errors import MigrationError
from graph.migrations import MIGRATIONS, migrate, set_version, version_of
from graph.schema import SCHEMA_VERSION, shape
from graph.serve import GraphServer
from graph.store import open_graph
from ingest.run import ingest
from ingest.source import SAMPLE, Source

RECIPE = (
    "a new schema version needs four things: SCHEMA_VERSION in graph/schema.py, a migration "
    "graph/migrations/mNNNN_what.py with migrate(store), its line in MIGRATIONS, and a frozen "
    "graph from `python scripts/freeze_schema_version.py` (if the current version was never "
    "released, no new one is needed: give --replace)"
)
"""What to do; every test here that can fail because of a new version says so."""


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """Content of a graph that this code makes at once."""
    with open_graph(tmp_path_factory.mktemp("fresh") / "g") as store:
        freezing.fill(store)
        return list(canonical_lines(store))


@pytest.fixture(params=["embedded", "served"])
def empty(request, tmp_path):
    """An empty graph, opened without a look at its version."""
    if request.param == "embedded":
        with open_graph(tmp_path / "empty", check=False) as store:
            yield store
        return
    with GraphServer(tmp_path / "empty") as address:
        password = address.password_file.read_text().strip()
        with open_graph(address.url, user=address.user, password=password, check=False) as store:
            yield store


def frozen(version):
    path = freezing.frozen(version)
    if not path.exists():
        pytest.fail(f"schema version {version} has no {path.name}: {RECIPE}")
    return check(path)


@pytest.mark.parametrize("version", range(1, SCHEMA_VERSION + 1))
def test_a_graph_of_each_version_becomes_a_current_one(version, empty, fresh):
    restore_as_it_was(frozen(version), empty)
    assert version_of(empty) == version
    if missing := set(range(version + 1, SCHEMA_VERSION + 1)) - set(MIGRATIONS):
        pytest.fail(f"no migration leads to version {min(missing)}: {RECIPE}")
    assert migrate(empty) == list(range(version + 1, SCHEMA_VERSION + 1))
    # As users do: rows that are read differently by now, or are not in the sample any more, follow.
    ingest(empty, "all", Source(SAMPLE), prune=True)
    assert list(canonical_lines(empty)) == fresh


def test_the_schema_is_the_one_that_is_frozen():
    if frozen(SCHEMA_VERSION).header.shape != shape():
        pytest.fail(f"graph/model.py changed since version {SCHEMA_VERSION} was frozen: {RECIPE}")


def test_the_frozen_graph_has_one_of_everything():
    names = {each.name for each in (*shape().labels, *shape().edges) if each.name != "Meta"}
    names -= {label.name for label in shape().labels if label.abstract}
    lacking = names - set(frozen(SCHEMA_VERSION).trailer.sums)
    assert not lacking, f"add them to by_hand() in scripts/freeze_schema_version.py, and: {RECIPE}"


# --- an earlier version that never was: the machinery itself ------------------------------------


def as_version_0(path, out):
    """Rewrites a backup as one of a schema with other names: a property, an edge type, a label."""
    import hashlib

    from graph.backup import Header, Trailer
    from graph.canonical import Fingerprint, encode

    first, *lines, _ = gzip.decompress(path.read_bytes()).splitlines()
    old = json.loads(first)
    old["schema_version"] = 0
    old["nodes"] += 1
    labels = {label["name"]: label for label in old["shape"]["labels"]}
    labels["Participant"]["properties"]["called"] = labels["Participant"]["properties"].pop("name")
    labels["Participant"]["indexed"] = ["called"]
    old["shape"]["labels"].append({"name": "Oldie", "properties": {"id": "str", "index": "int"}})
    for edge in old["shape"]["edges"]:
        edge["name"] = "LIES_IN" if edge["name"] == "IN_SENTENCE" else edge["name"]
    made = [json.dumps(Header.model_validate(old).model_dump())]
    made.append(encode(["Oldie", ["Oldie"], {"id": "o", "index": 7}]))
    for line in lines:
        element = json.loads(line)
        if element[0] == "Participant":
            element[2]["called"] = element[2].pop("name")
        element[0] = "LIES_IN" if element[0] == "IN_SENTENCE" else element[0]
        made.append(encode(element))
    sums = Fingerprint()
    for line in made[1:]:
        sums.add(line)
    text = "".join(line + "\n" for line in made).encode()
    trailer = Trailer(sha256=hashlib.sha256(text).hexdigest(), sums=sums.sums)
    out.write_bytes(gzip.compress(text + json.dumps(trailer.model_dump()).encode() + b"\n"))
    return check(out)


def rename(store):
    """Leads from that version to the current one."""
    for text in (
        "MATCH (p:Participant) WHERE p.called IS NOT NULL SET p.name = p.called REMOVE p.called",
        "MATCH (a)-[r:LIES_IN]->(b) MERGE (a)-[:IN_SENTENCE]->(b) DELETE r",
        "MATCH (o:Oldie) DETACH DELETE o",
    ):
        store.transact(lambda tx, text=text: tx.run(text))


@pytest.fixture
def old_backup(tmp_path):
    with open_graph(tmp_path / "now") as store:
        store.write(freezing.by_hand())
        lines = list(canonical_lines(store))
        made = backup(store, tmp_path / "now.backup")
    return as_version_0(made.path, tmp_path / "old.backup"), lines


def test_a_backup_of_an_earlier_version_is_restored_as_it_was_and_migrated(
    old_backup, empty, monkeypatch
):
    old, lines = old_backup
    restore_as_it_was(old, empty)
    assert version_of(empty) == 0
    assert fingerprint(empty, old.header.shape) == old.trailer.sums
    with pytest.raises(MigrationError, match="no migration to version 1"):
        migrate(empty, {}, 1)
    module = types.ModuleType("m0001_rename")
    module.migrate = rename
    monkeypatch.setitem(sys.modules, "m0001_rename", module)
    assert migrate(empty, {1: "m0001_rename"}, 1) == [1]
    set_version(empty, SCHEMA_VERSION)
    assert list(canonical_lines(empty)) == lines


def test_an_old_backup_without_a_migration_says_so_and_goes_on_from_there(old_backup, tmp_path):
    old, _ = old_backup
    with open_graph(tmp_path / "g", check=False) as store:
        with pytest.raises(MigrationError, match="no migration to version 1"):
            restore(old, store)
        with pytest.raises(MigrationError, match="fabula graph migrate"):
            restore(old, store)  # what is missing is the migration: nothing is loaded again
