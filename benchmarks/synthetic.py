# SPDX-License-Identifier: Apache-2.0
"""Synthetic stories for measurements of size: any number of them, with the degrees of the real data.

A story here is a root with all that belongs to it: a story with its revisions, units and claims,
or a goal with its script. Rows of the three data sets are drawn and then mapped by the readers
themselves, so labels, properties and edges are what ingest writes. Story `n` of a seed is always
the same, whichever stories are made before it: shards of a range need nothing from one another.

The distributions are those of POQue valid and test, PASTA val and te, and Choice-75 (2,767
roots, 341 thousand elements, 123 a root), but for the tail:

| what | drawn from | real mean | real p50, p90, max |
|---|---|---:|---|
| kind of a root | POQue 58 %, PASTA 39 %, Choice-75 3 % | | |
| contrasts of a PASTA story | its counts 1..3; one story in 50 a Pareto tail (exponent 1.2), 4 to 200 | 2.14 | 2, 3, 3 |
| states of a participant | contrasts over 1 to 3 names, the first with 70 %; 11 % have none | 2.8 | 2, 6, 6 |
| sentences that justify a state, or change | the counts of 1..5 | 1.46 | 1, 2, 5 |
| views of a POQue story | 1, or 2 with 34 % | 1.34 | 1, 2, 2 |
| sentences of a POQue story | lognormal(1.58, 0.47), 1 to 23 | 5.4 | 5, 8, 23 |
| mentions of a POQue participant | lognormal(1.50, 0.50), 1 to 17 | 5.0 | 5, 8, 17 |
| factors of a view | its counts 1..10; 84 % stand in the text word for word | 3.6 | 3, 6, 10 |
| scenarios of a branch | 1 to 6 | 2.9 | 3, 5, 6 |
| words of a sentence | PASTA normal(8.8, 2.8), 3 to 26; POQue lognormal(2.62, 0.72), 3 to 114 | 8.8; 17.7 | 9, 12, 26; 14, 36, 114 |

The tail is longer than the real one on purpose: a participant with hundreds of states is what a
large collection has and a small one does not. Words are made of syllables; 4,000 of them follow
Zipf's law, so that full-text indexes have something like the real work.
"""  # noqa: E501

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from graph.batch import BatchBuilder, GraphBatch
from ingest import choice75, pasta, poque
from ingest.readers import DataFile, Reader, Row

VOCABULARY = 4000
"""Distinct words, besides names."""
_KINDS = ("poque", "pasta", "choice75")
_SHARES = (58, 39, 3)
_CONTRASTS = (224, 346, 491)
_MARKED = (2982, 1145, 313, 72, 22)
_FACTORS = (299, 295, 570, 449, 288, 123, 76, 52, 28, 2)
_MODES = (533, 1322, 272, 48, 7)
_SCENARIOS = (28, 55, 80, 37, 20, 4)
_NAMES = (
    *("Kim", "Tom", "Ana", "Ravi", "Mia", "Leo", "Sara", "Omar"),
    *("Ines", "Jack", "Lena", "Hugo", "Nora", "Paul", "Zoe", "Ben"),
)
_VERBS = ("was", "felt", "had", "wanted", "liked", "needed")
_ALL_MODES = ("Existence", "Feeling", "Location", "Possession", "Other_Way")
_ANCHORING = (("Stated", 1), ("Implied", 2), ("Neither", 3))


class Drawn(NamedTuple):
    """A synthetic story."""

    batch: GraphBatch
    """Its nodes and edges."""
    story: str | None
    """Id of its root `Story`; None for a goal."""
    participants: tuple[str, ...]
    """Ids of its participants that have states."""


