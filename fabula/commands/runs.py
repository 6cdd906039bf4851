# SPDX-License-Identifier: Apache-2.0
"""`fabula runs`: which reasoners' conclusions the graph holds."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from ingest.options import GraphOption

EXAMPLES = """**Examples**

`fabula runs`

`fabula runs --json | head -1`
"""


def runs(
    graph: GraphOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
) -> None:
    """List the runs in the graph, the oldest first."""
    from graph import queries
    from graph.store import open_graph

    with open_graph(graph, create=False) as store:
        rows = store.read(queries.RUNS)
    if as_json:
        for row in rows:
            print(json.dumps(row, ensure_ascii=False))
        return
    if not rows:
        print("no runs: `python -m benchmarks.run` makes some")
        return
    from rich.console import Console
    from rich.table import Table

    # As wide as it must be, whatever the terminal: an id that is cut off is of no use.
    cells = [["" if value is None else str(value) for value in row.values()] for row in rows]
    table = Table(box=None, pad_edge=False, header_style="bold")
    for place, name in enumerate(rows[0]):
        table.add_column(
            name,
            justify="right" if name in ("seed", "claims") else "left",
            min_width=max(len(name), *(len(texts[place]) for texts in cells)),
        )
    for texts in cells:
        table.add_row(*texts)
    Console(width=1000, soft_wrap=True).print(table)
