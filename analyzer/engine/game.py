"""What a game tells the rest of the house about itself: options, policies, cards, words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

AS_THEY_ARE = "as they are"  # what a seat that thinks takes the others for
MOST_ROLLOUTS = 30_000  # of a decision


@dataclass(frozen=True)
class Option:
    """One setting of a game's rules, or one parameter of its policies.

    Exactly one of these shapes: an integer within `low..high` (with `words` standing for special
    numbers, such as `never`), a flag (`default` is a bool), one of `choices`, a list (`most` is
    not 0) of integers or of choices, or a file (`read` turns its name into numbers of that `shape`).
    """

    key: str
    default: Any
    meaning: str
    rule: str = ""
    low: int = 0
    high: int = 0
    choices: tuple[str, ...] = ()
    words: Mapping[str, int] = field(default_factory=dict)
    most: int = 0
    read: Callable[[str], Any] | None = None
    shape: tuple[int, ...] = ()

    @property
    def is_flag(self) -> bool:
        return isinstance(self.default, bool)

    @property
    def allowed(self) -> str:
        """What may stand there, in words."""
        if self.is_flag:
            return "true or false"
        if self.read:
            return "the name of a shipped file, or a file beside the scenario"
        one = " | ".join(self.choices or (f"{self.low} to {self.high}", *self.words))
        return f"a list of 1 to {self.most} of: {one}" if self.most else one

    @property
    def default_text(self) -> str:
        """The default as one would write it in TOML."""
        return toml_text(self.default)

    def encode(self, value: Any) -> Any:
        """Return the value as the kernel holds it: an int, a list of ints, or what a file holds."""
        if self.read:
            return self.read(value)
        if self.most:
            return [self._encode_one(item) for item in value]
        return self._encode_one(value)

    def _encode_one(self, value: Any) -> int:
        if self.choices:
            return self.choices.index(value)
        return int(self.words.get(value, value) if isinstance(value, str) else value)


def toml_text(value: Any) -> str:
    """Write a plain value the way TOML does."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml_text(v) for v in value) + "]"
    return str(value)


@dataclass(frozen=True)
class Policy:
    """A named way to play: a sentence about it, and the parameters in which it is not the default."""

    name: str
    about: str
    parameters: Mapping[str, Any]
    slow: int = 1  # how many times fewer games it is asked to play where nobody says how many


def search_parameters(policies: Sequence[Policy]) -> tuple[Option, ...]:
    """Return the parameters of every game's policies by which a seat thinks: how much, and what it takes others for."""
    return (
        Option("search", 0, "rollouts a decision: 0 plays by its parameters, more thinks", low=0, high=MOST_ROLLOUTS),
        Option(
            "assume",
            AS_THEY_ARE,
            "what a seat that thinks takes the others for: as they are, or one of the shipped policies",
            choices=(AS_THEY_ARE, *(policy.name for policy in policies)),
        ),
    )


@dataclass(frozen=True)
class Measure:
    """A count a game keeps of itself; `share_of` names the count it is a part of."""

    key: str
    title: str
    share_of: str = ""


@dataclass(frozen=True)
class Card:
    """A card whose fortune is tallied: its group ('knight'), its name, what it earns ('premiums')."""

    group: str
    name: str
    origin: str
    text: str
    by_chance: bool = True  # chance assigned it, so its effect is causal


@dataclass(frozen=True)
class Step:
    """One decision of a game: rules and state before it, who moved, how, the streams then, the state after."""

    rules: Any
    before: Any
    seat: int
    move: int
    text: str
    chance: Any
    after: Any


@dataclass(frozen=True)
class Table:
    """A game set up for play: the rules as the kernel takes them, and the cards behind the numbers."""

    game: Game
    players: int
    options: Mapping[str, Any]
    rules: Any
    deck: Any
    cards: tuple[Card, ...]
    checkpoints: int

    @property
    def sizes(self) -> tuple[int, int, int, int]:
        """How many players, checkpoints, measures and cards a result row has."""
        return self.players, self.checkpoints, len(self.game.measures), len(self.cards)

    def new_states(self, n: int = 1) -> np.ndarray:
        """Return `n` empty states; attribute access works with and without the compiler."""
        return np.zeros(n, self.game.state).view(np.recarray)


def new_buffer(table: Table) -> Any:
    """Return a record with room for the legal moves of any state."""
    return np.zeros(1, np.dtype([("moves", np.int64, table.game.most_moves)])).view(np.recarray)[0]


@dataclass(frozen=True)
class Game:
    """A registered game. The functions turn numbers into words and back; the verbs do the playing."""

    name: str
    title: str
    about: str
    edition: str
    least_players: int
    most_players: int
    options: tuple[Option, ...]
    parameters: tuple[Option, ...]
    policies: tuple[Policy, ...]
    default_policy: str
    measures: tuple[Measure, ...]
    score_name: str
    checkpoint_name: str
    terms: Mapping[str, str]
    state: np.dtype
    policy: np.dtype
    most_moves: int
    prepare: Callable[[int, Mapping[str, Any], Path | None], Table]
    move_text: Callable[[Table, Any, int], str]
    read_move: Callable[[Table, Any, str, Sequence[int]], int]
    show: Callable[[Table, Any], dict[str, Any]]
    place: Callable[[Table, Mapping[str, Any]], np.ndarray]
    opening: Callable[[Table, Any], list[str]]
    tell: Callable[[Table, Step], list[str]]
    find_deck: Callable[[str, Path], Path] = lambda deck, beside: beside / deck  # from its name, beside a scenario
    faces: Callable[[Table, Any, int], int] | None = None  # the highest number a move's dice can show, if not 6
    strongest: str = ""  # the policy that plays on where nobody says who does; the default one, if none is named
    first_place: str = "the first seat"  # who is on place 1 (`Row.first`); the others follow round the table
    ends_early: bool = False  # whether its length counts checkpoints, of which a game may play only some
    # what to know before one believes such policies at this table: one of them was learned under other rules, …
    caveats: Callable[[Table, Sequence[Mapping[str, Any]]], list[str]] = lambda table, settings: []
    restriction: str = ""  # the parameter that names what a policy never plays, its first choice being nothing

    @property
    def length(self) -> Measure:
        """The measure that is the length of a game: the first."""
        return self.measures[0]

    @cached_property
    def known(self) -> np.ndarray:
        """The records of the shipped policies, in order."""
        return self.encode_policies([self.parameters_of(policy) for policy in self.policies])

    @property
    def plays_on(self) -> str:
        """The policy that plays a position on where nobody says who does."""
        return self.strongest or self.default_policy

    def policy_named(self, name: str) -> Policy:
        return next(p for p in self.policies if p.name == name)

    def parameters_of(self, policy: Policy, own: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return every parameter of a policy, a scenario's own settings included."""
        values = {p.key: p.default for p in self.parameters}
        return values | dict(policy.parameters) | dict(own or {})

    def encode_policies(self, settings: Sequence[Mapping[str, Any]]) -> np.ndarray:
        """Return one policy record for each seat from its full parameters."""
        records = np.zeros(len(settings), self.policy).view(np.recarray)
        for record, values in zip(records, settings, strict=True):
            for parameter in self.parameters:
                code = parameter.encode(values[parameter.key])
                if parameter.most:
                    record[parameter.key] = -1  # unused places of a list
                    record[parameter.key][: len(code)] = code
                else:
                    record[parameter.key] = code
        return records
