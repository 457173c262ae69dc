"""What can be asked: a study as data. Commands, batches, the lab and the Python door are made from it.

A declaration is light: it imports nothing heavy, so that `analyzer --help` answers at once. The functions
behind it are named by where they stand and loaded when they are needed (`later`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from analyzer.errors import BadInput

if TYPE_CHECKING:
    from pathlib import Path

    from analyzer.scenarios import Scenario


@dataclass(frozen=True)
class Ask:
    """One thing a study may be told: an argument, or an option such as `--games`."""

    key: str
    help: str
    kind: type = str
    default: Any = None
    low: float | None = None
    high: float | None = None
    many: bool = False  # may be given several times
    argument: bool = False
    required: bool = False
    flag: str = ""  # how it is written, where that is not --key
    metavar: str = ""
    names: str = ""  # what completes it: "scenario", "game", "policy", "knight", "rule"

    @property
    def written(self) -> str:
        return self.key if self.argument else self.flag or f"--{self.key.replace('_', '-')}"

    def checked(self, value: Any) -> Any:
        """Return the value, or say what is allowed."""
        if value is None:
            if self.required:
                raise BadInput(f"{self.written} is missing: {self.help}")
            return list(self.default or ()) if self.many else self.default
        if self.many:
            return [self._one(item) for item in ([value] if isinstance(value, (str, bytes)) else value)]
        return self._one(value)

    def _one(self, value: Any) -> Any:
        if isinstance(value, os.PathLike):
            value = os.fspath(value)
        if self.names == "scenario" and not isinstance(value, str):
            return value  # one that has been read already
        wide = (int, float) if self.kind is float else self.kind
        if not isinstance(value, wide) or (isinstance(value, bool) and self.kind is not bool):
            raise BadInput(f"{self.written} {str(value)[:80]!r}: allowed: {_KINDS[self.kind]}")
        if self.kind in (int, float) and not self._is_within(value):
            allowed = f"{self.low:g} or more" if self.high is None else f"{self.low or 0:g} to {self.high:g}"
            raise BadInput(f"{self.written} {value}: allowed: {allowed}")
        return value

    def _is_within(self, value: Any) -> bool:
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)


_KINDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}

SCENARIO = Ask("scenario", "A scenario file, or its name below scenarios/.", argument=True, required=True,
               names="scenario")  # fmt: skip
RULE = Ask("rule", "An option of the rules, as night_recovery=4; repeatable.", many=True, metavar="KEY=VALUE",
           names="rule")  # fmt: skip
SEAT = Ask("seat", "Another policy on a seat, as 2=random; repeatable.", many=True, metavar="N=POLICY", names="policy")
CODE = Ask("code", "A Python file with policies of one's own; repeatable.", many=True, metavar="FILE")
GAMES = Ask("games", "How many games; the scenario's number if not given.", int, low=1)
SEED = Ask("seed", "Another seed than the scenario's.", int, low=0, high=2**63 - 1)
UNTIL = Ask(
    "until",
    "Play until the win odds are known to this half-width (0.1%) or all verdicts are in (decided); --games is then "
    "the most to play.",
    metavar="WIDTH",
)
PLAYED_ON = Ask(
    "policy",
    "Who plays on: one policy for all, or one for each seat, with commas; else those of the scenario, of a position "
    "the strongest, with a whim now and then.",
    default="",
    names="policy",
)
POSITION = (  # what is asked of a position, whatever has to be decided there
    Ask("position", "A written game as `replay` reads it, or a scenario.", argument=True, required=True,
        names="scenario"),
    PLAYED_ON,
    Ask("game", "Of a scenario: number of the game.", int, 0, low=0),
    Ask("after", "Of a scenario: moves already played.", int, 0, low=0),
    Ask("games", "Most games for a move; 50,000, fewer where those who play on are slow or the scenario has fewer.",
        int, low=128),
    SEED,
)  # fmt: skip


@dataclass(frozen=True)
class Question:
    """A study's question, read and checked: what it is about, and the settings that its functions take."""

    subject: Any
    scenario: Scenario
    options: Mapping[str, Any]
    label: str = ""  # what the question is about, where that is not a scenario alone; part of the report's folder
    files: tuple[Path, ...] = ()  # what was read beside the scenario; the numbers depend on it
    drivers: tuple[Any, ...] = ()  # compiled functions it runs, where not the engine's own


class later:
    """A function named by where it stands, `module:function`, and loaded when it is first called."""

    def __init__(self, where: str) -> None:
        self._where = where

    def load(self) -> Callable[..., Any]:
        """Return the function itself."""
        module, _, name = self._where.partition(":")
        function: Callable[..., Any] = getattr(import_module(module), name)
        return function

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self.load()(*args, **options)


@dataclass(frozen=True)
class Study:
    """A question that can be asked, whoever asks.

    `read` turns what was given into a `Question`; `plan(subject, **options)` says how many games are
    played at most (None: not known); `run(subject, **options, threads=…, progress=…)` answers.
    """

    name: str
    summary: str  # a sentence
    asks: tuple[Ask, ...]
    read: later
    plan: later
    run: later
    about: str = ""
    examples: tuple[str, ...] = ()
    game: str = ""  # the game that brings it, if one does
    exact: bool = False  # plays no games worth a progress bar

    def ask(self, **given: Any) -> Question:
        """Read and check what is asked: every study's own `asks`, by key."""
        known = {ask.key: ask for ask in self.asks}
        for key in given:
            if key not in known:
                raise BadInput(f"{self.name} takes no {key!r}; it takes: {', '.join(known)}")
        question: Question = self.read(**{key: ask.checked(given.get(key)) for key, ask in known.items()})
        return question

    def differing(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return what was asked other than by default: with the study and the scenario, the whole question."""
        return {
            ask.key: given[ask.key]
            for ask in self.asks
            if given.get(ask.key) not in (None, ask.default, []) and not (ask.many and not given[ask.key])
        }
