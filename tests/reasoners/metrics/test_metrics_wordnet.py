# SPDX-License-Identifier: Apache-2.0
"""The synonym table gives nltk's METEOR what the whole of WordNet 3.0 gives it."""

from __future__ import annotations

import importlib.util
import json
import lzma
from importlib import resources
from pathlib import Path

import pytest

from graph.errors import DataError
from reasoners.metrics import text, wordnet

SCRIPT = Path(__file__).parents[3] / "scripts" / "make_meteor_table.py"

# Prediction, reference, and single_meteor_score of nltk 3.10.4 with its own reader over the dict
# files of Debian's wordnet-base 3.0-37.
GOLDEN = [
    (
        "The car stopped near the house.",
        "The automobile halted near the house.",
        0.8066666666666668,
    ),
    ("a big dog", "a large hound", 0.3333333333333333),
    ("He purchased a couch", "He bought a sofa", 0.6388888888888888),
    ("the kids were glad", "the children were happy", 0.25),
    ("geese fly south", "goose flies south", 0.625),
    ("She began to cry", "She started to weep", 0.7361111111111112),
    ("The physician cured him", "The doctor healed him", 0.9921875),
    ("they shut the door", "they closed the door", 0.9921875),
    ("A small boy ran", "A little lad ran", 0.25),
    ("He got the answer wrong", "He received an incorrect answer", 0.3),
    ("The movie was terrible", "The film was awful", 0.25),
    ("We ate dinner at home", "We had supper at home", 0.5111111111111111),
    ("The men left quickly", "The man departed rapidly", 0.7361111111111112),
    ("She hid the present", "She concealed the gift", 0.9921875),
    ("the teacher helped the pupil", "the instructor aided the student", 0.996),
    ("Nobody answered the phone", "No one replied to the telephone", 0.08620689655172413),
    ("He was extremely tired", "He was very weary", 0.46875),
    ("The storm destroyed the town", "The tempest ruined the town", 0.996),
    ("the oxen pulled the wagon", "the ox drew the waggon", 0.7500000000000001),
    ("I like to sing and dance", "I like to dance and sing", 0.8518518518518519),
    ("the cat sat on the mat", "on the mat sat the cat", 0.5),
    ("one two three four five", "one two three four five", 0.996),
    ("word", "word", 0.5),
    ("different words entirely", "nothing shared here", 0.0),
    ("", "something", 0.0),
    ("something", "", 0.0),
    ("", "", 0.0),
    ("USA wins", "America wins", 0.25),
    ("New_York is big", "NYC is large", 0.16666666666666666),
    ("the best of the worst", "the finest of the bad", 0.7500000000000001),
    ("Café au lait", "Cafe au lait", 0.625),
    ("naïve façade", "naive facade", 0.0),
    ("It it it it", "it it", 0.8522727272727273),
    ("the the the cat", "cat the", 0.45454545454545453),
    ("He said : ' stop ! '", "He said: 'halt!'", 0.14705882352941177),
    ("mice and lice", "mouse and louse", 0.16666666666666666),
    ("she has forgotten the keys", "she forgot the key", 0.6233062330623306),
    ("The firm fired its workers", "The company dismissed its employees", 0.5111111111111111),
    ("About Obama", "Obama wins the election", 0.13157894736842105),
    ("Prices rose sharply last year", "Costs increased steeply the past year", 0.1694915254237288),
]


def _names(word: str) -> set[str]:
    return {lemma.name() for s in wordnet.synonyms().synsets(word) for lemma in s.lemmas()}


@pytest.mark.parametrize(("prediction", "reference", "score"), GOLDEN)
def test_meteor_equals_nltk_with_wordnet(prediction, reference, score):
    assert text.meteor([prediction], [reference]).rows[0, 0] == score


def test_meteor_is_the_mean():
    predictions, references, scores = zip(*GOLDEN, strict=True)
    expected = 100.0 * sum(scores) / len(scores)
    assert text.meteor(predictions, references).figure == pytest.approx(expected, abs=1e-9)


