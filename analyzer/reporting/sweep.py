"""The report of `analyzer sweep`: lines and heat maps over a grid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from analyzer.reporting.charts import band_chart, heat_maps
from analyzer.reporting.provenance import provenance
from analyzer.reporting.report import Section, write_report
from analyzer.reporting.tables import by_unit
from analyzer.studies.sweep import Sweep, as_json

_PANELS = 4
DRAWN = ("policy", "seat", "place", "score", "ties", "margin", "lead_changes", "comeback")


def write_sweep(result: Sweep, folder: Path, seconds: float) -> None:
    """Write the report of a grid into a folder."""
    keys = [axis.key for axis in result.axes]
    note = f"{result.n_games:,} games a point on the same deals and dice, seed {result.seed}; bands: 95%"
    sections = [Section("region", "Where all targets hold", result.region)]
    drawn = (*DRAWN, f"measure.{result.scenario.game.length.key}")
    for group, title, rows in _groups(result.points):
        chart = _chart(rows, keys, title, note) if group in drawn else None
        sections.append(Section(f"sweep-{group}", title, rows, chart=chart, shown=_texts(rows, keys)))
    if len(result.refused):
        sections.append(Section("refused", "Points the game does not allow", result.refused))
    interrupted = " It was interrupted: these are the points played until then." if result.interrupted else ""
    write_report(
        folder,
        title=f"Sweep: {result.scenario.title}",
        question=result.scenario.question,
        finding=result.finding,
        sections=sections,
        method=f"{result.n_games:,} games a point, seed {result.seed}, every point on the same deals and dice."
        f"{interrupted} Intervals hold together over all points and numbers (Bonferroni).",
        run=provenance(result.scenario, "sweep", result.seed, result.n_games, seconds, result.interrupted),
        document=as_json(result),
    )


def _chart(rows: pd.DataFrame, keys: list[str], title: str, note: str) -> Callable[[Path], None]:
    """Return the chart of one group of numbers: lines over one axis, heat maps over two."""
    percent = bool((rows["unit"] == "share").all())
    parts = [(str(what), part) for what, part in rows.groupby("what", sort=False)]
    if len(keys) == 1:
        return partial(
            band_chart,
            title=_line_title(rows, keys[0]),
            lines=parts,
            across=keys[0],
            column="estimate",
            unit=title,
            note=note,
            percent=percent,
        )
    down, across = keys
    if len(parts) > _PANELS:
        parts.sort(key=lambda part: part[1]["estimate"].min() - part[1]["estimate"].max())
        note = f"{note}; the {_PANELS} that move most of {len(parts)}"
    panels = [
        (what, part.pivot_table(index=down, columns=across, values="estimate", sort=False))
        for what, part in parts[:_PANELS]
    ]
    return partial(
        heat_maps, title=_range_title(rows), panels=panels, across=across, down=down, note=note, percent=percent
    )


def headline_texts(result: Sweep) -> pd.DataFrame:
    """Return the win odds of each point, and whether the targets hold there."""
    keys = [axis.key for axis in result.axes]
    family = result.points["key"].str.split(".").str[0]
    shown = _texts(result.points[family.isin(["policy", "seat"])], keys)
    return shown.assign(targets=result.region["verdict"])


def _groups(points: pd.DataFrame) -> list[tuple[str, str, pd.DataFrame]]:
    """Return the metrics that belong on one chart: a family of shares, or one number."""
    titles = {"policy": "win odds by policy", "seat": "win odds by seat", "place": "win odds by place"}
    titles |= {"score": "scores", "first_player": "advantage of place 1"}
    family = points["key"].str.split(".").str[0]
    groups = []
    for name in dict.fromkeys(family):
        rows = points[family == name]
        if name == "measure":
            groups += [(str(key), str(part["what"].iloc[0]), part) for key, part in rows.groupby("key", sort=False)]
        else:
            groups.append((str(name), titles.get(str(name), str(rows["what"].iloc[0])), rows))
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
    start, end = (by_unit(row["unit"], row["estimate"]) for row in (first, last))
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
    low, high = (by_unit(row["unit"], row["estimate"]) for row in (least, most))
    return f"{what}: from {low} to {high} over the grid"


def _apart(one: Mapping[Any, Any], other: Mapping[Any, Any]) -> bool:
    """Return whether two points differ: by their distances from the scenario, paired and holding together."""
    return bool(one["difference_high"] < other["difference_low"] or other["difference_high"] < one["difference_low"])


def _texts(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return one row a point, one column a number."""
    shown = []
    for values, group in rows.groupby(keys, sort=False):
        row = dict(zip(keys, values if isinstance(values, tuple) else (values,), strict=True))
        for r in group.to_dict("records"):
            row[r["what"]] = by_unit(r["unit"], r["estimate"], r["estimate_low"], r["estimate_high"])
        shown.append({str(k): str(v) for k, v in row.items()})
    return pd.DataFrame(shown)
