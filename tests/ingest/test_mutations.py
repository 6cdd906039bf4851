# SPDX-License-Identifier: Apache-2.0
"""A thousand broken and hostile rows: each is kept faithfully or refused with a reason."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graph.canonical import canonical_lines
from graph.store import open_graph
from ingest.readers import READERS
from ingest.run import ingest

if TYPE_CHECKING:
    from tests.ingest.conftest import DataFolder

ROWS = 1000
VALID = "poque/all_valid_data.jsonl"
VAL = "pasta/val_data.jsonl"
CHOICE = "choice-75/verb_phrase_manual/dev"
HOSTILE = (
    "') DETACH DELETE n //",
    "\u0027}) RETURN 1 UNION MATCH (n) DETACH DELETE n //",
    "`) MATCH (n) SET n.text = '' //",
    "$ids {id: 1} \\u0027 \\' \\\\ \\",
    '"; DROP VERTEX Story; --',
    "<participant>x</participant>",
    "${jndi:ldap://127.0.0.1/a} {{7*7}} %s %n",
    "[bold]x[/bold]",
    "x\x00y",
    "\x01\x02\x1b[31m\x7f\x85",
    "a\u2028b\u2029c\ufeff\u200b\u202e",
    "\ufffe\uffff\ufffd",
    "\U0001f600 \U0010ffff e\u0301",
    "\r\n\r",
    "  ",
    "x" * 150_000,
)
WRONG: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2**70, 1.5, "", "1", [], {}, ["x"], {"id": "x"}, [[]], [None],
)  # fmt: skip
FIXED = {"story_version", "type", "dataset", "id", "change_modes"}
KEYS = {"uid", "AssignmentId", "index"}


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from leaves(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from leaves(item, (*path, index))
    else:
        yield path, value


def put(row: Any, path: tuple[Any, ...], value: Any) -> None:
    for part in path[:-1]:
        row = row[part]
    row[path[-1]] = value


def texts(row: dict[str, Any]) -> list[tuple[tuple[Any, ...], str]]:
    return [
        (path, value)
        for path, value in leaves(row)
        if isinstance(value, str)
        and not {part for part in path if isinstance(part, str)} & (FIXED | KEYS)
        and value not in ("easy", "medium", "hard", "na")
    ]


Mutation = Callable[[random.Random, dict[str, Any]], str]


def hostile_everywhere(chance: random.Random, row: dict[str, Any]) -> str:
    """The same end on every text, so that fields still fit together."""
    end = chance.choice(HOSTILE)
    for path, value in texts(row):
        put(row, path, f"{value}{end}")
    return json.dumps(row)


def hostile_somewhere(chance: random.Random, row: dict[str, Any]) -> str:
    path, value = chance.choice(texts(row))
    place = chance.randrange(len(value) + 1)
    put(row, path, value[:place] + chance.choice(HOSTILE) + value[place:])
    return json.dumps(row, ensure_ascii=chance.random() < 0.5)


def wrong_value(chance: random.Random, row: dict[str, Any]) -> str:
    path, _ = chance.choice(list(leaves(row)))
    put(row, path[: chance.randint(1, len(path))], chance.choice(WRONG))
    return json.dumps(row)


def missing_field(chance: random.Random, row: dict[str, Any]) -> str:
    del row[chance.choice(sorted(row))]
    return json.dumps(row)


def extra_field(chance: random.Random, row: dict[str, Any]) -> str:
    row[chance.choice(HOSTILE)] = 1
    return json.dumps(row)


def lone_surrogate(chance: random.Random, row: dict[str, Any]) -> str:
    path, value = chance.choice(texts(row))
    put(row, path, value + chance.choice(("\ud800", "\udfff", "\udc00\ud800")))
    return json.dumps(row)


def broken_json(chance: random.Random, row: dict[str, Any]) -> str:
    text = json.dumps(row)
    place = chance.randrange(1, len(text))
    return chance.choice((text[:place], text[:place] + text[place + 1 :], text + "}", f"[{text}]"))


def odd_json(chance: random.Random, row: dict[str, Any]) -> str:
    name = chance.choice(sorted(row))
    text = json.dumps(row)
    value = chance.choice(("NaN", "-Infinity", json.dumps(row[name]), "[" * 5000))
    return f"{text[:-1]}, {json.dumps(name)}: {value}}}"


def oversized(chance: random.Random, row: dict[str, Any]) -> str:
    path, value = chance.choice(texts(row))
    put(row, path, value + "long " * 300_000)
    return json.dumps(row)


MUTATIONS: tuple[tuple[Mutation, int], ...] = (
    (hostile_everywhere, 20), (hostile_somewhere, 30), (wrong_value, 20), (missing_field, 6),
    (extra_field, 4), (lone_surrogate, 5), (broken_json, 10), (odd_json, 4), (oversized, 1),
)  # fmt: skip


def mutated(chance: random.Random, row: dict[str, Any]) -> str:
    mutation = chance.choices([m for m, _ in MUTATIONS], [weight for _, weight in MUTATIONS])[0]
    return mutation(chance, json.loads(json.dumps(row)))


def test_a_thousand_mutated_rows(folder: DataFolder, clean: DataFolder, tmp_path: Path) -> None:
    chance = random.Random(20)
    texts_of: dict[tuple[str, int], str] = {}
    for name, key in ((VALID, "uid"), (VAL, "AssignmentId")):
        rows = folder.rows(name)
        lines = [json.dumps(row) for row in rows]
        for number in range(ROWS // 3):
            new = 10_000 + number if key == "uid" else f"MUTATED{number}"
            lines.append(mutated(chance, chance.choice(rows) | {key: new}))
            texts_of[name, len(lines)] = lines[-1]
        folder.write_lines(name, lines)
    (row,) = folder.rows(f"{CHOICE}/901.json")
    for number in range(10_000, 10_000 + ROWS - len(texts_of)):
        name = f"{CHOICE}/{number}.json"
        texts_of[name, 1] = mutated(chance, row | {"index": number})
        folder.write_lines(name, [texts_of[name, 1]])
    assert len(texts_of) == ROWS

    with open_graph(tmp_path / "graph") as store:
        ingest(store, "all", clean.source)
        before = list(canonical_lines(store))
        report = ingest(store, "all", folder.source)
        noted = [
            json.loads(line)
            for line in (tmp_path / "graph/rejects.jsonl").read_text("utf-8").splitlines()
        ]
        refused = {(entry["file"], entry["line"]): entry for entry in noted}
        assert len(refused) == len(noted) == report.rejections
        assert refused.keys() <= texts_of.keys()
        assert all(entry["reason"] for entry in noted)
        # Everything that was there is there still, as it was.
        assert set(before) <= set(canonical_lines(store))

        kept = [place for place in texts_of if place not in refused]
        assert sum(part.written for part in report.datasets) == len(kept)
        assert ROWS // 5 < len(kept) < ROWS - ROWS // 5
        for dataset, split in (("poque", "valid"), ("pasta", "val"), ("choice75", "dev")):
            reader = READERS.get(dataset)
            rows = {}
            for file in reader.files(folder.root):
                for place in kept:
                    if place[0] == file.name:
                        row = json.loads(texts_of[place])
                        rows[reader.key(reader.parse(row, file), file)] = row
            assert reader.rebuild(store, split, list(rows)) == rows

        # And when the mutated rows go, nothing of them stays.
        ingest(store, "all", clean.source, prune=True)
        assert list(canonical_lines(store)) == before
