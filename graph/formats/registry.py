# SPDX-License-Identifier: Apache-2.0
"""All formats, by the names that users write."""

from __future__ import annotations

from graph.formats.base import Format
from graph.registry import Registry

FORMATS: Registry[Format] = Registry("format")
"""Format name -> format."""
