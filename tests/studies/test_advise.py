"""Advice on positions: forced wins are found, the odds are the exact ones, luck is shared."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from analyzer.ask import ask
from analyzer.catalogue import STUDIES
from analyzer.errors import BadInput
from analyzer.games import GAMES
from analyzer.games.ritter.joust import ATTACKER, DEFENDER, Rider, solve, threshold
from analyzer.games.ritter.studies.challenge import ODDS, challenge, read_challenge
from analyzer.reporting.document import document
from analyzer.studies import advise as study
from analyzer.studies.advise import advise, default_games, said_of_others
from analyzer.studies.decision import read_decision
from analyzer.studies.read import scenario_of

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
    assert list(result["moves"]["move"]) == ["challenge Harald Apollonius", "challenge Harald Falko"]
    assert list(result["moves"]["verdict"]) == ["best", "worse"]
    assert result["moves"]["price_low"][1] > 0
    assert result.finding.startswith("challenge Harald Apollonius is best")


def test_challenges_carry_the_exact_odds():
    question = read_challenge(LAST_DAY, policies="rulebook")  # without whims
    result = challenge(question, games=2_048)
    assert len(result["moves"]) == 8
    row = result["moves"].set_index("move").loc["challenge Harald Falko"]
    harald, falko = Rider(5, (1, 1, 1, 0, 0, 0), 3), Rider(6, (0, 1, 0, 0, 0, 0), 6)
    ends = solve(question.scenario.table.rules, harald, falko, (threshold(10, 7, ATTACKER), threshold(10, 7, DEFENDER)))
    assert row[list(ODDS)].tolist() == pytest.approx([ends.winner[0], ends.winner[2], *ends.out])
    assert {*ODDS, "win", "price"} <= set(document(result)["tables"]["moves"][0])


def test_a_scenario_leads_to_its_next_challenge():
    question = read_challenge(FOUR, game=3)
    assert all(text.startswith("challenge ") for text in question.texts)
    assert "moves played" in question.where
    opening = read_decision(FOUR, game=3)
    assert all(text.startswith("train ") for text in opening.texts)
    assert all(text.startswith("ride ") for text in read_decision(FOUR, game=3, after=16).texts)


def test_advice_does_not_depend_on_threads_and_changes_with_policies():
    question = read_decision(FOUR, game=3, after=16)
    one, two = (advise(question, games=4_096, threads=n) for n in (1, 2))
    assert one["moves"].equals(two["moves"])
    other = advise(read_decision(FOUR, game=3, after=16, policies="bold"), games=4_096)
    assert other.scenario.seats == ("bold",) * 4
    assert not other["moves"]["win"].equals(one["moves"]["win"])


def test_a_single_legal_move_needs_no_race(tmp_path, clear):
    path = tmp_path / "forced.toml"
    path.write_text(CLEAR.replace("premiums = 0}", "riding = false}"), encoding="utf-8")
    result = advise(read_decision(str(path)), games=2_048)
    assert len(result["moves"]) == 1
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
    result = advise(read_decision(str(path), policies="greedy"), games=256)
    moves = result["moves"].set_index("move")
    assert moves["win"].to_dict() == {"catch peregrine": 1, "done": 0}
    assert moves["win_low"]["catch peregrine"] < 1
    assert moves["win_high"]["done"] > 0
    assert moves["price_low"]["done"] < 1 == moves["price_high"]["done"]
    assert "nothing was left to chance" in result.finding
    assert "With greedy every playout" in result.finding
    varied = advise(read_decision(FOUR, game=3, after=16), games=512)
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
    question = read_decision(str(path))
    assert question.scenario.seats == ("planner", "planner")
    assert question.company == "planner, 5% whims"
    assert [own["whim"] for own in question.scenario.settings] == [5, 5]
    assert default_games(question) < default_games(read_decision(str(path), policies="greedy")) < 50_000
    assert read_decision(LAST_DAY, policies="bold").company == "bold"
    assert read_decision(FOUR, game=3).company == "rulebook, attacker, balanced, cautious"


def test_an_answer_says_what_becomes_of_it_where_others_play_on(clear):
    result = advise(read_decision(clear, seed=2), games=1_024)
    assert list(result["otherwise"]["who"]) == ["attacker, 5% whims", "rulebook, 25% whims"]
    assert list(result["otherwise"]["games"]) == [256, 256]
    assert "challenge Harald Apollonius stays the best with" in result.finding
    answer = document(result)
    assert answer["facts"]["plays_on"] == "rulebook, 5% whims"
    assert [row["verdict"] for row in answer["tables"]["otherwise"]] == ["stays the best"] * 2


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (("stays the best", "stays the best"), "a stays the best with bold and with 25% whims."),
        (("stays the best", "not told from the best"), "not settled where others play on: with 25% whims it cannot"),
        (
            ("is worse", "not told from the best"),
            "It depends on who plays on: with bold b is best and a loses 9.0 points.",
        ),
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
        read_decision(name, **options)


def test_an_interruption_leaves_the_moves_ranked(clear, monkeypatch):
    """The first race is whole; what others would make of it is missing, and that is said."""
    played, race = [], study._race

    def interrupted(*given):
        if played:
            raise KeyboardInterrupt
        played.append(given)
        return race(*given)

    monkeypatch.setattr(study, "_race", interrupted)
    result = advise(read_decision(clear, seed=2), games=1_024)
    assert result.interrupted
    assert "It was interrupted" in result.method
    assert [table.key for table in result.tables] == ["moves"]
    assert result.n_games == result["moves"]["games"].sum()


def test_an_answer_keeps_what_to_know_before_one_believes_it(clear):
    decision = read_decision(clear, seed=2)
    said = replace(decision.scenario.game, caveats=lambda table, settings: ["Learned under other rules."])
    table = replace(decision.scenario.table, game=said)
    result = advise(replace(decision, scenario=replace(decision.scenario, table=table)), games=128)
    assert document(result)["notes"] == ["Learned under other rules."]


def test_two_positions_have_two_folders(clear):
    def folder(given, **options):
        return str(ask(STUDIES["advise"], position=given, **options).folder)

    assert folder(LAST_DAY) == "last-day/advise"
    assert folder(LAST_DAY, policy="bold") == "last-day/advise-policy=bold"
    assert folder(clear) == "clear/advise"
    assert folder(FOUR) == folder(scenario_of(FOUR)) == "ritter/four-players/advise"
    assert folder(FOUR, game=3) == "ritter/four-players/advise-game=3"
    assert folder(FOUR, game=3, after=16, seed=5) == "ritter/four-players/advise-game=3-after=16-seed=5"


def test_what_is_asked_of_a_written_game_depends_on_its_deck(tmp_path, clear):
    """Equal inputs, equal tables: a deck that stands beside the position is one of them."""
    deck = tmp_path / "mine.toml"
    shipped = ROOT / "analyzer" / "games" / "ritter" / "decks" / "default.toml"
    deck.write_text(shipped.read_text(encoding="utf-8"), encoding="utf-8")
    Path(clear).write_text(CLEAR.replace("[position]", 'deck = "mine.toml"\n[position]', 1), encoding="utf-8")
    before = ask(STUDIES["advise"], position=clear).inputs_hash
    assert ask(STUDIES["advise"], position=clear).inputs_hash == before
    deck.write_text(f"# mine\n{deck.read_text(encoding='utf-8')}", encoding="utf-8")
    assert ask(STUDIES["advise"], position=clear).inputs_hash != before
