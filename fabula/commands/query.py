# SPDX-License-Identifier: Apache-2.0
"""`fabula query`: asks the graph in Cypher."""

from __future__ import annotations

import csv
import json
import sys
from typing import Annotated, Any

import typer

from graph.errors import UsageError
from graph.store import Rows, open_graph
from graph.values import EdgeValue, NodeValue, PathValue, plain
from ingest.options import GraphOption

EXAMPLES = """**Examples**

`fabula query "MATCH (s:Story) RETURN s.title, s.text LIMIT 3"`

`fabula query "MATCH (p:Participant {name: \\$name})<-[:STATE_OF]-(s) RETURN s.text" -p name=Megan`

`fabula query --json "MATCH (d:Decision) RETURN d.choice AS choice, count(*) AS n"`
"""


def query(
    text: Annotated[
        str,
        typer.Argument(help="Cypher; only reading is allowed. '-' reads it from standard input."),
    ],
    graph: GraphOption = None,
    param: Annotated[
        list[str] | None,
        typer.Option(
            "--param", "-p", metavar="NAME=VALUE", help="A $parameter; VALUE is JSON, or else text."
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="CSV with a header.")] = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Rows to print at most.")] = 1000,
    timeout: Annotated[
        float,
        typer.Option("--timeout", min=0.001, help="Seconds after which the query is stopped."),
    ] = 30.0,
) -> None:
    """Ask the graph in Cypher and print a table."""
    if as_json and as_csv:
        raise UsageError("--json and --csv cannot be combined: choose one")
    cypher = sys.stdin.read() if text == "-" else text
    params = _params(param or [])
    with open_graph(graph, create=False) as store:
        rows = store.ask(cypher, params, max_rows=limit, timeout_s=timeout)
    if as_json:
        for row in rows.dicts():
            print(json.dumps(plain(row), ensure_ascii=False))
    elif as_csv:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(rows.columns)
        writer.writerows([[_cell(value) for value in row] for row in rows.rows])
    else:
        _table(rows)
    if rows.truncated:
        print(f"only the first {limit} rows are shown: raise --limit for more", file=sys.stderr)


def _params(pairs: list[str]) -> dict[str, Any]:
    params: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name:
            raise UsageError(f"--param {pair!r} is not NAME=VALUE")
        try:
            params[name] = json.loads(value)
        except ValueError:
            params[name] = value
    return params


def _table(rows: Rows) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(show_lines=False, header_style="bold")
    for column in rows.columns:
        table.add_column(escape(column), overflow="fold")
    for row in rows.rows:
        table.add_row(*(escape(_cell(value)) for value in row))
    console = Console()
    if rows.columns:
        console.print(table)
    n = len(rows.rows)
    console.print(f"{n} row{'' if n == 1 else 's'}", style="dim")


def _cell(value: Any) -> str:
    """One value as a person would write it."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, NodeValue):
        # The most special label is the one that is not a parent of the others.
        label = next((name for name in value.labels if name != "Claim"), "")
        shown = {k: v for k, v in value.properties.items() if k != "id"}
        return f"(:{label} {json.dumps(plain(shown), ensure_ascii=False)})"
    if isinstance(value, EdgeValue):
        told = json.dumps(plain(value.properties), ensure_ascii=False)
        return f"[:{value.type} {told}]" if value.properties else f"[:{value.type}]"
    if isinstance(value, PathValue):
        parts = [_cell(value.nodes[0])]
        for edge, node in zip(value.edges, value.nodes[1:], strict=True):
            parts.append(f"-{_cell(edge)}-{_cell(node)}")
        return "".join(parts)
    return json.dumps(plain(value), ensure_ascii=False)
