# SPDX-License-Identifier: Apache-2.0
"""Choice-75: decision branching in scripts (Hou, Zhang and Callison-Burch, LREC-COLING 2024).

One JSON file is one goal in one format (`verb_phrase_manual`, `verb_phrase_machine` or
`user_profile`) and split: its script, one step with two options, and scenarios that decide.
B is the file's `Branch`, with key `format/split/index`.

| field | in the graph |
|---|---|
| `index`, `goal`, `steps` | `Goal` and its `Step`s, shared by the formats; B `OF_GOAL` |
| `curr_index`, `original_index` | B's `current_index`, `original_index` |
| `branching_info.branching_idx`, `.branching_step` | B's `step_index`, `text`; B `AT_STEP` |
| `branching_info.option 1`, `.option 2` | B `HAS_OPTION` {`number`} an `Option`, shared by formats that word it alike |
| `branching_info.type`, `.dataset` | B's `script_type`, `declared_split` |
| `branching_info.freeform_ra`, each `[text, label, level]` | `Scenario` with key `format/split/index#position`, `AT_BRANCH` B; gold `Decision` (`choice`, `level`) `ABOUT` it, `PREFERS` the option, or both for label 0 |

Known oddities (224 files): `original_index` is in 94 files; `branching_info.dataset` says `test` in
50 dev files, so the folder gives the split; in the three `dev/220.json` the branching step is not
the script's; one `na` scenario has the label 1 (user_profile/dev/82.json); `verb_phrase_manual/dev/41.json` words option 2
differently from the other formats; the ten machine train files repeat the manual ones; one scenario has
outer white space; the 83 goals and their steps are the same in every format.
"""  # noqa: E501

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, cast

from pydantic import Field, Strict, field_validator, model_validator

from graph import queries
from graph.batch import BatchBuilder, GraphBatch
from graph.errors import RecordError
from graph.ids import make_id
from graph.model import Branch, Decision, Goal, Option, Ref, Scenario, Step
from graph.store import GraphStore
from ingest.fields import DataRecord, Index, Text, Texts, validate
from ingest.readers import DataFile, Row, chunks

DATASET = "choice75"
FORMATS = ("verb_phrase_manual", "verb_phrase_machine", "user_profile")
SPLITS = ("train", "dev")

Label = Annotated[int, Field(ge=0, le=2)]  # a Literal would take `true` and 1.0 for 1
ScenarioRow = Annotated[
    tuple[Text, Label, Literal["easy", "medium", "hard", "na"]],
    Strict(False),
]
"""`[text, label, level]`; label 0 is either option."""


class BranchingInfo(DataRecord):
    """`branching_info` of a file."""

    branching_idx: Index
    """Position of the branching step."""
    branching_step: Text
    """Its words."""
    option1: Text = Field(alias="option 1")
    """One way of doing it."""
    option2: Text = Field(alias="option 2")
    """The other way."""
    type: str
    """Bookkeeping of the authors."""
    dataset: str
    """Split, wrong in 50 files."""
    freeform_ra: Annotated[tuple[ScenarioRow, ...], Strict(False)]
    """The scenarios."""


class Record(DataRecord):
    """A file of Choice-75."""

    index: Index
    """Number of the goal, and name of the file."""
    goal: Text
    """The goal."""
    steps: Annotated[Texts, Field(min_length=1)]
    """Its script."""
    curr_index: Index
    """Bookkeeping of the authors."""
    original_index: Index | None = None
    """The same; not in every file."""
    branching_info: BranchingInfo
    """The step that branches."""

    @field_validator("original_index", mode="before")
    @classmethod
    def _absent_or_number(cls, value: Any) -> Any:
        if value is None:
            raise ValueError("must be a whole number, or absent")
        return value

    @model_validator(mode="after")
    def _in_script(self) -> Record:
        if self.branching_info.branching_idx >= len(self.steps):
            raise ValueError("branching_idx lies behind the last step")
        return self


def unit_id(key: str) -> str:
    """Id of the branch of a file; its key is `format/split/index`."""
    return make_id(DATASET, "Branch", key)


def to_graph(record: Record, split: str, format: str) -> GraphBatch:
    """The nodes and edges of a file.

    Args:
        record: the file.
        split: `train` or `dev`: the folder that it lies in.
        format: the folder above that.
    """
    info = record.branching_info
    key = f"{format}/{split}/{record.index}"
    build = BatchBuilder()
    goal, steps = _add_goal(build, record)
    branch = build.node(
        Branch(
            id=unit_id(key),
            dataset=DATASET,
            split=split,
            format=format,
            key=key,
            text=info.branching_step,
            step_index=info.branching_idx,
            script_type=info.type,
            declared_split=info.dataset,
            current_index=record.curr_index,
            original_index=record.original_index,
        )
    )
    build.edge("OF_GOAL", branch, goal)
    build.edge("AT_STEP", branch, steps[info.branching_idx])
    options: list[Ref] = []
    for number, text in ((1, info.option1), (2, info.option2)):
        option = build.node(Option(id=make_id(DATASET, "Option", goal.id, number, text), text=text))
        build.edge("HAS_OPTION", branch, option, number=number)
        options.append(option)
    for position, (text, label, level) in enumerate(info.freeform_ra):
        name = f"{key}#{position}"
        scenario = build.node(
            Scenario(
                id=make_id(DATASET, "Scenario", name),
                dataset=DATASET,
                split=split,
                key=name,
                position=position,
                text=text,
            )
        )
        decision = build.node(
            Decision(
                id=make_id(DATASET, "Decision", name),
                source="gold",
                item=name,
                choice=cast("Literal[0, 1, 2]", label),
                level=level,
            )
        )
        build.edge("AT_BRANCH", scenario, branch)
        build.edge("ABOUT", decision, scenario)
        for option in options if label == 0 else [options[label - 1]]:
            build.edge("PREFERS", decision, option)
    return build.build()


