"""Pig played a hundred thousand times against the odds worked out in plain Python, and what thinking gains."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import pytest

from analyzer.engine.run import play_games
from analyzer.engine.tally import WHOLE_WIN
from tests.pig.game import GAME
from tests.statistical.check import agrees, z_score
from tests.tables import policies_of, table_of

GOAL = 40
N_GAMES = 100_000


@cache
def turn(hold: int) -> dict[int, float]:
    """Return what a turn scores that is held at so many points: the probability of each number."""
    ended, going = defaultdict(float), {0: 1.0}
    while going:
        after: dict[int, float] = defaultdict(float)
        for pot, p in going.items():
            ended[0] += p / 6
            for shown in range(2, 7):
                (ended if pot + shown >= hold else after)[pot + shown] += p / 6
        going = after
    return dict(ended)


def first_wins(hold: int, goal: int) -> float:
    """Return the probability that the first of two players wins who both hold at so many points, or at the goal."""
    win = {(own, other): 0.5 for own in range(goal) for other in range(goal)}  # who is to move, and has `own`
    change = 1.0
    while change > 1e-12:
        change = 0.0
        for (own, other), before in win.items():
            win[own, other] = sum(
                p * (1 if own + scored >= goal else 1 - win[other, own + scored])
                for scored, p in turn(min(hold, goal - own)).items()
            )
            change = max(change, abs(win[own, other] - before))
    return win[0, 0]


def test_a_turn_held_at_twenty_is_the_known_one() -> None:
    """Neller and Presser give 8.14 points a turn; three turns in eight score."""
    assert sum(scored * p for scored, p in turn(20).items()) == pytest.approx(8.14, abs=0.005)
    assert turn(20)[0] == pytest.approx(0.6245, abs=0.0005)


def test_the_first_player_wins_as_often_as_worked_out() -> None:
    """One comparison at 4.5 standard errors: 0.7 points would be seen nine times in ten."""
    expected = first_wins(20, GOAL)
    assert expected > 0.55
    table = table_of(GAME, 2, first="first_seat", goal=GOAL)
    tally = play_games(table, policies_of(GAME, ["steady", "steady"]), 11, N_GAMES, rotate=False).tally
    won = tally.win[0, 0, 0] // WHOLE_WIN
    assert agrees(won, N_GAMES, expected)
    assert not agrees(won, N_GAMES, first_wins(10, GOAL))  # a player who holds earlier is told apart
    assert not agrees(won, N_GAMES, 1 - expected)


def test_thinking_makes_a_poor_player_a_good_one() -> None:
    """Both hold at 4, but one of them plays every choice on 200 times first."""
    table = table_of(GAME, 2, goal=GOAL)
    policies = policies_of(GAME, ["timid", "timid"])
    policies["hold"] = 4
    policies["search"][0] = 200
    games = 200
    tally = play_games(table, policies, 3, games).tally
    won = tally.win[0, :, 0].sum() // WHOLE_WIN
    assert z_score(won, games, 0.5) > 4.5
