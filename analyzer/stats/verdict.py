"""Three-valued verdicts: an interval against the band it should lie in."""

from __future__ import annotations

import math

from analyzer.stats.intervals import Estimate

HOLDS, VIOLATED, UNDECIDED = "holds", "violated", "undecided"


def verdict(found: Estimate, low: float, high: float) -> str:
    """Return whether the interval lies within the band, outside of it, or across its edge."""
    if low <= found.low and found.high <= high:
        return HOLDS
    if found.high < low or found.low > high:
        return VIOLATED
    return UNDECIDED


def games_to_decide(found: Estimate, low: float, high: float, games: int) -> int:
    """Return about how many games would decide: the interval shrinks with the root of the games.

    An estimate on the very edge can take forever; the answer is capped at a thousand times the games.
    """
    distance = min(abs(found.estimate - edge) for edge in (low, high) if math.isfinite(edge))
    reach = max(found.high - found.estimate, found.estimate - found.low)
    if not math.isfinite(reach) or distance == 0:
        return 1000 * games
    return int(min(1000.0, max(1.0, (reach / distance) ** 2)) * games)
