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
    assert [len(p["pairs"]) for p in document["positions"]] == [15]
    again = analyzer("picks", str(path), "--effort", "1", "--out", str(tmp_path), "--quiet", "--threads", "1")
    assert (again.code, again.out, again.err) == (0, "", "")
    folder = tmp_path / "even" / "picks"
    names = {file.name for file in folder.iterdir()}
    assert names >= {"report.md", "report.html", "run.json", "position-even.csv", "position-even.png"}
    run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert run["result"]["positions"] == document["positions"]  # one thread or two


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
