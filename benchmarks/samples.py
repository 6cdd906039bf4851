# SPDX-License-Identifier: Apache-2.0
"""`samples.jsonl`: one record an item and system, flushed as it is made."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import IO, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from graph.errors import RunError
from reasoners.base import AnswerValue


class SampleRecord(BaseModel):
    """A line of `samples.jsonl`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str
    """Task id with its input form."""
    system: str
    """Name of the reasoner."""
    item: str
    """Key of the item."""
    answer: AnswerValue | None
    """What it concluded, None if it failed."""
    gold: AnswerValue
    """What the annotators concluded."""
    confidence: float | None = None
    """The reasoner's, where it gives one."""
    error: str | None = None
    """Why it failed."""


class Done(NamedTuple):
    """What identifies a finished sample."""

    task: str
    system: str
    item: str


class SampleFile:
    """Appends records; opening it again drops a line that a kill cut off.

    Args:
        path: the file.

    Raises:
        RunError: a line in the middle is no sample: somebody else wrote it.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.done: dict[Done, SampleRecord] = {}
        end = 0
        if path.exists():
            content = path.read_bytes()
            for number, line in enumerate(content.splitlines(keepends=True), start=1):
                if not line.endswith(b"\n"):
                    break
                try:
                    record = SampleRecord.model_validate_json(line)
                except ValidationError as error:
                    raise RunError(
                        f"{path}, line {number}: not a sample of this run; use another --out"
                    ) from error
                self.done[Done(record.task, record.system, record.item)] = record
                end += len(line)
        self._file: IO[bytes] = path.open("r+b" if path.exists() else "w+b")
        self._file.truncate(end)
        self._file.seek(end)

    def add(self, records: Iterable[SampleRecord]) -> None:
        """Writes records that are not there yet and flushes them to the disk."""
        for record in records:
            key = Done(record.task, record.system, record.item)
            if key not in self.done:
                self.done[key] = record
                text = json.dumps(record.model_dump(mode="json"), ensure_ascii=False)
                self._file.write(text.encode("utf-8") + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Closes the file."""
        self._file.close()
