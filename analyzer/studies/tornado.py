"""One step of every option each way, on the same deals and dice: which moves which number most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import pandas as pd

from analyzer.engine.game import Option
from analyzer.scenarios import Scenario
from analyzer.studies import heading
from analyzer.studies.compare import DIFFERS
from analyzer.studies.sweep import AT_ONCE, play_variants, playable, shown
from analyzer.studies.until import Until, most_games


@dataclass(frozen=True)
class Tornado:
    """One step each way of every option: how far each moves each metric."""

    scenario: Scenario
    seed: int
    n_games: int
    interrupted: bool
    steps: pd.DataFrame  # one row an option, value and metric
    refused: pd.DataFrame
    finding: str
    verdicts: tuple[tuple[str, str], ...] = ()


def tornado(
    scenario: Scenario,
    *,
    seed: int | None = None,
    games: int | None = None,
    until: Until | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Tornado:
    """Move every option of the game one step each way from the scenario."""
    seed = scenario.seed if seed is None else seed
    settings = [
        {f"rules.{option.key}": value}
        for option in scenario.game.options
        for value in neighbours(option, scenario.table.options[option.key])
    ]
    kept, refused = playable(scenario, settings)
    table, n_games, interrupted = play_variants(
        scenario, kept, Until(most_games(scenario, games, until)) if until is None else until, seed, threads, progress
    )
    rows = []
    for row in table.to_dict("records"):
        (key, value), *_ = row["settings"].items()
        rows.append(
            {"option": key.removeprefix("rules."), "value": shown(value)} | {k: row[k] for k in row if k != "settings"}
        )
    steps = pd.DataFrame(rows)
    return Tornado(scenario, seed, n_games, interrupted, steps, refused, _tornado_finding(steps))


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


def _tornado_finding(steps: pd.DataFrame) -> str:
    """Name the option that moves the win odds most, beyond error."""
    found = None if steps.empty else largest(steps[steps["headline"]])
    if found is None:
        return "No option, moved one step, changes the win odds beyond error."
    step, sure = found
    change = f"{step['what']} {100 * step['difference']:+z.1f} points"
    if sure:
        return f"{step['option']} = {step['value']} moves the win odds most: {change}."
    return f"{step['option']} = {step['value']} moves the win odds: {change}; which step moves them most is open."


def budget(scenario: Scenario, *, games: int | None = None, until: Until | None = None) -> int:
    """Return how many rounds of games are played at most: a round plays some variants beside the scenario."""
    steps = sum(len(neighbours(o, scenario.table.options[o.key])) for o in scenario.game.options)
    return most_games(scenario, games, until) * -(-steps // AT_ONCE)


def as_json(result: Tornado) -> dict[str, Any]:
    """Return the answer as one document."""
    return heading(result) | {
        "steps": result.steps.to_dict("records"),
        "refused": result.refused.to_dict("records"),
    }
