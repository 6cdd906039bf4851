# SPDX-License-Identifier: Apache-2.0
"""POQue: outcomes of complex events, asked for one participant (Vallurupalli et al., EMNLP 2022).

One JSON line is one annotation: a story seen through one participant, as agent or as patient.
U is the line's `ComplexEvent`; every claim is gold, has item = `uid` and is `ABOUT` U.

| field | in the graph |
|---|---|
| `uid`, `story_version` | U's `key` and `role` |
| `story_id`, `story_source`, `story_text` | `Story` (`key`, `origin`, `text` without the space that opens every line) and its `Sentence`s; U `OF_STORY` |
| `identified_participant` | `Participant.name`, gold; U `HAS_PARTICIPANT`. The two views of a story may mark different ones, so each line has its own |
| `original_story_text` | a `Mention` for each `<participant>` tag, `REFERS_TO` the participant, `IN_SENTENCE` every sentence that it touches |
| `process_summary`, `all_process_summaries` | `ProcessSummary.text`, `.alternatives` |
| `endpoint_description`, `all_endpoint_descriptions` | `Endpoint.text`, `.alternatives` |
| `endpoint_achoring` | `Endpoint.anchoring` (`Neither` = `unsure`), `.anchoring_value` |
| `factors` | `FactorSet.texts`; `HAS_FACTOR` a `Factor` each, `GROUNDED_IN` the sentences where its words stand |
| `change_summary` | `Change.text`; empty = no changes |
| `change_modes` | `ChangeModeSet.modes`; `HAS_MODE` the shared `ChangeMode`s |
| `participant_involvement` | `Involvement.likert` (0..4), `.involved` (2 and more, paper 6.7) |

Known oddities (valid + test, 2182 lines): the key `endpoint_achoring` is misspelled; `Neither` has
the value 3, and 0 in 13 lines; `participant_involvement` counts from 0, not from 1 as the authors'
README says; 47 lines have nested tags and 3 have none; 532 change summaries are empty; three lines
have a summary and no modes, or modes and no summary; two lines give one factor twice; 54 stories
have one view in valid and the other in test. `story_source` is not a closed list: nothing depends
on it, and the train file is not public in all copies.
"""  # noqa: E501

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, Strict, model_validator

from graph import queries
from graph.batch import BatchBuilder, GraphBatch
from graph.ids import make_id
from graph.model import (
    Change,
    ChangeMode,
    ChangeModeSet,
    Claim,
    ComplexEvent,
    Endpoint,
    Factor,
    FactorSet,
    Involvement,
    Mention,
    Participant,
    ProcessSummary,
    Ref,
)
from graph.store import GraphStore
from ingest.fields import DataRecord, Index, Key, Text, Texts, validate
from ingest.readers import DataFile, Row, chunks, split_files
from ingest.stories import Span, StoryRefs, add_story, find_words, split_sentences

DATASET = "poque"
OPEN, CLOSE = "<participant>", "</participant>"
_TAG = re.compile(f"({OPEN}|{CLOSE})")
_SPLITS = {
    "train": "all_train_data.jsonl",
    "valid": "all_valid_data.jsonl",
    "test": "all_test_data.jsonl",
}

Mode = Literal["Existence", "Feeling", "Location", "Possession", "Other_Way"]
Anchoring = Literal["stated", "implied", "unsure"]
_ANCHORING: dict[str, Anchoring] = {"Stated": "stated", "Implied": "implied", "Neither": "unsure"}
_ANCHORING_ID = {name: id for id, name in _ANCHORING.items()}
_ANCHORING_VALUES = {"Stated": (1,), "Implied": (2,), "Neither": (0, 3)}
LIKERT = ("Not_Likely", "Somewhat_Unlikely", "Unsure", "Somewhat_Likely", "Very_Likely")
"""Names of the involvement values 0..4."""


