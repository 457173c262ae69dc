"""`analyzer yield` at the terminal."""

from __future__ import annotations

import json

import pytest


def test_prices_by_hand_need_no_tournament(analyzer, tmp_path):
    answer = json.loads(analyzer("yield", "4d1123", "5d12", "--prices", "0.3", "--yield-b", "best", "--json").out)
    tables = answer["tables"]
    keys = ["own wounds", *map(str, range(1, 10))]
    assert [list(row) for row in tables["map"]] == [list(row) for row in tables["fighting"]] == [keys] * 9
    for said, worth in zip(tables["map"], tables["fighting"], strict=True):
        assert all((said[key] == "yield") == (worth[key] < 0) for key in keys[1:])
    assert "tournaments" not in tables
    assert answer["games"] == 0
    done = analyzer("yield", "4d1123", "5d12", "--prices", "0.3", "--out", str(tmp_path))
    assert done.code == 0
    assert "the best map" in done.out
    assert "exact)" in done.out
    assert (tmp_path / "ritter" / "yield-4d1123-5d12-prices=0.3" / "map.png").exists()


def test_knights_and_day_stand_in_the_name_of_the_folder(analyzer, tmp_path):
    options = ("--day", "2", "--defend", "--prices", "0.3", "--quiet", "--out", str(tmp_path))
    assert analyzer("yield", "4d1123", "Harald", *options, "--scenario", "ritter/no-ladies").code == 0
    assert (tmp_path / "ritter" / "no-ladies" / "yield-4d1123-Harald-defend-day=2-prices=0.3" / "map.csv").exists()


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
