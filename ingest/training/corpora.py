# SPDX-License-Identifier: Apache-2.0
"""The openly licensed corpora that the text pipeline is trained on, as plain values.

Each corpus has a folder of its own, named in lower case, with the files of its repository; any of
them may be compressed with xz.
"""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, TextIO

from graph.errors import DataError


class Token(NamedTuple):
    """A word of a treebank (Universal Dependencies, CoNLL-U)."""

    form: str
    lemma: str
    upos: str
    xpos: str
    feats: str
    """Morphological features, `_` for none."""
    head: int
    """Position of its head in the sentence, from 0; its own for the root."""
    deprel: str
    space: bool
    """Whether white space follows it."""
    misc: str
    """The MISC column."""


class Document(NamedTuple):
    """A document of a treebank."""

    id: str
    sentences: tuple[tuple[Token, ...], ...]


def open_text(path: Path) -> TextIO:
    """Opens a corpus file, compressed (`.xz`) or plain, whichever is there.

    Raises:
        DataError: neither is.
    """
    packed = path.with_name(path.name + ".xz")
    if packed.exists():
        return lzma.open(packed, "rt", encoding="utf-8")
    if path.exists():
        return path.open(encoding="utf-8")
    raise DataError(f"{path} is not there, nor {packed.name}: give the folder of corpora")


def treebank(path: Path) -> Iterator[Document]:
    """Yields the documents of a CoNLL-U file.

    Words of a multiword token (`don't` = `do` + `n't`) are written together, and only the last
    carries the token's white space. Empty nodes (`8.1`) are left out.
    """
    name = ""
    sentences: list[tuple[Token, ...]] = []
    with open_text(path) as lines:
        rows: list[list[str]] = []
        for line in lines:
            line = line.rstrip("\n")
            if line.startswith("# newdoc id = "):
                if sentences:
                    yield Document(name, tuple(sentences))
                name, sentences = line.removeprefix("# newdoc id = "), []
            elif line and not line.startswith("#"):
                rows.append(line.split("\t"))
            elif not line and rows:
                sentences.append(tuple(_tokens(rows)))
                rows = []
        if rows:
            sentences.append(tuple(_tokens(rows)))
    if sentences:
        yield Document(name, tuple(sentences))


def _tokens(rows: list[list[str]]) -> Iterator[Token]:
    inside_until, space_after = 0, True
    for row in rows:
        number, form, lemma, upos, xpos, feats, head, deprel, _, misc = row
        if "." in number:
            continue
        space = "SpaceAfter=No" not in misc.split("|")
        if "-" in number:
            inside_until, space_after = int(number.partition("-")[2]), space
            continue
        position = int(number)
        if position < inside_until:
            space = False
        elif position == inside_until:
            space = space_after
        above = int(head) - 1 if head != "0" else position - 1
        yield Token(form, lemma, upos, xpos, feats, above, deprel, space, misc)
