# SPDX-License-Identifier: Apache-2.0
"""How exports reach the disk: whole, or not at all."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from graph.errors import DataError, UsageError
from graph.schema import SCHEMA_VERSION
from graph.version import __version__

MANIFEST = "fabula.json"
"""File that says of a folder that it is an export, and of which format."""


@contextmanager
def new_file(out: Path) -> Iterator[IO[str]]:
    """Opens a text file that takes the place of `out` when the block ends without an error.

    A killed export leaves what was there, and a file whose name ends in `.part`, which the next
    one takes over.
    """
    part = out.with_name(f".{out.name}.part")
    _no_folder(out)
    out.parent.mkdir(parents=True, exist_ok=True)
    try:
        # Newlines as they are: texts hold other ones than \n.
        with part.open("w", encoding="utf-8", newline="") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        part.replace(out)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


@contextmanager
def new_folder(out: Path, format: str) -> Iterator[Path]:
    """Gives a folder that takes the place of `out` when the block ends without an error.

    Args:
        out: where it is to be. An older export there is replaced, nothing else.
        format: name of the format, for the folder's manifest.

    Raises:
        UsageError: `out` holds something that no export wrote.
    """
    if out.exists() and not (out / MANIFEST).is_file() and (out.is_file() or any(out.iterdir())):
        raise UsageError(f"{out} is not a folder that an export wrote: give another name")
    part = out.with_name(f".{out.name}.part")
    old = out.with_name(f".{out.name}.old")
    for left in (part, old):
        shutil.rmtree(left, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        yield part
        about = {"format": format, "schema_version": SCHEMA_VERSION, "created_by": __version__}
        (part / MANIFEST).write_text(json.dumps(about) + "\n", encoding="utf-8")
        if out.exists():
            out.rename(old)
        part.rename(out)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
    shutil.rmtree(old, ignore_errors=True)


def check_folder(path: Path, format: str) -> None:
    """Makes sure that a folder is a whole export of a format, of this schema.

    Raises:
        DataError: it is not.
    """
    try:
        about = json.loads((path / MANIFEST).read_text(encoding="utf-8"))
        found, version = about["format"], about["schema_version"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"{path / MANIFEST} cannot be read ({error}): an export to {format} writes a folder "
            "with that file in it"
        ) from error
    if found != format:
        raise DataError(f"{path} is an export to {found}, not to {format}")
    check_version(version, path)


def check_version(version: object, path: Path) -> None:
    """Makes sure that a file was made with this schema.

    Raises:
        DataError: it was not.
    """
    if str(version) != str(SCHEMA_VERSION):
        raise DataError(
            f"{path} was made with schema version {version}, this Fabula has {SCHEMA_VERSION}: "
            "import it with the version that made it, and migrate the graph"
        )


def _no_folder(out: Path) -> None:
    if out.is_dir():
        raise UsageError(f"{out} is a folder: give the name of a file")
