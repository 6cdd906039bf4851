# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from graph.batch import Edge, GraphBatch
from graph.canonical import canonical_hash, canonical_lines
from graph.errors import DataError, RecordError, UnknownNameError, UsageError
from graph.model import Endpoint, Ref
from graph.store import GraphStore, open_graph
from ingest import run
from ingest.poque import unit_id
from ingest.run import ingest
from ingest.source import SAMPLE, Source

if TYPE_CHECKING:
    from tests.ingest.conftest import DataFolder

ROOT = Path(__file__).parents[2]
VALID = "poque/all_valid_data.jsonl"
TEST = "poque/all_test_data.jsonl"
VAL = "pasta/val_data.jsonl"
TE = "pasta/te_data.jsonl"
CHOICE = "choice-75/verb_phrase_manual/dev/901.json"


@pytest.fixture
def store(tmp_path: Path) -> Iterator[GraphStore]:
    with open_graph(tmp_path / "graph") as opened:
        yield opened


def fresh_lines(tmp_path: Path, source: Source, **options: Any) -> list[str]:
    """What a graph holds that was made at once."""
    with open_graph(tmp_path / "fresh") as opened:
        ingest(opened, "all", source, **options)
        return list(canonical_lines(opened))


@pytest.mark.parametrize("batch", [1, 3])
def test_order_and_size_of_batches_do_not_matter(
    store: GraphStore, sample_store: GraphStore, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    monkeypatch.setattr(run, "BATCH", batch)
    report = ingest(store, ["poque", "choice75", "pasta"], Source(SAMPLE))
    assert [part.dataset for part in report.datasets] == ["poque", "choice75", "pasta"]
    assert canonical_hash(store) == canonical_hash(sample_store)


def test_a_second_run_changes_nothing(store: GraphStore) -> None:
    first = ingest(store, "all", Source(SAMPLE))
    assert {part.dataset: (part.read, part.written) for part in first.datasets} == {
        "choice75": (18, 18), "pasta": (16, 16), "poque": (16, 16),
    }  # fmt: skip
    before = canonical_hash(store)
    second = ingest(store, "all", Source(SAMPLE))
    for part in second.datasets:
        assert (part.written, part.unchanged, part.nodes, part.edges) == (0, part.read, 0, 0)
    assert canonical_hash(store) == before


def edit(folder: DataFolder) -> None:
    """Changes rows in every way that could leave something behind."""
    valid = folder.rows(VALID)
    # Fewer factors and modes, another summary and participant, other mentions.
    valid[2] |= {
        "factors": ["Something else"],
        "change_modes": ["Existence"],
        "change_summary": "",
        "identified_participant": "cake",
        "original_story_text": valid[2]["story_text"].replace(
            "cake", "<participant>cake</participant>"
        ),
        "participant_involvement": {"id": "Unsure", "value": 2},
    }
    # A story told otherwise by one of its two views, and by both.
    valid[5] |= {"story_text": " Short.", "original_story_text": " Short."}
    for row in valid[:2]:
        for name in ("story_text", "original_story_text"):
            row[name] = row[name].replace("Monday", "Tuesday")
    valid[7]["story_source"] = "ROC"
    folder.write(VALID, valid)
    val = folder.rows(VAL)
    val[0] |= {"Input.line4": "Her cat looked on.", "Answer.line4.on": False}
    val[1] |= {"Answer.assertion": "The kettle is broken.", "Answer.mod_line1": "She had none."}
    val[3]["Answer.mod_line4"] = val[3]["Input.line4"]
    val.reverse()
    folder.write(VAL, val)
    (choice,) = folder.rows(CHOICE)
    choice["steps"][2] = "find a helper"
    info = choice["branching_info"]
    info |= {"option 1": "call a firm", "freeform_ra": info["freeform_ra"][1:]}
    info["freeform_ra"][0][1] = 0
    folder.write(CHOICE, [choice])


def test_changed_rows_leave_the_graph_of_a_fresh_ingest(
    store: GraphStore, folder: DataFolder, tmp_path: Path
) -> None:
    ingest(store, "all", folder.source)
    edit(folder)
    report = ingest(store, "all", folder.source)
    assert {part.dataset: part.changed for part in report.datasets} == {
        "choice75": 1, "pasta": 3, "poque": 5,
    }  # fmt: skip
    assert list(canonical_lines(store)) == fresh_lines(tmp_path, folder.source)
    third = ingest(store, "all", folder.source)
    assert all(part.unchanged == part.read for part in third.datasets)


def test_changing_rows_back_gives_the_old_graph(store: GraphStore, folder: DataFolder) -> None:
    ingest(store, "all", folder.source)
    before = canonical_hash(store)
    kept = {name: (folder.root / name).read_bytes() for name in (VALID, VAL, CHOICE)}
    edit(folder)
    ingest(store, "all", folder.source)
    assert canonical_hash(store) != before
    for name, data in kept.items():
        (folder.root / name).write_bytes(data)
    ingest(store, "all", folder.source)
    assert canonical_hash(store) == before


def test_another_version_of_the_mapping_rewrites_every_row(
    store: GraphStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest(store, "pasta", Source(SAMPLE))
    before = [line for line in canonical_lines(store) if not line.startswith('["Record"')]
    monkeypatch.setattr(run, "MAPPING_VERSION", 99)
    (part,) = ingest(store, "pasta", Source(SAMPLE)).datasets
    assert (part.changed, part.unchanged) == (16, 0)
    after = [line for line in canonical_lines(store) if not line.startswith('["Record"')]
    assert after == before


def test_predictions_survive_a_change_of_their_row(store: GraphStore, folder: DataFolder) -> None:
    ingest(store, "poque", folder.source)
    guess = Endpoint(id="guess", source="predicted", item="3", text="They ate ice cream.")
    unit = Ref("ComplexEvent", unit_id("valid", "3"))
    store.write(GraphBatch((guess,), (Edge("ABOUT", guess.ref, unit),)))
    edit(folder)
    ingest(store, "poque", folder.source, prune=True)
    assert store.read(
        "MATCH (c:Endpoint {source: 'predicted'})-[:ABOUT]->(u:ComplexEvent) "
        "RETURN c.text AS text, u.key AS key"
    ) == [{"text": "They ate ice cream.", "key": "3"}]


def test_rows_that_are_gone_are_kept_until_pruned(
    store: GraphStore, folder: DataFolder, tmp_path: Path
) -> None:
    ingest(store, "all", folder.source)
    before = canonical_hash(store)
    folder.write(VALID, folder.rows(VALID)[:-2])
    bad = folder.rows(TE)
    bad[0]["Answer.assertion"] = ""
    folder.write(TE, bad)
    (folder.root / CHOICE).unlink()
    report = ingest(store, "all", folder.source)
    assert {part.dataset: part.kept for part in report.datasets} == {
        "choice75": 1, "pasta": 1, "poque": 2,
    }  # fmt: skip
    assert canonical_hash(store) == before
    report = ingest(store, "all", folder.source, prune=True)
    assert [part.pruned for part in report.datasets] == [1, 1, 2]
    assert list(canonical_lines(store)) == fresh_lines(tmp_path, folder.source)


def test_malformed_rows_are_noted_and_nothing_else_is_lost(
    store: GraphStore, folder: DataFolder
) -> None:
    lines = [json.dumps(row) for row in folder.rows(VALID)]
    no_factors = json.dumps(folder.rows(VALID)[1] | {"factors": []})
    folder.write_lines(VALID, [*lines[:1], '{"uid": 7', no_factors, *lines[2:], lines[0]])
    report = ingest(store, "poque", folder.source)
    (part,) = report.datasets
    assert (part.read, part.written, part.rejections) == (26 - 8, 15, 3)
    assert part.rejected["uid: an earlier row has the same key"] == 1
    assert report.rejects == str(Path(store.url) / "rejects.jsonl")
    noted = [json.loads(line) for line in Path(report.rejects).read_text().splitlines()]
    assert [(row["file"], row["line"], row["field"]) for row in noted] == [
        (VALID, 2, ""), (VALID, 3, "factors"), (VALID, 10, "uid"),
    ]  # fmt: skip
    assert noted[0]["row"] == '{"uid": 7'
    assert noted[0]["reason"].startswith("broken JSON")


def test_rejects_do_not_pile_up(store: GraphStore, folder: DataFolder, tmp_path: Path) -> None:
    target = tmp_path / "logs" / "bad.jsonl"
    for name in (VALID, VAL):
        folder.write_lines(name, ["{}", *(json.dumps(row) for row in folder.rows(name))])

    def noted() -> list[str]:
        return [json.loads(line)["file"] for line in target.read_text().splitlines()]

    ingest(store, ["poque", "pasta"], folder.source, rejects=target)
    assert noted() == [VALID, VAL]
    ingest(store, "pasta", folder.source, rejects=target)
    assert sorted(noted()) == sorted([VALID, VAL])
    folder.write(VAL, folder.rows(VAL)[1:])
    ingest(store, "pasta", folder.source, rejects=target)
    assert noted() == [VALID]
    folder.write(VALID, folder.rows(VALID)[1:])
    ingest(store, "poque", folder.source, rejects=target)
    assert not target.exists()


def test_strict_stops_at_the_first_malformed_row(store: GraphStore, folder: DataFolder) -> None:
    folder.write_lines(VALID, [*(json.dumps(row) for row in folder.rows(VALID)), "{}"])
    with pytest.raises(RecordError, match=r"all_valid_data.jsonl, line 9: field uid: is missing"):
        ingest(store, "poque", folder.source, strict=True)


def test_limit_counts_in_each_split(store: GraphStore) -> None:
    report = ingest(store, "all", Source(SAMPLE), limit=2)
    assert {part.dataset: part.read for part in report.datasets} == {
        "choice75": 12, "pasta": 4, "poque": 4,
    }  # fmt: skip
    assert all(part.kept == 0 for part in report.datasets)
    with pytest.raises(UsageError, match="leave limit out"):
        ingest(store, "all", Source(SAMPLE), limit=2, prune=True)


def test_sample_and_real_data_do_not_mix(store: GraphStore, folder: DataFolder) -> None:
    ingest(store, "pasta", Source(SAMPLE))
    before = canonical_hash(store)
    with pytest.raises(UsageError, match="holds sample data of pasta"):
        ingest(store, ["poque", "pasta"], folder.source)
    assert canonical_hash(store) == before


def test_wrong_names_and_missing_data_are_told_before_anything_is_written(
    store: GraphStore, tmp_path: Path, folder: DataFolder
) -> None:
    before = canonical_hash(store)
    with pytest.raises(UnknownNameError):
        ingest(store, ["pasta", "poqe"], Source(SAMPLE))
    for path in (folder.root / "poque").iterdir():
        path.unlink()
    with pytest.raises(DataError, match="looked for poque/all_"):
        ingest(store, "all", folder.source)
    assert canonical_hash(store) == before


def test_a_killed_ingest_is_finished_by_running_it_again() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "torture.py", "ingest", "--kills", "3"],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 kills" in done.stdout
