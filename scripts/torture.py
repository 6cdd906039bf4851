# SPDX-License-Identifier: Apache-2.0
"""Kills work at random moments and proves that doing it again gives the same result.

    python scripts/torture.py ingest --kills 20 [--data DIR] [--seed 0]
    python scripts/torture.py run --kills 20 [--data DIR] [--seed 0]

A child process does the work on a graph folder; it is killed (SIGKILL) after a random part of the
time that the work takes, and started again on the same folder, until it ends by itself. At the end
the graph (and, for `run`, results.json without its volatile fields and samples.jsonl) must be, line
by line, what undisturbed work makes. When a child ends before its
kill, a new folder is begun, so that kills fall everywhere. Exits with 1 on a difference.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
READY = "ready"


def work_ingest(folder: Path, data: Path | None) -> None:
    """The work of a child: a whole ingest."""
    from graph.store import open_graph
    from ingest.run import ingest
    from ingest.source import SAMPLE, Source

    with open_graph(folder) as store:
        print(READY, flush=True)
        ingest(store, "all", Source(data or SAMPLE))


def work_run(folder: Path, data: Path | None) -> None:
    """The work of a child: every baseline on every task."""
    from benchmarks.runner import Request, run, spell_out
    from graph.store import open_graph
    from ingest.source import SAMPLE, Source
    from reasoners.tasks import select

    request = Request(select(["all"]), spell_out(["baselines"]), outputs(folder))
    with open_graph(folder) as store:
        print(READY, flush=True)
        run(store, request, Source(data or SAMPLE))


def outputs(graph: Path) -> Path:
    """Where the results of a run on a graph folder go."""
    return graph.with_name(f"{graph.name}-out")


WORK: dict[str, Callable[[Path, Path | None], None]] = {"ingest": work_ingest, "run": work_run}
"""What can be tortured. A child gets the graph's folder and the data folder."""


def dump(folder: Path) -> list[str]:
    """What the work has made, as lines that can be compared."""
    from graph.canonical import canonical_lines
    from graph.store import open_graph

    with open_graph(folder, create=False) as store:
        lines = list(canonical_lines(store))
    out = outputs(folder)
    if out.exists():
        from benchmarks import results

        stable = results.stable(results.read(out / "results.json"))
        lines.append(json.dumps(stable, sort_keys=True))
        lines += (out / "samples.jsonl").read_text(encoding="utf-8").splitlines()
    return lines


def start(what: str, folder: Path, data: Path | None) -> subprocess.Popen[str]:
    """Starts a child and waits until its graph is open and its work begins."""
    command = [sys.executable, __file__, "child", what, str(folder)]
    command += [str(data)] if data else []
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    if child.stdout.readline().strip() != READY:
        raise SystemExit(f"the child failed before its work began: exit code {child.wait()}")
    return child


def finish(child: subprocess.Popen[str]) -> None:
    """Waits for a child to end by itself."""
    if child.wait() != 0:
        raise SystemExit(f"the child failed: exit code {child.returncode}")


def torture(what: str, kills: int, data: Path | None, seed: int) -> bool:
    """Runs the whole trial; returns True if every graph came out equal."""
    chance = random.Random(seed)
    scratch = Path(tempfile.mkdtemp(prefix="fabula-torture-"))
    try:
        calm = scratch / "calm"
        child = start(what, calm, data)
        begun = time.monotonic()
        finish(child)
        took = time.monotonic() - begun
        expected = dump(calm)
        print(f"undisturbed: {took:.1f} s, {len(expected)} lines", flush=True)
        done, folders = 0, 0
        equal = True
        while done < kills:
            folder = scratch / f"graph{folders}"
            folders += 1
            here = 0
            while done < kills:
                child = start(what, folder, data)
                try:
                    child.wait(chance.uniform(0, took))
                    break  # ended before its kill
                except subprocess.TimeoutExpired:
                    child.send_signal(signal.SIGKILL)
                    child.wait()
                    done += 1
                    here += 1
            finish(start(what, folder, data))
            same = dump(folder) == expected
            equal &= same
            verdict = "equal" if same else "DIFFERENT"
            print(f"graph {folders}: {here} kills, {verdict}", flush=True)
            shutil.rmtree(folder)
            shutil.rmtree(outputs(folder), ignore_errors=True)
        print(f"{done} kills, {folders} graphs: {'all equal' if equal else 'DIFFERENCES'}")
        return equal
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def main() -> int:
    """Command line."""
    if sys.argv[1:2] == ["child"]:
        what, folder, *data = sys.argv[2:]
        WORK[what](Path(folder), Path(data[0]) if data else None)
        return 0
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=sorted(WORK))
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--data", type=Path, help="data folder; default: the bundled sample")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    return 0 if torture(given.what, given.kills, given.data, given.seed) else 1


if __name__ == "__main__":
    sys.exit(main())
