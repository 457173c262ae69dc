"""`analyzer train` at the terminal."""

from __future__ import annotations

import pytest

from tests.cli.program import document, run


def test_one_knight(tmp_path):
    code, printed, _ = run("train", "4d12", "--games", "5000", "--rule", "days=2", "--out", str(tmp_path))
    assert code == 0
    assert "First training" in printed
    folder = tmp_path / "ritter" / "train" / "4d12"
    assert {p.name for p in folder.glob("*.png")} == {"allocations.png", "field.png", "plans.png"}


def test_json_is_one_document():
    answer = document("train", "Harald", "--games", "5000", "--rule", "days=1")
    assert answer["knight"] == "Harald"
    assert {"training", "odds", "win", "win_low", "win_high", "verdict"} <= set(answer["allocations"][0])


@pytest.mark.parametrize("arguments", [("9x",), ("3d1", "--rule", "x=1"), ("3d1", "--field-train", "horse")])
def test_bad_input_is_one_line_and_exit_2(arguments):
    code, printed, error = run("train", *arguments)
    assert code == 2
    assert printed == ""
    assert error
    assert "\n" not in error