class AnchoringPair(DataRecord):
    """`endpoint_achoring`."""

    id: Literal["Stated", "Implied", "Neither"]
    """The answer."""
    value: int
    """Its number; both 0 and 3 stand for Neither."""

    @model_validator(mode="after")
    def _agree(self) -> AnchoringPair:
        if self.value not in _ANCHORING_VALUES[self.id]:
            raise ValueError("id and value do not belong together")
        return self


class InvolvementPair(DataRecord):
    """`participant_involvement`."""

    id: Literal["Not_Likely", "Somewhat_Unlikely", "Unsure", "Somewhat_Likely", "Very_Likely"]
    """The answer."""
    value: Annotated[int, Field(ge=0, le=4)]
    """Its number, from 0."""

    @model_validator(mode="after")
    def _agree(self) -> InvolvementPair:
        if LIKERT[self.value] != self.id:
            raise ValueError("id and value do not belong together")
        return self


def _distinct(modes: tuple[Mode, ...]) -> tuple[Mode, ...]:
    if len(set(modes)) < len(modes):
        raise ValueError("names a mode twice")
    return modes


class Record(DataRecord):
    """A line of POQue."""

    uid: Index
    """Number of the annotation."""
    story_id: Key
    """Key of the story."""
    story_version: Literal["agent", "patient"]
    """View."""
    story_source: Key
    """Collection that the story is from."""
    identified_participant: Annotated[Key, Field(max_length=1000)]
    """The participant, in the annotator's words."""
    original_story_text: str
    """The story with tags around mentions of the participant."""
    story_text: Text
    """The story; opens with a space."""
    process_summary: Text
    """What it is about."""
    all_process_summaries: Annotated[Texts, Field(min_length=1)]
    """All summaries of the story."""
    endpoint_description: Text
    """How it ends."""
    all_endpoint_descriptions: Annotated[Texts, Field(min_length=1)]
    """All endpoints of the story."""
    change_summary: str
    """What changed; empty for nothing."""
    factors: Annotated[Texts, Field(min_length=1)]
    """Salient events."""
    endpoint_anchoring: AnchoringPair = Field(alias="endpoint_achoring")
    """Whether the endpoint is stated."""
    participant_involvement: InvolvementPair
    """How likely the participant was involved."""
    change_modes: Annotated[tuple[Mode, ...], Strict(False), AfterValidator(_distinct)]
    """In which ways it changed."""

    @model_validator(mode="after")
    def _fit_together(self) -> Record:
        if not self.story_text.startswith(" "):
            raise ValueError("story_text must open with a space")
        if mentions_of(self.original_story_text)[0] != self.story_text:
            raise ValueError("original_story_text without its tags must be story_text")
        if self.process_summary not in self.all_process_summaries:
            raise ValueError("all_process_summaries must hold process_summary")
        if self.endpoint_description not in self.all_endpoint_descriptions:
            raise ValueError("all_endpoint_descriptions must hold endpoint_description")
        return self


def mentions_of(tagged: str) -> tuple[str, list[Span]]:
    """Takes the tags out of a tagged text.

    Returns:
        The text without tags, and the places that they marked, outer before inner.

    Raises:
        ValueError: the tags do not pair, or mark nothing, or the space that opens the line.
    """
    plain: list[str] = []
    position = 0
    opened: list[int] = []
    spans: list[Span] = []
    for part in _TAG.split(tagged):
        if part == OPEN:
            opened.append(position)
        elif part == CLOSE:
            if not opened:
                raise ValueError("original_story_text closes a tag that is not open")
            start = opened.pop()
            if start == position or start == 0:
                raise ValueError("original_story_text marks no words, or the opening space")
            spans.append((start, position))
        else:
            plain.append(part)
            position += len(part)
    if opened:
        raise ValueError("original_story_text leaves a tag open")
    return "".join(plain), sorted(spans, key=lambda span: (span[0], -span[1]))


