"""One step of every option each way, on the same deals and dice: which moves which number most."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analyzer.engine.game import Option
from analyzer.scenario import Scenario
from analyzer.studies import heading
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


def _tornado_finding(steps: pd.DataFrame) -> str:
    """Name the option that moves the win odds most, beyond error."""
    headline = steps[steps["headline"] & (steps["verdict"] == "differs")]
    if headline.empty:
        return "No option, moved one step, changes the win odds beyond error."
    most = max(headline.to_dict("records"), key=lambda row: abs(row["difference"]))
    change = f"{most['what']} {100 * most['difference']:+.1f} points"
    return f"{most['option']} = {most['value']} moves the win odds most: {change}."


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
