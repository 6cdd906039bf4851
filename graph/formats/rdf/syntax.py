# SPDX-License-Identifier: Apache-2.0
"""How statements are written: N-Triples and N-Quads, Turtle and TriG, JSON-LD.

Written here rather than by rdflib, so that memory stays that of a few nodes, the same graph gives
a file that reads well, and N-Triples need no extra. The tests let rdflib read all of it.
"""

from __future__ import annotations

import json
import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from graph.errors import DataError
from graph.formats.rdf import vocabulary as v
from graph.formats.rdf.statements import Description, Object, number
from graph.formats.rdf.vocabulary import DATATYPES, IDS, NIL, NS, PREFIXES, TYPE, Iri, Moment
from graph.model import EDGES

_SPECIAL = re.compile(r'["\\\x00-\x1f\x7f]')
_ESCAPES = {code: f"\\u{code:04X}" for code in (*range(0x20), 0x7F)} | {
    ord("\n"): "\\n",
    ord("\r"): "\\r",
    ord("\t"): "\\t",
    ord('"'): '\\"',
    ord("\\"): "\\\\",
}


def quoted(text: str) -> str:
    """A string in double quotes, as N-Triples and Turtle both read it."""
    return f'"{text.translate(_ESCAPES) if _SPECIAL.search(text) else text}"'


class Syntax(ABC):
    """A syntax for statements."""

    between: str = ""
    """What stands between two texts."""
    tail: str = ""
    """What a file ends with."""

    def head(self) -> str:
        """What a file begins with."""
        return ""

    @abstractmethod
    def text(self, descriptions: Iterable[Description], graph: Iri | None = None) -> str:
        """Descriptions as text; empty if there are none.

        Args:
            descriptions: what to write.
            graph: the named graph that they are in, None for the default graph. A syntax
                without named graphs leaves it out.
        """


# --- lines -------------------------------------------------------------------------------------

_XSD = {kind: f"^^<{iri}>" for kind, iri in DATATYPES.items()}
_MOMENT = f"^^<{v.expand('xsd:dateTime')}>"


def _term(value: Object) -> str:
    if isinstance(value, Iri):
        return f"<{value}>"
    if isinstance(value, Moment):
        return quoted(value) + _MOMENT
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, bool):
        return f'"{str(value).lower()}"{_XSD["bool"]}'
    if isinstance(value, int):
        return f'"{value}"{_XSD["int"]}'
    return f'"{number(value)}"{_XSD["float"]}'


class Lines(Syntax):
    """N-Triples, and N-Quads where a graph is given: a statement a line."""

    def text(self, descriptions: Iterable[Description], graph: Iri | None = None) -> str:
        """See `Syntax.text`."""
        end = " .\n" if graph is None else f" <{graph}> .\n"
        return "".join(
            [
                f"<{subject}> <{predicate}> {_term(value)}{end}"
                for subject, pairs in descriptions
                for predicate, value in pairs
            ]
        )


# --- Turtle ------------------------------------------------------------------------------------

_USED = ("f", "rdf", "xsd", "oa", "prov")


@cache
def _short(iri: Iri) -> str:
    if iri == TYPE:
        return "a"
    for prefix in _USED:
        if iri.startswith(PREFIXES[prefix]):
            return f"{prefix}:{iri.removeprefix(PREFIXES[prefix])}"
    return f"<{iri}>"


def _turtle_term(value: Object) -> str:
    if isinstance(value, Iri):
        return f"<{value[len(IDS) :]}>" if value.startswith(IDS) else _short(value)
    if isinstance(value, str):
        return f"{quoted(value)}^^xsd:dateTime" if isinstance(value, Moment) else quoted(value)
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else f'"{number(value)}"^^xsd:double'


class Turtle(Syntax):
    """Turtle: a block a resource, each property on a line."""

    def head(self) -> str:
        """See `Syntax.head`."""
        return f"@base <{IDS}> .\n" + "".join(f"@prefix {p}: <{PREFIXES[p]}> .\n" for p in _USED)

    def text(self, descriptions: Iterable[Description], graph: Iri | None = None) -> str:
        """See `Syntax.text`."""
        return "".join([_block(subject, pairs) for subject, pairs in descriptions])


