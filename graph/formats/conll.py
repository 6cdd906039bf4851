# SPDX-License-Identifier: Apache-2.0
"""CoNLL-2012 with coreference: the layer of text, for scorers and trainers of coreference.

The twelve columns of the shared task; what the graph does not hold is `-` or `*`. The last column
has the brackets: `(0` opens a mention of cluster 0, `0)` closes it, `(0)` is one of a single word.
Lines that start with `# ` hold, as JSON, what the columns have no place for: the exact text, ids
and names. Reading needs both: the columns must say what those lines say.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import IO, Any, cast

from graph.batch import Edge, properties_of
from graph.elements import make_node
from graph.errors import DataError, SchemaError
from graph.formats.base import Content, Format, Selection, Written
from graph.formats.files import new_file
from graph.formats.telling import Placed, Telling, tellings
from graph.model import Mention, Node, Participant, Sentence, Story
from graph.progress import SILENT, Progress

_END = "#end document"
_NOTE = re.compile(r"# (story|sentence|participant|mention) (\{.*\})")


class CoNLL(Format):
    """One file, a document a story; holds stories, sentences, participants and mentions."""

    name = "conll"
    title = "CoNLL-2012 text with coreference: stories, sentences, participants, mentions"
    suffix = ".conll"

    def write(self, selection: Selection, out: Path, progress: Progress = SILENT) -> Written:
        """Writes the stories of the selection."""
        nodes = edges = 0
        with new_file(out) as file:
            task = progress.task("writing stories")
            for telling in tellings(selection):
                file.writelines(f"{line}\n" for line in _document(telling))
                parts = _content(telling)
                nodes += sum(isinstance(each, Node) for each in parts)
                edges += sum(isinstance(each, Edge) for each in parts)
                task.advance()
            task.done()
        return Written(nodes, edges, (out,))

    @contextmanager
    def read(self, path: Path) -> Iterator[Content]:
        """Opens a file that `write` made. It is read twice: for the nodes, and for the edges."""
        with (
            path.open(encoding="utf-8", newline="\n") as first,
            path.open(encoding="utf-8", newline="\n") as second,
        ):
            yield Content(
                (each for each in _elements(path, first) if isinstance(each, Node)),
                (each for each in _elements(path, second) if isinstance(each, Edge)),
            )


CONLL = CoNLL()


def coreference(telling: Telling) -> list[str]:
    """The last column: for each token the mentions that begin and end there."""
    opening: dict[int, list[tuple[int, int]]] = defaultdict(list)
    closing: dict[int, list[tuple[int, int]]] = defaultdict(list)
    single: dict[int, list[int]] = defaultdict(list)
    for mention, cluster, _ in telling.mentions:
        span = telling.span(mention.start, mention.end)
        if span is None:
            continue
        first, last = span
        if first == last:
            single[first].append(cluster)
        else:
            opening[first].append((-last, cluster))
            closing[last].append((-first, cluster))
    cells = []
    for at in range(len(telling.tokens)):
        # What ends last opens first, what began last closes first: brackets nest as spans do.
        parts = [f"({cluster}" for _, cluster in sorted(opening[at])]
        parts += [f"({cluster})" for cluster in sorted(single[at])]
        parts += [f"{cluster})" for _, cluster in sorted(closing[at])]
        cells.append("|".join(parts) or "-")
    return cells


def _document(telling: Telling) -> Iterator[str]:
    story = telling.story
    name = re.sub(r"[\s()]", "_", story.key) or story.id
    yield f"#begin document ({name}); part 000"
    yield _note(story)
    for each in telling.participants:
        yield _note(each)
    for mention, cluster, sentences in telling.mentions:
        yield _note(mention, cluster=cluster, sentences=sentences)
    words: dict[int, list[str]] = defaultdict(list)
    cells = coreference(telling)
    for token, sentence, cell in zip(telling.tokens, telling.sentence_of, cells, strict=True):
        word = story.text[token.start : token.end]
        rest = ("-", "*", "-", "-", "-", "-", "*", cell)
        words[sentence].append("\t".join([name, "0", str(len(words[sentence])), word, *rest]))
    for at in range(max(len(telling.sentences), len(words))):
        if at < len(telling.sentences):
            follows = [after for before, after in telling.follows if before == at]
            yield _note(telling.sentences[at], follows=follows)
        yield from words[at]
        yield ""
    yield _END


def _note(node: Node, **more: Any) -> str:
    text = json.dumps({**properties_of(node), **more}, ensure_ascii=False)
    return f"# {node.ref.label.lower()} {text}"


def _content(telling: Telling) -> list[Node | Edge]:
    story, sentences = telling.story, telling.sentences
    found: list[Node | Edge] = [story, *sentences, *telling.participants]
    found += (placed.mention for placed in telling.mentions)
    found += (Edge("HAS_SENTENCE", story.ref, each.ref) for each in sentences)
    found += (Edge("NEXT", sentences[a].ref, sentences[b].ref) for a, b in telling.follows)
    found += (Edge("IN_STORY", each.ref, story.ref) for each in telling.participants)
    for mention, cluster, within in telling.mentions:
        found.append(Edge("REFERS_TO", mention.ref, telling.participants[cluster].ref))
        found += (Edge("IN_SENTENCE", mention.ref, sentences[at].ref) for at in within)
    return found


def _elements(path: Path, file: IO[str]) -> Iterator[Node | Edge]:
    lines: list[str] = []
    began = 1
    try:
        for number, line in enumerate(file, 1):
            lines.append(line.removesuffix("\n"))
            if lines[-1] == _END:
                yield from _content(_parse(lines, path, began))
                lines, began = [], number + 1
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8: {error}") from error
    if lines:
        raise DataError(f"{path}, line {began}: a document that does not end")


def _parse(lines: list[str], path: Path, began: int) -> Telling:
    """Makes a document's lines a telling; what that would be written as must be those lines."""
    nodes: dict[str, list[tuple[Node, dict[str, Any]]]] = defaultdict(list)
    for number, line in enumerate(lines, began):
        if found := _NOTE.fullmatch(line):
            try:
                values = json.loads(found[2])
                more = {
                    name: values.pop(name, None) for name in ("cluster", "sentences", "follows")
                }
                node = make_node(found[1].capitalize(), values)
            except (ValueError, SchemaError) as error:
                raise DataError(f"{path}, line {number}: {error}") from error
            nodes[found[1]].append((node, more))
    try:
        ((story, _),) = nodes["story"]
        telling = Telling(
            cast("Story", story),
            tuple(cast("Sentence", node) for node, _ in nodes["sentence"]),
            tuple(cast("Participant", node) for node, _ in nodes["participant"]),
            tuple(
                Placed(cast("Mention", node), more["cluster"], tuple(more["sentences"]))
                for node, more in nodes["mention"]
            ),
            tuple(
                (at, after)
                for at, (_, more) in enumerate(nodes["sentence"])
                for after in more["follows"]
            ),
        )
        _content(telling)
        wanted = list(_document(telling))
    except (ValueError, TypeError, IndexError) as error:
        raise DataError(
            f"{path}, line {began}: not a document of `fabula export`: {error}"
        ) from error
    for number, (line, right) in enumerate(zip_longest(lines, wanted), began):
        if line != right:
            raise DataError(
                f"{path}, line {number}: {line!r} is not what the document's ids and texts give, "
                f"{right!r}; only unchanged documents can be read back"
            )
    return telling
