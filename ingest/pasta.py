# SPDX-License-Identifier: Apache-2.0
"""PASTA: participant states and what if not (Ghosh et al., TACL 11, 2023, doi 10.1162/tacl_a_00600).

One JSON line is one annotation: a story S of five lines, a state that it implies, a counterfactual
of that state, and the story S' revised so that the counterfactual holds. U is the line's
`Contrast`; every claim is gold and `ABOUT` U.

| field | in the graph |
|---|---|
| `AssignmentId` | U's `key` |
| `Input.storyid`, `Input.Title`, `Input.line1..5` | `Story` S (the lines joined by a space) and its `Sentence`s; U `OF_STORY` |
| `Answer.assertion` | `State`, `HOLDS_IN` S, `CONTRADICTED_IN` S' |
| `Answer.mod_assertion` | `CounterfactualState`, `HOLDS_IN` S', `CONTRADICTED_IN` S, `COUNTERFACTUAL_TO` the state |
| `Answer.line1.on..line5.on` | `State` `JUSTIFIED_BY` the marked sentences of S |
| `Answer.mod_line1..5` | `Story` S' with key `AssignmentId/revised`, `REVISES` S; U `REVISED_AS`. Its sentences that differ `REPLACES` theirs and justify the counterfactual |

From these follow the gold answers of the paper's tasks (4.1 to 4.3), so that they can be asked for
like any other claim: `Inference` with item `AssignmentId/direction/query` (forward asks S, backward
S'; query `state` or `counterfactual`), `Revision` and `StateChange` with `AssignmentId/direction`.
`STATE_OF` leads to a participant that a rule found (`ingest.subject`), source `derived`.

Known oddities (val + te, 2267 lines): no field is empty and every line has a marked and a changed
sentence; two revised lines hold a carriage return; a changed line is a plain inequality of strings;
seven val lines repeat the story and the state of another line; typos are kept.
"""  # noqa: E501

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from pydantic import Field, model_validator

from graph import queries
from graph.batch import BatchBuilder, GraphBatch
from graph.ids import make_id
from graph.model import (
    Claim,
    Contrast,
    CounterfactualState,
    Inference,
    Mention,
    Participant,
    Ref,
    Revision,
    State,
    StateChange,
)
from graph.store import GraphStore
from ingest.fields import DataRecord, Key, Text, validate
from ingest.readers import DataFile, Row, chunks, split_files
from ingest.stories import StoryRefs, add_story, join_lines
from ingest.subject import find_subject

DATASET = "pasta"
_SPLITS = {"train": "tr_data.jsonl", "val": "val_data.jsonl", "te": "te_data.jsonl"}


class Record(DataRecord):
    """A line of PASTA."""

    assignment_id: Key = Field(alias="AssignmentId")
    """Key of the annotation."""
    title: Text = Field(alias="Input.Title")
    """Title of the story."""
    story_id: Key = Field(alias="Input.storyid")
    """Key of the story."""
    line1: Text = Field(alias="Input.line1")
    line2: Text = Field(alias="Input.line2")
    line3: Text = Field(alias="Input.line3")
    line4: Text = Field(alias="Input.line4")
    line5: Text = Field(alias="Input.line5")
    assertion: Text = Field(alias="Answer.assertion")
    """The state."""
    on1: bool = Field(alias="Answer.line1.on")
    on2: bool = Field(alias="Answer.line2.on")
    on3: bool = Field(alias="Answer.line3.on")
    on4: bool = Field(alias="Answer.line4.on")
    on5: bool = Field(alias="Answer.line5.on")
    mod_assertion: Text = Field(alias="Answer.mod_assertion")
    """The counterfactual state."""
    mod_line1: Text = Field(alias="Answer.mod_line1")
    mod_line2: Text = Field(alias="Answer.mod_line2")
    mod_line3: Text = Field(alias="Answer.mod_line3")
    mod_line4: Text = Field(alias="Answer.mod_line4")
    mod_line5: Text = Field(alias="Answer.mod_line5")

    @property
    def lines(self) -> tuple[str, ...]:
        """The story."""
        return (self.line1, self.line2, self.line3, self.line4, self.line5)

    @property
    def mod_lines(self) -> tuple[str, ...]:
        """The revised story."""
        return (self.mod_line1, self.mod_line2, self.mod_line3, self.mod_line4, self.mod_line5)

    @property
    def marked(self) -> tuple[int, ...]:
        """Positions of the sentences that justify the state."""
        on = (self.on1, self.on2, self.on3, self.on4, self.on5)
        return tuple(i for i, marked in enumerate(on) if marked)

    @property
    def changed(self) -> tuple[int, ...]:
        """Positions of the sentences that differ in the revised story."""
        pairs = zip(self.lines, self.mod_lines, strict=True)
        return tuple(i for i, (line, mod_line) in enumerate(pairs) if line != mod_line)

    @model_validator(mode="after")
    def _complete(self) -> Record:
        if not self.marked:
            raise ValueError("no line is marked as a justification")
        if not self.changed:
            raise ValueError("the revised story does not differ from the story")
        return self


