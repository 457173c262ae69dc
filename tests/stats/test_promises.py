"""Every kind of printed interval keeps its promise, from 8 games to 10,000, where the truth is known.

Each cell plants a distribution, draws many runs of n blocks from it and counts how many intervals miss
its mean, which is known by construction. A cell of R runs passes while the misses are few enough that an
interval missing with exactly the promised chance would show more in one of 100,000 tests (`_most`); with
some 250 cells a false alarm comes once in 400 runs of this file. Where the promise is kept only nearly
at few games (Student's is exact for normal values only) the least n at which it is kept is said.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import special, stats

from analyzer.stats.intervals import (
    FIRST_LOOK,
    Method,
    Powers,
    beta_sequence,
    exact_share,
    mixture_reach,
    score_ends,
    t_value,
)
from analyzer.stats.paired import block_share

SIZES = (8, 20, 80, 400, 2000, 10_000)
RARE = {"one in 2000": 0.0005, "one in 100": 0.01, "a fifth": 0.2, "half": 0.5, "nearly all": 0.999}


def _rng(*key):
    return np.random.default_rng([7, *key])


def _runs(n):
    return int(min(4000, 6_000_000 // n))


def _most(runs, miss):
    return stats.binom.isf(1e-5, runs, miss)


def _misses(values, truth, miss, unit, paired=False):
    """Count the runs [run, block] whose interval for the mean leaves out the truth."""
    n = values.shape[1]
    mean = values.mean(axis=1)
    off = values - mean[:, None]
    square = off * off
    low, high = score_ends(
        mean, square.sum(axis=1), (square * off).sum(axis=1), n, t_value(1 - miss, 1, n), unit, paired
    )
    return int(((truth < low) | (truth > high)).sum())


@pytest.mark.parametrize("miss", [0.05, 0.05 / 30])
def test_exact_shares(miss):
    """Never more than promised, whatever the share: summed over all results, not drawn."""
    shares = np.concatenate([np.geomspace(1e-5, 0.5, 60), 1 - np.geomspace(1e-5, 0.4, 40)])
    for n in SIZES:
        wins = np.arange(n + 1)
        low, high = exact_share(wins, n, miss)
        missed = [stats.binom.pmf(wins, n, p)[(p < low) | (p > high)].sum() for p in shares]
        assert max(missed) <= miss


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("shared", [0.1, 0.6])
def test_shares_with_parts_of_wins(n, shared):
    """A shared win counts a half, a third or a quarter: the interval errs on the wide side."""
    parts, runs = np.array([0, 1, 1 / 2, 1 / 3, 1 / 4]), _runs(n)
    for whole in (0.001, 0.3):
        odds = [1 - whole - shared, whole, shared / 2, shared / 4, shared / 4]
        total = _rng(n, int(1000 * whole)).multinomial(n, odds, runs) @ parts
        truth = parts @ odds
        low, high = exact_share(total, n, 0.05)
        assert ((truth < low) | (truth > high)).sum() <= _most(runs, 0.05)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("miss", [0.05, 0.05 / 30])
def test_shares_of_blocks(n, miss):
    """Blocks of 4 games: rare, common and near-sure."""
    runs = _runs(n)
    for i, share in enumerate(RARE.values()):
        wins = _rng(1, n, i).binomial(4, share, (runs, n))
        assert _misses(wins, 4 * share, miss, 1.0) <= _most(runs, miss), share


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("miss", [0.05, 0.05 / 30])
def test_paired_differences_with_many_zeros(n, miss):
    """Most games come out alike; the others differ by a win, one way or both, evenly or not."""
    runs = _runs(n)
    for i, (up, down) in enumerate([(0.0005, 0.0), (0.003, 0.003), (0.0, 0.02), (0.06, 0.04), (0.3, 0.3)]):
        rng = _rng(2, n, i)
        more, less = (rng.binomial(4, p, (runs, n)) for p in (up, down))
        assert _misses(more - less, 4 * (up - down), miss, 1.0, True) <= _most(runs, miss), (up, down)


COUNTS = {
    "bell": (lambda rng, size: np.rint(rng.normal(50, 10, size)), 50.0, 8),
    "poisson": (lambda rng, size: rng.poisson(0.7, size), 0.7, 8),
    "geometric": (lambda rng, size: rng.geometric(0.3, size) - 1, 0.7 / 0.3, 20),
    "negative binomial": (lambda rng, size: rng.negative_binomial(0.5, 0.1, size), 0.5 * 0.9 / 0.1, 80),
    "rare fives": (lambda rng, size: 5 * (rng.random(size) < 0.01), 0.05, 400),
}


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", COUNTS)
def test_means_of_counts(name, n):
    """Skewed counts: from the n stated on the promise is kept; before, it misses at most three times as often."""
    draw, truth, least = COUNTS[name]
    runs = _runs(n)
    missed = _misses(draw(_rng(3, n), (runs, n)), truth, 0.05, 5.0 if name == "rare fives" else 1.0)
    assert missed <= _most(runs, 0.05 if n >= least else 0.15)


@pytest.mark.parametrize("blocks", [8, 32])
def test_shares_of_races_with_near_sure_wins(blocks):
    """Blocks of 64 games of which nearly all are won; of 8 blocks 6 in 10 have no loss, so no width by Student's."""
    runs, truth = 800, 0.999
    sums = _rng(8, blocks).binomial(64, truth, (runs, blocks)).astype(float)
    spans = [block_share(row, 64, 1.0, 0.95) for row in sums]
    assert sum(not e.low <= truth <= e.high for e in spans) <= _most(runs, 0.05)
    assert all(e.high <= 1 for e in spans)


