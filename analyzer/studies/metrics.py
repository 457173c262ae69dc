"""The headline numbers of a game, each a whole number for every game played."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from analyzer.engine.run import CHUNK, Played
from analyzer.engine.tally import WHOLE_WIN, Log
from analyzer.scenarios import Scenario
from analyzer.stats import course as stats
from analyzer.stats.course import PART
from analyzer.stats.intervals import Estimate


@dataclass(frozen=True)
class Metric:
    """A number and its meaning; `fair` is its value in a perfectly even game, where it has one."""

    key: str
    family: str  # what a target names
    title: str
    unit: str  # "share", or what is counted
    scale: float = 1.0
    fair: float | None = None
    least: float = 0.0  # what a game can give, in whole numbers
    most: float = math.inf

    @property
    def span(self) -> float:
        """The range in which a game's value lies, in whole numbers; 0 where it is not known."""
        return self.most - self.least if math.isfinite(self.most - self.least) else 0.0

    def shown(self, mean: Estimate) -> Estimate:
        """Return a mean of whole numbers in the metric's unit, its interval cut to what games can give."""
        return mean.within(self.least, self.most).scaled(self.scale)


def metrics_of(scenario: Scenario) -> list[Metric]:
    """Return the headline numbers of a scenario, in the order of `values_of`."""
    game, n = scenario.game, len(scenario.seats)
    share, step = 1 / WHOLE_WIN, game.checkpoint_name
    names = list(dict.fromkeys(scenario.seats))
    return [
        *(
            Metric(
                f"policy.{name}",
                "policy",
                f"{name} wins, per seat",
                "share",
                share / scenario.seats.count(name),
                1 / n,
                most=WHOLE_WIN,
            )
            for name in names
        ),
        *(
            Metric(f"place.{p + 1}", "place", f"place {p + 1} wins", "share", share, 1 / n, most=WHOLE_WIN)
            for p in range(n)
        ),
        Metric(
            "first_player",
            "first_player",
            "place 1 over the mean of the others",
            "share",
            share / (n - 1),
            0.0,
            -WHOLE_WIN,
            (n - 1) * WHOLE_WIN,
        ),
        *(
            Metric(
                f"score.{e + 1}",
                "score",
                f"{game.score_name} of seat {e + 1}, {name}",
                game.score_name,
                least=-math.inf,
            )
            for e, name in enumerate(scenario.seats)
        ),
        Metric("ties", "ties", "games with a shared win", "share", most=1),
        Metric("margin", "margin", "distance of the best score from the second", game.score_name),
        Metric("lead_changes", "lead_changes", f"changes of the lead between {step}s", "times"),
        Metric("drama", "drama", "how far the winner was behind at worst", game.score_name),
        Metric("certainty", "certainty", f"{step} from which the winner led to the end", step),
        Metric("comeback", "comeback", "games won from behind at half-time", "share", share, most=WHOLE_WIN),
        *(Metric(f"measure.{m.key}", m.key, m.title, "per game") for m in game.measures),
    ]


def values_of(scenario: Scenario, played: Played) -> np.ndarray:
    """Return the headline numbers of each game [game, metric] of a logged chunk."""
    log, seats = played.log, scenario.seats
    n = log.win.shape[1]
    win = log.win.astype(np.int64)
    by_place = np.take_along_axis(win, (np.arange(n) + log.first[:, None]) % n, axis=1)
    lead = stats.leads(log.course)
    columns = [
        *(win[:, [i for i, seat in enumerate(seats) if seat == name]].sum(axis=1) for name in dict.fromkeys(seats)),
        *by_place.T,
        n * by_place[:, 0] - WHOLE_WIN,
        *log.score.T,
        ((win > 0).sum(axis=1) > 1),
        stats.margin(log.score),
        stats.lead_changes(lead),
        stats.drama(lead, log.win),
        stats.certainty(lead, log.win),
        stats.won_from_behind(stats.at_half_time(lead, checkpoints_played(scenario, log)), win),
        *log.counts.T,
    ]
    return np.stack(columns, axis=1).astype(np.int64)


def checkpoints_played(scenario: Scenario, log: Log) -> np.ndarray:
    """Return how many of the checkpoints each game has played."""
    n_games, most = log.course.shape[:2]
    return np.clip(log.counts[:, 0], 1, most) if scenario.game.ends_early else np.full(n_games, most)


def block_chunk(players: int, plays: int = 1, games: int = CHUNK) -> int:
    """Return a chunk size of whole rotations that depends on nothing but the number of games.

    It is for sums that are no whole numbers or are made of parts of a chunk (the snowball's slope): the cut of
    the games must not depend on how fast they are played.
    """
    unit = math.lcm(players, PART)
    return max(1, min(CHUNK // plays, games // 100) // unit) * unit


def whole_blocks(games: int, players: int) -> int:
    """Return the number of games rounded up to whole rotations."""
    return -(-games // players) * players
