# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from pathlib import Path

import pytest

from graph.errors import RecordError
from ingest.rows import MAX_ROW, RawRow, parse, read_lines, read_whole


def lines_of(path: Path, data: bytes) -> list[RawRow]:
    path.write_bytes(data)
    return list(read_lines(path))


@pytest.mark.parametrize(
    "data",
    [
        b'{"a": 1}\n{"a": 2}\n',
        b'{"a": 1}\n{"a": 2}',
        b'{"a": 1}\r\n{"a": 2}\r\n',
        b'\xef\xbb\xbf{"a": 1}\n\n  \n{"a": 2}\n\n',
    ],
    ids=["plain", "no newline at the end", "CRLF", "BOM and blank lines"],
)
def test_what_editors_do_to_files_is_accepted(tmp_path: Path, data: bytes) -> None:
    assert [parse(row) for row in lines_of(tmp_path / "f", data)] == [{"a": 1}, {"a": 2}]


def test_line_numbers_count_blank_lines(tmp_path: Path) -> None:
    assert [row.line for row in lines_of(tmp_path / "f", b"{}\n\n{}\n")] == [1, 3]


def test_only_newlines_end_rows(tmp_path: Path) -> None:
    data = '{"a": "one\u2028two\x85three"}\n'.encode()
    assert len(lines_of(tmp_path / "f", data)) == 1


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": 1', "broken JSON"),
        ("", "broken JSON"),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": -Infinity}', "-Infinity is not JSON"),
        ('{"a": 1, "a": 1}', "the key occurs twice"),
        ('{"b": {"a": 1, "a": 2}}', "the key occurs twice"),
        ("[1]", "not a JSON object"),
        ("null", "not a JSON object"),
        ('{"a": "\\ud800"}', "half of a surrogate pair"),
        ('{"\\udfff": 1}', "half of a surrogate pair"),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
        ('{"a": ' + "9" * 10_000 + "}", "a number that is too long"),
        ('{"a": "tab\there"}', "broken JSON"),
    ],
)
def test_what_is_no_clean_json_is_refused(text: str, reason: str) -> None:
    with pytest.raises(RecordError, match=reason):
        parse(RawRow(1, text))


def test_a_whole_pair_is_a_character() -> None:
    assert parse(RawRow(1, '{"a": "\\ud83d\\ude00"}')) == {"a": "\U0001f600"}


def test_bytes_that_are_not_utf8_spoil_their_row_only(tmp_path: Path) -> None:
    first, second = lines_of(tmp_path / "f", b'{"a": "\xff"}\n{"a": 2}\n')
    assert first.text == '{"a": "\\xff"}'
    with pytest.raises(RecordError, match="not UTF-8: byte 0xff"):
        parse(first)
    assert parse(second) == {"a": 2}


def test_an_oversized_row_spoils_itself_only(tmp_path: Path) -> None:
    huge = b'{"a": "' + b"x" * (3 * MAX_ROW) + b'"}'
    first, second = lines_of(tmp_path / "f", huge + b'\n{"a": 2}\n')
    assert len(first.text) < 10_000
    with pytest.raises(RecordError, match="longer than"):
        parse(first)
    assert (second.line, parse(second)) == (2, {"a": 2})


def test_a_row_of_the_largest_size_is_accepted(tmp_path: Path) -> None:
    row = b'{"a": "' + b"x" * (MAX_ROW - 9) + b'"}'
    assert len(row) == MAX_ROW
    (only,) = lines_of(tmp_path / "f", row)
    assert len(parse(only)["a"]) == MAX_ROW - 9


def test_a_whole_file_is_one_row(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b'\xef\xbb\xbf{\r\n "a": 1\r\n}\n')
    (row,) = read_whole(tmp_path / "f")
    assert parse(row) == {"a": 1}
