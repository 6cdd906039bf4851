# SPDX-License-Identifier: Apache-2.0
"""BERTScore F1 (Zhang et al. 2020) with any encoder; needs the extra `models`.

The models, layers and formulas are those of the library bert-score. Its own loop is not used:

- it puts texts into batches in the order of a Python set, which differs from process to process
  and with it the last bits of a figure; here the order depends on the texts alone;
- it fails on empty texts under transformers 5, and prints a warning under transformers 4;
- under transformers 5 it silently loses the space that it puts before the first word for RoBERTa
  and GPT-2, which changes that word's token; here the tokenizer adds it.

A figure is comparable only with figures of the same encoder and layer: the variant names both.
"""

from __future__ import annotations

import functools
import os
import warnings
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from graph.errors import DataError, UsageError
from graph.extras import require
from ingest.encoders import MINILM, resolve_encoder, weights_sha256
from reasoners.metrics.base import Stats, mean_stats, same_length

MINILM_LAYER = 5
"""Layer of MiniLM's six: the library has no tuned one, so the last but one, as for other models."""

_BATCH = 64
_TOKENS = 512


def bertscore_f1(
    predictions: Sequence[str], references: Sequence[str], encoder: str, *, layer: int | None = None
) -> Stats:
    """BERTScore F1, mean over items, neither weighted by idf nor rescaled with a baseline.

    Args:
        predictions: n texts.
        references: n texts.
        encoder: `minilm`, a model's folder, or a model of Hugging Face.
        layer: see `load`.

    Returns:
        Rows of (F1, 1). A text without words (empty, or of characters that the encoder drops)
        on either side scores 0, both empty too.

    Raises:
        MissingExtraError: the extra `models` is not installed.
        UsageError: there is no such encoder or layer, or the lists differ in length.
        DataError: the encoder cannot be loaded.
    """
    return load(encoder, layer)(predictions, references)


def load(encoder: str, layer: int | None = None) -> BertScore:
    """Loads an encoder, once a process, on the GPU if there is one.

    Args:
        encoder: `minilm`, a model's folder, or a model of Hugging Face.
        layer: number of layers to use. Default: 5 for `minilm`; the library's own layer for
            a model that it knows, by its name or its folder's name; else the last but one.

    Returns:
        The metric.

    Raises:
        MissingExtraError: the extra `models` is not installed.
        UsageError: there is no such encoder or layer.
        DataError: the encoder cannot be loaded.
    """
    return _load(encoder, layer)


@functools.cache
def _load(encoder: str, layer: int | None) -> BertScore:
    if os.environ.get("FABULA_OFFLINE", "0") not in ("", "0"):
        os.environ.setdefault("HF_HUB_OFFLINE", "1")  # read by huggingface_hub at import
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        require("torch", "models")
        transformers = require("transformers", "models")
        require("bert_score", "models")
        utils = require("bert_score.utils", "models")
    source = resolve_encoder(encoder)
    local = Path(source).is_dir()
    with _quiet(transformers, bars=not local):
        try:
            config = transformers.AutoConfig.from_pretrained(source)
            layer = _layer(encoder, source, config, layer, utils.model2layers)
            model = utils.get_model(_path(source, config) if local else source, layer)
            tokenizer = _tokenizer(transformers, source, config)
        except UsageError:
            raise
        except Exception as error:  # a broken folder makes the libraries raise anything
            first = (str(error).splitlines() or [type(error).__name__])[0]
            raise DataError(f"encoder {encoder!r} cannot be loaded: {first}") from error
    if local:
        name = encoder if encoder == MINILM else Path(source).resolve().name
        name = f"{name} (sha256 {weights_sha256(Path(source))[:12]})"
    else:
        commit = getattr(config, "_commit_hash", None)
        name = f"{encoder} (revision {commit[:12]})" if commit else encoder
    return BertScore(f"{name}, layer {layer}", model, tokenizer)


