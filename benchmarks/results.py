# SPDX-License-Identifier: Apache-2.0
"""The schema of `results.json`: what a benchmark run found, on what, and how it was asked.

    Results
    ├── config, environment, notices
    ├── data.<data set>            DataSource
    └── tasks.<task id>            TaskResult
        ├── published              list of Published
        └── systems.<name>         SystemResult
            ├── metrics.<metric>                         MetricValue
            └── breakdowns.<dimension>.<value>.<metric>  MetricValue

Identical runs write identical files but for the paths in `VOLATILE`.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    JsonValue,
    NonNegativeFloat,
    NonNegativeInt,
    ValidationError,
    model_validator,
)

from benchmarks.published import Published
from graph.errors import DataError, RunError

SCHEMA_VERSION = 1
"""Raised when a reader of older files would be misled."""

VOLATILE: tuple[tuple[str, ...], ...] = (
    ("config", "graph"),
    ("environment",),
    ("tasks", "*", "systems", "*", "seconds"),
)
"""Paths that may differ between identical runs; `*` stands for every key."""

Kind = Literal["baseline", "model", "outputs"]
"""A trivial rule, a reasoner with parameters, or answers read from a file."""

# The last bits of a sum depend on the machine; six decimals do not.
Number = Annotated[FiniteFloat, AfterValidator(lambda number: round(number, 6))]


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class MetricValue(_Model):
    """A metric over a set of items; `model_validate` also takes a `reasoners.metrics.Figure`."""

    model_config = ConfigDict(frozen=True, extra="forbid", from_attributes=True)

    value: Number
    """The metric, in the unit that `METRICS` says."""
    low: Number
    """Lower end of the bootstrap interval."""
    high: Number
    """Upper end of the bootstrap interval."""
    n: NonNegativeInt
    """What the figure counts: items, pairs, non-empty items, sentences."""
    variant: str
    """The exact variant in words."""

    @model_validator(mode="after")
    def _interval(self) -> MetricValue:
        if self.low > self.high:
            raise ValueError(f"the interval [{self.low}, {self.high}] ends before it begins")
        return self


class SystemResult(_Model):
    """How one system did in one task."""

    kind: Kind
    """`baseline`, `model` or `outputs`."""
    description: str
    """One line on what it does."""
    trained_on: str | None = None
    """What it was trained on, in words; None for a system that was not trained."""
    coverage: Annotated[Number, Field(ge=0, le=100)] = 100.0
    """Percent of items with an answer; the others count with the worst score."""
    failed: tuple[str, ...] = ()
    """Ids of the items without an answer."""
    seconds: NonNegativeFloat | None = None
    """Time to answer, volatile; None where the answers were not made by this run."""
    metrics: dict[str, MetricValue]
    """Each metric over all items."""
    breakdowns: dict[str, dict[str, dict[str, MetricValue]]] = Field(default_factory=dict)
    """Dimension (`role`, `source`, `level`, ...), its value, metric."""


class TaskResult(_Model):
    """One task in one input form."""

    title: str
    """For people."""
    dataset: str
    """Whose annotations are scored."""
    split: str
    """Split that is scored."""
    n: NonNegativeInt
    """Items scored."""
    primary_metric: str
    """Metric that systems are ranked by."""
    inputs: str
    """One line on what a system is given."""
    systems: dict[str, SystemResult]
    """By the systems' names."""
    reference: dict[str, MetricValue] = Field(default_factory=dict)
    """Metrics of the gold answers themselves that need nothing to compare with (length, ...)."""
    published: tuple[Published, ...] = ()
    """Figures of the paper."""


class DataSource(_Model):
    """Where a data set came from, and what exactly was read."""

    kind: Literal["given", "downloaded", "sample", "graph"]
    """A folder that the user named, a download, the bundled sample, or what the graph held."""
    counts: dict[str, NonNegativeInt]
    """Records of each split."""
    sha256: dict[str, str]
    """Checksum of each file read, by its path inside the data set."""


class Environment(_Model):
    """Where and when it ran; all of it is volatile."""

    host: str
    """Name of the machine."""
    platform: str
    """Operating system and processor."""
    python: str
    """Version of Python."""
    packages: dict[str, str]
    """Versions of the packages that figures depend on."""
    started: AwareDatetime
    """Start, with time zone."""
    finished: AwareDatetime
    """End, with time zone."""
    seconds: NonNegativeFloat
    """Time between the two."""


