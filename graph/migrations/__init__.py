# SPDX-License-Identifier: Apache-2.0
"""Schema versions: each migration takes a graph from one version to the next.

A migration is a module `mNNNN_what.py` beside this file with a function `migrate(store)`, listed
in `MIGRATIONS` under the version that it leads to. It must be safe to run again after a kill. It
runs before the new schema is applied, and works in transactions of bounded size.

A new version takes four steps, which `tests/graph/test_versions.py` asks for one by one: raise
`SCHEMA_VERSION`, write the migration, list it here, and freeze a graph of the new version with
`python scripts/freeze_schema_version.py`.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from graph import queries
from graph.errors import MigrationError, UnfinishedError
from graph.schema import SCHEMA_VERSION
from graph.store import GraphStore

MIGRATIONS: Mapping[int, str] = {}
"""Version -> module of the migration that leads to it. Nothing leads to version 1, the first."""


def version_of(store: GraphStore) -> int | None:
    """Returns the schema version that a graph was made with, None for an empty one."""
    rows = store.read(queries.META)
    return int(rows[0]["version"]) if rows else None


def check_version(store: GraphStore) -> None:
    """Makes an empty graph ready, and refuses one of another version.

    Raises:
        MigrationError: the graph was made by another schema version; says what to run.
        UnfinishedError: the graph holds a part only.
    """
    refuse_unfinished(store)
    found = version_of(store)
    if found is None:
        store.apply_schema()
        set_version(store, SCHEMA_VERSION)
    elif found < SCHEMA_VERSION:
        raise MigrationError(
            f"the graph {store.url} has schema version {found}, this Fabula needs "
            f"{SCHEMA_VERSION}: run `fabula graph migrate --graph {store.url}`"
        )
    elif found > SCHEMA_VERSION:
        raise _too_new(store, found, SCHEMA_VERSION)


def _too_new(store: GraphStore, found: int, known: int) -> MigrationError:
    return MigrationError(
        f"the graph {store.url} has schema version {found}, this Fabula knows {known} at most: "
        "upgrade fabula"
    )


def incoming(store: GraphStore) -> str | None:
    """What is being restored or copied into a graph, None if it is whole."""
    rows = store.read(queries.INCOMING)
    return str(rows[0]["source"]) if rows else None


def refuse_unfinished(store: GraphStore) -> None:
    """Refuses a graph that holds a part only.

    Raises:
        UnfinishedError: a restore or copy into it was stopped, or is going on.
    """
    if source := incoming(store):
        raise UnfinishedError(
            f"the graph {store.url} holds only a part of {source}: run the `fabula restore` or "
            "`fabula copy` again that made it, or delete the graph"
        )


def migrate(
    store: GraphStore,
    migrations: Mapping[int, str] = MIGRATIONS,
    target: int = SCHEMA_VERSION,
) -> list[int]:
    """Brings a graph to the current version, step by step.

    Args:
        store: the graph.
        migrations: version -> module with `migrate(store)`.
        target: version to reach.

    Returns:
        The versions that were passed, empty if there was nothing to do.

    Raises:
        MigrationError: a step is missing, or the graph is newer than `target`.
        UnfinishedError: the graph holds a part only.
    """
    refuse_unfinished(store)
    passed: list[int] = []
    found = version_of(store)
    current = target if found is None else found
    if current > target:
        raise _too_new(store, current, target)
    for version in range(current + 1, target + 1):
        if version not in migrations:
            raise MigrationError(
                f"the graph {store.url} has schema version {version - 1}, and there is no "
                f"migration to version {version}: ingest it again, or use a Fabula that has one"
            )
        importlib.import_module(migrations[version]).migrate(store)
        store.apply_schema()
        set_version(store, version)
        passed.append(version)
    return passed


def set_version(store: GraphStore, version: int) -> None:
    """Notes that a graph has a schema version."""
    from graph.version import __version__

    values = {"version": version, "created_by": __version__}
    store.transact(lambda tx: tx.run(queries.SET_META, values))
