"""The tables and charts of `train`: first trainings, odds in the field, plans, and what can be told of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

import pandas as pd

from analyzer.answer import COUNT, POINTS, SHARE, Chart, Column, Table, estimate_in
from analyzer.games.ritter.studies.plans import plan_days
from analyzer.games.ritter.studies.training import LEVEL, WORSE, Training
from analyzer.scenarios import Scenario

_SHOWN = 14  # rows of a chart; the table has all
_NAMED = 3  # of those that cannot be told apart
_COLUMNS = (
    Column("also", detail=True),
    Column("points", detail=True),
    Column("odds", "exact odds", SHARE),
    Column("odds_rank", "rank by odds"),
    Column("games", unit=COUNT, detail=True),
    Column("win", "wins", SHARE),
    Column("behind", unit=POINTS),
    Column("unspent", detail=True),
)
_PLANS_TEXT = (
    "The best plans of the search and the simple rules, on games that did not choose them; a knight can follow all to "
    "the end, and a simple rule that is full goes on with dice, then covers. Wounds cut points (R24), and the order "
    "is kept. unspent: points a tournament that could not be bought as planned because the chips had run out, left "
    "to the policy."
)


def note_on_games(seed: int) -> str:
    return f"same deals and dice for all, seed {seed}; bars: 95% intervals that hold together"


def field_in_words(field: dict[str, Any]) -> str:
    return f"opponents trained {', '.join(field['training']) or 'not at all'}, all yield at {field['yields_at']}"


def allocation_table(found: Training, points: int, note: str, opponents: str) -> Table:
    table = found.allocations
    frame = table.head(_SHOWN)
    return Table(
        "allocations",
        f"First training: every way to spend the first {points} points",
        table,
        _COLUMNS,
        f"Odds: exact, against every other knight of the deck, attacking and defending; {opponents}. Then whole "
        "tournaments; behind: share of wins less than the best, paired. Who is clearly worse stopped early.",
        Chart(
            "intervals",
            _title(table, "training"),
            "win",
            "label",
            axis="share of tournaments won by the knight's player",
            note=note,
            frame=frame.assign(label=[f"{row.training} ({row.strength})" for row in frame.itertuples()]),
        ),
        brief=True,
    )


def field_table(found: Training, opponents: str) -> Table:
    odds = found.field.rename_axis("strength").reset_index()
    top = found.allocations.sort_values("odds_rank", kind="stable").iloc[0]
    return Table(
        "field",
        "Exact odds against each opponent",
        odds,
        _odds_columns(odds),
        f"{opponents[0].upper()}{opponents[1:]}.",
        Chart(
            "heat",
            f"By exact odds {top.training} is best: {top.odds:z.1%} against the field",
            "odds",
            across="opponent",
            down="strength",
            note=f"exact odds, attacking and defending alike; {opponents}",
            frame=odds.head(_SHOWN).melt("strength", var_name="opponent", value_name="odds"),
            more={"middle": 0.5, "down": "the knight after training"},
        ),
    )


def _odds_columns(odds: pd.DataFrame) -> tuple[Column, ...]:
    return tuple(Column(str(key), unit=SHARE) for key in ("odds", *odds.columns) if key not in ("knight", "strength"))


def plan_table(found: Training, scenario: Scenario, note: str) -> Table:
    table = found.plans
    return Table(
        "plans",
        "The season: what each point buys, in order",
        table,
        _COLUMNS,
        _PLANS_TEXT,
        _strips(
            _title(table, "plan"),
            table.assign(
                label=[
                    "found" if same else name for same, name in zip(table.plan == table.points, table.plan, strict=True)
                ]
            ),
            scenario,
            note,
        ),
        brief=True,
    )


def _title(table: pd.DataFrame, key: str) -> str:
    best, level = float(table["win"].iloc[0]), those_level(table, key)
    if is_told(table):
        return f"{level} wins most tournaments: {best:z.1%}"
    return f"{level}: which wins most tournaments cannot be told ({best:z.1%} at most)"


def _strips(title: str, table: pd.DataFrame, scenario: Scenario, note: str) -> Chart:
    """Draw plans as strips, each labelled with what it wins."""
    wins = [estimate_in(row, "win").scaled(100) for row in table.to_dict("records")]
    labels = [
        f"{name}: {win.estimate:z.1f}% ({win.low:z.1f}–{win.high:z.1f})"
        for name, win in zip(table["label"], wins, strict=True)
    ]
    return Chart(
        "strips",
        title,
        "points",
        "label",
        axis="training point, in order; lines part the days of an unhurt knight",
        note=f"wins of the knight's player with 95% intervals that hold together; {note.split(';')[0]}",
        frame=table.assign(label=labels),
        more={"breaks": list(accumulate(plan_days(scenario.table)))[:-1]},
    )


def is_told(table: pd.DataFrame) -> bool:
    """Return whether one is best for sure."""
    return not (table["verdict"] == LEVEL).any()


def those_level(table: pd.DataFrame, key: str) -> str:
    """Name the best and what cannot be told from it."""
    names = [written(str(name)) for name in table.loc[table["verdict"] != WORSE, key]]
    if len(names) > _NAMED:
        names = [*names[: _NAMED - 1], f"{len(names) - _NAMED + 1} more"]
    return " or ".join([", ".join(names[:-1]), names[-1]][-len(names) :])


def written(name: str) -> str:
    """Return a training or a plan as it stands in a sentence; rules that come to the same share a row."""
    return name.replace(", ", " = ")


# Every knight of the deck


def knight_table(scenario: Scenario, knights: pd.DataFrame, winner: str, seed: int) -> Table:
    frame = knights.sort_values("plan_win", ascending=False, kind="stable")
    return Table(
        "knights",
        "Best first training and best season plan",
        knights,
        (
            Column("win", "wins", SHARE),
            Column("tied", "not told from it"),
            Column("plan_win", "wins by plan", SHARE),
            Column("tip_behind", "tip behind", POINTS),
        ),
        "The first training that won most, how many cannot be told from it, and the plan for the season that won most; "
        "tip behind: by how much the rulebook's tip is behind that plan, paired. The intervals of a knight hold "
        "together, those of different knights do not.",
        Chart(
            "intervals",
            winner,
            "plan_win",
            "label",
            axis="share of tournaments won by the knight's player, by the best plan",
            note=f"seed {seed}; bars: 95% intervals that hold together for a knight",
            reference=(1 / len(scenario.seats), "fair share"),
            frame=frame.assign(label=[f"{row.knight} ({row.strength})" for row in frame.itertuples()]),
        )
        if knights["plan_win"].notna().any()
        else None,
        brief=True,
    )


def allocations_of_all(found: Sequence[Training]) -> Table:
    return Table(
        "allocations",
        "First trainings of each knight",
        _of_each([(one.name, one.allocations) for one in found]),
        _COLUMNS,
        "Odds: exact, against every other knight of the deck. Then whole tournaments; behind: share of wins less than "
        "the knight's best, paired. Who is clearly worse stopped early.",
    )


def odds_of_all(found: Sequence[Training], opponents: str) -> Table:
    odds = _of_each([(one.name, one.field.rename_axis("strength").reset_index()) for one in found])
    cards = list(found[-1].field.columns)
    cards = [*cards[: len(found) - 1], found[-1].name, *cards[len(found) - 1 :]]  # each lacks itself
    odds = odds[["knight", "strength", *(card for card in cards if card in odds)]]
    means = pd.concat([one.allocations["odds"] for one in found], ignore_index=True)
    top = odds.loc[means.groupby(odds["knight"], sort=False).idxmax()]
    return Table(
        "field",
        "Exact odds of each knight's trainings against each opponent",
        odds,
        _odds_columns(odds),
        f"{opponents[0].upper()}{opponents[1:]}.",
        Chart(
            "heat",
            "Exact odds after the first training that exact odds put first",
            "odds",
            across="opponent",
            down="knight",
            note=f"exact odds, attacking and defending alike; {opponents}",
            frame=top.assign(knight=top["knight"] + ": " + top["strength"])
            .drop(columns="strength")
            .melt("knight", var_name="opponent", value_name="odds"),
            more={"middle": 0.5, "down": "the knight after training"},
        ),
    )


def plans_of_all(scenario: Scenario, found: Sequence[Training], seed: int) -> Table:
    best = pd.DataFrame([one.plans.iloc[0] for one in found]).assign(label=[one.name for one in found])
    return Table(
        "plans",
        "Plans for the season of each knight: what each point buys, in order",
        _of_each([(one.name, one.plans) for one in found]),
        _COLUMNS,
        _PLANS_TEXT,
        _strips("The plan that won most for each knight", best, scenario, note_on_games(seed)),
    )


def _of_each(tables: Sequence[tuple[str, pd.DataFrame]]) -> pd.DataFrame:
    """Return the tables of all knights as one."""
    return pd.concat([table.assign(knight=name) for name, table in tables], ignore_index=True).pipe(
        lambda table: table[["knight", *table.columns.drop("knight")]]
    )
