"""`analyzer yield` at the terminal."""

from __future__ import annotations

import pytest

from tests.cli.program import document, run


def test_prices_by_hand_need_no_tournament(tmp_path):
    answer = document("yield", "4d1123", "5d12", "--prices", "0.3", "--yield-b", "best")
    assert len(answer["map"]) == 81
    assert {"own", "other", "yield", "fight_worth"} == set(answer["map"][0])
    assert answer["tournaments"] is None
    code, printed, _ = run("yield", "4d1123", "5d12", "--prices", "0.3", "--out", str(tmp_path))
    assert code == 0
    assert "the best map" in printed
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
def test_bad_input_is_one_line_and_exit_2(arguments):
    code, printed, error = run("yield", *arguments)
    assert code == 2
    assert printed == ""
    assert error
    assert "\n" not in error
