"""`analyzer yield` at the terminal."""

from __future__ import annotations

import json

import pytest


def test_prices_by_hand_need_no_tournament(analyzer, tmp_path):
    answer = json.loads(analyzer("yield", "4d1123", "5d12", "--prices", "0.3", "--yield-b", "best", "--json").out)
    assert len(answer["map"]) == 81
    assert {"own", "other", "yield", "fight_worth"} == set(answer["map"][0])
    assert answer["tournaments"] is None
    done = analyzer("yield", "4d1123", "5d12", "--prices", "0.3", "--out", str(tmp_path))
    assert done.code == 0
    assert "the best map" in done.out
    assert (tmp_path / "ritter" / "yield" / "4d1123-5d12" / "map.png").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("9x", "3d1"),
        ("3d1", "3d1", "--prices", "x"),
        ("3d1", "3d1", "--day", "5"),
        ("3d1", "3d1", "--yield-b", "soon"),
        ("3d1", "3d1", "--rule", "days=2", "--scenario", "ritter/four-players"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(analyzer, arguments):
    done = analyzer("yield", *arguments)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
