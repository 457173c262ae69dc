"""`balance`, `compare`, `sweep`, `check` and `--until` as a designer uses them."""

from __future__ import annotations

import json

import pandas as pd
import pytest

FOUR = "ritter/four-players"


def test_balance_writes_a_report_with_verdicts(analyzer, tmp_path):
    done = analyzer("balance", FOUR, "--games", 4000, "--out", tmp_path)
    assert done.code == 0
    assert "Targets" in done.out
    folder = tmp_path / "ritter" / "four-players" / "balance-games=4000"
    names = {path.name for path in folder.iterdir()}
    assert {"report.html", "targets.png", "targets.csv", "comebacks.png", "luck.csv", "ladder.png", "run.json"} <= names
    lines = pd.read_csv(folder / "targets.csv")
    assert set(lines["verdict"]) <= {"holds", "violated", "undecided"}
    answer = json.loads(analyzer("balance", FOUR, "--games", 4000, "--json").out)
    assert answer["games"] == 4000
    found = answer["tables"]["lines"]
    assert {line["key"] for line in found} >= {"place.1", "snowball", "skill", "deal", "dead", "length_p50"}
    judged = next(line for line in found if line["verdict"])
    assert judged["estimate"].keys() == {"estimate", "low", "high"}
    assert judged["target_low"] < judged["target_high"]


def test_targets_of_a_scenario(analyzer, scenario, tmp_path):
    text = (
        'game = "ritter"\nseats = ["rulebook", "rulebook"]\ngames = 20_000\n'
        "[targets]\nplace = 0.2\ncard = 0.3\njousts = [1, 100]\n"
    )
    out = ("--out", tmp_path / "out")
    done = analyzer("check", scenario(text), *out)
    assert done.code == 0, done.out
    assert done.out.count(" holds") >= 3
    assert analyzer("check", scenario(text.replace("[1, 100]", "[90, 100]")), *out).code == 1
    done = analyzer("check", scenario(text.replace("0.2", "0.00001")), "--games", 40_000, "--json")
    assert done.code == 3
    assert json.loads(done.out)["facts"]["verdict"] == "undecided"
    few = analyzer("check", scenario(text), "--games", 2, *out)
    assert few.code == 3
    assert "inf" not in few.out
    left_out = next(line for line in few.out.splitlines() if "Left out, as these games do not tell them" in line)
    assert "measure.jousts" in left_out.partition("Left out")[2]


def test_check_writes_a_report_like_every_study(analyzer, tmp_path):
    done = analyzer("check", "ritter/duel-of-two", "--games", 4000, "--out", tmp_path)
    folder = tmp_path / "ritter" / "duel-of-two" / "check-games=4000"
    assert {"report.html", "lines.csv", "lines.png", "run.json"} <= {path.name for path in folder.iterdir()}
    run = json.loads((folder / "run.json").read_text())
    assert done.code == {"holds": 0, "violated": 1, "undecided": 3}[run["facts"]["verdict"]]
    assert run["finding"] in done.out
    again = analyzer("check", "ritter/duel-of-two", "--games", 4000, "--json")
    assert (again.code, json.loads(again.out)["tables"]) == (done.code, run["tables"])


def test_a_baseline_that_is_none_is_told_before_anything_is_played(analyzer, tmp_path):
    done = analyzer("check", FOUR, "--baseline", tmp_path / "run.json", "--out", tmp_path)
    assert done.code == 2
    assert "cannot be read" in done.err
    assert not list(tmp_path.iterdir())


def test_check_stops_unless_told_to_decide_all(analyzer, scenario, tmp_path):
    text = (
        'game = "ritter"\nseats = ["rulebook", "rulebook"]\n[targets]\nplace = 0.0001\ncard = 0.3\njousts = [90, 100]\n'
    )
    first = analyzer("check", scenario(text), "--games", 60_000, "--out", tmp_path / "out")
    every = analyzer("check", scenario(text), "--games", 60_000, "--all", "--out", tmp_path / "out")
    assert (first.code, every.code) == (1, 1)
    assert "32,768 games" in first.out
    assert "60,000 games" in every.out


def test_check_of_an_unchanged_game(analyzer, scenario, tmp_path):
    """Both kinds of document will do; the seed is the baseline's; cards of one name are told apart."""
    path = tmp_path / "baseline.json"
    for name in ("ritter/duel-of-two", "ivanhoe/two-players"):
        path.write_text(analyzer("balance", name, "--games", 200, "--seed", 4, "--json").out)
        done = analyzer("check", name, "--baseline", path, "--out", tmp_path / "out")
        assert done.code == 0, done.out
        assert "nothing has changed" in done.out
        assert "200 games, seed 4" in done.out
        assert "violated" not in done.out
    again = analyzer("check", name, "--baseline", path, "--json", "--games", 100)
    assert json.loads(again.out)["facts"]["baseline"] == "apart"  # fewer games than the baseline has


