# SPDX-License-Identifier: Apache-2.0
"""The formats of the text layer: what they hold comes back, and other tools' readers see it."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter, defaultdict

import pytest

from graph import elements
from graph.batch import BatchBuilder
from graph.canonical import canonical_lines
from graph.errors import DataError, UsageError
from graph.formats.base import Selection
from graph.formats.booknlp import ENTITIES, TOKENS, proper
from graph.formats.registry import FORMATS
from graph.formats.telling import tellings
from graph.model import Event, Mention, Participant, Sentence, Story
from graph.store import open_graph

LAYER = {"Story", "Sentence", "Participant", "Mention"}
JOINS = {"HAS_SENTENCE", "NEXT", "IN_STORY", "REFERS_TO", "IN_SENTENCE"}
TEXT = "Ann's boss Bob\tleft.\n\nHe took Ann's mother-in-law\u00a0home; “why?” she cried."


def layer(store):
    """The lines of the canonical text that the layer of text has."""
    found = []
    ids = {node.id for node in elements.nodes(store, LAYER)}
    for line in canonical_lines(store):
        kind, *rest = json.loads(line)
        if kind in LAYER or (kind in JOINS and set(rest[:2]) <= ids):
            found.append(line)
    return found


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """A story with spans that nest, cross, repeat, end inside words and hold no word."""
    batch = BatchBuilder()
    story = batch.node(Story(id="s", dataset="text", key="a (b) c", text=TEXT))
    spans = [(0, 20), (22, len(TEXT))]
    sentences = [
        batch.node(Sentence(id=f"x{at}", index=at, text=TEXT[a:b], start=a, end=b))
        for at, (a, b) in enumerate(spans)
    ]
    for sentence in sentences:
        batch.edge("HAS_SENTENCE", story, sentence)
    batch.edge("NEXT", *sentences)
    names = {
        "Ann": [(0, 3), (30, 33), (30, 33), (61, 64)],
        "Bob": [(0, 14), (6, 14), (22, 24)],
        "mother": [(30, 49), (36, 49), (41, 60)],
        "home": [(50, 54), (45, 52)],
        "nobody": [],
        "space": [(20, 22), (5, 5)],
    }
    for name, mentions in names.items():
        who = batch.node(
            Participant(
                id=name, name=name, source="gold", animate=None if name != "home" else False
            )
        )
        batch.edge("IN_STORY", who, story)
        for at, (a, b) in enumerate(mentions):
            mention = batch.node(Mention(id=f"{name}{at}", text=TEXT[a:b], start=a, end=b))
            batch.edge("REFERS_TO", mention, who)
            for sentence, (start, end) in zip(sentences, spans, strict=True):
                if a < end and start < b:
                    batch.edge("IN_SENTENCE", mention, sentence)
    start = TEXT.index("took")
    event = batch.node(
        Event(id="e", predicate="take", text="took", start=start, end=start + 4, index=0)
    )
    batch.edge("IN_SENTENCE", event, sentences[1])
    for name, role in (("Bob", "agent"), ("mother", "patient")):
        who = Participant(id=name, name=name, source="gold").ref
        batch.edge("HAS_ARGUMENT", event, who, role=role)
    with open_graph(tmp_path_factory.mktemp("told") / "graph") as store:
        store.write(batch.build())
        yield store


@pytest.mark.parametrize("which", ["predicted", "told", "hostile"])
def test_tokens_cover_the_text_and_every_span_is_whole_tokens(which, request):
    for telling in tellings(Selection(request.getfixturevalue(which))):
        text, at = telling.story.text, 0
        for token in telling.tokens:
            assert text[at : token.start].strip() == ""
            assert text[token.start : token.end].strip() == text[token.start : token.end] != ""
            at = token.end
        assert text[at:].strip() == ""
        for mention, _, _ in telling.mentions:
            if found := telling.span(mention.start, mention.end):
                first, last = (telling.tokens[each] for each in found)
                words = text[mention.start : mention.end]
                assert text[first.start : last.end] == words.strip()
            else:
                assert text[mention.start : mention.end].strip() == ""


@pytest.mark.parametrize("which", ["predicted", "told", "hostile"])
def test_conll_and_back_is_the_same_layer(which, request, tmp_path):
    store = request.getfixturevalue(which)
    out = tmp_path / "text.conll"
    written = FORMATS.get("conll").write(Selection(store), out)
    with open_graph(tmp_path / "copy") as copy, FORMATS.get("conll").read(out) as content:
        assert elements.load(copy, content.nodes, content.edges) == written[:2]
        assert layer(copy) == layer(store)


def conll_spans(path):
    """Mentions of a CoNLL file, as scorers read them: document -> cluster, first and last word."""
    found, words = {}, []
    for line in path.read_text(encoding="utf-8").split("\n"):
        if line.startswith("#begin document"):
            name = re.fullmatch(r"#begin document \((\S+)\); part 000", line)[1]
            here, stacks, words = [], defaultdict(list), []
        elif line.startswith("#end document"):
            assert not any(stacks.values()), "a bracket that is not closed"
            found[name] = (words, Counter(here))
        elif line and not line.startswith("#"):
            columns = line.split()
            assert len(columns) == 12
            assert columns[0] == name
            at = len(words)
            words.append(columns[3])
            for part in columns[-1].split("|") if columns[-1] != "-" else ():
                cluster = int(part.strip("()"))
                if part.startswith("("):
                    stacks[cluster].append(at)
                if part.endswith(")"):
                    here.append((cluster, stacks[cluster].pop(), at))
    return found


def test_a_reader_of_conll_sees_the_words_and_the_mentions(predicted, told, tmp_path):
    for store in (predicted, told):
        out = tmp_path / "text.conll"
        FORMATS.get("conll").write(Selection(store), out)
        found = conll_spans(out)
        for telling in tellings(Selection(store)):
            words, spans = found[re.sub(r"[\s()]", "_", telling.story.key)]
            assert words == [telling.story.text[a:b] for a, b in telling.tokens]
            wanted = Counter(
                (cluster, *span)
                for mention, cluster, _ in telling.mentions
                if (span := telling.span(mention.start, mention.end))
            )
            # The notation cannot tell crossing spans of one cluster from nesting ones.
            crossing = {
                one[0]
                for one in wanted
                for other in wanted
                if one[0] == other[0] and one[1] < other[1] <= one[2] < other[2]
            }
            for cluster in {each[0] for each in wanted} - crossing:
                assert {s: n for s, n in spans.items() if s[0] == cluster} == {
                    s: n for s, n in wanted.items() if s[0] == cluster
                }
            names = {telling.participants[each].name for each in crossing}
            assert names == (set() if store is predicted else {"home", "mother"})


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("(0)", "(1)", r"line \d+: .*\(1\)' is not what the document's ids and texts give"),
        ("\tleft\t", "\tLeft\t", r"line \d+: .* is not what"),
        ('"start": 22', '"start": "x"', r"line \d+: .*start"),
        ('"cluster": 0', '"cluster": 77', "line 1: not a document"),
        ("#end document", "", "line 1: a document that does not end"),
        ("# story", "# tale", "line 1: not a document"),
    ],
)
def test_a_changed_conll_file_is_refused_with_its_place(told, old, new, says, tmp_path):
    out = tmp_path / "text.conll"
    FORMATS.get("conll").write(Selection(told), out)
    text = out.read_text(encoding="utf-8")
    assert old in text
    out.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DataError, match=says), FORMATS.get("conll").read(out) as content:
        list(content.nodes)


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


@pytest.mark.parametrize("which", ["predicted", "told"])
def test_booknlp_files_hold_the_layer(which, request, tmp_path):
    store = request.getfixturevalue(which)
    out = tmp_path / "books"
    FORMATS.get("booknlp").write(Selection(store), out)
    index = {row["id"]: row["file"] for row in table(out / "stories.tsv")}
    told = {telling.story.id: telling for telling in tellings(Selection(store))}
    assert set(index) == set(told)
    for id, telling in told.items():
        name = index[id]
        text = (out / f"{name}.txt").read_bytes().decode()
        assert text == telling.story.text
        tokens = table(out / f"{name}.tokens")
        assert tuple(tokens[0]) == TOKENS
        assert [(int(t["byte_onset"]), int(t["byte_offset"])) for t in tokens] == [
            tuple(token) for token in telling.tokens
        ]
        assert [text[int(t["byte_onset"]) : int(t["byte_offset"])] for t in tokens] == [
            t["word"] for t in tokens
        ]
        assert [int(t["sentence_ID"]) for t in tokens] == list(telling.sentence_of)
        entities = table(out / f"{name}.entities")
        assert not entities or tuple(entities[0]) == ENTITIES
        spans = Counter(
            (int(e["COREF"]), tokens[int(e["start_token"])]["byte_onset"],
             tokens[int(e["end_token"])]["byte_offset"]) for e in entities
        )  # fmt: skip
        wanted = Counter()
        for mention, cluster, _ in telling.mentions:
            words = telling.story.text[mention.start : mention.end]
            if words.strip():
                start = mention.start + len(words) - len(words.lstrip())
                wanted[cluster, str(start), str(start + len(words.strip()))] += 1
        assert spans == wanted
        characters = json.loads((out / f"{name}.book").read_text(encoding="utf-8"))["characters"]
        assert {c["id"]: c["fabula"]["id"] for c in characters} == {
            at: each.id for at, each in enumerate(telling.participants)
        }
        for character in characters:
            counted = sum(each["c"] for kind in character["mentions"].values() for each in kind)
            assert counted == character["count"]
    with pytest.raises(UsageError, match="written only"):
        FORMATS.get("booknlp").read(out)


def test_booknlp_says_who_does_what(told, tmp_path):
    out = tmp_path / "books"
    FORMATS.get("booknlp").write(Selection(told), out)
    characters = json.loads((out / "s.book").read_text(encoding="utf-8"))["characters"]
    by_name = {each["fabula"]["name"]: each for each in characters}
    tokens = table(out / "s.tokens")
    (does,) = by_name["Bob"]["agent"]
    assert does == {"w": "took", "i": next(n for n, t in enumerate(tokens) if t["word"] == "took")}
    assert by_name["mother"]["patient"] == [does]
    assert [t["word"] for t in tokens if t["event"] == "EVENT"] == ["took"]
    assert by_name["Bob"]["mentions"]["pronoun"] == [{"c": 1, "n": "He"}]
    assert by_name["Ann"]["mentions"]["proper"][0] == {"c": 3, "n": "Ann"}
    kinds = {row["text"]: row["cat"] for row in table(out / "s.entities")}
    assert (kinds["home"], kinds["He"]) == ("-", "PER")


@pytest.mark.parametrize(
    ("text", "kind"),
    [("She", "PRON"), ("Mr. Adeyemi", "PROP"), ("The old dog", "NOM"), ("kettle", "NOM"),
     ("the Browns", "PROP"), ("", "NOM")],
)  # fmt: skip
def test_kinds_of_mentions(text, kind):
    assert proper(text) == kind
