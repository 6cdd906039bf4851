#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make the synonym table of METEOR from the dict files of WordNet 3.0.

    apt-get install wordnet-base
    python scripts/make_meteor_table.py --dict /usr/share/wordnet \
        --out reasoners/metrics/data/wordnet-synonyms.json.xz

The table holds, for each part of speech, the lemma names of the synsets and the exception
list. METEOR compares lower-case words without underscores, so a synset without any such
name can never give a match and is left out; this halves the file. The same dict files give
the same bytes (with the same liblzma).
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import sys
from pathlib import Path

PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
_MARKER = re.compile(r"\([^()]*\)$")


def synsets(lines: list[str]) -> list[str]:
    """Lemma names of the synsets that METEOR can use, from the lines of a data file.

    Args:
        lines: lines of `data.<pos>` (format: WordNet manual, wndb(5)); the licence's lines
            open with a space.

    Returns:
        One string a synset, names separated by spaces, in the order of the file.
    """
    found = []
    for line in lines:
        if line.startswith(" "):
            continue
        fields = line.split("|")[0].split()
        count = int(fields[3], 16)
        names = [_MARKER.sub("", name) for name in fields[4 : 4 + 2 * count : 2]]
        if any("_" not in name and name == name.lower() for name in names):
            found.append(" ".join(names))
    return found


def table(folder: Path) -> bytes:
    """The table as xz-compressed JSON, from the folder with the eight dict files."""
    parts = {}
    for part, suffix in PARTS.items():
        data = (folder / f"data.{suffix}").read_text(encoding="ascii").splitlines()
        exceptions = (folder / f"{suffix}.exc").read_text(encoding="ascii").splitlines()
        parts[part] = {
            "synsets": synsets(data),
            "exceptions": [" ".join(line.split()) for line in exceptions if line.strip()],
        }
    content = {"source": "WordNet 3.0, see WORDNET-LICENSE", "parts": parts}
    text = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return lzma.compress(text.encode("ascii"), preset=9 | lzma.PRESET_EXTREME)


def main(arguments: list[str] | None = None) -> int:
    """Write the table; returns the exit code."""
    parser = argparse.ArgumentParser(description="Make METEOR's synonym table from WordNet 3.0.")
    parser.add_argument("--dict", type=Path, required=True, help="folder with data.noun, noun.exc")
    parser.add_argument("--out", type=Path, required=True, help="file to write, .json.xz")
    options = parser.parse_args(arguments)
    missing = [
        name
        for suffix in PARTS.values()
        for name in (f"data.{suffix}", f"{suffix}.exc")
        if not (options.dict / name).is_file()
    ]
    if missing:
        print(
            f"{options.dict} lacks {', '.join(missing)}; give WordNet 3.0's dict folder "
            "(Debian: apt-get install wordnet-base, then --dict /usr/share/wordnet)",
            file=sys.stderr,
        )
        return 2
    content = table(options.dict)
    options.out.write_bytes(content)
    print(f"{options.out}: {len(content)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