@pytest.mark.parametrize("games", [1, 2, 3])
def test_a_batch_of_few_games(analyzer, scenario, tmp_path, games):
    path = scenario('game = "ritter"\nseats = ["rulebook", "bold", "random"]\nstudies = ["balance", "odds"]\n')
    done = analyzer("batch", path, "--games", games, "--out", tmp_path / "out")
    assert done.code == 0, done.err


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("plac = 0.1", "did you mean 'place'?"),
        ("place = -1", "a margin above 0"),
        ("ties = 0.5", "[lowest, highest]"),
        ("ties = [0.5, 0.1]", "[lowest, highest]"),
        ('place = "much"', "a number, or a list of two"),
    ],
)
def test_bad_targets(analyzer, scenario, line, message):
    done = analyzer("check", scenario(f'game = "ritter"\nseats = ["random", "random"]\n[targets]\n{line}\n'))
    assert done.code == 2
    assert message in done.err


def test_compare(analyzer, tmp_path):
    done = analyzer("compare", FOUR, "ritter/no-ladies", "--games", 2000, "--out", tmp_path)
    assert done.code == 0
    assert "fewer games" in done.out
    folder = tmp_path / "ritter" / "four-players" / "compare-with-no-ladies-games=2000"
    assert {"differences.csv", "wins.png", "run.json"} <= {path.name for path in folder.iterdir()}
    same = json.loads(analyzer("compare", FOUR, FOUR, "--games", 2000, "--json").out)
    assert {row["verdict"] for row in same["tables"]["differences"]} == {"no game differs"}
    found = [row["difference"] for row in same["tables"]["differences"]]
    assert all(d["low"] < d["estimate"] == 0 < d["high"] for d in found)
    done = analyzer("compare", FOUR, "ritter/duel-of-two")
    assert done.code == 2
    assert "cannot compare" in done.err


def test_sweep_and_tornado(analyzer, tmp_path):
    done = analyzer("sweep", FOUR, "--vary", "rules.night_recovery=2:4", "--games", 400, "--out", tmp_path)
    assert done.code == 0, done.err
    (folder,) = (tmp_path / "ritter" / "four-players").iterdir()
    assert folder.name.startswith("sweep-vary=rules.night_recovery=2_4-games=400-")
    assert "rulebook wins, per seat" in done.out
    assert {"region.csv", "sweep-policy.png", "sweep-policy.csv"} <= {path.name for path in folder.iterdir()}
    grid = ("--vary", "rules.days=1:2", "--vary", "rules.wound_limit=9:10")
    answer = json.loads(analyzer("sweep", FOUR, *grid, "--games", 400, "--json").out)
    assert len(answer["tables"]["region"]) == 4
    done = analyzer("sweep", FOUR, "--all", "--games", 80, "--out", tmp_path)
    assert done.code == 0, done.err
    assert (tmp_path / "ritter" / "four-players" / "sweep-all-games=80" / "tornado-policy.rulebook.png").is_file()
    for bad in ((), ("--all", "--vary", "rules.days=1:2"), ("--vary", "rules.days=0:2"), ("--vary", "days=1:2")):
        assert analyzer("sweep", FOUR, *bad, "--games", 80).code == 2


def test_a_sweep_says_whether_it_stopped_by_itself(analyzer, tmp_path):
    """Also one of several rounds: the games that count are those of a point."""
    sweep = ("sweep", "ritter/duel-of-two", "--vary", "rules.night_recovery=0:8", "--until", "decided", "--games")
    done = analyzer(*sweep, 2000, "--out", tmp_path)
    assert done.code == 0
    assert "It used up the games allowed before it was enough: 2,000 games" in done.out


def test_until(analyzer, tmp_path):
    answer = json.loads(analyzer("odds", "ritter/duel-of-two", "--until", "1%", "--json").out)
    win = answer["tables"]["seats"][0]["win"]
    assert win["high"] - win["low"] <= 0.02
    assert "confidence sequences" in answer["method"]
    assert answer["games"] < 200_000
    again = json.loads(analyzer("odds", "ritter/duel-of-two", "--until", "1%", "--threads", 1, "--json").out)
    assert again == answer
    assert analyzer("odds", "ritter/duel-of-two", "--until", "often").code == 2
