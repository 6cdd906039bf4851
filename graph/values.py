# SPDX-License-Identifier: Apache-2.0
"""Graph values in result rows, the same for every engine."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any


@dataclass(frozen=True)
class NodeValue:
    """A node as a query returned it."""

    labels: tuple[str, ...]
    """Its labels, sorted."""
    properties: dict[str, Any]
    """Its properties."""


@dataclass(frozen=True)
class EdgeValue:
    """An edge as a query returned it."""

    type: str
    """Its type."""
    properties: dict[str, Any]
    """Its properties."""


@dataclass(frozen=True)
class PathValue:
    """A path as a query returned it."""

    nodes: tuple[NodeValue, ...]
    """Its nodes, in order."""
    edges: tuple[EdgeValue, ...]
    """Its edges, in order; one fewer than the nodes."""


def plain(value: Any) -> Any:
    """Returns a value that JSON can hold: graph values become dictionaries, the rest text."""
    if isinstance(value, NodeValue):
        return {"labels": list(value.labels), "properties": plain(value.properties)}
    if isinstance(value, EdgeValue):
        return {"type": value.type, "properties": plain(value.properties)}
    if isinstance(value, PathValue):
        return {"nodes": plain(list(value.nodes)), "edges": plain(list(value.edges))}
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, (str, int, float, bool)):
        return value
    return str(value)


_TIME = re.compile(
    r"((?:\d{4}-\d\d-\d\dT)?\d\d:\d\d)(:\d\d)?(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?(?:\[.*\])?"
)


def time_text(text: str) -> str:
    """Writes a time, in ISO 8601, as every engine shall: with seconds, no needless digits, `Z`.

    Any other text stays as it is.
    """
    found = _TIME.fullmatch(text)
    if found is None:
        return text
    minutes, seconds, fraction, zone = found.groups(default="")
    fraction = fraction.rstrip("0")
    return (
        f"{minutes}{seconds or ':00'}{'.' if fraction else ''}{fraction}"
        f"{'Z' if zone == '+00:00' else zone}"
    )


def duration_text(months: int, days: int, seconds: int, nanoseconds: int) -> str:
    """Writes a duration in ISO 8601 as Cypher's `toString` does, such as `P1Y2M3DT4H5M6.5S`."""
    exact = Decimal(seconds * 10**9 + nanoseconds) / 10**9
    years = int(months / 12)
    date = ((years, "Y"), (months - 12 * years, "M"), (days, "D"))
    clock = ((exact // 3600, "H"), (exact % 3600 // 60, "M"), ((exact % 60).normalize(), "S"))
    text = "P" + "".join(f"{n}{unit}" for n, unit in date if n)
    if exact:
        text += "T" + "".join(f"{n:f}{unit}" for n, unit in clock if n)
    return text if len(text) > 1 else "PT0S"