class _Side(NamedTuple):
    """One of the two worlds: a story, the state that holds there, and what shows it."""

    direction: str
    """Direction of the tasks that start from here."""
    story: StoryRefs
    state: Ref
    text: str
    evidence: tuple[Ref, ...]


def unit_id(split: str, assignment_id: str) -> str:
    """Id of the contrast of a line."""
    return make_id(DATASET, "Contrast", split, assignment_id)


def to_graph(record: Record, split: str) -> GraphBatch:
    """The nodes and edges of a line.

    Args:
        record: the line.
        split: `train`, `val` or `te`.
    """
    return _Mapping(record, split).batch()


class _Mapping:
    """One record on its way into a batch."""

    def __init__(self, record: Record, split: str) -> None:
        self.record = record
        self.split = split
        self.item = record.assignment_id
        self.build = BatchBuilder()
        self.unit = self.build.node(
            Contrast(id=unit_id(split, self.item), dataset=DATASET, split=split, key=self.item)
        )

    def batch(self) -> GraphBatch:
        base, revised = self._stories()
        state = State(
            id=self._own("State"), source="gold", item=self.item, text=self.record.assertion
        )
        counterfactual = CounterfactualState(
            id=self._own("CounterfactualState"),
            source="gold",
            item=self.item,
            text=self.record.mod_assertion,
        )
        before = _Side(
            "forward",
            base,
            self._claim(state),
            state.text,
            tuple(base.sentences[i] for i in self.record.marked),
        )
        after = _Side(
            "backward",
            revised,
            self._claim(counterfactual),
            counterfactual.text,
            tuple(revised.sentences[i] for i in self.record.changed),
        )
        self.build.edge("COUNTERFACTUAL_TO", after.state, before.state)
        for side, other in ((before, after), (after, before)):
            self.build.edge("HOLDS_IN", side.state, side.story.ref)
            self.build.edge("CONTRADICTED_IN", side.state, other.story.ref)
            for sentence in side.evidence:
                self.build.edge("JUSTIFIED_BY", side.state, sentence)
            self._inferences(side, other)
            self._revision(side, other)
            self._state_change(side, other)
        self._participant(before.state, before.text, (base,))
        self._participant(after.state, after.text, (base, revised))
        return self.build.build()

    def _own(self, kind: str, *more: str) -> str:
        return make_id(DATASET, kind, self.split, self.item, *more)

    def _claim(self, claim: Claim) -> Ref:
        ref = self.build.node(claim)
        self.build.edge("ABOUT", ref, self.unit)
        return ref

    def _stories(self) -> tuple[StoryRefs, StoryRefs]:
        record = self.record
        base = add_story(
            self.build, DATASET, record.story_id, *join_lines(record.lines), title=record.title
        )
        revised = add_story(
            self.build, DATASET, f"{self.item}/revised", *join_lines(record.mod_lines)
        )
        self.build.edge("OF_STORY", self.unit, base.ref)
        self.build.edge("REVISED_AS", self.unit, revised.ref)
        self.build.edge("REVISES", revised.ref, base.ref)
        for i in record.changed:
            self.build.edge("REPLACES", revised.sentences[i], base.sentences[i])
        return base, revised

    def _inferences(self, side: _Side, other: _Side) -> None:
        for asked in (side, other):
            query = "state" if asked.direction == "forward" else "counterfactual"
            inference = self._claim(
                Inference(
                    id=self._own("Inference", side.direction, query),
                    source="gold",
                    item=f"{self.item}/{side.direction}/{query}",
                    holds=asked is side,
                )
            )
            self.build.edge("OF_STATE", inference, asked.state)
            self.build.edge("IN_STORY", inference, side.story.ref)
            for sentence in side.evidence:
                self.build.edge("EVIDENCED_BY", inference, sentence)

    def _revision(self, side: _Side, other: _Side) -> None:
        lines = tuple(other.story.text[start:end] for start, end in other.story.spans)
        revision = self._claim(
            Revision(
                id=self._own("Revision", side.direction),
                source="gold",
                item=f"{self.item}/{side.direction}",
                sentences=lines,
            )
        )
        self.build.edge("OF_STORY", revision, side.story.ref)
        self.build.edge("OF_STATE", revision, other.state)
        self.build.edge("REVISED_AS", revision, other.story.ref)

    def _state_change(self, side: _Side, other: _Side) -> None:
        change = self._claim(
            StateChange(
                id=self._own("StateChange", side.direction),
                source="gold",
                item=f"{self.item}/{side.direction}",
                states=(side.text, other.text),
            )
        )
        self.build.edge("FROM_STORY", change, side.story.ref)
        self.build.edge("TO_STORY", change, other.story.ref)
        self.build.edge("FROM_STATE", change, side.state)
        self.build.edge("TO_STATE", change, other.state)

    def _participant(self, state: Ref, text: str, stories: tuple[StoryRefs, ...]) -> None:
        """Links a state to its subject in the first of the stories that has it."""
        for story in stories:
            found = find_subject(text, story.text)
            if found is None:
                continue
            # Shared by all states of the story with this subject, however they write it.
            name = found.name.casefold()
            participant = self.build.node(
                Participant(
                    id=make_id(DATASET, "Participant", story.ref.id, name),
                    name=found.name,
                    source="derived",
                )
            )
            self.build.edge("IN_STORY", participant, story.ref)
            self.build.edge("STATE_OF", state, participant)
            for start, end in found.spans:
                mention = self.build.node(
                    Mention(
                        id=make_id(DATASET, "Mention", participant.id, start),
                        text=story.text[start:end],
                        start=start,
                        end=end,
                    )
                )
                self.build.edge("REFERS_TO", mention, participant)
                for sentence in story.overlapped(start, end):
                    self.build.edge("IN_SENTENCE", mention, sentence)
            return


