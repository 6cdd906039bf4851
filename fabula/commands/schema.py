# SPDX-License-Identifier: Apache-2.0
"""`fabula schema`: what the graph can hold, and how much of it there is."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer

from graph import queries
from graph import schema as declared
from graph.model import EDGES, NODES
from graph.store import GraphStore, open_graph
from ingest.options import GraphOption

EXAMPLES = """**Examples**

`fabula schema`

`fabula schema --json --graph bolt://127.0.0.1:7687`
"""


def schema(
    graph: GraphOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Print labels, keys, properties, edge types and their counts."""
    with open_graph(graph, create=False) as store:
        described = describe(store)
    if as_json:
        print(json.dumps(described, ensure_ascii=False, indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    console = Console()
    nodes = Table(title="Nodes", title_justify="left", header_style="bold")
    for column in ("label", "also", "key", "properties", "count"):
        nodes.add_column(column, justify="right" if column == "count" else "left")
    for node in described["nodes"]:
        nodes.add_row(
            node["label"], " ".join(node["parents"]), node["key"],
            ", ".join(node["properties"]), f"{node['count']:,}",
        )  # fmt: skip
    edges = Table(title="Edges", title_justify="left", header_style="bold")
    for column in ("type", "from", "to", "meaning", "count"):
        edges.add_column(column, justify="right" if column == "count" else "left")
    for edge in described["edges"]:
        edges.add_row(
            edge["type"], " ".join(edge["from"]), " ".join(edge["to"]), edge["meaning"],
            f"{edge['count']:,}",
        )  # fmt: skip
    console.print(nodes)
    console.print(edges)
    console.print(
        f"schema version {described['schema_version']}, {described['engine']}", style="dim"
    )


def describe(store: GraphStore) -> dict[str, Any]:
    """The schema with counts, as plain values."""
    return {
        "schema_version": declared.SCHEMA_VERSION,
        "engine": store.engine,
        "nodes": [
            {
                "label": cls.__name__,
                "parents": list(declared.labels(cls.__name__)[1:]),
                "key": "id",
                "properties": list(declared.properties(cls.__name__))[1:],
                "count": store.read(queries.count_label(cls.__name__))[0]["n"],
            }
            for cls in NODES
        ],
        "edges": [
            {
                "type": edge.name,
                "from": list(edge.sources),
                "to": list(edge.targets),
                "meaning": edge.meaning,
                "count": store.read(queries.count_edges(edge.name))[0]["n"],
            }
            for edge in EDGES
        ],
        "full_text_indexes": {
            name: f"{label}.{prop}" for name, (label, prop) in declared.full_text_indexes().items()
        },
    }
