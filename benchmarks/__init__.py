# SPDX-License-Identifier: Apache-2.0
"""Runs tasks, scores what the graph holds, and reports it."""
