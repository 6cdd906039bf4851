# SPDX-License-Identifier: Apache-2.0
"""Same Cypher, same answers: every query of the code and of the cookbook, on every engine.

The queries are in the YAML files beside this one, and in docs/cypher.md. An entry has

    name, asks       what it is called, what it asks
    text             Cypher, or instead of it
    query            `queries.NAME` or `task_queries.NAME` with `arguments` if it is a function
    params           its parameters; `given` is a query whose only row adds more
    before           statements (text or query, params) to run first
    check            a query whose rows count instead of its own, after it has written
    columns, rows    the answer; fewer columns compare only those, `first: true` only the first rows
    unordered        true if the order of rows means nothing
    differs          instead of rows: those of each engine, or `refused`

An entry with `before` or `check` writes; what it wrote is rolled back. `--update-golden` writes
the rows again as the embedded engine gives them: read them before you believe them.

The fixtures take a server from FABULA_TEST_BOLT_URL as tests/contract does. It is EMPTIED.
"""

from __future__ import annotations

import inspect
import json
import os
import re
import shutil
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

import cookbook
import pytest
import yaml

from graph import elements, queries, task_queries
from graph.errors import QueryError
from graph.serve import GraphServer
from graph.store import GraphStore, Row, Transaction, open_graph
from graph.values import plain

HERE = Path(__file__).resolve().parent
MODULES: dict[str, ModuleType] = {"queries": queries, "task_queries": task_queries}
ENTRIES: list[dict[str, Any]] = [
    {"file": path.name} | entry
    for path in sorted(HERE.glob("*.yaml"))
    for entry in yaml.safe_load(path.read_text(encoding="utf-8"))
]
RECIPES = cookbook.recipes(cookbook.PAGE.read_text(encoding="utf-8"))

_STORES = ["embedded", "served", pytest.param("neo4j", marks=pytest.mark.neo4j)]
if os.environ.get("FABULA_TEST_BOLT_URL"):
    _STORES.append("external")


@pytest.fixture(scope="module", params=_STORES)
def filled(
    request: pytest.FixtureRequest, cookbook_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[GraphStore]:
    """The sample graph on an engine."""
    folder = tmp_path_factory.mktemp("corpus") / "graph"
    shutil.copytree(cookbook_folder, folder)
    with ExitStack() as stack:
        if request.param == "embedded":
            yield stack.enter_context(open_graph(folder))
        elif request.param == "served":
            address = stack.enter_context(GraphServer(folder))
            password = address.password_file.read_text().strip()
            yield stack.enter_context(open_graph(address.url, user=address.user, password=password))
        elif request.param == "neo4j":
            yield _load(request.getfixturevalue("_neo4j_open"), folder)
        else:
            server = open_graph(
                os.environ["FABULA_TEST_BOLT_URL"],
                user=os.environ.get("FABULA_TEST_BOLT_USER"),
                password=os.environ.get("FABULA_TEST_BOLT_PASSWORD"),
            )
            yield _load(stack.enter_context(server), folder)


def _load(server: GraphStore, folder: Path) -> GraphStore:
    text = "MATCH (n) WHERE NOT n:Meta WITH n LIMIT 5000 DETACH DELETE n RETURN count(*) AS n"
    while server.transact(lambda tx: tx.run(text))[0]["n"]:
        pass
    with open_graph(folder) as store:
        elements.load(server, elements.nodes(store), elements.edges(store))
    return server


class _RollBack(Exception):
    pass


def _text(entry: dict[str, Any], store: GraphStore) -> str:
    if "text" in entry:
        return str(entry["text"])
    module, name, *key = entry["query"].split(".")
    found = getattr(MODULES[module], name)
    if key:
        found = found[key[0]]
    if callable(found):
        arguments = entry.get("arguments", {})
        if "supertypes" in inspect.signature(found).parameters:
            arguments |= {"supertypes": "ArcadeDB" in store.engine}
        found = found(**arguments)
    return str(found)


def _params(entry: dict[str, Any], tx: Transaction | GraphStore) -> dict[str, Any]:
    params = dict(entry.get("params", {}))
    if "given" in entry:
        (more,) = tx.run(entry["given"]) if isinstance(tx, Transaction) else tx.read(entry["given"])
        params |= more
    return params


def _answer(entry: dict[str, Any], store: GraphStore) -> list[Row]:
    if "before" not in entry and "check" not in entry:
        return store.read(_text(entry, store), _params(entry, store))
    rows: list[Row] = []

    def work(tx: Transaction) -> None:
        for statement in entry.get("before", []):
            tx.run(_text(statement, store), _params(statement, tx))
        rows[:] = tx.run(_text(entry, store), _params(entry, tx))
        if "check" in entry:
            rows[:] = tx.run(entry["check"], entry.get("params", {}))
        raise _RollBack

    with pytest.raises(_RollBack):
        store.transact(work)
    return rows


def _like(value: Any) -> Any:
    """What is compared: floats to nine digits, so that the order of a sum does not matter."""
    if isinstance(value, float):
        return float(f"{value:.9g}")
    if isinstance(value, list):
        return [_like(item) for item in value]
    return {k: _like(v) for k, v in value.items()} if isinstance(value, dict) else value


def _key(row: Any) -> str:
    return json.dumps(row, sort_keys=True)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["name"])
