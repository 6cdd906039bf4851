# SPDX-License-Identifier: Apache-2.0
"""The expected rows are right: worked out again from the sample's files, without the graph."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import cookbook
import yaml

from ingest.source import SAMPLE

HERE = Path(__file__).resolve().parent
WHAT_IF = "What are the counterfactuals of a state, and which sentences did they change?"


def lines(name):
    text = (SAMPLE / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


POQUE = {split: lines(f"poque/all_{split}_data.jsonl") for split in ("valid", "test")}
PASTA = {split: lines(f"pasta/{split}_data.jsonl") for split in ("val", "te")}
CHOICE = {
    f"{path.parent.parent.name}/{path.parent.name}/{path.stem}": json.loads(path.read_text())
    for path in sorted(SAMPLE.glob("choice-75/*/*/*.json"))
}
ROWS = {
    entry["name"]: entry["rows"]
    for name in ("code", "language")
    for entry in yaml.safe_load((HERE / f"{name}.yaml").read_text(encoding="utf-8"))
}
TABLES = {
    recipe.title: cookbook.shown(recipe.table)
    for recipe in cookbook.recipes(cookbook.PAGE.read_text(encoding="utf-8"))
}


def five(row, key):
    return [row[f"{key}{number}"] for number in range(1, 6)]


def marked(row):
    return [i for i in range(5) if row[f"Answer.line{i + 1}.on"]]


def changed(row):
    pairs = zip(five(row, "Input.line"), five(row, "Answer.mod_line"), strict=True)
    return [i for i, (old, new) in enumerate(pairs) if old != new]


def story(row, key="Input.line"):
    return " ".join(five(row, key))


def scenarios(split):
    return {
        f"{key}#{position}": (branch, scenario)
        for key, branch in CHOICE.items()
        if key.split("/")[1] == split
        for position, scenario in enumerate(branch["branching_info"]["freeform_ra"])
    }


def test_poque():
    rows = POQUE["test"]
    assert ROWS["poque-gold"] == [
        [str(row["uid"]), row["change_modes"], row["story_id"], row["story_version"],
         row["story_source"], row["identified_participant"]]
        for row in rows
    ]  # fmt: skip
    assert ROWS["from-factors"] == [[str(row["uid"]), row["factors"]] for row in rows]
    assert ROWS["factors"] == [[str(row["uid"]), row["endpoint_description"]] for row in rows]
    assert ROWS["with-change"] == [
        [str(row["uid"]), row["identified_participant"], row["story_version"],
         row["change_summary"]]
        for row in rows
    ]  # fmt: skip
    assert ROWS["with-a-runs-change"] == [
        [str(row["uid"]), row["identified_participant"], f"{row['identified_participant']} changed"]
        for row in rows
    ]
    for uid, sentences in ROWS["endpoint-from-story"]:
        (row,) = [row for row in POQUE["valid"] if str(row["uid"]) == uid]
        assert " ".join(sentences) == row["story_text"].strip()


def test_pasta():
    rows = PASTA["te"]
    expected = []
    for row in rows:
        for direction, evidence in (("backward", changed(row)), ("forward", marked(row))):
            for query, text in (
                ("counterfactual", row["Answer.mod_assertion"]),
                ("state", row["Answer.assertion"]),
            ):
                holds = (direction == "forward") == (query == "state")
                item = f"{row['AssignmentId']}/{direction}/{query}"
                expected.append((item, text, evidence, holds, row["Input.storyid"]))
    assert ROWS["state-inference-marked"] == [list(each[:3]) for each in expected]
    assert ROWS["state-inference-gold"] == [[each[0], *each[3:]] for each in expected]
    assert ROWS["story-revision"] == [
        [f"{row['AssignmentId']}/{direction}", row[key]]
        for row in rows
        for direction, key in (
            ("backward", "Answer.assertion"),
            ("forward", "Answer.mod_assertion"),
        )
    ]
    first = PASTA["val"][0]
    assert ROWS["state-change"] == [
        ["SAMPLEVAL001/backward", story(first, "Answer.mod_line"), five(first, "Answer.mod_line"),
         story(first), five(first, "Input.line")]
    ]  # fmt: skip
    both = PASTA["te"] + PASTA["val"]
    assert ROWS["count-edge-type"] == [[sum(len(changed(row)) for row in both)]]


def test_choice_75():
    gold = [
        [item, label, str(branch["index"]), item.split("/")[0], level]
        for item, (branch, (_, label, level)) in sorted(scenarios("dev").items())
    ]
    assert ROWS["decision-gold"] == gold
    assert ROWS["decision"] == [
        [item, branch["branching_info"]["branching_step"], branch["branching_info"]["option 1"],
         branch["branching_info"]["option 2"], text, branch["goal"], branch["steps"]]
        for item, (branch, (text, _, _)) in sorted(scenarios("train").items())
    ]  # fmt: skip


def test_counts():
    poque = POQUE["valid"] + POQUE["test"]
    likert = [row["participant_involvement"]["value"] for row in poque]
    sure = sum(value > 3 for value in likert) / len(likert)
    mean = sum(likert) / len(likert)
    assert ROWS["averages"] == [[mean, sum(likert), min(likert), max(likert), sure]]
    runs = sum(row[-1] for row in ROWS["runs"])
    # Six claims a POQue line and its factors, ten a line of PASTA, one a scenario.
    gold = sum(6 + len(row["factors"]) for row in poque)
    gold += 10 * len(PASTA["te"] + PASTA["val"]) + len(scenarios("dev")) + len(scenarios("train"))
    assert ROWS["count-label"] == [[gold + runs]]


def test_recipes_on_states():
    ferry = [row for row in PASTA["val"] if row["Input.Title"] == "Last Ferry"]
    assert TABLES["How does a story go, and what was told instead?"] == [
        {
            "line": str(i + 1),
            "told": ferry[0][f"Input.line{i + 1}"],
            "instead": json.dumps(
                sorted({row[f"Answer.mod_line{i + 1}"] for row in ferry if i in changed(row)})
            ),
        }
        for i in range(5)
    ]
    (tired,) = [row for row in ferry if row["Answer.assertion"] == "Tomas is exhausted."]
    assert [
        (row["line"], row["told"], row["instead"])
        for row in TABLES[
            "What are the counterfactuals of a state, and which sentences did they change?"
        ]
    ] == [
        (str(i + 1), tired[f"Input.line{i + 1}"], tired[f"Answer.mod_line{i + 1}"])
        for i in changed(tired)
    ]
    both = PASTA["te"] + PASTA["val"]
    assert sorted(
        (row["if_not"], int(row["line"]) - 1)
        for row in TABLES["Which sentences had to change although they do not show the state?"]
    ) == sorted(
        (row["Answer.mod_assertion"], i)
        for row in both
        for i in changed(row)
        if i not in marked(row)
    )
    nearest = Counter(len(changed(row)) for row in both)
    table = TABLES["Which opposite is nearest: the fewest sentences to tell differently?"]
    assert {int(row["changed"]): int(row["counterfactuals"]) for row in table} == nearest


def test_recipes_on_reasoners():
    agreed = {
        (row["task"], row["reasoner"]): (int(row["agreed"]), int(row["of"]))
        for row in TABLES["How often does each reasoner agree with the annotators?"]
    }
    decisions = [scenario[1] for _, scenario in scenarios("dev").values()]
    assert agreed["choice75.decision", "option-1"] == (decisions.count(1), len(decisions))
    involved = [row["participant_involvement"]["value"] > 1 for row in POQUE["test"]]
    for task in ("poque.involvement/change", "poque.involvement/endpoint"):
        assert agreed[task, "constant-yes"] == (sum(involved), len(involved))
    said = [bool(row["change_summary"].strip()) for row in POQUE["test"]]
    same = sum(one == other for one, other in zip(said, involved, strict=True))
    assert agreed["poque.involvement/change", "one-bit"] == (same, len(said))
    assert agreed["poque.change_modes", "all-modes"] == (
        sum(len(row["change_modes"]) == 5 for row in POQUE["test"]), len(POQUE["test"]),
    )  # fmt: skip
    predicted = {item: choice for item, choice, _ in ROWS["predicted"]}
    gold = {item: scenario[1] for item, (_, scenario) in scenarios("dev").items()}
    assert agreed["choice75.decision", "overlap"] == (
        sum(predicted[item] == gold[item] for item in gold), len(gold),
    )  # fmt: skip
