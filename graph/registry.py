# SPDX-License-Identifier: Apache-2.0
"""One registry for readers, tasks and reasoners: lazy, and it suggests names."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterator
from typing import Generic, TypeVar, cast

from graph.errors import UnknownNameError, UsageError

T = TypeVar("T")


class Registry(Generic[T]):
    """Maps names to objects given as `"module:attribute"`, imported when first asked for.

    Args:
        kind: what the entries are, for messages ("task", "reasoner").
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._targets: dict[str, str] = {}
        self._loaded: dict[str, T] = {}

    def register(self, name: str, target: str | T) -> None:
        """Adds an entry.

        Args:
            name: the name that users write.
            target: the object itself, or `"module:attribute"` to import it when needed.

        Raises:
            UsageError: the name is taken.
        """
        if name in self:
            raise UsageError(f"{self.kind} {name!r} is registered already; choose another name")
        if isinstance(target, str):
            self._targets[name] = target
        else:
            self._loaded[name] = target

    def get(self, name: str) -> T:
        """Returns the entry of that name.

        Raises:
            UnknownNameError: there is none; the message suggests the nearest names.
        """
        if name not in self._loaded:
            if name not in self._targets:
                raise self._unknown(name)
            module, _, attribute = self._targets[name].partition(":")
            self._loaded[name] = cast("T", getattr(importlib.import_module(module), attribute))
        return self._loaded[name]

    def names(self) -> tuple[str, ...]:
        """All names, sorted."""
        return tuple(sorted({*self._targets, *self._loaded}))

    def _unknown(self, name: str) -> UnknownNameError:
        near = difflib.get_close_matches(name, self.names(), n=3, cutoff=0.5)
        hint = f"did you mean {' or '.join(near)}? " if near else ""
        return UnknownNameError(
            f"unknown {self.kind} {name!r}: {hint}known: {', '.join(self.names())}"
        )

    def __contains__(self, name: object) -> bool:
        return name in self._targets or name in self._loaded

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())
