#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Freezes a graph of the current schema version for the tests of migrations.

    python scripts/freeze_schema_version.py [--replace]

Writes tests/graph/data/schema-vN.backup: the bundled sample, and by hand one of each label and
edge type that the sample lacks. Run it once for each new `SCHEMA_VERSION`, and commit the file:
from then on `tests/graph/test_versions.py` proves that graphs of that version still migrate. The
file of a version that users have must not change any more; `--replace` is for one that nobody has.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from graph.backup import backup  # noqa: E402 - the checkout's own, installed or not
from graph.batch import BatchBuilder, GraphBatch  # noqa: E402
from graph.ids import make_id  # noqa: E402
from graph.model import (  # noqa: E402
    ComplexEvent,
    Event,
    Factor,
    FactorSet,
    Mention,
    Model,
    Node,
    Participant,
    Reasoner,
    Ref,
    Run,
    Sentence,
    Story,
)
from graph.schema import SCHEMA_VERSION, shape  # noqa: E402
from graph.store import GraphStore, open_graph  # noqa: E402
from ingest.run import ingest  # noqa: E402
from ingest.source import SAMPLE, Source  # noqa: E402


def frozen(version: int) -> Path:
    """The file of a schema version."""
    return ROOT / "tests" / "graph" / "data" / f"schema-v{version}.backup"


def fill(store: GraphStore) -> None:
    """Fills an empty graph with what a file holds."""
    ingest(store, "all", Source(SAMPLE))
    store.write(by_hand())


def by_hand() -> GraphBatch:
    """A story with what the sample lacks: events, and a run with predictions."""
    batch = BatchBuilder()

    def add(node: Node) -> Ref:
        return batch.node(node)

    text = "Ann fell."
    story = add(Story(id=_id("Story"), dataset="text", key="frozen", text=text, title="Frozen"))
    sentence = add(Sentence(id=_id("Sentence"), index=0, text=text, start=0, end=len(text)))
    ann = add(Participant(id=_id("Participant"), name="Ann", source="derived", animate=True))
    mention = add(Mention(id=_id("Mention"), text="Ann", start=0, end=3))
    event = add(
        Event(
            id=_id("Event"), predicate="fall", text="fell", start=4, end=8, index=0,
            polarity="positive", modality="realis",
        )
    )  # fmt: skip
    unit = add(
        ComplexEvent(id=_id("Unit"), dataset="text", split="test", key="frozen", role="agent")
    )
    factors = add(FactorSet(id=_id("Set"), source="predicted", item="frozen", texts=("Ann fell",)))
    factor = add(
        Factor(
            id=_id("Factor"), source="predicted", item="frozen", index=0, text="Ann fell",
            confidence=0.25,
        )
    )  # fmt: skip
    run = add(
        Run(
            id=_id("Run"), task="poque.factors", reasoner="frozen", split="test",
            setting="oracle", seed=0, settings="{}", version="0", started="2026-01-01T00:00:00Z",
        )
    )  # fmt: skip
    reasoner = add(Reasoner(id=_id("Reasoner"), name="frozen", version="1"))
    model = add(Model(id=_id("Model"), name="frozen", revision="1", sha256="0" * 64))
    batch.edge("HAS_SENTENCE", story, sentence)
    batch.edge("IN_STORY", ann, story)
    batch.edge("REFERS_TO", mention, ann)
    batch.edge("IN_SENTENCE", mention, sentence)
    batch.edge("IN_SENTENCE", event, sentence)
    batch.edge("HAS_ARGUMENT", event, ann, role="agent")
    batch.edge("OF_STORY", unit, story)
    batch.edge("HAS_PARTICIPANT", unit, ann)
    batch.edge("HAS_FACTOR", factors, factor)
    batch.edge("GROUNDED_IN", factor, event)
    for claim in (factors, factor):
        batch.edge("ABOUT", claim, unit)
        batch.edge("PRODUCED", run, claim)
        batch.edge("EVIDENCED_BY", claim, sentence)
    batch.edge("MADE_BY", run, reasoner)
    batch.edge("LOADS", reasoner, model)
    return batch.build()


def _id(name: str) -> str:
    return make_id("frozen", name)


def main() -> int:
    """Command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--replace", action="store_true", help="the version was never released")
    given = parser.parse_args()
    out = frozen(SCHEMA_VERSION)
    if out.exists() and not given.replace:
        print(
            f"{out} is there already. If users have graphs of version {SCHEMA_VERSION}, raise "
            "SCHEMA_VERSION in graph/schema.py; if nobody has, give --replace",
            file=sys.stderr,
        )
        return 1
    out.parent.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, open_graph(Path(folder) / "graph") as store:
        fill(store)
        made = backup(store, out, force=True)
    names = {each.name for each in (*shape().labels, *shape().edges)}
    print(f"{out}: {out.stat().st_size:,} bytes; lacks {sorted(names - set(made.trailer.sums))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
