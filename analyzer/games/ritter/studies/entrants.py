"""What is asked of single knights: who they are and when they yield, and the scenario of a question without one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from analyzer.engine.game import toml_text
from analyzer.errors import BadInput
from analyzer.games import GAMES
from analyzer.games.ritter.cards import short
from analyzer.games.ritter.joust import NEVER, Rider
from analyzer.games.ritter.rider import card_named, read_points, read_rider, trained, write_rider
from analyzer.scenarios import Scenario, find_scenario, load_scenario, read_rules, read_scenario

RITTER = GAMES["ritter"]


@dataclass(frozen=True)
class Entrant:
    """A knight in a joust: what it is called, how strong it is, the wounds at which it yields."""

    name: str
    rider: Rider
    yields_at: int

    @property
    def title(self) -> str:
        """The name with the strength, where that is not the name."""
        strength = write_rider(self.rider)
        return self.name if self.name == strength else f"{self.name} ({strength})"


def plain_scenario(rules: Sequence[str] = (), deck: str = "", seats: Sequence[str] = ("rulebook",) * 4) -> Scenario:
    """Return a scenario for a question that names no file: a table with these rules and seats."""
    options = read_rules(RITTER, rules)
    data: dict[str, Any] = {"game": RITTER.name, "seats": list(seats), "rules": options}
    data |= {"deck": deck} if deck else {}
    lines = [f"{key} = {toml_text(value)}" for key, value in data.items() if key != "rules"]
    lines += ["[rules]", *(f"{key} = {toml_text(value)}" for key, value in options.items())]
    return replace(read_scenario(data), name=RITTER.name, title="Four by the rulebook", text="\n".join(lines) + "\n")


def ritter_scenario(name: str | Scenario, rules: Sequence[str] = ()) -> Scenario:
    """Return the scenario of that name, or without one a plain table with these rules."""
    if not name:
        return plain_scenario(rules)
    if rules:
        raise BadInput("--rule and --scenario exclude each other: set the rules in the scenario")
    scenario = name if isinstance(name, Scenario) else load_scenario(find_scenario(name))
    require_ritter(scenario)
    return scenario


def require_ritter(scenario: Scenario) -> None:
    """Refuse a scenario of another game."""
    if scenario.game.name != RITTER.name:
        raise BadInput(f"{scenario.name} is one of {scenario.game.name}; this question is one of {RITTER.name}")


def read_entrant(scenario: Scenario, text: str, training: str = "", yields_at: str = "never") -> Entrant:
    """Return a knight as a person gives it."""
    deck, rules = scenario.table.deck, scenario.table.rules
    card = card_named(deck, text)
    rider = trained(rules, read_rider(deck, rules, text), read_points(training))
    return Entrant(
        short(deck.knights[card].name) if card is not None else write_rider(rider), rider, read_yield(yields_at)
    )


def untrained(scenario: Scenario, *knights: str) -> str:
    """Return knights as they are called before their training, for the name of a folder."""
    return "-".join(read_entrant(scenario, text).name for text in knights)


def read_yield(text: str) -> int:
    """Read the wounds at which a knight yields: a number, or `never`."""
    if text == "never":
        return NEVER
    if not text.isdecimal():
        raise BadInput(f"{text!r} is no yield threshold: a number of wounds, or never")
    return int(text)


def yield_text(yields_at: int) -> str:
    """Write a threshold."""
    return "never" if yields_at >= NEVER else str(yields_at)
