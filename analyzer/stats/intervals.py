"""Intervals for shares and means, alone or several at once, at a fixed number of games or at any.

A run of a fixed number of games has Wilson's intervals for shares and normal ones for means. A run
that may stop when it has seen enough needs intervals that hold at every look at once: here the normal
mixture confidence sequence with the estimated variance (Robbins; Waudby-Smith and others for the
estimated variance). It is asymptotic, so nobody looks before `FIRST_LOOK` games.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

CONFIDENCE = 0.95  # of intervals, unless told otherwise


class Estimate(NamedTuple):
    """A number with its interval."""

    estimate: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        return (self.high - self.low) / 2


def z_value(confidence: float, at_once: int = 1) -> float:
    """Return the normal quantile for intervals that all hold together with `confidence` (Bonferroni)."""
    return NormalDist().inv_cdf(1 - (1 - confidence) / (2 * at_once))


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


def mean_interval(total: int, squares: int, n: int, z: float) -> Estimate:
    """Return the normal interval for a mean from exact sums of values and of their squares."""
    if n == 0:
        return Estimate(math.nan, math.nan, math.nan)
    mean = total / n
    if n == 1:
        return Estimate(mean, -math.inf, math.inf)
    reach = z * math.sqrt(variance_of(total, squares, n) / n)
    return Estimate(mean, mean - reach, mean + reach)


FIRST_LOOK = 1000
_TIGHTEST_AT = 200_000  # observations


def mixture_reach(n: int, alpha: float, tuned_to: float) -> float:
    """Return by how many standard errors a mean may be off at n observations, at any n watched.

    The two-sided normal-mixture confidence sequence (Robbins 1970; for estimated variances
    Waudby-Smith and others 2021): the chance that the interval ever misses is at most `alpha`.
    It is narrowest near `tuned_to` observations.
    """
    wide = -2 * math.log(alpha)
    tuned = n * (wide + math.log(wide) + 1) / tuned_to
    return math.sqrt(2 * (1 + 1 / tuned) * (0.5 * math.log1p(tuned) - math.log(alpha)))


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
            return f"normal mixture confidence sequences, {percent}, valid at every look"
        return f"wilson {percent} for wins, normal {percent} for means"

    @property
    def name_in_blocks(self) -> str:
        """The name where a rotation of the seats is one observation."""
        kind = "normal mixture confidence sequences" if self.anytime else "normal"
        return f"{kind} {self.confidence:.0%}, a rotation of the seats being one observation"

    def reach(self, variance: float, n: int, at_once: int = 1) -> float:
        """Return the half-width of the interval for a mean of values with this variance."""
        if n < 2:
            return math.inf
        if self.anytime:
            if n < FIRST_LOOK:
                return math.inf
            errors = mixture_reach(n, (1 - self.confidence) / at_once, _TIGHTEST_AT)
            return errors * math.sqrt(variance / n)
        return z_value(self.confidence, at_once) * math.sqrt(variance / n)

    def share(self, total: float, n: int, at_once: int = 1) -> Estimate:
        """Return the interval for a share of `n` games, of which parts may count."""
        if not self.anytime:
            return wilson(total, n, z_value(self.confidence, at_once))
        if n == 0:
            return Estimate(math.nan, 0.0, 1.0)
        p = total / n
        reach = self.reach(max(p * (1 - p), 1 / n), n, at_once)
        return Estimate(p, max(0.0, p - reach), min(1.0, p + reach))

    def mean(self, total: int, squares: int, n: int, at_once: int = 1) -> Estimate:
        """Return the interval for a mean from exact sums of values and of their squares."""
        if n < 2:
            return mean_interval(total, squares, n, 0.0)
        mean, reach = total / n, self.reach(variance_of(total, squares, n), n, at_once)
        return Estimate(mean, mean - reach, mean + reach)


def variance_of(total: int, squares: int, n: int) -> float:
    """Return the sample variance; in whole numbers, so nothing is lost to cancellation."""
    return (n * squares - total * total) / (n * (n - 1))
