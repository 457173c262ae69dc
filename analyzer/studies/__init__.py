"""One question each: from a scenario to tables.

A study that a batch can do stands under its name in three places: in `scenario.STUDIES`; in
`studies/<name>.py` with the functions `<name>(scenario, *, seed, games, threads, progress)`, `budget`
(how many games that plays at most) and `as_json`; in `reporting/<name>.py` with `write_<name>`.
"""

from __future__ import annotations

from typing import Any, Protocol

from analyzer.scenarios import Scenario


class Result(Protocol):
    """What every study's answer has."""

    @property
    def scenario(self) -> Scenario: ...
    @property
    def seed(self) -> int: ...
    @property
    def n_games(self) -> int: ...
    @property
    def interrupted(self) -> bool: ...
    @property
    def finding(self) -> str: ...
    @property
    def verdicts(self) -> tuple[tuple[str, str], ...]: ...  # (name, verdict), none for most


def heading(result: Result) -> dict[str, Any]:
    """Return how the document of every study of a scenario begins."""
    return {
        "game": result.scenario.game.name,
        "scenario": result.scenario.name,
        "seed": result.seed,
        "games": result.n_games,
        "interrupted": result.interrupted,
        "finding": result.finding,
    }
