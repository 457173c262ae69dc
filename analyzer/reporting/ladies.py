"""The report of `analyzer ladies`."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from analyzer.games.ritter.studies.ladies import Ladies, as_json
from analyzer.reporting.advise import advice_section
from analyzer.reporting.charts import heat_maps, interval_chart
from analyzer.reporting.provenance import provenance
from analyzer.reporting.report import Section, write_report


def write_ladies(result: Ladies, folder: Path, seconds: float) -> None:
    """Write the report on favours into a folder."""
    safe = int((result.pairs["safe"] == "yes").sum())
    note = f"{result.policy_games:,} tournaments, seed {result.seed}; bars: 95% intervals that hold together"
    best = result.policies.iloc[0]
    sections = [
        Section(
            "matches",
            "Every knight's ranking of the ladies (R11)",
            result.ranking,
            "safe: the lady whose favour no other can displace; without one the owner chooses among equals.",
            partial(
                heat_maps,
                title=f"{safe} of {len(result.ranking)} knights have a lady whom nobody can displace",
                panels=[("", result.matches)],
                across="lady",
                down="knight",
                note="her place in his ranking, = with equals; the darker the dearer",
                texts=result.places,
            ),
        ),
        Section("pairs", "Who displaces whom", result.pairs),
        advice_section(result.offers, f"Seat {result.offers.question.seat + 1} in {result.offers.question.where}."),
        Section(
            "policies",
            "Ways of offering against each other",
            result.policies,
            "Five players who else follow the rulebook; seats rotate.",
            partial(
                interval_chart,
                title=f"Offering {best.policy!r}: {best.win:.1%} of tournaments",
                labels=list(result.policies["policy"]),
                table=result.policies,
                column="win",
                unit="share of tournaments won",
                note=note,
                fair=1 / len(result.policies),
            ),
        ),
    ]
    played = result.offers.played + result.policy_games
    write_report(
        folder,
        title=f"Favours: {result.scenario.title}",
        question="Which lady pleases whom, and whom should she be offered to?",
        finding=result.finding,
        sections=sections,
        method=f"{result.offers.played:,} games from the position and {result.policy_games:,} tournaments of five, "
        f"seed {result.seed}. Offers are compared paired over blocks of games and pay for all pairs and looks.",
        run=provenance(result.scenario, "ladies", result.seed, played, seconds, False),
        document=as_json(result),
    )
