"""The report of `analyzer sweep --all`: a tornado over all options."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pandas as pd

from analyzer.reporting.charts import tornado_chart
from analyzer.reporting.provenance import provenance
from analyzer.reporting.report import Section, write_report
from analyzer.reporting.sweep import DRAWN
from analyzer.reporting.tables import by_unit
from analyzer.studies.tornado import Largest, Tornado, as_json, largest

_SHOWN_STEPS = 16


def write_tornado(result: Tornado, folder: Path, seconds: float) -> None:
    """Write the report of one step of every option into a folder."""
    note = f"{result.n_games:,} games each on the same deals and dice, seed {result.seed}; lines: 95% together"
    sections = []
    for key, rows in result.steps.groupby("key", sort=False):
        widest = rows.assign(size=rows["difference"].abs()).sort_values("size", ascending=False, kind="stable")
        shown = widest[widest["size"] > 0].head(_SHOWN_STEPS)
        if shown.empty:
            continue
        first, found = shown.iloc[0], largest(rows)
        drawn = bool(first["headline"]) or key in DRAWN
        chart = partial(
            tornado_chart,
            title=_title(found, str(first["what"])),
            steps=shown,
            unit="points of the share" if first["unit"] == "share" else f"change, {first['unit']}",
            note=note,
            percent=first["unit"] == "share",
        )
        sections.append(
            Section(
                f"tornado-{key}".replace(" ", "-"),
                str(first["what"]),
                rows,
                chart=chart if drawn else None,
                shown=_step_texts(shown),
            )
        )
    if len(result.refused):
        sections.append(Section("refused", "Steps the game does not allow", result.refused))
    interrupted = " It was interrupted: these are the steps played until then." if result.interrupted else ""
    write_report(
        folder,
        title=f"Every option, one step each way: {result.scenario.title}",
        question=result.scenario.question,
        finding=result.finding,
        sections=sections,
        method=f"{result.n_games:,} games a step, seed {result.seed}, all on the same deals and dice.{interrupted} "
        "Intervals hold together over all steps and numbers (Bonferroni).",
        run=provenance(result.scenario, "tornado", result.seed, result.n_games, seconds, result.interrupted),
        document=as_json(result),
    )


def _title(found: Largest | None, what: str) -> str:
    """Name the step that moves a number most, if one can be told from chance."""
    if found is None:
        return f"No step can be told to change it: {what}"
    named = f"{found.step['option']} = {found.step['value']}"
    return f"{named} moves it most: {what}" if found.sure else f"{named} moves it, which step most is open: {what}"


def headline_texts(result: Tornado) -> pd.DataFrame:
    """Return the steps that move the win odds most."""
    rows = result.steps[result.steps["headline"]]
    widest = rows.assign(size=rows["difference"].abs()).sort_values("size", ascending=False)
    return _step_texts(widest.drop_duplicates(["option", "value"]).head(_SHOWN_STEPS))


def _step_texts(steps: pd.DataFrame) -> pd.DataFrame:
    """Return steps as a person reads them."""
    return pd.DataFrame(
        [
            {
                "option": r["option"],
                "value": str(r["value"]),
                "what": r["what"],
                "change": by_unit(r["unit"], r["difference"], r["difference_low"], r["difference_high"]),
                "verdict": r["verdict"],
            }
            for r in steps.to_dict("records")
        ]
    )
