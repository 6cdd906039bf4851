# SPDX-License-Identifier: Apache-2.0
"""The file of malformed rows: JSON lines with file, line, field, reason and the row's text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Self, TextIO

from graph.errors import RecordError
from ingest.rows import RawRow


class RejectFile:
    """Collects malformed rows. Use it as a context manager.

    What earlier runs noted of the files that this one reads is replaced, so nothing piles up. The
    file appears when the context ends; without any malformed row there is none.

    Args:
        path: where it goes.
        files: names of the files that this run reads.
    """

    def __init__(self, path: Path, files: Iterable[str]) -> None:
        self.path = path
        self._files = frozenset(files)
        self._draft = path.with_name(f".{path.name}.draft")
        self._out: TextIO | None = None
        self._count = 0

    def __enter__(self) -> Self:
        earlier = self._earlier()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._out = self._draft.open("w", encoding="utf-8")
        for line in earlier:
            self._write(line)
        return self

    def add(self, row: RawRow, error: RecordError) -> None:
        """Notes a malformed row."""
        entry = {
            "file": error.file,
            "line": error.line,
            "field": error.field,
            "reason": error.reason,
            "row": row.text,
        }
        self._write(json.dumps(entry))

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._out is None:
            return
        self._out.close()
        if self._count:
            self._draft.replace(self.path)
        else:
            self._draft.unlink()
            self.path.unlink(missing_ok=True)

    def _write(self, line: str) -> None:
        if self._out is not None:
            self._out.write(f"{line}\n")
            self._count += 1

    def _earlier(self) -> list[str]:
        """What is noted of other files."""
        if not self.path.is_file():
            return []
        lines: list[str] = []
        for line in self.path.read_text(encoding="utf-8").splitlines():
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            if isinstance(entry, dict) and entry.get("file") not in self._files:
                lines.append(line)
        return lines
