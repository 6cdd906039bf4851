# SPDX-License-Identifier: Apache-2.0
"""The story graph: its model, schema, store and queries."""

from graph.store import GraphStore, open_graph

__all__ = ["GraphStore", "open_graph"]
