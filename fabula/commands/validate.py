# SPDX-License-Identifier: Apache-2.0
"""`fabula validate`: does a graph, or a file of RDF, have the shape that the model declares?"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ingest.options import GraphOption

if TYPE_CHECKING:
    from collections.abc import Iterable

    from graph.formats.rdf.validation import Violation

EXAMPLES = """**Examples**

`fabula validate`

`fabula validate --graph bolt://127.0.0.1:7687 --limit 100`

`fabula validate --file stories.ttl --format turtle`
"""


def validate(
    graph: GraphOption = None,
    file: Annotated[
        Path | None, typer.Option("--file", help="Check a file of RDF instead of a graph.")
    ] = None,
    format: Annotated[
        str, typer.Option("--format", help="Format of the file, as in `fabula export`.")
    ] = "turtle",
    limit: Annotated[
        int, typer.Option("--limit", min=0, help="Violations to print; all are counted.")
    ] = 20,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
) -> None:
    """Check the graph against the SHACL shapes; exit code 1 if something is not as they say."""
    from graph.errors import DataError
    from graph.formats.rdf.validation import check_file, check_store
    from graph.progress import Progress
    from graph.store import open_graph

    began = time.monotonic()
    if file is not None:
        if not file.is_file():
            raise DataError(f"{file} is not a file")
        shown, counts = _gather(check_file(file, format), limit)
    else:
        with open_graph(graph, create=False) as store, Progress(quiet=quiet) as progress:
            shown, counts = _gather(check_store(store, progress=progress), limit)
    for each in shown:
        print(f"{each.shape}: <{each.node}>: {each.message}")
    if len(shown) < counts.total():
        print(f"... and {counts.total() - len(shown):,} more (--limit shows more)")
    for shape, count in counts.most_common():
        print(f"{count:8,}  {shape}")
    print(f"{counts.total():,} violations in {time.monotonic() - began:.0f} s")
    if counts:
        raise typer.Exit(1)


def _gather(found: Iterable[Violation], limit: int) -> tuple[list[Violation], Counter[str]]:
    shown: list[Violation] = []
    counts: Counter[str] = Counter()
    for each in found:
        counts[each.shape] += 1
        if len(shown) < limit:
            shown.append(each)
    return shown, counts
