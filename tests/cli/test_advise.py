"""`analyzer advise` and `analyzer challenge` at the terminal."""

from __future__ import annotations

import json
from pathlib import Path

LAST_DAY = str(Path(__file__).parents[2] / "docs" / "positions" / "last-day.toml")


def test_challenge_writes_a_report(analyzer, tmp_path):
    done = analyzer("challenge", LAST_DAY, "--games", "2048", "--out", str(tmp_path))
    assert done.code == 0
    assert "challenge Harald Falko" in done.out
    assert (tmp_path / "last-day" / "challenge-games=2048" / "moves.png").exists()


def test_advise_prints_one_document(analyzer):
    answer = json.loads(analyzer("advise", LAST_DAY, "--games", "2048", "--policy", "calculating", "--json").out)
    assert answer["facts"]["seat"] == 1
    assert answer["facts"]["policies"] == ["calculating"] * 3
    assert len(answer["tables"]["moves"]) == 8
    assert answer["tables"]["moves"][0]["verdict"] == "best"


def test_bad_input_is_one_line_and_exit_2(analyzer):
    for arguments in (("challenge", "nowhere"), ("advise", LAST_DAY, "--policy", "brave")):
        done = analyzer(*arguments)
        assert done.code == 2
        assert done.out == ""
        assert done.err.startswith("error: ")
        assert done.err.count("\n") == 1
