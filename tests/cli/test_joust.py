"""`analyzer joust` at the terminal."""

from __future__ import annotations

import json

import pytest

from tests.cli.program import document, run


def test_json_is_one_document_with_the_promised_keys():
    answer = document("joust", "3d123", "4d1123w2", "--games", "20000", "--yield-a", "5")
    assert {"exact", "wounds", "rounds", "simulated"} <= set(answer)
    assert set(answer["wounds"][0]) == {"winner", "attacker", "defender", "p"}
    assert abs(sum(answer["exact"].values()) - 1) < 1e-12


def test_report_is_written_whole(tmp_path):
    code, printed, _ = run("joust", "Apollonius", "Harald", "--games", "20000", "--out", str(tmp_path))
    folder = tmp_path / "ritter" / "joust" / "Apollonius-Harald"
    assert code == 0
    assert "Apollonius (3d123) attacking wins 40.7%" in printed
    assert {p.name for p in folder.iterdir()} == {
        *("report.md", "report.html", "run.json", "odds.csv", "rounds.csv", "wounds.csv", "wounds.png"),
    }
    assert json.loads((folder / "run.json").read_text())["result"]["exact"]["attacker"] == pytest.approx(0.40695909)


def test_field(tmp_path):
    code, printed, _ = run("joust", "--field", "--out", str(tmp_path), "--train", "mounted,dice")
    assert code == 0
    assert "Not equal" in printed
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
def test_bad_input_is_one_line_and_exit_2(arguments):
    code, printed, error = run("joust", *arguments)
    assert code == 2
    assert printed == ""
    assert error
    assert "\n" not in error
