"""The numbers of a scenario line by line: each with its interval, the band it should lie in, and the verdict."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import pandas as pd

from analyzer.answer import COUNT, POINTS, SHARE, Chart, Column, Table, estimate, estimate_in
from analyzer.engine.game import Card
from analyzer.scenarios import Scenario
from analyzer.stats import course as stats
from analyzer.stats.intervals import Estimate, Method
from analyzer.stats.quantiles import quantile
from analyzer.stats.verdict import HOLDS, UNDECIDED, VIOLATED, games_to_decide, verdict
from analyzer.studies.cards import card_effects
from analyzer.studies.course import known_of
from analyzer.studies.luck import LUCK, SKILL
from analyzer.studies.metrics import metrics_of
from analyzer.studies.sums import Sums

Targets = Mapping[str, float | tuple[float, float]]  # by family: a margin about the fair value, or a band's ends

QUANTILES = {f"length_p{percent}": percent for percent in (10, 50, 90)}
_BY_PLAY = "having it was a choice, so this is confounded and no effect of the card"
_MOST_LEFT_OUT = 12  # named
_KEYS = (
    *("key", "what", "estimate", "estimate_low", "estimate_high", "unit"),
    *("target_low", "target_high", "verdict", "games_to_decide", "baseline_to_decide"),
)


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


def judged(scenario: Scenario, sums: Sums, targets: Targets, method: Method, extra: Sequence[Line] = ()) -> list[Line]:
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
        Line(family, family, "no number of these games", nothing, SHARE, verdict=UNDECIDED)
        for family in scenario.targets
        if family not in families
    ]


def _held_against(line: Line, low: float, high: float, games: int) -> Line:
    """Return the line with its band and its verdict; an open one says about how many games would decide it."""
    found = verdict(line.found, low, high)
    needed = games_to_decide(line.found, low, high, games) if found == UNDECIDED and line.is_known else 0
    return line._replace(low=low, high=high, verdict=found, games_to_decide=needed)


def _band(line: Line, fair: float | None, targets: Targets) -> tuple[float, float] | None:
    target = targets.get(line.family)
    if target is None or isinstance(target, tuple):
        return target
    centre = 0.0 if fair is None else fair  # cards are measured from what their holders would win anyway
    return centre - target, centre + target


def lines_of(scenario: Scenario, sums: Sums, method: Method, at_once: int = 1) -> list[Line]:
    """Return all lines that one run of games gives, not judged; `at_once` of them hold together."""
    tally, step, score = sums.tally, scenario.game.checkpoint_name, scenario.game.score_name
    lines = []
    metrics = metrics_of(scenario)
    means = sums.moments.estimates(method, at_once, units=[m.span for m in metrics])
    for metric, found in zip(metrics, means, strict=True):
        lines.append(Line(metric.key, metric.family, metric.title, metric.shown(found), metric.unit))
    lines += [
        _card_line(card, found)
        for card, found in card_effects(scenario, tally, method, at_once)
        if card.by_chance or not scenario.game.restriction  # else restricted play tells what it is worth
    ]
    length = scenario.game.length
    for key, percent in QUANTILES.items():
        found = quantile(sums.lengths, percent, method, at_once)
        lines.append(Line(key, key, f"{length.title}, {percent}th percentile", found, length.key))
    known = known_of(sums.course.half, scenario, tally.n_games, method, at_once)
    lines.append(Line("known_half", "known_half", "of the winner known at half-time", known, SHARE))
    if len(sums.course.slope) > 1:
        found = stats.snowball(sums.course, -1, method, at_once)
        lines.append(Line("snowball", "snowball", f"{score} that each of lead brings by the next {step}", found, score))
    dead = int(tally.moves[1]) / max(1, int(tally.moves[0]))
    found = method.share(dead * tally.n_games, tally.n_games, at_once)  # as if a game had one decision: wide enough
    lines.append(Line("dead", "dead", "decisions with only one option", found, SHARE))
    return lines


def _card_line(card: Card, found: Estimate) -> Line:
    """Return the line of a card: its effect if chance dealt it, else what no target is held against."""
    key, name = f"card.{card.group}.{card.name}", f"{card.group} {card.name}"
    if card.by_chance:
        return Line(key, "card", f"{name} adds to its holder's odds", found, POINTS)
    return Line(key, "held", f"{name}: its holders' wins beyond the usual; {_BY_PLAY}", found, POINTS)


def luck_lines(luck: pd.DataFrame, ladder: pd.DataFrame) -> list[Line]:
    """Return the lines of luck and skill."""
    lines = [
        Line(
            row["part"],
            row["part"],
            f"variance of winning from: {row['meaning']}",
            estimate_in(row, "share"),
            SHARE,
        )
        for row in luck.to_dict("records")
        if row["part"] in LUCK
    ]
    if len(ladder) > 1:
        best = ladder.to_dict("records")[-1]
        what = f"{best['policy']} wins at a table of random players, where no other won more"
        lines.append(Line(SKILL, SKILL, what, estimate_in(best, "win"), SHARE))
    return lines


def restricted_lines(scenario: Scenario, restricted: pd.DataFrame) -> list[Line]:
    """Return what each card is worth to who may play it: a player decides that, so no target is held against it."""
    return [
        Line(
            f"restricted.{row['card']}",
            "restricted",
            f"{row['card']}: what {scenario.seats[0]} (seat 1) wins by playing it, on the same deals with and without",
            estimate_in(row, "worth"),
            POINTS,
        )
        for row in restricted.to_dict("records")
    ]


def line_frame(lines: Sequence[Line]) -> pd.DataFrame:
    """Return the lines that have a number; an undecided one says what would about decide it."""
    rows = [
        {"key": line.key, "what": line.what}
        | estimate("estimate", line.found)
        | {
            "unit": line.unit,
            "target_low": line.low,
            "target_high": line.high,
            "verdict": line.verdict,
            "games_to_decide": line.games_to_decide,
            "baseline_to_decide": line.baseline_to_decide,
        }
        for line in lines
        if line.is_known
    ]
    return pd.DataFrame(rows, columns=_KEYS)


def judged_table(key: str, title: str, lines: pd.DataFrame, finding: str, note: str) -> Table:
    """Return the table of judged lines, with where each lies in its band."""
    return Table(
        key,
        title,
        lines,
        line_columns(lines),
        "Each number with its interval, the band wanted, and the verdict; where it is open, about how many games "
        "would decide it.",
        Chart("verdicts", finding, "estimate", "key", note=note) if len(lines) else None,
        brief=True,
    )


def line_columns(lines: pd.DataFrame) -> tuple[Column, ...]:
    """Return what the columns of lines are; what none of them has is not shown."""
    return (
        Column("key", detail=True),
        Column("estimate", "value", unit_from="unit"),
        Column("unit", blank=SHARE),
        Column("target_low", "wanted", unit_from="unit", to="target_high", data=not lines["verdict"].any()),
        Column("verdict", data=not lines["verdict"].any()),
        Column("games_to_decide", unit=COUNT, blank=0, data=not lines["games_to_decide"].any()),
        Column(
            "baseline_to_decide",
            "games of a baseline to decide",
            COUNT,
            blank=0,
            data=not lines["baseline_to_decide"].any(),
        ),
    )


class Words(NamedTuple):
    """What a finding calls its lines, and what it says of one or many that are violated, or that hold."""

    lines: str
    bad: tuple[str, str]
    good: tuple[str, str]


def finding_of(lines: Sequence[Line], words: Words) -> str:
    """Say what is violated first, then what is undecided, and what could not be judged at all."""
    wanted = [line for line in lines if line.verdict]
    judged = [line for line in wanted if line.is_known]
    unknown = [line for line in wanted if not line.is_known]
    bad = [line for line in judged if line.verdict == VIOLATED]
    open_ = [line for line in judged if line.verdict == UNDECIDED]
    held = sum(line.verdict == HOLDS for line in judged)
    if not judged:
        return f"None of the {words.lines} can be judged from these games: {_listed(unknown)}."
    too_few = f" {len(unknown)} more cannot be judged from these games." if unknown else ""
    if bad:
        return f"{len(bad)} of {len(judged)} {words.lines} {words.bad[len(bad) > 1]}: {_listed(bad, 4)}.{too_few}"
    if open_:
        told = f"{held} of {len(judged)} {words.lines} {words.good[held != 1]}"
        return f"{told}; undecided: {_listed(open_)}.{too_few}"
    return f"All {len(judged)} {words.lines} {words.good[1]}.{too_few}"


def _listed(lines: Sequence[Line], most: int = 6) -> str:
    """Name the first of the lines, and how many more there are."""
    more = f" and {len(lines) - most} more" if len(lines) > most else ""
    return ", ".join(line.key for line in lines[:most]) + more


def left_out(lines: Sequence[Line]) -> list[str]:
    """Return the keys of the lines for which there were too few games."""
    return [line.key for line in lines if not line.is_known]


def left_out_text(keys: Sequence[str]) -> str:
    """Say which lines are not there."""
    if not keys:
        return ""
    more = f" and {len(keys) - _MOST_LEFT_OUT} more" if len(keys) > _MOST_LEFT_OUT else ""
    return f"Left out, as these games do not tell them: {', '.join(keys[:_MOST_LEFT_OUT])}{more}."


def verdicts_of(lines: pd.DataFrame) -> tuple[tuple[str, str], ...]:
    """Return what was judged, and how."""
    known = lines[lines["verdict"] != ""]
    return tuple(zip(known["key"], known["verdict"], strict=True))
