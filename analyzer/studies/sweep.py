"""Grids of rule variants on the same deals and dice: what each step moves, and where all targets hold."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from analyzer.answer import PLAIN, SHARE, Answer, Chart, Column, Table, estimate, estimate_in
from analyzer.errors import BadInput
from analyzer.scenarios import Scenario
from analyzer.stats.verdict import HOLDS, UNDECIDED, VIOLATED, verdict
from analyzer.studies import tornado
from analyzer.studies.axes import Axis
from analyzer.studies.balance import DEFAULT_TARGETS
from analyzer.studies.compare import shared_metrics
from analyzer.studies.metrics import Metric
from analyzer.studies.until import Until, most_games
from analyzer.studies.variations import DRAWN, plain, play_beside, playable, refused_table, rounds

MOST_POINTS = 400
_PANELS = 4
_TITLES = {
    "policy": "win odds by policy",
    "seat": "win odds by seat",
    "place": "win odds by place",
    "score": "scores",
    "first_player": "advantage of place 1",
}


def budget(
    scenario: Scenario,
    *,
    axes: Sequence[Axis] = (),
    games: int | None = None,
    until: Until | None = None,
    seed: int | None = None,
) -> int:
    """Return how many rounds of games are played at most."""
    points = math.prod(len(axis.values) for axis in axes) if axes else len(tornado.steps_of(scenario))
    return rounds(scenario, points, games, until)


def sweep(
    scenario: Scenario,
    *,
    axes: Sequence[Axis] = (),
    seed: int | None = None,
    games: int | None = None,
    until: Until | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Answer:
    """Play every point of the grid on the same deals and dice; without a grid, every option one step each way."""
    seed = scenario.seed if seed is None else seed
    stop = until or Until(most_games(scenario, games))
    if not axes:
        return tornado.tornado(scenario, stop, seed, threads, progress)
    keys = [axis.key for axis in axes]
    settings = [dict(zip(keys, values, strict=True)) for values in itertools.product(*(a.values for a in axes))]
    if len(settings) > MOST_POINTS:
        raise BadInput(f"{len(settings)} points; at most {MOST_POINTS} in one sweep")
    kept, refused = playable(scenario, settings)
    if not kept:
        raise BadInput(f"no point of the grid can be played: {refused.iloc[0]['why']}")
    played, n_games, interrupted = play_beside(scenario, kept, stop, seed, threads, progress)
    targets = {**DEFAULT_TARGETS, **scenario.targets}
    points = _judged(played, shared_metrics(scenario, *(s for _, s in kept)), targets)
    region = _region(points, keys)
    note = f"{n_games:,} games a point on the same deals and dice, seed {seed}"
    cut = " It was interrupted: these are the points played until then." if interrupted else ""
    return Answer(
        study="sweep",
        scenario=scenario,
        title=f"Sweep: {scenario.title}",
        question=scenario.question,
        finding=_finding(region, keys),
        tables=(
            _region_table(region, points, keys),
            *_number_tables(scenario, points, keys, note),
            *refused_table(refused, "Points the game does not allow"),
        ),
        method=f"{n_games:,} games a point, seed {seed}, every point on the same deals and dice.{cut} Intervals: "
        f"{stop.method.name_in_blocks}; they hold together over all points and numbers (Bonferroni).",
        seed=seed,
        n_games=n_games,
        interrupted=interrupted,
        notes=tuple(scenario.caveats),
        facts={"axes": {axis.key: list(axis.values) for axis in axes}},
    )


def _judged(
    points: pd.DataFrame, metrics: Sequence[Metric], targets: Mapping[str, float | tuple[float, float]]
) -> pd.DataFrame:
    """Return the points with a column for each axis and the verdict on each target."""
    by_key = {metric.key: metric for metric in metrics}
    rows = []
    for row in points.to_dict("records"):
        metric = by_key[row["key"]]
        family = "policy" if metric.family == "seat" else metric.family
        target = targets.get(family)
        if isinstance(target, float):
            fair = metric.fair or 0.0
            target = (fair - target, fair + target)
        row["target"] = verdict(estimate_in(row, "estimate"), *target) if target else ""
        settings: dict[Any, Any] = plain(row.pop("settings"))
        rows.append(settings | row)
    return pd.DataFrame(rows)


def _region(points: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return for each point whether all its targets hold, and which do not."""
    rows = []
    for values, group in points.groupby(keys, sort=False):
        verdicts = dict(zip(group["key"], group["target"], strict=True))
        bad = [key for key, found in verdicts.items() if found == VIOLATED]
        open_ = [key for key, found in verdicts.items() if found == UNDECIDED]
        rows.append(
            dict(zip(keys, values if isinstance(values, tuple) else (values,), strict=True))
            | {
                "verdict": VIOLATED if bad else UNDECIDED if open_ else HOLDS,
                "violated": ", ".join(bad),
                "undecided": ", ".join(open_),
            }
        )
    return pd.DataFrame(rows)


def _finding(region: pd.DataFrame, keys: list[str]) -> str:
    good = region[region["verdict"] == HOLDS]
    if good.empty:
        maybe = (region["verdict"] == UNDECIDED).any()
        return f"At none of the {len(region)} points do all targets hold{', but some are undecided' if maybe else ''}."
    if len(keys) == 1:
        return f"All targets hold at {keys[0]} = {', '.join(map(str, good[keys[0]]))}."
    return f"All targets hold at {len(good)} of {len(region)} points."


