"""The report of `analyzer balance`."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path

import pandas as pd

from analyzer.reporting.charts import band_chart, histogram_chart, interval_chart, verdict_chart
from analyzer.reporting.provenance import provenance
from analyzer.reporting.report import Section, write_report
from analyzer.reporting.tables import by_unit
from analyzer.studies.balance import Balance, as_json

_SHOWN_LEAD = 12


def write_balance(result: Balance, folder: Path, seconds: float) -> None:
    """Write the report of a scenario's balance into a folder."""
    scenario, step = result.scenario, result.scenario.game.checkpoint_name
    note = f"{result.n_games:,} games, seed {result.seed}; {result.method.confidence:.0%} intervals"
    judged = result.lines[result.lines["verdict"] != ""].reset_index(drop=True)
    sections = [
        Section(
            "targets",
            "Targets",
            result.lines[result.lines["verdict"] != ""].reset_index(drop=True),
            "Each number with its interval, the band wanted, and the verdict.",
            partial(verdict_chart, title=result.finding, lines=judged, note=note),
            line_texts(judged),
        ),
        Section("lines", "All numbers", result.lines, shown=line_texts(result.lines)),
    ]
    for kind in dict.fromkeys(result.cards["kind"]):
        cards = result.cards[result.cards["kind"] == kind].reset_index(drop=True)
        best = cards.iloc[0]
        sections.append(
            Section(
                f"cards-{kind}",
                f"Cards: {kind}",
                cards,
                "What a card adds to its holder's chance to win, seats and policies taken out.",
                partial(
                    interval_chart,
                    title=f"{best.card} adds {100 * best.effect:+.1f} points to its holder's odds",
                    labels=list(cards["card"]),
                    table=cards,
                    column="effect",
                    unit="wins beyond those of the same players on the same seats",
                    note=note,
                    fair=0.0,
                    fair_name="no effect",
                ),
            )
        )
    sections += [*_course_sections(result, step, note), *_luck_sections(result, note)]
    interrupted = " It was interrupted: these are the games played until then." if result.interrupted else ""
    write_report(
        folder,
        title=f"Balance: {scenario.title}",
        question=scenario.question,
        finding=result.finding,
        sections=sections,
        method=f"{result.n_games:,} games of {scenario.game.title}, seed {result.seed}.{interrupted} "
        f"Intervals: {result.interval}.",
        run=provenance(
            scenario, "balance", result.seed, result.n_games, seconds, result.interrupted, asked=result.asked
        ),
        document=as_json(result),
    )


def _course_sections(result: Balance, step: str, note: str) -> list[Section]:
    table = result.comebacks
    groups = table.groupby(step) if len(table) else ()  # a few games may have no lead at all
    lines = [(f"{step} {c}", rows[rows["lead"].abs() <= _SHOWN_LEAD]) for c, rows in groups if len(rows) > 1]
    sections = []
    if lines:
        sections.append(
            Section(
                "comebacks",
                "Odds from ahead and behind",
                table,
                "The chance to win from each lead over the best other player (negative: behind).",
                partial(
                    band_chart,
                    title=f"{result.estimate('comeback'):.0%} of the games are won from behind at half-time",
                    lines=lines[:: max(1, len(lines) // 6)],
                    across="lead",
                    column="win",
                    unit="chance to win",
                    note=note,
                ),
            )
        )
    last = result.course.iloc[-1]
    sections.append(
        Section(
            "course",
            "How early the winner is known",
            result.course,
            "Known: the share of the uncertainty who wins that the standings take away. Snowball: points gained by the "
            f"next {step} for each point of lead.",
            partial(
                band_chart,
                title=f"After {step} {last[step]:.0f} the standings tell {last['known_share']:.0%} of who wins",
                lines=[("known of the winner", result.course)],
                across=step,
                column="known_share",
                unit="share of the uncertainty gone",
                note=note,
            ),
        )
    )
    length = result.scenario.game.length
    median = result.estimate("length_p50")
    sections.append(
        Section(
            "lengths",
            "Length",
            result.lengths,
            chart=partial(
                histogram_chart,
                title=f"Half of the games have at most {median:.0f} {length.title}",
                table=result.lengths,
                across=length.key,
                column="share",
                note=note,
            ),
        )
    )
    return sections


def _luck_sections(result: Balance, note: str) -> list[Section]:
    if result.luck.empty:
        return []
    best = result.ladder.iloc[-1]
    return [
        Section(
            "luck",
            "Luck and skill",
            result.luck,
            "Where the variance of winning comes from: the same deal, dice or whims again with all else changed.",
            partial(
                interval_chart,
                title=f"The deal alone decides {result.estimate('deal'):.1%}, the dice alone "
                f"{result.estimate('dice'):.1%} of who wins",
                labels=list(result.luck["meaning"]),
                table=result.luck,
                column="share",
                unit="share of the variance of winning",
                note=note,
            ),
        ),
        Section(
            "ladder",
            "Skill ladder",
            result.ladder,
            "Each policy alone at a table of random players.",
            partial(
                interval_chart,
                title=f"{best.policy} wins {best.win:.0%} against random players",
                labels=list(result.ladder["policy"]),
                table=result.ladder,
                column="win",
                unit="share of games won",
                note=note,
                fair=1 / len(result.scenario.seats),
            ),
        ),
    ]


def line_texts(lines: pd.DataFrame) -> pd.DataFrame:
    """Return lines as a person reads them: each number in its unit, open bands left out."""
    rows = []
    for row in lines.to_dict("records"):
        unit = "" if row["unit"] == "share" else row["unit"]
        wanted = ""
        if row["verdict"]:
            low, high = (by_unit(row["unit"], row[key]) for key in ("target_low", "target_high"))
            wanted = f"{low} to {high}" if math.isfinite(row["target_low"]) else f"at most {high}"
        text = row["verdict"]
        if row["games_to_decide"]:
            text += f" (about {row['games_to_decide']:,} games)"
        value = by_unit(row["unit"], row["estimate"], row["estimate_low"], row["estimate_high"])
        rows.append({"what": row["what"], "value": value, "unit": unit, "wanted": wanted, "verdict": text})
    return pd.DataFrame(rows)
