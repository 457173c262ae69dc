"""`analyzer train` at the terminal."""

from __future__ import annotations

import json

import pytest


def test_one_knight(analyzer, tmp_path):
    done = analyzer("train", "4d12", "--games", "5000", "--rule", "days=2", "--out", str(tmp_path))
    assert done.code == 0
    assert "First training" in done.out
    folder = tmp_path / "ritter" / "train-4d12-rule=days=2-games=5000"
    assert {p.name for p in folder.glob("*.png")} == {"allocations.png", "field.png", "plans.png"}


def test_json_is_one_document(analyzer):
    answer = json.loads(analyzer("train", "Harald", "--games", "5000", "--rule", "days=1", "--json").out)
    assert answer["facts"]["knight"] == "Harald"
    best = answer["tables"]["allocations"][0]
    assert {"training", "odds", "win", "verdict"} <= set(best)
    assert best["win"]["low"] < best["win"]["estimate"] < best["win"]["high"]
    other = json.loads(analyzer("train", "Lothar", "--games", "5000", "--rule", "days=1", "--json").out)
    assert other["inputs_hash"] != answer["inputs_hash"]


@pytest.mark.parametrize("arguments", [("9x",), ("3d1", "--rule", "x=1"), ("3d1", "--field-train", "horse")])
def test_bad_input_is_one_line_and_exit_2(analyzer, arguments):
    done = analyzer("train", *arguments)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
