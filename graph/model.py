# SPDX-License-Identifier: Apache-2.0
"""The nodes and edges of the story graph: the one place where labels and properties are declared.

`graph.schema` renders these declarations for each engine, and `docs/data-model.md` draws them.
A node class is a label; a class that derives from another carries both labels (every conclusion
is a `Claim`). A property is a field: `str`, `int`, `float`, `bool` or a tuple of `str`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict

Source = Literal["gold", "predicted", "derived", "asserted"]
"""Who concluded: annotators, a reasoner's run, a computation from other claims, or a user."""


class Ref(NamedTuple):
    """Names a node: enough to find it through an index."""

    label: str
    id: str


class Node(BaseModel):
    """A node. Its id is deterministic (see `graph.ids.make_id`)."""

    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")

    indexed: ClassVar[tuple[str, ...]] = ()
    """Properties with an index of their own, besides the key `id`."""
    full_text: ClassVar[tuple[str, ...]] = ()
    """Properties with a full-text index named `<label>_<property>` in lower case."""
    abstract: ClassVar[bool] = False
    """True for labels that only exist together with a more special one."""

    id: str
    """Key, unique in the graph."""

    @property
    def ref(self) -> Ref:
        """The node's most special label and its id."""
        return Ref(type(self).__name__, self.id)


# --- stories ---------------------------------------------------------------------------------


class Story(Node):
    """A told story, or a revision of one (then it `REVISES` the other)."""

    indexed = ("key",)
    full_text = ("text",)

    dataset: str
    """Data set that it came from, or `text` for a user's own."""
    key: str
    """The data set's own key of the story."""
    text: str
    """Full text; all character offsets count in it."""
    title: str | None = None
    """Title, where the data set has one."""
    origin: str | None = None
    """Collection that the data set took it from (`ROC`, `ESTER`, ...)."""


class Sentence(Node):
    """A sentence of a story, in telling order along `NEXT`."""

    full_text = ("text",)

    index: int
    """Position in its story, from 0."""
    text: str
    """The sentence, equal to the story's text from `start` to `end`."""
    start: int
    """Offset of the first character in the story's text."""
    end: int
    """Offset after the last character."""


class Participant(Node):
    """Somebody or something that takes part in a story: a coreference cluster."""

    indexed = ("name",)

    name: str
    """How the data set, or the clearest mention, calls it."""
    source: Source
    """`gold` where annotators named it, `derived` where a rule found it."""
    animate: bool | None = None
    """Whether it is a living being, where known."""


class Mention(Node):
    """A span of story text that refers to a participant."""

    text: str
    """The words, equal to the story's text from `start` to `end`."""
    start: int
    """Offset of the first character in the story's text."""
    end: int
    """Offset after the last character."""


class Event(Node):
    """Something that happens in a sentence; its arguments are edges with roles."""

    indexed = ("predicate",)

    predicate: str
    """Lemma of the word that expresses the event."""
    text: str
    """The words, equal to the story's text from `start` to `end`."""
    start: int
    """Offset of the first character in the story's text."""
    end: int
    """Offset after the last character."""
    index: int
    """Order in the telling, from 0."""
    polarity: Literal["positive", "negative"] = "positive"
    """Whether it is said to happen or not to happen."""
    modality: Literal["realis", "hypothetical"] = "realis"
    """Whether it is told as real."""


# --- the units that annotators answered questions about ----------------------------------------


class ComplexEvent(Node):
    """POQue's unit: a story seen through one participant in one role (section 3)."""

    indexed = ("key", "split")

    dataset: str
    """Data set that it came from."""
    split: str
    """`train`, `valid` or `test`."""
    key: str
    """POQue's `uid`."""
    role: Literal["agent", "patient"]
    """Whether the view asks what the participant caused or what it experienced."""


class Contrast(Node):
    """PASTA's unit: a story, a state, its counterfactual and the revised story (section 3)."""

    indexed = ("key", "split")

    dataset: str
    """Data set that it came from."""
    split: str
    """`train`, `val` or `te`."""
    key: str
    """PASTA's `AssignmentId`."""


class Goal(Node):
    """What somebody wants to get done: Choice-75's goal of a script."""

    dataset: str
    """Data set that it came from."""
    key: str
    """Choice-75's index of the goal."""
    text: str
    """The goal as a verb phrase."""


