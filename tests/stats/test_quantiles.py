"""Quantiles of whole numbers: the ranks that hold the true one.

The intervals are exact, so of 2000 runs at least 95% less three standard deviations of the count must
hold the true quantile; a correct one fails that with probability 0.002 at most.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from analyzer.stats.intervals import Estimate, Method
from analyzer.stats.quantiles import quantile

RUNS = 2000
CHANCES = np.array([0.05, 0.05, 0.4, 0.3, 0.15, 0.05])  # the 10th percentile lies at the edge between 1 and 2


@pytest.mark.parametrize("n", [8, 40, 200, 1000])
@pytest.mark.parametrize(("percent", "true"), [(10, 1), (50, 2), (90, 4)])
def test_the_true_quantile_lies_within(n, percent, true):
    drawn = np.random.default_rng(n + percent).multinomial(n, CHANCES, RUNS)
    found = [quantile(histogram, percent, Method()) for histogram in drawn]
    assert np.mean([e.low <= true <= e.high for e in found]) >= 0.935


def test_a_narrower_interval_is_caught():
    """Negative control: the ranks of two thirds of the time do not hold it as often."""
    drawn = np.random.default_rng(3).multinomial(1000, np.full(100, 0.01), RUNS)
    found = [quantile(histogram, 50, Method(confidence=0.66)) for histogram in drawn]
    assert np.mean([e.low <= 49 <= e.high for e in found]) < 0.935


def test_few_values_tell_nothing_of_the_ends():
    found = quantile(np.array([0, 2, 1, 1]), 90, Method())
    assert (found.estimate, found.high) == (3, math.inf)
    assert quantile(np.zeros(4, int), 50, Method())[1:] == (-math.inf, math.inf)
    assert quantile(np.array([0, 0, 999]), 50, Method(anytime=True))[1:] == (-math.inf, math.inf)


def test_ranks_worked_out_by_hand():
    """Of 10 values the median lies between the 2nd and the 9th with 1 - 22/1024 = 97.9%."""
    assert quantile(np.ones(10, int), 50, Method()) == Estimate(4, 1, 8)


def test_the_sequence_is_wider_and_both_narrow():
    histogram = np.random.default_rng(5).multinomial(40_000, np.full(4000, 0.00025))
    fixed, anytime = (quantile(histogram, 50, Method(anytime=a)) for a in (False, True))
    assert anytime.low < fixed.low < fixed.estimate < fixed.high < anytime.high
    assert anytime.half_width < 100
