"""The report of `analyzer balance`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pandas as pd

from analyzer.reporting.charts import band_chart, histogram_chart, interval_chart, verdict_chart
from analyzer.reporting.provenance import provenance
from analyzer.reporting.report import Section, write_report
from analyzer.reporting.tables import by_unit
from analyzer.studies.balance import Balance, as_json
from analyzer.studies.check import APART, PAIRED, SAME_GAMES

_SHOWN_LEAD = 12


def write_balance(result: Balance, folder: Path, seconds: float) -> None:
    """Write the report of a scenario's balance into a folder."""
    scenario, step = result.scenario, result.scenario.game.checkpoint_name
    note = f"{result.n_games:,} games, seed {result.seed}; {result.method.confidence:.0%} intervals"
    judged = result.lines[result.lines["verdict"] != ""].reset_index(drop=True)
    sections = []
    if len(judged):
        sections.append(
            Section(
                "targets",
                "Targets",
                judged,
                "Each number with its interval, the band wanted, and the verdict.",
                partial(verdict_chart, title=result.finding, lines=judged, note=note),
                line_texts(judged),
            )
        )
    if len(result.lines):
        sections.append(Section("lines", "All numbers", result.lines, shown=line_texts(result.lines)))
    for kind in dict.fromkeys(result.cards["kind"]):
        sections.append(_card_section(kind, result.cards[result.cards["kind"] == kind].reset_index(drop=True), note))
    sections += [*_course_sections(result, step, note), *_luck_sections(result, note)]
    interrupted = " It was interrupted: these are the games played until then." if result.interrupted else ""
    left_out = f" {left_out_text(result.left_out)}" if result.left_out else ""
    write_report(
        folder,
        title=f"Balance: {scenario.title}",
        question=scenario.question,
        finding=result.finding,
        sections=sections,
        method=f"{result.n_games:,} games of {scenario.game.title}, seed {result.seed}.{interrupted}{left_out} "
        f"Intervals: {result.interval}.",
        run=provenance(
            scenario, "balance", result.seed, result.n_games, seconds, result.interrupted, asked=result.asked
        ),
        document=as_json(result),
    )


def left_out_text(keys: Sequence[str], most: int = 12) -> str:
    """Say which lines are not there."""
    more = f" and {len(keys) - most} more" if len(keys) > most else ""
    return f"Left out, as these games do not tell them: {', '.join(keys[:most])}{more}."


def baseline_text(compared: str) -> str:
    """Say how a run was held against a baseline."""
    return {
        SAME_GAMES: "The baseline's games, played again, give its very numbers: nothing has changed.",
        PAIRED: "Both rules were played on the same deals and dice.",
        APART: "The baseline's games could not be played again: other games were, and both runs' errors count.",
    }[compared]


def _card_section(kind: str, cards: pd.DataFrame, note: str) -> Section:
    """Return the section of one kind of card: its effect, if chance dealt it."""
    by_chance, best = bool(cards["by_chance"].all()), cards.iloc[0]
    beyond = f"{100 * best.effect:+z.1f} points"
    return Section(
        f"cards-{kind}",
        f"Cards: {kind}",
        cards,
        "What a card adds to its holder's chance to win, seats and policies taken out."
        if by_chance
        else "What its holders win beyond the same players on the same seats. Where they came to it by play, not by "
        "chance (`by_chance`), what led to it speaks in the number too: it is no effect of the card, and no target is "
        "held against it.",
        partial(
            interval_chart,
            title=f"{best.card} adds {beyond} to its holder's odds"
            if by_chance
            else f"Those who have {best.card} win {beyond} more than usual, which need not come from it",
            labels=list(cards["card"]),
            table=cards,
            column="effect",
            unit="wins beyond those of the same players on the same seats",
            note=note,
            fair=0.0,
            fair_name="as usual",
        ),
    )


def _course_sections(result: Balance, step: str, note: str) -> list[Section]:
    table = result.comebacks
    told = f"{result.estimate('comeback'):.0%} of the games are won" if result.has("comeback") else "Games are won"
    lines = [
        (f"{step} {c}", rows[rows["lead"].abs() <= _SHOWN_LEAD]) for c, rows in table.groupby(step) if len(rows) > 1
    ]
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
                    title=f"{told} from behind at half-time",
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
    at_most = result.lengths["share"].cumsum().searchsorted(0.5 - 1e-9)
    median = result.lengths[length.key].iloc[at_most]
    sections.append(
        Section(
            "lengths",
            "Length",
            result.lengths,
            chart=partial(
                histogram_chart,
                title=f"Half of the games have at most {median} {length.title}",
                table=result.lengths,
                across=length.key,
                column="share",
                note=note,
            ),
        )
    )
    return sections


def _luck_sections(result: Balance, note: str) -> list[Section]:
    sections = []
    if len(result.luck):
        share = result.luck.set_index("part")["share"]
        sections.append(
            Section(
                "luck",
                "Luck and skill",
                result.luck,
                "Where the variance of winning comes from. Deal, dice and whims: what stays open when all else is "
                "known, from the same games with only that changed; where they work together the parts add up to "
                "more than 100%.",
                partial(
                    interval_chart,
                    title=f"All else the same, the deal makes {share['deal']:.0%} and the dice {share['dice']:.0%} "
                    "of the variance of winning",
                    labels=list(result.luck["meaning"]),
                    table=result.luck,
                    column="share",
                    unit="share of the variance of winning",
                    note=note,
                ),
            )
        )
    if len(result.ladder):
        best = result.ladder.iloc[-1]
        sections.append(
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
            )
        )
    return sections


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
        if row["baseline_to_decide"]:
            text += f" (with a baseline of about {row['baseline_to_decide']:,} games)"
        value = by_unit(row["unit"], row["estimate"], row["estimate_low"], row["estimate_high"])
        rows.append({"what": row["what"], "value": value, "unit": unit, "wanted": wanted, "verdict": text})
    return pd.DataFrame(rows, columns=["what", "value", "unit", "wanted", "verdict"])
