"""Advice on positions: forced wins are found, the odds are the exact ones, luck is shared."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from analyzer.errors import BadInput
from analyzer.games import GAMES
from analyzer.games.ritter.joust import ATTACKER, DEFENDER, Rider, solve, threshold
from analyzer.games.ritter.studies.challenge import ODDS, challenge, read_challenge
from analyzer.studies.advise import advise, as_json, default_games, read_question, said_of_others

ROOT = Path(__file__).parents[2]
LAST_DAY = str(ROOT / "docs" / "positions" / "last-day.toml")
FOUR = str(ROOT / "scenarios" / "ritter" / "four-players.toml")
# One joust decides: Harald can ride at a wall he cannot hurt, or at a knight who cannot hurt him.
CLEAR = """
game = "ritter"
rules = {ladies = false, days = 1, final_bonus = 0, day_bonus = [0]}
[position]
phase = "challenge"
[[position.seats]]
knights = {Harald = "6d112233445566", Egbert = {strength = "1d", riding = false}}
[[position.seats]]
knights = {Apollonius = "1d", Falko = {strength = "12d112233445566", premiums = 0}}
"""


@pytest.fixture
def clear(tmp_path):
    path = tmp_path / "clear.toml"
    path.write_text(CLEAR, encoding="utf-8")
    return str(path)


def test_the_better_challenge_is_found(clear):
    result = challenge(read_challenge(clear, seed=2), games=5_000)
    assert list(result.moves["move"]) == ["challenge Harald Apollonius", "challenge Harald Falko"]
    assert list(result.moves["verdict"]) == ["best", "worse"]
    assert result.moves["price_low"][1] > 0
    assert result.finding.startswith("challenge Harald Apollonius is best")


def test_challenges_carry_the_exact_odds():
    question = read_challenge(LAST_DAY, policies="rulebook")
    result = challenge(question, games=2_048)
    assert len(result.moves) == 8
    row = result.moves.set_index("move").loc["challenge Harald Falko"]
    harald, falko = Rider(5, (1, 1, 1, 0, 0, 0), 3), Rider(6, (0, 1, 0, 0, 0, 0), 6)
    ends = solve(question.scenario.table.rules, harald, falko, (threshold(10, 7, ATTACKER), threshold(10, 7, DEFENDER)))
    assert row[list(ODDS)].tolist() == pytest.approx([ends.winner[0], ends.winner[2], *ends.out])
    assert {*ODDS, "win", "price"} <= set(as_json(result, ODDS)["moves"][0])


def test_a_scenario_leads_to_its_next_challenge():
    question = read_challenge(FOUR, game=3)
    assert all(text.startswith("challenge ") for text in question.texts)
    assert "moves played" in question.where
    opening = read_question(FOUR, game=3)
    assert all(text.startswith("train ") for text in opening.texts)
    assert all(text.startswith("ride ") for text in read_question(FOUR, game=3, after=16).texts)


def test_advice_does_not_depend_on_threads_and_changes_with_policies():
    question = read_question(FOUR, game=3, after=16)
    one, two = (advise(question, games=4_096, threads=n) for n in (1, 2))
    assert one.moves.equals(two.moves)
    other = advise(read_question(FOUR, game=3, after=16, policies="bold"), games=4_096)
    assert other.question.scenario.seats == ("bold",) * 4
    assert not other.moves["win"].equals(one.moves["win"])


def test_a_single_legal_move_needs_no_race(tmp_path, clear):
    path = tmp_path / "forced.toml"
    path.write_text(CLEAR.replace("premiums = 0}", "riding = false}"), encoding="utf-8")
    result = advise(read_question(str(path)), games=2_048)
    assert len(result.moves) == 1
    assert "only legal move" in result.finding


# Fredericus: the last turn of the game, nothing to spend: to catch the dragon or not decides it.
LAST_TURN = """
game = "fredericus"
[position]
phase = "turn"
round = 9
turn = 2
actions = 0
closed = true
rows = ["d", "a", "", "", "", "", "", "a"]
goal_pile = []
[[position.seats]]
chips = [3, 3]
creatures = ["hydra"]
fredericus = true
[[position.seats]]
peregrine = 1
kestrel = 5
chips = [3, 3]
creatures = ["hydra", "griffin"]
"""


def test_where_nothing_is_random_that_is_said_and_no_interval_is_a_point(tmp_path):
    path = tmp_path / "last-turn.toml"
    path.write_text(LAST_TURN, encoding="utf-8")
    result = advise(read_question(str(path), policies="greedy"), games=256)
    moves = result.moves.set_index("move")
    assert moves["win"].to_dict() == {"catch peregrine": 1, "done": 0}
    assert moves["win_low"]["catch peregrine"] < 1
    assert moves["win_high"]["done"] > 0
    assert moves["price_low"]["done"] < 1 == moves["price_high"]["done"]
    assert "nothing was left to chance" in result.finding
    assert "With greedy every playout" in result.finding
    varied = advise(read_question(FOUR, game=3, after=16), games=512)
    assert "nothing was left to chance" not in varied.finding


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_every_game_names_who_plays_on(game):
    names = [policy.name for policy in game.policies]
    assert game.plays_on in names
    assert game.plays_on != "random"
    expected = {"fredericus": "planner", "ivanhoe": "tactician", "gluecksritter": "mixer", "ritter": "rulebook"}
    assert game.plays_on == expected[game.name]


def test_a_position_is_played_on_by_the_strongest_with_a_whim_now_and_then(tmp_path):
    path = tmp_path / "last-turn.toml"
    path.write_text(LAST_TURN, encoding="utf-8")
    question = read_question(str(path))
    assert question.scenario.seats == ("planner", "planner")
    assert question.company == "planner, 5% whims"
    assert [own["whim"] for own in question.scenario.settings] == [5, 5]
    assert default_games(question) < default_games(read_question(str(path), policies="greedy")) < 50_000
    assert read_question(LAST_DAY, policies="bold").company == "bold"
    assert read_question(FOUR, game=3).company == "rulebook, attacker, balanced, cautious"


def test_an_answer_says_what_becomes_of_it_where_others_play_on(clear):
    result = advise(read_question(clear, seed=2), games=1_024)
    assert list(result.otherwise["who"]) == ["attacker, 5% whims", "rulebook, 25% whims"]
    assert list(result.otherwise["games"]) == [256, 256]
    assert "challenge Harald Apollonius stays the best with" in result.finding
    answer = as_json(result)
    assert answer["plays_on"] == "rulebook, 5% whims"
    assert [row["verdict"] for row in answer["otherwise"]] == ["stays the best"] * 2


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (("stays the best", "stays the best"), "a stays the best with bold and with 25% whims."),
        (("stays the best", "not told from the best"), "not settled where others play on: with 25% whims it cannot"),
        (("is worse", "not told from the best"), "It depends on who plays on: with bold b is best and a loses 9.0%."),
    ],
)
def test_the_finding_says_when_the_best_move_changes(verdicts, said):
    rows = [("bold", 256, "b", 0.09, 0.05, 0.13, verdicts[0]), ("25% whims", 256, "c", 0.01, -0.1, 0.1, verdicts[1])]
    table = pd.DataFrame(rows, columns=["who", "games", "best", "price", "price_low", "price_high", "verdict"])
    assert said in said_of_others("a", table)


@pytest.mark.parametrize(
    ("name", "options", "said"),
    [
        ("nowhere", {}, "no scenario"),
        (LAST_DAY, {"policies": "brave"}, "no policy 'brave'"),
        (LAST_DAY, {"policies": "bold,bold"}, "2 policies for 3 seats"),
        (FOUR, {"after": 10**6}, "the game is over"),
    ],
)
def test_bad_questions_are_refused(name, options, said):
    with pytest.raises(BadInput, match=said):
        read_question(name, **options)
