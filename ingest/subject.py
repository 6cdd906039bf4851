# SPDX-License-Identifier: Apache-2.0
"""Whose state is it? A small rule that finds the subject of a state sentence in its story.

PASTA does not mark the participant of a state. The rule, in order:

1. The subject phrase is the words before the first auxiliary or verb of a closed list
   (`Tom's dog was hungry` -> `Tom's dog`); a sentence without one has no subject.
2. Articles and possessive pronouns at its start, and adverbs and commas at its end, are put
   aside (`The dog` -> `dog`).
3. The phrase must occur in the story as whole words, in any case of letters; `I` and the other
   pronouns count like any name.
4. If it does not, a shorter one may: what follows a possessive (`Tom's dog` -> `dog`), else the
   last word before a preposition or the end (`the owners of it` -> `owners`, `old man` -> `man`).
   A phrase with `and` is not shortened: its last word would be somebody else.

What it links is a `derived` participant, never gold. In the published val and te files it links
88 % and 91 % of the states; a sentence with no match gets no edge.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_AUXILIARIES = """
am is are was were be been being 's 're 'm has have had 've 'd do does did can could may might
must shall should will would 'll ain't isn't aren't wasn't weren't hasn't haven't hadn't don't
doesn't didn't can't cannot couldn't mustn't shouldn't won't wouldn't dont doesnt didnt isnt wasnt
"""
_VERBS = """
accept achieve admire agree appear ask become begin believe belong bother break bring buy call
care cause change claim come complain consider continue cook cost create dance decide deserve
despise disagree dislike distrust drink drive earn eat end enjoy expect fail fall fear feel fight
find finish fit follow forget get give go grow hate hear help hold hope hurt improve intend keep
know lack learn leave let lie like listen live look lose love make matter mean meet mind miss need
notice offer own panic pay plan play perform prefer pretend prove put raise read realize receive
recover refuse regret remember respect ride run say see seem sell shop show sing sit sleep smell
smoke speak spend stand start stay stop study suffer support take talk taste teach tell tend think
travel treat trust try turn understand use value visit wait wake walk want wash watch wear win
wish wonder work worry write
"""
_IRREGULAR = """
became began bought broke brought came chose drank drove ate fell felt fought found forgot got
gave went grew heard held hurt kept knew left lost made meant met paid read ran said saw sold sang
sat slept smelt spoke spent stood took taught told thought understood woke wore won wrote hid lay
studies tries worries goes does cries cried studied tried worried stopped planned regretted
preferred
"""
_ADVERBS = """
also already always currently does ever even finally generally had just likely never no not now
often only overly probably rarely really sometimes still then usually
"""
_DETERMINERS = "a an the this that these those his her its my our their your some one all both"
_PREPOSITIONS = "about at by for from in of on that to up who whose with"
_WORD = re.compile(r"\S+")
_EDGES = "\"'“”‘’.,;:!?()"


def _inflected(stem: str) -> tuple[str, ...]:
    past = f"{stem}d" if stem.endswith("e") else f"{stem}ed"
    third = f"{stem}es" if stem.endswith(("s", "sh", "ch", "x", "o")) else f"{stem}s"
    return stem, past, third


_STOPS = frozenset(
    [
        *_AUXILIARIES.split(),
        *_IRREGULAR.split(),
        *(form for stem in _VERBS.split() for form in _inflected(stem)),
    ]
)
_TRAILING = frozenset(_ADVERBS.split())
_ASIDE = frozenset(_DETERMINERS.split())
_ENDS = frozenset(_PREPOSITIONS.split())
_CONTRACTED = re.compile(r"(?i)^(i|you|he|she|it|we|they|there)('m|'s|'re|'ve|'d|'ll)$")


class Found(NamedTuple):
    """A subject as the story words it, and where it stands there."""

    name: str
    """Its first occurrence, letter for letter."""
    spans: tuple[tuple[int, int], ...]
    """Start and end of every occurrence, in order."""


def subject_phrase(sentence: str) -> str | None:
    """Returns the subject phrase of a state sentence, None if the rule sees none."""
    words: list[str] = []
    for match in _WORD.finditer(sentence.replace("’", "'")):
        word = match.group()
        if contracted := _CONTRACTED.match(word):
            words.append(contracted.group(1))
            break
        # The first word is the subject's even if it looks like a verb (`Will was late`).
        if words and word.strip(_EDGES).lower() in _STOPS:
            break
        words.append(word)
    else:
        return None
    while words and words[0].lower() in _ASIDE:
        del words[0]
    while words and words[-1].strip(_EDGES).lower() in _TRAILING:
        del words[-1]
    return " ".join(words).strip(_EDGES) or None


def find_subject(sentence: str, story: str) -> Found | None:
    """Finds the participant that a state sentence is about.

    Args:
        sentence: the state, as annotated.
        story: the text in which the participant must occur.

    Returns:
        The participant's words and their places, None if the rule finds none.
    """
    phrase = subject_phrase(sentence)
    if phrase is None:
        return None
    for name in _candidates(phrase):
        pattern = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
        spans = tuple(match.span() for match in pattern.finditer(story))
        if spans:
            return Found(story[slice(*spans[0])], spans)
    return None


def _candidates(phrase: str) -> list[str]:
    words = phrase.split()
    if "and" in words:
        return [phrase]
    _, possessive, owned = phrase.rpartition("'s ")
    end = next((i for i, word in enumerate(words) if i and word in _ENDS), len(words))
    shorter = [owned if possessive else "", words[end - 1].strip(_EDGES)]
    return list(dict.fromkeys([phrase, *filter(None, shorter)]))
