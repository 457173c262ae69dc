"""The parts of luck where they are known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from analyzer.studies.balance import balance
from analyzer.studies.luck import spread_of_means
from tests.toy import race


def _parts(scenario, games=20_000):
    return balance(scenario, games=games)["luck"].set_index("part")


def test_the_deal_or_the_dice_decide_all():
    """Nobody can step: the deal alone decides. Nothing is dealt: the dice alone."""
    dealt = _parts(race(pace=0, head=5, rounds=1))
    assert dealt.share["deal"] == pytest.approx(1, abs=0.02)
    assert dealt.share[["dice", "whim"]].tolist() == [0, 0]
    assert 0 < dealt.share_high["dice"] < 0.01  # not seen, but not impossible
    rolled = _parts(race(rounds=3))
    assert rolled.share["dice"] == pytest.approx(1, abs=0.02)
    assert rolled.share["deal"] == 0


def test_deal_and_dice_together_have_the_parts_of_enumeration():
    """One step dealt or not, one rolled or not, for two players: total effects by the definition."""
    value = np.zeros((4, 4))
    for deal in range(4):
        for dice in range(4):
            scores = [(deal >> i & 1) + (dice >> i & 1) for i in (0, 1)]
            value[deal, dice] = 0.5 + 0.5 * np.sign(scores[0] - scores[1])
    deal = value.var(axis=0).mean() / value.var()
    dice = value.var(axis=1).mean() / value.var()
    assert deal == dice > 0.5  # so they add up to more than all
    found = _parts(race(pace=50, head=1, rounds=1))
    for part, truth in (("deal", deal), ("dice", dice)):
        assert found.share_low[part] < truth < found.share_high[part]
        assert found.share[part] == pytest.approx(truth, abs=0.03)


@pytest.mark.parametrize("games", [80, 400, 2000, 10_000])
@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.25,) * 4, (0.28, 0.26, 0.24, 0.22), (0.9, 0.05, 0.05), (1.0, 0.0)])
def test_the_part_of_means_covers(games, shares):
    """Wins of one winner a game, so that the means are negatively correlated; at most 5% of 2000 runs miss.

    A true rate of 5% shows more than 7.2% once in 100,000 tests.
    """
    p, runs = np.array(shares), 2000
    n, total = len(p), 1 / len(p) - 1 / len(p) ** 2
    truth = ((p - 1 / n) ** 2).mean() / total
    drawn = np.random.default_rng(3).multinomial(games, p, runs) / games
    found = [spread_of_means(means, games, total, 1) for means in drawn]
    missed = sum(not e.low - 1e-12 <= truth <= e.high + 1e-12 for e in found)
    assert missed <= stats.binom.isf(1e-5, runs, 0.05)
    assert all(e.low <= e.estimate <= e.high for e in found)
    if truth == 0:
        assert np.mean([e.estimate for e in found]) < 2 / games
