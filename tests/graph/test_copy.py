# SPDX-License-Identifier: Apache-2.0
"""A copy holds what the original holds, from folder to server and back."""

from __future__ import annotations

import pytest
from freeze_schema_version import by_hand

from graph.batch import GraphBatch
from graph.canonical import canonical_lines, fingerprint
from graph.errors import GraphError, UnfinishedError, UsageError
from graph.migrations import check_version, incoming
from graph.model import Participant
from graph.serve import GraphServer
from graph.store import open_graph
from graph.transfer import begin, copy, tell_strangers


def ann(id="ann"):
    return GraphBatch((Participant(id=id, name="Ann", source="gold"),))


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    with open_graph(tmp_path_factory.mktemp("small") / "g") as store:
        store.write(by_hand())
        yield store


def test_folder_to_folder(small, tmp_path):
    with open_graph(tmp_path / "copy", check=False) as store:
        compared = copy(small, store)
        assert compared.equal
        assert compared.left == fingerprint(small)
        assert list(canonical_lines(store)) == list(canonical_lines(small))
        check_version(store)


def test_folder_to_server_to_folder(predicted, tmp_path):
    with GraphServer(tmp_path / "served") as address:
        login = {"user": address.user, "password": address.password_file.read_text().strip()}
        with open_graph(address.url, check=False, **login) as server:
            there = copy(predicted, server)
        with (
            open_graph(address.url, **login) as server,
            open_graph(tmp_path / "back", check=False) as back,
        ):
            home = copy(server, back)
            assert list(canonical_lines(back)) == list(canonical_lines(predicted))
    assert there.left == there.right == home.left == home.right


def test_copying_again_only_compares(small, tmp_path, monkeypatch):
    with open_graph(tmp_path / "copy", check=False) as store:
        first = copy(small, store)
        monkeypatch.setattr(type(store), "transact", None)  # a write would fail
        assert copy(small, store) == first


def test_a_graph_that_holds_something_else_is_left_alone(small, tmp_path):
    with open_graph(tmp_path / "used") as store:
        store.write(ann())
        before = list(canonical_lines(store))
        with pytest.raises(UsageError, match=r"Participant: 1 .*empty graph"):
            copy(small, store)
        assert list(canonical_lines(store)) == before
        assert incoming(store) is None


def test_what_came_from_elsewhere_meanwhile_is_told(embedded, tmp_path):
    embedded.write(ann())
    with open_graph(tmp_path / "copy", check=False) as store:
        begin(store, f"a copy of {embedded.url}")
        store.write(ann("somebody else"))
        with pytest.raises(GraphError, match="Participant: 1 here, 2 there"):
            copy(embedded, store)
    with pytest.raises(UnfinishedError, match="only a part of a copy of"):
        open_graph(tmp_path / "copy")


def test_equal_counts_with_other_content_are_told(embedded, tmp_path):
    embedded.write(ann())
    with open_graph(tmp_path / "copy") as store:
        store.write(ann("another"))
        with pytest.raises(UsageError, match="1 on both sides, with different content"):
            copy(embedded, store)


def test_an_empty_graph_is_copied(embedded, tmp_path):
    with open_graph(tmp_path / "copy", check=False) as store:
        assert copy(embedded, store).names == []
        check_version(store)


def test_what_fabula_does_not_declare_is_left_out_and_told(embedded, tmp_path):
    embedded.write(ann())
    embedded.transact(lambda tx: tx.run("CREATE (:Shoe {size: 42})-[:FITS]->(:Foot)"))
    assert tell_strangers(embedded).startswith("left out: 2 nodes and 1 edges")
    with open_graph(tmp_path / "copy", check=False) as store:
        copy(embedded, store)
        assert tell_strangers(store) == ""
