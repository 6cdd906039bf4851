# SPDX-License-Identifier: Apache-2.0
"""`fabula doctor` tells the truth, and never fails itself."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from fabula.commands import doctor
from graph import queries
from graph.schema import SCHEMA_VERSION
from graph.store import open_graph
from ingest.source import SAMPLE

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def _empty_place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("FABULA_DATA", raising=False)


@pytest.fixture
def checks():
    """Runs the doctor and returns its checks by name."""
    return lambda graph=None: {check.name: check for check in doctor.examine(graph)}


def without(monkeypatch, *names):
    """Makes distributions look absent."""
    real = metadata.version

    def version(name):
        if name in names:
            raise metadata.PackageNotFoundError(name)
        return real(name)

    monkeypatch.setattr(metadata, "version", version)


def test_new_machine_has_nothing_broken(checks, tmp_path):
    found = checks()
    assert {name for name, check in found.items() if check.status == "problem"} == set()
    for name in ("Python", "packages", "WordNet table", "engine", "disk"):
        assert found[name].status == "ok"
    assert found["graph"].status == "missing"
    assert found["graph"].hint == "fabula ingest all --graph fabula-graph"
    assert found["data: pasta"].status == "missing"
    assert "ingest" in found["data: pasta"].hint
    assert list(tmp_path.iterdir()) == [], "the doctor left something behind"


def test_graph_is_counted(checks, tmp_path):
    open_graph(tmp_path / "g").close()
    found = checks(str(tmp_path / "g"))["graph"]
    assert found.status == "ok"
    assert "0 stories" in found.found
    assert f"schema version {SCHEMA_VERSION}" in found.found


@pytest.mark.parametrize(("shift", "hint"), [(-1, "fabula graph migrate"), (1, "upgrade")])
def test_graph_of_another_schema_version_is_a_problem(checks, tmp_path, shift, hint):
    with open_graph(tmp_path / "g") as store:
        values = {"version": SCHEMA_VERSION + shift, "created_by": "test"}
        store.transact(lambda tx: tx.run(queries.SET_META, values))
    found = checks(str(tmp_path / "g"))["graph"]
    assert found.status == "problem"
    assert hint in found.hint


def test_graph_that_is_held_names_the_holder(checks, tmp_path):
    code = (
        "import sys; from graph.store import open_graph; store = open_graph('g'); "
        "print('ok', flush=True); sys.stdin.read()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    try:
        assert child.stdout.readline() == "ok\n"
        found = checks("g")["graph"]
    finally:
        child.communicate("")
    assert found.status == "ok"
    assert str(child.pid) in found.found
    assert "fabula graph serve" in found.hint


def test_server_that_is_not_there_is_a_problem(checks):
    found = checks("bolt://127.0.0.1:1")
    assert found["graph"].status == "problem"
    assert "cannot be reached" in found["graph"].found
    assert "disk" not in found


def test_engine_is_needed_only_without_a_server(checks, monkeypatch):
    without(monkeypatch, "arcadedb-embedded")
    assert checks()["engine"].status == "problem"
    assert "bolt://" in checks()["engine"].hint
    assert checks("bolt://127.0.0.1:1")["engine"].status == "missing"


def test_missing_and_outdated_packages_are_problems(checks, monkeypatch):
    without(monkeypatch, "sacrebleu")
    assert "sacrebleu is not installed" in checks()["packages"].found
    monkeypatch.undo()
    monkeypatch.setattr(metadata, "requires", lambda name: ["numpy>=99", "x>=1; extra == 'models'"])
    found = checks()["packages"]
    assert found.status == "problem"
    assert "needed is numpy>=99" in found.found


def test_not_installed_package_list_is_pyprojects(monkeypatch):
    def absent(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", absent)
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    assert sorted([*doctor._requirements(), "arcadedb-embedded"]) == names(declared)


def test_models_list_is_pyprojects():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert sorted(doctor.MODELS) == names(project["optional-dependencies"]["models"])


def names(requirements):
    return sorted(re.split("[<>=]", text)[0] for text in requirements)


def test_models_extra_is_optional(checks, monkeypatch):
    without(monkeypatch, *doctor.MODELS)
    found = checks()
    assert found["models extra"].status == "missing"
    assert "make setup-models" in found["models extra"].hint
    assert found["GPU"].status == "missing"


def test_data_folder_that_is_not_there_is_a_problem(checks, monkeypatch):
    monkeypatch.setenv("FABULA_DATA", "nowhere")
    found = checks()["data"]
    assert found.status == "problem"
    assert "there is no folder 'nowhere'" in found.found


def test_data_is_found_and_what_lacks_is_named(checks, monkeypatch, tmp_path):
    (tmp_path / "given").mkdir()
    (tmp_path / "given" / "pasta").symlink_to(SAMPLE / "pasta")
    monkeypatch.setenv("FABULA_DATA", "given")
    found = checks()
    assert found["data: pasta"].status == "ok"
    assert "2 files (val, te)" in found["data: pasta"].found
    assert found["data: poque"].status == "missing"
    assert "no poque data in 'given'" in found["data: poque"].found


def test_full_disk_is_a_problem(checks, monkeypatch):
    usage = type("Usage", (), {"free": 10 * 2**20})
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda path: usage)
    assert checks()["disk"].status == "problem"


def test_unforeseen_failure_of_a_check_is_a_line_not_a_traceback(checks, monkeypatch):
    def fail():
        raise RuntimeError("odd")
        yield

    monkeypatch.setattr(doctor, "_wordnet", fail)
    found = checks()
    assert found["WordNet table"].status == "problem"
    assert found["WordNet table"].found == "RuntimeError: odd"
    assert "engine" in found, "the other checks go on"


def command(*arguments, **environment):
    clean = {k: v for k, v in os.environ.items() if not k.startswith("FABULA")}
    return subprocess.run(
        [sys.executable, "-c", "from fabula.cli import main; main()", "doctor", *arguments],
        env=clean | {"PYTHONPATH": str(ROOT)} | environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_command_ends_with_0_when_only_optional_things_are_missing():
    done = command("--json")
    report = json.loads(done.stdout)
    assert (done.returncode, done.stderr, report["ok"]) == (0, "", True)
    assert {"name", "status", "found", "hint"} == set(report["checks"][0])
    done = command()
    assert done.returncode == 0
    assert "missing" in done.stdout
    assert "-> fabula ingest all" in done.stdout


def test_command_ends_with_1_when_something_is_broken():
    done = command(FABULA_DATA="nowhere")
    assert done.returncode == 1
    assert "PROBLEM" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
