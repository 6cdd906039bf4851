# SPDX-License-Identifier: Apache-2.0
"""The cookbook shows what the sample graph gives; `--update-golden` writes it again."""

from __future__ import annotations

import shutil

import cookbook
import draw_cookbook
import pytest

from graph.store import open_graph


@pytest.fixture(scope="module")
def page(cookbook_folder, tmp_path_factory):
    """The page as it should be."""
    folder = tmp_path_factory.mktemp("page") / "graph"
    shutil.copytree(cookbook_folder, folder)
    with open_graph(folder) as store:
        return cookbook.updated(cookbook.PAGE.read_text(encoding="utf-8"), store)


def test_tables_are_up_to_date(page, update_golden):
    if update_golden:
        cookbook.PAGE.write_text(page, encoding="utf-8")
    assert cookbook.PAGE.read_text(encoding="utf-8") == page, "run `python scripts/cookbook.py`"


def test_pictures_are_up_to_date(update_golden):
    for path, picture in draw_cookbook.outputs().items():
        if update_golden:
            path.write_text(picture, encoding="utf-8")
        assert path.read_text(encoding="utf-8") == picture, "run `python scripts/draw_cookbook.py`"


def test_every_recipe_says_how_to_read_it():
    page = cookbook.PAGE.read_text(encoding="utf-8")
    recipes = cookbook.recipes(page)
    assert len(recipes) == page.count("```cypher\n") >= 15
    for recipe in recipes:
        assert recipe.title.endswith("?")
        after = page.partition(recipe.table)[2].lstrip("\n")
        assert after[:1].isalpha() or after[:1] == "`", recipe.title
    assert all(len(line) <= 100 for recipe in recipes for line in recipe.text.splitlines())


def test_cells_survive_markdown():
    rows = cookbook.Rows(("a", "b"), (("x|y", None), ("line\nline", [1, "z"])), False)
    assert cookbook.table(rows).splitlines()[2:] == [
        "| x\\|y |  |",
        '| line<br>line | [1, "z"] |',
    ]
    assert cookbook.shown(cookbook.table(rows)) == [
        {"a": "x|y", "b": ""},
        {"a": "line<br>line", "b": '[1, "z"]'},
    ]
