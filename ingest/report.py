# SPDX-License-Identifier: Apache-2.0
"""What an ingest did, in figures."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class DatasetReport(BaseModel):
    """What was done with one data set. Rows that were read are written, unchanged or rejected."""

    model_config = ConfigDict(frozen=True)

    dataset: str
    """Name of the data set."""
    origin: str
    """Where its files came from: `given`, `environment`, `folder`, `downloaded` or `sample`."""
    read: int
    """Rows read."""
    written: int
    """Rows that are new in the graph, or changed."""
    changed: int
    """Of those written: rows of which the graph held another version."""
    unchanged: int
    """Rows that the graph held already."""
    rejected: dict[str, int]
    """Reason -> number of malformed rows."""
    kept: int
    """Rows in the graph that the files do not give any more, and that stay there."""
    pruned: int
    """The same, where they were to be removed."""
    nodes: int
    """Nodes created."""
    edges: int
    """Edges created."""
    seconds: float
    """Wall-clock time."""

    @property
    def rejections(self) -> int:
        """Number of malformed rows."""
        return sum(self.rejected.values())


class IngestReport(BaseModel):
    """What an ingest did."""

    model_config = ConfigDict(frozen=True)

    datasets: tuple[DatasetReport, ...]
    """One entry a data set, in the order of the call."""
    notices: tuple[str, ...]
    """What the user should know about the files."""
    rejects: str | None
    """File with the malformed rows, if there are any."""

    @property
    def rejections(self) -> int:
        """Number of malformed rows in all."""
        return sum(report.rejections for report in self.datasets)