def draw(number: int, seed: int = 0) -> Drawn:
    """Draws one story.

    Args:
        number: which one, from 0.
        seed: another seed gives other stories.
    """
    rng = random.Random(f"{seed}/{number}")
    kind = rng.choices(_KINDS, _SHARES)[0]
    key = f"synthetic-{seed}-{number}"
    if kind == "pasta":
        batch = _mapped(pasta.READER, _pasta_rows(rng, key), "val")
    elif kind == "poque":
        batch = _mapped(poque.READER, _poque_rows(rng, key, number), "valid")
    else:
        batch = _mapped(choice75.READER, [_choice_row(rng, number)], "train")
    revised = {edge.source.id for edge in batch.edges if edge.type == "REVISES"}
    stories = [node.id for node in batch.nodes if node.ref.label == "Story"]
    states = (edge.target.id for edge in batch.edges if edge.type == "STATE_OF")
    root = next((id for id in stories if id not in revised), None)
    return Drawn(batch, root, tuple(dict.fromkeys(states)))


def batches(first: int, last: int, *, seed: int = 0, size: int = 150) -> Iterator[GraphBatch]:
    """Yields the stories from `first` until before `last`, `size` of them in a batch."""
    for start in range(first, last, size):
        drawn = (draw(number, seed).batch for number in range(start, min(start + size, last)))
        yield BatchBuilder().extend(drawn).build()


def _mapped(reader: Reader[Any], rows: Sequence[Row], split: str) -> GraphBatch:
    build = BatchBuilder()
    for row in rows:
        group = f"user_profile/{split}"
        file = DataFile("", Path(f"{row.get('index', 0)}.json"), split, group)
        build.extend([reader.to_graph(reader.parse(row, file), file)])
    return build.build()


# --- words -------------------------------------------------------------------------------------


@cache
def _vocabulary() -> tuple[tuple[str, ...], tuple[float, ...]]:
    """The words, and the running sums of their weights (rank by Zipf's law)."""
    rng = random.Random(VOCABULARY)
    words: dict[str, None] = {}
    while len(words) < VOCABULARY:
        syllables = rng.choices((1, 2, 3, 4), (2, 5, 3, 1))[0]
        word = "".join(rng.choice("bdfgklmnprstvz") + rng.choice("aeiou") for _ in range(syllables))
        words[word + rng.choice(("", "", "n", "r", "s", "t"))] = None
    return tuple(words), tuple(accumulate(1 / (rank + 2.7) for rank in range(VOCABULARY)))


def _words(rng: random.Random, n: int) -> str:
    words, weights = _vocabulary()
    return " ".join(rng.choices(words, cum_weights=weights, k=n))


def _count(rng: random.Random, weights: Sequence[int], first: int = 1) -> int:
    return rng.choices(range(first, first + len(weights)), weights)[0]


def _lognormal(rng: random.Random, mean: float, spread: float, least: int, most: int) -> int:
    return max(least, min(most, round(rng.lognormvariate(mean, spread))))


# --- PASTA -------------------------------------------------------------------------------------


def _pasta_rows(rng: random.Random, key: str) -> list[Row]:
    cast = rng.sample(_NAMES, _count(rng, (65, 30, 5)))
    lines = [_line(rng, cast) for _ in range(5)]
    contrasts = _count(rng, _CONTRASTS)
    if rng.random() < 0.02:
        contrasts = min(200, int(4 * rng.paretovariate(1.2)))
    title = _words(rng, 3)
    return [_contrast(rng, f"{key}-{index}", key, title, lines, cast) for index in range(contrasts)]


def _contrast(
    rng: random.Random, item: str, key: str, title: str, lines: list[str], cast: list[str]
) -> Row:
    marked = set(rng.sample(range(5), _count(rng, _MARKED)))
    changed = set(rng.sample(range(5), _count(rng, _MARKED)))
    row: Row = {"AssignmentId": item, "Input.storyid": key, "Input.Title": title}
    for index, line in enumerate(lines):
        revised = f"{_line(rng, cast)[:-1]} instead." if index in changed else line
        row |= {
            f"Input.line{index + 1}": line,
            f"Answer.line{index + 1}.on": index in marked,
            f"Answer.mod_line{index + 1}": revised,
        }
    row |= {"Answer.assertion": _state(rng, cast), "Answer.mod_assertion": _state(rng, cast)}
    return row


