"""Who beats whom: matchup matrices, ratings, cycles, dominated strategies, equilibria.

A *matchup matrix* `share` holds in row i, column j the share of wins of strategy i against j, so
`share[i, j] + share[j, i] = 1` and the diagonal is 1/2. `error` holds its standard errors, `low` and
`high` its intervals.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from scipy import linalg, optimize, special
from scipy.sparse import csgraph
from scipy.special import expit

ELO = 400 / math.log(10)  # points of a rating for each unit of log odds: 400 points are odds of 10 to 1
POPULATION = 50  # of alpha-rank
_LEAST_RATE = 1e-100  # stands for impossible: alpha-rank's chain never falls apart
_LEAST_TIME = 1e-12  # below that alpha-rank says 0


class Ratings(NamedTuple):
    """Ratings on Elo's scale with mean 0, and their standard errors."""

    rating: np.ndarray
    error: np.ndarray


def bradley_terry(share: np.ndarray, error: np.ndarray) -> Ratings:
    """Fit ratings to a matchup matrix by maximum likelihood: the odds of i against j are exp(r_i - r_j).

    Shares count as parts of wins, every pair with the same weight however often it was played. The
    standard errors are those of the pairs carried through the fit, so they hold where the model does
    not. Shares must lie within 0 and 1, ends excluded, for the ratings to be finite.
    """
    k = len(share)

    def odds(r: np.ndarray) -> np.ndarray:
        return expit(r[:, None] - r[None, :])

    # the likelihood does not know the level of the ratings; the square of their sum sets it to 0
    def loss(r: np.ndarray) -> float:
        return float((share * np.logaddexp(0, r[None, :] - r[:, None])).sum() + r.sum() ** 2 / 2)

    def slope(r: np.ndarray) -> np.ndarray:
        return (odds(r) - share).sum(axis=1) + r.sum()

    def bend(r: np.ndarray) -> np.ndarray:
        p = odds(r)
        weight = p * (1 - p)
        np.fill_diagonal(weight, 0)
        return np.diag(weight.sum(axis=1)) - weight + np.ones((k, k))

    fit = optimize.minimize(
        loss, np.zeros(k), jac=slope, hess=bend, method="trust-exact", options={"gtol": 1e-9, "maxiter": 1000}
    ).x
    inverse = linalg.inv(bend(fit), overwrite_a=True)
    scatter = error**2
    np.fill_diagonal(scatter, 0)
    between = np.diag(scatter.sum(axis=1)) - scatter
    covariance = inverse @ between @ inverse
    return Ratings(ELO * (fit - fit.mean()), ELO * np.sqrt(np.maximum(0, np.diag(covariance))))


def dominators(low: np.ndarray, high: np.ndarray) -> list[list[int]]:
    """Return for each strategy those that do better against every opponent, beyond error."""
    k = len(low)
    low, high = low.copy(), high.copy()
    np.fill_diagonal(low, 0.5)
    np.fill_diagonal(high, 0.5)
    return [[j for j in range(k) if j != i and bool((low[j] > high[i]).all())] for i in range(k)]


def cycles(low: np.ndarray) -> list[tuple[int, int, int]]:
    """Return the cycles of three: each beats the next beyond error, the last the first."""
    k = len(low)
    beats = low > 0.5
    return [
        (i, j, h)
        for i in range(k)
        for j in range(i + 1, k)
        for h in range(i + 1, k)
        if j != h and beats[i, j] and beats[j, h] and beats[h, i]
    ]


def alpha_rank(share: np.ndarray, alpha: float, population: int = POPULATION) -> np.ndarray:
    """Return the shares of time a population spends with each strategy (Omidshafiei and others 2019).

    One mutant at a time meets a population of one strategy and takes it over with the fixation
    probability of a selection of strength `alpha`.
    """
    edge = alpha * (share.T - share)  # what the mutant (column) has over the resident (row)
    size = np.abs(edge)
    with np.errstate(invalid="ignore"):
        taken = np.where(size > 1e-12, np.expm1(-size) / np.expm1(-population * size), 1 / population)
    rates = taken * np.exp(-(population - 1) * np.where(edge < 0, size, 0))
    time = stationary(np.maximum(rates, _LEAST_RATE))
    return np.where(time < _LEAST_TIME, 0.0, time)


def stationary(rates: np.ndarray) -> np.ndarray:
    """Return the stationary distribution of a chain from its rates, by elimination without subtraction.

    Grassmann, Taksar and Heyman's algorithm: exact to the last digits for rates of any size.
    """
    a = rates.copy()
    for n in range(len(a) - 1, 0, -1):
        a[:n, n] /= a[n, :n].sum()
        a[:n, :n] += np.outer(a[:n, n], a[n, :n])
    weight = np.ones(len(a))
    for n in range(1, len(a)):
        weight[n] = weight[:n] @ a[:n, n]
    return weight / weight.sum()


