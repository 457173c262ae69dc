"""The odds of a challenge are those of the policies as they play (R13–R20)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from analyzer.engine.trace import Walk
from analyzer.games import GAMES
from analyzer.games.ritter.state import YIELD, about, owner
from analyzer.games.ritter.studies.challenge import _odds
from analyzer.games.ritter.studies.entrants import plain_scenario
from analyzer.studies.decision import Decision
from tests.games.ritter.table import set_up
from tests.statistical.check import agrees, visible

N = 1_500
RITTER = GAMES["ritter"]


def question(name, **options):
    """Two knights of three seats on day 2, all played by the same policy."""
    rules = [f"{key}={str(value).lower()}" for key, value in options.items()]
    scenario = plain_scenario(rules, seats=[name] * 3)
    riders = {"Apollonius": "4d1123w2", "Harald": "5d12w1", "Falko": "4d11w3"}
    place = {"day": 2, "turn": 1}
    board = set_up("challenge", riders, players=3, place=place, **options)
    walk = Walk(scenario.table, 1, 0, board.walk.states)
    seat, moves = walk.look()
    return Decision(scenario, 1, walk.states.copy(), seat, tuple(moves), "a test")


def fought(asked, move):
    """Let the kernel and the policies fight the joust; count wins, draws and those out."""
    table, counts = asked.scenario.table, np.zeros(4, int)
    a, d = about(move) // 10, about(move) % 10
    for game in range(N):
        walk = Walk(table, 3, game, asked.position)
        before = int(walk.state.jousts), int(walk.state.no_winner), int(walk.state.premiums[a])
        walk.play(move)
        while walk.state.phase == YIELD and walk.state.jousts == before[0] + 1:
            walk.play(walk.choose(asked.scenario.policies[owner(table, walk.state.asked)]))
        s = walk.state
        counts += [
            s.premiums[a] > before[2],
            s.no_winner > before[1],
            not s.able >> a & 1,
            not s.able >> d & 1,
        ]
    return counts


@pytest.mark.parametrize("name", ["rulebook", "random", "bold", "cautious", "calculating"])
def test_the_odds_are_what_the_kernel_gives_with_these_policies(name):
    asked = question(name)
    for move in asked.moves:
        exact, counts = _odds(asked, move), fought(asked, move)
        assert all(agrees(int(c), N, p) for c, p in zip(counts, exact, strict=True)), (name, exact, counts / N)
    assert visible(N, 0.5) < 0.08


def test_whims_and_other_rules_too():
    asked = question("calculating", enrage_on_foot=True, yield_before_foot=True, yield_order="defender_first")
    settings = tuple(own | {"whim": 40} for own in asked.scenario.settings)
    asked = replace(asked, scenario=replace(asked.scenario, settings=settings))
    move = asked.moves[0]
    exact, counts = _odds(asked, move), fought(asked, move)
    assert all(agrees(int(c), N, p) for c, p in zip(counts, exact, strict=True)), (exact, counts / N)


def test_the_comparison_can_fail():
    """Negative control: the odds of those who never yield are not those of the cautious."""
    asked, bold = question("cautious"), question("bold")
    counts = fought(asked, asked.moves[0])
    assert not all(agrees(int(c), N, p) for c, p in zip(counts, _odds(bold, asked.moves[0]), strict=True))
