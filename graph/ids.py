# SPDX-License-Identifier: Apache-2.0
"""Deterministic ids: the same thing always gets the same id, so ingesting twice changes nothing."""

from __future__ import annotations

import hashlib

_DIGEST_BYTES = 10  # 80 bits: at 10^8 elements the chance of any collision is below 10^-8


def make_id(*parts: str | int) -> str:
    """Returns the id of the thing named by its natural key.

    Args:
        parts: what makes the thing unique, from wide to narrow, for example
            `("pasta", "Sentence", story_key, 3)`.

    Returns:
        20 lower-case hexadecimal characters.
    """
    digest = hashlib.blake2b(digest_size=_DIGEST_BYTES)
    for part in parts:
        # The length goes first, so that ("ab", "c") and ("a", "bc") differ.
        data = str(part).encode("utf-8")
        digest.update(len(data).to_bytes(4, "big"))
        digest.update(data)
    return digest.hexdigest()