class Step(Node):
    """A step of a goal's script, in order along `NEXT_STEP`."""

    index: int
    """Position in the script, from 0."""
    text: str
    """The step as a verb phrase."""


class Branch(Node):
    """A step that can be done in two ways; scenarios decide between its options."""

    indexed = ("key", "split")

    dataset: str
    """Data set that it came from."""
    split: str
    """`train` or `dev` (the paper's test split)."""
    format: str
    """`verb_phrase_manual`, `verb_phrase_machine` or `user_profile`."""
    key: str
    """`format/split/index` of the file."""
    text: str
    """The branching step as the data set words it; it can differ from the script's step."""
    step_index: int
    """Position of the branching step in the script, from 0."""
    script_type: str | None = None
    """The file's `branching_info.type`."""
    declared_split: str | None = None
    """The file's `branching_info.dataset`; wrong in 50 dev files, so `split` is the folder's."""
    current_index: int | None = None
    """The file's `curr_index`."""
    original_index: int | None = None
    """The file's `original_index`, where it has one."""


class Option(Node):
    """One of the two ways of a branch."""

    text: str
    """The option as a verb phrase."""


class Scenario(Node):
    """A circumstance under which a branch is decided."""

    indexed = ("key", "split")

    dataset: str
    """Data set that it came from."""
    split: str
    """`train` or `dev`."""
    key: str
    """`format/split/file#position`."""
    position: int
    """Position in its file, from 0."""
    text: str
    """A verb phrase, or a user profile of several lines."""


# --- claims ----------------------------------------------------------------------------------


class Claim(Node):
    """Everything that somebody or something concluded: never overwritten, always with a source."""

    abstract = True

    source: Source
    """Who concluded it."""
    item: str
    """The item of the task that it answers: a unit's key, and what within it is asked."""
    confidence: float | None = None
    """From 0 to 1, where the producer gives one."""


class ProcessSummary(Claim):
    """What the complex event is about, as an abstract phrase (POQue 3.1)."""

    text: str
    """The summary."""
    alternatives: tuple[str, ...] | None = None
    """All annotators' summaries of the story (`all_process_summaries`)."""


class Endpoint(Claim):
    """How the complex event ends (POQue 3.1)."""

    text: str
    """The endpoint."""
    alternatives: tuple[str, ...] | None = None
    """All annotators' endpoints of the story (`all_endpoint_descriptions`)."""
    anchoring: Literal["stated", "implied", "unsure"] | None = None
    """Whether the story states or implies it."""
    anchoring_value: int | None = None
    """POQue's `endpoint_achoring.value`, which is 0 in some lines that say Neither."""


class FactorSet(Claim):
    """The salient events that lead to an endpoint (POQue 3.1), in the annotator's order."""

    texts: tuple[str, ...]
    """The factors; each is a `Factor` node too."""


class Factor(Claim):
    """One salient event, as a phrase, grounded in sentences or events of the story."""

    index: int
    """Position in its set, from 0."""
    text: str
    """The phrase."""


class Change(Claim):
    """What changed for participants because of the endpoint (POQue 3.1)."""

    text: str
    """The summary; empty means no changes."""


class ChangeModeSet(Claim):
    """In which ways the participant changed (POQue 3.1)."""

    modes: tuple[str, ...]
    """Names of the modes, in the order of the annotation; empty means no changes."""


class Involvement(Claim):
    """How likely the participant caused (agent) or experienced (patient) it (POQue 3.1)."""

    involved: bool
    """The binary reading: all but the two unlikely values (POQue 6.7)."""
    likert: int | None = None
    """0 very unlikely .. 4 very likely."""


class State(Claim):
    """A state of a participant that the story implies and does not state (PASTA 3)."""

    full_text = ("text",)

    text: str
    """The sentence that expresses it."""
    category: Literal["societal", "emotional", "physical"] | None = None
    """Kind of state (PASTA, appendix), where known."""


class CounterfactualState(Claim):
    """A state that contradicts one of the story, and holds in a revised one (PASTA 3)."""

    full_text = ("text",)

    text: str
    """The sentence that expresses it."""
    category: Literal["societal", "emotional", "physical"] | None = None
    """Kind of state (PASTA, appendix), where known."""


