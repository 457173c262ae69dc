"""Means and differences from blocks of games.

A block is a run of consecutive games; its sums are one observation. Two ways to play that meet the
same deals and dice go through the same blocks, and the difference of their sums has the luck of the
block taken out. The error comes from how the differences scatter over blocks (Student's t).
"""

from __future__ import annotations

import numpy as np

from analyzer.stats.intervals import Estimate, score_ends, t_value


def block_mean(sums: np.ndarray, block: int, confidence: float, at_once: int = 1) -> Estimate:
    """Return the mean of a game with its interval.

    Parameters
    ----------
    sums : the sum of each block.
    block : games in a block.
    """
    n = len(sums)
    mean = float(np.sum(sums)) / (n * block)
    if n < 2:
        return Estimate(mean, -np.inf, np.inf)
    reach = t_value(confidence, at_once, n) * float(np.std(sums / block, ddof=1)) / np.sqrt(n)
    return Estimate(mean, mean - reach, mean + reach)


def block_share(sums: np.ndarray, block: int, whole: float, confidence: float, at_once: int = 1) -> Estimate:
    """Return the mean of games each of which is between 0 and `whole`, as a share of it, with its interval.

    Also where nearly all or nearly none are won, and the blocks hardly differ (see `score_ends`).
    """
    n = len(sums)
    parts = sums / whole
    mean = float(parts.mean())
    if n < 2:
        return Estimate(mean / block, 0.0, 1.0)
    off = parts - mean
    ends = score_ends(mean, (off**2).sum(), (off**3).sum(), n, t_value(confidence, at_once, n), 1.0)
    return Estimate(mean, float(ends[0]), float(ends[1])).scaled(1 / block).within(0.0, 1.0)


def difference(a: np.ndarray, b: np.ndarray, block: int, confidence: float, at_once: int = 1) -> Estimate:
    """Return the mean of `a - b` a game over the blocks both have played."""
    n = min(len(a), len(b))
    return block_mean(a[:n] - b[:n], block, confidence, at_once)


def behind_best(sums: np.ndarray, block: int, confidence: float) -> list[Estimate]:
    """Return by how much each row [row, block] is behind the best of them; 0 for the best itself.

    Which row is best is seen only afterwards, so the intervals hold together over all pairs that might
    have been compared.
    """
    best, n = int(sums.sum(axis=1).argmax()), len(sums)
    return [difference(sums[best], row, block, confidence, max(1, n * (n - 1) // 2)) for row in sums]


def saving(a: np.ndarray, b: np.ndarray) -> float:
    """Return the part of the variance that playing the same games has taken out of a difference."""
    n = min(len(a), len(b))
    apart = float(np.var(a[:n], ddof=1) + np.var(b[:n], ddof=1))
    return 1 - float(np.var(a[:n] - b[:n], ddof=1)) / apart if apart > 0 else 0.0
