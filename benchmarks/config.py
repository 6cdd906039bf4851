# SPDX-License-Identifier: Apache-2.0
"""What a benchmark run was asked to do; a folder holds the samples of one configuration only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from benchmarks.results import write_text
from graph.errors import RunError
from graph.task_queries import Setting

RUN_FILE = "run.json"


class RunConfig(BaseModel):
    """Everything that the figures depend on."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    tasks: tuple[str, ...]
    """Task ids with their input forms."""
    reasoners: tuple[str, ...]
    """Names of the reasoners."""
    splits: dict[str, str]
    """Split that is scored, by data set."""
    limit: int | None
    """Annotations to use of each split; None for all."""
    seed: int
    """Seed of random answers and of the intervals."""
    setting: Setting
    """Whether inputs besides the raw text are annotated or predicted."""
    graph: str
    """Folder or address, without a password."""
    data: dict[str, dict[str, str]]
    """Checksum of each data file, by data set."""
    version: str
    """Version of Fabula."""
    bertscore: str | None = None
    """Encoder and layer of BERTScore; None without it."""


def claim_folder(folder: Path, config: RunConfig) -> bool:
    """Takes a folder for a run.

    Args:
        folder: the output folder.
        config: what is asked.

    Returns:
        True if an earlier run of the same configuration is there to be finished.

    Raises:
        RunError: it holds a run of another configuration; names the differing keys.
    """
    path = folder / RUN_FILE
    wanted = config.model_dump(mode="json")
    if not path.exists():
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(f"cannot make the folder {folder}: {error}") from error
        write_text(path, json.dumps(wanted, indent=1) + "\n")
        return False
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise RunError(f"{path} is not readable: delete {folder} or use another --out") from error
    differing = sorted(key for key in wanted if found.get(key) != wanted[key])
    if differing:
        changes = "; ".join(
            f"{key}: {_short(found.get(key))} -> {_short(wanted[key])}" for key in differing
        )
        raise RunError(
            f"{folder} holds a run with another configuration ({changes}): "
            "use another --out, or delete it"
        )
    return True


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
