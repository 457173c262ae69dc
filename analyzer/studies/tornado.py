"""One step of every option each way, on the same deals and dice: which moves which number most."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pandas as pd

from analyzer.answer import POINTS, SHARE, Answer, Chart, Column, Table
from analyzer.engine.game import Option
from analyzer.scenarios import Scenario
from analyzer.studies.compare import DIFFERS
from analyzer.studies.until import Until
from analyzer.studies.variations import DRAWN, plain, play_beside, playable, refused_table

_SHOWN_STEPS = 16
_UNSEEN = tuple(Column(key, data=True) for key in ("key", "unit", "headline", "estimate"))


def steps_of(scenario: Scenario) -> list[dict[str, Any]]:
    """Return the settings that move one option of the game one step from the scenario."""
    return [
        {f"rules.{option.key}": value}
        for option in scenario.game.options
        for value in neighbours(option, scenario.table.options[option.key])
    ]


def tornado(
    scenario: Scenario, until: Until, seed: int, threads: int | None, progress: Callable[[int], None]
) -> Answer:
    """Move every option of the game one step each way from the scenario."""
    kept, refused = playable(scenario, steps_of(scenario))
    played, n_games, interrupted = play_beside(scenario, kept, until, seed, threads, progress)
    steps = pd.DataFrame(_step(row) for row in played.to_dict("records"))
    note = f"{n_games:,} games each on the same deals and dice, seed {seed}; lines: 95% together"
    cut = " It was interrupted: these are the steps played until then." if interrupted else ""
    return Answer(
        study="sweep",
        scenario=scenario,
        title=f"Every option, one step each way: {scenario.title}",
        question=scenario.question,
        finding=_finding(steps),
        tables=(
            *([_largest_steps(steps), *_number_tables(steps, note)] if len(steps) else []),
            *refused_table(refused, "Steps the game does not allow"),
        ),
        method=f"{n_games:,} games a step, seed {seed}, all on the same deals and dice.{cut} Intervals: "
        f"{until.method.name_in_blocks}; they hold together over all steps and numbers (Bonferroni).",
        seed=seed,
        n_games=n_games,
        interrupted=interrupted,
        notes=tuple(scenario.caveats),
    )


def _step(row: dict[Any, Any]) -> dict[Any, Any]:
    """Return a row with its option and value in place of its settings."""
    ((key, value),) = plain(row["settings"]).items()
    return {"option": key.removeprefix("rules."), "value": value} | {k: row[k] for k in row if k != "settings"}


def _widest(steps: pd.DataFrame) -> pd.DataFrame:
    """Return the steps that move a number at all, the largest change first."""
    size = steps["difference"].abs()
    return steps[size > 0].sort_values("difference", key=abs, ascending=False, kind="stable", ignore_index=True)


def _largest_steps(steps: pd.DataFrame) -> Table:
    """Return for each step its largest change of the win odds."""
    widest = _widest(steps[steps["headline"]]).drop_duplicates(["option", "value"], ignore_index=True)
    return Table(
        "steps",
        "What each step moves most of the win odds",
        widest,
        (*_UNSEEN, Column("difference", "change", POINTS)),
        f"The {_SHOWN_STEPS} largest changes." if len(widest) > _SHOWN_STEPS else "",
        brief=True,
        view=widest.head(_SHOWN_STEPS),
    )


def _number_tables(steps: pd.DataFrame, note: str) -> Iterator[Table]:
    """Yield a table for each number that some step moves."""
    for key, rows in steps.groupby("key", sort=False):
        view = _widest(rows).head(_SHOWN_STEPS)
        if view.empty:
            continue
        what, unit = str(rows["what"].iloc[0]), str(rows["unit"].iloc[0])
        chart = Chart(
            "tornado",
            _title(largest(rows), what),
            "difference",
            "step",
            axis="points of the share" if unit == SHARE else f"change, {unit}",
            note=note,
            frame=view.assign(step=[f"{row.option} = {row.value}" for row in view.itertuples()]),
        )
        drawn = bool(rows["headline"].iloc[0]) or key in DRAWN
        yield Table(
            f"tornado-{key}".replace(" ", "-"),
            what[:1].upper() + what[1:],
            rows,
            (*_UNSEEN, Column("what", data=True), Column("difference", "change", POINTS if unit == SHARE else unit)),
            chart=chart if drawn else None,
            view=view,
        )


def neighbours(option: Option, value: Any) -> list[Any]:
    """Return the settings one step away: the numbers beside it, the other choices, a list moved as a whole."""
    if option.is_flag:
        return [not value]
    if option.most:
        moved = [[v + step for v in value] for step in (-1, 1) if not option.choices]
        return [values for values in moved if all(option.low <= v <= option.high for v in values)]
    if option.choices:
        return [choice for choice in option.choices if choice != value]
    if isinstance(value, str):
        return [option.high]
    return [v for v in (value - 1, value + 1) if option.low <= v <= option.high]


class Largest(NamedTuple):
    """The step that moves a number most of those that surely move it."""

    step: dict[Any, Any]
    sure: bool  # whether no other step can move it as far


def largest(steps: pd.DataFrame) -> Largest | None:
    """Return the largest of the changes told from chance; it is sure if it is beyond all the others.

    The intervals of all steps hold together, so they hold for the one picked.
    """
    rows = steps.to_dict("records")
    told = [row for row in rows if row["verdict"] == DIFFERS]
    if not told:
        return None
    first = max(told, key=lambda row: abs(row["difference"]))
    step = (first["option"], first["value"])
    least = min(abs(first["difference_low"]), abs(first["difference_high"]))
    others = [row for row in rows if (row["option"], row["value"]) != step]
    most = max((max(-row["difference_low"], row["difference_high"]) for row in others), default=0.0)
    return Largest(first, least > most)


def _finding(steps: pd.DataFrame) -> str:
    """Name the option that moves the win odds most, beyond error."""
    found = None if steps.empty else largest(steps[steps["headline"]])
    if found is None:
        return "No option, moved one step, changes the win odds beyond error."
    step, sure = found
    change = f"{step['what']} {100 * step['difference']:+z.1f} points"
    if sure:
        return f"{step['option']} = {step['value']} moves the win odds most: {change}."
    return f"{step['option']} = {step['value']} moves the win odds: {change}; which step moves them most is open."


def _title(found: Largest | None, what: str) -> str:
    """Name the step that moves a number most, if one can be told from chance."""
    if found is None:
        return f"No step can be told to change it: {what}"
    named = f"{found.step['option']} = {found.step['value']}"
    return f"{named} moves it most: {what}" if found.sure else f"{named} moves it, which step most is open: {what}"
