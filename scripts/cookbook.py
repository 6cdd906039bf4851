#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Cypher cookbook, docs/cypher.md: its recipes, and the sample graph that they are shown on.

python scripts/cookbook.py           write the tables of docs/cypher.md again
python scripts/cookbook.py GRAPH     make the sample graph in a folder or on a server
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from graph.store import GraphStore, Rows, open_graph  # noqa: E402 - the checkout's own
from graph.values import plain  # noqa: E402
from ingest.run import ingest  # noqa: E402
from ingest.source import SAMPLE, Source  # noqa: E402
from reasoners.context import read_inputs, training  # noqa: E402
from reasoners.registry import REASONERS  # noqa: E402
from reasoners.run import RunSpec, answer, start  # noqa: E402
from reasoners.tasks import ORDER, TASKS  # noqa: E402

PAGE = ROOT / "docs" / "cypher.md"
RULES = (
    "about", "last-sentence", "overlap", "template", "all-modes",
    "one-bit", "constant-yes", "last-two", "first-word", "option-1",
)  # fmt: skip
"""Whose conclusions the sample graph holds, beside the annotators'."""
SEED = 11

_RECIPE = re.compile(
    r"^### (?P<title>.+)\n(?:(?!^#).*\n)*?```cypher\n(?P<text>(?:.*\n)*?)```\n"
    r"(?P<table>(?:\n(?:\|.*\n)+)?)",
    re.MULTILINE,
)
_PARAMETER = re.compile(r"^// \$(\w+) = (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Recipe:
    """A question of the page."""

    title: str
    """The question."""
    text: str
    """The query."""
    params: dict[str, Any]
    """Its parameters, from the lines `// $name = value` at its head."""
    table: str
    """The answer that the page shows, as Markdown; empty if it shows none yet."""


def recipes(page: str) -> list[Recipe]:
    """The recipes of a page, in order."""
    return [
        Recipe(
            found["title"],
            found["text"],
            {name: json.loads(value) for name, value in _PARAMETER.findall(found["text"])},
            found["table"].strip("\n"),
        )
        for found in _RECIPE.finditer(page)
    ]


def ask(store: GraphStore, recipe: Recipe) -> Rows:
    """Runs a recipe."""
    return store.ask(recipe.text, recipe.params)


def table(rows: Rows) -> str:
    """An answer as a Markdown table."""
    lines = [rows.columns, ["---"] * len(rows.columns)]
    lines += [[_cell(plain(value)) for value in row] for row in rows.rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.replace("|", "\\|").replace("\n", "<br>")


def shown(table: str) -> list[dict[str, str]]:
    """The rows of a Markdown table as texts: lists are JSON, a line break is `<br>`."""
    cells = [
        [cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        for line in table.splitlines()
    ]
    return [dict(zip(cells[0], row, strict=True)) for row in cells[2:]] if cells else []


def updated(page: str, store: GraphStore) -> str:
    """The page with every table made again."""
    answers = iter([table(ask(store, recipe)) for recipe in recipes(page)])

    def put(found: re.Match[str]) -> str:
        head = found[0].removesuffix(found["table"])
        return f"{head}\n{next(answers)}\n"

    return _RECIPE.sub(put, page)


def build(store: GraphStore) -> None:
    """Fills an empty graph with the sample and with what some rules conclude about it.

    It is what `python -m benchmarks.run all --data ingest/sample -r ...` leaves in a graph,
    without the scores.
    """
    ingest(store, "all", Source(SAMPLE))
    for task in map(TASKS.get, ORDER):
        for name in RULES:
            reasoner = REASONERS.get(name)(seed=SEED)
            if task.id not in reasoner.tasks:
                continue
            settings = {"limit": None, "upstream": {}}
            spec = RunSpec(task.id, name, reasoner.version, task.split, "oracle", SEED, settings)
            reasoner.prepare(task.id, training(store, task, task.split))
            start(store, spec, reasoner)
            for _ in answer(store, task, reasoner, spec, read_inputs(store, task, task.split)):
                pass


def main() -> None:
    """Command line."""
    with tempfile.TemporaryDirectory() as folder:
        where = sys.argv[1] if len(sys.argv) > 1 else f"{folder}/graph"
        with open_graph(where) as store:
            build(store)
            if len(sys.argv) == 1:
                page = PAGE.read_text(encoding="utf-8")
                PAGE.write_text(updated(page, store), encoding="utf-8")


if __name__ == "__main__":
    main()
