# SPDX-License-Identifier: Apache-2.0
"""Ingest on a local Ray cluster gives what ingest here gives."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from graph.canonical import canonical_hash
from graph.errors import MissingExtraError, RecordError, UsageError
from graph.store import GraphStore, open_graph
from ingest import cluster
from ingest.run import ingest

if TYPE_CHECKING:
    from tests.ingest.conftest import DataFolder

VALID = "poque/all_valid_data.jsonl"
VAL = "pasta/val_data.jsonl"

# Ray leaves sockets and files to the garbage collector when it shuts down.
pytestmark = [
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    # Not `importorskip`: `Cluster` must be the first to import Ray.
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed (extra: ray)"),
]

SIGNALS = """
import ctypes, signal
from pathlib import Path
from graph.store import open_graph
from ingest.cluster import Cluster

def handler():
    # The first word of `struct sigaction` is the handler, with glibc on Linux.
    action = (ctypes.c_void_p * 32)()
    ctypes.CDLL(None).sigaction(signal.SIGSEGV, None, ctypes.byref(action))
    return action[0]

with open_graph(Path("graph")):
    before = handler()
    with Cluster("local"):
        assert handler() == before
    assert handler() == before
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="reads the handler as Linux keeps it")
def test_ray_leaves_the_signals_of_the_engine_alone(tmp_path: Path) -> None:
    # `fabula ingest --ray local` was ended by SIGABRT: Ray had taken SIGSEGV from the JVM.
    done = subprocess.run(
        [sys.executable, "-c", SIGNALS],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.fixture(scope="module")
def ray() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        # Tasks of two rows, so that there are many and they end out of order.
        patch.setattr(cluster, "ROWS", 2)
        with cluster.Cluster(cluster.LOCAL):
            yield


def report_of(store: GraphStore, folder: DataFolder, **options: Any) -> list[dict[str, Any]]:
    report = ingest(store, "all", folder.source, **options)
    return [part.model_dump(exclude={"seconds"}) for part in report.datasets]


def spoil(folder: DataFolder) -> None:
    """Malformed rows of several kinds, and a key that comes twice, in two files."""
    valid, val = folder.rows(VALID), folder.rows(VAL)
    valid[1]["factors"] = []
    valid[5]["uid"] = valid[0]["uid"]
    folder.write(VALID, valid)
    val[2]["Answer.assertion"] = " "
    folder.write(VAL, [*val, val[0]])
    with (folder.root / VAL).open("a", encoding="utf-8") as file:
        file.write("{broken\n")


def test_an_address_without_a_cluster_is_told() -> None:
    # Before the tests that start one: a connection that is there would be used.
    with pytest.raises(UsageError, match="there is no Ray cluster at 'nowhere'"):
        cluster.Cluster("nowhere")


@pytest.mark.usefixtures("ray")
def test_graph_report_and_rejects_are_those_without_ray(folder: DataFolder, tmp_path: Path) -> None:
    spoil(folder)
    with open_graph(tmp_path / "here") as here, open_graph(tmp_path / "there") as there:
        expected = report_of(here, folder)
        assert report_of(there, folder, ray="local") == expected
        assert sum(sum(part["rejected"].values()) for part in expected) == 5
        assert canonical_hash(there) == canonical_hash(here)
        rejects = [(tmp_path / name / "rejects.jsonl").read_bytes() for name in ("here", "there")]
        assert rejects[0] == rejects[1]


@pytest.mark.slow
@pytest.mark.usefixtures("ray")
def test_a_stopped_ingest_is_finished_with_or_without_ray(
    folder: DataFolder, tmp_path: Path
) -> None:
    with open_graph(tmp_path / "at-once") as store:
        report_of(store, folder)
        expected = canonical_hash(store)
    with open_graph(tmp_path / "graph") as store:
        report_of(store, folder, ray="local", limit=3)
        finished = report_of(store, folder, ray="local")
        assert all(part["unchanged"] for part in finished)
        assert any(part["written"] for part in finished)
        again = report_of(store, folder)
        assert all(part["unchanged"] == part["read"] for part in again)
        assert canonical_hash(store) == expected


@pytest.mark.usefixtures("ray")
def test_strict_stops_at_the_first_malformed_row(folder: DataFolder, tmp_path: Path) -> None:
    spoil(folder)
    with open_graph(tmp_path / "graph") as store:
        with pytest.raises(RecordError) as here:
            ingest(store, "poque", folder.source, strict=True)
        with pytest.raises(RecordError) as there:
            ingest(store, "poque", folder.source, strict=True, ray="local")
    assert str(there.value) == str(here.value)


def test_without_ray_the_extra_is_named(
    folder: DataFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with (
        open_graph(tmp_path / "graph") as store,
        pytest.raises(MissingExtraError, match="the extra 'ray'"),
    ):
        ingest(store, "poque", folder.source, ray="local")
