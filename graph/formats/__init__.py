# SPDX-License-Identifier: Apache-2.0
"""The graph in the formats that other tools read: one module a format, found through a registry."""