def tag_mentions(text: str, spans: Sequence[Span]) -> str:
    """Puts tags around the spans of a text: the inverse of `mentions_of`."""
    # Tags never mark nothing, so at one place all closing ones come before the opening ones.
    at: dict[int, str] = defaultdict(str)
    for _, end in spans:
        at[end] += CLOSE
    for start, _ in spans:
        at[start] += OPEN
    pieces: list[str] = []
    last = 0
    for place in sorted(at):
        pieces += [text[last:place], at[place]]
        last = place
    return "".join([*pieces, text[last:]])


def unit_id(split: str, uid: str) -> str:
    """Id of the complex event of a line."""
    return make_id(DATASET, "ComplexEvent", split, uid)


def to_graph(record: Record, split: str) -> GraphBatch:
    """The nodes and edges of a line.

    Args:
        record: the line.
        split: `train`, `valid` or `test`.
    """
    return _Mapping(record, split).batch()


class _Mapping:
    """One record on its way into a batch."""

    def __init__(self, record: Record, split: str) -> None:
        self.record = record
        self.split = split
        self.item = str(record.uid)
        self.build = BatchBuilder()
        text = record.story_text[1:]
        self.story = add_story(
            self.build,
            DATASET,
            record.story_id,
            text,
            split_sentences(text),
            origin=record.story_source,
        )
        self.unit = self.build.node(
            ComplexEvent(
                id=unit_id(split, self.item),
                dataset=DATASET,
                split=split,
                key=self.item,
                role=record.story_version,
            )
        )
        self.build.edge("OF_STORY", self.unit, self.story.ref)

    def batch(self) -> GraphBatch:
        self._participant()
        self._outcome()
        self._factors()
        self._change()
        return self.build.build()

    def _own(self, kind: str, *more: int) -> str:
        return make_id(DATASET, kind, self.split, self.item, *more)

    def _claim(self, claim: Claim) -> Ref:
        ref = self.build.node(claim)
        self.build.edge("ABOUT", ref, self.unit)
        return ref

    def _participant(self) -> None:
        name = self.record.identified_participant
        participant = self.build.node(
            Participant(id=self._own("Participant"), name=name, source="gold")
        )
        self.build.edge("HAS_PARTICIPANT", self.unit, participant)
        self.build.edge("IN_STORY", participant, self.story.ref)
        _, spans = mentions_of(self.record.original_story_text)
        for index, (first, last) in enumerate(spans):
            # Offsets count in the story's text, which lacks the line's opening space.
            start, end = first - 1, last - 1
            mention = self.build.node(
                Mention(
                    id=self._own("Mention", index),
                    text=self.story.text[start:end],
                    start=start,
                    end=end,
                )
            )
            self.build.edge("REFERS_TO", mention, participant)
            for sentence in self.story.overlapped(start, end):
                self.build.edge("IN_SENTENCE", mention, sentence)

    def _outcome(self) -> None:
        record = self.record
        self._claim(
            ProcessSummary(
                id=self._own("ProcessSummary"),
                source="gold",
                item=self.item,
                text=record.process_summary,
                alternatives=record.all_process_summaries,
            )
        )
        self._claim(
            Endpoint(
                id=self._own("Endpoint"),
                source="gold",
                item=self.item,
                text=record.endpoint_description,
                alternatives=record.all_endpoint_descriptions,
                anchoring=_ANCHORING[record.endpoint_anchoring.id],
                anchoring_value=record.endpoint_anchoring.value,
            )
        )
        likert = record.participant_involvement.value
        self._claim(
            Involvement(
                id=self._own("Involvement"),
                source="gold",
                item=self.item,
                involved=likert >= 2,
                likert=likert,
            )
        )

    def _factors(self) -> None:
        texts = self.record.factors
        whole = self._claim(
            FactorSet(id=self._own("FactorSet"), source="gold", item=self.item, texts=texts)
        )
        for index, text in enumerate(texts):
            factor = self._claim(
                Factor(
                    id=self._own("Factor", index),
                    source="gold",
                    item=self.item,
                    index=index,
                    text=text,
                )
            )
            self.build.edge("HAS_FACTOR", whole, factor)
            for sentence in grounds(text, self.story):
                self.build.edge("GROUNDED_IN", factor, sentence)

    def _change(self) -> None:
        self._claim(
            Change(
                id=self._own("Change"),
                source="gold",
                item=self.item,
                text=self.record.change_summary,
            )
        )
        modes = self._claim(
            ChangeModeSet(
                id=self._own("ChangeModeSet"),
                source="gold",
                item=self.item,
                modes=self.record.change_modes,
            )
        )
        for name in self.record.change_modes:
            mode = self.build.node(ChangeMode(id=make_id(DATASET, "ChangeMode", name), name=name))
            self.build.edge("HAS_MODE", modes, mode)