def _line(rng: random.Random, cast: list[str]) -> str:
    length = max(3, min(26, round(rng.gauss(8.8, 2.8))))
    return f"{_one_of(rng, cast)} {rng.choice(_VERBS)} {_words(rng, length - 2)}."


def _state(rng: random.Random, cast: list[str]) -> str:
    subject = "There" if rng.random() < 0.11 else _one_of(rng, cast)
    return f"{subject} {rng.choice(_VERBS)} {_words(rng, _lognormal(rng, 1.3, 0.5, 1, 17))}."


def _one_of(rng: random.Random, cast: list[str]) -> str:
    return cast[0] if rng.random() < 0.7 else rng.choice(cast)


# --- POQue -------------------------------------------------------------------------------------


def _poque_rows(rng: random.Random, key: str, number: int) -> list[Row]:
    sentences = [
        f"{_words(rng, _lognormal(rng, 2.62, 0.72, 3, 114))}."
        for _ in range(_lognormal(rng, 1.58, 0.47, 1, 23))
    ]
    text = f" {' '.join(sentences)}"
    roles = rng.sample(("agent", "patient"), _count(rng, (66, 34)))
    return [_view(rng, 2 * number + index, key, text, role) for index, role in enumerate(roles)]


def _view(rng: random.Random, uid: int, key: str, text: str, role: str) -> Row:
    starts = [place for place in range(1, len(text)) if text[place - 1] == " "]
    mentions = min(len(starts), _lognormal(rng, 1.5, 0.5, 1, 17))
    spans = []
    for start in sorted(rng.sample(starts, mentions)):
        end = text.find(" ", start)
        spans.append((start, len(text) if end < 0 else end))
    summary, endpoint = _words(rng, 6), _words(rng, 10)
    likert = _count(rng, (1, 1, 1, 2, 5), first=0)
    anchoring, value = rng.choices(_ANCHORING, (6, 3, 1))[0]
    return {
        "uid": uid,
        "story_id": key,
        "story_version": role,
        "story_source": "synthetic",
        "identified_participant": rng.choice(_NAMES),
        "original_story_text": poque.tag_mentions(text, spans),
        "story_text": text,
        "process_summary": summary,
        "all_process_summaries": [summary, _words(rng, 6)],
        "endpoint_description": endpoint,
        "all_endpoint_descriptions": [endpoint, _words(rng, 10)],
        "change_summary": _words(rng, 12) if rng.random() < 0.75 else "",
        "factors": [_factor(rng, text, starts) for _ in range(_count(rng, _FACTORS))],
        "endpoint_achoring": {"id": anchoring, "value": value},
        "participant_involvement": {"id": poque.LIKERT[likert], "value": likert},
        "change_modes": rng.sample(_ALL_MODES, _count(rng, _MODES, first=0)),
    }


def _factor(rng: random.Random, text: str, starts: list[int]) -> str:
    if rng.random() < 0.16:
        return _words(rng, 8)
    first = rng.randrange(len(starts))
    last = first + _lognormal(rng, 2.0, 0.45, 3, 59)
    return text[starts[first] : starts[last] if last < len(starts) else None].strip()


# --- Choice-75 ---------------------------------------------------------------------------------


def _choice_row(rng: random.Random, number: int) -> Row:
    steps = [_words(rng, 5) for _ in range(_count(rng, (45, 30, 25), first=6))]
    branching = rng.randrange(len(steps))
    scenarios = []
    for _ in range(3 * _count(rng, _SCENARIOS)):  # one branch here, three in the real data
        label = rng.choices((0, 1, 2), (29, 36, 35))[0]
        level = rng.choice(("easy", "medium", "hard")) if label else "na"
        scenarios.append([_words(rng, _lognormal(rng, 2.4, 0.9, 3, 135)), label, level])
    return {
        "index": number,
        "goal": _words(rng, 4),
        "steps": steps,
        "curr_index": number,
        "branching_info": {
            "branching_idx": branching,
            "branching_step": steps[branching],
            "option 1": _words(rng, 8),
            "option 2": _words(rng, 8),
            "type": "synthetic",
            "dataset": "train",
            "freeform_ra": scenarios,
        },
    }
