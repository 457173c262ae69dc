"""Quantiles of whole numbers, with intervals from order statistics."""

from __future__ import annotations

import math

import numpy as np
from scipy import stats

from analyzer.stats.intervals import Estimate, Method


def quantile(histogram: np.ndarray, percent: int, method: Method, at_once: int = 1) -> Estimate:
    """Return a quantile and its interval: two of the values seen, the ranks of which the true one can lie between.

    `histogram[value]` counts how often a value was seen. An end is infinite where so few values tell nothing of it.
    The number of values up to the true quantile is binomial with at least this share, that of the values below it
    with at most this share, so the interval holds for numbers that stand many times too.
    """
    seen = np.cumsum(histogram)
    n = int(seen[-1])
    if n == 0:
        return Estimate(math.nan, -math.inf, math.inf)
    low, high = _ranks(n, percent / 100, method, at_once)
    return Estimate(
        _value(seen, -(-n * percent // 100)),
        _value(seen, low) if low >= 1 else -math.inf,
        _value(seen, high) if high <= n else math.inf,
    )


def _ranks(n: int, p: float, method: Method, at_once: int) -> tuple[int, int]:
    """Return the ranks, from 1, of the values at the interval's ends; those outside of 1 to n do not exist."""
    if method.anytime:
        reach = method.reach(p * (1 - p), n, at_once)
        return (math.floor(n * (p - reach)), math.ceil(n * (p + reach))) if math.isfinite(reach) else (0, n + 1)
    tail = (1 - method.confidence) / (2 * at_once)
    return int(stats.binom.ppf(tail, n, p)), int(stats.binom.ppf(1 - tail, n, p)) + 1


def _value(seen: np.ndarray, rank: int) -> float:
    """Return the value of a rank from the counts of values up to each."""
    return float(np.searchsorted(seen, rank))
