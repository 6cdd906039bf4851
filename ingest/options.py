# SPDX-License-Identifier: Apache-2.0
"""Options that several command lines share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

GraphOption = Annotated[
    str | None,
    typer.Option(
        "--graph",
        "-g",
        metavar="FOLDER|URL",
        help="Folder of the embedded graph, or bolt://HOST:PORT. "
        "Default: FABULA_GRAPH, else ./fabula-graph.",
        show_default=False,
    ),
]
DataOption = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="FOLDER",
        help="Folder with poque/, pasta/ and choice-75/. Default: FABULA_DATA, else ./data, "
        "else a download into ./data, else the bundled sample.",
        show_default=False,
    ),
]
SeedOption = Annotated[
    int, typer.Option("--seed", help="Seed of random answers and of the intervals.")
]
BertScoreOption = Annotated[
    str | None,
    typer.Option(
        "--bertscore",
        metavar="ENCODER",
        help="Add BERTScore: minilm, a model's folder, or a model of Hugging Face.",
    ),
]
BertScoreLayerOption = Annotated[
    int | None,
    typer.Option("--bertscore-layer", min=1, help="Its layer. Default: the encoder's own."),
]
