"""Intervals for shares and means, alone or several at once, at a fixed number of games or at any.

| what | a fixed number of games | a run that may stop when it has seen enough |
|---|---|---|
| shares | Clopper and Pearson: exact | mixture of betas: holds at every look, from the first game on |
| means | Student's, with the skewness, from `FEWEST` on | normal mixture in Student's place, from `FIRST_LOOK` on |

Nothing has an interval of no width because it has not varied yet: what a game could still bring counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any, NamedTuple

import numpy as np
from scipy import special

CONFIDENCE = 0.95  # of intervals, unless told otherwise


class Estimate(NamedTuple):
    """A number with its interval."""

    estimate: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2

    def scaled(self, factor: float) -> Estimate:
        """Return the same in other units; a negative factor turns the ends round."""
        ends = (self.low * factor, self.high * factor)
        return Estimate(self.estimate * factor, min(ends), max(ends))

    def within(self, low: float, high: float) -> Estimate:
        """Return it cut to what is possible."""
        return Estimate(self.estimate, max(low, self.low), min(high, self.high))


def z_value(confidence: float, at_once: int = 1) -> float:
    """Return the normal quantile for intervals that all hold together with `confidence` (Bonferroni)."""
    return NormalDist().inv_cdf(1 - (1 - confidence) / (2 * at_once))


def t_value(confidence: float, at_once: int, n: int) -> float:
    """Return Student's quantile for intervals that all hold together with `confidence` (Bonferroni)."""
    if n < 2:
        return math.inf
    return float(special.stdtrit(n - 1, 1 - (1 - confidence) / (2 * at_once)))


def wilson(total: float, n: float, z: float) -> Estimate:
    """Return Wilson's interval for a share.

    `total` may be a sum of parts of wins: for values within 0..1 the variance is never above that of
    wins and losses with the same mean, so the interval errs on the wide side.
    """
    if n == 0:
        return Estimate(math.nan, 0.0, 1.0)
    p = total / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return Estimate(p, max(0.0, centre - reach), min(1.0, centre + reach))


def exact_share(total: Any, n: Any, miss: float) -> tuple[Any, Any]:
    """Return the ends of Clopper and Pearson's interval for a share, which misses with chance `miss` at most.

    Assumes independent games. `total` may be a sum of parts of wins: it varies less than whole wins of the
    same mean, and the quantiles of the beta are taken between those of the whole numbers beside it.
    """
    total = np.clip(total, 0, n)
    # betaincinv gives nan for a parameter of 0: there the end is that of the range
    low = np.where(total > 0, special.betaincinv(np.maximum(total, 1e-9), n - total + 1, miss / 2), 0.0)
    high = np.where(total < n, special.betaincinv(total + 1, np.maximum(n - total, 1e-9), 1 - miss / 2), 1.0)
    mean = total / n  # within its own interval also when a sum of parts is rounded
    return np.minimum(low, mean), np.maximum(high, mean)


