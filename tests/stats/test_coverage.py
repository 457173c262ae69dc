"""The intervals keep what they promise, on a race with known odds.

Fixed number of games: of 2000 repetitions between 93.5% and 96.5% must hold the true value; a correct
interval fails that with probability 0.002 (three standard deviations of the count). At any look: of
2000 runs watched from the first look on, game by game, at most 5% may ever leave it; the sequence is
wider than it must be, so a correct one hardly ever comes near.
"""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.engine.chance import one_seed
from analyzer.engine.run import Play, reduce_games
from analyzer.engine.tally import WHOLE_WIN
from analyzer.stats.intervals import FIRST_LOOK, Method, Powers, wilson
from tests.toy import every_course, race

RUNS = 2000


def _repeat(scenario, games, reduce):
    play = Play(scenario.table, scenario.policies, one_seed(17), False)
    return reduce_games([play], RUNS * games, lambda played: [reduce(played[0])], chunk=games, logged=True).result


def _true_win(scenario, chances):
    """Return the first seat's share of the wins."""
    rounds = scenario.table.options["rounds"]
    return sum(p * (c[-1, 0] == c[-1].max()) / (c[-1] == c[-1].max()).sum() for p, c in every_course(rounds, chances))


@pytest.mark.parametrize(("pace", "edge", "rounds", "games"), [(50, 0, 3, 400), (30, 5, 2, 900), (50, 40, 1, 500)])
def test_fixed_intervals_cover(pace, edge, rounds, games):
    scenario = race(pace=pace, edge=edge, rounds=rounds)
    truth = _true_win(scenario, ((pace + edge) / 100, pace / 100))
    method = Method()

    def covers(played):
        win = played.log.win[:, 0].astype(np.int64)
        mean = method.mean(Powers(games, win.sum(), (win**2).sum(), (win**3).sum()), unit=WHOLE_WIN)
        return mean.low <= truth * WHOLE_WIN <= mean.high

    assert 0.935 <= np.mean(_repeat(scenario, games, covers)) <= 0.965


def test_shares_of_whole_wins_cover():
    """Without ties a win is all or nothing, and the exact interval is hardly wider than it should be."""
    scenario = race(pace=0, edge=30, rounds=1)  # the first seat wins outright in 30%, else they share
    method = Method()

    def covers(played):
        whole = int((played.log.win[:, 0] == WHOLE_WIN).sum())
        found = method.share(whole, 700)
        return found.low <= 0.3 <= found.high

    assert 0.935 <= np.mean(_repeat(scenario, 700, covers)) <= 0.965


def test_a_narrower_interval_is_caught():
    """Negative control: intervals of 90% do not pass for such of 95%."""
    scenario = race(pace=0, edge=30, rounds=1)

    def covers(played):
        found = wilson(int((played.log.win[:, 0] == WHOLE_WIN).sum()), 700, 1.645)
        return found.low <= 0.3 <= found.high

    assert not 0.935 <= np.mean(_repeat(scenario, 700, covers)) <= 0.965


def _ever_left(method_reach, scenario, truth, games):
    def left(played):
        win = played.log.win[:, 0] / WHOLE_WIN
        n = np.arange(1, games + 1)
        mean = np.cumsum(win) / n
        variance = np.cumsum(win**2) / n - mean**2
        seen = slice(FIRST_LOOK - 1, None)
        return bool((np.abs(mean - truth)[seen] > method_reach(variance[seen], n[seen])).any())

    return np.mean(_repeat(scenario, games, left))


def test_the_sequence_holds_at_every_look():
    scenario = race(pace=30, edge=5, rounds=2)
    truth = _true_win(scenario, (0.35, 0.3))
    games = 10_000
    scale = np.array([Method(anytime=True).reach(1.0, n) for n in range(FIRST_LOOK, games + 1)])
    assert _ever_left(lambda variance, n: np.sqrt(variance) * scale, scenario, truth, games) <= 0.05


def test_a_fixed_interval_does_not_hold_at_every_look():
    """Negative control: looking again and again at intervals for one look leaves them far too often."""
    scenario = race(pace=30, edge=5, rounds=2)
    truth = _true_win(scenario, (0.35, 0.3))
    assert _ever_left(lambda variance, n: 1.96 * np.sqrt(variance / n), scenario, truth, 10_000) > 0.05


def test_the_sequence_narrows_and_does_not_begin_early():
    method = Method(anytime=True)
    assert method.reach(0.25, FIRST_LOOK - 1) == float("inf")
    widths = [method.reach(0.25, n) for n in (1000, 10_000, 1_000_000)]
    assert widths == sorted(widths, reverse=True)
    assert widths[2] < 2 * 1.96 * (0.25 / 1_000_000) ** 0.5
