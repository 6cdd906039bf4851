#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of docs/cypher.md from the answers that the page shows.

    python scripts/draw_cookbook.py [--check]

Pure SVG text, the same bytes every time. The answers are read from the page's tables, which the
tests compare with the graph; `--check` writes nothing and exits with 1 if a picture is out of date.
"""

from __future__ import annotations

import html
import json
import sys
import textwrap
from collections.abc import Callable, Sequence
from pathlib import Path

from cookbook import PAGE, recipes, shown
from draw_data_model import STYLE

IMAGES = PAGE.parent / "images"
MORE = """
  .text { font-size: 12px; }
  .link { fill: none; stroke: var(--unit-edge); stroke-width: 1.4; }
  .undo { fill: none; stroke: var(--claim-edge); stroke-width: 1.4; stroke-dasharray: 5 4; }
  .track { fill: var(--panel); stroke: var(--edge); }
  .bar { fill: var(--unit-edge); }
"""
_LETTER = 6.3
"""Average width of a letter at 12 px."""
_LINE = 15

Row = dict[str, str]


class Box:
    """A box with wrapped text, placed by its left top corner."""

    def __init__(
        self, x: int, y: float, width: int, text: str, kind: str = "", note: str = ""
    ) -> None:
        self.x, self.width, self.kind, self.note = x, width, kind, note
        self.y = round(y)
        self.lines = [
            part
            for line in text.split("<br>")
            for part in textwrap.wrap(line, int((width - 20) / _LETTER)) or [""]
        ]
        self.height = 16 + _LINE * len(self.lines) + (14 if note else 0)

    @property
    def middle(self) -> int:
        """Height at which lines meet it."""
        return self.y + self.height // 2

    @property
    def right(self) -> int:
        """Its right side."""
        return self.x + self.width

    def drawn(self) -> list[str]:
        """It and its text as SVG."""
        name = f"box {self.kind}".strip()
        parts = [
            f'<rect class="{name}" x="{self.x}" y="{self.y}" width="{self.width}" '
            f'height="{self.height}" rx="8"/>'
        ]
        top = self.y + 20
        if self.note:
            parts.append(text(self.x + 10, top - 2, "note", self.note))
            top += 14
        parts += [text(self.x + 10, top + _LINE * at, "text", x) for at, x in enumerate(self.lines)]
        return parts


def text(x: int, y: int, name: str, words: str, anchor: str = "start") -> str:
    """A line of text."""
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text class="{name}" x="{x}" y="{y}"{place}>{html.escape(words)}</text>'


def curve(kind: str, x: int, y: int, to_x: int, to_y: int) -> str:
    """A line that leaves and arrives level."""
    half = (x + to_x) // 2
    return f'<path class="{kind}" d="M{x} {y}C{half} {y} {half} {to_y} {to_x} {to_y}"/>'


def picture(title: str, width: int, height: int, parts: Sequence[str]) -> str:
    """A whole SVG file; its page is filled, so that it reads on any background."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img" aria-labelledby="t">',
            f'<title id="t">{html.escape(title)}</title>',
            f"<style>\n{STYLE}{MORE}</style>",
            f'<rect class="page" width="{width}" height="{height}" rx="14"/>',
            text(20, 34, "head", title),
            *parts,
            "</svg>\n",
        ]
    )


def stacked(boxes: Sequence[Box], top: int, bottom: int) -> None:
    """Spreads boxes evenly from top to bottom."""
    room = bottom - top - sum(box.height for box in boxes)
    y = float(top)
    for box in boxes:
        y += room / (2 * len(boxes))
        box.y = round(y)
        y += box.height + room / (2 * len(boxes))


