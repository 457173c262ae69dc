"""`analyzer ladies` at the terminal."""

from __future__ import annotations

from tests.cli.program import document, run


def test_report_and_document(tmp_path):
    code, printed, _ = run("ladies", "--games", "2048", "--out", str(tmp_path))
    assert code == 0
    assert "Whom each knight prefers" in printed
    folder = tmp_path / "ritter" / "ladies"
    assert {p.name for p in folder.glob("*.png")} == {"matches.png", "moves.png", "policies.png"}
    assert document("ladies", "--games", "2048")["offers"]["moves"]


def test_bad_input_is_one_line_and_exit_2():
    for arguments in (("nowhere",), ("ritter/no-ladies",), ("ritter/four-players", "--policy", "brave")):
        code, printed, error = run("ladies", *arguments)
        assert code == 2
        assert printed == ""
        assert error
        assert "\n" not in error