def test_a_word_has_its_synonyms_from_every_part_of_speech():
    assert {"close", "shut", "unopen", "near", "finale"} <= _names("close") | _names("shut")
    assert "car" in _names("automobile")


def test_endings_are_detached():
    assert _names("automobiles") == _names("automobile")
    assert _names("purchased") >= {"buy", "purchase"}
    assert _names("firemen") == _names("fireman")


def test_exceptions_replace_the_rules():
    assert {"goose", "fathead"} <= _names("geese")
    assert "forget" in _names("forgotten")


def test_case_is_ignored_and_unknown_words_have_no_synset():
    assert _names("GEESE") == _names("geese")
    assert wordnet.synonyms().synsets("xyzzyx") == ()
    assert wordnet.synonyms().synsets("") == ()


def test_a_damaged_table_is_a_data_error(tmp_path, monkeypatch):
    monkeypatch.setattr(wordnet.resources, "files", lambda package: tmp_path)
    wordnet.synonyms.cache_clear()
    with pytest.raises(DataError, match="make_meteor_table"):
        wordnet.synonyms()
    (tmp_path / "data").mkdir()
    for content in (b"not xz", lzma.compress(b"{}"), lzma.compress(b"[")):
        (tmp_path / "data" / "wordnet-synonyms.json.xz").write_bytes(content)
        with pytest.raises(DataError, match="make_meteor_table"):
            wordnet.synonyms()


def test_the_licence_lies_beside_the_table():
    data = resources.files("reasoners.metrics") / "data"
    assert "Princeton University" in (data / "WORDNET-LICENSE").read_text(encoding="utf-8")
    assert len((data / "wordnet-synonyms.json.xz").read_bytes()) < 1_000_000


@pytest.fixture
def script():
    spec = importlib.util.spec_from_file_location("make_meteor_table", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def small_dict(tmp_path):
    folder = tmp_path / "dict"
    folder.mkdir()
    lines = {
        "noun": "00001740 03 n 02 car 0 motor_car 0 001 ~ 00001930 n 0000 | a vehicle  \n"
        "00001930 03 n 01 New_York 0 000 | a town  \n",
        "verb": "",
        "adj": "00003131 00 a 02 near(a) 0 Close 2 000 | not far  \n",
        "adv": "",
    }
    for suffix, line in lines.items():
        (folder / f"data.{suffix}").write_text("  1 This software\n" + line, encoding="ascii")
        (folder / f"{suffix}.exc").write_text("", encoding="ascii")
    (folder / "noun.exc").write_text("geese goose\n", encoding="ascii")
    return folder


def test_script_keeps_what_meteor_can_match(script, small_dict, tmp_path, capsys):
    out = tmp_path / "table.json.xz"
    assert script.main(["--dict", str(small_dict), "--out", str(out)]) == 0
    assert str(out) in capsys.readouterr().out
    parts = json.loads(lzma.decompress(out.read_bytes()))["parts"]
    assert parts["n"] == {"synsets": ["car motor_car"], "exceptions": ["geese goose"]}
    assert parts["a"] == {"synsets": ["near Close"], "exceptions": []}


def test_script_gives_the_same_bytes_again(script, small_dict):
    assert script.table(small_dict) == script.table(small_dict)


def test_script_says_what_is_missing(script, tmp_path, capsys):
    assert script.main(["--dict", str(tmp_path), "--out", str(tmp_path / "x")]) == 2
    assert "wordnet-base" in capsys.readouterr().err


def test_the_bundled_table_is_what_the_script_makes(script):
    folder = Path("/usr/share/wordnet")
    if not (folder / "data.noun").is_file():
        pytest.skip("needs WordNet 3.0: apt-get install wordnet-base")
    made = json.loads(lzma.decompress(script.table(folder)))
    file = resources.files("reasoners.metrics") / "data" / "wordnet-synonyms.json.xz"
    assert json.loads(lzma.decompress(file.read_bytes())) == made
