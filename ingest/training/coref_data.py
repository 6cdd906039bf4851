# SPDX-License-Identifier: Apache-2.0
"""Coreference corpora as tokens, sentences and clusters, in pieces of any length."""

from __future__ import annotations

import random
import re
import tarfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from graph.errors import DataError
from ingest.training.corpora import treebank

Span = tuple[int, int]
"""First and last token of a mention."""


class CorefText(NamedTuple):
    """A text with gold coreference."""

    id: str
    sentences: tuple[tuple[str, ...], ...]
    clusters: tuple[tuple[Span, ...], ...]
    """Mentions of at least two, over the text's tokens, in order."""

    @property
    def tokens(self) -> tuple[str, ...]:
        """All tokens."""
        return tuple(token for sentence in self.sentences for token in sentence)


LITBANK_TEST = 10
LITBANK_DEV = 10
"""LitBank has no official split here: of the documents sorted by id, those at positions 0, 10, 20,
... are test, those at 5, 15, 25, ... dev."""


def ontogum(path: Path) -> Iterator[CorefText]:
    """Yields the documents of an OntoGUM file (CoNLL-U with `Entity=(1...1)` in MISC)."""
    for document in treebank(path):
        words = tuple(tuple(token.form for token in sentence) for sentence in document.sentences)
        column = [_entity(token.misc) for sentence in document.sentences for token in sentence]
        yield CorefText(document.id, words, _clusters(document.id, column))


def _entity(misc: str) -> str:
    found = [part for part in misc.split("|") if part.startswith("Entity=")]
    return found[0].removeprefix("Entity=") if found else ""


def litbank(archive: Path, portion: str) -> Iterator[CorefText]:
    """Yields LitBank's documents of a portion: `train`, `dev` or `test`.

    Raises:
        DataError: the archive is not there.
    """
    if not archive.exists():
        raise DataError(f"{archive} is not there: give the folder of corpora")
    with tarfile.open(archive) as tar:
        names = sorted(name for name in tar.getnames() if name.endswith(".conll"))
        for position, name in enumerate(names):
            place = {0: "test", LITBANK_DEV // 2: "dev"}.get(position % LITBANK_TEST, "train")
            file = tar.extractfile(name)
            if place != portion or file is None:
                continue
            yield _conll(Path(name).stem, file.read().decode("utf-8").splitlines())


def _conll(id: str, lines: Iterable[str]) -> CorefText:
    sentences: list[tuple[str, ...]] = []
    words: list[str] = []
    column: list[str] = []
    for line in lines:
        if line.startswith("#"):
            continue
        if not line.strip():
            if words:
                sentences.append(tuple(words))
                words = []
            continue
        cells = line.split("\t")
        words.append(cells[3])
        column.append(cells[-1].strip() if len(cells) > 12 else "")
    if words:
        sentences.append(tuple(words))
    return CorefText(id, tuple(sentences), _clusters(id, column))


_BRACKET = re.compile(r"(\()?([A-Za-z0-9]+)(\))?")


def _clusters(id: str, column: list[str]) -> tuple[tuple[Span, ...], ...]:
    """Reads brackets such as `(1|(2)` and `(1(2)`: one entry a token, `_` or nothing for none."""
    open_at: dict[str, list[int]] = defaultdict(list)
    found: dict[str, set[Span]] = defaultdict(set)
    for index, cell in enumerate(column):
        for opening, name, closing in _BRACKET.findall(cell.replace("_", "")):
            if opening:
                open_at[name].append(index)
            if closing:
                if not open_at[name]:
                    raise DataError(f"{id}: token {index} closes {name}, which is not open")
                found[name].add((open_at[name].pop(), index))
    return _sorted(found.values())


def _sorted(clusters: Iterable[Iterable[Span]]) -> tuple[tuple[Span, ...], ...]:
    kept = (tuple(sorted(cluster)) for cluster in clusters)
    return tuple(sorted(cluster for cluster in kept if len(cluster) > 1))


def pieces(text: CorefText, longest: int, rng: random.Random | None = None) -> Iterator[CorefText]:
    """Cuts a text into runs of whole sentences.

    Args:
        text: the text.
        longest: most words of a piece; a sentence that is longer is cut.
        rng: gives each piece a length between a quarter of that and all of it; None for pieces as
            long as they may be, as in measuring.

    Yields:
        The pieces; mentions that lose their company drop out, as singletons do.
    """
    size = 0
    run: list[tuple[str, ...]] = []
    first = start = 0
    limit = rng.randint(longest // 4, longest) if rng else longest
    sentences = [
        sentence[at : at + longest]
        for sentence in text.sentences
        for at in range(0, len(sentence), longest)
    ]
    for sentence in sentences:
        if run and size + len(sentence) > limit:
            yield _piece(text, run, start, first)
            first, start, run = first + 1, start + size, []
            size = 0
            limit = rng.randint(longest // 4, longest) if rng else longest
        run.append(sentence)
        size += len(sentence)
    if run:
        yield _piece(text, run, start, first)


def _piece(text: CorefText, run: list[tuple[str, ...]], start: int, number: int) -> CorefText:
    end = start + sum(map(len, run))
    inside = (
        [(a - start, b - start) for a, b in cluster if start <= a and b < end]
        for cluster in text.clusters
    )
    return CorefText(f"{text.id}#{number}", tuple(run), _sorted(inside))
