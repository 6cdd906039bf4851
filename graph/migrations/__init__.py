# SPDX-License-Identifier: Apache-2.0
"""Schema versions: each migration takes a graph from one version to the next.

A migration is a module `mNNNN_what.py` beside this file with a function `migrate(store)`, listed
in `MIGRATIONS` under the version that it leads to. It must be safe to run again after a kill.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from graph import queries
from graph.errors import MigrationError
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
    """
    found = version_of(store)
    if found is None:
        store.apply_schema()
        _set_version(store, SCHEMA_VERSION)
    elif found < SCHEMA_VERSION:
        raise MigrationError(
            f"the graph {store.url} has schema version {found}, this Fabula needs "
            f"{SCHEMA_VERSION}: run `fabula graph migrate --graph {store.url}`"
        )
    elif found > SCHEMA_VERSION:
        raise MigrationError(
            f"the graph {store.url} has schema version {found}, this Fabula knows "
            f"{SCHEMA_VERSION} at most: upgrade fabula"
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
        MigrationError: a step is missing.
    """
    passed: list[int] = []
    current = version_of(store) or target
    for version in range(current + 1, target + 1):
        if version not in migrations:
            raise MigrationError(f"there is no migration to schema version {version}")
        importlib.import_module(migrations[version]).migrate(store)
        store.apply_schema()
        _set_version(store, version)
        passed.append(version)
    return passed


def _set_version(store: GraphStore, version: int) -> None:
    from graph.version import __version__

    values = {"version": version, "created_by": __version__}
    store.transact(lambda tx: tx.run(queries.SET_META, values))
