"""Advice on positions: forced wins are found, the odds are the exact ones, luck is shared."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.errors import BadInput
from analyzer.games.ritter.joust import ATTACKER, DEFENDER, Rider, solve, threshold
from analyzer.studies.advise import advise, as_json, read_question
from analyzer.studies.challenge import ODDS, challenge, read_challenge

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
    question = read_challenge(LAST_DAY)
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
