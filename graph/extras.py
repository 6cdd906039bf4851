# SPDX-License-Identifier: Apache-2.0
"""Optional dependencies: imported when they are needed, one line on what to install when absent."""

from __future__ import annotations

import importlib
from types import ModuleType

from graph.errors import MissingExtraError


def require(module: str, extra: str) -> ModuleType:
    """Imports a module of an optional dependency.

    Args:
        module: name to import, such as `torch`.
        extra: the extra of this distribution that installs it, such as `models`.

    Returns:
        The module.

    Raises:
        MissingExtraError: it is not installed; the message says what to install. Any other
            failure of the import keeps its own error: it is a broken installation.
    """
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        top = module.partition(".")[0]
        if error.name is None or error.name.partition(".")[0] != top:
            raise  # the module is there, and something that it needs is not
        raise MissingExtraError(
            f"{top} is not installed; the extra {extra!r} has it: in the checkout of Fabula, "
            f"pip install '.[{extra}]'"
        ) from error
