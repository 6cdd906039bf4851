# SPDX-License-Identifier: Apache-2.0
"""Reports on a benchmark run, all from `results.json` alone.

tables     which rows, columns and comparisons the reports show
markdown   results.md
html       report.html, one self-contained page
plots      its figures, inline SVG
style      its style sheet and its script
console    a compact table for the terminal
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.report import html, markdown
from benchmarks.report.console import show
from benchmarks.results import Results, write_text

__all__ = ["show", "write_reports"]


def write_reports(results: Results, folder: Path) -> tuple[Path, Path]:
    """Writes `results.md` and `report.html`.

    Returns:
        The two paths.

    Raises:
        RunError: one of them cannot be written.
    """
    text, page = folder / "results.md", folder / "report.html"
    write_text(text, markdown.render(results))
    write_text(page, html.render(results))
    return text, page
