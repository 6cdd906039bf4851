# SPDX-License-Identifier: Apache-2.0
"""A backup holds the whole graph, and a file that is not whole is told and changes nothing."""

from __future__ import annotations

import gzip
import json
import random

import pytest
from freeze_schema_version import by_hand

from graph import elements
from graph.backup import FORMAT_VERSION, backup, check, restore
from graph.batch import Edge, GraphBatch
from graph.canonical import canonical_lines, fingerprint
from graph.errors import DataError, GraphError, MigrationError, SchemaError, UsageError
from graph.migrations import check_version, incoming
from graph.model import Participant, Ref, Run
from graph.schema import SCHEMA_VERSION
from graph.serve import GraphServer
from graph.store import open_graph
from graph.transfer import begin


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A backup of a small graph."""
    folder = tmp_path_factory.mktemp("backup")
    with open_graph(folder / "g") as store:
        store.write(by_hand())
        return backup(store, folder / "small.backup")


def test_restoring_gives_the_same_graph(predicted, tmp_path):
    made = backup(predicted, tmp_path / "all.backup")
    with open_graph(tmp_path / "g", check=False) as store:
        assert restore(check(made.path), store) == []
        check_version(store)
        assert list(canonical_lines(store)) == list(canonical_lines(predicted))
        again = backup(store, tmp_path / "again.backup")
    assert again.trailer.sums == made.trailer.sums


def test_restoring_twice_changes_nothing(made, tmp_path):
    with open_graph(tmp_path / "g", check=False) as store:
        restore(made, store)
        restore(made, store)


def test_a_server_is_backed_up_and_restored(made, tmp_path):
    with GraphServer(tmp_path / "g") as address:
        password = address.password_file.read_text().strip()
        with open_graph(address.url, user=address.user, password=password, check=False) as store:
            restore(made, store)
            again = backup(store, tmp_path / "served.backup")
    assert again.trailer.sums == made.trailer.sums


def test_the_fingerprint_sees_what_the_canonical_text_leaves_out(embedded):
    def run(started):
        return Run(
            id="r", task="t", reasoner="x", split="s", setting="oracle", seed=0, settings="{}",
            version="0", started=started,
        )  # fmt: skip

    found = []
    for started in ("2026", "2027"):
        embedded.write(GraphBatch((run(started),)))
        found.append((list(canonical_lines(embedded)), fingerprint(embedded)))
    assert found[0][0] == found[1][0]
    assert found[0][1] != found[1][1]


def test_an_edge_is_told_from_its_opposite(embedded):
    people = [Ref("Sentence", each) for each in "ab"]
    from graph.model import Sentence

    nodes = tuple(Sentence(id=each, index=0, text="", start=0, end=0) for each in "ab")
    embedded.write(GraphBatch(nodes, (Edge("NEXT", *people),)))
    one = fingerprint(embedded)
    embedded.transact(lambda tx: tx.run("MATCH ()-[r:NEXT]->() DELETE r"))
    embedded.write(GraphBatch(edges=(Edge("NEXT", *reversed(people)),)))
    assert fingerprint(embedded)["NEXT"].n == one["NEXT"].n
    assert fingerprint(embedded)["NEXT"].checksum != one["NEXT"].checksum


def test_a_file_gets_its_name_only_when_it_is_whole(embedded, tmp_path, monkeypatch):
    out = tmp_path / "all.backup"

    def stop(store):
        yield from ()
        raise KeyboardInterrupt

    monkeypatch.setattr(elements, "edges", stop)
    with pytest.raises(KeyboardInterrupt):
        backup(embedded, out)
    assert not list(tmp_path.glob("all*"))


def test_a_graph_that_changes_meanwhile_is_no_backup(embedded, tmp_path, monkeypatch):
    embedded.write(GraphBatch((Participant(id="a", name="Ann", source="gold"),)))
    nodes = elements.nodes

    def more(store):
        yield from nodes(store)
        yield Participant(id="b", name="Bo", source="gold")

    monkeypatch.setattr(elements, "nodes", more)
    with pytest.raises(GraphError, match=r"changed while it was written: it had 1 nodes.*gave 2"):
        backup(embedded, tmp_path / "x.backup")
    assert not (tmp_path / "x.backup").exists()


def test_a_file_that_is_there_is_not_replaced_unasked(embedded, tmp_path):
    out = tmp_path / "x.backup"
    out.write_text("mine")
    with pytest.raises(UsageError, match="--force"):
        backup(embedded, out)
    assert out.read_text() == "mine"
    backup(embedded, out, force=True)
    check(out)
    with pytest.raises(UsageError, match="cannot be written"):
        backup(embedded, tmp_path / "none" / "x.backup")


# --- files that are not whole ----------------------------------------------------------------


def rewritten(made, tmp_path, change):
    """The file again, with its lines changed."""
    lines = gzip.decompress(made.path.read_bytes()).splitlines(keepends=True)
    out = tmp_path / "changed.backup"
    out.write_bytes(gzip.compress(b"".join(change(lines))))
    return out


def header(lines, **values):
    return [json.dumps(json.loads(lines[0]) | values).encode() + b"\n", *lines[1:]]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda lines: lines[:-1], "is cut off after"),
        (lambda lines: lines[: len(lines) // 2], "is cut off after"),
        (lambda lines: [*lines[:9], *lines[10:]], "is damaged: the SHA-256 of its"),
        (lambda lines: [lines[0], lines[2], lines[1], *lines[3:]], "is damaged: the SHA-256"),
        (lambda lines: [*lines, lines[1]], "something follows its last line"),
        (lambda lines: [*lines[:-1], b"{}\n"], "is damaged: its last line: sha256: Field required"),
        (lambda lines: lines[1:], "is not a backup of Fabula: its first line"),
        (lambda lines: [], "is not a backup of Fabula"),
        (lambda lines: header(lines, nodes="x"), "is damaged: its first line: nodes:"),
        (lambda lines: header(lines, fabula="y"), "is damaged: the SHA-256"),
        (lambda lines: header(lines, format_version=FORMAT_VERSION + 1), "upgrade fabula"),
        (
            lambda lines: header(lines, shape={"labels": [], "edges": [{"name": "A]->() DELETE"}]}),
            "is damaged: its first line: shape",
        ),
    ],
)
def test_a_changed_file_is_told(made, tmp_path, change, says):
    with pytest.raises(DataError, match=r"changed\.backup") as caught:
        check(rewritten(made, tmp_path, change))
    assert says in str(caught.value)


def test_a_newer_schema_is_told(made, tmp_path):
    newer = rewritten(
        made, tmp_path, lambda lines: header(lines, schema_version=SCHEMA_VERSION + 1)
    )
    with pytest.raises(MigrationError, match="upgrade fabula"):
        check(newer)


def test_a_file_cut_off_or_changed_anywhere_is_told(made, tmp_path):
    whole = made.path.read_bytes()
    chance = random.Random(0)
    out = tmp_path / "x.backup"
    for _ in range(15):
        out.write_bytes(whole[: chance.randrange(len(whole))])
        with pytest.raises(DataError, match=r"cut off|not a backup"):
            check(out)
    for _ in range(25):
        place = chance.randrange(40, len(whole))
        out.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        with pytest.raises(DataError, match=r"is damaged|cut off|not a backup|has the format"):
            check(out)


def test_what_is_no_backup_is_told(tmp_path):
    with pytest.raises(DataError, match="there is no file"):
        check(tmp_path / "none")
    (tmp_path / "text").write_text("once upon a time")
    with pytest.raises(DataError, match="is not a backup of Fabula"):
        check(tmp_path / "text")
    with pytest.raises(DataError, match="cannot be read"):
        check(tmp_path)


# --- graphs that are in use ------------------------------------------------------------------


def test_a_graph_in_use_is_left_alone(made, tmp_path):
    with open_graph(tmp_path / "g") as store:
        store.write(GraphBatch((Participant(id="a", name="Ann", source="gold"),)))
        before = list(canonical_lines(store))
        with pytest.raises(UsageError, match=r"holds 1 nodes already.*Nothing was changed"):
            restore(made, store)
        assert list(canonical_lines(store)) == before


def test_two_backups_do_not_come_into_one_graph(made, tmp_path):
    with open_graph(tmp_path / "g", check=False) as store:
        begin(store, "the backup x")
        with pytest.raises(UsageError, match="a part of the backup x"):
            restore(made, store)
        assert incoming(store) == "the backup x"


def test_what_does_not_add_up_stays_marked(made, tmp_path, monkeypatch):
    with open_graph(tmp_path / "g", check=False) as store:
        begin(store, made.name)
        store.write(GraphBatch((Participant(id="a", name="Ann", source="gold"),)))
        with pytest.raises(GraphError, match=r"Participant: [\d,]+ here, [\d,]+ there"):
            restore(made, store)
        assert incoming(store) == made.name


def test_a_graph_with_a_foreign_property_is_no_backup(embedded, tmp_path):
    embedded.write(GraphBatch((Participant(id="a", name="Ann", source="gold"),)))
    embedded.transact(lambda tx: tx.run("MATCH (p:Participant) SET p.shoe_size = 42"))
    with pytest.raises(SchemaError, match="shoe_size"):
        backup(embedded, tmp_path / "x.backup")
