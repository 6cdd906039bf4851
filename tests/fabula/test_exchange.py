# SPDX-License-Identifier: Apache-2.0
"""`fabula export` and `fabula import` as a user meets them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

import pytest

from graph.canonical import canonical_hash
from graph.formats.registry import FORMATS
from graph.store import open_graph


def run(folder, *arguments):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("FABULA")} | {
        "FABULA_OFFLINE": "1",
        "COLUMNS": "160",
        "NO_COLOR": "1",
    }
    return subprocess.run(
        [sys.executable, "-c", "from fabula.cli import main; main()", *arguments],
        cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder(predicted_folder, tmp_path_factory):
    """A folder with a graph in ./fabula-graph."""
    path = tmp_path_factory.mktemp("exchange")
    shutil.copytree(predicted_folder, path / "fabula-graph")
    return path


def test_the_list_names_every_format(tmp_path):
    done = run(tmp_path, "export", "--list")
    assert done.returncode == 0, done.stderr
    for name in FORMATS:
        assert f" {name} " in done.stdout
    lines = {line.split()[1]: line for line in done.stdout.splitlines() if len(line.split()) > 3}
    assert "no" in lines["booknlp"]
    assert "the extra parquet" in lines["parquet"]
    assert ".graphml" in lines["graphml"]
    assert "folder" in lines["csv"]


def test_export_and_import_give_the_same_graph(folder):
    done = run(folder, "export", "csv", "tables", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    assert "tables" in done.stdout
    done = run(folder, "import", "csv", "tables", "--graph", "copy", "--quiet")
    assert (done.returncode, done.stderr) == (0, "")
    with open_graph(folder / "fabula-graph") as one, open_graph(folder / "copy") as other:
        assert canonical_hash(one) == canonical_hash(other)


def test_what_is_there_is_replaced_only_by_force(folder):
    out = folder / "graph.graphml"
    out.write_text("precious")
    done = run(folder, "export", "graphml", out.name)
    assert done.returncode == 2
    assert "graph.graphml is there already" in done.stderr
    assert out.read_text() == "precious"
    done = run(folder, "export", "graphml", out.name, "--force")
    assert done.returncode == 0, done.stderr
    assert out.read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["export", "graphlm", "x"], "did you mean graphml?"),
        (["export", "csv"], "give a format and where to write"),
        (["export", "csv", "x", "--story", "nowhere"], "there is no story 'nowhere'"),
        (["import", "csv", "nowhere"], "nowhere is not there"),
        (["import", "booknlp", "fabula-graph"], "is written only"),
        (["import", "parquet", "fabula-graph"], "fabula.json cannot be read"),
    ],
)
def test_a_mistake_ends_with_2_and_one_message(folder, arguments, says):
    done = run(folder, *arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "x").exists()
