# SPDX-License-Identifier: Apache-2.0
"""The registry of reasoners: name -> class, called with the seed."""

from __future__ import annotations

from collections.abc import Callable

from graph.registry import Registry
from reasoners.base import Reasoner

REASONERS: Registry[Callable[..., Reasoner]] = Registry("reasoner")
BASELINES: tuple[str, ...] = (
    "copy",
    "first-three",
    "last-sentence",
    "last-factor",
    "about",
    "template",
    "no-changes",
    "all-modes",
    "one-bit",
    "constant-yes",
    "constant-no",
    "option-1",
    "option-2",
    "either",
    "first-word",
    "last-two",
    "overlap",
    "random",
    "majority",
)
"""The rules that stay in every table."""

for _name in BASELINES:
    _class = "".join(part.capitalize() for part in _name.split("-"))
    REASONERS.register(_name, f"reasoners.baselines:{_class}")