@dataclass(frozen=True, eq=False)
class BertScore:
    """BERTScore F1 with one encoder, made by `load`; called with predictions and references.

    Attributes:
        encoder: the encoder with the hash of its weights, and the layer.
        model: the encoder, cut off after the layer.
        tokenizer: its tokenizer.
    """

    encoder: str
    model: Any
    tokenizer: Any

    def __post_init__(self) -> None:
        self.model.to("cuda" if require("torch", "models").cuda.is_available() else "cpu")

    @property
    def variant(self) -> str:
        """The exact variant in words."""
        return (
            f"bert-score {version('bert-score')}, F1, {self.encoder}, no idf, no rescaling, "
            "mean over items, empty texts score 0"
        )

    def __call__(self, predictions: Sequence[str], references: Sequence[str]) -> Stats:
        """Scores n predictions against n references; equal pairs are scored once."""
        same_length(predictions=predictions, references=references)
        pairs = list(zip(predictions, references, strict=True))
        scores = dict.fromkeys(pairs, 0.0)
        # Alike lengths share a batch; the order must not depend on anything but the texts.
        some = sorted(
            (pair for pair in scores if all(text.strip() for text in pair)),
            key=lambda pair: (len(pair[0].split()) + len(pair[1].split()), pair),
        )
        for start in range(0, len(some), _BATCH):
            chunk = some[start : start + _BATCH]
            scores.update(zip(chunk, self._match(chunk), strict=True))
        return mean_stats("bertscore_f1", self.variant, [scores[pair] for pair in pairs])

    def _match(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """F1 of each pair: greedy matching of the tokens' vectors."""
        torch = require("torch", "models")
        utils = require("bert_score.utils", "models")
        texts = sorted({text for pair in pairs for text in pair}, key=lambda t: (len(t), t))
        vectors: dict[str, tuple[Any, Any]] = {}
        for start in range(0, len(texts), _BATCH):
            vectors |= self._embed(texts[start : start + _BATCH])
        worded = [place for place, pair in enumerate(pairs) if all(t in vectors for t in pair)]
        scores = [0.0] * len(pairs)
        if not worded:
            return scores

        def side(which: int) -> tuple[Any, Any, Any]:
            chosen = [vectors[pairs[place][which]] for place in worded]
            pad = functools.partial(torch.nn.utils.rnn.pad_sequence, batch_first=True)
            masks = pad([torch.ones(len(weights), dtype=torch.bool) for _, weights in chosen])
            embedded = pad([vector for vector, _ in chosen], padding_value=2.0)
            weights = pad([weights for _, weights in chosen])
            return embedded, masks.to(embedded.device), weights

        with torch.no_grad():
            f1 = utils.greedy_cos_idf(*side(1), *side(0))[2]
        for place, score in zip(worded, f1.tolist(), strict=True):
            scores[place] = min(max(score, 0.0), 1.0)
        return scores

    def _embed(self, texts: list[str]) -> dict[str, tuple[Any, Any]]:
        """Vectors and weights of the tokens of each text that has any besides the special ones."""
        utils = require("bert_score.utils", "models")
        weights: defaultdict[int | None, float] = defaultdict(lambda: 1.0)
        for special in (self.tokenizer.sep_token_id, self.tokenizer.cls_token_id):
            weights[special] = 0.0
        embedded, mask, idf = utils.get_bert_embedding(
            texts, self.model, self.tokenizer, weights, device=self.model.device
        )
        lengths = mask.sum(dim=1).tolist()
        return {
            text: (embedded[place, :length], idf[place, :length])
            for place, (text, length) in enumerate(zip(texts, lengths, strict=True))
            if idf[place, :length].sum() > 0
        }


class _Folder(str):
    """A model's folder as the library may see it.

    The library takes every model for a T5 that has `t5` anywhere in its path, and for SciBERT
    every path that starts with `scibert`.
    """

    is_t5 = False

    def __contains__(self, part: object) -> bool:
        return self.is_t5 if part == "t5" else str(part) in str(self)


def _path(source: str, config: Any) -> _Folder:
    path = _Folder(Path(source).absolute())
    path.is_t5 = "t5" in config.model_type
    return path


def _layer(encoder: str, source: str, config: Any, layer: int | None, known: dict[str, int]) -> int:
    layers: int = config.num_hidden_layers
    if layer is None:
        by_folder = {name.rpartition("/")[2]: number for name, number in known.items()}
        layer = (
            MINILM_LAYER
            if encoder == MINILM
            else known.get(encoder) or by_folder.get(Path(source).name) or max(layers - 1, 1)
        )
    if not 1 <= layer <= layers:
        raise UsageError(f"encoder {encoder!r} has layers 1 to {layers}, not {layer}")
    return layer


def _tokenizer(transformers: Any, source: str, config: Any) -> Any:
    tokenizer = transformers.AutoTokenizer.from_pretrained(source)
    if isinstance(tokenizer, (transformers.RobertaTokenizer, transformers.GPT2Tokenizer)):
        tokenizer = transformers.AutoTokenizer.from_pretrained(source, add_prefix_space=True)
    if tokenizer.model_max_length > 1_000_000:  # not set: the library fails on that
        positions = getattr(config, "max_position_embeddings", _TOKENS + 2)
        tokenizer.model_max_length = min(_TOKENS, positions - 2)
    return tokenizer


@contextmanager
def _quiet(transformers: Any, *, bars: bool) -> Iterator[None]:
    """Silences transformers for a while; its progress bars are left where it may download."""
    logging = transformers.utils.logging
    level, shown = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    if not bars:
        logging.disable_progress_bar()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.set_verbosity(level)
        if shown:
            logging.enable_progress_bar()
