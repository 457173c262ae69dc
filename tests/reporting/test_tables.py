"""Tables as a person reads them, JSON as a machine does."""

from __future__ import annotations

import json
import math

import numpy as np
import pandas as pd

from analyzer.reporting.report import json_text
from analyzer.reporting.tables import by_unit, markdown, readable


def test_estimates_and_intervals_share_a_cell():
    table = pd.DataFrame(
        {
            "policy": ["bold"], "games": [12345], "win": [0.25], "win_low": [0.2449], "win_high": [0.2551],
            "score": [3.14159], "score_low": [3.1], "score_high": [3.2], "share": [np.nan],
        }
    )  # fmt: skip
    assert readable(table).iloc[0].tolist() == ["bold", "12,345", "25.00% (24.49–25.51)", "3.14 (3.10–3.20)", ""]
    assert "| bold" in markdown(table)


def test_json_is_strict():
    document = {"a": np.float64("nan"), "b": [np.int64(3), float("inf")], "c": {"d": np.bool_(True)}}
    assert json.loads(json_text(document)) == {"a": None, "b": [3, None], "c": {"d": True}}


def test_nothing_is_minus_zero():
    table = pd.DataFrame({"difference": [-0.001], "difference_low": [-0.02], "difference_high": [0.02]})
    assert readable(table)["difference"].tolist() == ["0.00 (-0.02 to 0.02)"]


def test_open_ends_are_said_and_no_interval_has_two_signs_of_zero():
    assert by_unit("points", 3.0, 2.0, math.inf) == "3.00 (2.00 or more)"
    assert by_unit("points", 3.0, -math.inf, 4.0) == "3.00 (4.00 or less)"
    assert by_unit("points", 3.0, -math.inf, math.inf) == "3.00 (no bounds yet)"
    assert by_unit("share", -1e-9, -2e-9, -0.0) == "0.00% (0.00–0.00)"
    assert by_unit("share", math.nan, math.nan, math.nan) == ""
    assert by_unit("share", -0.02, -0.03, -0.01) == "-2.00% (-3.00 to -1.00)"