class Inference(Claim):
    """Whether a state can be inferred from a story (PASTA 4.1)."""

    holds: bool
    """True if a typical reader would conclude the state."""


class Revision(Claim):
    """A story revised so that a counterfactual state holds (PASTA 4.2)."""

    sentences: tuple[str, ...]
    """The revised story's sentences, or its whole text as one where they are not told apart."""


class StateChange(Claim):
    """Which states explain the difference of two stories (PASTA 4.3)."""

    states: tuple[str, ...]
    """The state of the first story and that of the second."""


class Decision(Claim):
    """Which option a scenario calls for (Choice-75, section 2)."""

    choice: Literal[0, 1, 2]
    """1 or 2 for that option, 0 for either."""
    level: str | None = None
    """Difficulty as annotated: `easy`, `medium`, `hard`, or `na` for either."""


class ChangeMode(Node):
    """One of the ways in which a participant can change; a fixed vocabulary."""

    name: str
    """Existence, Feeling, Location, Possession or Other_Way."""


# --- provenance ------------------------------------------------------------------------------


class Run(Node):
    """One reasoner answering one task on one split: what `PRODUCED` predictions."""

    indexed = ("task",)

    task: str
    """Task id with its input form, such as `poque.endpoint/story`."""
    reasoner: str
    """Name of the reasoner."""
    split: str
    """Split of the items."""
    setting: Literal["oracle", "pipeline"]
    """Whether inputs are annotated (as in the papers) or predicted."""
    seed: int
    """Seed of everything random in it."""
    settings: str
    """All other settings, as JSON with sorted keys."""
    version: str
    """Version of Fabula."""
    trained_on: str | None = None
    """What the reasoner was trained or counted on, None for nothing."""
    started: str | None = None
    """When it was started, UTC, ISO 8601."""


class Reasoner(Node):
    """A named way of answering tasks."""

    name: str
    """Its name in the registry."""
    version: str
    """Version of its code."""


class Model(Node):
    """Weights that a reasoner loads."""

    name: str
    """Hub id or file name."""
    revision: str | None = None
    """Revision at the hub, where there is one."""
    sha256: str | None = None
    """Hash of the weights."""


class Record(Node):
    """A row of a data file that is in the graph: what makes ingest resumable."""

    dataset: str
    """Data set of the file."""
    file: str
    """Path below the data folder."""
    line: int
    """Line in the file, from 1 (1 for a file that is one record)."""
    hash: str
    """Hash of the row's content and of the mapping's version."""
    nodes: tuple[str, ...]
    """`Label:id` of every node that the row gave."""


class Meta(Node):
    """The graph's own description; one node with id `schema`."""

    schema_version: int
    """Version of the schema that the graph was made with."""
    created_by: str
    """Version of Fabula that made it."""


NODES: tuple[type[Node], ...] = (
    Story,
    Sentence,
    Participant,
    Mention,
    Event,
    ComplexEvent,
    Contrast,
    Goal,
    Step,
    Branch,
    Option,
    Scenario,
    Claim,
    ProcessSummary,
    Endpoint,
    FactorSet,
    Factor,
    Change,
    ChangeModeSet,
    Involvement,
    State,
    CounterfactualState,
    Inference,
    Revision,
    StateChange,
    Decision,
    ChangeMode,
    Run,
    Reasoner,
    Model,
    Record,
    Meta,
)
"""Every label, parents before children."""


# --- edges -----------------------------------------------------------------------------------

_STATES = ("State", "CounterfactualState")
_UNITS = ("ComplexEvent", "Contrast", "Scenario")


@dataclass(frozen=True)
class EdgeType:
    """An edge type: which labels it joins, and its properties (all `str` or `int`)."""

    name: str
    """Name, in upper case."""
    sources: tuple[str, ...]
    """Labels that it may start from; a parent label stands for its children."""
    targets: tuple[str, ...]
    """Labels that it may lead to."""
    meaning: str
    """One line for the documentation."""
    properties: tuple[str, ...] = ()
    """Names of its properties."""
    look_from: Literal["source", "target"] = "source"
    """The end that has few edges of this type: where to look whether an edge exists."""
    owner: Literal["source", "target"] | None = None
    """The end that the other one belongs to: deleted, exported and moved together with it."""
    numbers: tuple[str, ...] = ()
    """Those of its properties that are `int`."""