def story(answers: dict[str, list[Row]]) -> str:
    """A story's sentences, the states that they show, the counterfactuals that rewrite them."""
    lines = answers["How does a story go, and what was told instead?"]
    rows = answers["What holds of everybody in a story, and what would be the opposite?"]
    sentences = [Box(430, 0, 300, row["told"], note=f"line {row['line']}") for row in lines]
    states = [Box(160, 0, 200, row["state"], "claim", "state") for row in rows]
    people = [Box(20, 0, 100, row["who"], "unit") for row in rows]
    opposites = [Box(800, 0, 200, row["if_not"], "claim", "counterfactual") for row in rows]
    bottom = 60 + max(sum(box.height + 18 for box in sentences), 80 * len(rows))
    for boxes in (sentences, states, opposites):
        stacked(boxes, 60, bottom)
    parts = []
    for who, state, opposite, row in zip(people, states, opposites, rows, strict=True):
        who.y = state.middle - who.height // 2
        parts.append(curve("link", who.right, who.middle, state.x, state.middle))
        for line in json.loads(row["shown_by"]):
            told = sentences[line - 1]
            parts.append(curve("link", state.right, state.middle, told.x, told.middle))
        for line in json.loads(row["rewrites"]):
            told = sentences[line - 1]
            parts.append(curve("undo", told.right, told.middle, opposite.x, opposite.middle))
    for box in (*people, *states, *sentences, *opposites):
        parts += box.drawn()
    parts += [
        curve("link", 20, bottom + 20, 60, bottom + 20),
        text(68, bottom + 24, "note", "is a state of, is shown by"),
        curve("undo", 260, bottom + 20, 300, bottom + 20),
        text(308, bottom + 24, "note", "would be told differently if the opposite held"),
    ]
    return picture("Who is how, why, and what if not", 1020, bottom + 44, parts)


def decision(answers: dict[str, list[Row]]) -> str:
    """A branch, its options, and the scenarios that decide between them."""
    rows = answers["What decides a branch?"]
    chosen = {row["choice"]: json.loads(row["prefers"]) for row in rows}
    named = {"1": "option 1", "0": "either", "2": "option 2"}
    order = [choice for choice in named if choice in chosen]
    options = [
        Box(270, 0, 200, " or ".join(chosen[c]), "" if c != "0" else "own", named[c]) for c in order
    ]
    scenarios = [
        (Box(560, 0, 300, row["scenario"], "unit", f"scenario, {row['level']}"), choice)
        for choice in order
        for row in rows
        if row["choice"] == choice
    ]
    bottom = 60 + max(70 * len(scenarios), 90 * len(options))
    stacked(options, 60, bottom)
    stacked([box for box, _ in scenarios], 60, bottom)
    step = Box(20, 0, 190, rows[0]["step"], note="step")
    stacked([step], 60, bottom)
    parts = [curve("link", step.right, step.middle, box.x, box.middle) for box in options]
    for box, choice in scenarios:
        option = options[order.index(choice)]
        parts.append(curve("undo", option.right, option.middle, box.x, box.middle))
    for box in (step, *options, *(box for box, _ in scenarios)):
        parts += box.drawn()
    return picture("What decides how a step is done", 880, bottom + 20, parts)


def agreement(answers: dict[str, list[Row]]) -> str:
    """How often reasoners agree with the annotators, as bars."""
    rows = answers["How often does each reasoner agree with the annotators?"]
    parts = []
    y = 66
    task = ""
    for row in rows:
        if row["task"] != task:
            task = row["task"]
            parts.append(text(20, y + 12, "name", task))
            y += 24
        share = int(row["agreed"]) / int(row["of"])
        parts += [
            text(150, y + 12, "text", row["reasoner"], "end"),
            f'<rect class="track" x="160" y="{y}" width="400" height="16" rx="4"/>',
            f'<rect class="bar" x="160" y="{y}" width="{round(400 * share)}" height="16" rx="4"/>',
            text(570, y + 12, "note", f"{row['agreed']} of {row['of']}"),
        ]
        y += 24
        if row is rows[-1] or rows[rows.index(row) + 1]["task"] != task:
            y += 10
    return picture("Agreement with the annotators on the sample", 660, y + 10, parts)


DRAWINGS: dict[str, Callable[[dict[str, list[Row]]], str]] = {
    "story.svg": story,
    "decision.svg": decision,
    "agreement.svg": agreement,
}


def outputs() -> dict[Path, str]:
    """What the pictures should be, by file."""
    found = recipes(PAGE.read_text(encoding="utf-8"))
    answers = {recipe.title: shown(recipe.table) for recipe in found}
    return {IMAGES / name: draw(answers) for name, draw in DRAWINGS.items()}


def main() -> int:
    """Command line."""
    IMAGES.mkdir(exist_ok=True)
    old = [
        path
        for path, drawing in outputs().items()
        if not path.exists() or path.read_text(encoding="utf-8") != drawing
    ]
    for path in old:
        print(f"{path.name} {'is out of date' if '--check' in sys.argv else 'drawn'}")
        if "--check" not in sys.argv:
            path.write_text(outputs()[path], encoding="utf-8")
    return int("--check" in sys.argv and bool(old))


if __name__ == "__main__":
    sys.exit(main())
