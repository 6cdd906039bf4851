# SPDX-License-Identifier: Apache-2.0
"""The version of Fabula; `pyproject.toml` reads it from here."""

__version__ = "0.1.0"
