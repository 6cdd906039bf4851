# SPDX-License-Identifier: Apache-2.0
"""Readers of the training corpora: treebanks, coreference, pieces."""

from __future__ import annotations

import io
import lzma
import random
import tarfile

import pytest

from graph.errors import DataError
from ingest.training import coref_data
from ingest.training.coref_data import CorefText, litbank, ontogum, pieces
from ingest.training.corpora import treebank

CONLLU = """\
# newdoc id = one
# text = Ann can't go. She cried.
1\tAnn\tAnn\tPROPN\tNNP\tNumber=Sing\t4\tnsubj\t_\tEntity=(1)
2-3\tcan't\t_\t_\t_\t_\t_\t_\t_\t_
2\tca\tcan\tAUX\tMD\t_\t4\taux\t_\t_
3\tn't\tnot\tPART\tRB\t_\t4\tadvmod\t_\t_
4\tgo\tgo\tVERB\tVB\t_\t0\troot\t_\tSpaceAfter=No
4.1\tthere\tthere\tADV\tRB\t_\t_\t_\t_\t_
5\t.\t.\tPUNCT\t.\t_\t4\tpunct\t_\t_

# text = She cried with her dog.
1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\tEntity=(1)
2\tcried\tcry\tVERB\tVBD\t_\t0\troot\t_\t_
3\twith\twith\tADP\tIN\t_\t5\tcase\t_\t_
4\ther\ther\tPRON\tPRP$\t_\t5\tnmod:poss\t_\tEntity=(2(1)
5\tdog\tdog\tNOUN\tNN\t_\t2\tobl\t_\tEntity=2)

# newdoc id = two
1\tIt\tit\tPRON\tPRP\t_\t2\tnsubj\t_\tEntity=(9)
2\train\train\tVERB\tVB\t_\t0\troot\t_\t_
"""


@pytest.fixture(params=["plain", "xz"])
def conllu(tmp_path, request):
    path = tmp_path / "a.conllu"
    if request.param == "xz":
        path.with_name("a.conllu.xz").write_bytes(lzma.compress(CONLLU.encode()))
    else:
        path.write_text(CONLLU, encoding="utf-8")
    return path


def test_treebank(conllu):
    one, two = treebank(conllu)
    assert (one.id, len(one.sentences), two.id) == ("one", 2, "two")
    first = one.sentences[0]
    assert [token.form for token in first] == ["Ann", "ca", "n't", "go", "."]
    assert [token.head for token in first] == [3, 3, 3, 3, 3]
    text = "".join(token.form + " " * token.space for token in first)
    assert text == "Ann can't go. "


def test_a_missing_corpus_is_named(tmp_path):
    with pytest.raises(DataError, match=r"a\.conllu is not there"):
        list(treebank(tmp_path / "a.conllu"))


def test_ontogum_leaves_singletons_out(conllu):
    one, two = ontogum(conllu)
    assert one.clusters == (((0, 0), (5, 5), (8, 8)),)
    assert two.clusters == ()
    assert one.tokens[5] == "She"


def test_litbank_portions_are_disjoint_and_whole(tmp_path):
    path = tmp_path / "coref.tar.xz"
    rows = ["#begin document (x); part 0"]
    words = [("Sir", "(0"), ("Walter", "0)"), ("saw", ""), ("his", "(1|(0)"), ("son", "1)")]
    for index, (word, cell) in enumerate(words):
        rows.append("\t".join(["x", "0", str(index), word, *"________", cell]))
    with tarfile.open(path, "w:xz") as tar:
        for number in range(23):
            content = "\n".join(rows).encode()
            info = tarfile.TarInfo(f"conll/{number:02}.conll")
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    ids = {name: [text.id for text in litbank(path, name)] for name in ("train", "dev", "test")}
    assert ids["test"] == ["00", "10", "20"]
    assert ids["dev"] == ["05", "15"]
    assert sorted(name for some in ids.values() for name in some) == [
        f"{number:02}" for number in range(23)
    ]
    assert next(litbank(path, "test")).clusters == (((0, 1), (3, 3)),)


def test_an_unopened_bracket_is_an_error():
    with pytest.raises(DataError, match="closes 4"):
        coref_data._clusters("x", ["", "4)"])


@pytest.mark.parametrize("rng", [None, random.Random(1)])
def test_pieces_hold_every_word_once_and_only_whole_mentions(rng):
    sentences = (*(tuple(f"{s}.{w}" for w in range(7)) for s in range(20)), ("long",) * 70)
    clusters = (((0, 0), (8, 9), (139, 139)), ((1, 1), (2, 3)))
    text = CorefText("t", sentences, clusters)
    cut = list(pieces(text, 30, rng))
    assert tuple(token for piece in cut for token in piece.tokens) == text.tokens
    assert all(len(piece.tokens) <= 30 for piece in cut)
    start = 0
    for piece in cut:
        for cluster in piece.clusters:
            assert len(cluster) > 1
            whole = [(a + start, b + start) for a, b in cluster]
            assert any(set(whole) <= set(gold) for gold in clusters)
        start += len(piece.tokens)
