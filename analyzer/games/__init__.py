"""The registry: every game this program plays, in order. A game is loaded when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from analyzer.errors import BadInput, suggest

if TYPE_CHECKING:
    from analyzer.engine.game import Game
    from analyzer.study import Study

NAMES = ("ritter", "gluecksritter", "ivanhoe", "fredericus")


class _Registry(Mapping[str, "Game"]):
    """The games by name: `analyzer/games/<name>/game.py` has the `GAME`, unless one is registered."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self._shipped = names
        self.registered: dict[str, Game] = {}  # further ones, and those that stand in for shipped ones

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self._shipped, *self.registered)))

    def __getitem__(self, name: str) -> Game:
        if name in self.registered:
            return self.registered[name]
        if name not in self._shipped:
            raise KeyError(name)
        game: Game = import_module(f"analyzer.games.{name}.game").GAME
        return game

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __contains__(self, name: object) -> bool:
        return name in self._names  # without loading it


GAMES = _Registry(NAMES)


def register(game: Game) -> None:
    """Make a game known: a new one, or one that stands in for the shipped one of its name (with a user's policies)."""
    GAMES.registered[game.name] = game


def questions_of(name: str) -> tuple[Study, ...]:
    """Return the studies that a game brings; they are declared in its package, which loads nothing heavy."""
    found: tuple[Study, ...] = getattr(import_module(f"analyzer.games.{name}"), "QUESTIONS", ())
    return found


def game_named(name: str) -> Game:
    """Return a game by its name, or say which there are."""
    if name not in GAMES:
        raise BadInput(f"no game {name!r}; there are: {', '.join(GAMES)}{suggest(name, GAMES)}")
    return GAMES[name]
