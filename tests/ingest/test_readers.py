# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from graph.errors import RecordError, UnknownNameError
from ingest.poque import mentions_of, tag_mentions
from ingest.readers import READERS, DataFile
from ingest.rows import read_lines, read_whole
from ingest.source import SAMPLE

Change = tuple[tuple[str | int, ...], Any]
ABSENT = object()


def first(dataset: str) -> tuple[dict[str, Any], DataFile]:
    reader = READERS.get(dataset)
    file = reader.files(SAMPLE)[0]
    raw = next(iter((read_whole if reader.whole_files else read_lines)(file.path)))
    return json.loads(raw.text), file


def refusal(dataset: str, path: tuple[str | int, ...], value: Any) -> RecordError:
    row, file = first(dataset)
    place: Any = row
    for part in path[:-1]:
        place = place[part]
    if value is ABSENT:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    with pytest.raises(RecordError) as caught:
        READERS.get(dataset).parse(row, file)
    return caught.value


@pytest.mark.parametrize("dataset", ["poque", "pasta", "choice75"])
def test_each_field_is_needed_and_no_other_is_taken(dataset: str) -> None:
    row, _ = first(dataset)
    for name in set(row) - {"original_index"}:
        error = refusal(dataset, (name,), ABSENT)
        assert (error.field, error.reason) == (name, "is missing")
    error = refusal(dataset, ("extra",), 1)
    assert (error.field, error.reason) == ("extra", "is not a field of this data set")


@pytest.mark.parametrize("dataset", ["poque", "pasta", "choice75"])
def test_types_are_exact(dataset: str) -> None:
    row, _ = first(dataset)
    for name, value in row.items():
        wrong: list[Any] = [None, 1.5, [], {}, [1]]
        wrong += [1] if isinstance(value, (str, bool)) else []
        wrong += ["1", True] if not isinstance(value, (str, bool)) else []
        for bad in wrong:
            if bad == [] and name == "change_modes":
                continue
            assert refusal(dataset, (name,), bad).field.startswith(name), (name, bad)


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("uid",), -1, "greater than or equal to 0"),
        (("uid",), 2**63, "less than"),
        (("story_version",), "Agent", "'agent' or 'patient'"),
        (("story_id",), "x" * 201, "at most 200"),
        (("story_text",), "No space.", "must open with a space"),
        (("story_text",), " Another story.", "without its tags must be story_text"),
        (("original_story_text",), " <participant>Open", "leaves a tag open"),
        (("original_story_text",), " closed</participant>", "closes a tag that is not open"),
        (("original_story_text",), " <participant></participant>", "marks no words"),
        (("process_summary",), " \n", "must not be empty or blank"),
        (("process_summary",), "Another.", "all_process_summaries must hold process_summary"),
        (("all_endpoint_descriptions",), ["Another."], "must hold endpoint_description"),
        (("all_endpoint_descriptions",), [], "at least 1 item"),
        (("factors",), [], "at least 1 item"),
        (("factors", 0), "", "must not be empty or blank"),
        (("endpoint_achoring", "value"), 2, "do not belong together"),
        (("endpoint_achoring", "id"), "stated", "'Stated', 'Implied' or 'Neither'"),
        (("endpoint_achoring", "value"), True, "valid integer"),
        (("participant_involvement", "value"), 5, "less than or equal to 4"),
        (("participant_involvement", "value"), 0, "do not belong together"),
        (("change_modes",), ["Feeling", "Feeling"], "names a mode twice"),
        (("change_modes",), ["Mood"], "'Existence'"),
    ],
)
def test_poque_refuses(path: tuple[str | int, ...], value: Any, reason: str) -> None:
    assert reason in refusal("poque", path, value).reason


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("AssignmentId",), "", "must not be empty or blank"),
        (("Input.line3",), "", "must not be empty or blank"),
        (("Answer.line1.on",), "true", "valid boolean"),
        (("Answer.mod_assertion",), " ", "must not be empty or blank"),
    ],
)
def test_pasta_refuses(path: tuple[str | int, ...], value: Any, reason: str) -> None:
    assert reason in refusal("pasta", path, value).reason


def test_pasta_needs_a_marked_and_a_changed_line() -> None:
    row, file = first("pasta")
    unmarked = row | {f"Answer.line{i}.on": False for i in range(1, 6)}
    unchanged = row | {f"Answer.mod_line{i}": row[f"Input.line{i}"] for i in range(1, 6)}
    for bad, reason in ((unmarked, "no line is marked"), (unchanged, "does not differ")):
        with pytest.raises(RecordError, match=reason):
            READERS.get("pasta").parse(bad, file)


@pytest.mark.parametrize(
    ("path", "value", "reason"),
    [
        (("index",), 5, "is not the file's name"),
        (("steps",), [], "at least 1 item"),
        (("original_index",), None, "or absent"),
        (("branching_info", "branching_idx"), 99, "lies behind the last step"),
        (("branching_info", "option 1"), "", "must not be empty or blank"),
        (("branching_info", "freeform_ra", 0, 1), 3, "less than or equal to 2"),
        (("branching_info", "freeform_ra", 0, 1), True, "valid integer"),
        (("branching_info", "freeform_ra", 0, 1), 1.0, "valid integer"),
        (("branching_info", "freeform_ra", 0, 2), "simple", "'easy', 'medium', 'hard' or 'na'"),
        (("branching_info", "freeform_ra", 0), ["text", 1], "is missing"),
    ],
)
def test_choice75_refuses(path: tuple[str | int, ...], value: Any, reason: str) -> None:
    assert reason in refusal("choice75", path, value).reason


def test_records_are_values() -> None:
    row, file = first("poque")
    reader = READERS.get("poque")
    record = reader.parse(row, file)
    assert record == reader.parse(copy.deepcopy(row), file)
    with pytest.raises(ValueError, match="frozen"):
        record.uid = 3


def test_a_wrong_name_gets_a_suggestion() -> None:
    with pytest.raises(UnknownNameError, match="did you mean pasta"):
        READERS.get("psata")


@pytest.mark.parametrize(
    "tagged",
    [
        " no tags",
        " <participant>a</participant>",
        " x <participant><participant>a</participant> b</participant> y",
        " x <participant>a <participant>b</participant></participant>",
        " <participant>a</participant><participant>b</participant>",
        " <participant><participant>a</participant></participant>.",
        " <participant>a<participant>b<participant>c</participant></participant>d</participant>",
    ],
)
def test_tags_come_back_exactly(tagged: str) -> None:
    text, spans = mentions_of(tagged)
    assert "participant" not in text
    assert tag_mentions(text, spans) == tagged
