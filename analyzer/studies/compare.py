"""Two scenarios on the same deals and dice: what differs, and by how much."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from analyzer.answer import HIGH, LOW, POINTS, SHARE, Answer, Chart, Column, Table, estimate
from analyzer.engine.chance import one_seed
from analyzer.engine.run import Play, Played, Run, reduce_games
from analyzer.errors import BadInput, Interrupted
from analyzer.scenarios import Scenario
from analyzer.stats.intervals import Estimate, Method
from analyzer.stats.moments import Moments, moments_of
from analyzer.studies.metrics import Metric, metrics_of, values_of
from analyzer.studies.until import Until, most_games, play_until

DIFFERS, ALIKE, OPEN = "differs", "no game differs", "cannot be told"
_HEADLINE = ("policy", "place", "seat")


def compare(
    scenario: Scenario,
    *,
    second: Scenario,
    seed: int | None = None,
    games: int | None = None,
    until: Until | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Answer:
    """Play both on the same deals and dice and compare every headline number."""
    check_comparable(scenario, second)
    seed = scenario.seed if seed is None else seed
    stop = until or Until(most_games(scenario, games))
    metrics = shared_metrics(scenario, second)
    run = play_paired([scenario, second], metrics, stop, seed=seed, threads=threads, progress=progress)
    if run.result is None:
        raise Interrupted
    table = difference_table(run.result, 1, metrics, stop.method)
    cut = " It was interrupted: these are the games played until then." if run.interrupted else ""
    return Answer(
        study="compare",
        scenario=scenario,
        title=f"{scenario.title} against {second.title}",
        question=scenario.question,
        finding=_finding(second, table),
        tables=(
            _wins(scenario, second, table, f"{run.n_games:,} games each on the same deals and dice, seed {seed}"),
            _differences(scenario, second, table),
        ),
        method=f"{run.n_games:,} games of {scenario.game.title} each, seed {seed}.{cut} Intervals: "
        f"{stop.method.name_in_blocks}; all differences hold together (Bonferroni). Fewer games: how many times as "
        "many two runs apart would need.",
        seed=seed,
        n_games=run.n_games,
        interrupted=run.interrupted,
        notes=tuple(dict.fromkeys([*scenario.caveats, *second.caveats])),
        facts={"first": scenario.name, "second": second.name, "second_text": second.text},
    )


_UNSEEN = tuple(Column(key, data=True) for key in ("key", "reach", "headline"))
_TIMES = Column("fewer_games", "fewer games")


def _wins(scenario: Scenario, second: Scenario, table: pd.DataFrame, note: str) -> Table:
    """Return the differences of the win odds."""
    wins = table[table["headline"]].reset_index(drop=True)
    return Table(
        "wins",
        "Win odds",
        wins,
        (
            *_UNSEEN,
            Column("unit", data=True),
            Column("first", unit=SHARE),
            Column("second", unit=SHARE),
            Column("difference", unit=POINTS),
            _TIMES,
        ),
        _which(scenario, second),
        Chart(
            "intervals",
            _finding(second, wins),
            "difference",
            "what",
            axis="difference of the win odds, in points",
            note=f"{note}; bars: 95% intervals",
            reference=(0.0, "no difference"),
        ),
    )


def _differences(scenario: Scenario, second: Scenario, table: pd.DataFrame) -> Table:
    """Return all numbers; a person reads differences of shares in points."""
    view = table.assign(**{"in": table["unit"].replace(SHARE, POINTS)})[
        ["what", "first", "second", "difference", *(f"difference{end}" for end in (LOW, HIGH)), "in", "verdict",
         "fewer_games", "unit"]
    ]  # fmt: skip
    return Table(
        "differences",
        f"All numbers, second: {second.title}",
        table,
        (
            *_UNSEEN,
            Column("first", unit_from="unit"),
            Column("second", unit_from="unit"),
            Column("unit", data=True),
            Column("difference", unit_from="in"),
            _TIMES,
        ),
        _which(scenario, second),
        brief=True,
        view=view,
    )


def _which(first: Scenario, second: Scenario) -> str:
    return f"Second less first: {second.title} less {first.title}."


def check_comparable(first: Scenario, second: Scenario) -> None:
    """Refuse what has no common deals and dice."""
    if first.game.name != second.game.name:
        raise BadInput(f"cannot compare {first.game.title} with {second.game.title}: they share no deals and no dice")
    if len(first.seats) != len(second.seats):
        raise BadInput(
            f"cannot compare a table of {len(first.seats)} with one of {len(second.seats)}: "
            "other deals, and another fair share"
        )
    if first.rotate != second.rotate:
        raise BadInput("cannot compare rotating seats with fixed ones: set `rotate` alike in both")


def shared_metrics(*scenarios: Scenario) -> list[Metric]:
    """Return the headline numbers by seat, which all scenarios of a game and size have in common.

    Where they seat the same policies, a policy's number stands for its seats; otherwise the seats' own do.
    """
    first = scenarios[0]
    if all(scenario.seats == first.seats for scenario in scenarios):
        return metrics_of(first)
    n = len(first.seats)
    lists = [metrics_of(_by_line(scenario)) for scenario in scenarios]
    titles = [" / ".join(dict.fromkeys(scenario.seats[e] for scenario in scenarios)) for e in range(n)]
    return [
        Metric(f"seat.{i + 1}", "seat", f"seat {i + 1} wins, {titles[i]}", m.unit, m.scale, m.fair) if i < n else m
        for i, m in enumerate(lists[0])
    ]


def _by_line(scenario: Scenario) -> Scenario:
    """Return the scenario with a name of its own for each seat."""
    return replace(scenario, seats=tuple(str(e + 1) for e in range(len(scenario.seats))))


def play_paired(
    scenarios: Sequence[Scenario],
    metrics: Sequence[Metric],
    until: Until,
    *,
    seed: int,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
    at_once: int | None = None,
) -> Run[Moments]:
    """Play several scenarios on the same deals and dice; the first is the one that the others are paired with.

    A sequential run stops by intervals of which `at_once` hold together: by default those of one difference.
    """
    n = len(scenarios[0].seats)
    same_seats = all(scenario.seats == scenarios[0].seats for scenario in scenarios)
    named = list(scenarios) if same_seats else [_by_line(scenario) for scenario in scenarios]
    plays = [Play(s.table, s.policies, one_seed(seed), s.rotate) for s in scenarios]

    def reduce(played: Sequence[Played]) -> Moments:
        return moments_of([values_of(s, one) for s, one in zip(named, played, strict=True)], n)

    def stretch(first: int, count: int) -> Run[Moments]:
        return reduce_games(plays, count, reduce, first=first, threads=threads, logged=True, progress=progress)

    def enough(moments: Moments) -> bool:
        tables = [difference_table(moments, i, metrics, until.method, at_once) for i in range(1, len(plays))]
        wide = max((t.loc[t["headline"], "reach"].max() for t in tables), default=0.0)
        return until.enough(wide, sum(int((t["headline"] & (t["verdict"] == OPEN)).sum()) for t in tables))

    return play_until(until, n, stretch, enough)


def difference_table(
    moments: Moments, play: int, metrics: Sequence[Metric], method: Method, at_once: int | None = None
) -> pd.DataFrame:
    """Return every number in the first play and another, and the difference with its interval.

    The intervals of `at_once` differences hold together, by default those of this table.
    """
    first, second = (moments.own[0, p] / moments.n_games for p in (0, play))
    found = moments.estimates(method, at_once or len(metrics), play, paired=True, units=[m.span for m in metrics])
    columns = zip(metrics, first, second, found, moments.alike(play), moments.saved(play), strict=True)
    rows = []
    for metric, a, b, difference, alike, times in columns:
        most = metric.span or np.inf  # two games differ by no more than a game's range
        d = difference.within(-most, most).scaled(metric.scale)
        rows.append(
            {
                "key": metric.key,
                "what": metric.title,
                "unit": metric.unit,
                "first": float(a) * metric.scale,
                "second": float(b) * metric.scale,
            }
            | estimate("difference", d)
            | {
                "verdict": ALIKE if alike else _verdict(d),
                "fewer_games": times,
                "reach": d.half_width,
                "headline": metric.family in _HEADLINE,
            }
        )
    return pd.DataFrame(rows)


def _verdict(difference: Estimate) -> str:
    return DIFFERS if difference.low > 0 or difference.high < 0 else OPEN


def _finding(second: Scenario, table: pd.DataFrame) -> str:
    """Say what changes most clearly."""
    if (table["verdict"] == ALIKE).all():
        return "Nothing differed: in every rotation of the seats the two gave the same."
    changed = table[table["verdict"] == DIFFERS]
    if changed.empty:
        return "No difference can be told from chance at this number of games."
    sure = changed.assign(sure=np.abs(changed["difference"]) / changed["reach"]).sort_values("sure").iloc[-1]
    change = f"{100 * sure['difference']:+z.2f} points" if sure["unit"] == "share" else f"{sure['difference']:+z.2f}"
    return f"{len(changed)} of {len(table)} numbers differ in {second.title}; most clearly: {sure['what']} {change}."
