# SPDX-License-Identifier: Apache-2.0
"""Fetching published files, each written whole or not at all."""

from __future__ import annotations

import os
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path

from graph.errors import DataError

_TIMEOUT_S = 20
_BLOCK = 1 << 16
_AT_ONCE = 8


def fetch(url: str, target: Path) -> None:
    """Downloads a file to a temporary name and renames it when it is complete.

    Args:
        url: address.
        target: where it goes; its folder is made.

    Raises:
        DataError: it cannot be fetched; nothing is left at the target.
    """
    temporary: Path | None = None
    try:
        # The address first: without a network, no empty folders are left behind.
        with urllib.request.urlopen(url, timeout=_TIMEOUT_S) as answer:
            length = answer.headers.get("Content-Length")
            target.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
            temporary = Path(name)
            with os.fdopen(handle, "wb") as file:
                while block := answer.read(_BLOCK):
                    file.write(block)
                size = file.tell()
        # A connection that breaks off can look like the end of the file.
        if length is not None and size != int(length):
            raise DataError(f"{url} broke off after {size} of {length} bytes")
        temporary.chmod(0o644)
        temporary.replace(target)
    except (urllib.error.URLError, HTTPException, OSError) as error:
        raise DataError(f"cannot download {url}: {error}") from error
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)


def fetch_all(pairs: list[tuple[str, Path]], advance: Callable[[], None]) -> None:
    """Downloads files, several at a time.

    Args:
        pairs: address and target of each.
        advance: called after each file.

    Raises:
        DataError: one cannot be fetched; those that were complete stay.
    """
    if not pairs:
        return
    # The first one alone: without a network, one attempt is enough.
    fetch(*pairs[0])
    advance()
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        try:
            for _ in pool.map(lambda pair: fetch(*pair), pairs[1:]):
                advance()
        except BaseException:
            pool.shutdown(wait=True, cancel_futures=True)
            raise
