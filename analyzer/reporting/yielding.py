"""The report of `analyzer yield`."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from analyzer.games.ritter.joust import ATTACKER
from analyzer.games.ritter.studies.joust import yield_text
from analyzer.games.ritter.studies.yielding import Yielding, as_json, other_yields
from analyzer.reporting.charts import heat_maps, interval_chart
from analyzer.reporting.provenance import provenance
from analyzer.reporting.report import Section, write_report


def write_yielding(result: Yielding, folder: Path, seconds: float) -> None:
    """Write the report of a stopping problem into a folder."""
    role = "attacks" if result.side == ATTACKER else "is attacked by"
    shown = result.yields.map(lambda yields: "yield" if yields else "fight")
    table = shown.rename_axis("own wounds").reset_index()
    table.columns = [str(column) for column in table.columns]
    sections = [
        Section(
            "map",
            "Where to yield: own wounds down, the other's across",
            table,
            f"It holds until round {result.stopping.holds_until}. The other yields at: {other_yields(result)}.",
            partial(
                heat_maps,
                title=result.finding,
                panels=[("blue: fight on; red: yield", result.map)],
                across="the other's wounds",
                down="own wounds",
                note="premiums that fighting on when asked is worth above yielding, exact for these prices",
                middle=0.0,
                percent=False,
            ),
        ),
        Section("simple", "What simple rules lose, in premiums a joust", result.simple),
        Section(
            "prices",
            "What the end of a joust is worth in premiums, by the wounds then",
            result.prices.table,
            "Own wounds: counted from being beaten unhurt. His wounds: counted from those he had; "
            f"{result.prices.origin}.",
        ),
    ]
    if result.tournaments is not None:
        tournaments = result.tournaments
        best = yield_text(result.best_threshold)
        jousts = int(tournaments["jousts"].iloc[0])
        sections.append(
            Section(
                "tournaments",
                "Whole tournaments: the same joust of these two, with each threshold",
                tournaments,
                f"Same deals and dice for all. behind: premiums less a joust than with {best}, which is best by the "
                "chain for the prices; exact: the same from the table of simple rules. The numbers of these "
                "tournaments did not set the prices.",
                partial(
                    interval_chart,
                    title=f"Premiums that a threshold loses against {best} in whole tournaments",
                    labels=list(tournaments["yield_at"]),
                    table=tournaments,
                    column="behind",
                    unit=f"premiums a joust less than yielding at {best}, by the wounds at which he yields",
                    note=f"{jousts:,} jousts in {result.games:,} tournaments, seed {result.seed}; bars: 95% intervals "
                    "that hold together",
                ),
            )
        )
    write_report(
        folder,
        title=f"When to yield: {result.me.title} {role} {result.other.title}, day {result.day}",
        question="With what wounds does fighting on cost more than it can win?",
        finding=result.finding,
        sections=sections,
        method=f"Backward induction over the rounds on foot for prices {result.prices.origin}. "
        f"Simple rules are valued by the exact chain.",
        run=provenance(
            result.scenario,
            "yield",
            result.seed,
            result.games,
            seconds,
            False,
            options={
                "knights": [result.me.title, result.other.title, other_yields(result)],
                "side": result.side,
                "day": result.day,
                "prices": result.prices.origin,
            },
        ),
        document=as_json(result),
    )
