# SPDX-License-Identifier: Apache-2.0
"""Raw rows of data files, read strictly: what JSON leaves open is an error here, not a guess.

| in the file | what happens |
|---|---|
| byte order mark at the start, CRLF, blank lines, no newline at the end | accepted |
| bytes that are not UTF-8, broken or deeply nested JSON, a row that is no object | row rejected |
| `NaN`, `Infinity`, a key twice in one object, half of a surrogate pair | row rejected |
| a row of more than `MAX_ROW` bytes | row rejected, without holding it in memory |
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from graph.errors import RecordError

MAX_ROW = 1 << 20
"""Bytes that a row may have; the longest published one has some ten thousand."""
_SHOWN = 2000
_BOM = b"\xef\xbb\xbf"
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class RawRow:
    """A row as it stands in its file."""

    line: int
    """Line in the file, from 1."""
    text: str
    """The row's text; bytes that are not UTF-8 are written `\\xNN`, an oversized row is cut."""
    problem: str | None = None
    """Why it cannot even be parsed."""


def read_lines(path: Path) -> Iterator[RawRow]:
    """Yields the rows of a file with one JSON object a line."""
    with path.open("rb") as file:
        number = 0
        while data := file.readline(MAX_ROW + 1):
            number += 1
            oversized = len(data) > MAX_ROW
            rest = data
            while oversized and rest and not rest.endswith(b"\n"):
                rest = file.readline(MAX_ROW)
            if number == 1:
                data = data.removeprefix(_BOM)
            if data.strip(b" \t\r\n"):
                yield _row(number, data.rstrip(b"\r\n"), oversized)


def read_whole(path: Path) -> Iterator[RawRow]:
    """Yields the one row of a file that is one JSON object."""
    with path.open("rb") as file:
        data = file.read(MAX_ROW + 1)
    yield _row(1, data.removeprefix(_BOM), len(data) > MAX_ROW)


def _row(line: int, data: bytes, oversized: bool) -> RawRow:
    if oversized:
        shown = data[:_SHOWN].decode("utf-8", errors="backslashreplace")
        return RawRow(line, shown, f"longer than {MAX_ROW} bytes")
    try:
        return RawRow(line, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        text = data.decode("utf-8", errors="backslashreplace")
        return RawRow(line, text, f"not UTF-8: byte 0x{data[error.start]:02x}")


def parse(row: RawRow) -> dict[str, Any]:
    """Parses a raw row.

    Returns:
        The JSON object.

    Raises:
        RecordError: it is not one, or is ambiguous (see the module's table).
    """
    if row.problem is not None:
        raise RecordError(row.problem)
    try:
        value = json.loads(
            row.text, parse_constant=_refuse_constant, object_pairs_hook=_object_of_pairs
        )
        # Escapes can name half a pair; such text has no UTF-8 form and no store can hold it.
        if "\\u" in row.text and _has_surrogate(value):
            raise RecordError("half of a surrogate pair in the text")
    except json.JSONDecodeError as error:
        raise RecordError(f"broken JSON: {error.msg}") from error
    except RecursionError as error:
        raise RecordError("JSON nested too deeply") from error
    except ValueError as error:  # a number of thousands of digits
        raise RecordError("broken JSON: a number that is too long") from error
    if not isinstance(value, dict):
        raise RecordError("not a JSON object")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise RecordError(f"{name} is not JSON")


def _object_of_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))  # type: ignore[func-returns-value]
        field = twice.encode("utf-8", errors="backslashreplace").decode("utf-8")
        raise RecordError("the key occurs twice in one object", field=field)
    return value


def _has_surrogate(value: Any) -> bool:
    if isinstance(value, str):
        return _SURROGATE.search(value) is not None
    if isinstance(value, dict):
        return any(_has_surrogate(key) or _has_surrogate(item) for key, item in value.items())
    return isinstance(value, list) and any(map(_has_surrogate, value))
