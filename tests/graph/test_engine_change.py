# SPDX-License-Identifier: Apache-2.0
"""A folder remembers its engine, and another engine says how to bring the graph over."""

from __future__ import annotations

import json
import shutil

import pytest

from graph.backup import backup, check, restore
from graph.canonical import fingerprint
from graph.embedded import ENGINE
from graph.engine import PACKAGE, version
from graph.errors import GraphError
from graph.store import open_graph

WAY = r"fabula backup graph\.backup --graph .*fabula restore graph\.backup --graph NEW-FOLDER"


@pytest.fixture
def folder(tmp_path):
    with open_graph(tmp_path / "g"):
        pass
    return tmp_path / "g"


def made_with(folder, package, number):
    (folder / ENGINE).write_text(json.dumps({"package": package, "version": number}))


def test_a_folder_names_its_engine(folder):
    note = json.loads((folder / ENGINE).read_text())
    assert note == {"package": PACKAGE, "version": version()}


@pytest.mark.parametrize(
    ("package", "number"), [("arcadedb", version()), (PACKAGE, "25.9.1"), (PACKAGE, "27.1.0")]
)
def test_a_folder_of_another_engine_is_refused_with_the_way_over(folder, package, number):
    made_with(folder, package, number)
    here = f"{PACKAGE} {version()}"
    with pytest.raises(GraphError, match=f"was made with {package} {number}, and here is {here}"):
        open_graph(folder)
    with pytest.raises(GraphError, match=WAY):
        open_graph(folder)
    assert json.loads((folder / ENGINE).read_text())["version"] == number


@pytest.mark.parametrize("note", [None, "", "[]", '{"package": 1}'])
def test_a_folder_that_names_none_is_opened_and_names_it_from_then_on(folder, note):
    if note is None:
        (folder / ENGINE).unlink()
    else:
        (folder / ENGINE).write_text(note)
    open_graph(folder).close()
    assert json.loads((folder / ENGINE).read_text())["version"] == version()


def test_an_earlier_version_of_the_same_major_is_opened(folder):
    made_with(folder, PACKAGE, version().partition(".")[0] + ".0.1")
    open_graph(folder).close()
    assert json.loads((folder / ENGINE).read_text())["version"] == version()


def test_a_folder_that_the_engine_cannot_open_tells_the_way_over(folder):
    (folder / "databases" / "fabula" / "configuration.json").write_text("not what it was")
    with pytest.raises(GraphError, match=f"cannot be opened.*made with {PACKAGE}.*{WAY}"):
        open_graph(folder)


def test_the_way_over_gives_the_same_graph(predicted_folder, tmp_path):
    """As an upgrade goes: the old side writes a backup, the new side has nothing else of it."""
    old = tmp_path / "old"
    shutil.copytree(predicted_folder, old)
    with open_graph(old) as store:
        before = fingerprint(store)
        made = backup(store, tmp_path / "graph.backup")
    made_with(old, PACKAGE, "25.9.1")
    with pytest.raises(GraphError, match=WAY):
        open_graph(old)
    with open_graph(tmp_path / "new", check=False) as store:
        restore(check(made.path), store)
    with open_graph(tmp_path / "new") as store:
        assert fingerprint(store) == before
