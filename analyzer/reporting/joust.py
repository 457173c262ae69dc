"""The reports of `analyzer joust`: one joust, or the whole deck."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from analyzer.games.ritter.joust import Ends
from analyzer.games.ritter.studies.joust import Field, JoustOdds, as_json, field_json, yield_text
from analyzer.reporting.charts import heat_maps
from analyzer.reporting.provenance import provenance
from analyzer.reporting.report import Section, write_report


def write_joust(result: JoustOdds, folder: Path, seconds: float) -> None:
    """Write the report of a joust into a folder."""
    n, seed = int(result.simulated.total), result.seed
    yields = ", ".join(
        f"{side} {yield_text(entrant.yields_at)}"
        for side, entrant in (("attacker", result.attacker), ("defender", result.defender))
    )
    sections = [
        Section("odds", "How it ends", result.odds, "z: by how many standard errors the simulation differs."),
        Section("rounds", "How long it takes", result.rounds),
        Section(
            "wounds",
            "Winner and final wounds",
            result.wounds,
            chart=partial(
                heat_maps,
                title=result.finding,
                panels=[
                    (f"{who}: {p:.1%}", wound_grid(result.exact, winner))
                    for winner, (who, p) in enumerate(
                        zip(("attacker wins", "defender wins", "nobody wins"), result.exact.winner, strict=True)
                    )
                    if p > 0
                ],
                across="defender's wounds",
                down="attacker's wounds",
                note=f"exact chances; yields at: {yields}",
            ),
        ),
    ]
    write_report(
        folder,
        title=f"{result.attacker.title} attacks {result.defender.title}",
        question="Who wins the joust, and with what wounds?",
        finding=result.finding,
        sections=sections,
        method=f"Exact: the chain of rounds solved in float64. Beside it {n:,} simulated jousts, seed {seed}. "
        f"Yields at: {yields}.",
        run=provenance(
            result.scenario,
            "joust",
            seed,
            n,
            seconds,
            False,
            options={
                side: [e.title, e.yields_at] for side, e in zip("ab", (result.attacker, result.defender), strict=True)
            },
        ),
        document=as_json(result),
    )


def wound_grid(ends: Ends, winner: int) -> pd.DataFrame:
    """Return the chances by wounds of attacker (rows) and defender, those who are out taken together."""
    limit, full = ends.limit, ends.by_wounds[winner]
    grid = np.zeros((limit + 1, limit + 1))
    for (a, d), p in np.ndenumerate(full):
        grid[min(a, limit), min(d, limit)] += p
    labels = [*map(str, range(limit)), "out"]
    return pd.DataFrame(grid, labels, labels)


def write_field(result: Field, folder: Path, seconds: float) -> None:
    """Write the report of the deck's jousts into a folder."""
    trained = f"trained {', '.join(result.training)}" if result.training else "untrained"
    matrix = result.matrix.rename_axis("attacker").reset_index()
    matrix.attrs["shares"] = tuple(matrix.columns[1:])
    order = list(result.knights["knight"])
    sections = [
        Section("knights", "Odds against the other knights of the deck", result.knights),
        Section(
            "field",
            "Odds that the attacker (row) beats the defender (column)",
            matrix,
            chart=partial(
                heat_maps,
                title=result.verdict,
                panels=[("", result.matrix.loc[order, order])],
                across="defender",
                down="attacker",
                note=f"exact odds that the attacker wins; {trained}; yields at: {yield_text(result.yields_at)}",
                middle=0.5,
            ),
        ),
    ]
    write_report(
        folder,
        title="The field: every knight of the deck against every other",
        question="Are all knights equally strong at the start, as the rules say?",
        finding=result.verdict,
        sections=sections,
        method=f"Exact odds, nothing sampled; knights {trained}, unhurt. The mean counts attacks and defences alike, "
        "against the other knights.",
        run=provenance(
            result.scenario,
            "field",
            0,
            0,
            seconds,
            False,
            options={"training": result.training, "yields_at": result.yields_at, "margin": result.margin},
        ),
        document=field_json(result),
    )
