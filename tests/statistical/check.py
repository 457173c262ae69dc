"""The one way tests compare random counts with probabilities.

`sees` and its twin state what a test can do: the chance of a false alarm, and the discrepancy that it
would find nine times in ten.
"""

from __future__ import annotations

import math

Z = 4.5  # two-sided: a false alarm in about 150,000 comparisons


def false_alarm(comparisons: int) -> float:
    """Return the chance that correct code fails any of so many comparisons."""
    return comparisons * math.erfc(Z / math.sqrt(2))


def z_score(count: int, n: int, p: float) -> float:
    """Return by how many standard errors a count differs from n * p."""
    if p in (0.0, 1.0):
        return 0.0 if count == n * p else math.inf
    return (count - n * p) / math.sqrt(n * p * (1 - p))


def visible(n: int, p: float) -> float:
    """Return the discrepancy in p that is found nine times in ten."""
    return (Z + 1.2816) * math.sqrt(p * (1 - p) / n)


def agrees(count: int, n: int, p: float) -> bool:
    """Return whether a count could come from probability `p`."""
    return abs(z_score(count, n, p)) < Z
