# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from benchmarks import published
from benchmarks.results import (
    DataSource,
    Environment,
    MetricValue,
    Results,
    SystemResult,
    TaskResult,
)

GOLDEN = Path(__file__).parents[1] / "golden"


@pytest.fixture
def check_golden(update_golden):
    """Compares a text with a golden file, or writes the file under --update-golden."""

    def check(name, text):
        path = GOLDEN / name
        if update_golden:
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8"), f"{name} differs: --update-golden?"

    return check


def figure(value, n, spread=2.0, variant="share of items"):
    return MetricValue(
        value=value, low=max(0, value - spread), high=min(100, value + spread), n=n, variant=variant
    )


def decision(kind, right, binary, levels, **more):
    names = ("na", "hard", "easy", "medium")
    return SystemResult(
        kind=kind,
        metrics={"accuracy_binary": figure(binary, 388), "accuracy": figure(right, 565)},
        breakdowns={
            "level": {
                name: {"accuracy": figure(value, 100, 5)}
                for name, value in zip(names, levels, strict=True)
            }
        },
        **more,
    )


def revision(kind, f1, gleu, n, **more):
    return SystemResult(
        kind=kind,
        metrics={
            "changed_sentence_f1": figure(f1, n, variant="F1 of changed sentences, pooled"),
            "gleu": figure(gleu, n, 0.5, variant="corpus GLEU, 13a tokens"),
        },
        **more,
    )


@pytest.fixture
def example():
    """A small run: two tasks, each kind of system, a failure, published figures."""
    tasks = {
        "choice75.decision": TaskResult(
            title="Which option, or either",
            dataset="choice75",
            split="dev",
            n=565,
            primary_metric="accuracy",
            inputs="branching step, two options, scenario",
            systems={
                "option-2": decision(
                    "baseline", 35.0, 50.9, (0, 50, 51, 49), description="Always option 2."
                ),
                "encoder": decision(
                    "model",
                    52.25,
                    68.0,
                    (20, 55, 70, 61),
                    description="Cross-encoder on MiniLM.",
                    trained_on="Choice-75 train",
                    coverage=99.6,
                    failed=("verb_phrase_manual/dev/41#0", "user_profile/dev/82#1"),
                    seconds=12.5,
                ),
            },
            published=tuple(
                each
                for each in published.for_task("choice75.decision")
                if set(each.part) <= {"level"}
            ),
        ),
        "pasta.story_revision": TaskResult(
            title="Story revision",
            dataset="pasta",
            split="te",
            n=1834,
            primary_metric="changed_sentence_f1",
            inputs="story, counterfactual state",
            systems={
                "copy": revision("baseline", 0.0, 79.6, 1834, description="The story unchanged."),
                "last-two": revision("baseline", 63.3, 60, 1834, description="Revises the end."),
                "editor": revision(
                    "model", 64.0, 75, 1834, description="Edits.", trained_on="PASTA val"
                ),
                "t5-base.jsonl": revision("outputs", 70, 73.2, 200, description="Released."),
            },
            published=published.for_task("pasta.story_revision"),
        ),
    }
    return Results(
        fabula_version="0.1.0",
        config={"tasks": list(tasks), "seed": 11, "limit": None, "split": {"pasta": "te"}},
        environment=Environment(
            host="box",
            platform="Linux",
            python="3.11.7",
            packages={"numpy": "2.3.1"},
            started=datetime(2026, 11, 21, 10, 0, tzinfo=UTC),
            finished=datetime(2026, 11, 21, 10, 12, 30, tzinfo=UTC),
            seconds=750.0,
        ),
        data={
            "pasta": DataSource(
                kind="given", counts={"te": 917}, sha256={"te_data.jsonl": "cd" * 32}
            ),
            "choice75": DataSource(kind="sample", counts={"dev": 565}, sha256={}),
        },
        notices=("Choice-75: the bundled sample was scored.",),
        tasks=tasks,
    )