class Results(_Model):
    """The content of `results.json`."""

    schema_version: Literal[1] = 1
    """Version of this schema."""
    fabula_version: str
    """Version of the code."""
    config: dict[str, JsonValue]
    """What was asked: tasks, reasoners, splits, limit, seed, setting, kind of graph."""
    environment: Environment
    """Where and when, volatile."""
    data: dict[str, DataSource]
    """By data set."""
    notices: tuple[str, ...] = ()
    """What a reader must know first, such as that only a sample was scored."""
    tasks: dict[str, TaskResult]
    """By task id with its input form."""


def json_schema() -> dict[str, Any]:
    """The JSON Schema of `results.json` (draft 2020-12)."""
    schema = Results.model_json_schema(mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}


def read(path: Path | str) -> Results:
    """Reads `results.json`.

    Raises:
        DataError: it is missing, no results, or of another schema version.
    """
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise DataError(f"results cannot be read from {path}: {error}") from error
    found = content.get("schema_version") if isinstance(content, dict) else None
    if found != SCHEMA_VERSION:
        raise DataError(
            f"{path} has schema version {found!r} and this code reads {SCHEMA_VERSION}; "
            "run the benchmarks again or read it with the version that wrote it"
        )
    try:
        return Results.model_validate_json(json.dumps(content))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise DataError(
            f"{path} is no results file: {place}: {first['msg']} ({error.error_count()} "
            "problems); docs/results.md describes the schema"
        ) from error


def write(results: Results, path: Path | str) -> None:
    """Writes `results.json`, whole or not at all.

    Raises:
        RunError: it cannot be written.
    """
    content = results.model_dump(mode="json")
    write_text(Path(path), json.dumps(content, ensure_ascii=False, indent=1) + "\n")


def write_text(path: Path, text: str) -> None:
    """Replaces a file by a text in one step, making its folder if there is none.

    Raises:
        RunError: it cannot be written; the old file is as it was.
    """
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(
            "w", encoding="utf-8", dir=path.parent, prefix=f".{path.name}.", delete=False
        ) as file:
            temporary = Path(file.name)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        # A temporary file is for its owner alone; results are as readable as any other file.
        temporary.chmod(0o644)
        temporary.replace(path)
    except (OSError, UnicodeError) as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        raise RunError(
            f"{path} cannot be written: {error}; choose another folder or make room"
        ) from error


def stable(results: Results) -> dict[str, Any]:
    """The results as JSON values without the paths in `VOLATILE`: equal for identical runs."""
    content = results.model_dump(mode="json")
    for path in VOLATILE:
        _remove(content, path)
    return content


def _remove(content: dict[str, Any], path: tuple[str, ...]) -> None:
    first, *rest = path
    for key in list(content) if first == "*" else [first]:
        if rest:
            _remove(content[key], tuple(rest))
        else:
            content.pop(key, None)


# --- metrics -----------------------------------------------------------------------------------


class MetricInfo(NamedTuple):
    """What a metric is."""

    title: str
    """For people."""
    unit: str
    """`percent` for 0..100; otherwise what is counted, or the scale."""
    higher_is_better: bool | None
    """None where neither direction is better."""
    meaning: str
    """One sentence."""


def metric_info(name: str) -> MetricInfo:
    """The entry of `METRICS`; a task from elsewhere may bring metrics that are not in it."""
    return METRICS.get(name) or MetricInfo(name, "percent", True, "a metric of another package")


_P = "percent"
_SCALE = "1 to 5"

