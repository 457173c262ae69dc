"""`analyzer joust` at the terminal."""

from __future__ import annotations

import json

import pytest


def test_json_is_one_document_with_the_promised_keys(analyzer):
    answer = json.loads(analyzer("joust", "3d123", "4d1123w2", "--games", "20000", "--yield-a", "5", "--json").out)
    assert set(answer["tables"]) == {"odds", "rounds", "wounds"}
    assert set(answer["tables"]["wounds"][0]) == {"winner", "attacker", "defender", "p"}
    assert abs(sum(row["exact"] for row in answer["tables"]["odds"][:3]) - 1) < 1e-12
    assert answer["facts"]["attacker"] == {"knight": "3d123", "yields_at": "5"}


def test_report_is_written_whole(analyzer, tmp_path):
    done = analyzer("joust", "Apollonius", "Harald", "--games", "20000", "--out", str(tmp_path))
    folder = tmp_path / "ritter" / "joust-Apollonius-Harald-games=20000"
    assert done.code == 0
    assert "Apollonius (3d123) attacking wins 40.7%" in done.out
    assert {p.name for p in folder.iterdir()} == {
        *("report.md", "report.html", "run.json", "odds.csv", "rounds.csv", "wounds.csv", "wounds.png"),
    }
    run = json.loads((folder / "run.json").read_text())
    assert run["tables"]["odds"][0]["outcome"] == "attacker wins"
    assert run["tables"]["odds"][0]["exact"] == pytest.approx(0.40695909)


def test_field(analyzer, tmp_path):
    done = analyzer("joust", "--field", "--out", str(tmp_path), "--train", "mounted,dice")
    assert done.code == 0
    assert "Not equal" in done.out
    assert "exact)" in done.out
    assert (tmp_path / "ritter" / "joust-field-train=mounted,dice" / "field.png").exists()


def test_a_knight_is_called_in_the_folder_as_it_was_before_its_training(tmp_path, analyzer):
    options = ("--train-a", "dice,1", "--yield-b", "7", "--games", "100", "--quiet", "--out", str(tmp_path))
    assert analyzer("joust", "apollonius", "5d1w2", *options).code == 0
    assert [p.name for p in (tmp_path / "ritter").iterdir()] == [
        "joust-Apollonius-5d1w2-train_a=dice,1-yield_b=7-games=100"
    ]


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
