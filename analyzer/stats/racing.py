"""Racing: many candidates play the same games, and who is clearly worse stops early.

After each stage every candidate is compared with the one in front on the blocks both have played. All
pairs and all stages share one error budget (Bonferroni), so that with the stated confidence no
candidate is ever dropped that is in truth as good as the one in front of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from analyzer.stats.intervals import CONFIDENCE, Estimate
from analyzer.stats.paired import block_mean, block_share, difference

# sample(candidates, first block, blocks) -> sums [candidate, block, measure]
Sample = Callable[[list[int], int, int], np.ndarray]


@dataclass(frozen=True)
class Race:
    """How a race ended. Sums are kept by candidate as [block, measure]; the first measure decided."""

    sums: list[np.ndarray]
    alive: list[int]
    block: int
    confidence: float
    comparisons: int

    @property
    def best(self) -> int:
        """The candidate in front among those left."""
        return max(self.alive, key=lambda c: (self.sums[c][:, 0].sum(), -c))

    def mean(self, candidate: int, measure: int = 0) -> Estimate:
        """A candidate's own mean a game; the intervals of all candidates hold together."""
        return block_mean(self.sums[candidate][:, measure], self.block, self.confidence, len(self.sums))

    def share(self, candidate: int, whole: float, measure: int = 0) -> Estimate:
        """A mean that is a share of `whole`: the interval stays within 0 and 1."""
        return block_share(self.sums[candidate][:, measure], self.block, whole, self.confidence, len(self.sums))

    def behind(self, candidate: int, measure: int = 0) -> Estimate:
        """By how much a game a candidate is behind the best; 0 for the best itself."""
        if candidate == self.best:
            return Estimate(0.0, 0.0, 0.0)
        mine, best = self.sums[candidate][:, measure], self.sums[self.best][:, measure]
        return difference(best, mine, self.block, self.confidence, self.comparisons)

    def games(self, candidate: int) -> int:
        return len(self.sums[candidate]) * self.block


def race(
    n: int, sample: Sample, *, block: int, first_blocks: int, most_blocks: int, confidence: float = CONFIDENCE
) -> Race:
    """Race `n` candidates, doubling the blocks from `first_blocks` until one is left or `most_blocks` are played."""
    *_, end = stages_of_race(
        n, sample, block=block, first_blocks=first_blocks, most_blocks=most_blocks, confidence=confidence
    )
    return end


def stages_of_race(
    n: int, sample: Sample, *, block: int, first_blocks: int, most_blocks: int, confidence: float = CONFIDENCE
) -> Iterator[Race]:
    """Yield how a race stands after each of its stages: whatever stage is the last, its intervals hold."""
    stages = [first_blocks]
    while stages[-1] < most_blocks:
        stages.append(min(2 * stages[-1], most_blocks))
    result = Race([], list(range(n)), block, confidence, max(1, len(stages) * n * (n - 1) // 2))
    played = 0
    for blocks in stages:
        new = sample(result.alive, played, blocks - played)
        sums = list(result.sums) or [new[0][:0]] * n
        for c, part in zip(result.alive, new, strict=True):
            sums[c] = np.concatenate([sums[c], part])
        result = Race(sums, result.alive, block, confidence, result.comparisons)
        # the leader is not behind itself: its bound is 0 and it stays
        alive = [c for c in result.alive if result.behind(c).low <= 0]
        result = Race(sums, alive, block, confidence, result.comparisons)
        played = blocks
        yield result
        if len(alive) == 1:
            break


def halve(n: int, sample: Sample, *, first_blocks: int, keep: int, factor: int = 4) -> list[int]:
    """Return the `keep` candidates that successive halving leaves, best first.

    Each stage plays `factor` times as many blocks and keeps the best 1/`factor`. Of candidates that come out
    alike in every block one stays. This picks and does not prove anything: numbers for the survivors must
    come from games not used here.
    """
    alive, played, blocks = list(range(n)), 0, first_blocks
    totals = np.zeros(n, np.int64)
    while True:
        new = sample(alive, played, blocks)
        totals[alive] += new[:, :, 0].sum(axis=1)
        played += blocks
        # those that were alike so far and are again are one; a dict keeps the first of each
        distinct = {(int(totals[c]), row.tobytes()): c for c, row in reversed(list(zip(alive, new, strict=True)))}
        alive = sorted(distinct.values(), key=lambda c: (-totals[c], c))[: max(keep, -(-len(alive) // factor))]
        if len(alive) <= keep:
            return alive
        blocks = played * (factor - 1)


def most_halving_blocks(n: int, *, first_blocks: int, keep: int, factor: int = 4) -> int:
    """Return how many blocks `halve` plays at most, those of all candidates together."""
    total, played, blocks = 0, 0, first_blocks
    while True:
        total += n * blocks
        played += blocks
        n = min(n, max(keep, -(-n // factor)))
        if n <= keep:
            return total
        blocks = played * (factor - 1)
