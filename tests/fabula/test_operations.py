# SPDX-License-Identifier: Apache-2.0
"""Backup, restore, copy, delete and runs from the command line."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys

import pytest

from graph.serve import GraphServer


def run(folder, *arguments, **environment):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("FABULA")}
    return subprocess.run(
        [sys.executable, "-c", "from fabula.cli import main; main()", *arguments],
        cwd=folder, env=clean | {"COLUMNS": "120", "NO_COLOR": "1"} | environment,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip


@pytest.fixture(scope="module")
def folder(predicted_folder, tmp_path_factory):
    """A folder with the sample and predictions in ./fabula-graph, for tests that only read."""
    path = tmp_path_factory.mktemp("operations")
    shutil.copytree(predicted_folder, path / "fabula-graph")
    return path


def test_backup_check_restore_and_compare(folder):
    done = run(folder, "backup", "all.backup")
    assert done.returncode == 0, done.stderr
    assert "nodes and" in done.stdout
    assert "all.backup, 0." in done.stdout
    done = run(folder, "restore", "all.backup", "--check")
    assert done.stdout.startswith("all.backup is whole: ")
    done = run(folder, "restore", "all.backup", "--graph", "new")
    assert done.returncode == 0, done.stderr
    assert "new holds what all.backup holds" in done.stdout
    done = run(folder, "copy", "--from", "fabula-graph", "--to", "new")
    assert done.returncode == 0, done.stderr
    assert "new holds what fabula-graph holds" in done.stdout
    assert "\nHAS_SENTENCE " in done.stdout


def test_a_damaged_backup_makes_nothing(folder, tmp_path):
    (tmp_path / "x.backup").write_bytes(b"once upon a time")
    done = run(tmp_path, "restore", "x.backup", "--graph", "new")
    assert done.returncode == 2
    assert "error: x.backup is not a backup of Fabula" in done.stderr
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--from", "fabula-graph", "--to", "./fabula-graph/"], "are the same graph"),
        (["--from", "none", "--to", "new"], "there is no graph at"),
        (
            ["--from", "bolt://127.0.0.1:1", "--to", "bolt://127.0.0.1:2"],
            "set FABULA_FROM_PASSWORD for from, bolt://127.0.0.1:1",
        ),
        (["--from", "fabula-graph", "--to", "bolt://neo4j:secret@127.0.0.1:1"], "holds a login"),
    ],
)
def test_mistakes_in_a_copy(folder, arguments, says):
    done = run(folder, "copy", *arguments, FABULA_GRAPH_PASSWORD="y")
    assert done.returncode == 2
    assert says in " ".join(done.stderr.split())
    assert "secret" not in done.stderr
    assert "Traceback" not in done.stderr
    assert not (folder / "new2").exists()


def test_a_copy_to_a_server_logs_in(folder, tmp_path):
    with GraphServer(tmp_path / "served") as address:
        password = address.password_file.read_text().strip()
        both = ["--from", "fabula-graph", "--to", address.url]
        done = run(
            folder, "copy", *both, "--quiet",
            FABULA_GRAPH_USER="root", FABULA_GRAPH_PASSWORD=password,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert f"{address.url} holds what fabula-graph holds" in done.stdout


def test_runs_and_deletion(folder, tmp_path):
    shutil.copytree(folder / "fabula-graph", tmp_path / "fabula-graph")
    before = [json.loads(line) for line in run(tmp_path, "runs", "--json").stdout.splitlines()]
    assert set(before[0]) == {
        "id", "task", "reasoner", "split", "setting", "seed", "claims", "started",
    }  # fmt: skip
    victim = before[0]["id"]
    done = run(tmp_path, "delete", "run", victim)
    assert done.returncode == 2
    assert f"run {victim} in" in done.stdout
    assert "nothing was deleted: add --yes" in done.stderr
    done = run(tmp_path, "delete", "run", victim, "--yes")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"deleted {before[0]['claims'] + 1:,} nodes with their edges: ")
    table = run(tmp_path, "runs").stdout
    assert victim not in table
    assert before[1]["id"] in table
    done = run(tmp_path, "delete", "story", "none", "--yes")
    assert (done.returncode, "there is no story 'none'" in done.stderr) == (2, True)
