"""Sums of observations made in blocks, alone or in pairs: whole numbers, so that they add up the same in any order.

A block is one observation: the games of one rotation of the seats, added up. Plays of the same games
under other rules or with other players are paired with the first play, block by block.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analyzer.stats.intervals import Estimate, Method


class Moments(NamedTuple):
    """Sums over blocks of each play's values, of their squares, and of their products with the first play's."""

    blocks: int
    block: int  # games in a block
    sums: np.ndarray  # [play, metric]
    squares: np.ndarray
    products: np.ndarray

    def __add__(self, other: Moments) -> Moments:  # type: ignore[override]
        summed = (a + b for a, b in zip(self[2:], other[2:], strict=True))
        return Moments(self.blocks + other.blocks, self.block, *summed)

    @property
    def n_games(self) -> int:
        return self.blocks * self.block

    def variance(self, play: int = 0, paired: bool = False) -> np.ndarray:
        """Return each metric's variance of a block's mean: in a play, or in its difference from the first play."""
        total, squares = self.sums[play].astype(object), self.squares[play].astype(object)
        if paired:
            total = total - self.sums[0]
            squares = squares + self.squares[0] - 2 * self.products[play].astype(object)
        scale = self.blocks * max(1, self.blocks - 1) * self.block**2
        return ((self.blocks * squares - total * total) / scale).astype(float)

    def estimates(self, method: Method, at_once: int, play: int = 0, paired: bool = False) -> list[Estimate]:
        """Return each metric's mean per game, or its difference from the first play, with intervals."""
        total = self.sums[play] - self.sums[0] if paired else self.sums[play]
        means = (total / self.n_games).tolist()
        reaches = [method.reach(v, self.blocks, at_once) for v in self.variance(play, paired)]
        return [Estimate(m, m - r, m + r) for m, r in zip(means, reaches, strict=True)]

    def saved(self, play: int) -> np.ndarray:
        """Return how many times fewer games the pairing needs than two runs apart; nan where nothing differs."""
        apart, paired = self.variance(0) + self.variance(play), self.variance(play, paired=True)
        return np.divide(apart, paired, out=np.full(len(apart), np.nan), where=paired > 0)


def moments_of(values: list[np.ndarray], block: int) -> Moments:
    """Return the sums of several plays' whole-number values [game, metric]; the games make up whole blocks."""
    summed = np.stack([v.reshape(-1, block, v.shape[1]).sum(axis=1, dtype=np.int64) for v in values])
    return Moments(
        summed.shape[1], block, summed.sum(axis=1), (summed * summed).sum(axis=1), (summed * summed[0]).sum(axis=1)
    )