METRICS: Mapping[str, MetricInfo] = {
    "accuracy": MetricInfo(
        "Accuracy", _P, True, "Share of items answered right; no answer is wrong."
    ),
    "contrastive_accuracy": MetricInfo(
        "Contrastive accuracy", _P, True, "Share of stories whose two query states are both right."
    ),
    "accuracy_binary": MetricInfo(
        "Accuracy, binary", _P, True, "Accuracy on the scenarios that are not labelled either."
    ),
    "macro_f1": MetricInfo(
        "Macro F1", _P, True, "Mean over classes, or over labels' presence, of F1."
    ),
    "macro_f1_two_class": MetricInfo(
        "Macro F1, two-class", _P, True, "Mean over labels of F1 of presence and of absence."
    ),
    "subset_accuracy": MetricInfo(
        "Subset accuracy", _P, True, "Share of items with exactly the gold set of labels."
    ),
    "hamming": MetricInfo(
        "Hamming score", _P, True, "Mean of |Y and Z| / |Y or Z|; 1 if both sets are empty."
    ),
    "calibration_error": MetricInfo(
        "Calibration error", _P, False, "Expected gap between confidence and accuracy."
    ),
    "rouge_1": MetricInfo("ROUGE-1", _P, True, "F of common words, mean over items."),
    "rouge_2": MetricInfo("ROUGE-2", _P, True, "F of common word pairs, mean over items."),
    "rouge_l": MetricInfo(
        "ROUGE-L", _P, True, "F of the longest common subsequence, mean over items."
    ),
    "rouge_lsum": MetricInfo(
        "ROUGE-Lsum", _P, True, "ROUGE-L by lines; equals ROUGE-L on texts without line breaks."
    ),
    "bleu": MetricInfo("BLEU", _P, True, "Corpus BLEU (sacrebleu)."),
    "sentence_bleu": MetricInfo("Sentence BLEU", _P, True, "Mean of the items' BLEU (sacrebleu)."),
    "gleu": MetricInfo("GLEU", _P, True, "Corpus GLEU, 1 to 4-grams."),
    "meteor": MetricInfo("METEOR", _P, True, "Matches of words, stems and synonyms, in order."),
    "bertscore_f1": MetricInfo(
        "BERTScore F1", _P, True, "Similarity of contextual embeddings; the variant names them."
    ),
    "empty_f1": MetricInfo("Empty F1", _P, True, "F1 of answering that nothing changes."),
    "rouge_l_nonempty": MetricInfo(
        "ROUGE-L, non-empty", _P, True, "ROUGE-L on the items whose reference is not empty."
    ),
    "rouge_l_nonempty_no_template": MetricInfo(
        "ROUGE-L, non-empty, no template",
        _P,
        True,
        "The same without the participant's name, `changed` and `'s` on both sides.",
    ),
    "rouge_l_empty_as_text": MetricInfo(
        "ROUGE-L, empty as text", _P, True, "ROUGE-L with `no changes` written for empty texts."
    ),
    "changed_sentence_precision": MetricInfo(
        "Changed sentences: precision", _P, True, "Share of revised sentences that gold revises."
    ),
    "changed_sentence_recall": MetricInfo(
        "Changed sentences: recall", _P, True, "Share of gold's revised sentences that are revised."
    ),
    "changed_sentence_f1": MetricInfo(
        "Changed sentences: F1", _P, True, "F1 of which sentences are revised, pooled."
    ),
    "changed_sentence_f1_mean": MetricInfo(
        "Changed sentences: F1 by item", _P, True, "The same, mean over items."
    ),
    "changed_sentence_gleu": MetricInfo(
        "Changed sentences: GLEU", _P, True, "GLEU of the sentences that gold revises."
    ),
    "changed_sentence_rouge_l": MetricInfo(
        "Changed sentences: ROUGE-L", _P, True, "ROUGE-L of the sentences that gold revises."
    ),
    "len": MetricInfo(
        "Length", "tokens", None, "Mean length; the variant says what a token is (POQue: trigrams)."
    ),
    "ext": MetricInfo(
        "Extractive", _P, None, "Share of the output's trigrams that the story holds."
    ),
    "n_factors": MetricInfo("Factors", "factors", None, "Factors of an item, mean."),
    "human_inferable": MetricInfo(
        "Judged inferable", _P, True, "Revisions that people find to imply the state."
    ),
    "human_logical": MetricInfo("Judged logical", _P, True, "Revisions that people find logical."),
    "human_acceptable": MetricInfo(
        "Judged acceptable", _P, True, "Outputs that meet all of the paper's criteria."
    ),
    "human_minimal_revision": MetricInfo(
        "Judged minimal", _P, True, "How little of the story was revised, as people see it."
    ),
    "human_valid_attribute": MetricInfo(
        "Judged attributes", _P, True, "States that describe an attribute, not an action."
    ),
    "human_valid_inferable": MetricInfo(
        "Judged inferable from its story alone", _P, True, "From its own story, not the other."
    ),
    "human_not_in_story": MetricInfo(
        "Judged unstated", _P, True, "States that neither story says outright."
    ),
    "human_abstractness": MetricInfo(
        "Rated abstractness", _SCALE, True, "Mean rating by crowd workers."
    ),
    "human_factuality": MetricInfo(
        "Rated factuality", _SCALE, True, "Mean rating by crowd workers."
    ),
    "human_salience": MetricInfo("Rated salience", _SCALE, True, "Mean rating by crowd workers."),
    "human_brevity": MetricInfo("Rated brevity", _SCALE, True, "Mean rating by crowd workers."),
    "agreement": MetricInfo(
        "Agreement", "coefficient", True, "Chance-corrected agreement; the note names it."
    ),
}
"""Every metric of the tasks and of the papers; all but lengths and ratings are in percent."""
