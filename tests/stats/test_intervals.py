"""Intervals against closed forms and against their promise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from analyzer.stats.intervals import mean_interval, wilson, z_value


def test_z_values():
    assert z_value(0.95) == pytest.approx(1.959964, abs=1e-6)
    assert z_value(0.95, at_once=10) == pytest.approx(2.807034, abs=1e-6)


def test_wilson_solves_its_equation():
    """Both ends are the p for which the observed share is z standard errors away."""
    z, n, total = 1.96, 500, 37
    found = wilson(total, n, z)
    for p in (found.low, found.high):
        assert abs(total / n - p) == pytest.approx(z * math.sqrt(p * (1 - p) / n), rel=1e-12)


def test_wilson_at_the_edges():
    assert wilson(0, 10, 2).low == 0
    assert wilson(10, 10, 2).high == 1
    assert wilson(0, 0, 2)[1:] == (0, 1)


def test_mean_interval_against_numpy():
    values = [3, 1, 4, 1, 5, 9, 2, 6]
    found = mean_interval(sum(values), sum(v * v for v in values), len(values), 2.0)
    error = np.std(values, ddof=1) / math.sqrt(len(values))
    assert found == pytest.approx((np.mean(values), np.mean(values) - 2 * error, np.mean(values) + 2 * error))


def test_mean_interval_loses_nothing_to_large_sums():
    """A million values of a myriad, one of them one more: the variance is 1e-6."""
    n, big = 10**6, 10**4
    found = mean_interval(n * big + 1, (n - 1) * big * big + (big + 1) ** 2, n, 1.0)
    assert found.half_width == pytest.approx(1e-6, rel=1e-5)
    assert mean_interval(7, 49, 1, 2.0).high == math.inf
