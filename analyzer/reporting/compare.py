"""The report of `analyzer compare`."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pandas as pd

from analyzer.reporting.charts import interval_chart
from analyzer.reporting.provenance import provenance
from analyzer.reporting.report import Section, write_report
from analyzer.reporting.tables import by_unit
from analyzer.studies.compare import Comparison, as_json


def write_compare(result: Comparison, folder: Path, seconds: float) -> None:
    """Write the report of a comparison into a folder."""
    note = f"{result.n_games:,} games each on the same deals and dice, seed {result.seed}; bars: 95% intervals"
    headline = result.table[result.table["headline"]].reset_index(drop=True)
    points = headline.rename(columns={f"difference{end}": f"effect{end}" for end in ("", "_low", "_high")})
    sections = [
        Section(
            "wins",
            "Win odds",
            headline,
            f"Second less first: {result.second.title} less {result.scenario.title}.",
            partial(
                interval_chart,
                title=result.finding,
                labels=list(headline["what"]),
                table=points,
                column="effect",
                unit="difference of the win odds",
                note=note,
                fair=0.0,
                fair_name="no difference",
            ),
            difference_texts(headline),
        ),
        Section("differences", "All numbers", result.table, shown=difference_texts(result.table)),
    ]
    interrupted = " It was interrupted: these are the games played until then." if result.interrupted else ""
    run = provenance(result.scenario, "compare", result.seed, result.n_games, seconds, result.interrupted)
    write_report(
        folder,
        title=f"{result.scenario.title} against {result.second.title}",
        question=result.scenario.question,
        finding=result.finding,
        sections=sections,
        method=f"{result.n_games:,} games of {result.scenario.game.title} each, seed {result.seed}.{interrupted} "
        f"Intervals: {result.interval}. Fewer games: how many times as many two runs apart would need.",
        run=run | {"second": result.second.name, "second_text": result.second.text},
        document=as_json(result),
    )


def difference_texts(table: pd.DataFrame) -> pd.DataFrame:
    """Return differences as a person reads them."""
    rows = []
    for row in table.to_dict("records"):
        unit = row["unit"]
        first, second = (by_unit(unit, row[key]) for key in ("first", "second"))
        difference = by_unit(unit, row["difference"], row["difference_low"], row["difference_high"])
        saved = f"{row['fewer_games']:z.1f}" if row["fewer_games"] == row["fewer_games"] else ""
        rows.append(
            {
                "what": row["what"],
                "unit": "" if unit == "share" else unit,
                "first": first,
                "second": second,
                "difference": difference,
                "verdict": row["verdict"],
                "fewer games": saved,
            }
        )
    return pd.DataFrame(rows)
