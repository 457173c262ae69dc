"""Ratings, cycles, dominance, alpha-rank and equilibria on matrices whose answer is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from analyzer.stats.intervals import mixture_reach, share_sequence
from analyzer.stats.ratings import (
    ELO,
    alpha_rank,
    bradley_terry,
    corners,
    cycles,
    dominators,
    effective_number,
    equilibrium,
    mix_bounds,
    number_bounds,
    stationary,
    unbounded,
)

ROCK = np.array([[0.5, 0.0, 1.0], [1.0, 0.5, 0.0], [0.0, 1.0, 0.5]])  # each loses to the next
NONE = np.zeros((3, 3))


def ladder(strengths):
    """Return the matrix in which the odds of i against j are strength i to strength j."""
    s = np.asarray(strengths, float)
    return s[:, None] / (s[:, None] + s[None, :])


def test_bradley_terry_finds_the_strengths_of_a_ladder():
    """Odds of 10 to 1 are 400 points."""
    found = bradley_terry(ladder([1, 10, 100]), NONE)
    assert found.rating == pytest.approx([-400, 0, 400], abs=1e-4)
    assert found.error == pytest.approx([0, 0, 0])


def test_bradley_terry_of_rock_paper_scissors_is_level():
    assert bradley_terry(0.5 + 0.8 * (ROCK - 0.5), NONE).rating == pytest.approx([0, 0, 0], abs=1e-6)


def test_bradley_terry_of_two_has_a_closed_form():
    """Two strategies: the difference is the log odds, its error that of the log odds."""
    share = np.array([[0.5, 0.7], [0.3, 0.5]])
    error = np.array([[0, 0.01], [0.01, 0]])
    found = bradley_terry(share, error)
    assert found.rating[0] == pytest.approx(ELO * math.log(0.7 / 0.3) / 2, rel=1e-6)
    assert found.error[0] == pytest.approx(ELO * 0.01 / (0.7 * 0.3) / 2, rel=1e-5)


def resampled(share, error, rng):
    """Return the matrix as another run might have found it: each pair drawn anew from its normal error."""
    above = np.triu(np.clip(rng.normal(share, error), 0, 1), 1)
    return above + np.tril(1 - above.T, -1) + np.diag(np.full(len(share), 0.5))


def test_errors_of_ratings_are_those_of_repeated_runs():
    """The spread of the fits to 2000 perturbed matrices; 6% is four standard errors of a spread."""
    rng = np.random.default_rng(3)
    share = ladder([1, 2, 3, 7])
    error = np.full((4, 4), 0.01)
    fits = [bradley_terry(resampled(share, error, rng), error).rating for _ in range(2000)]
    assert np.std(fits, axis=0) == pytest.approx(bradley_terry(share, error).error, rel=0.065)


def test_cycles():
    assert cycles(ROCK) == [(0, 2, 1)]
    assert cycles(ROCK.T) == [(0, 1, 2)]
    assert cycles(ladder([1, 2, 3, 4])) == []
    assert cycles(ROCK - 0.6) == []  # no lower bound above one half


def test_cycles_of_five_that_each_beat_the_next_two():
    share = np.full((5, 5), 0.5)
    for i in range(5):
        share[i, [(i + 1) % 5, (i + 2) % 5]] = 0.9
        share[i, [(i + 3) % 5, (i + 4) % 5]] = 0.1
    assert len(cycles(share)) == 5


def test_dominated_strategies():
    assert dominators(ROCK, ROCK) == [[], [], []]
    steps = ladder([1, 2, 3])
    assert dominators(steps, steps) == [[1, 2], [2], []]
    assert dominators(steps - 0.09, steps + 0.09) == [[2], [], []]  # 1/2 to 3/5 is within the error


def test_a_chain_of_two_has_a_closed_form():
    assert stationary(np.array([[0, 0.2], [0.6, 0]])) == pytest.approx([0.75, 0.25])
    assert stationary(np.array([[0, 1.0], [1e-90, 0]]))[0] == pytest.approx(1e-90, rel=1e-12)


def test_stationary_solves_its_equations():
    rates = np.random.default_rng(1).random((6, 6))
    weight = stationary(rates)
    np.fill_diagonal(rates, 0)
    assert weight @ rates == pytest.approx(weight * rates.sum(axis=1))


def test_alpha_rank():
    assert alpha_rank(ROCK, 10) == pytest.approx([1 / 3] * 3)
    assert alpha_rank(ladder([1, 2, 4]), 0) == pytest.approx([1 / 3] * 3)
    assert alpha_rank(ladder([1, 2, 4]), 100) == pytest.approx([0, 0, 1], abs=1e-12)
    twins = np.array([[0.5, 0.5, 0.1], [0.5, 0.5, 0.1], [0.9, 0.9, 0.5]])
    assert alpha_rank(1 - twins, 1000) == pytest.approx([0.5, 0.5, 0], abs=1e-12)


def test_alpha_rank_of_two_follows_the_fixation_probabilities():
    """The ratio of the two fixation probabilities is exp((m - 1) alpha d)."""
    share = np.array([[0.5, 0.55], [0.45, 0.5]])
    found = alpha_rank(share, 0.3, population=10)
    assert found[0] / found[1] == pytest.approx(math.exp(9 * 0.3 * 0.1))


def test_equilibrium():
    assert equilibrium(ROCK) == pytest.approx([1 / 3] * 3, abs=1e-9)
    assert equilibrium(ladder([1, 2, 4])) == pytest.approx([0, 0, 1], abs=1e-9)
    # scissors win by less: played less against, so the others shift (closed form of a 3-cycle)
    a, b, c = 0.1, 0.2, 0.4  # 0 beats 1 by a, 1 beats 2 by b, 2 beats 0 by c
    share = 0.5 + np.array([[0, a, -c], [-a, 0, b], [c, -b, 0]])
    assert equilibrium(share) == pytest.approx(np.array([b, c, a]) / (a + b + c), abs=1e-9)


def test_a_dominated_strategy_has_no_part_in_the_mix():
    share = np.full((4, 4), 0.5)
    share[:3, :3] = ROCK
    share[3, :3], share[:3, 3] = ROCK.min(axis=0) + 0.2, 0.8
    assert equilibrium(share)[3] == pytest.approx(0, abs=1e-9)


def test_effective_number():
    assert effective_number(np.array([1.0, 0, 0])) == pytest.approx(1)
    assert effective_number(np.full(5, 0.2)) == pytest.approx(5)


def test_the_reach_of_the_mixture_solves_its_equation():
    """Robbins: (1 + r) ** -1/2 * exp(reach² r / (2 (1 + r))) = 1 / alpha, with r the prior's weight n rho²."""
    alpha, tuned_to = 0.01, 500
    wide = -2 * math.log(alpha)
    for n in (10, 500, 10**6):
        r = n * (wide + math.log(wide) + 1) / tuned_to
        reach = mixture_reach(n, alpha, tuned_to)
        assert math.exp(reach**2 * r / (2 * (1 + r))) / math.sqrt(1 + r) == pytest.approx(1 / alpha)