def _region_table(region: pd.DataFrame, points: pd.DataFrame, keys: list[str]) -> Table:
    """Return the verdict at each point; a person reads the win odds beside it."""
    wins, columns = _wide(points[points["key"].str.split(".").str[0].isin(["policy", "seat"])], keys)
    view = wins.assign(**{str(key): region[key] for key in region.columns if key not in keys})
    columns += [Column("verdict", "targets"), Column("violated", detail=True), Column("undecided", detail=True)]
    return Table("region", "Where all targets hold", region, columns, brief=True, view=view)


def _number_tables(scenario: Scenario, points: pd.DataFrame, keys: list[str], note: str) -> Iterator[Table]:
    """Yield a table for each family of numbers: a row a point and number, and for readers a row a point."""
    drawn = (*DRAWN, f"measure.{scenario.game.length.key}")
    for group, title, rows in _groups(points):
        view, columns = _wide(rows, keys)
        units = rows["unit"].unique()
        yield Table(
            f"sweep-{group}",
            title[:1].upper() + title[1:],
            rows,
            [*columns, Column("estimate", unit=units[0] if len(units) == 1 else PLAIN)],
            chart=_chart(rows, keys, title, note) if group in drawn else None,
            view=view,
        )


def _wide(rows: pd.DataFrame, keys: list[str]) -> tuple[pd.DataFrame, list[Column]]:
    """Return one row a point, one column a number, and what the columns are."""
    wide = []
    for values, group in rows.groupby(keys, sort=False):
        row: dict[str, Any] = dict(zip(keys, values if isinstance(values, tuple) else (values,), strict=True))
        for one in group.to_dict("records"):
            row |= estimate(one["what"], estimate_in(one, "estimate"))
        wide.append(row)
    units = dict(zip(rows["what"], rows["unit"], strict=True))
    numbers = [Column(str(what), str(what), unit) for what, unit in units.items()]
    return pd.DataFrame(wide), [*(Column(key, key) for key in keys), *numbers]


def _chart(rows: pd.DataFrame, keys: list[str], title: str, note: str) -> Chart:
    """Return the chart of one family of numbers: lines over one axis, heat maps over two."""
    if len(keys) == 1:
        return Chart(
            "lines",
            _line_title(rows, keys[0]),
            "estimate",
            across=keys[0],
            group="what",
            axis=title,
            note=f"{note}; bands: 95% intervals that hold together",
        )
    parts = [part for _, part in rows.groupby("what", sort=False)]
    if len(parts) > _PANELS:
        parts.sort(key=lambda part: part["estimate"].min() - part["estimate"].max())
        note = f"{note}; the {_PANELS} that move most of {len(parts)}"
    down, across = keys
    return Chart(
        "heat",
        _range_title(rows),
        "estimate",
        down=down,
        across=across,
        group="what",
        note=note,
        frame=pd.concat(parts[:_PANELS]),
    )


def _groups(points: pd.DataFrame) -> list[tuple[str, str, pd.DataFrame]]:
    """Return the metrics that belong on one chart: a family of shares, or one number."""
    family = points["key"].str.split(".").str[0]
    groups: list[tuple[str, str, pd.DataFrame]] = []
    for name in dict.fromkeys(family):
        rows = points[family == name]
        if name == "measure":
            groups += [(str(key), str(part["what"].iloc[0]), part) for key, part in rows.groupby("key", sort=False)]
        else:
            groups.append((str(name), _TITLES.get(str(name), str(rows["what"].iloc[0])), rows))
    return groups


def _line_title(rows: pd.DataFrame, key: str) -> str:
    """Say how far the number that moves most goes from one end to the other, of those that surely move."""
    moves = []
    for what, part in rows.groupby("what", sort=False):
        points = part.to_dict("records")
        first, last = points[0], points[-1]
        if _apart(first, last):
            moves.append((abs(last["estimate"] - first["estimate"]), what, first, last))
    if not moves:
        return f"No change from {key} = {rows[key].iloc[0]} to {rows[key].iloc[-1]} can be told from chance"
    _, what, first, last = max(moves, key=lambda move: move[0])
    start, end = (_said(row) for row in (first, last))
    return f"{what}: from {start} at {first[key]} to {end} at {last[key]}"


def _range_title(rows: pd.DataFrame) -> str:
    """Say how far the number that moves most goes over the grid, of those that surely move."""
    ranges = []
    for what, part in rows.groupby("what", sort=False):
        points = sorted(part.to_dict("records"), key=lambda row: float(row["estimate"]))
        least, most = points[0], points[-1]
        if _apart(least, most):
            ranges.append((most["estimate"] - least["estimate"], what, least, most))
    if not ranges:
        return "No change over the grid can be told from chance"
    _, what, least, most = max(ranges, key=lambda found: found[0])
    low, high = (_said(row) for row in (least, most))
    return f"{what}: from {low} to {high} over the grid"


def _apart(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> bool:
    """Return whether two points differ: by their distances from the scenario, paired and holding together."""
    return bool(one["difference_high"] < other["difference_low"] or other["difference_high"] < one["difference_low"])


def _said(row: Mapping[Any, Any]) -> str:
    return f"{row['estimate']:z.2%}" if row["unit"] == SHARE else f"{row['estimate']:z.2f}"
