# SPDX-License-Identifier: Apache-2.0
"""What a reader of a data set is, and which ones there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

from graph.batch import GraphBatch
from graph.registry import Registry
from graph.store import GraphStore

R = TypeVar("R")
Row = dict[str, Any]
"""A row as its file holds it, parsed from JSON."""


@dataclass(frozen=True)
class DataFile:
    """A file of a data set."""

    name: str
    """Path below the data folder, with slashes: `pasta/val_data.jsonl`."""
    path: Path
    """Where it is."""
    split: str
    """Split of its rows."""
    group: str
    """What `--limit` counts in: the split, and the format where there are several."""


class Reader(Protocol[R]):
    """Reads one data set: rows to records, records to graph, and the graph back to rows.

    All but `files` and `rebuild` are pure: no state, no disk, no graph.
    """

    dataset: str
    """Name of the data set, as users write it and as nodes carry it."""
    folder: str
    """Its folder below the data folder."""
    layout: str
    """The files that it looks for, in words."""
    key_field: str
    """The field that a row's key comes from."""
    whole_files: bool
    """True if a file is one record, False if each line is one."""

    def files(self, root: Path) -> list[DataFile]:
        """The data set's files that are below a data folder, in a fixed order."""
        ...

    def parse(self, row: Row, file: DataFile) -> R:
        """Validates a row.

        Raises:
            RecordError: it breaks a rule of the data set.
        """
        ...

    def key(self, record: R, file: DataFile) -> str:
        """The key of a record, unique in the data set."""
        ...

    def to_graph(self, record: R, file: DataFile) -> GraphBatch:
        """The nodes and edges of a record."""
        ...

    def rebuild(self, store: GraphStore, split: str, keys: Sequence[str]) -> dict[str, Row]:
        """Makes rows from the graph again, equal to what their file holds.

        Args:
            store: the graph.
            split: split of the rows.
            keys: their keys (see `key`).

        Returns:
            Key -> row, for those that the graph holds.
        """
        ...


READERS: Registry[Reader[Any]] = Registry("data set")
"""Every reader, by data set."""

READERS.register("poque", "ingest.poque:READER")
READERS.register("pasta", "ingest.pasta:READER")
READERS.register("choice75", "ingest.choice75:READER")


def split_files(folder: str, names: dict[str, str], root: Path) -> list[DataFile]:
    """Finds files that hold one split each.

    Args:
        folder: the data set's folder.
        names: split -> file name, in reading order.
        root: the data folder.
    """
    return [
        DataFile(f"{folder}/{name}", root / folder / name, split, split)
        for split, name in names.items()
        if (root / folder / name).is_file()
    ]


def chunks(keys: Sequence[str], size: int = 200) -> list[Sequence[str]]:
    """Cuts a long list of keys for queries that take a list."""
    return [keys[start : start + size] for start in range(0, len(keys), size)]
