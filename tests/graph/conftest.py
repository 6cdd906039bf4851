# SPDX-License-Identifier: Apache-2.0
"""A graph whose texts, lists and numbers are as hostile as a store can hold."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graph.batch import BatchBuilder, GraphBatch
from graph.model import (
    Branch,
    ChangeModeSet,
    FactorSet,
    Goal,
    Inference,
    Mention,
    Option,
    Participant,
    ProcessSummary,
    Run,
    Sentence,
    Story,
)
from graph.store import GraphStore, open_graph

TEXTS = (
    "",
    " ",
    "\x00",
    "a\x00b\x01\x08\x1b\x1e\x1f\x7f\x80\x85",
    "\x1e[\"not json\"]",
    "a\x1fb",
    "\"'`\\",
    '""',
    "\\u0041 \\n \\\\",
    "line\nline\r\nline\rline\ttab",
    "\n",
    "\u2028\u2029\ufeff\ufffe\uffff\u200b",
    "😀 👩‍👩‍👧 é e\u0301 \U0010ffff",
    "_x0041_ _x005F_x0000_ _x00zz_",
    "]]> <!-- <a b='c'>&amp;&#0; </data>",
    "; DROP $x ${y} // no /* comment */ -- ;\n] AS row RETURN 1;",
    "null",
    "NaN",
    "true",
    "1",
    "a,b;c|d",
    "=1+1",
    "'; MATCH (n) DETACH DELETE n //",
    "x" * 70_000,
)  # fmt: skip


def hostile_batch() -> GraphBatch:
    """A node for each text, in every kind of place that a text can have."""
    batch = BatchBuilder()
    for at, text in enumerate(TEXTS):
        story = batch.node(
            Story(id=f"s{at}", dataset=text, key=f"key {text[:99]}", text=text, title=text)
        )
        batch.node(Story(id=f"none{at}", dataset="d", key=f"none{at}", text=text))
        sentence = batch.node(Sentence(id=f"x{at}", index=at, text=text, start=0, end=len(text)))
        batch.edge("HAS_SENTENCE", story, sentence)
        who = batch.node(
            # An index has no room for the longest.
            Participant(
                id=f"p{at}", name=text[:999], source="gold", animate=(None, True, False)[at % 3]
            )
        )
        batch.edge("IN_STORY", who, story)
        mention = batch.node(Mention(id=f"m{at}", text=text, start=0, end=len(text)))
        batch.edge("REFERS_TO", mention, who)
        batch.edge("IN_SENTENCE", mention, sentence)
        batch.node(FactorSet(id=f"f{at}", source="gold", item=text, texts=(text,)))
        batch.node(FactorSet(id=f"ff{at}", source="gold", item=text, texts=("", text, text, "")))
    for at, texts in enumerate([None, (), ("",), ("", ""), ("a", "a"), TEXTS]):
        batch.node(ProcessSummary(id=f"a{at}", source="gold", item="", text="", alternatives=texts))
        batch.node(ChangeModeSet(id=f"c{at}", source="gold", item="", modes=texts or ()))
    for at, number in enumerate([None, 0.0, -0.0, 1.0, 0.1, 1e-300, 1e300, 2**53 + 1, 1 / 3]):
        batch.node(Inference(id=f"i{at}", source="gold", item="", holds=True, confidence=number))
    batch.node(
        Run(id="a run: 1 <&>\"'é", task="t", reasoner="r", split="s", setting="oracle",
            seed=-(2**63), settings="{}", version="0")
    )  # fmt: skip
    branch = batch.node(
        Branch(id="b", dataset="d", split="s", format="f", key="k", text="", step_index=2**63 - 1)
    )
    batch.edge("OF_GOAL", branch, batch.node(Goal(id="g", dataset="d", key="", text="")))
    for number in (1, 2):
        option = batch.node(Option(id=f"o{number}", text=""))
        batch.edge("HAS_OPTION", branch, option, number=number)
    return batch.build()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GraphStore]:
    """The hostile graph, open, for a module's tests that only read."""
    with open_graph(tmp_path_factory.mktemp("hostile") / "graph") as store:
        store.write(hostile_batch())
        yield store
