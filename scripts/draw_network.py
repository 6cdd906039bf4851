#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/images/network.svg: a story of the sample as networkx sees it.

    python scripts/draw_network.py [--check]

Nodes are as large as their PageRank and lie together in their community, as docs/networkx.md finds
both. Where they lie is computed here, pure SVG text, the same bytes every time. Needs the extra
`networkx`. `--check` writes nothing and exits with 1 if the picture is out of date.
"""

from __future__ import annotations

import argparse
import html
import math
import sys
import tempfile
import textwrap
from pathlib import Path
from typing import Any

import networkx as nx
from draw_data_model import STYLE

from graph.store import GraphStore, open_graph
from graph.views import to_networkx
from ingest.run import ingest
from ingest.source import SAMPLE, Source

SVG = Path(__file__).resolve().parent.parent / "docs" / "images" / "network.svg"
STORY = "5a3b1e00-0000-4000-8000-000000000001"
WIDTH, HEIGHT, MIDDLE = 1100, 640, 370
MORE = """
  .link { stroke: var(--line); stroke-width: .8; opacity: .45; }
  .dot { stroke: var(--panel); stroke-width: 1.5; }
  .c0 { fill: #3b7dd8; } .c1 { fill: #c2571a; } .c2 { fill: #2d8a5f; } .c3 { fill: #8250b8; }
  .text { font-size: 14px; font-weight: 650; } .note { font-size: 13px; }
"""
_STEP = 30
"""Distance of neighbouring dots in a community."""
_GOLDEN = math.pi * (3 - math.sqrt(5))


def draw(store: GraphStore) -> str:
    """The picture of the sample's story with its revisions, states and claims."""
    graph = to_networkx(store, story=STORY)
    rank = nx.pagerank(nx.DiGraph(graph))
    # Numbered: Louvain goes through sets, and a set of texts has another order in each process.
    names = list(graph)
    numbered = nx.convert_node_labels_to_integers(nx.Graph(graph))
    parts = [
        {names[each] for each in part}
        for part in nx.community.louvain_communities(numbered, seed=1)
    ]
    between = nx.betweenness_centrality(nx.Graph(graph))
    hub = max(sorted(between), key=between.__getitem__)
    place: dict[str, tuple[float, float]] = {hub: (WIDTH / 2, 130)}
    colour: dict[str, int] = {}
    for at, part in enumerate(parts):
        x = WIDTH * (at + 0.5) / len(parts)
        # As a sunflower has its seeds, who ranks high in the middle.
        for number, id in enumerate(sorted(part - {hub}, key=lambda id: (-round(rank[id], 9), id))):
            far = _STEP * math.sqrt(number + 0.5)
            turn = number * _GOLDEN
            place[id] = (x + far * math.cos(turn), MIDDLE + far * math.sin(turn))
        colour |= dict.fromkeys(part, at % 4)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" role="img" aria-labelledby="t d">',
        '<title id="t">One story, its revisions and its states, as a network</title>',
        f'<desc id="d">{len(graph)} nodes in {len(parts)} communities: one for each revision of '
        "the story.</desc>",
        f"<style>\n{STYLE}{MORE}\n</style>",
        f'<rect class="page" width="{WIDTH}" height="{HEIGHT}" rx="14"/>',
        _text(24, 40, "title", "One story, three ways that it could have gone"),
        _text(
            24, 60, "note",
            f"{len(graph)} nodes, as large as their PageRank; the colours are Louvain communities",
        ),
    ]  # fmt: skip
    for source, target in sorted(nx.Graph(graph).edges()):
        (a, b), (c, d) = place[source], place[target]
        lines.append(f'<path class="link" d="M{a:.0f} {b:.0f} {c:.0f} {d:.0f}"/>')
    for id, (x, y) in place.items():
        size = 4 + 45 * math.sqrt(rank[id])
        lines.append(
            f'<circle class="dot c{colour[id]}" cx="{x:.0f}" cy="{y:.0f}" r="{size:.1f}">'
            f"<title>{html.escape(_name(graph.nodes[id]))}</title></circle>"
        )
    lines.append(_text(WIDTH / 2 + 26, 134, "name", "the story as it was told"))
    for at, part in enumerate(parts):
        lines += _caption(graph, part, WIDTH * (at + 0.5) / len(parts))
    return "\n".join([*lines, "</svg>"]) + "\n"


def _name(data: dict[str, Any]) -> str:
    text = data.get("text") or data.get("name") or data.get("key") or ""
    return f"{data['label']} {textwrap.shorten(text, 70)}".strip()


def _caption(graph: nx.MultiDiGraph, part: set[str], x: float) -> list[str]:
    """The state and the counterfactual that a community is about, below it."""
    texts = [
        (name, graph.nodes[id]["text"])
        for label, name in (("State", "text"), ("CounterfactualState", "note"))
        for id in sorted(part)
        if graph.nodes[id]["label"] == label
    ]
    return [
        _text(x, MIDDLE + 190 + 20 * row, name, text if name == "text" else f"or: {text}", "middle")
        for row, (name, text) in enumerate(texts)
    ]


def _text(x: float, y: float, name: str, text: str, anchor: str = "start") -> str:
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text class="{name}" x="{x:.0f}" y="{y:.0f}"{place}>{html.escape(text)}</text>'


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="only compare")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, open_graph(Path(folder) / "graph") as store:
        ingest(store, "pasta", Source(SAMPLE))
        text = draw(store)
    if given.check:
        return int(not SVG.exists() or SVG.read_text(encoding="utf-8") != text)
    SVG.parent.mkdir(exist_ok=True)
    SVG.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
