# SPDX-License-Identifier: Apache-2.0
"""Cypher that ArcadeDB 26.10 runs but answers wrongly: put right, or refused, before it is sent.

Found by running random queries on it and on Neo4j; what remains is listed in `docs/cypher.md`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from graph.errors import QueryError

_QUIET = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`|//[^\n]*|/\*.*?\*/", re.DOTALL)
"""Text that is no code: strings, quoted names, comments."""
_OPTIONAL = re.compile(r"\boptional\s+match\b", re.IGNORECASE)
_COUNT = re.compile(r"\bcount\s*\(\s*([a-z_]\w*)\s*\)(?=\s+as\b)", re.IGNORECASE)
_PROJECTION = re.compile(
    r"\b\w+\s*\{\s*\.[^{}]*\b(?:avg|collect|count|max|min|percentile\w+|stdevp?|sum)\s*\(",
    re.IGNORECASE,
)
_SORTED = re.compile(
    r"\bwith\b((?:(?!\b(?:with|return|match|order)\b).)*?)\border\s+by\b"
    r"((?:(?!\b(?:with|return|match|where|unwind|call|optional|skip|limit|union)\b).)*)",
    re.IGNORECASE | re.DOTALL,
)
_EDGE = re.compile(r"\[\s*([A-Za-z_]\w*)\s*[\]:*]")
_WORD = re.compile(r"[A-Za-z_]\w*")


@lru_cache(maxsize=1024)
def corrected(text: str) -> str:
    """Returns a text that ArcadeDB answers as Neo4j does.

    After `OPTIONAL MATCH`, `WITH p, count(s) AS n` makes it count edges, whatever the label of
    `s`. With `count(s.id)` it does not, and every node has an id.

    Raises:
        QueryError: the answer would be wrong, and that cannot be helped.
    """
    code = _QUIET.sub(lambda found: " " * len(found[0]), text)
    if found := _PROJECTION.search(code):
        raise QueryError(
            f"this engine loses an aggregate inside a map projection ({found[0]}...): aggregate "
            "in a WITH first"
        )
    _check_sorting(code)
    if not _OPTIONAL.search(code):
        return text
    parts = []
    done = 0
    for found in _COUNT.finditer(code):
        if _is_node(found[1], code):
            parts += [text[done : found.end(1)], ".id"]
            done = found.end(1)
    return "".join([*parts, text[done:]])


def _is_node(name: str, code: str) -> bool:
    inside = rf"\(\s*{name}\s*(?:[:{{][^()]*)?\)"
    return re.search(rf"-\s*{inside}|->\s*{inside}|{inside}\s*<?-", code) is not None


def _check_sorting(code: str) -> None:
    """Refuses to sort by an edge's property in a WITH if nothing else uses the edge."""
    edges = set(_EDGE.findall(code))
    for found in _SORTED.finditer(code) if edges else ():
        items, keys = (_WORD.findall(part) for part in found.groups())
        for name in edges.intersection(keys).difference(items):
            if "*" not in found[1] and _WORD.findall(code).count(name) == keys.count(name) + 1:
                raise QueryError(
                    f"this engine would not sort by {name}, which the WITH before ORDER BY "
                    f"drops: add {name} to that WITH"
                )
