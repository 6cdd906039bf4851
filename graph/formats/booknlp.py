# SPDX-License-Identifier: Apache-2.0
"""BookNLP's files, for what was made to read them: characters, entities, tokens of each story.

A story `ID` has the files that BookNLP writes with its English models, same names and columns:
`ID.tokens`, `ID.entities` and `ID.book`, and its text in `ID.txt`; `stories.tsv` says which is
which. What the graph does not hold is empty there: parts of speech, dependencies, gender, quotes,
supersenses. BookNLP keeps only who is mentioned twice; here everybody is kept.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graph.formats.base import Format, Selection, Written
from graph.formats.files import new_folder
from graph.formats.telling import Telling, tellings
from graph.progress import SILENT, Progress

TOKENS = (
    "paragraph_ID", "sentence_ID", "token_ID_within_sentence", "token_ID_within_document", "word",
    "lemma", "byte_onset", "byte_offset", "POS_tag", "fine_POS_tag", "dependency_relation",
    "syntactic_head_ID", "event",
)  # fmt: skip
ENTITIES = ("COREF", "start_token", "end_token", "prop", "cat", "text")

PRONOUNS = frozenset({
    "i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves", "you", "your",
    "yours", "yourself", "yourselves", "he", "him", "his", "himself", "she", "her", "hers",
    "herself", "it", "its", "itself", "they", "them", "their", "theirs", "themselves", "themself",
    "who", "whom", "whose", "which", "that", "this", "these", "those",
})  # fmt: skip
_KINDS = {"PROP": "proper", "NOM": "common", "PRON": "pronoun"}


class BookNLP(Format):
    """A folder of files in BookNLP's form; written only, since it has no place for most ids."""

    name = "booknlp"
    title = "BookNLP's files of each story: characters, entities, tokens"
    suffix = ""
    readable = False

    def write(self, selection: Selection, out: Path, progress: Progress = SILENT) -> Written:
        """Writes the stories of the selection; counts participants and mentions with them."""
        nodes = edges = 0
        with (
            new_folder(out, self.name) as folder,
            (folder / "stories.tsv").open("w", encoding="utf-8", newline="") as index,
        ):
            index.write("file\tid\tdataset\tkey\ttitle\n")
            task = progress.task("writing stories")
            for telling in tellings(selection):
                story = telling.story
                # Ids are hexadecimal unless a user made them.
                name = story.id if re.fullmatch(r"[\w-]{1,80}", story.id) else f"story-{nodes}"
                index.write(_line(name, story.id, story.dataset, story.key, story.title or ""))
                for ending, lines in (
                    ("txt", [story.text]),
                    ("tokens", _tokens(telling)),
                    ("entities", _entities(telling)),
                    ("book", [json.dumps(book(telling), ensure_ascii=False)]),
                ):
                    path = folder / f"{name}.{ending}"
                    with path.open("w", encoding="utf-8", newline="") as file:
                        file.writelines(lines)
                nodes += 1 + len(telling.participants) + len(telling.mentions)
                nodes += len(telling.sentences) + len(telling.events)
                edges += len(telling.participants) + len(telling.mentions) + len(telling.sentences)
                task.advance()
            task.done()
        return Written(nodes, edges, (out,))


BOOKNLP = BookNLP()


def proper(text: str) -> str:
    """Kind of a mention by its words: `PRON` a pronoun, `PROP` a name, `NOM` a common noun."""
    if text.casefold() in PRONOUNS:
        return "PRON"
    # A name, or an article and a name: the first word says little, it can begin a sentence.
    words = text.split()
    return "PROP" if words and words[-1][0].isupper() else "NOM"


def book(telling: Telling) -> dict[str, Any]:
    """The content of a `.book` file: the characters, those who are mentioned most first."""
    characters = []
    for at, participant in enumerate(telling.participants):
        texts = [each.mention.text for each in telling.mentions if each.cluster == at]
        mentions: dict[str, list[dict[str, Any]]] = {kind: [] for kind in _KINDS.values()}
        for text, number in Counter(texts).most_common():
            mentions[_KINDS[proper(text)]].append({"c": number, "n": text})
        characters.append(
            {
                "agent": _does(telling, at, "agent"),
                "patient": _does(telling, at, "patient"),
                "mod": [],
                "poss": [],
                "id": at,
                "g": None,
                "count": len(texts),
                "mentions": mentions,
                # Not BookNLP's: the way back to the graph.
                "fabula": {"id": participant.id, "name": participant.name},
            }
        )
    return {"characters": sorted(characters, key=lambda each: -each["count"])}


def _does(telling: Telling, at: int, role: str) -> list[dict[str, Any]]:
    found = []
    for argument in telling.arguments[at]:
        span = telling.span(argument.event.start, argument.event.end)
        if argument.role == role and span is not None:
            found.append({"w": argument.event.text, "i": span[0]})
    return sorted(found, key=lambda each: each["i"])


def _tokens(telling: Telling) -> Iterator[str]:
    yield _line(*TOKENS)
    text = telling.story.text
    spans = (telling.span(event.start, event.end) for event in telling.events)
    happening = {span[0] for span in spans if span is not None}
    within: Counter[int] = Counter()
    for number, (token, sentence) in enumerate(
        zip(telling.tokens, telling.sentence_of, strict=True)
    ):
        # BookNLP calls them bytes; with spaCy below it they count characters, as here.
        word = text[token.start : token.end]
        event = "EVENT" if number in happening else "O"
        yield _line(
            0, sentence, within[sentence], number, word, word.lower(), *token,
            "X", "X", "dep", number, event,
        )  # fmt: skip
        within[sentence] += 1


def _entities(telling: Telling) -> Iterator[str]:
    yield _line(*ENTITIES)
    for mention, cluster, _ in telling.mentions:
        span = telling.span(mention.start, mention.end)
        if span is None:
            continue
        # Of BookNLP's kinds the graph tells people and other living beings from things at most.
        kind = "-" if telling.participants[cluster].animate is False else "PER"
        yield _line(cluster, *span, proper(mention.text), kind, mention.text)


def _line(*values: object) -> str:
    # As BookNLP does, whitespace within a value becomes a space: the columns are all there is.
    return "\t".join(re.sub(r"\s", " ", str(value)) for value in values) + "\n"