def equilibrium(share: np.ndarray) -> np.ndarray:
    """Return a mix that no strategy beats: an equilibrium of the zero-sum game `share` - 1/2.

    A linear programme, solved by HiGHS through scipy: the mix whose worst matchup is best. Where
    there are several, it is the one the solver ends on.
    """
    k = len(share)
    payoff = share - 0.5
    solved = optimize.linprog(
        np.append(np.zeros(k), -1.0),
        A_ub=np.column_stack([-payoff.T, np.ones(k)]),
        b_ub=np.zeros(k),
        A_eq=np.append(np.ones(k), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, 1)] * k + [(-1, 1)],
        method="highs",
    )
    mix = np.maximum(0.0, solved.x[:k]) + 0.0  # no negative zeros
    return mix / mix.sum()


def mix_bounds(high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the least and the most that each strategy can have in an equilibrium, given upper ends of all shares.

    A mix that no strategy beats has `mix @ (share - 1/2) >= 0`; shares at their upper ends only make
    that easier. So every equilibrium of every matrix within the intervals lies in this polytope (which is
    somewhat larger: it lets both of a pair be at their best), and where the intervals hold together so do
    these bounds. A linear programme for each end.
    """
    k = len(high)
    ends = [[_least_in_mixes(high, side * np.eye(k)[i]) * side for i in range(k)] for side in (1, -1)]
    low, most = np.clip(ends, 0.0, 1.0) + 0.0
    return low, most


def _least_in_mixes(high: np.ndarray, weights: np.ndarray) -> float:
    """Return the least of `weights @ mix` over the mixes that may be equilibria (see `mix_bounds`)."""
    return float(weights @ _best_mix(high, weights))


def _best_mix(high: np.ndarray, weights: np.ndarray) -> np.ndarray:
    k = len(high)
    edge = high - 0.5
    np.fill_diagonal(edge, 0)
    solved = optimize.linprog(
        weights, A_ub=-edge.T, b_ub=np.full(k, 1e-12), A_eq=np.ones((1, k)), b_eq=[1.0], bounds=(0, 1), method="highs"
    )
    mix: np.ndarray = solved.x
    return mix


def effective_number(mix: np.ndarray) -> float:
    """Return how many strategies a mix amounts to: the exponential of its entropy."""
    held = mix[mix > 0]
    return float(np.exp(-(held * np.log(held)).sum()))


def number_bounds(high: np.ndarray, low: np.ndarray, most: np.ndarray, steps: int = 40) -> tuple[float, float]:
    """Return the least and the most strategies that an equilibrium can amount to, given its `mix_bounds`.

    Entropy is concave: never below the chords between the bounds of each part (one linear programme), and
    never above its tangent at any mix (Frank and Wolfe, each step a bound).
    """
    entropy = -special.xlogy([low, most], [low, most])
    slope = np.divide(entropy[1] - entropy[0], most - low, out=np.zeros(len(low)), where=most > low)
    least = entropy[0].sum() - slope @ low + _least_in_mixes(high, slope)
    mix, bound = _best_mix(high, np.zeros(len(high))), math.log(len(high))
    for step in range(steps):
        rise = -np.log(np.maximum(mix, 1e-9)) - 1
        vertex = _best_mix(high, -rise)
        # tangent at the mix, parts of 0 taken for 1e-9: still above the entropy everywhere
        at = np.maximum(mix, 1e-9)
        bound = min(bound, float(-special.xlogy(at, at).sum() + rise @ (vertex - at)))
        mix = mix + 2 / (step + 3) * (vertex - mix)
    return round(math.exp(max(0.0, least)), 6), round(math.exp(max(bound, least, 0.0)), 6)


def corners(low: np.ndarray, high: np.ndarray, rng: np.random.Generator, n: int) -> list[np.ndarray]:
    """Return matrices at the ends of the intervals: one strategy at its best or worst, the others by chance.

    Pairs whose interval holds 1/2 may also be level. What comes out for these matrices proves no bound, but
    ties and what they decide are among them.
    """
    k = len(low)
    level = np.where((low <= 0.5) & (high >= 0.5), 0.5, (low + high) / 2)
    drawn = []
    for i in range(n):
        matrix = np.choose(rng.integers(0, 3, (k, k)), [low, level, high])
        one, side = i // 3 % k, (low, level, high)[i % 3]
        above = np.triu(matrix, 1)
        matrix = above + np.tril(1 - above.T, -1)
        matrix[one], matrix[:, one] = side[one], 1 - side[one]
        np.fill_diagonal(matrix, 0.5)
        drawn.append(matrix)
    return drawn


def unbounded(share: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which ratings have no lower and which no upper bound.

    Those who never lost to a group, not even by way of others, may be ahead of it by any distance: ratings
    of maximum likelihood are finite only where everybody has beaten everybody in that sense (Ford 1957).
    """
    beaten = csgraph.shortest_path(share > 0, unweighted=True) < np.inf  # also by way of others
    return ~beaten.all(axis=1), ~beaten.all(axis=0)
