# SPDX-License-Identifier: Apache-2.0
"""Readers of data sets, and the run that brings what they read into the story graph."""
