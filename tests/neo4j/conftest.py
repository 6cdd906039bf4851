# SPDX-License-Identifier: Apache-2.0
"""A command line in a process of its own, as a user runs it, on a graph at an address."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def command(tmp_path: Path) -> Command:
    """Starts `python -m ...` with a server's address and login in its environment."""
    data = os.environ.get("FABULA_DATA")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("FABULA")}
    environment |= {"FABULA_DATA": str(Path(data).resolve())} if data else {"FABULA_OFFLINE": "1"}

    def start(*arguments: str, **more: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", *arguments], env=environment | more, cwd=tmp_path,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    return start
