# SPDX-License-Identifier: Apache-2.0
"""Every error that Fabula raises on purpose.

    FabulaError                     root: something the caller can act on
    ├── UsageError                  an argument, option or value that cannot be used
    │   └── UnknownNameError        a name that no registry holds (with suggestions)
    ├── MissingExtraError           an optional dependency is not installed
    ├── DataError                   data on disk is missing, malformed or changed
    │   └── RecordError             one row of a data file is malformed
    ├── GraphError                  the story graph refused or failed
    │   ├── SchemaError             a node, edge, label or property outside the schema
    │   ├── GraphBusyError          another process holds the graph's folder
    │   ├── GraphConnectionError    the server cannot be reached or refused the login
    │   ├── QueryError              the engine refused a query
    │   │   ├── ReadOnlyError       a read-only query tried to write
    │   │   └── QueryTimeoutError   a query ran past its time limit
    │   ├── MigrationError          the graph was made by another schema version
    │   └── UnfinishedError         a restore or copy into the graph was stopped
    └── RunError                    a benchmark run cannot start, go on or be written

Each message says what was wrong, the value seen, and what to do. The command line
prints the message without a traceback and exits with code 2.
"""

from __future__ import annotations


class FabulaError(Exception):
    """Root of the tree: something the caller can act on."""


class UsageError(FabulaError):
    """An argument, option or value that cannot be used."""


class UnknownNameError(UsageError):
    """A name that no registry holds; the message suggests the nearest names."""


class MissingExtraError(FabulaError):
    """An optional dependency is not installed; the message says what to install."""


class DataError(FabulaError):
    """Data on disk is missing, malformed or not what its checksum says."""


class RecordError(DataError):
    """One row of a data file is malformed.

    Attributes:
        reason: what is wrong, without the value seen, so that rows can be counted by it.
        field: the field, where there is one.
        file: path below the data folder, where known.
        line: line in the file, from 1; 0 where not known.
    """

    def __init__(self, reason: str, *, field: str = "", file: str = "", line: int = 0) -> None:
        place = [file and f"{file}, line {line}", field and f"field {field}", reason]
        super().__init__(": ".join(part for part in place if part))
        self.reason = reason
        self.field = field
        self.file = file
        self.line = line


class GraphError(FabulaError):
    """The story graph refused or failed."""


class SchemaError(GraphError):
    """A node, edge, label or property that the schema does not declare."""


class GraphBusyError(GraphError):
    """Another process holds the graph's folder."""


class GraphConnectionError(GraphError):
    """The graph's server cannot be reached or refused the login."""


class QueryError(GraphError):
    """The engine refused a query; the message holds the engine's own words."""


class ReadOnlyError(QueryError):
    """A query that may only read tried to write."""


class QueryTimeoutError(QueryError):
    """A query ran past its time limit and was stopped."""


class MigrationError(GraphError):
    """The graph was made by another schema version than this code's."""


class UnfinishedError(GraphError):
    """A restore or copy into the graph was stopped: it holds only a part."""


class RunError(FabulaError):
    """A benchmark run cannot start, go on or be written."""
