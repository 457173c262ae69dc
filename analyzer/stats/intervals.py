"""Intervals for shares and means, alone or several at once."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple


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
    # n * squares - total**2 in whole numbers: nothing is lost to cancellation
    variance = (n * squares - total * total) / (n * (n - 1))
    reach = z * math.sqrt(variance / n)
    return Estimate(mean, mean - reach, mean + reach)
