"""What each command prints and writes."""

from __future__ import annotations

import json
import re

import pandas as pd
import pytest

from analyzer.games import GAMES
from tests.cli.run import COMMAND

FOUR = "scenarios/ritter/four-players.toml"


@pytest.mark.parametrize("game", GAMES)
def test_games_rules_and_cards_know_every_game(analyzer, game):
    assert f"{game}: {GAMES[game].title}" in analyzer("games").out
    listed = json.loads(analyzer("games", "--json").out)[game]
    assert list(listed["policies"]) == [policy.name for policy in GAMES[game].policies]
    assert all(len(about) > 15 for about in listed["policies"].values())
    rules = json.loads(analyzer("rules", game, "--json").out)
    assert all(option["rule"] and option["meaning"] for option in rules.values())
    text = analyzer("rules", game).out
    assert all(f"{key} = " in text for key in rules)
    cards = json.loads(analyzer("cards", game, "--json").out)["cards"]
    assert all(card["name"] in analyzer("cards", game).out for card in cards[:3])


def test_every_knight_of_the_deck_is_marked(analyzer):
    cards = json.loads(analyzer("cards", "ritter", "--json").out)["cards"]
    assert {card["origin"] for card in cards} <= {"source", "reconstruction"}
    assert len(cards) == 20
    assert "source" in analyzer("cards", "ritter", "--deck", "french").out


def test_odds_prints_one_document(analyzer):
    done = analyzer("odds", FOUR, "--games", 2000, "--json")
    assert done.code == 0
    answer = json.loads(done.out)
    assert (answer["game"], answer["scenario"]) == ("ritter", "ritter/four-players")
    assert answer["games"] == 2000
    assert "Intervals: exact 95%" in answer["method"]
    tables = answer["tables"]
    assert sum(seat["win"]["estimate"] for seat in tables["seats"]) == pytest.approx(1, abs=1e-12)
    for seat in tables["seats"]:
        assert seat["win"]["low"] < seat["win"]["estimate"] < seat["win"]["high"]
        assert seat["score"]["low"] < seat["score"]["estimate"] < seat["score"]["high"]
    assert len(tables["cards-knight"]) == len(tables["cards-lady"]) == 10
    assert {"kind", "card", "origin", "games", "win", "premiums"} <= set(tables["cards-knight"][0])


def test_odds_writes_a_whole_report(analyzer, tmp_path):
    done = analyzer("odds", "ritter/four-players", "--games", 3000, "--seed", 8, "--out", tmp_path)
    assert done.code == 0
    assert "(Ritter ohne Furcht und Tadel, 3,000 games, seed 8)" in done.out
    folder = tmp_path / "ritter" / "four-players" / "odds-games=3000-seed=8"
    written = {path.name for path in folder.iterdir()}
    assert {"report.md", "report.html", "run.json", "seats.csv", "seats.png", "cards-knight.csv"} <= written
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]
    run = json.loads((folder / "run.json").read_text())
    assert (run["seed"], run["games"], run["interrupted"]) == (8, 3000, False)
    assert "seats = [" in run["scenario_text"]
    assert re.fullmatch("[0-9a-f]{16}", run["source_hash"])
    seats = pd.read_csv(folder / "seats.csv")
    assert seats["win"].tolist() == [seat["win"]["estimate"] for seat in run["tables"]["seats"]]
    page = (folder / "report.html").read_text()
    assert 'src="data:image/png;base64,' in page
    assert "http" not in re.sub(r"base64,[^\"]*", "", page)
    assert str(tmp_path) not in page


def test_odds_is_the_same_for_any_threads_and_replaces_its_report(analyzer, tmp_path):
    folder = tmp_path / "ritter" / "duel-of-two" / "odds-games=40000"
    tables = []
    for threads in (1, 2):
        done = analyzer(
            "odds", "ritter/duel-of-two", "--games", 40_000, "--threads", threads, "--out", tmp_path, "--quiet"
        )
        assert (done.code, done.out) == (0, "")
        tables.append({path.name: path.read_bytes() for path in folder.glob("*.csv")})
        (folder / "stale.csv").write_text("from an older run")
    assert tables[0] == tables[1]
    assert len(tables[0]) > 4


def test_play_tells_the_game_that_odds_counts(analyzer):
    done = analyzer("play", FOUR, "--game", 3)
    assert done.code == 0
    assert "game 3 of seed" in done.out
    told = json.loads(analyzer("play", FOUR, "--game", 3, "--json").out)
    assert told["moves"][0].keys() == {"seat", "move"}
    assert "\n".join(told["story"]) in done.out


def test_replay_prints_states_and_legal_moves(analyzer):
    done = analyzer("replay", "docs/games/first-joust.toml", "--json")
    assert done.code == 0
    states = json.loads(done.out)["states"]
    assert states[0]["move"] is None
    assert all("legal" in state for state in states)
    text = analyzer("replay", "docs/games/first-joust.toml").out
    assert states[1]["move"] in text
    assert len(analyzer("replay", "docs/games/first-joust.toml", "--quiet").out) < len(text)
    last = json.loads(analyzer("replay", "docs/games/first-joust.toml", "--json", "--quiet").out)
    assert last["states"] == states[-1:]


def test_replay_reads_text(analyzer, tmp_path):
    moves = json.loads(analyzer("play", FOUR, "--game", 2, "--json").out)["moves"]
    lines = ["game: ritter", "players: 4", "seed: 7", "number: 2", "# the first moves", *[m["move"] for m in moves[:9]]]
    game = tmp_path / "game.txt"
    game.write_text("\n".join(lines))
    states = json.loads(analyzer("replay", game, "--json").out)["states"]
    assert [state["move"] for state in states[1:]] == [m["move"] for m in moves[:9]]


def test_help_names_every_command_with_an_example(analyzer):
    commands = re.findall(r"^  ([a-z]+) ", analyzer("--help").out, re.MULTILINE)
    assert {"games", "rules", "cards", "play", "replay", "odds"} <= set(commands)
    for command in commands:
        assert f"analyzer {command}" in analyzer(command, "--help").out
    assert re.fullmatch(r"analyzer \d+\.\d+\.\d+\n", analyzer("--version").out)


def test_help_loads_nothing_heavy():
    """`--help` answers in under half a second because it imports none of these."""
    import subprocess

    probe = (
        "import sys; sys.argv = ['analyzer', '--help']\n"
        "from analyzer.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([m for m in ('numba', 'numpy', 'pandas', 'matplotlib', 'scipy', 'pydantic') if m in sys.modules])"
    )
    done = subprocess.run([COMMAND[0], "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
