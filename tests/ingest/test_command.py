# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typer
from typer.testing import CliRunner

from fabula.commands import ingest
from graph.errors import UnknownNameError

if TYPE_CHECKING:
    from tests.ingest.conftest import DataFolder

app = typer.Typer()
app.command(name="ingest", epilog=ingest.EXAMPLES)(ingest.ingest)


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FABULA_OFFLINE", "1")
    monkeypatch.delenv("FABULA_DATA", raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.chdir(tmp_path)


def test_the_sample_is_named_as_such(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["all", "--graph", "g", "--quiet"])
    assert result.exit_code == 0, result.output
    assert "SAMPLE DATA: figures on it mean nothing" in result.output
    again = CliRunner().invoke(app, ["pasta", "--graph", "g"])
    row = next(line for line in again.output.splitlines() if line.startswith("pasta "))
    assert row.split()[:6] == ["pasta", "sample", "16", "0", "0", "16"]
    assert not (tmp_path / "g/rejects.jsonl").exists()


def test_rejected_rows_are_told_and_are_no_failure(tmp_path: Path, folder: DataFolder) -> None:
    folder.write("pasta/val_data.jsonl", [{}, *folder.rows("pasta/val_data.jsonl")])
    result = CliRunner().invoke(
        app, ["pasta", "--graph", "g", "--data", str(folder.root), "--rejects", "bad.jsonl"]
    )
    assert result.exit_code == 0, result.output
    assert "pasta: 1 rejected: AssignmentId: is missing" in result.output
    assert "rejected rows: bad.jsonl" in result.output
    assert json.loads((tmp_path / "bad.jsonl").read_text())["line"] == 1


def test_a_wrong_name_makes_no_graph(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["pastra", "--graph", "g"])
    assert isinstance(result.exception, UnknownNameError)
    assert not (tmp_path / "g").exists()


def test_help_shows_examples() -> None:
    result = CliRunner().invoke(app, ["--help"])
    assert "fabula ingest all" in result.output
    for option in ("--graph", "--data", "--strict", "--limit", "--prune", "--rejects", "--quiet"):
        assert option in result.output