def test_query(entry, filled, update_golden):
    wanted = entry.get("rows") or []
    if "differs" in entry:
        wanted = entry["differs"]["embedded" if "ArcadeDB" in filled.engine else "neo4j"]
        if wanted == "refused":
            with pytest.raises(QueryError):
                _answer(entry, filled)
            return
    answer = _answer(entry, filled)
    found = [[_like(plain(row[column])) for column in entry["columns"]] for row in answer]
    if entry.get("unordered"):
        found.sort(key=_key)
    if entry.get("first"):
        found = found[: max(1, len(wanted))]
    if update_golden and filled.embedded and "rows" in entry:
        _record(HERE / entry["file"], entry["name"], found)
        return
    assert found == [_like(row) for row in wanted]


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.title)
def test_recipe(recipe, filled):
    """The tables of the page are those of every engine (`python scripts/cookbook.py`)."""
    assert cookbook.table(cookbook.ask(filled, recipe)) == recipe.table


def _record(path: Path, name: str, rows: list[list[Any]]) -> None:
    text = path.read_text(encoding="utf-8")
    lines = "".join(f"\n    - {json.dumps(row, ensure_ascii=False)}" for row in rows) or " []"
    pattern = rf"(^- name: {re.escape(name)}\n(?:(?!^- name:).*\n)*?  rows:).*(?:\n    .*)*"
    new, found = re.subn(pattern, lambda match: f"{match[1]}{lines}", text, flags=re.MULTILINE)
    assert found == 1, f"{path.name}: {name} has no rows:"
    path.write_text(new, encoding="utf-8")


def _declared() -> set[str]:
    names = set()
    for short, module in MODULES.items():
        for name, value in vars(module).items():
            if name.startswith("_"):
                continue
            if isinstance(value, str) or (
                inspect.isfunction(value) and value.__module__ == module.__name__
            ):
                names.add(f"{short}.{name}")
            elif isinstance(value, dict):
                names |= {f"{short}.{name}.{key}" for key in value}
    return names


def test_every_query_of_the_code_is_in_the_corpus():
    covered = {
        each["query"]
        for entry in ENTRIES
        for each in (entry, *entry.get("before", ()))
        if "query" in each
    }
    missing = sorted(_declared() - covered)
    assert not missing, (
        f"tests/cypher/code.yaml has no entry for {', '.join(missing)}: add for each\n"
        f"- name: what-it-finds\n  asks: In one sentence.\n  query: {missing[0]}\n"
        "  arguments: {}   # of a function\n  params: {}\n  columns: []\n  rows:\n"
        "and run `pytest tests/cypher --update-golden`, then check the rows against the sample"
    )
    assert covered <= _declared(), f"no longer in the code: {covered - _declared()}"


def test_the_corpus_is_large_and_its_names_are_unique():
    names = [entry["name"] for entry in ENTRIES] + [recipe.title for recipe in RECIPES]
    assert len(set(names)) == len(names)
    assert len(names) >= 60
