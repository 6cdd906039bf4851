# SPDX-License-Identifier: Apache-2.0
"""The command line as a user meets it: help, mistakes, exit codes, formats."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys

import pytest

from graph.version import __version__


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with the sample in ./fabula-graph."""
    path = tmp_path_factory.mktemp("cli")
    done = run(path, "ingest", "all", "--quiet")
    assert done.returncode == 0, done.stderr
    return path


def run(folder, *arguments, stdin=""):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("FABULA")} | {
        "FABULA_OFFLINE": "1",
        "COLUMNS": "120",
        "NO_COLOR": "1",
    }
    return subprocess.run(
        [sys.executable, "-c", "from fabula.cli import main; main()", *arguments],
        cwd=folder, env=environment, input=stdin, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_version(tmp_path):
    done = run(tmp_path, "--version")
    assert (done.returncode, done.stdout) == (0, f"fabula {__version__}\n")


def test_help_names_every_command(tmp_path):
    done = run(tmp_path, "--help")
    assert done.returncode == 0
    for name in ("ingest", "query", "schema", "doctor", "graph"):
        assert f" {name} " in done.stdout
    assert "Examples" in run(tmp_path, "query", "--help").stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["query", "RETURN 1 AS one"], "there is no graph at"),
        (["query", "RETURN 1", "--json", "--csv"], "--json and --csv cannot be combined"),
        (["schema", "--graph", "http://localhost"], "bolt:// or neo4j://"),
        (["schema", "--graph", "bolt://127.0.0.1:1"], "cannot be reached"),
        (["ingest", "poqe"], "did you mean poque?"),
        (["ingest", "all", "--data", "nowhere"], "there is no folder 'nowhere'"),
        (["qeury"], "No such command"),
        (["graph", "serve", "--graph", "bolt://127.0.0.1:1"], "is a server already"),
    ],
)
def test_a_mistake_ends_with_2_and_one_message(tmp_path, arguments, says):
    done = run(tmp_path, *arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == [], "a mistake left something behind"


QUERY = "MATCH (g:Goal) RETURN g.key AS key, g.text AS text ORDER BY key"


def test_query_prints_the_same_rows_in_every_format(folder):
    objects = [
        json.loads(line) for line in run(folder, "query", QUERY, "--json").stdout.splitlines()
    ]
    assert objects
    table = run(folder, "query", QUERY).stdout
    assert all(row["text"] in table for row in objects)
    assert f"{len(objects)} rows" in table
    assert list(csv.DictReader(run(folder, "query", QUERY, "--csv").stdout.splitlines())) == objects


def test_query_takes_parameters_and_standard_input(folder):
    done = run(
        folder, "query", "-", "--json", "-p", "n=2", "-p", "word=move",
        stdin="RETURN $n + 1 AS n, $word AS word",
    )  # fmt: skip
    assert json.loads(done.stdout) == {"n": 3, "word": "move"}


def test_query_names_a_parameter_that_is_none(folder):
    done = run(folder, "query", "RETURN 1 AS one", "--param", "x")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: --param 'x' is not NAME=VALUE\n"


def test_query_says_when_rows_are_cut_off(folder):
    done = run(folder, "query", "MATCH (x:Sentence) RETURN x.text AS t", "--csv", "--limit", "2")
    assert len(done.stdout.splitlines()) == 3
    assert "only the first 2 rows" in done.stderr


def test_query_cannot_write(folder):
    count = ["query", "MATCH (s:Story) RETURN count(s) AS n", "--csv"]
    before = run(folder, *count).stdout
    done = run(folder, "query", "MATCH (s:Story) DETACH DELETE s")
    assert done.returncode == 2
    assert "only reading is allowed" in done.stderr
    assert run(folder, *count).stdout == before


def test_schema_counts_what_is_there(folder):
    described = json.loads(run(folder, "schema", "--json").stdout)
    counts = {node["label"]: node["count"] for node in described["nodes"]}
    assert counts["Story"] > 0
    assert counts["Run"] == 0
    assert "ComplexEvent" in run(folder, "schema").stdout


def test_a_closed_pipe_is_no_complaint(folder):
    code = "import sys; from fabula.cli import main; main()"
    query = "UNWIND range(1, 100000) AS n RETURN n"
    command = f"'{sys.executable}' -c '{code}' query '{query}' --csv --limit 100000 | head -1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (done.stdout, done.stderr) == ("n\n", "")