def score_ends(mean: Any, s2: Any, s3: Any, n: Any, errors: Any, unit: Any, paired: bool = False) -> tuple[Any, Any]:
    """Return the ends of the interval for the mean of n values of unknown distribution.

    Wilson's interval is made of the means for which what was seen is `errors` standard errors off, where
    the standard error changes with the mean. Here the same is done for any values: their variance changes
    with their mean by skewness times standard deviation (as it does in every natural exponential family;
    Morris 1982; for shares that gives Wilson's, for counts the score interval of Poisson's law). `s2` and
    `s3` are the sums of squares and cubes of the distances from the mean.

    One more value `unit` away on the side of each end stands for what has not been seen yet. So the
    interval of values that never varied has a width, that of rare events is as long as the exact one, and
    the skewness of few values is not trusted. Assumes that unseen values are no farther off than `unit`
    or the values seen; in the long run it is Student's interval. Of `paired` differences few games may
    have gone one way by chance: there skewness makes a side longer, never shorter.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        seen = np.where(s2 > 0, np.abs(s3) / s2, 0.0)
    unit = np.maximum(np.maximum(unit, np.sqrt(s2 / n)), seen)
    variance = s2 * n / np.maximum(1, n - 1) + unit**2
    ends = []
    for side in (-1, 1):
        bend = errors * (side * s3 + unit**3) / (s2 + unit**2) / 2
        bend = np.maximum(bend, 0) if paired else bend
        ends.append(side * errors * (bend + np.sqrt(variance + bend**2)) / n)
    return mean + ends[0], mean + ends[1]


class Powers(NamedTuple):
    """Sums of n values, of their squares and of their cubes: whole numbers."""

    n: int
    total: int
    squares: int
    cubes: int

    def central(self) -> tuple[float, float]:
        """Return the sums of squares and cubes of distances from the mean; nothing is lost to cancellation."""
        n, total, squares, cubes = map(int, self)
        second = n * squares - total * total
        third = n * n * cubes - 3 * n * total * squares + 2 * total**3
        return second / n, third / (n * n)


def mean_interval(total: int, squares: int, n: int, z: float) -> Estimate:
    """Return the normal interval for a mean from exact sums of values and of their squares."""
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan)
    mean = total / n
    if n == 1:
        return Estimate(mean, -math.inf, math.inf)
    reach = z * math.sqrt(variance_of(total, squares, n) / n)
    return Estimate(mean, mean - reach, mean + reach)


FEWEST = 8  # of fewer values the mean has no bounds
FIRST_LOOK = 1000
_TIGHTEST_AT = 200_000  # observations


def mixture_reach(n: int, alpha: float, tuned_to: float) -> float:
    """Return by how many standard errors a mean may be off at n observations, at any n watched.

    The two-sided normal-mixture confidence sequence (Robbins 1970; for estimated variances
    Waudby-Smith and others 2021): the chance that the interval ever misses is at most `alpha`.
    It is narrowest near `tuned_to` observations. With estimated variances it is asymptotic.
    """
    tuned = n * _weight(alpha) / tuned_to
    return math.sqrt(2 * (1 + 1 / tuned) * (0.5 * math.log1p(tuned) - math.log(alpha)))


def _weight(alpha: float) -> float:
    """Return how many times the variance of the mixture is that of the mean where the sequence is narrowest."""
    wide = -2 * math.log(alpha)
    return wide + math.log(wide) + 1


def beta_sequence(total: Any, n: Any, alpha: float, tuned_to: float) -> tuple[Any, Any]:
    """Return the ends of an interval for a share that holds at every look, from the first game on.

    Of each p the likelihood of what was seen is compared with its mean under a beta law around p: while p
    is true that ratio is a martingale (for values within 0..1 a supermartingale), so it ever grows
    to 1/alpha with chance `alpha` at most (Ville; Robbins 1970; the beta-binomial mixture of Howard and
    others 2021). Nothing in it is asymptotic. The interval is narrowest near `tuned_to` games.
    """
    total, n = np.broadcast_arrays(np.asarray(total, float), np.asarray(n, float))
    mean, weight = total / np.maximum(n, 1), tuned_to / _weight(alpha)

    def kept(p: np.ndarray) -> np.ndarray:
        prior = special.betaln(weight * p, weight * (1 - p))
        mixed = special.betaln(weight * p + total, weight * (1 - p) + n - total) - prior
        kept: np.ndarray = mixed - special.xlogy(total, p) - special.xlog1py(n - total, -p) < -math.log(alpha)
        return kept

    ends = []
    for edge in (0.0, 1.0):
        inside, outside = mean.copy(), np.full_like(mean, edge)
        for _ in range(60):
            middle = (inside + outside) / 2
            holds = kept(np.clip(middle, 1e-15, 1 - 1e-15))
            inside, outside = np.where(holds, middle, inside), np.where(holds, outside, middle)
        ends.append(np.where(n > 0, outside, edge))
    return ends[0], ends[1]


def share_sequence(total: float, squares: float, n: int, alpha: float, tuned_to: float) -> Estimate:
    """Return an anytime-valid interval for the mean of n values within 0..1 from their sum and sum of squares.

    Wilson's interval with the reach of the mixture, for as many wins and losses as would tell what the
    n values tell: n times the ratio of the variance of wins and losses to theirs. That ratio is never
    taken for larger than n / reach², so values that have not varied yet do not count as certain.
    """
    if n == 0:
        return Estimate(math.nan, 0.0, 1.0)
    reach = mixture_reach(n, alpha, tuned_to)
    mean = total / n
    spread = max(0.0, squares / n - mean * mean)
    most = mean * (1 - mean)
    ratio = max(spread / most, reach * reach / n) if most > 0 else 1.0
    told = n / min(1.0, ratio)
    return Estimate(mean, *wilson(mean * told, told, reach)[1:])


@dataclass(frozen=True)
class Method:
    """How a study makes its intervals; `at_once` of them hold together with `confidence`."""

    anytime: bool = False
    confidence: float = CONFIDENCE

    @property
    def name(self) -> str:
        percent = f"{self.confidence:.0%}"
        if self.anytime:
            return (
                f"confidence sequences, {percent}, valid at every look: beta mixtures for wins, normal mixtures for "
                f"means (from {FIRST_LOOK:,} games on)"
            )
        return f"exact {percent} for wins (Clopper and Pearson), Student's {percent} with the skewness for means"

    @property
    def name_in_blocks(self) -> str:
        """The name where a rotation of the seats is one observation."""
        kind = "normal mixture confidence sequences" if self.anytime else "Student's with the skewness"
        return f"{kind}, {self.confidence:.0%}, a rotation of the seats being one observation"

    def errors(self, n: int, at_once: int = 1) -> float:
        """Return by how many standard errors the mean of n observations may be off."""
        if n < (FIRST_LOOK if self.anytime else FEWEST):
            return math.inf
        if self.anytime:
            return mixture_reach(n, self._miss(at_once), _TIGHTEST_AT)
        return t_value(self.confidence, at_once, n)

    def _miss(self, at_once: int) -> float:
        return (1 - self.confidence) / at_once

    def reach(self, variance: float, n: int, at_once: int = 1, unit: float = 1.0) -> float:
        """Return the half-width of the interval for a mean of n values that lie within a range of `unit`.

        Of `score_ends` the longer side, with as much skewness as wins and losses of this variance have.
        A `unit` of 0 leaves Student's reach.
        """
        errors = self.errors(n, at_once)
        if not math.isfinite(errors):
            return math.inf
        bend = errors * math.sqrt(max(0.0, unit * unit - 4 * variance)) / (2 * n)
        return errors * (bend + math.sqrt((variance + unit * unit / n) / n + bend * bend))

    def share(self, total: float, n: int, at_once: int = 1) -> Estimate:
        """Return the interval for a share of `n` games, of which parts may count."""
        if n == 0:
            return Estimate(math.nan, 0.0, 1.0)
        miss = self._miss(at_once)
        ends = beta_sequence(total, n, miss, _TIGHTEST_AT) if self.anytime else exact_share(total, n, miss)
        return Estimate(total / n, float(ends[0]), float(ends[1]))

    def mean(self, values: Powers, at_once: int = 1, unit: float = 1.0, paired: bool = False) -> Estimate:
        """Return the interval for a mean, of values or of `paired` differences.

        `unit` is how far off a value may be that was never seen.
        """
        errors = self.errors(values.n, at_once)
        mean = values.total / values.n if values.n else math.nan
        if not math.isfinite(errors):
            return Estimate(mean, -math.inf, math.inf)
        ends = score_ends(mean, *values.central(), values.n, errors, unit, paired)
        return Estimate(mean, float(ends[0]), float(ends[1]))


def variance_of(total: int, squares: int, n: int) -> float:
    """Return the sample variance; in whole numbers, so nothing is lost to cancellation."""
    return (n * squares - total * total) / (n * (n - 1))
