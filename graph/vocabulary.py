# SPDX-License-Identifier: Apache-2.0
"""Fixed vocabularies of the annotations."""

CHANGE_MODES = ("Existence", "Feeling", "Location", "Possession", "Other_Way")
"""POQue's change modes (section 3.1), in the paper's order."""
