"""`analyzer advise` and `analyzer challenge` at the terminal."""

from __future__ import annotations

from pathlib import Path

from tests.cli.program import document, run

LAST_DAY = str(Path(__file__).parents[2] / "docs" / "positions" / "last-day.toml")


def test_challenge_writes_a_report(tmp_path):
    code, printed, _ = run("challenge", LAST_DAY, "--games", "2048", "--out", str(tmp_path))
    assert code == 0
    assert "challenge Harald Falko" in printed
    assert (tmp_path / "last-day" / "challenge" / "moves.png").exists()


def test_advise_prints_one_document():
    answer = document("advise", LAST_DAY, "--games", "2048", "--policy", "calculating")
    assert answer["seat"] == 1
    assert answer["policies"] == ["calculating"] * 3
    assert len(answer["moves"]) == 8
    assert answer["moves"][0]["verdict"] == "best"


def test_bad_input_is_one_line_and_exit_2():
    for arguments in (("challenge", "nowhere"), ("advise", LAST_DAY, "--policy", "brave")):
        code, printed, error = run(*arguments)
        assert code == 2
        assert printed == ""
        assert error
        assert "\n" not in error