def _block(subject: Iri, pairs: list[tuple[Iri, Object]]) -> str:
    lines: dict[Iri, str] = {}
    for predicate, value in pairs:
        before = lines.get(predicate)
        term = _turtle_term(value)
        lines[predicate] = f"{before}, {term}" if before else f"{_short(predicate)} {term}"
    body = " ;\n    ".join(lines.values())
    return f"\n{_turtle_term(subject)} {body} .\n"


class TriG(Turtle):
    """TriG: Turtle with named graphs."""

    def text(self, descriptions: Iterable[Description], graph: Iri | None = None) -> str:
        """See `Syntax.text`."""
        text = super().text(descriptions)
        if graph is None or not text:
            return text
        return f"\nGRAPH {_turtle_term(graph)} {{{text}}}\n"


# --- JSON-LD -----------------------------------------------------------------------------------


def context() -> dict[str, Any]:
    """The context of JSON-LD: terms by their bare names, nodes as `Label/id`."""
    links = [v.edge_iri(edge.name) for edge in EDGES] + [v.FROM, v.TO]
    links += map(v.property_iri, v.lists())
    return {
        "@base": IDS,
        "@vocab": NS,
        **{prefix: PREFIXES[prefix] for prefix in _USED if prefix != "f"},
        **{link.removeprefix(NS): {"@type": "@id"} for link in sorted(links)},
        "rdf:rest": {"@type": "@id"},
        "oa:hasSelector": {"@type": "@id"},
        "prov:startedAtTime": {"@type": "xsd:dateTime"},
    }


@cache
def _name(iri: Iri) -> str:
    return iri.removeprefix(NS) if iri.startswith(NS) else _short(iri)


def _json(predicate: Iri, value: Object) -> Any:
    if isinstance(value, Iri):
        if predicate == TYPE:
            return _name(value)
        return "rdf:nil" if value == NIL else value.removeprefix(IDS)
    if isinstance(value, float):
        # As text with its type: a bare number would be written again by whoever reads it.
        return {"@value": number(value), "@type": "xsd:double"}
    return value


class JsonLd(Syntax):
    """JSON-LD: one document, an object of `@graph` a line."""

    between = ",\n"
    tail = "\n]}\n"

    def head(self) -> str:
        """See `Syntax.head`."""
        return f'{{"@context": {json.dumps(context(), indent=1)},\n"@graph": [\n'

    def text(self, descriptions: Iterable[Description], graph: Iri | None = None) -> str:
        """See `Syntax.text`."""
        return ",\n".join([_object(subject, pairs) for subject, pairs in descriptions])


def _object(subject: Iri, pairs: list[tuple[Iri, Object]]) -> str:
    members: dict[str, Any] = {"@id": subject.removeprefix(IDS)}
    for predicate, value in pairs:
        name = "@type" if predicate == TYPE else _name(predicate)
        member = _json(predicate, value)
        if name not in members:
            members[name] = member
        elif isinstance(members[name], list):
            members[name].append(member)
        else:
            members[name] = [members[name], member]
    return json.dumps(members, ensure_ascii=False)


# --- files -------------------------------------------------------------------------------------


@contextmanager
def replacing(out: Path, syntax: Syntax) -> Iterator[Callable[[str], None]]:
    """Opens a file for texts; what is there is replaced when all was written.

    Yields:
        What to call with each text.

    Raises:
        DataError: a string holds half a character, which no RDF syntax can write.
    """
    part = out.with_name(f"{out.name}.{os.getpid()}.part")
    started = False

    def put(text: str) -> None:
        nonlocal started
        if not text:
            return
        try:
            data = (syntax.between + text if started else text).encode()
        except UnicodeEncodeError as error:
            near = text[max(0, error.start - 60) : error.start]
            raise DataError(
                f"RDF cannot hold half a character (surrogate {text[error.start]!r} after {near!r})"
            ) from error
        started = True
        file.write(data)

    try:
        with part.open("wb") as file:
            file.write(syntax.head().encode())
            yield put
            file.write(syntax.tail.encode())
        part.replace(out)
    finally:
        part.unlink(missing_ok=True)
