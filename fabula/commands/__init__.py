# SPDX-License-Identifier: Apache-2.0
"""The commands of `fabula`, one a file."""
