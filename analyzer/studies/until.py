"""Playing until it is enough: looks at growing numbers of games, the same on any machine."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from analyzer.engine.run import Run
from analyzer.errors import BadInput
from analyzer.scenarios import Scenario
from analyzer.stats.intervals import Method

T = TypeVar("T")

DECIDED = "decided"
MOST_GAMES = 20_000_000  # where a run that waits for an answer gives up, unless told otherwise


@dataclass(frozen=True)
class Until:
    """When to stop: at a number of games, at a half-width of the headline numbers, or when all verdicts are in."""

    games: int
    half_width: float | None = None
    decided: bool = False

    @property
    def sequential(self) -> bool:
        return self.decided or self.half_width is not None

    @property
    def method(self) -> Method:
        return Method(anytime=self.sequential)

    def looks(self, block: int) -> Iterator[tuple[int, int]]:
        """Yield the first game and the number of games of each stretch, in whole blocks."""
        start, size = 0, 32_768 if self.sequential else self.games
        while start < self.games:
            count = min(size, self.games - start)
            count = -(-count // block) * block
            yield start, count
            start += count
            size = start // 2  # each look has half as many games again

    def enough(self, half_width: float, undecided: int) -> bool:
        """Return whether a sequential run may stop."""
        if self.half_width is not None and half_width <= self.half_width:
            return True
        return self.decided and undecided == 0


def most_games(scenario: Scenario, games: int | None = None, until: Until | None = None, **others: Any) -> int:
    """Return how many games a study of a scenario plays at most: as asked, or as the scenario says.

    The plan of most studies; what else they are told (a seed, …) makes no difference to it.
    """
    return until.games if until else games or scenario.games


def read_until(text: str | None, games: int | None, default: int) -> Until:
    """Read `--until` (`0.1%`, `0.001` or `decided`) and `--games`."""
    if text is None:
        return Until(games or default)
    most = games or MOST_GAMES
    if text == DECIDED:
        return Until(most, decided=True)
    found = re.fullmatch(r"(\d*\.?\d+)\s*(%?)", text.strip())
    width = float(found[1]) / (100 if found[2] else 1) if found else 0.0
    if not 0 < width < 1:
        raise BadInput(f"--until {text!r}: allowed: a half-width such as 0.1%, or {DECIDED!r}")
    return Until(most, half_width=width)


def play_until(until: Until, block: int, play: Callable[[int, int], Run[T]], enough: Callable[[T], bool]) -> Run[T]:
    """Play stretch by stretch until it is enough, and add the results up."""
    total: Any = None
    n_games = 0
    for first, count in until.looks(block):
        run = play(first, count)
        n_games += run.n_games
        if run.result is not None:
            total = run.result if total is None else total + run.result
        if run.interrupted or total is None:
            return Run(total, n_games, True)
        if until.sequential and enough(total):
            break
    return Run(total, n_games, False)