EDGES: tuple[EdgeType, ...] = (
    EdgeType(
        "HAS_SENTENCE",
        ("Story",),
        ("Sentence",),
        "the story is told in the sentence",
        owner="source",
    ),
    EdgeType("NEXT", ("Sentence",), ("Sentence",), "is told before"),
    EdgeType("REVISES", ("Story",), ("Story",), "is a revision of the other story", owner="target"),
    EdgeType("REPLACES", ("Sentence",), ("Sentence",), "stands where the other one stood"),
    EdgeType(
        "IN_STORY", ("Participant", "Inference"), ("Story",), "belongs to the story", owner="target"
    ),
    EdgeType(
        "REFERS_TO", ("Mention",), ("Participant",), "refers to the participant", owner="target"
    ),
    EdgeType(
        "IN_SENTENCE", ("Mention", "Event"), ("Sentence",), "lies in the sentence", owner="target"
    ),
    EdgeType(
        "HAS_ARGUMENT", ("Event",), ("Participant",), "takes part in the role given", ("role",)
    ),
    EdgeType(
        "OF_STORY",
        ("ComplexEvent", "Contrast", "Revision"),
        ("Story",),
        "concerns the story",
        owner="target",
    ),
    EdgeType("REVISED_AS", ("Contrast", "Revision"), ("Story",), "leads to the revised story"),
    EdgeType("HAS_PARTICIPANT", ("ComplexEvent",), ("Participant",), "is seen through"),
    EdgeType("ABOUT", ("Claim",), _UNITS, "concludes about the unit", owner="target"),
    EdgeType("HAS_FACTOR", ("FactorSet",), ("Factor",), "contains the factor", owner="source"),
    EdgeType("GROUNDED_IN", ("Factor",), ("Sentence", "Event"), "is found there in the story"),
    EdgeType("HAS_MODE", ("ChangeModeSet",), ("ChangeMode",), "contains the mode"),
    EdgeType(
        "STATE_OF", _STATES, ("Participant",), "is a state of the participant", owner="target"
    ),
    EdgeType("JUSTIFIED_BY", _STATES, ("Sentence",), "can be inferred from the sentence"),
    EdgeType("COUNTERFACTUAL_TO", ("CounterfactualState",), ("State",), "contradicts the state"),
    EdgeType("HOLDS_IN", _STATES, ("Story",), "can be inferred from the story"),
    EdgeType("CONTRADICTED_IN", _STATES, ("Story",), "cannot hold in the story"),
    EdgeType("OF_STATE", ("Inference", "Revision"), _STATES, "asks for the state"),
    EdgeType("EVIDENCED_BY", ("Claim",), ("Sentence",), "rests on the sentence"),
    EdgeType("FROM_STORY", ("StateChange",), ("Story",), "explains the change from"),
    EdgeType("TO_STORY", ("StateChange",), ("Story",), "explains the change to"),
    EdgeType("FROM_STATE", ("StateChange",), _STATES, "names the state before"),
    EdgeType("TO_STATE", ("StateChange",), _STATES, "names the state after"),
    EdgeType("HAS_STEP", ("Goal",), ("Step",), "is reached by the step", owner="source"),
    EdgeType("NEXT_STEP", ("Step",), ("Step",), "comes before"),
    EdgeType("OF_GOAL", ("Branch",), ("Goal",), "belongs to the goal", owner="target"),
    EdgeType("AT_STEP", ("Branch",), ("Step",), "branches at the step"),
    EdgeType(
        "HAS_OPTION",
        ("Branch",),
        ("Option",),
        "can be done as the option",
        ("number",),
        owner="source",
        numbers=("number",),
    ),
    EdgeType("AT_BRANCH", ("Scenario",), ("Branch",), "is a circumstance of", owner="target"),
    EdgeType("PREFERS", ("Decision",), ("Option",), "calls for the option"),
    EdgeType(
        "PRODUCED", ("Run",), ("Claim",), "concluded the claim", look_from="target", owner="source"
    ),
    EdgeType("MADE_BY", ("Run",), ("Reasoner",), "was made by"),
    EdgeType("LOADS", ("Reasoner",), ("Model",), "uses the weights"),
)
"""Every edge type."""
