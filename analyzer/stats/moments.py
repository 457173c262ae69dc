"""Sums of observations made in blocks, alone or in pairs: whole numbers, so that they add up the same in any order.

A block is one observation: the games of one rotation of the seats, added up. Plays of the same games
under other rules or with other players are paired with the first play, block by block.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from analyzer.stats.intervals import Estimate, Method, Powers


class Moments(NamedTuple):
    """Sums over blocks of each play's values, of its differences from the first play, and of their powers."""

    blocks: int
    block: int  # games in a block
    own: np.ndarray  # [power, play, metric] sums of values, squares and cubes, as Python's unlimited whole numbers
    apart: np.ndarray  # [power, play, metric] the same of what each play has more than the first

    def __add__(self, other: Moments) -> Moments:  # type: ignore[override]
        return Moments(self.blocks + other.blocks, self.block, self.own + other.own, self.apart + other.apart)

    @property
    def n_games(self) -> int:
        return self.blocks * self.block

    def _powers(self, play: int, paired: bool) -> list[Powers]:
        return [Powers(self.blocks, *sums) for sums in (self.apart if paired else self.own)[:, play].T]

    def variance(self, play: int = 0, paired: bool = False) -> np.ndarray:
        """Return each metric's variance of a block's mean: in a play, or in its difference from the first play."""
        scale = max(1, self.blocks - 1) * self.block**2
        return np.array([powers.central()[0] / scale for powers in self._powers(play, paired)])

    def estimates(
        self,
        method: Method,
        at_once: int,
        play: int = 0,
        paired: bool = False,
        units: Sequence[float] | None = None,
    ) -> list[Estimate]:
        """Return each metric's mean per game, or its difference from the first play, with intervals.

        `units` are the ranges in which a game's values lie; a metric without one (0) is taken to change by
        one at least, and its difference by as much as its games differ from each other.
        """
        powers = self._powers(play, paired)
        known = [0.0] * len(powers) if units is None else units
        if paired:
            usual = 2 * self.block * np.sqrt(self.variance() + self.variance(play))
            known = [unit or float(wide) for unit, wide in zip(known, usual, strict=True)]
        found = (method.mean(p, at_once, max(1.0, unit), paired) for p, unit in zip(powers, known, strict=True))
        return [estimate.scaled(1 / self.block) for estimate in found]

    def alike(self, play: int) -> np.ndarray:
        """Return for each metric whether it came out the same as in the first play in every block."""
        return np.array([not squares for squares in self.apart[1, play]])

    def saved(self, play: int) -> np.ndarray:
        """Return how many times fewer games the pairing needs than two runs apart; nan where nothing differs."""
        apart, paired = self.variance(0) + self.variance(play), self.variance(play, paired=True)
        return np.divide(apart, paired, out=np.full(len(apart), math.nan), where=paired > 0)


def moments_of(values: list[np.ndarray], block: int) -> Moments:
    """Return the sums of several plays' whole-number values [game, metric]; the games make up whole blocks."""
    summed = np.stack([v.reshape(-1, block, v.shape[1]).sum(axis=1, dtype=np.int64) for v in values])
    return Moments(summed.shape[1], block, _powers_of(summed), _powers_of(summed - summed[0]))


def _powers_of(summed: np.ndarray) -> np.ndarray:
    """Return the sums over blocks of values [play, block, metric], of their squares and of their cubes."""
    squares = summed * summed
    return np.stack([p.sum(axis=1) for p in (summed, squares, squares * summed)]).astype(object)
