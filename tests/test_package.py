# SPDX-License-Identifier: Apache-2.0
"""What is shipped: imports cost nothing, the facade is what it says, the wheel is whole."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

import fabula
from graph.version import __version__

ROOT = Path(__file__).resolve().parent.parent
HEAVY = ("torch", "transformers", "neo4j", "arcadedb_embedded", "jpype", "nltk", "sacrebleu")
NOT_SOURCE = {
    ".git", ".venv", ".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache",
    ".import_linter_cache", "__pycache__", "build", "data", "dist", "fabula-graph", "log",
}  # fmt: skip


def source_files() -> list[Path]:
    """The files of the checkout that belong to the project."""
    found = []
    for folder, names, files in os.walk(ROOT):
        here = Path(folder)
        top = here == ROOT
        names[:] = [
            name
            for name in names
            # `data` is the user's at the top and the packages' own below.
            if (name not in NOT_SOURCE or (name == "data" and not top))
            and not name.endswith(".egg-info")
        ]
        found += [here / name for name in files]
    return found


@pytest.mark.parametrize("package", ["graph", "ingest", "reasoners", "benchmarks", "fabula"])
def test_importing_a_package_does_no_work(package):
    code = f"import sys, json, {package}; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    assert len(lines) == 1, "it printed something"
    loaded = set(json.loads(lines[0]))
    assert not loaded & set(HEAVY)


def test_facade_gives_exactly_its_public_names():
    assert fabula.__all__ == sorted(fabula.__all__)
    public = {name for name in dir(fabula) if not name.startswith("_")}
    assert public | {"__version__"} == set(fabula.__all__)
    for name in fabula.__all__:
        assert getattr(fabula, name) is not None
    assert fabula.__version__ == __version__
    with pytest.raises(AttributeError, match="no attribute 'open_grph'"):
        fabula.open_grph  # noqa: B018


def test_facade_names_are_the_parts_own():
    from graph.errors import FabulaError
    from graph.store import GraphStore, open_graph

    assert fabula.open_graph is open_graph
    assert fabula.GraphStore is GraphStore
    assert fabula.FabulaError is FabulaError


def test_missing_extra_says_in_one_line_what_to_install(tmp_path, monkeypatch):
    from graph.errors import MissingExtraError
    from graph.extras import require

    assert require("json", "models") is json
    with pytest.raises(MissingExtraError) as caught:
        require("no_such_module.part", "models")
    assert "no_such_module is not installed" in str(caught.value)
    assert "pip install '.[models]'" in str(caught.value)
    assert "\n" not in str(caught.value)
    # An installed module that itself fails is a broken installation, not a missing extra.
    (tmp_path / "fabula_test_broken.py").write_text("import no_such_module_either\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="no_such_module_either"):
        require("fabula_test_broken", "models")


def test_no_file_names_the_machine_it_was_made_on():
    words = [("/" + "work" + "/").encode(), ("/" + "root" + "/").encode(), b"python" + b"hosted"]
    guilty = [
        str(path.relative_to(ROOT))
        for path in source_files()
        if any(word in path.read_bytes() for word in words)
    ]
    assert guilty == []


@pytest.mark.parametrize("name", ["build", "base", "dev", "models"])
def test_lock_is_pinned_hashed_and_names_no_index(name):
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    assert "://" not in text
    assert "--index" not in text
    assert "--find-links" not in text
    entries = re.split(r"\n(?=[a-z0-9])", re.sub(r"^ *#.*\n", "", text, flags=re.M))
    for entry in entries:
        assert re.match(r"[a-z0-9._-]+==\S+", entry), entry
        assert "--hash=sha256:" in entry, entry


def test_lock_holds_what_pyproject_declares():
    from packaging.requirements import Requirement

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    base = _pins("base")
    wanted = {
        "build": project["build-system"]["requires"],
        "base": project["project"]["dependencies"],
        "dev": project["project"]["dependencies"] + project["dependency-groups"]["dev"],
        "models": project["project"]["dependencies"]
        + project["project"]["optional-dependencies"]["models"],
    }
    for lock, requirements in wanted.items():
        pins = _pins(lock)
        for text in requirements:
            requirement = Requirement(text)
            versions = pins[requirement.name.lower().replace("_", "-")]
            assert all(v in requirement.specifier for v in versions), f"{lock}: run `make lock`"
        if lock in ("dev", "models"):
            assert {name: pins[name] for name in base} == base, "each lock holds base whole"


def _pins(lock: str) -> dict[str, set[str]]:
    text = (ROOT / "requirements" / f"{lock}.txt").read_text()
    pins: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([a-z0-9._-]+)==(\S+)", text, flags=re.M):
        pins.setdefault(name, set()).add(version)
    return pins


# --- the wheel ---------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built from a copy of the checkout."""
    copy = tmp_path_factory.mktemp("wheel") / "checkout"
    for path in source_files():
        target = copy / path.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    out = copy.parent / "dist"
    subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "wheel", "--quiet",
         "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(out), str(copy)],
        check=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    (built,) = out.glob("*.whl")
    return built


def test_wheel_holds_data_and_types_and_nothing_foreign(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    for package in ("graph", "ingest", "reasoners", "benchmarks", "fabula"):
        assert f"{package}/py.typed" in names
    wanted = {
        "graph/engine-logging.properties",
        "reasoners/metrics/data/wordnet-synonyms.json.xz",
        "reasoners/metrics/data/WORDNET-LICENSE",
        "ingest/data/known_files.json",
    }
    sample = ROOT / "ingest" / "sample"
    wanted |= {
        path.relative_to(ROOT).as_posix() for path in sample.rglob("*") if path.suffix != ".md"
        and path.is_file()
    }  # fmt: skip
    assert wanted <= names
    assert {name.rpartition("/")[2] for name in names if "/licenses/" in name} == {
        "LICENSE", "NOTICE"
    }  # fmt: skip
    tops = {name.partition("/")[0] for name in names}
    info = f"fabula-{__version__}.dist-info"
    assert tops == {"graph", "ingest", "reasoners", "benchmarks", "fabula", info}


def test_wheel_works_in_a_clean_environment_from_another_folder(wheel, tmp_path):
    home = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    python = home / "bin" / "python"
    subprocess.run(
        [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python),
         "install", "--quiet", "--no-deps", "--no-index", str(wheel)],
        check=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    # The dependencies are this environment's; a .pth file does not read the .pth files there, so
    # an editable install of the checkout stays out.
    (packages,) = (home / "lib").glob("python*/site-packages")
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    code = (
        "import fabula, graph, sys\n"
        "assert fabula.__file__.startswith(sys.prefix), fabula.__file__\n"
        "from ingest.run import ingest\n"
        "from ingest.source import SAMPLE, Source\n"
        "with fabula.open_graph('g') as store:\n"
        "    ingest(store, 'all', Source(SAMPLE))\n"
        "    print(store.ask('MATCH (s:State) RETURN count(s) AS n').rows[0][0] > 0)\n"
    )
    assert _run([str(python), "-c", code], elsewhere) == "True\n"
    # The command does not import from the folder where it is called.
    (elsewhere / "graph.py").write_text("raise SystemExit('the wrong graph was imported')\n")
    command = str(home / "bin" / "fabula")
    query = "MATCH (g:Goal) RETURN count(g) > 0 AS there"
    assert _run([command, "query", "--csv", query, "-g", "g"], elsewhere) == "there\ntrue\n"
    assert f"fabula {__version__}" in _run([command, "--version"], elsewhere)


def _run(command: list[str], folder: Path) -> str:
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("PYTHON", "FABULA"))
    }
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
