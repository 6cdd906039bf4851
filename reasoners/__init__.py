# SPDX-License-Identifier: Apache-2.0
"""Tasks, the reasoners that answer them, and the metrics they are scored by."""
