# SPDX-License-Identifier: Apache-2.0
"""GraphML, for networkx, Gephi, yEd and igraph.

Nodes and edges have the attributes that `graph.views.to_networkx` gives them; an edge's type is its
attribute `key`, which networkx takes for the edge's key. GraphML and XML lack two things:

- A list of strings is JSON text. The `<desc>` of the attribute's key says so.
- Characters that XML 1.0 cannot hold are written as Office Open XML does: U+0000 as `_x0000_`. A
  text that holds such an escape already keeps it: its `_` is written `_x005F_`.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NamedTuple
from xml.parsers import expat

from graph.batch import Edge
from graph.elements import make_node
from graph.errors import DataError, SchemaError
from graph.formats.base import Content, Format, Selection, Written
from graph.formats.files import check_version, new_file
from graph.formats.tables import strings
from graph.model import EDGES, NODES, Node, Ref
from graph.progress import SILENT, Progress
from graph.schema import SCHEMA_VERSION, edge_property_kind, edge_type, properties, property_kind
from graph.views import node_attributes

_NAMESPACE = "http://graphml.graphdrawing.org/xmlns"
_TYPES = {"str": "string", "int": "long", "float": "double", "bool": "boolean", "list": "string"}
_CHUNK = 1 << 16

_FOREIGN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]|_(?=x[0-9A-F]{4}_)")
_ESCAPED = re.compile(r"_x([0-9A-F]{4})_")
_MARKUP = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"} | {
    # A parser turns these into a newline, or in attributes into a space.
    char: f"&#{ord(char)};"
    for char in "\r\n\t"
}
_MARKED = re.compile(r'[&<>"\r\n\t]')


def node_kinds() -> dict[str, str]:
    """Kind of each node attribute but `label` and `labels`, whatever label has it."""
    return {
        name: property_kind(cls.__name__, name)
        for cls in NODES
        for name in properties(cls.__name__)
        if name != "id"
    }


def edge_kinds() -> dict[str, str]:
    """Kind of each edge attribute but `key`."""
    return {name: edge_property_kind(edge.name, name) for edge in EDGES for name in edge.properties}


def escape(text: str) -> str:
    """Text as it stands in the file."""
    safe = _FOREIGN.sub(lambda found: f"_x{ord(found[0]):04X}_", text)
    return _MARKED.sub(lambda found: _MARKUP[found[0]], safe)


def unescape(text: str) -> str:
    """Text again, of what an XML parser gives."""
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)


class GraphML(Format):
    """One file, written and read as a stream."""

    name = "graphml"
    title = "GraphML, for networkx, Gephi, yEd and igraph"
    suffix = ".graphml"

    def write(self, selection: Selection, out: Path, progress: Progress = SILENT) -> Written:
        """Writes the selection."""
        nodes = edges = 0
        with new_file(out) as file:
            _head(file)
            task = progress.task("writing nodes")
            for node in selection.nodes():
                data = "".join(
                    f'<data key="n_{name}">{_text(value)}</data>'
                    for name, value in node_attributes(node).items()
                )
                file.write(f'<node id="{escape(node.id)}">{data}</node>\n')
                nodes += 1
                task.advance()
            task.done()
            task = progress.task("writing edges")
            for edge in selection.edges():
                data = "".join(
                    f'<data key="e_{name}">{_text(value)}</data>' for name, value in edge.properties
                )
                file.write(
                    f'<edge source="{escape(edge.source.id)}" target="{escape(edge.target.id)}">'
                    f'<data key="e_key">{edge.type}</data>{data}</edge>\n'
                )
                edges += 1
                task.advance()
            task.done()
            file.write("</graph>\n</graphml>\n")
        return Written(nodes, edges, (out,))

    @contextmanager
    def read(self, path: Path) -> Iterator[Content]:
        """Opens a file that `write` made."""
        with path.open("rb") as file:
            reader = _Reader(path, file)
            yield Content(reader.nodes(), reader.edges())


GRAPHML = GraphML()


def _head(file: IO[str]) -> None:
    file.write(
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<graphml xmlns="{_NAMESPACE}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        f'xsi:schemaLocation="{_NAMESPACE} {_NAMESPACE}/1.0/graphml.xsd">\n'
    )
    declared = [("graph", "schema_version", "int")]
    declared += [("node", name, "str") for name in ("label", "labels")]
    declared += [("node", name, kind) for name, kind in sorted(node_kinds().items())]
    declared += [("edge", "key", "str")]
    declared += [("edge", name, kind) for name, kind in sorted(edge_kinds().items())]
    for where, name, kind in declared:
        note = "<desc>a list of strings, as JSON</desc>" if kind == "list" else ""
        file.write(
            f'<key id="{where[0]}_{name}" for="{where}" attr.name="{name}" '
            f'attr.type="{_TYPES[kind]}">{note}</key>\n'
        )
    file.write(
        '<graph id="fabula" edgedefault="directed">\n'
        f'<data key="g_schema_version">{SCHEMA_VERSION}</data>\n'
    )


def _text(value: Any) -> str:
    # JSON writes numbers and truth values as Java does, `Infinity` included.
    return escape(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


class _Element(NamedTuple):
    line: int
    tag: str
    attributes: dict[str, str]
    data: dict[str, str]


class _Reader:
    """Nodes, then edges, as the parser comes by them; lines are known, and memory is constant."""

    def __init__(self, path: Path, file: IO[bytes]) -> None:
        self._path = path
        self._kinds = {f"n_{name}": kind for name, kind in node_kinds().items()}
        self._kinds |= {f"e_{name}": kind for name, kind in edge_kinds().items()}
        self._labels: dict[str, str] = {}
        self._found: deque[_Element] = deque()
        self._open: _Element | None = None
        self._key: str | None = None
        self._pieces: list[str] = []
        self._whole = False
        self._elements = self._parse(file)
        self._next: _Element | None = None

    def nodes(self) -> Iterator[Node]:
        for element in self._elements:
            if element.tag == "edge":
                self._next = element
                return
            values = {key[2:]: self._value(element, key) for key in element.data}
            values.pop("labels", None)
            label = str(values.pop("label", ""))
            try:
                node = make_node(label, {"id": unescape(element.attributes["id"]), **values})
            except (SchemaError, KeyError) as error:
                raise self._wrong(element.line, f"not a node of the schema: {error}") from error
            # What an edge needs and GraphML does not say there: the labels of its ends.
            self._labels[node.id] = label
            yield node

    def edges(self) -> Iterator[Edge]:
        if self._next is None:
            return
        while self._next is not None:
            element, self._next = self._next, next(self._elements, None)
            if element.tag == "node":
                raise self._wrong(element.line, "a node after an edge; nodes have to come first")
            yield self._edge(element)

    def _edge(self, element: _Element) -> Edge:
        try:
            name = element.data.pop("e_key")
            declared = edge_type(name)
            source, target = (unescape(element.attributes[end]) for end in ("source", "target"))
            ends = [Ref(self._labels[id], id) for id in (source, target)]
        except (SchemaError, KeyError) as error:
            raise self._wrong(element.line, f"not an edge of the schema: {error}") from error
        values = {key[2:]: self._value(element, key) for key in element.data}
        if extra := sorted(set(values) - set(declared.properties)):
            raise self._wrong(element.line, f"{name} has no property {extra[0]!r}")
        return Edge(name, ends[0], ends[1], tuple(values.items()))

    def _value(self, element: _Element, key: str) -> Any:
        text = unescape(element.data[key])
        kind = self._kinds.get(key, "str")
        try:
            if kind == "list":
                return strings(text)
            if kind == "bool":
                return {"true": True, "false": False}[text]
            return {"int": int, "float": float}.get(kind, str)(text)
        except (ValueError, KeyError, TypeError) as error:
            raise self._wrong(element.line, f"{key[2:]}: {text[:60]!r} is no {kind}") from error

    def _wrong(self, line: int, what: str) -> DataError:
        return DataError(f"{self._path}, line {line}: {what}")

    def _parse(self, file: IO[bytes]) -> Iterator[_Element]:
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True

        def start(tag: str, attributes: dict[str, str]) -> None:
            name = tag.removeprefix(f"{_NAMESPACE} ")
            if name in ("node", "edge") or (name == "graph" and self._open is None):
                self._open = _Element(parser.CurrentLineNumber, name, attributes, {})
            elif name == "data":
                self._key, self._pieces = attributes.get("key"), []

        def text(data: str) -> None:
            if self._key is not None:
                self._pieces.append(data)

        def end(tag: str) -> None:
            name = tag.removeprefix(f"{_NAMESPACE} ")
            if name == "data" and self._key is not None:
                value = "".join(self._pieces)
                if self._key == "g_schema_version":
                    check_version(value, self._path)
                    self._whole = True
                elif self._open is not None:
                    self._open.data[self._key] = value
                self._key = None
            elif name in ("node", "edge") and self._open is not None:
                self._found.append(self._open)
                self._open = None

        def doctype(*_: object) -> None:
            # Ours have none, and one could name other files or grow without end.
            raise self._wrong(parser.CurrentLineNumber, "a document type is not allowed")

        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = text
        parser.StartDoctypeDeclHandler = doctype
        try:
            while chunk := file.read(_CHUNK):
                parser.Parse(chunk, False)
                yield from self._drain()
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            raise self._wrong(error.lineno, f"not XML: {error}") from error
        yield from self._drain()
        if not self._whole:
            raise self._wrong(parser.CurrentLineNumber, "not a graph that `fabula export` wrote")

    def _drain(self) -> Iterator[_Element]:
        while self._found:
            if not self._whole:
                line = self._found[0].line
                raise self._wrong(line, "not a graph that `fabula export` wrote: no schema_version")
            yield self._found.popleft()
