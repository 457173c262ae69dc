"""`analyzer joust` at the terminal."""

from __future__ import annotations

import json

import pytest


def test_json_is_one_document_with_the_promised_keys(analyzer):
    answer = json.loads(analyzer("joust", "3d123", "4d1123w2", "--games", "20000", "--yield-a", "5", "--json").out)
    assert {"exact", "wounds", "rounds", "simulated"} <= set(answer)
    assert set(answer["wounds"][0]) == {"winner", "attacker", "defender", "p"}
    assert abs(sum(answer["exact"].values()) - 1) < 1e-12


def test_report_is_written_whole(analyzer, tmp_path):
    done = analyzer("joust", "Apollonius", "Harald", "--games", "20000", "--out", str(tmp_path))
    folder = tmp_path / "ritter" / "joust" / "Apollonius-Harald"
    assert done.code == 0
    assert "Apollonius (3d123) attacking wins 40.7%" in done.out
    assert {p.name for p in folder.iterdir()} == {
        *("report.md", "report.html", "run.json", "odds.csv", "rounds.csv", "wounds.csv", "wounds.png"),
    }
    assert json.loads((folder / "run.json").read_text())["result"]["exact"]["attacker"] == pytest.approx(0.40695909)


def test_field(analyzer, tmp_path):
    done = analyzer("joust", "--field", "--out", str(tmp_path), "--train", "mounted,dice")
    assert done.code == 0
    assert "Not equal" in done.out
    assert (tmp_path / "ritter" / "field" / "field.png").exists()


@pytest.mark.parametrize(
    "arguments",
    [
        ("9x", "3d1"),
        ("3d127", "3d1"),
        ("3d111", "3d1"),
        ("0d1", "3d1"),
        ("3d1w10", "3d1"),
        ("3d1",),
        (),
        ("3d1", "3d1", "--field"),
        ("3d1", "3d1", "--rule", "yield_order=sideways"),
        ("3d1", "3d1", "--rule", "nonsense"),
        ("3d1", "3d1", "--yield-a", "soon"),
        ("3d11", "3d1", "--train-a", "1"),
        ("3d1", "3d1", "--train", "horse"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(analyzer, arguments):
    done = analyzer("joust", *arguments)
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert done.err.count("\n") == 1
