"""From what was given to what is asked: the readers that several studies share."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from analyzer.errors import BadInput
from analyzer.own import load_code
from analyzer.scenarios import Scenario, changed, find_scenario, load_scenario, plain_value
from analyzer.studies.axes import MOST_AXES, read_axis
from analyzer.studies.until import Until, read_until
from analyzer.study import Question


def scenario_of(
    scenario: str | Scenario, rule: Sequence[str] = (), seat: Sequence[str] = (), code: Sequence[str] = ()
) -> Scenario:
    """Return a scenario by its name or file, some of its rules and seats changed, policies of one's own known."""
    for path in code:
        load_code(path)
    asked = scenario if isinstance(scenario, Scenario) else load_scenario(find_scenario(scenario))
    changes: dict[str, Any] = {}
    for text in rule:
        key, equals, value = text.partition("=")
        if not equals:
            raise BadInput(f"--rule {text!r}: write KEY=VALUE, as in {asked.game.options[0].key}=…")
        changes[f"rules.{key.strip().removeprefix('rules.')}"] = plain_value(value.strip())
    seats = list(asked.seats)
    for text in seat:
        place, equals, policy = (part.strip() for part in text.partition("="))
        if not equals or not place.isdigit() or not 1 <= int(place) <= len(seats):
            raise BadInput(f"--seat {text!r}: write N=POLICY with N from 1 to {len(seats)}")
        seats[int(place) - 1] = policy
    if seats != list(asked.seats):
        changes["seats"] = seats
    return changed(asked, changes) if changes else asked


def _played(asked: Scenario, games: int | None, until: str | None, seed: int | None) -> dict[str, Any]:
    stop: Until | None = read_until(until, games, asked.games) if until is not None else None
    return {"seed": asked.seed if seed is None else seed, "games": games, "until": stop}


def of_scenario(
    scenario: str | Scenario,
    rule: Sequence[str] = (),
    seat: Sequence[str] = (),
    code: Sequence[str] = (),
    games: int | None = None,
    until: str | None = None,
    seed: int | None = None,
) -> Question:
    """Read a question about one scenario."""
    asked = scenario_of(scenario, rule, seat, code)
    return Question(asked, asked, _played(asked, games, until, seed), files=tuple(map(Path, code)))


def of_two_scenarios(
    scenario: str | Scenario, second: str | Scenario, games: int | None, until: str | None, seed: int | None
) -> Question:
    """Read a question about two scenarios."""
    first, other = scenario_of(scenario), scenario_of(second)
    label = f"with-{Path(other.name).name if Path(other.name).parent == Path(first.name).parent else other.name}"
    files = tuple(path for path in (other.path, other.deck) if path)
    return Question(first, first, _played(first, games, until, seed) | {"second": other}, label, files)


def of_sweep(
    scenario: str | Scenario,
    rule: Sequence[str],
    seat: Sequence[str],
    code: Sequence[str],
    vary: Sequence[str],
    all: bool,
    games: int | None,
    until: str | None,
    seed: int | None,
) -> Question:
    """Read what to vary: a grid of one axis or two, or every option by one step."""
    if all == bool(vary) or len(vary) > MOST_AXES:
        raise BadInput("say either --vary, once or twice, or --all")
    asked = scenario_of(scenario, rule, seat, code)
    options = _played(asked, games, until, seed) | {"axes": [read_axis(text) for text in vary]}
    return Question(asked, asked, options, files=tuple(map(Path, code)))


def of_rank(
    scenario: str | Scenario, rule: Sequence[str], seat: Sequence[str], code: Sequence[str], policies: str,
    games: int | None, seed: int | None,
) -> Question:  # fmt: skip
    """Read which policies of a scenario's game to rank."""
    asked = scenario_of(scenario, rule, seat, code)
    named = tuple(name.strip() for name in policies.split(",") if name.strip())
    options = {"policies": named, "games": games, "seed": asked.seed if seed is None else seed}
    return Question(asked, asked, options, files=tuple(map(Path, code)))


def is_position(path: Path) -> bool:
    """Say whether a file is a written game or a position, and no scenario."""
    try:
        return "position" in tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError):
        return False  # whoever reads it next says what is wrong
