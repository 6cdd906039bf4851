# SPDX-License-Identifier: Apache-2.0
"""The measurements of size: what they keep, how they go on, what they refuse."""

from __future__ import annotations

import json
import shutil
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from benchmarks import perf_scale, synthetic
from benchmarks.perf import app
from benchmarks.perf_graph import refuse_unless_empty
from benchmarks.perf_scale import Curve, check_disk, measure
from graph import elements
from graph.batch import BatchBuilder
from graph.errors import UsageError
from graph.store import GraphStore, open_graph

Opener = Callable[[], GraphStore]


@pytest.fixture
def opener(tmp_path: Path) -> Opener:
    return lambda: open_graph(tmp_path / "graph")


class Stopped(Exception):
    pass


def test_a_stopped_run_goes_on_and_keeps_what_it_has(
    tmp_path: Path, opener: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Curve] = []
    keep = perf_scale._keep

    def stop(state: perf_scale._State, path: Path) -> None:
        keep(state, path)
        if state.loaded == 60:
            raise Stopped

    with monkeypatch.context() as patch:
        patch.setattr(perf_scale, "_keep", stop)
        with pytest.raises(Stopped):
            measure([40, 80], opener, tmp_path, n_queries=5, size=20, done=seen.append)
    assert [point.stories for point in seen[-1].points] == [40]
    curve = measure([40, 80], opener, tmp_path, n_queries=5, size=20)
    assert curve.points[0] == seen[-1].points[0]
    whole = BatchBuilder().extend(synthetic.batches(0, 80)).build()
    last = curve.points[-1]
    assert (last.nodes, last.edges) == (len(whole.nodes), len(whole.edges))
    assert last.load is not None
    assert len(last.load.tenths) == 2  # the batch before the stop is among them
    assert len(curve.verdicts()) == 3
    with opener() as store:
        assert elements.count(store) == (last.nodes, last.edges)
    with pytest.raises(UsageError, match="with seed 0"):
        measure([40], opener, tmp_path, seed=1)


def test_a_graph_that_holds_something_is_refused(tmp_path: Path, opener: Opener) -> None:
    with opener() as store:
        refuse_unless_empty(store)
        store.write(synthetic.draw(0).batch)
        with pytest.raises(UsageError, match="is not empty"):
            refuse_unless_empty(store)
    with pytest.raises(UsageError, match="is not empty"):
        measure([10], opener, tmp_path / "state")


def test_too_small_a_disk_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = namedtuple("usage", "free")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage(10**9))
    check_disk(tmp_path, 10_000)
    with pytest.raises(UsageError, match=r"3\.4 GB of disk .* has 1\.0 GB"):
        check_disk(tmp_path, 100_000)


def test_the_commands(tmp_path: Path) -> None:
    out = tmp_path / "scale.json"
    done = CliRunner().invoke(app, ["scale", "--stories", "20", "--queries", "10", "-o", str(out)])
    assert done.exit_code == 0, done.output
    assert "client memory at its peak: asked < 3,000 MB" in done.output
    assert json.loads(out.read_text())["points"][0]["stories"] == 20
    done = CliRunner().invoke(app, ["csv", "--stories", "20", "-o", str(tmp_path / "csv")])
    assert done.exit_code == 0, done.output
    assert (tmp_path / "csv" / "Story.csv").is_file()
    done = CliRunner().invoke(app, ["graph", "--engine", "neo4j"])
    assert isinstance(done.exception, UsageError)