@pytest.mark.parametrize("values", [(0.0, 1.0, 0.5), (0.0, 1.0, 0.02), (0.0, 0.5, 0.3), (0.0, 1.0, 0.9985)])
def test_sequences_watched_all_the_time_rarely_miss(values):
    """Watched at 60 looks between 30 and 20,000 values, 2000 runs of a 95% sequence.

    At most 5% may miss at any look. The binomial error of 2000 runs is 0.5%, so a true rate of 5%
    passes 6.7% but once in 3000 tests; an interval for one look (z = 1.96) misses in over 30%.
    """
    low, high, chance = values
    looks = np.unique(np.geomspace(30, 20_000, 60).astype(int))
    steps = np.diff(looks, prepend=0)
    wins = np.random.default_rng(5).binomial(steps, chance, (2000, len(looks))).cumsum(axis=1)
    total = low * (looks - wins) + high * wins
    squares = low**2 * (looks - wins) + high**2 * wins
    truth = low + (high - low) * chance
    missed = naive = 0
    for run in range(2000):
        spans = [
            share_sequence(t, s, int(n), 0.05, 2000) for t, s, n in zip(total[run], squares[run], looks, strict=True)
        ]
        missed += any(not e.low <= truth <= e.high for e in spans)
        mean = total[run] / looks
        error = np.sqrt(np.maximum(1e-12, squares[run] / looks - mean**2) / looks)
        naive += bool((np.abs(mean - truth) > 1.96 * error).any())
    assert missed <= 0.067 * 2000
    assert naive > 0.25 * 2000


