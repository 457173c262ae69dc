"""`analyzer ladies` at the terminal."""

from __future__ import annotations

import json


def test_report_and_document(analyzer, tmp_path):
    done = analyzer("ladies", "--games", "2048", "--out", str(tmp_path))
    assert done.code == 0
    assert "Whom each knight prefers" in done.out
    folder = tmp_path / "ritter" / "ladies-games=2048"
    assert {p.name for p in folder.glob("*.png")} == {"matches.png", "moves.png", "policies.png"}
    assert json.loads(analyzer("ladies", "--games", "2048", "--json").out)["tables"]["moves"]


def test_bad_input_is_one_line_and_exit_2(analyzer):
    for arguments in (("nowhere",), ("ritter/no-ladies",), ("ritter/four-players", "--policy", "brave")):
        done = analyzer("ladies", *arguments)
        assert done.code == 2
        assert done.out == ""
        assert done.err.startswith("error: ")
        assert done.err.count("\n") == 1
