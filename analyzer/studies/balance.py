"""Is it fair, is it exciting, is it skill: the balance of a scenario, line by line with verdicts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analyzer.engine.chance import one_seed
from analyzer.engine.run import Play, Played, Run, reduce_games
from analyzer.engine.tally import WHOLE_WIN, Tally
from analyzer.errors import Interrupted
from analyzer.scenario import Scenario
from analyzer.stats import course as stats
from analyzer.stats.intervals import Estimate, Method
from analyzer.stats.moments import Moments, moments_of
from analyzer.stats.verdict import HOLDS, UNDECIDED, VIOLATED, games_to_decide, verdict
from analyzer.studies import heading
from analyzer.studies.luck import ladder_table, luck_table
from analyzer.studies.metrics import block_chunk, checkpoints_played, metrics_of, values_of, whole_blocks
from analyzer.studies.until import Until, most_games, play_until

# What a scenario without targets of its own is held against.
DEFAULT_TARGETS: Mapping[str, float | tuple[float, float]] = {
    "place": 0.02,
    "policy": 0.05,
    "card": 0.05,
    "ties": (0.0, 0.1),
    "comeback": (0.1, 0.7),
    "known_half": (0.0, 0.8),
    "dead": (0.0, 0.6),
}
_SIDE_LINES = ("deal", "dice", "skill")  # found by games of their own
_LONGEST = 4096  # lengths from here on count as this


class Sums(NamedTuple):
    """What a balance study keeps of the games played."""

    moments: Moments
    course: stats.Course
    lengths: np.ndarray  # [length] games
    tally: Tally

    def __add__(self, other: Sums) -> Sums:  # type: ignore[override]
        return Sums(*(a + b for a, b in zip(self, other, strict=True)))  # type: ignore[operator]


class Line(NamedTuple):
    """One finding: a number, its interval, the band it should lie in, and the verdict."""

    key: str
    family: str
    what: str
    found: Estimate
    unit: str
    low: float = -math.inf
    high: float = math.inf
    verdict: str = ""


@dataclass(frozen=True)
class Balance:
    """The answer: lines with verdicts, and tables behind them."""

    scenario: Scenario
    seed: int
    method: Method
    asked: int  # the most games it might have played
    sums: Sums
    interrupted: bool
    lines: pd.DataFrame
    cards: pd.DataFrame
    comebacks: pd.DataFrame
    course: pd.DataFrame
    lengths: pd.DataFrame
    luck: pd.DataFrame
    ladder: pd.DataFrame
    finding: str

    @property
    def n_games(self) -> int:
        return self.sums.tally.n_games

    @property
    def interval(self) -> str:
        return f"{self.method.name_in_blocks}; all lines with a verdict hold together (Bonferroni)"

    def estimate(self, key: str) -> float:
        """Return the number of a line."""
        return float(next(row["estimate"] for row in self.lines.to_dict("records") if row["key"] == key))

    @property
    def verdicts(self) -> tuple[tuple[str, str], ...]:
        judged = self.lines[self.lines["verdict"] != ""]
        return tuple(zip(judged["key"], judged["verdict"], strict=True))


def budget(scenario: Scenario, games: int | None = None, until: Until | None = None) -> int:
    """Return how many games are played at most."""
    return most_games(scenario, games, until)


def balance(
    scenario: Scenario,
    *,
    seed: int | None = None,
    games: int | None = None,
    until: Until | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Balance:
    """Play a scenario and judge it."""
    seed = scenario.seed if seed is None else seed
    stop = until or Until(budget(scenario, games))
    targets = {**DEFAULT_TARGETS, **scenario.targets}
    run = play_sums(scenario, stop, targets, seed=seed, threads=threads, progress=progress)
    if run.result is None:
        raise Interrupted
    sums, method = run.result, stop.method
    luck, ladder = pd.DataFrame(), pd.DataFrame()
    extra: list[Line] = []
    if not run.interrupted:
        side_games = min(whole_blocks(sums.tally.n_games // 4 + 1, len(scenario.seats)), 100_000)
        at_once = len(_SIDE_LINES) + sum(line.family in targets for line in _lines(scenario, sums, method, 1))
        luck = luck_table(scenario, sums.tally, seed, side_games, threads, at_once)
        ladder = ladder_table(scenario, seed, min(side_games, 20_000), threads, at_once)
        extra = _luck_lines(luck, ladder)
    lines = judged(scenario, sums, targets, method, extra)
    return Balance(
        scenario=scenario,
        seed=seed,
        method=method,
        asked=stop.games,
        sums=sums,
        interrupted=run.interrupted,
        lines=line_table(lines, sums.tally.n_games),
        cards=_card_table(scenario, sums.tally, method),
        comebacks=_comeback_table(scenario, sums),
        course=_course_table(scenario, sums, method),
        lengths=_length_table(scenario, sums.lengths),
        luck=luck,
        ladder=ladder,
        finding=_finding(lines),
    )


def play_sums(
    scenario: Scenario,
    until: Until,
    targets: Mapping[str, float | tuple[float, float]],
    gate: Callable[[list[Line]], list[Line]] = lambda lines: lines,
    *,
    seed: int,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Run[Sums]:
    """Play until it is enough and return the sums; `gate` may judge the lines by something else."""
    n = len(scenario.seats)
    play = Play(scenario.table, scenario.policies, one_seed(seed), scenario.rotate)

    def reduce(played: Sequence[Played]) -> Sums:
        (one,) = played
        lead = stats.leads(one.log.course)
        return Sums(
            moments=moments_of([values_of(scenario, one)], n),
            course=stats.course_of(one.log.course, lead, one.log.win, checkpoints_played(scenario, one.log)),
            lengths=np.bincount(np.clip(one.log.counts[:, 0], 0, _LONGEST - 1), minlength=_LONGEST),
            tally=one.tally,
        )

    def stretch(first: int, count: int) -> Run[Sums]:
        return reduce_games(
            [play], count, reduce, first=first, threads=threads, chunk=block_chunk(n), logged=True, progress=progress
        )

    def enough(sums: Sums) -> bool:
        lines = gate(judged(scenario, sums, targets, until.method))
        width = max(line.found.half_width for line in lines if line.family in ("policy", "place"))
        return until.enough(width, sum(line.verdict == UNDECIDED for line in lines))

    return play_until(until, n, stretch, enough)


def judged(
    scenario: Scenario,
    sums: Sums,
    targets: Mapping[str, float | tuple[float, float]],
    method: Method,
    extra: Sequence[Line] = (),
) -> list[Line]:
    """Return every line of a scenario, those with a target judged; their intervals hold together."""
    fair = {m.key: m.fair for m in metrics_of(scenario)}
    plain = [*_lines(scenario, sums, method, 1), *extra]
    bands = {line.key: _band(line, fair.get(line.key), targets) for line in plain}
    at_once = sum(band is not None for band in bands.values())
    lines = []
    for line in [*_lines(scenario, sums, method, max(1, at_once)), *extra]:
        band = bands[line.key]
        if band is not None:
            line = line._replace(low=band[0], high=band[1], verdict=verdict(line.found, *band))
        lines.append(line)
    return lines


def _band(
    line: Line, fair: float | None, targets: Mapping[str, float | tuple[float, float]]
) -> tuple[float, float] | None:
    target = targets.get(line.family)
    if target is None or isinstance(target, tuple):
        return target
    centre = 0.0 if fair is None else fair  # cards are measured from what their holders would win anyway
    return centre - target, centre + target


def _lines(scenario: Scenario, sums: Sums, method: Method, at_once: int) -> list[Line]:
    """Return all lines that one run of games gives."""
    tally, step = sums.tally, scenario.game.checkpoint_name
    lines = []
    metrics = metrics_of(scenario)
    means = sums.moments.estimates(method, at_once, units=[m.span for m in metrics])
    for metric, found in zip(metrics, means, strict=True):
        lines.append(Line(metric.key, metric.family, metric.title, metric.shown(found), metric.unit))
    lines += [
        Line(f"card.{card}", "card", f"{card} adds to its holder's odds", found, "share")
        for card, found in _card_effects(scenario, tally, method, at_once)
    ]
    length = scenario.game.length
    for percent in (10, 50, 90):
        found = _quantile(sums.lengths, percent / 100, method, at_once)
        lines.append(
            Line(
                f"length_p{percent}", f"length_p{percent}", f"{length.title}, {percent}th percentile", found, length.key
            )
        )
    known = _known(sums.course.half, scenario, tally.n_games, method, at_once)
    lines.append(Line("known_half", "known_half", "of the winner known at half-time", known, "share"))
    if len(sums.course.slope) > 1:
        found = stats.snowball(sums.course, -1, method, at_once)
        lines.append(Line("snowball", "snowball", f"points a point of lead brings by the next {step}", found, "points"))
    dead = int(tally.moves[1]) / max(1, int(tally.moves[0]))
    reach = method.reach(dead * (1 - dead), tally.n_games, at_once)  # as if a game had one decision: on the wide side
    found = Estimate(dead, max(0.0, dead - reach), min(1.0, dead + reach))
    lines.append(Line("dead", "dead", "decisions with only one option", found, "share"))
    return lines


def _card_effects(scenario: Scenario, tally: Tally, method: Method, at_once: int) -> list[tuple[str, Estimate]]:
    """Return what each card adds to its holders' wins.

    The wins of those who held the card, less what the same entrants on the same seats win on average: no
    strong policy and no good seat speaks for a card.
    """
    usual = tally.win[:, :, 0] / np.maximum(1, tally.seated)
    effects = []
    for card, held, won in zip(scenario.table.cards, tally.held, tally.held_win, strict=True):
        n = int(held.sum())
        if n:
            share = int(won.sum()) / n / WHOLE_WIN
            effect = share - float((held * usual).sum()) / n / WHOLE_WIN
            reach = method.reach(share * (1 - share), n, at_once)
            effects.append((card.name, Estimate(effect, effect - reach, effect + reach)))
    return effects


def _quantile(histogram: np.ndarray, p: float, method: Method, at_once: int) -> Estimate:
    """Return a quantile; its interval from the quantiles that the share below could be."""
    n = int(histogram.sum())
    below = np.cumsum(histogram) / n
    reach = method.reach(p * (1 - p), n, at_once)
    at = [float(np.searchsorted(below, min(1.0, max(0.0, q)))) for q in (p, p - reach, p + reach)]
    return Estimate(at[0], at[1], min(at[2], float(len(histogram) - 1)))


def _known(standing: np.ndarray, scenario: Scenario, games: int, method: Method, at_once: int) -> Estimate:
    share, variance = stats.known(standing / np.array([1, WHOLE_WIN]), len(scenario.seats))
    reach = method.reach(variance, games, at_once)  # a game is one observation, though it has several players
    return Estimate(share, share - reach, share + reach).within(min(0.0, share), 1.0)


def _luck_lines(luck: pd.DataFrame, ladder: pd.DataFrame) -> list[Line]:
    lines = []
    for row in luck.to_dict("records"):
        if row["part"] in ("deal", "dice"):
            found = Estimate(row["share"], row["share_low"], row["share_high"])
            what = f"variance of winning from: {row['meaning']}"
            lines.append(Line(row["part"], row["part"], what, found, "share"))
    if len(ladder) > 1:
        best = ladder.to_dict("records")[-1]
        found = Estimate(best["win"], best["win_low"], best["win_high"])
        what = f"{best['policy']}, the best, wins at a table of random players"
        lines.append(Line("skill", "skill", what, found, "share"))
    return lines


def line_table(lines: Sequence[Line], games: int) -> pd.DataFrame:
    """Return the lines as a table; an undecided one says about how many games would decide it."""
    return pd.DataFrame(
        [
            {
                "key": line.key,
                "what": line.what,
                "estimate": line.found.estimate,
                "estimate_low": line.found.low,
                "estimate_high": line.found.high,
                "unit": line.unit,
                "target_low": line.low,
                "target_high": line.high,
                "verdict": line.verdict,
                "games_to_decide": games_to_decide(line.found, line.low, line.high, games)
                if line.verdict == UNDECIDED
                else 0,
            }
            for line in lines
        ]
    )


def _card_table(scenario: Scenario, tally: Tally, method: Method) -> pd.DataFrame:
    groups = {card.name: card.group for card in scenario.table.cards}
    n = sum(bool(held.sum()) for held in tally.held)
    rows = [
        {"kind": groups[card], "card": card, "effect": e.estimate, "effect_low": e.low, "effect_high": e.high}
        for card, e in _card_effects(scenario, tally, method, max(1, n))
    ]
    table = pd.DataFrame(rows, columns=["kind", "card", "effect", "effect_low", "effect_high"])
    return table.sort_values(["kind", "effect"], ascending=[True, False], kind="stable", ignore_index=True)


def _comeback_table(scenario: Scenario, sums: Sums) -> pd.DataFrame:
    """The odds of winning from each lead (negative: deficit) at each checkpoint; rare leads left out."""
    step = scenario.game.checkpoint_name
    rows = []
    at_once = int((sums.course.standing[:, :, 0] >= 100).sum())
    for c, standing in enumerate(sums.course.standing):
        for lead, (players, wins) in zip(range(-stats.MOST_LEAD, stats.MOST_LEAD + 1), standing, strict=True):
            if players >= 100:
                found = Method().share(int(wins) / WHOLE_WIN, int(players), at_once)
                rows.append({step: c + 1, "lead": lead, "players": int(players)} | _span("win", found))
    return pd.DataFrame(rows)


def _course_table(scenario: Scenario, sums: Sums, method: Method) -> pd.DataFrame:
    """What is known of the winner at each checkpoint, how often a leader wins, and the snowball from there."""
    rows = []
    n_checkpoints = len(sums.course.standing)
    for c, standing in enumerate(sums.course.standing):
        known = _known(standing, scenario, sums.tally.n_games, method, n_checkpoints)
        ahead = standing[stats.MOST_LEAD + 1 :].sum(axis=0)
        leader = method.share(int(ahead[1]) / WHOLE_WIN, int(ahead[0]), n_checkpoints)
        row = {scenario.game.checkpoint_name: c + 1} | _span("known_share", known) | _span("leader_win", leader)
        if c < n_checkpoints - 1:
            row |= _span("snowball", stats.snowball(sums.course, c, method, n_checkpoints))
        rows.append(row)
    return pd.DataFrame(rows)


def _length_table(scenario: Scenario, lengths: np.ndarray) -> pd.DataFrame:
    """The share of games of each length."""
    seen, n = np.flatnonzero(lengths), int(lengths.sum())
    spans = [_span("share", Method().share(int(games), n, len(seen))) for games in lengths[seen]]
    return pd.DataFrame({scenario.game.length.key: seen, "games": lengths[seen]} | pd.DataFrame(spans).to_dict("list"))


def _span(name: str, found: Estimate) -> dict[str, float]:
    return {name: found.estimate, f"{name}_low": found.low, f"{name}_high": found.high}


def _finding(lines: Sequence[Line]) -> str:
    """Say what is violated first, then what is undecided."""
    judged = [line for line in lines if line.verdict]
    bad = [line for line in judged if line.verdict == VIOLATED]
    open_ = [line for line in judged if line.verdict == UNDECIDED]
    good = sum(line.verdict == HOLDS for line in judged)
    if bad:
        worst = ", ".join(line.key for line in bad[:4]) + (f" and {len(bad) - 4} more" if len(bad) > 4 else "")
        return f"{len(bad)} of {len(judged)} targets are violated: {worst}."
    if open_:
        return f"{good} of {len(judged)} targets hold; undecided: {', '.join(line.key for line in open_[:6])}."
    return f"All {len(judged)} targets hold."


def as_json(result: Balance) -> dict[str, Any]:
    """Return the answer as one document."""
    return heading(result) | {
        "verdicts": result.verdicts,
        "lines": lines_json(result.lines),
        "luck": result.luck.to_dict("records"),
        "ladder": result.ladder.to_dict("records"),
        "course": result.course.to_dict("records"),
        "interval": result.interval,
    }


def lines_json(lines: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the lines of a table as documents; an open end of a band is null."""
    return [
        {
            "key": row["key"],
            "what": row["what"],
            "unit": row["unit"],
            "estimate": row["estimate"],
            "low": row["estimate_low"],
            "high": row["estimate_high"],
        }
        | (
            {"target": [row["target_low"], row["target_high"]], "verdict": row["verdict"]}
            | ({"games_to_decide": row["games_to_decide"]} if row["verdict"] == UNDECIDED else {})
            if row["verdict"]
            else {}
        )
        for row in lines.to_dict("records")
    ]