def test_what_never_varied_is_not_taken_for_certain():
    even = share_sequence(500, 250, 1000, 0.05, 1000)  # a thousand halves
    assert even.low < 0.499 < 0.501 < even.high
    won = share_sequence(1000, 1000, 1000, 0.05, 1000)
    assert won.low < 1 - math.log(20) / 1000  # what a run of wins bears out
    assert won.high == 1
    assert share_sequence(0, 0, 0, 0.05, 1000)[1:] == (0, 1)


def test_what_was_never_beaten_has_no_bound():
    """The first two share wins and never lose to the last two, who share wins too."""
    share = np.array([[0.5, 0.6, 1, 1], [0.4, 0.5, 1, 1], [0, 0, 0.5, 0.3], [0, 0, 0.7, 0.5]])
    low, high = unbounded(share)
    assert low.tolist() == [False, False, True, True]
    assert high.tolist() == [True, True, False, False]
    share[3, 0], share[0, 3] = 0.01, 0.99  # one win by way of which all have beaten all
    assert not np.any(unbounded(share))
    assert np.array(unbounded(ladder([1, 1, 1]).round() * 0 + np.triu(np.ones((3, 3))))).tolist() == [
        [False, True, True],
        [True, True, False],
    ]


def _spread(share, reach):
    low, high = share - reach, share + reach
    np.fill_diagonal(low, 0.5)
    np.fill_diagonal(high, 0.5)
    return low, high


def test_mix_bounds_hold_what_is_possible_and_little_more():
    """Rock, paper, scissors with margins from 0.1 to 0.3: by the closed form parts go from 1/7 to 3/5."""
    low, most = mix_bounds(_spread(0.5 + 0.4 * (ROCK - 0.5), 0.1)[1])
    assert ((low > 1 / 7 - 0.1) & (low <= 1 / 7)).all()
    assert ((most >= 0.6) & (most < 0.6 + 0.1)).all()
    exact = 0.5 + 0.2 * (ROCK - 0.5)
    assert np.array(mix_bounds(exact)) == pytest.approx(np.full((2, 3), 1 / 3), abs=1e-6)
    assert number_bounds(exact, *mix_bounds(exact)) == pytest.approx((3, 3), abs=1e-3)
    steps = ladder([1, 2, 4])
    assert number_bounds(steps, *mix_bounds(steps)) == (1, 1)


TRUTHS = {
    "rock paper scissors": 0.5 + 0.3 * (ROCK - 0.5),
    "an uneven cycle": 0.5 + np.array([[0, 0.05, -0.2], [-0.05, 0, 0.1], [0.2, -0.1, 0]]),
    "tied leaders": np.array([[0.5, 0.5, 0.7], [0.5, 0.5, 0.7], [0.3, 0.3, 0.5]]),
    "all even": np.full((4, 4), 0.5),
    "a ladder": ladder([1, 1.2, 2, 5]),
}


@pytest.mark.parametrize("name", TRUTHS)
def test_mixes_and_alpha_rank_cover(name):
    """60 rankings of 300 games a pair: mix rows, effective number and alpha-rank of the truth within their bounds.

    All rows at once, in 95%; a true rate of 5% misses more than 11 times once in 10,000 tests. Percentiles
    of resampled matrices miss the number of rock, paper and scissors always.
    """
    truth, runs, n = TRUTHS[name], 60, 300
    k, rng, missed = len(truth), np.random.default_rng(n), np.zeros(3, int)
    pairs = k * (k - 1) // 2
    mix, rank = equilibrium(truth), alpha_rank(truth, 2.0**14)
    number = effective_number(mix)
    for _ in range(runs):
        low, high = np.full((2, k, k), 0.5)
        for i in range(k):
            for j in range(i):
                wins = rng.binomial(n, truth[i, j])
                _, low[i, j], high[i, j] = share_sequence(wins, wins, n, 0.05 / pairs, n)
                low[j, i], high[j, i] = 1 - high[i, j], 1 - low[i, j]
        least, most = mix_bounds(high)
        missed[0] += ((mix < least - 1e-6) | (mix > most + 1e-6)).any()
        least, most = number_bounds(high, least, most, steps=4)
        missed[1] += not least - 1e-5 <= number <= most + 1e-5
        times = [alpha_rank(m, 2.0**14) for m in corners(low, high, rng, 24)]
        missed[2] += ((rank < np.min(times, axis=0) - 1e-6) | (rank > np.max(times, axis=0) + 1e-6)).any()
    assert missed.max() <= 11, missed