def _add_goal(build: BatchBuilder, record: Record) -> tuple[Ref, list[Ref]]:
    # The id holds all that the goal says, so that a differing file cannot change another's goal.
    goal_id = make_id(DATASET, "Goal", record.index, record.goal, *record.steps)
    goal = build.node(Goal(id=goal_id, dataset=DATASET, key=str(record.index), text=record.goal))
    steps: list[Ref] = []
    for index, text in enumerate(record.steps):
        step = build.node(Step(id=make_id(DATASET, "Step", goal_id, index), index=index, text=text))
        build.edge("HAS_STEP", goal, step)
        if steps:
            build.edge("NEXT_STEP", steps[-1], step)
        steps.append(step)
    return goal, steps


class Choice75Reader:
    """Reader of Choice-75 (see `ingest.readers.Reader`)."""

    dataset = DATASET
    folder = "choice-75"
    layout = "choice-75/{verb_phrase_manual,verb_phrase_machine,user_profile}/{train,dev}/*.json"
    key_field = "index"
    whole_files = True

    def files(self, root: Path) -> list[DataFile]:
        """All files, by split, format and number."""
        return [
            DataFile(
                f"{self.folder}/{format}/{split}/{path.name}", path, split, f"{format}/{split}"
            )
            for split in SPLITS
            for format in FORMATS
            for path in sorted(
                (root / self.folder / format / split).glob("*.json"),
                key=lambda path: (len(path.stem), path.stem),
            )
        ]

    def parse(self, row: Row, file: DataFile) -> Record:
        """Validates a file."""
        record = validate(Record, row)
        if file.path.stem != str(record.index):
            raise RecordError("is not the file's name", field="index")
        return record

    def key(self, record: Record, file: DataFile) -> str:
        """`format/split/index`."""
        return f"{file.group}/{record.index}"

    def to_graph(self, record: Record, file: DataFile) -> GraphBatch:
        """The nodes and edges of a file."""
        format, _, split = file.group.partition("/")
        return to_graph(record, split, format)

    def rebuild(self, store: GraphStore, split: str, keys: Sequence[str]) -> dict[str, Row]:
        """Makes files from the graph again."""
        rows: dict[str, Row] = {}
        for some in chunks(keys):
            params = {"ids": [unit_id(key) for key in some]}
            branches = store.read(queries.CHOICE_BRANCHES, params)
            goals = {"ids": sorted({branch["goal_id"] for branch in branches})}
            steps: dict[str, dict[int, str]] = defaultdict(dict)
            for row in store.read(queries.CHOICE_STEPS, goals):
                steps[row["id"]][row["index"]] = row["text"]
            options: dict[str, dict[int, str]] = defaultdict(dict)
            for row in store.read(queries.CHOICE_OPTIONS, params):
                options[row["id"]][row["number"]] = row["text"]
            scenarios: dict[str, dict[int, list[Any]]] = defaultdict(dict)
            for row in store.read(queries.CHOICE_SCENARIOS, params):
                found = [row["text"], row["choice"], row["level"]]
                scenarios[row["id"]][row["position"]] = found
            for branch in branches:
                properties = branch["branch"].properties
                rows[properties["key"]] = _row(
                    branch,
                    _in_order(steps[branch["goal_id"]]),
                    options[properties["id"]],
                    _in_order(scenarios[properties["id"]]),
                )
        return rows


def _in_order(parts: dict[int, Any]) -> list[Any]:
    return [parts[index] for index in sorted(parts)]


def _row(branch: Row, steps: list[str], options: dict[int, str], scenarios: list[Any]) -> Row:
    properties = branch["branch"].properties
    row: Row = {
        "goal": branch["goal"],
        "steps": steps,
        "index": int(branch["key"]),
        "curr_index": properties["current_index"],
        "branching_info": {
            "branching_idx": properties["step_index"],
            "branching_step": properties["text"],
            "option 1": options[1],
            "option 2": options[2],
            "type": properties["script_type"],
            "dataset": properties["declared_split"],
            "freeform_ra": scenarios,
        },
    }
    if properties.get("original_index") is not None:
        row["original_index"] = properties["original_index"]
    return row


READER = Choice75Reader()
