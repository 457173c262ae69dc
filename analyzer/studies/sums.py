"""What the designers' studies keep of the games played: sums that add up."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analyzer.engine.run import Played
from analyzer.engine.tally import Tally
from analyzer.scenarios import Scenario
from analyzer.stats import course
from analyzer.stats.moments import Moments, moments_of
from analyzer.studies.metrics import checkpoints_played

_LONGEST = 4096  # lengths from here on count as this


class Sums(NamedTuple):
    """What is kept of games: of their headline numbers, their course and length, and the tally."""

    moments: Moments
    course: course.Course
    lengths: np.ndarray  # [length] games
    tally: Tally

    def __add__(self, other: Sums) -> Sums:  # type: ignore[override]
        return Sums(*(a + b for a, b in zip(self, other, strict=True)))  # type: ignore[operator]


def sums_of(scenario: Scenario, played: Played, values: np.ndarray) -> Sums:
    """Return the sums of a chunk of games and of their headline numbers [game, metric]."""
    log = played.log
    return Sums(
        moments=moments_of([values], len(scenario.seats)),
        course=course.course_of(log.course, course.leads(log.course), log.win, checkpoints_played(scenario, log)),
        lengths=np.bincount(np.clip(log.counts[:, 0], 0, _LONGEST - 1), minlength=_LONGEST),
        tally=played.tally,
    )
