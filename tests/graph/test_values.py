# SPDX-License-Identifier: Apache-2.0
"""Times are written the same for every engine."""

from __future__ import annotations

import pytest

from graph.values import duration_text, time_text


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("2024-02-03T01:02Z", "2024-02-03T01:02:00Z"),
        ("2024-02-03T01:02:03.500000000+00:00", "2024-02-03T01:02:03.5Z"),
        ("2024-02-03T01:02:03+01:00[Europe/Berlin]", "2024-02-03T01:02:03+01:00"),
        ("01:02", "01:02:00"),
        ("2024-02-03", "2024-02-03"),
        ("at 01:02", "at 01:02"),
        ("", ""),
    ],
)
def test_times(given, written):
    assert time_text(given) == written
    assert time_text(written) == written


@pytest.mark.parametrize(
    ("parts", "written"),
    [
        ((14, 3, 14706, 500_000_000), "P1Y2M3DT4H5M6.5S"),
        ((0, 0, 0, 0), "PT0S"),
        ((-1, 0, 0, 0), "P-1M"),
        ((0, 10, 0, 0), "P10D"),
        ((0, 0, 90_000, 0), "PT25H"),
        ((0, 0, 50, 0), "PT50S"),
        ((0, 0, -1, -500_000_000), "PT-1.5S"),
        ((0, 0, 0, 1), "PT0.000000001S"),
    ],
)
def test_durations(parts, written):
    assert duration_text(*parts) == written