def test_a_constant_is_not_certain():
    """Of what never happened in n games, at least what the rule of three allows."""
    for n in (8, 100, 5000):
        low, high = score_ends(0.0, 0.0, 0.0, n, t_value(0.95, 1, n), 1.0)
        assert low < 0 < 1 - 0.025 ** (1 / n) <= high
        assert Method().share(0, n).high == pytest.approx(1 - 0.025 ** (1 / n))
        assert Method().share(n, n).low == pytest.approx(0.025 ** (1 / n))
        assert Method().mean(Powers(n, 7 * n, 49 * n, 343 * n)).half_width > 0
        assert Method().reach(0.0, n) >= 3 / n
    assert block_share(np.full(8, 64.0), 64, 1.0, 0.95).low < 0.995


def test_of_too_few_values_a_mean_has_no_bounds():
    assert Method().mean(Powers(7, 14, 50, 200)).high == np.inf
    assert Method().reach(0.25, 7) == np.inf
    assert np.isfinite(Method().mean(Powers(8, 14, 50, 200)).high)


def test_an_interval_holds_its_own_estimate():
    for total in (1 / 3, 0.1 + 0.2, 2 / 3, 6.999999999999999):
        found = Method().share(total, 7)
        assert 0 <= found.low <= found.estimate <= found.high <= 1


@pytest.mark.parametrize("share", [0.0001, 0.002, 0.05, 0.5, 0.99])
def test_shares_hold_at_every_look(share):
    """Watched at 60 looks from the first game to 40,000; narrow enough to be of use at the end."""
    looks = np.unique(np.geomspace(1, 40_000, 60).astype(int))
    runs = 800
    wins = _rng(4, int(1e4 * share)).binomial(np.diff(looks, prepend=0), share, (runs, len(looks))).cumsum(axis=1)
    low, high = beta_sequence(wins, looks, 0.05, 20_000)
    missed = ((share < low) | (share > high)).any(axis=1).sum()
    assert missed <= _most(runs, 0.05)
    errors = (high[:, -1] - low[:, -1]) / 2 / np.sqrt(share * (1 - share) / looks[-1])
    assert np.median(errors) < 1.2 * mixture_reach(40_000, 0.05, 20_000) + 3 / np.sqrt(40_000 * share)


def test_a_beta_sequence_is_the_martingale_under_one_over_alpha():
    """Both ends against the definition on a fine grid, and whole at the edges."""
    for wins, n in ((0, 50), (3, 50), (25, 50), (50, 50), (700, 1000)):
        low, high = beta_sequence(wins, n, 0.05, 500)
        p = np.linspace(1e-6, 1 - 1e-6, 200_001)
        wide = -2 * np.log(0.05)
        weight = 500 / (wide + np.log(wide) + 1)
        grown = special.betaln(weight * p + wins, weight * (1 - p) + n - wins) - special.betaln(
            weight * p, weight * (1 - p)
        )
        kept = p[grown - special.xlogy(wins, p) - special.xlog1py(n - wins, -p) < -np.log(0.05)]
        assert low == pytest.approx(kept[0], abs=1e-5)
        assert high == pytest.approx(kept[-1], abs=1e-5)
    assert [float(end) for end in beta_sequence(0, 0, 0.05, 500)] == [0, 1]


@pytest.mark.parametrize("share", [0.0001, 0.002, 0.3])
def test_means_hold_at_every_look(share):
    """Means of blocks of 4 games watched from the first look on, also of what hardly ever happens."""
    runs, looks = 2000, np.unique(np.geomspace(FIRST_LOOK, 200_000, 40).astype(int))
    method = Method(anytime=True)
    steps = np.diff(looks, prepend=0)
    rng = _rng(5, int(1e4 * share))
    by_wins = rng.multinomial(steps, stats.binom.pmf(np.arange(5), 4, share), (runs, len(looks))).cumsum(axis=1)
    total, squares, cubes = (by_wins @ np.arange(5) ** k for k in (1, 2, 3))
    mean = total / looks
    s2 = squares - looks * mean**2
    s3 = cubes - 3 * mean * squares + 2 * looks * mean**3
    errors = np.array([method.errors(int(n)) for n in looks])
    low, high = score_ends(mean, s2, s3, looks, errors, 1.0)
    assert ((4 * share < low) | (4 * share > high)).any(axis=1).sum() <= _most(runs, 0.05)
    assert method.mean(Powers(FIRST_LOOK - 1, 0, 0, 0)).high == np.inf


@pytest.mark.parametrize("n", SIZES)
def test_rows_hold_together(n):
    """30 rows of a table, rare and common, each with its own share of the error: all hold in 95 of 100 runs."""
    runs, shares = _runs(10 * n) if n > 400 else 1000, np.geomspace(0.001, 0.9, 30)
    rng, missed, loose = _rng(6, n), np.zeros(runs, bool), np.zeros(runs, bool)
    for share in shares:
        wins = rng.binomial(n, share, runs)
        for out, rows in ((missed, len(shares)), (loose, 1)):
            s2, s3 = wins * (1 - wins / n), wins * (1 - wins / n) * (1 - 2 * wins / n)
            low, high = score_ends(wins / n, s2, s3, n, t_value(0.95, rows, n), 1.0)
            out |= (share < low) | (share > high)
    assert missed.sum() <= _most(runs, 0.05)
    assert n < 80 or loose.mean() > 0.2  # without widening they do not


def test_plain_students_intervals_are_caught():
    """Negative control: what is not widened for the unseen misses rare events nearly always."""
    wins = _rng(1, 80, 0).binomial(4, 0.0005, (4000, 80))
    mean, error = wins.mean(axis=1), wins.std(axis=1, ddof=1) / np.sqrt(80)
    reach = t_value(0.95, 1, 80) * error
    assert (np.abs(mean - 0.002) > reach).mean() > 0.5