class PastaReader:
    """Reader of PASTA (see `ingest.readers.Reader`)."""

    dataset = DATASET
    folder = "pasta"
    layout = "pasta/{tr,val,te}_data.jsonl"
    key_field = "AssignmentId"
    whole_files = False

    def files(self, root: Path) -> list[DataFile]:
        """The files of the splits that are there."""
        return split_files(self.folder, _SPLITS, root)

    def parse(self, row: Row, file: DataFile) -> Record:
        """Validates a line."""
        return validate(Record, row)

    def key(self, record: Record, file: DataFile) -> str:
        """The `AssignmentId`."""
        return record.assignment_id

    def to_graph(self, record: Record, file: DataFile) -> GraphBatch:
        """The nodes and edges of a line."""
        return to_graph(record, file.split)

    def rebuild(self, store: GraphStore, split: str, keys: Sequence[str]) -> dict[str, Row]:
        """Makes lines from the graph again."""
        rows: dict[str, Row] = {}
        for some in chunks(keys):
            params = {"ids": [unit_id(split, key) for key in some]}
            found: dict[str, Row] = defaultdict(dict)
            for row in store.read(queries.pasta_lines("OF_STORY"), params):
                found[row["id"]] |= {
                    "AssignmentId": row["key"],
                    "Input.storyid": row["story"],
                    "Input.Title": row["title"],
                    f"Input.line{row['index'] + 1}": row["text"],
                    f"Answer.line{row['index'] + 1}.on": False,
                }
            for row in store.read(queries.PASTA_JUSTIFIED, params):
                found[row["id"]][f"Answer.line{row['index'] + 1}.on"] = True
            for row in store.read(queries.pasta_lines("REVISED_AS"), params):
                found[row["id"]][f"Answer.mod_line{row['index'] + 1}"] = row["text"]
            for row in store.read(queries.gold_claims("Contrast"), params):
                if "State" in row["claim"].labels:
                    found[row["id"]]["Answer.assertion"] = row["claim"].properties["text"]
                elif "CounterfactualState" in row["claim"].labels:
                    found[row["id"]]["Answer.mod_assertion"] = row["claim"].properties["text"]
            rows |= {row["AssignmentId"]: row for row in found.values()}
        return rows


READER = PastaReader()
