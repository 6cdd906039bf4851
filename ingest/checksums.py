# SPDX-License-Identifier: Apache-2.0
"""Which files the authors published, and whether the ones at hand are the same.

`data/known_files.json` lists the public files by name with their SHA-256, as of the commits in
`ingest.source`. Hashes of other files (the train splits, which are not in all copies) are noted at
first use in `checksums.json` in the data folder and compared from then on.
"""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

from ingest.readers import DataFile

NOTES = "checksums.json"


@cache
def known_files() -> dict[str, str]:
    """SHA-256 of each published file, by its path below the data folder."""
    text = (Path(__file__).with_name("data") / "known_files.json").read_text(encoding="utf-8")
    known: dict[str, str] = json.loads(text)
    return known


def sha256(path: Path) -> str:
    """SHA-256 of a file's bytes."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def compare(root: Path, files: list[DataFile]) -> list[str]:
    """Compares files with what is known of them, and notes the hash of those seen first.

    Args:
        root: the data folder.
        files: files in it.

    Returns:
        A warning for each file that differs, or that could not be noted.
    """
    noted = _noted(root)
    warnings: list[str] = []
    new: dict[str, str] = {}
    for file in files:
        found = sha256(file.path)
        expected = known_files().get(file.name) or noted.get(file.name)
        if expected is None:
            new[file.name] = found
        elif found != expected:
            which = "the published file" if file.name in known_files() else "the one used before"
            warnings.append(f"{file.path} differs from {which}; figures on it cannot be compared")
    if new:
        warnings += _note(root, noted | new)
    return warnings


def _noted(root: Path) -> dict[str, str]:
    try:
        noted = json.loads((root / NOTES).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(noted, dict):
        return {}
    return {str(name): str(value) for name, value in noted.items()}


def _note(root: Path, hashes: dict[str, str]) -> list[str]:
    try:
        (root / NOTES).write_text(json.dumps(hashes, indent=1, sort_keys=True) + "\n", "utf-8")
    except OSError as error:
        return [f"the hashes of new files cannot be noted in {root / NOTES}: {error.strerror}"]
    return []
