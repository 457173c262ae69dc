"""`analyzer picks` at the command line."""

from __future__ import annotations

import json

import pytest

POSITION = """\
game = "gluecksritter"

[position]
phase = "pick"
field_5 = [2, 3]

[[position.seats]]
[[position.seats]]
[[position.seats]]
"""


def test_a_position_as_json_and_as_a_report(analyzer, tmp_path):
    path = tmp_path / "even.toml"
    path.write_text(POSITION, encoding="utf-8")
    done = analyzer("picks", str(path), "--effort", "1", "--json")
    assert done.code == 0, done.err
    document = json.loads(done.out)
    assert len(document["tables"]["position-even"]) == 15
    again = analyzer("picks", str(path), "--effort", "1", "--out", str(tmp_path), "--quiet", "--threads", "1")
    assert (again.code, again.out, again.err) == (0, "", "")
    folder = tmp_path / "even" / "picks-effort=1"
    names = {file.name for file in folder.iterdir()}
    assert names >= {"report.md", "report.html", "run.json", "position-even.csv", "position-even.png"}
    run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert run["tables"] == document["tables"]  # one thread or two
    assert "compiling" not in analyzer("picks", str(path), "--effort", "1", "--json").err  # it was, above


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "no scenario"),
        (POSITION.replace('"pick"', '"walls"'), "all picks are needed"),
        (POSITION.replace('"pick"', '"red"'), "picked"),
        ('game = "ritter"\nseats = ["bold", "bold"]\n', "two hidden cards of Die Glücksritter"),
        ('game = "gluecksritter"\nseats = ["needs", "need", "needs"]\n', "did you mean 'needs'?"),
    ],
)
def test_bad_input_is_named(analyzer, tmp_path, text, message):
    path = tmp_path / "bad.toml"
    if text is not None:
        path.write_text(text, encoding="utf-8")
    done = analyzer("picks", str(path), "--out", str(tmp_path))
    assert done.code == 2
    assert message in done.err
    assert "Traceback" not in done.err


def test_what_a_terminal_shows_names_seats_and_tables_rightly(analyzer, tmp_path):
    path = tmp_path / "even.toml"
    path.write_text(POSITION, encoding="utf-8")
    done = analyzer("picks", str(path), "--effort", "1", "--out", str(tmp_path))
    assert done.code == 0, done.err
    assert "seat 0" not in done.out
    assert "Note: No source has the counts of 18 of 18 ducat cards" in done.out
    folder = tmp_path / "even" / "picks-effort=1"
    page = (folder / "report.md").read_text(encoding="utf-8")
    assert "*Note: No source has" in page
    assert "reconstructions" in (folder / "report.html").read_text(encoding="utf-8")
    path.write_text(POSITION.replace("\n", "\nrules = { castle = 3 }\n", 1), encoding="utf-8")
    document = json.loads(analyzer("picks", str(path), "--effort", "1", "--json").out)
    assert "learned under other rules (castle = 4)" in document["notes"][1]


def test_odds_say_when_a_policy_draws_from_a_mix_of_other_rules(analyzer, tmp_path):
    path = tmp_path / "bare.toml"
    text = 'game = "gluecksritter"\nseats = ["needs", "mixer", "needs"]\ngames = 200\n'
    path.write_text(f'{text}[rules]\ndocuments = "none"\n', encoding="utf-8")
    done = analyzer("odds", str(path), "--out", str(tmp_path))
    assert done.code == 0, done.err
    said = "The mix 'learned' was learned under other rules (documents = \"reconstructed\")"
    assert f"Note: {said}" in done.out
    folder = tmp_path / tmp_path.name / "bare" / "odds"
    assert f"*Note: {said}" in (folder / "report.md").read_text(encoding="utf-8")
    assert said in json.loads(analyzer("odds", str(path), "--json").out)["notes"][0]
    path.write_text(text, encoding="utf-8")
    assert "Note: " not in analyzer("odds", str(path), "--out", str(tmp_path)).out
