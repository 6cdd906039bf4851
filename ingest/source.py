# SPDX-License-Identifier: Apache-2.0
"""Where the data files come from.

The first of these that applies, for each data set:

1. the folder given (`--data`), else the one in `FABULA_DATA`: the data set must be there;
2. `./data`, if the data set's published files are there;
3. a download from the authors' repositories into `./data` (not with `FABULA_OFFLINE=1`);
4. the sample in this package, with a notice: a few rows of our own in the same formats.

The data sets state no licence, so they are fetched from their authors and not passed on here.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from graph.errors import DataError, UsageError
from graph.progress import SILENT, Progress
from ingest.checksums import compare, known_files
from ingest.download import fetch_all
from ingest.readers import DataFile, Reader

SAMPLE = Path(__file__).resolve().with_name("sample")
GITHUB = "https://raw.githubusercontent.com"
_PUBLISHED = {
    "poque": "saiumbc/POQue/525451927bc4a916aa545626e9fa3f4322f600d7/data",
    "pasta": "StonyBrookNLP/pasta/20e903508eefb0ef2ff503e7e31dbae2769a4132/data",
    "choice-75": "JoeyHou/branching/f5a4c168524d34307ee6262747a44d2f50a3879c/data/choice-75",
}
_TRAIN = ("poque/all_train_data.jsonl", "pasta/tr_data.jsonl")

Origin = Literal["given", "environment", "folder", "downloaded", "sample"]


@dataclass(frozen=True)
class Located:
    """Where a data set was found."""

    root: Path
    """The data folder; the data set's own folder is below it."""
    origin: Origin
    """How it was found."""
    files: tuple[DataFile, ...]
    """Its files, in reading order; those of the sample are named `sample/...`."""
    notices: tuple[str, ...]
    """What the user should know about it."""


class Source:
    """Finds data sets.

    Args:
        data: the data folder; default: see the module.
        download: fetch what is missing from the authors' repositories.
        folder: the folder of step 2 and 3; default `./data`.
        mirror: where the repositories are fetched from.

    Raises:
        UsageError: `data` is no folder.
    """

    def __init__(
        self,
        data: str | os.PathLike[str] | None = None,
        *,
        download: bool = True,
        folder: Path = Path("data"),
        mirror: str = GITHUB,
    ) -> None:
        self._given: tuple[Path, Origin] | None = None
        if data is not None:
            self._given = (Path(data), "given")
        elif named := os.environ.get("FABULA_DATA"):
            self._given = (Path(named), "environment")
        self._download = download and os.environ.get("FABULA_OFFLINE", "0") in ("", "0")
        self._folder = folder
        self._mirror = mirror
        self._told: set[str] = set()
        if self._given is not None and not self._given[0].is_dir():
            how = "--data" if self._given[1] == "given" else "FABULA_DATA"
            raise UsageError(f"{how}: there is no folder {str(self._given[0])!r}")

    def locate(self, reader: Reader[Any], progress: Progress = SILENT) -> Located:
        """Finds a data set.

        Raises:
            DataError: the folder given does not hold it; the message names what was looked for.
        """
        if self._given is not None:
            root, origin = self._given
            if root.resolve() == SAMPLE:
                return _sample(reader, "as asked for")
            if not reader.files(root):
                raise DataError(
                    f"no {reader.dataset} data in {str(root)!r}: looked for {reader.layout}"
                )
            return _located(reader, root, origin)
        missing = self._missing(reader)
        if not missing:
            return _located(reader, self._folder, "folder")
        notice = "downloads are off"
        if self._download:
            try:
                self._fetch(reader, missing, progress)
                return _located(reader, self._folder, "downloaded")
            except DataError as error:
                notice = "no download"
                if reader.dataset not in self._told:
                    self._told.add(reader.dataset)
                    progress.note(f"{reader.dataset}: {error}")
        if reader.files(self._folder):
            notice = f"{reader.dataset}: using only the files in {self._folder} ({notice})"
            return _located(reader, self._folder, "folder", notice)
        return _sample(reader, notice)

    def _missing(self, reader: Reader[Any]) -> list[str]:
        """The published files that are not in the folder, but for the train splits."""
        names = [name for name in known_files() if name.startswith(f"{reader.folder}/")]
        return [name for name in names if not (self._folder / name).is_file()]

    def _fetch(self, reader: Reader[Any], names: list[str], progress: Progress) -> None:
        train = [name for name in _TRAIN if name.startswith(f"{reader.folder}/")]
        wanted = [*names, *(name for name in train if not (self._folder / name).is_file())]
        base = f"{self._mirror}/{_PUBLISHED[reader.folder]}"
        pairs = [
            (f"{base}/{name.removeprefix(f'{reader.folder}/')}", self._folder / name)
            for name in wanted
        ]
        task = progress.task(f"{reader.dataset}: downloading", len(pairs))
        try:
            fetch_all(pairs, task.advance)
        finally:
            task.done()


def _sample(reader: Reader[Any], why: str) -> Located:
    notice = (
        f"{reader.dataset}: SAMPLE DATA, figures on it mean nothing ({why}; "
        "give a folder with --data or FABULA_DATA)"
    )
    files = tuple(
        DataFile(f"sample/{file.name}", file.path, file.split, file.group)
        for file in reader.files(SAMPLE)
    )
    return Located(SAMPLE, "sample", files, (notice,))


def _located(reader: Reader[Any], root: Path, origin: Origin, *notices: str) -> Located:
    files = reader.files(root)
    return Located(root, origin, tuple(files), (*notices, *compare(root, files)))
