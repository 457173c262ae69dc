"""The reports of `analyzer train`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from analyzer.games.ritter.rider import write_rider
from analyzer.games.ritter.studies.train import Training, as_json, summary
from analyzer.reporting.charts import heat_maps, interval_chart, strip_chart
from analyzer.reporting.provenance import provenance
from analyzer.reporting.report import Section, write_report

_SHOWN = 14  # rows of a chart; the table has all


def write_train(result: Training, folder: Path, seconds: float) -> None:
    """Write the report of one knight into a folder."""
    allocations, plans = result.allocations.head(_SHOWN), result.plans
    note = f"same deals and dice for all, seed {result.seed}; bars: 95% intervals that hold together"
    best, plan = result.allocations.iloc[0], plans.iloc[0]
    field = f"opponents trained {', '.join(result.field_training)}, all yield at {result.yields_at}"
    odds = result.field.iloc[: len(allocations)]
    top = result.allocations.sort_values("odds_rank").iloc[0]
    sections = [
        Section(
            "allocations",
            f"Every way to spend the first {result.points} points",
            result.allocations,
            f"odds: exact, against every other knight of the deck, attacking and defending; {field}. Then whole "
            "tournaments; behind: share of wins less than the best, paired. Who is clearly worse stopped early.",
            partial(
                interval_chart,
                title=f"{best.training} wins most tournaments: {best.win:.1%}",
                labels=[f"{row.training} ({row.strength})" for row in allocations.itertuples()],
                table=allocations,
                column="win",
                unit="share of tournaments won by the knight's player",
                note=note,
            ),
        ),
        Section(
            "field",
            "Exact odds against each opponent",
            odds.rename_axis("strength").reset_index(),
            field,
            partial(
                heat_maps,
                title=f"By exact odds {top.training} is best: {top.odds:.1%} against the field",
                panels=[("", odds)],
                across="opponent",
                down="the knight after training",
                note=f"exact odds, attacking and defending alike; {field}",
                middle=0.5,
            ),
        ),
        Section(
            "plans",
            "The season: what each point buys, in order",
            plans,
            "The best plans of the search and the simple rules, on games that did not choose them; this knight can "
            "follow all to the end, and a simple rule that is full goes on with dice, then covers. Wounds cut points "
            "(R24), and the order is kept. unspent: points a tournament that could not be bought as planned because "
            "the chips had run out, left to the policy.",
            partial(
                strip_chart,
                title=f"{plan.plan}: {plan.win:.1%} of tournaments",
                strips=[(_strip_label(row), str(row.points).split()) for row in plans.itertuples()],
                breaks=[sum(result.plan_points[: i + 1]) for i in range(len(result.plan_points) - 1)],
                unit="training point, in order; lines part the days of an unhurt knight",
                note=f"wins of the knight's player with 95% intervals that hold together; {note.split(';')[0]}",
            ),
        ),
    ]
    write_report(
        folder,
        title=f"Training {result.name} ({write_rider(result.rider)})",
        question="Where do the training points go, and in what order?",
        finding=result.finding,
        sections=sections,
        method=f"{result.played:,} tournaments, seed {result.seed}. Trainings and plans race on the same deals and "
        "dice; comparisons are paired over blocks of games and pay for all pairs and looks (Bonferroni, 95%). The "
        "search over plans is successive halving; its finalists are compared on fresh games.",
        run=provenance(
            result.scenario,
            "train",
            result.seed,
            result.played,
            seconds,
            False,
            asked=result.games,
            options={"knight": result.name, "field": result.field_training, "yields_at": result.yields_at},
        ),
        document=as_json(result),
    )


def _strip_label(row) -> str:  # type: ignore[no-untyped-def]
    name = "found" if row.plan == row.points else row.plan
    return f"{name}: {100 * row.win:.1f}% ({100 * row.win_low:.1f}–{100 * row.win_high:.1f})"


def write_all(results: Sequence[Training], folder: Path, seconds: float) -> None:
    """Write one report for every knight and one that sums up."""
    for result in results:
        write_train(result, folder / result.name.lower(), seconds)
    table, first = summary(results), results[0]
    gain = table["tip_behind"].mean()
    best = table.sort_values("plan_win", ascending=False).iloc[0]
    finding = (
        f"The best plans win {100 * gain:z.1f} points more than the rulebook's tip on average; "
        f"{best.knight} gains most from training and wins {best.plan_win:.1%}."
    )
    write_report(
        folder / "all",
        title="Training every knight of the deck",
        question="Where do the training points go, knight by knight?",
        finding=finding,
        sections=[Section("knights", "Best first training and best season plan", table)],
        method=f"{sum(r.played for r in results):,} tournaments, seed {first.seed}. The report of each knight has the "
        "intervals and what cannot be told apart.",
        run=provenance(first.scenario, "train", first.seed, sum(r.played for r in results), seconds, False),
        document={"finding": finding, "knights": [as_json(result) for result in results]},
    )
