"""Is it fair, is it exciting, is it skill: the balance of a scenario, line by line with verdicts."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analyzer.engine.chance import one_seed
from analyzer.engine.game import Card
from analyzer.engine.run import Play, Played, Run, reduce_games
from analyzer.engine.tally import WHOLE_WIN, Tally
from analyzer.errors import Interrupted
from analyzer.scenarios import Scenario
from analyzer.stats import course as stats
from analyzer.stats.intervals import Estimate, Method
from analyzer.stats.moments import Moments, moments_of
from analyzer.stats.quantiles import quantile
from analyzer.stats.verdict import HOLDS, UNDECIDED, VIOLATED, games_to_decide, verdict
from analyzer.studies import heading
from analyzer.studies.luck import ladder_table, luck_table
from analyzer.studies.metrics import block_chunk, checkpoints_played, metrics_of, values_of, whole_blocks
from analyzer.studies.odds import RESTRICTED_GAMES, restricted_play
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
QUANTILES = {f"length_p{percent}": percent for percent in (10, 50, 90)}
LUCK, SKILL = ("deal", "dice"), "skill"  # the targets for which more is played than the scenario's own games
_LONGEST = 4096  # lengths from here on count as this
_LEAST_SEEN = 100  # players at a lead, for its odds to be told
_LINE_COLUMNS = (
    *("key", "what", "estimate", "estimate_low", "estimate_high", "unit"),
    *("target_low", "target_high", "verdict", "games_to_decide", "baseline_to_decide"),
)
_BY_PLAY = "having it was a choice, so this is confounded and no effect of the card"


class Sums(NamedTuple):
    """What a balance study keeps of the games played."""

    moments: Moments
    course: stats.Course
    lengths: np.ndarray  # [length] games
    tally: Tally

    def __add__(self, other: Sums) -> Sums:  # type: ignore[override]
        return Sums(*(a + b for a, b in zip(self, other, strict=True)))  # type: ignore[operator]


class Line(NamedTuple):
    """One finding: a number, its interval, the band it should lie in, the verdict, and what would bring one."""

    key: str
    family: str
    what: str
    found: Estimate
    unit: str
    low: float = -math.inf
    high: float = math.inf
    verdict: str = ""
    games_to_decide: int = 0
    baseline_to_decide: int = 0  # games that a baseline would need, where more games here would not do
    stuck: bool = False  # whatever further games here show, the baseline is too short for a verdict

    @property
    def is_known(self) -> bool:
        """Whether there is a number with an interval at all."""
        return all(map(math.isfinite, self.found))


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
    left_out: tuple[str, ...]  # the keys of lines for which there were too few games
    cards: pd.DataFrame
    restricted: pd.DataFrame
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
        return next(float(row["estimate"]) for row in self.lines.to_dict("records") if row["key"] == key)

    def has(self, key: str) -> bool:
        """Return whether there is such a line."""
        return bool((self.lines["key"] == key).any())

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
    stop = planned(scenario, until or Until(budget(scenario, games)))
    targets = targets_of(scenario)
    run = play_sums(scenario, stop, targets, seed=seed, threads=threads, progress=progress)
    if run.result is None:
        raise Interrupted
    sums, method = run.result, stop.method
    luck, ladder, restricted = pd.DataFrame(), pd.DataFrame(), pd.DataFrame()
    if not run.interrupted:
        at_once = len((*LUCK, SKILL)) + sum(line.family in targets for line in lines_of(scenario, sums, method))
        luck, ladder = luck_and_skill(scenario, sums.tally, seed, threads, at_once)
        if scenario.game.restriction:
            restricted = restricted_play(scenario, seed, min(sums.tally.n_games, RESTRICTED_GAMES), threads)
    extra = [*luck_lines(luck, ladder), *_restricted_lines(scenario, restricted)]
    lines = judged(scenario, sums, targets, method, extra)
    known = [line for line in lines if line.is_known]
    return Balance(
        scenario=scenario,
        seed=seed,
        method=method,
        asked=stop.games,
        sums=sums,
        interrupted=run.interrupted,
        lines=line_table(known),
        left_out=tuple(line.key for line in lines if not line.is_known),
        cards=_card_table(scenario, sums.tally, method),
        restricted=restricted,
        comebacks=_comeback_table(scenario, sums, method),
        course=_course_table(scenario, sums, method),
        lengths=_length_table(scenario, sums.lengths),
        luck=luck,
        ladder=ladder,
        finding=_finding(lines),
    )


def targets_of(scenario: Scenario) -> dict[str, float | tuple[float, float]]:
    """Return what a scenario is held against: its own targets, and the default for what it does not name."""
    return {**DEFAULT_TARGETS, **scenario.targets}


def planned(scenario: Scenario, until: Until) -> Until:
    """Return when to stop; who looks only once needs no intervals that hold at many looks."""
    n_looks = sum(1 for _ in until.looks(len(scenario.seats)))
    return Until(until.games) if n_looks == 1 else until


def luck_and_skill(
    scenario: Scenario, tally: Tally, seed: int, threads: int | None = None, at_once: int = 1
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the tables of luck and skill from games played beside those of a tally, `at_once` numbers in all.

    Where everybody always wins the same, there is no luck to tell apart.
    """
    side_games = min(whole_blocks(tally.n_games // 4 + 1, len(scenario.seats)), 100_000)
    seated = tally.seated.sum()
    varies = tally.win[:, :, 1].sum() * seated > tally.win[:, :, 0].sum() ** 2
    luck = luck_table(scenario, tally, seed, side_games, threads, at_once) if varies else pd.DataFrame()
    return luck, ladder_table(scenario, seed, min(side_games, 20_000), threads, at_once)


def play_sums(
    scenario: Scenario,
    until: Until,
    targets: Mapping[str, float | tuple[float, float]],
    *,
    seed: int,
    first: int = 0,
    enough: Callable[[Sums], bool] | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Run[Sums]:
    """Play from game `first` on until it is enough, by `until` if not told otherwise, and return the sums."""
    n = len(scenario.seats)
    play = Play(scenario.table, scenario.policies, one_seed(seed), scenario.rotate)

    def reduce(played: Sequence[Played]) -> Sums:
        (one,) = played
        return sums_of(scenario, one, values_of(scenario, one))

    def stretch(start: int, count: int) -> Run[Sums]:
        return reduce_games(
            [play],
            count,
            reduce,
            first=first + start,
            threads=threads,
            chunk=block_chunk(n, 1, count),
            logged=True,
            progress=progress,
        )

    def is_enough(sums: Sums) -> bool:
        lines = judged(scenario, sums, targets, until.method)
        width = max(line.found.half_width for line in lines if line.family in ("policy", "place"))
        return until.enough(width, sum(line.verdict == UNDECIDED for line in lines if line.is_known))

    return play_until(until, n, stretch, enough or is_enough)


def sums_of(scenario: Scenario, played: Played, values: np.ndarray) -> Sums:
    """Return the sums of a chunk of games and of their headline numbers [game, metric]."""
    log = played.log
    return Sums(
        moments=moments_of([values], len(scenario.seats)),
        course=stats.course_of(log.course, stats.leads(log.course), log.win, checkpoints_played(scenario, log)),
        lengths=np.bincount(np.clip(log.counts[:, 0], 0, _LONGEST - 1), minlength=_LONGEST),
        tally=played.tally,
    )


def judged(
    scenario: Scenario,
    sums: Sums,
    targets: Mapping[str, float | tuple[float, float]],
    method: Method,
    extra: Sequence[Line] = (),
) -> list[Line]:
    """Return every line of a scenario, those with a target judged; their intervals hold together."""
    fair = {m.key: m.fair for m in metrics_of(scenario)}
    plain = [*lines_of(scenario, sums, method), *extra]
    bands = {line.key: _band(line, fair.get(line.key), targets) for line in plain}
    assert len(bands) == len(plain), "two lines share a key"
    at_once = sum(band is not None for band in bands.values())
    lines = []
    for line in [*lines_of(scenario, sums, method, max(1, at_once)), *extra]:
        band = bands[line.key]
        lines.append(line if band is None else _held_against(line, *band, sums.tally.n_games))
    return [*lines, *_without_number(scenario, lines)]


def _without_number(scenario: Scenario, lines: Sequence[Line]) -> list[Line]:
    """Return a line without a number for each target that the scenario names and that nothing is held against."""
    families = {line.family for line in lines}
    nothing = Estimate(math.nan, -math.inf, math.inf)
    return [
        Line(family, family, "no number of these games", nothing, "share", verdict=UNDECIDED)
        for family in scenario.targets
        if family not in families
    ]


def _held_against(line: Line, low: float, high: float, games: int) -> Line:
    """Return the line with its band and its verdict; an open one says about how many games would decide it."""
    found = verdict(line.found, low, high)
    needed = games_to_decide(line.found, low, high, games) if found == UNDECIDED and line.is_known else 0
    return line._replace(low=low, high=high, verdict=found, games_to_decide=needed)


def _band(
    line: Line, fair: float | None, targets: Mapping[str, float | tuple[float, float]]
) -> tuple[float, float] | None:
    target = targets.get(line.family)
    if target is None or isinstance(target, tuple):
        return target
    centre = 0.0 if fair is None else fair  # cards are measured from what their holders would win anyway
    return centre - target, centre + target


def lines_of(scenario: Scenario, sums: Sums, method: Method, at_once: int = 1) -> list[Line]:
    """Return all lines that one run of games gives, not judged; `at_once` of them hold together."""
    tally, step = sums.tally, scenario.game.checkpoint_name
    lines = []
    metrics = metrics_of(scenario)
    means = sums.moments.estimates(method, at_once, units=[m.span for m in metrics])
    for metric, found in zip(metrics, means, strict=True):
        lines.append(Line(metric.key, metric.family, metric.title, metric.shown(found), metric.unit))
    lines += [
        _card_line(card, found)
        for card, found in _card_effects(scenario, tally, method, at_once)
        if card.by_chance or not scenario.game.restriction  # else restricted play tells what it is worth
    ]
    length = scenario.game.length
    for key, percent in QUANTILES.items():
        found = quantile(sums.lengths, percent, method, at_once)
        lines.append(Line(key, key, f"{length.title}, {percent}th percentile", found, length.key))
    known = _known(sums.course.half, scenario, tally.n_games, method, at_once)
    lines.append(Line("known_half", "known_half", "of the winner known at half-time", known, "share"))
    if len(sums.course.slope) > 1:
        found = stats.snowball(sums.course, -1, method, at_once)
        lines.append(Line("snowball", "snowball", f"points a point of lead brings by the next {step}", found, "points"))
    dead = int(tally.moves[1]) / max(1, int(tally.moves[0]))
    found = method.share(dead * tally.n_games, tally.n_games, at_once)  # as if a game had one decision: wide enough
    lines.append(Line("dead", "dead", "decisions with only one option", found, "share"))
    return lines


def _card_line(card: Card, found: Estimate) -> Line:
    """Return the line of a card: its effect if chance dealt it, else what no target is held against."""
    key, name = f"card.{card.group}.{card.name}", f"{card.group} {card.name}"
    if card.by_chance:
        return Line(key, "card", f"{name} adds to its holder's odds", found, "share")
    return Line(key, "held", f"{name}: its holders' wins beyond the usual; {_BY_PLAY}", found, "share")


def _card_effects(scenario: Scenario, tally: Tally, method: Method, at_once: int) -> list[tuple[Card, Estimate]]:
    """Return what the holders of each card win beyond the usual.

    The wins of those who held the card, less what the same entrants on the same seats win on average: no
    strong policy and no good seat speaks for a card. Its effect this is only if chance dealt the card.
    """
    usual = tally.win[:, :, 0] / np.maximum(1, tally.seated) / WHOLE_WIN
    effects = []
    for card, held, won in zip(scenario.table.cards, tally.held, tally.held_win, strict=True):
        n, others = int(held.sum()), int(tally.seated[held > 0].sum() - held.sum())
        if n and others:
            expected = float((held * usual).sum())
            effects.append((card, _beyond(int(won.sum()) / WHOLE_WIN, n, expected, others, method, at_once)))
    return effects


def _beyond(won: float, n: int, expected: float, others: int, method: Method, at_once: int) -> Estimate:
    """Return the share of wins of `n` holders beyond what they were to expect from all games, their own among them.

    It is the distance from those who played as they did without the card, as far as these are among all. The
    errors of the two shares add in squares, each on its side (Newcombe), and that of how many have the card.
    """
    apart = others / (n + others)
    without = min(others, max(0.0, expected * (n + others) / n - won))
    a, b = method.share(won, n, at_once), method.share(without, others, at_once)
    effect = (won - expected) / n
    dealt = abs(a.estimate - b.estimate) * method.share(n, n + others, at_once).half_width
    low = math.hypot(apart * (a.estimate - a.low), apart * (b.high - b.estimate), dealt)
    high = math.hypot(apart * (a.high - a.estimate), apart * (b.estimate - b.low), dealt)
    return Estimate(effect, effect - low, effect + high)


def _known(standing: np.ndarray, scenario: Scenario, games: int, method: Method, at_once: int) -> Estimate:
    share, variance = stats.known(standing / np.array([1, WHOLE_WIN]), len(scenario.seats))
    reach = method.reach(variance, games, at_once)  # a game is one observation, though it has several players
    return Estimate(share, share - reach, share + reach).within(min(0.0, share), 1.0)


def luck_lines(luck: pd.DataFrame, ladder: pd.DataFrame) -> list[Line]:
    """Return the lines of luck and skill."""
    lines = []
    for row in luck.to_dict("records"):
        if row["part"] in LUCK:
            found = Estimate(row["share"], row["share_low"], row["share_high"])
            what = f"variance of winning from: {row['meaning']}"
            lines.append(Line(row["part"], row["part"], what, found, "share"))
    if len(ladder) > 1:
        best = ladder.to_dict("records")[-1]
        found = Estimate(best["win"], best["win_low"], best["win_high"])
        what = f"{best['policy']}, the best, wins at a table of random players"
        lines.append(Line(SKILL, SKILL, what, found, "share"))
    return lines


def _restricted_lines(scenario: Scenario, restricted: pd.DataFrame) -> list[Line]:
    """Return what each card is worth to who may play it: a player decides that, so no target is held against it."""
    return [
        Line(
            f"restricted.{row['card']}",
            "restricted",
            f"{row['card']}: what {scenario.seats[0]} (seat 1) wins by playing it, on the same deals with and without",
            Estimate(row["worth"], row["worth_low"], row["worth_high"]),
            "share",
        )
        for row in restricted.to_dict("records")
    ]


def line_table(lines: Sequence[Line]) -> pd.DataFrame:
    """Return the lines as a table; an undecided one says what would about decide it."""
    rows = [
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
            "games_to_decide": line.games_to_decide,
            "baseline_to_decide": line.baseline_to_decide,
        }
        for line in lines
    ]
    return pd.DataFrame(rows, columns=_LINE_COLUMNS)


def _card_table(scenario: Scenario, tally: Tally, method: Method) -> pd.DataFrame:
    """What the holders of each card win beyond the usual; `by_chance` tells whether that is the card's effect."""
    n = sum(bool(held.sum()) for held in tally.held)
    rows = [
        {"kind": card.group, "card": card.name, "by_chance": card.by_chance} | _span("effect", found)
        for card, found in _card_effects(scenario, tally, method, max(1, n))
    ]
    table = pd.DataFrame(rows, columns=["kind", "card", "by_chance", "effect", "effect_low", "effect_high"])
    return table.sort_values(["kind", "effect"], ascending=[True, False], kind="stable", ignore_index=True)


def _comeback_table(scenario: Scenario, sums: Sums, method: Method) -> pd.DataFrame:
    """The odds of winning from each lead (negative: deficit) at each checkpoint; rare leads left out."""
    step = scenario.game.checkpoint_name
    seen = [
        (c, lead, int(players), int(wins) / WHOLE_WIN)
        for c, standing in enumerate(sums.course.standing)
        for lead, (players, wins) in zip(range(-stats.MOST_LEAD, stats.MOST_LEAD + 1), standing, strict=True)
        if players >= _LEAST_SEEN
    ]
    rows = [
        {step: c + 1, "lead": lead, "players": players} | _span("win", method.share(wins, players, len(seen)))
        for c, lead, players, wins in seen
    ]
    return pd.DataFrame(rows, columns=[step, "lead", "players", "win", "win_low", "win_high"])


def _course_table(scenario: Scenario, sums: Sums, method: Method) -> pd.DataFrame:
    """What is known of the winner at each checkpoint, how often a leader wins, and the snowball from there."""
    rows = []
    n_checkpoints = len(sums.course.standing)
    at_once = 3 * n_checkpoints
    for c, standing in enumerate(sums.course.standing):
        known = _known(standing, scenario, sums.tally.n_games, method, at_once)
        ahead = standing[stats.MOST_LEAD + 1 :].sum(axis=0)
        leader = method.share(int(ahead[1]) / WHOLE_WIN, int(ahead[0]), at_once)
        row = {scenario.game.checkpoint_name: c + 1} | _span("known_share", known) | _span("leader_win", leader)
        if c < n_checkpoints - 1:
            row |= _span("snowball", stats.snowball(sums.course, c, method, at_once))
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
    """Say what is violated first, then what is undecided, and what could not be judged at all."""
    wanted = [line for line in lines if line.verdict]
    judged = [line for line in wanted if line.is_known]
    unknown = [line for line in wanted if not line.is_known]
    bad = [line for line in judged if line.verdict == VIOLATED]
    open_ = [line for line in judged if line.verdict == UNDECIDED]
    good = sum(line.verdict == HOLDS for line in judged)
    if not judged:
        return f"No target can be judged from these games: {_listed(unknown)}."
    too_few = f" {len(unknown)} more cannot be judged from these games." if unknown else ""
    if bad:
        return f"{len(bad)} of {len(judged)} targets are violated: {_listed(bad, 4)}.{too_few}"
    if open_:
        return f"{good} of {len(judged)} targets hold; undecided: {_listed(open_)}.{too_few}"
    return f"All {len(judged)} targets hold.{too_few}"


def _listed(lines: Sequence[Line], most: int = 6) -> str:
    """Name the first of the lines, and how many more there are."""
    more = f" and {len(lines) - most} more" if len(lines) > most else ""
    return ", ".join(line.key for line in lines[:most]) + more


def as_json(result: Balance) -> dict[str, Any]:
    """Return the answer as one document."""
    return heading(result) | {
        "verdicts": result.verdicts,
        "lines": lines_json(result.lines),
        "left_out": list(result.left_out),
        "luck": result.luck.to_dict("records"),
        "ladder": result.ladder.to_dict("records"),
        "restricted": result.restricted.to_dict("records"),
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
            | {key: row[key] for key in ("games_to_decide", "baseline_to_decide") if row[key]}
            if row["verdict"]
            else {}
        )
        for row in lines.to_dict("records")
    ]
