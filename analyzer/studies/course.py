"""How games run: from ahead and behind, how early the winner is known, how long they last."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from analyzer.answer import COUNT, SHARE, Chart, Column, Table, estimate
from analyzer.engine.tally import WHOLE_WIN
from analyzer.scenarios import Scenario
from analyzer.stats import course as stats
from analyzer.stats.intervals import Estimate, Method
from analyzer.studies.sums import Sums

_LEAST_SEEN = 100  # players at a lead, for its odds to be told
_SHOWN_LEAD, _SHOWN_STEPS = 12, 6


def known_of(standing: np.ndarray, scenario: Scenario, games: int, method: Method, at_once: int) -> Estimate:
    """Return how much of the uncertainty who wins the standings at a checkpoint take away."""
    share, variance = stats.known(standing / np.array([1, WHOLE_WIN]), len(scenario.seats))
    reach = method.reach(variance, games, at_once)  # a game is one observation, though it has several players
    return Estimate(share, share - reach, share + reach).within(min(0.0, share), 1.0)


def course_tables(
    scenario: Scenario, sums: Sums, method: Method, from_behind: Estimate | None, note: str
) -> Iterator[Table]:
    """Yield how games run; `from_behind` is the share of games won so, where it is known."""
    yield _comebacks(scenario, _comeback_frame(scenario, sums, method), from_behind, note)
    yield _course(scenario, _course_frame(scenario, sums, method), note)
    yield _lengths(scenario, _length_frame(scenario, sums.lengths), note)


def _comebacks(scenario: Scenario, leads: pd.DataFrame, from_behind: Estimate | None, note: str) -> Table:
    step = scenario.game.checkpoint_name
    near = leads[leads["lead"].abs() <= _SHOWN_LEAD]
    groups = [rows.assign(line=f"{step} {c}") for c, rows in near.groupby(step) if len(rows) > 1]
    share = f"{from_behind.estimate:z.0%} of the games" if from_behind else "Games"
    chart = Chart(
        "lines",
        f"{share} are won from behind at half-time",
        "win",
        across="lead",
        group="line",
        axis="chance to win",
        note=note,
        frame=pd.concat(groups[:: max(1, len(groups) // _SHOWN_STEPS)]) if groups else None,
    )
    return Table(
        "comebacks",
        "Odds from ahead and behind",
        leads,
        (Column("win", "wins", SHARE), Column("players", unit=COUNT)),
        "The chance to win from each lead over the best other player (negative: behind).",
        chart if groups else None,
    )


def _course(scenario: Scenario, course: pd.DataFrame, note: str) -> Table:
    step, score, last = scenario.game.checkpoint_name, scenario.game.score_name, course.iloc[-1]
    return Table(
        "course",
        "How early the winner is known",
        course,
        (
            Column("known_share", "known of the winner", SHARE),
            Column("leader_win", "leader wins", SHARE),
            Column("snowball", unit=score),
        ),
        f"Known: the share of the uncertainty who wins that the standings take away. Snowball: {score} gained by the "
        f"next {step} for each of lead.",
        Chart(
            "lines",
            f"After {step} {last[step]:.0f} the standings tell {last['known_share']:z.0%} of who wins",
            "known_share",
            across=step,
            axis="share of the uncertainty gone",
            note=note,
        ),
    )


def _lengths(scenario: Scenario, lengths: pd.DataFrame, note: str) -> Table:
    length = scenario.game.length
    median = lengths[length.key].iloc[lengths["share"].cumsum().searchsorted(0.5 - 1e-9)]
    return Table(
        "lengths",
        "Length",
        lengths,
        (Column("games", unit=COUNT), Column("share", unit=SHARE)),
        chart=Chart(
            "histogram",
            f"Half of the games have at most {median} {length.title}",
            "share",
            across=length.key,
            axis="share of games",
            note=note,
        ),
    )


def _comeback_frame(scenario: Scenario, sums: Sums, method: Method) -> pd.DataFrame:
    """The odds of winning from each lead (negative: deficit) at each checkpoint; rare leads left out."""
    step = scenario.game.checkpoint_name
    seen = [
        (c, lead, int(players), int(wins) / WHOLE_WIN)
        for c, standing in enumerate(sums.course.standing)
        for lead, (players, wins) in zip(range(-stats.MOST_LEAD, stats.MOST_LEAD + 1), standing, strict=True)
        if players >= _LEAST_SEEN
    ]
    rows = [
        {step: c + 1, "lead": lead, "players": players} | estimate("win", method.share(wins, players, len(seen)))
        for c, lead, players, wins in seen
    ]
    return pd.DataFrame(rows, columns=[step, "lead", "players", "win", "win_low", "win_high"])


def _course_frame(scenario: Scenario, sums: Sums, method: Method) -> pd.DataFrame:
    """What is known of the winner at each checkpoint, how often a leader wins, and the snowball from there."""
    rows = []
    n_checkpoints = len(sums.course.standing)
    at_once = 3 * n_checkpoints
    for c, standing in enumerate(sums.course.standing):
        known = known_of(standing, scenario, sums.tally.n_games, method, at_once)
        ahead = standing[stats.MOST_LEAD + 1 :].sum(axis=0)
        leader = method.share(int(ahead[1]) / WHOLE_WIN, int(ahead[0]), at_once)
        row = {scenario.game.checkpoint_name: c + 1} | estimate("known_share", known) | estimate("leader_win", leader)
        if c < n_checkpoints - 1:
            row |= estimate("snowball", stats.snowball(sums.course, c, method, at_once))
        rows.append(row)
    return pd.DataFrame(rows)


def _length_frame(scenario: Scenario, lengths: np.ndarray) -> pd.DataFrame:
    """The share of games of each length."""
    seen, n = np.flatnonzero(lengths), int(lengths.sum())
    spans = [estimate("share", Method().share(int(games), n, len(seen))) for games in lengths[seen]]
    return pd.DataFrame({scenario.game.length.key: seen, "games": lengths[seen]} | pd.DataFrame(spans).to_dict("list"))
