# SPDX-License-Identifier: Apache-2.0
"""The documents are true: links lead somewhere, code runs as written, tables are up to date."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

import fabula
from graph.version import __version__

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
_FENCE = re.compile(
    r"(?P<mark><!-- not run: [^>]+-->\n)?```(?P<kind>\w+)\n(?P<body>.*?)^```$"
    r"(?:\n+```text\n(?P<output>.*?)^```$)?",
    re.M | re.S,
)
_LINK = re.compile(r"\[[^]]*\]\(([^)\s]+)\)")


class Block(NamedTuple):
    """A code block that is to be run, with the output that stands below it."""

    page: str
    kind: str
    body: str
    output: str | None


def blocks(kinds: set[str]) -> list[Block]:
    """The blocks of all pages that are not marked as not run."""
    return [
        Block(path.name, found["kind"], found["body"], found["output"])
        for path in PAGES
        for found in _FENCE.finditer(path.read_text(encoding="utf-8"))
        if found["kind"] in kinds and not found["mark"]
    ]


def _name(block: Block) -> str:
    return f"{block.page}: {block.body.strip().splitlines()[0][:50]}"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory) -> Path:
    """A folder like a checkout after `make setup`: the sample ingested, and one small run."""
    folder = tmp_path_factory.mktemp("docs")
    (folder / "ingest").symlink_to(ROOT / "ingest")
    shims = folder / "bin"
    shims.mkdir()
    (shims / "fabula").write_text(f"#!{sys.executable}\nfrom fabula.cli import main\nmain()\n")
    (shims / "python").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    for shim in shims.iterdir():
        shim.chmod(0o755)
    # The set-up is done: this environment has it.
    (folder / "Makefile").write_text("setup:\n")
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "activate").touch()
    where = "--quiet --data ingest/sample --graph build/sample"
    run(folder, f"fabula ingest all {where}")
    run(folder, f"python -m benchmarks.run choice75 --reasoner option-1 {where}")
    return folder


def run(folder: Path, script: str | None, code: str = "") -> str:
    """Runs a shell script, or Python code, as a user in a terminal 100 characters wide would."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("FABULA")} | {
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "FABULA_OFFLINE": "1",
        "COLUMNS": "100",
        "NO_COLOR": "1",
    }
    command = ["bash", "-euo", "pipefail", "-c", script] if script else [sys.executable, "-c", code]
    done = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def _lines(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


@pytest.mark.parametrize("block", blocks({"sh", "python"}), ids=_name)
def test_code_runs_and_prints_what_the_page_shows(block, checkout):
    printed = run(checkout, block.body if block.kind == "sh" else None, block.body)
    if block.output is not None:
        assert _lines(block.output) in _lines(printed)


@pytest.fixture(scope="module")
def sample(checkout):
    with fabula.open_graph(checkout / "build" / "sample", create=False) as store:
        yield store


# Those of the cookbook have parameters and answers: tests/cypher runs them, on every engine.
@pytest.mark.parametrize(
    "block", [each for each in blocks({"cypher"}) if each.page != "cypher.md"], ids=_name
)
def test_cypher_of_the_pages_runs(block, sample):
    assert sample.ask(block.body).rows


def test_every_block_of_the_first_screen_is_run_or_says_why_not():
    screen = (ROOT / "README.md").read_text(encoding="utf-8").partition("\n## ")[0]
    found = [(each["kind"], bool(each["mark"])) for each in _FENCE.finditer(screen)]
    assert found == [("sh", False), ("sh", True), ("python", False)]
    assert "make benchmark" in screen


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    text = re.sub(r"```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.M | re.S)
    for link in _LINK.findall(text):
        if "://" not in link and not link.startswith("#"):
            target = path.parent / link.partition("#")[0]
            assert target.exists(), f"{path.name} links to {link}"


def test_data_model_is_made_from_the_model():
    spec = importlib.util.spec_from_file_location("draw", ROOT / "scripts" / "draw_data_model.py")
    assert spec is not None
    assert spec.loader is not None
    draw = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(draw)
    for path, text in draw.outputs().items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name} is out of date: `make docs`"


def test_make_targets_that_pages_name_exist():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z0-9-]+):", makefile, flags=re.M))
    for path in PAGES:
        for name in re.findall(r"(?:^|`)make ([a-z0-9-]+)", path.read_text(encoding="utf-8"), re.M):
            assert name in targets, f"{path.name}: make {name}"


def test_citation_has_the_version():
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {__version__}\n" in citation


def test_compose_file_listens_on_loopback_and_holds_no_password():
    text = (ROOT / "docker-compose.yml").read_text(encoding="utf-8")
    ports = re.findall(r"^ +- (\S+:\d+:\d+)$", text, flags=re.M)
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)
    assert "NEO4J_AUTH: neo4j/${FABULA_GRAPH_PASSWORD:?" in text
