# SPDX-License-Identifier: Apache-2.0
"""A benchmark run that is killed and started again ends like an undisturbed one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TORTURE = Path(__file__).parents[2] / "scripts" / "torture.py"


def torture(what, kills):
    done = subprocess.run(
        [sys.executable, str(TORTURE), what, "--kills", str(kills)],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert "all equal" in done.stdout


def test_a_killed_run_is_finished():
    torture("run", 2)


@pytest.mark.slow
@pytest.mark.parametrize("what", ["ingest", "run"])
def test_twenty_kills(what):
    torture(what, 20)
