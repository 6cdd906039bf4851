# SPDX-License-Identifier: Apache-2.0
"""The registry of tasks: every task of the three papers, in every input form."""

from __future__ import annotations

from collections.abc import Sequence

from graph.registry import Registry
from reasoners.task import Task

TASKS: Registry[Task] = Registry("task")
TASKS.register("poque.process_summary/story", "reasoners.tasks.poque:PROCESS_SUMMARY_STORY")
TASKS.register("poque.process_summary/factors", "reasoners.tasks.poque:PROCESS_SUMMARY_FACTORS")
TASKS.register("poque.endpoint/story", "reasoners.tasks.poque:ENDPOINT_STORY")
TASKS.register("poque.endpoint/factors", "reasoners.tasks.poque:ENDPOINT_FACTORS")
TASKS.register("poque.factors", "reasoners.tasks.poque:FACTORS")
TASKS.register("poque.change_summary", "reasoners.tasks.poque:CHANGE_SUMMARY")
TASKS.register("poque.change_modes", "reasoners.tasks.poque:CHANGE_MODES")
TASKS.register("poque.involvement/change", "reasoners.tasks.poque:INVOLVEMENT_CHANGE")
TASKS.register("poque.involvement/endpoint", "reasoners.tasks.poque:INVOLVEMENT_ENDPOINT")
TASKS.register("pasta.state_inference/marked", "reasoners.tasks.pasta:STATE_INFERENCE_MARKED")
TASKS.register("pasta.state_inference/unmarked", "reasoners.tasks.pasta:STATE_INFERENCE_UNMARKED")
TASKS.register("pasta.story_revision", "reasoners.tasks.pasta:STORY_REVISION")
TASKS.register("pasta.state_change", "reasoners.tasks.pasta:STATE_CHANGE")
TASKS.register("choice75.decision", "reasoners.tasks.choice75:DECISION")

ORDER: tuple[str, ...] = (
    "poque.endpoint/story",
    "poque.factors",
    "poque.process_summary/story",
    "poque.process_summary/factors",
    "poque.endpoint/factors",
    "poque.change_summary",
    "poque.change_modes",
    "poque.involvement/change",
    "poque.involvement/endpoint",
    "pasta.state_inference/marked",
    "pasta.state_inference/unmarked",
    "pasta.story_revision",
    "pasta.state_change",
    "choice75.decision",
)
"""All tasks, each after those that feed it in the pipeline setting."""


def select(names: Sequence[str]) -> list[Task]:
    """Returns the tasks that names stand for, in working order.

    Args:
        names: `all`, a data set (`poque`), a task without its form (`poque.endpoint`: all its
            forms) or a full task id.

    Raises:
        UnknownNameError: a name stands for nothing.
    """
    chosen: set[str] = set()
    for name in names:
        found = {
            task
            for task in ORDER
            if name == "all"
            or task == name
            or task.split("/")[0] == name
            or task.split(".")[0] == name
        }
        chosen |= found or {TASKS.get(name).id}
    return [TASKS.get(task) for task in ORDER if task in chosen]
