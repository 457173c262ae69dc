"""A position in which somebody has to decide: from a written game or a scenario, and who plays on from there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from analyzer.engine import files
from analyzer.engine.trace import Walk
from analyzer.errors import BadInput, suggest
from analyzer.scenarios import Scenario, find_scenario, load_scenario
from analyzer.studies.replay import as_scenario, play_back, read_game

DEFAULT_GAMES = 50_000
VARIETY = 5  # percent of decisions at random of those who play on where nobody says who does
_MORE_WHIMS = 25  # percent, for the same players less sure of themselves


@dataclass(frozen=True)
class Decision:
    """A position in which somebody has to decide: the scenario has its table and who plays on how."""

    scenario: Scenario
    seed: int
    position: np.ndarray
    seat: int
    moves: tuple[int, ...]
    where: str  # which position it is, in words

    @property
    def company(self) -> str:
        """Who plays on, in words: the policies, and how often they take a decision at random."""
        scenario = self.scenario
        names = list(dict.fromkeys(scenario.seats))
        said = names[0] if len(names) == 1 else ", ".join(scenario.seats)
        whims = {
            own.get("whim", 0) for own, name in zip(scenario.settings, scenario.seats, strict=True) if name != "random"
        }
        return f"{said}, {max(whims)}% whims" if whims and max(whims) else said

    @property
    def texts(self) -> list[str]:
        """The legal moves as one writes them."""
        table = self.scenario.table
        return [table.game.move_text(table, self.position[0], move) for move in self.moves]


def read_decision(
    given: str | Scenario,
    *,
    policies: str = "",
    seed: int | None = None,
    game: int = 0,
    after: int = 0,
    check: Callable[[Scenario], None] = lambda scenario: None,
    wanted: Callable[[Any], bool] = lambda state: True,
    kind: str = "decision",
) -> Decision:
    """Return the position that a written game leads to, or a game of a scenario.

    Parameters
    ----------
    given : a written game (`analyzer replay` reads the same), or a scenario, also one that has been read.
    policies : who plays on: one policy for all, or one for each seat, with commas.
    game, after : of a scenario: the number of the game and how many moves have been played.
    check : refuses a scenario that the question does not fit.
    wanted : the policies play on to the first decision for which this holds; `kind` names it.
    """
    if isinstance(given, Scenario) or not Path(given).is_file() or _is_scenario(Path(given)):
        scenario = given if isinstance(given, Scenario) else load_scenario(find_scenario(given))
        check(scenario)
        if policies:
            scenario = _with_policies(scenario, policies)
        return decision_at(scenario, seed=seed, game=game, after=after, wanted=wanted, kind=kind)
    scenario, walk = _written(Path(given), policies)
    check(scenario)
    return _decision(scenario, walk, scenario.seed if seed is None else seed, str(Path(given)), 0, wanted, kind)


def decision_at(
    scenario: Scenario,
    *,
    seed: int | None = None,
    game: int = 0,
    after: int = 0,
    wanted: Callable[[Any], bool] = lambda state: True,
    kind: str = "decision",
) -> Decision:
    """Return a position of a game of a scenario, seats as listed."""
    seed = scenario.seed if seed is None else seed
    walk = Walk(scenario.table, seed, game)
    _walk_on(scenario, walk, lambda state, played: played == after)
    return _decision(scenario, walk, seed, f"game {game} of seed {seed}", after, wanted, kind)


def others(decision: Decision) -> list[Decision]:
    """Return the position with others who play on: another policy, and the same players with more whims."""
    scenario = decision.scenario
    game = scenario.game
    known = [policy.name for policy in game.policies if policy.name != "random"]
    order = dict.fromkeys((game.plays_on, game.default_policy, *known))
    other = next((name for name in order if set(scenario.seats) != {name}), None)
    least = min(own.get("whim", 0) for own in scenario.settings)
    changed = [_with_whims(_with_policies(scenario, other), least)] if other else []
    if any(p.key == "whim" for p in game.parameters) and set(scenario.seats) != {"random"}:
        changed.append(_with_whims(scenario, _MORE_WHIMS))
    return [replace(decision, scenario=one) for one in changed]


def affordable(scenario: Scenario) -> int:
    """Return how many games these players are asked to play at most where nobody says how many."""
    return DEFAULT_GAMES // max(scenario.game.policy_named(name).slow for name in scenario.seats)


def _decision(
    scenario: Scenario, walk: Walk, seed: int, where: str, played: int, wanted: Callable[[Any], bool], kind: str
) -> Decision:
    """Let the policies play on to a decision that is wanted."""
    played += _walk_on(scenario, walk, lambda state, _: wanted(state))
    seat, legal = walk.look()
    if seat < 0:
        raise BadInput(f"{scenario.name}: the game is over and no {kind} was left to make")
    moves = f", {played} moves played" if played else ""
    return Decision(scenario, seed, walk.states.copy(), seat, tuple(legal), f"{where}{moves}")


def _walk_on(scenario: Scenario, walk: Walk, there: Callable[[Any, int], bool]) -> int:
    """Let the policies move until `there(state, moves so far)` or the end; return how often they moved."""
    policies, played = scenario.policies, 0
    seat, _ = walk.look()
    while seat >= 0 and not there(walk.state, played):
        walk.play(walk.choose(policies[seat]))
        played += 1
        seat, _ = walk.look()
    return played


def _is_scenario(path: Path) -> bool:
    try:
        return path.suffix == ".toml" and "seats" in files.read_toml(path)[0]
    except BadInput:
        return False  # the reader of written games says what is wrong


def _written(path: Path, policies: str) -> tuple[Scenario, Walk]:
    written = read_game(path)
    scenario = as_scenario(written, written.table.game.plays_on, DEFAULT_GAMES)
    scenario = _with_policies(scenario, policies) if policies else _with_whims(scenario, VARIETY)
    *_, (_, walk) = play_back(written)
    return scenario, walk


def _with_policies(scenario: Scenario, policies: str) -> Scenario:
    game, n = scenario.game, len(scenario.seats)
    names = [name.strip() for name in policies.split(",")]
    names = names * n if len(names) == 1 else names
    known = [policy.name for policy in game.policies]
    for name in names:
        if name not in known:
            raise BadInput(f"no policy {name!r}; there are: {', '.join(known)}{suggest(name, known)}")
    if len(names) != n:
        raise BadInput(f"{len(names)} policies for {n} seats: give one, or one for each seat")
    settings = tuple(game.parameters_of(game.policy_named(name)) for name in names)
    return replace(scenario, seats=tuple(names), settings=settings)


def _with_whims(scenario: Scenario, percent: int) -> Scenario:
    """Return the scenario with players who take at least so many decisions at random."""
    settings = tuple({**own, "whim": max(percent, own.get("whim", 0))} for own in scenario.settings)
    return replace(scenario, settings=settings)
