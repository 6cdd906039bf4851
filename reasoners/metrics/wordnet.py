# SPDX-License-Identifier: Apache-2.0
"""The part of WordNet 3.0 that METEOR reads, from a bundled table of half a megabyte.

`Synonyms` stands in for nltk's corpus reader in `nltk.translate.meteor_score`, which asks
for nothing but `synsets(word)`, their `lemmas()` and these lemmas' `name()`. The table is
made by scripts/make_meteor_table.py; its licence lies beside it (data/WORDNET-LICENSE).
"""

from __future__ import annotations

import functools
import json
import lzma
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources

from graph.errors import DataError

RULES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "n": (
        ("s", ""),
        ("ses", "s"),
        ("ves", "f"),
        ("xes", "x"),
        ("zes", "z"),
        ("ches", "ch"),
        ("shes", "sh"),
        ("men", "man"),
        ("ies", "y"),
    ),
    "v": (
        ("s", ""),
        ("ies", "y"),
        ("es", "e"),
        ("es", ""),
        ("ed", "e"),
        ("ed", ""),
        ("ing", "e"),
        ("ing", ""),
    ),
    "a": (("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
    "r": (),
}
"""Detachment rules of each part of speech (nltk's morphy; WordNet manual, morphy(7))."""


@dataclass(frozen=True)
class Lemma:
    """One lemma name."""

    text: str
    """The name, with `_` for a space."""

    def name(self) -> str:
        """The name, as nltk asks for it."""
        return self.text


@dataclass(frozen=True)
class Synset:
    """The names of all synsets of a word together: METEOR takes their union."""

    members: tuple[Lemma, ...]
    """The lemmas, in alphabetical order."""

    def lemmas(self) -> tuple[Lemma, ...]:
        """The lemmas, as nltk asks for them."""
        return self.members


@dataclass(frozen=True, eq=False)
class Part:
    """One part of speech."""

    index: Mapping[str, frozenset[str]]
    """Lower-case lemma to the names in all of its synsets."""
    exceptions: Mapping[str, tuple[str, ...]]
    """Irregular form to its base forms, which replace the rules."""
    rules: tuple[tuple[str, str], ...]
    """(ending, replacement) pairs."""

    def forms(self, word: str) -> tuple[str, ...]:
        """The word and its candidate base forms (nltk's morphy, before the look-up)."""
        if word in self.exceptions:
            return (word, *self.exceptions[word])
        bases = (word[: -len(old)] + new for old, new in self.rules if word.endswith(old))
        return (word, *bases)


class Synonyms:
    """Stands in for nltk's WordNet reader in `meteor_score(..., wordnet=...)`."""

    def __init__(self, parts: tuple[Part, ...]) -> None:
        self._parts = parts
        self._known: dict[str, tuple[Synset, ...]] = {}

    def synsets(self, word: str) -> tuple[Synset, ...]:
        """One merged synset with every name that METEOR could match, or none."""
        known = self._known.get(word)
        if known is None:
            found = frozenset[str]().union(
                *(
                    part.index.get(form, frozenset())
                    for part in self._parts
                    for form in part.forms(word.lower())
                )
            )
            known = (Synset(tuple(map(Lemma, sorted(found)))),) if found else ()
            self._known[word] = known
        return known


@functools.cache
def synonyms() -> Synonyms:
    """The bundled table, read once.

    Raises:
        DataError: the table is missing from the installation, or damaged.
    """
    file = resources.files("reasoners.metrics") / "data" / "wordnet-synonyms.json.xz"
    try:
        parts = json.loads(lzma.decompress(file.read_bytes()))["parts"]
        return Synonyms(
            tuple(
                Part(
                    _index(parts[key]["synsets"]),
                    {line.split()[0]: tuple(line.split()[1:]) for line in parts[key]["exceptions"]},
                    RULES[key],
                )
                for key in RULES
            )
        )
    except (OSError, lzma.LZMAError, ValueError, KeyError, EOFError) as error:
        raise DataError(
            f"cannot read METEOR's synonym table {file}: {error!r}; reinstall Fabula, or make it "
            "anew with scripts/make_meteor_table.py"
        ) from error


def _index(synsets: list[str]) -> dict[str, frozenset[str]]:
    """Lower-case lemma to the single-word names of its synsets."""
    index: dict[str, frozenset[str]] = {}
    for names in map(str.split, synsets):
        single = frozenset(name for name in names if "_" not in name)
        for name in names:
            key = name.lower()
            index[key] = index[key] | single if key in index else single
    return index
