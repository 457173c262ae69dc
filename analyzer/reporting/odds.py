"""The report of `analyzer odds`."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pandas as pd

from analyzer.reporting.charts import course_chart, interval_chart
from analyzer.reporting.provenance import provenance
from analyzer.reporting.report import Section, write_report
from analyzer.scenarios import Scenario
from analyzer.studies.odds import Odds, as_json


def write_odds(result: Odds, folder: Path, seconds: float) -> None:
    """Write the report of a scenario's odds into a folder."""
    scenario, game = result.scenario, result.scenario.game
    n_seats = len(scenario.seats)
    note = f"{result.n_games:,} games, seed {result.seed}; bars: 95% intervals that hold together"
    alike = len(result.policies) == 1  # then only places can differ
    chart = partial(interval_chart, title=result.finding, column="win", note=note, fair=1 / n_seats)
    by_seat = partial(
        chart,
        labels=[f"{row.policy} ({row.seat})" for row in result.seats.itertuples()],
        table=result.seats,
        unit="share of games won",
    )
    by_place = partial(
        chart,
        labels=[f"place {row.place}" for row in result.places.itertuples()],
        table=result.places,
        unit="share of games won by the player who sits there",
    )
    sections = [
        Section(
            "seats",
            "Win odds and scores by seat of the scenario",
            result.seats,
            "Seats rotate: each line plays equally often on every place."
            if scenario.rotate
            else "Seats stay as listed.",
            None if alike else by_seat,
        ),
        Section("policies", "Win odds by policy, per seat it holds", result.policies),
        Section("places", "Win odds by place at the table", result.places, "", by_place if alike else None),
    ]
    kinds = list(dict.fromkeys(result.cards["kind"]))
    for kind in kinds:
        cards = result.cards[result.cards["kind"] == kind].reset_index(drop=True)
        best, worst = cards.iloc[0], cards.iloc[-1]
        sections.append(
            Section(
                f"cards-{kind}",
                f"Cards: {kind}",
                cards,
                "Win odds of the players whose card it was.",
                partial(
                    interval_chart,
                    title=f"{best.card} wins {best.win:z.1%}, {worst.card} {worst.win:z.1%}"
                    if best.win_low > worst.win_high
                    else f"No card can be told from another, {worst.win:z.1%} to {best.win:z.1%}",
                    labels=list(cards["card"]),
                    table=cards,
                    column="win",
                    unit="share of games won by the card's owner",
                    note=note,
                    fair=1 / n_seats,
                ),
            )
        )
    if len(result.restricted):
        sections.append(restricted_section(scenario, result.seed, result.restricted))
    sections += [
        Section(
            "course",
            f"{game.score_name.capitalize()} {game.checkpoint_name} by {game.checkpoint_name}",
            result.course,
            "Plain means of the games played, for the eye: they have no intervals.",
            chart=partial(
                course_chart,
                title=_course_title(result),
                course=result.course,
                step=game.checkpoint_name,
                unit=f"mean {game.score_name} so far",
                note=f"{result.n_games:,} games, seed {result.seed}",
            ),
        ),
        Section("measures", "What happens in a game", result.measures),
    ]
    interrupted = " It was interrupted: these are the games played until then." if result.interrupted else ""
    method = (
        f"{result.n_games:,} games of {game.title} ({game.edition}), seed {result.seed}, "
        f"{result.tally.games[1]:,} with a shared win, {result.tally.games[2]:,} without a winner.{interrupted} "
        f"Intervals: {result.interval}."
    )
    write_report(
        folder,
        title=scenario.title,
        question=scenario.question,
        finding=result.finding,
        sections=sections,
        method=method,
        run=provenance(scenario, "odds", result.seed, result.n_games, seconds, result.interrupted),
        document=as_json(result),
    )


def restricted_section(scenario: Scenario, seed: int, cards: pd.DataFrame) -> Section:
    """Return what each card is worth to the first seat, from the same deals without it."""
    policy, best = scenario.seats[0], cards.iloc[0]
    most = "most" if best.worth_low > cards.worth_high.iloc[1:].max() else "something, which card most is open"
    found = f"{best.card} is worth {most} to {policy}: {best.worth:+z.1%} of the games"
    return Section(
        "restricted",
        "Restricted play: the same deals without a card",
        cards,
        f"What {policy} (seat 1) wins with all cards less what it wins when it never plays the card, on the same "
        "deals; `changed` is the share of games that ended otherwise for it.",
        partial(
            interval_chart,
            title=found if best.worth_low > 0 else f"No card is surely worth playing to {policy}",
            labels=list(cards["card"]),
            table=cards,
            column="worth",
            unit="share of games won by playing the card",
            note=f"{best.games:,} games each, seed {seed}; bars: 95% intervals that hold together",
        ),
    )


def _course_title(result: Odds) -> str:
    step, score = result.scenario.game.checkpoint_name, result.scenario.game.score_name
    last = result.course[step].max()
    end = result.course[result.course[step] == last].sort_values("score")
    seats = result.seats.sort_values("score", ascending=False)
    if len(seats) > 1 and seats.iloc[0].score_low <= seats.iloc[1].score_high:
        return f"Mean {score} {step} by {step}; who ends with most cannot be told"
    return f"{end.iloc[-1].policy} leads after {step} {last}: {end.iloc[-1].score:z.1f} {score}"