def grounds(factor: str, story: StoryRefs) -> list[Ref]:
    """The sentences in which a factor's words stand verbatim, one after the other."""
    return [
        sentence for span in find_words(factor, story.text) for sentence in story.overlapped(*span)
    ]


class PoqueReader:
    """Reader of POQue (see `ingest.readers.Reader`)."""

    dataset = DATASET
    folder = "poque"
    layout = "poque/all_{train,valid,test}_data.jsonl"
    key_field = "uid"
    whole_files = False

    def files(self, root: Path) -> list[DataFile]:
        """The files of the splits that are there."""
        return split_files(self.folder, _SPLITS, root)

    def parse(self, row: Row, file: DataFile) -> Record:
        """Validates a line."""
        return validate(Record, row)

    def key(self, record: Record, file: DataFile) -> str:
        """The `uid`."""
        return str(record.uid)

    def to_graph(self, record: Record, file: DataFile) -> GraphBatch:
        """The nodes and edges of a line."""
        return to_graph(record, file.split)

    def rebuild(self, store: GraphStore, split: str, keys: Sequence[str]) -> dict[str, Row]:
        """Makes lines from the graph again."""
        rows: dict[str, Row] = {}
        for some in chunks(keys):
            params = {"ids": [unit_id(split, key) for key in some]}
            claims: dict[str, dict[str, dict[str, Any]]] = defaultdict(dict)
            for row in store.read(queries.gold_claims("ComplexEvent"), params):
                kind = next(name for name in row["claim"].labels if name != "Claim")
                claims[row["id"]][kind] = row["claim"].properties
            spans: dict[str, list[Span]] = defaultdict(list)
            for row in store.read(queries.POQUE_MENTIONS, params):
                spans[row["id"]].append((row["start"] + 1, row["end"] + 1))
            for unit in store.read(queries.POQUE_UNITS, params):
                rows[unit["key"]] = _row(unit, claims[unit["id"]], spans[unit["id"]])
        return rows


def _row(unit: Row, claims: dict[str, dict[str, Any]], spans: list[Span]) -> Row:
    text = f" {unit['text']}"
    summary, endpoint = claims["ProcessSummary"], claims["Endpoint"]
    likert = claims["Involvement"]["likert"]
    return {
        "uid": int(unit["key"]),
        "story_id": unit["story"],
        "story_version": unit["role"],
        "story_source": unit["origin"],
        "identified_participant": unit["name"],
        "original_story_text": tag_mentions(text, spans),
        "story_text": text,
        "process_summary": summary["text"],
        "all_process_summaries": summary["alternatives"],
        "endpoint_description": endpoint["text"],
        "all_endpoint_descriptions": endpoint["alternatives"],
        "change_summary": claims["Change"]["text"],
        "factors": claims["FactorSet"]["texts"],
        "endpoint_achoring": {
            "id": _ANCHORING_ID[endpoint["anchoring"]],
            "value": endpoint["anchoring_value"],
        },
        "participant_involvement": {"id": LIKERT[likert], "value": likert},
        "change_modes": claims["ChangeModeSet"]["modes"],
    }


READER = PoqueReader()
