"""A table for the tests of the rules: positions in few words, moves as text, dice as written."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from analyzer.engine.chance import prescribe, unused_dice
from analyzer.engine.game import Table
from analyzer.engine.trace import Walk
from analyzer.games import GAMES
from analyzer.games.ritter.cards import default_deck_path
from tests import board

GAME = GAMES["ritter"]
# Who sits where: two to a seat with up to five players (Apollonius and Bertram, Harald and Dietmar, …), else one.
KNIGHTS = (
    *("Apollonius", "Bertram", "Harald", "Dietmar", "Egbert"),
    *("Falko", "Gernot", "Kunibert", "Lothar", "Wolfhart"),
)
LADIES = (
    *("Podica", "Ilsa", "Adelheid", "Brunhild", "Clothilde"),
    *("Edeltraud", "Gisela", "Hildegund", "Mechthild", "Sieglinde"),
)
_SPARE = 60  # dice behind the prescribed ones: a roll of too many dice shows


def new_table(players: int = 2, deck: str = "default", **options: Any) -> Table:
    """Return a table that rolls die by die, with these options and the defaults."""
    settings = {o.key: o.default for o in GAME.options} | options
    assert len(settings) == len(GAME.options), "an unknown option"
    table = GAME.prepare(players, settings, default_deck_path(deck))
    array = np.zeros(1, table.rules.dtype).view(np.recarray)
    array[0] = table.rules
    array[0].by_die = 1
    return dataclasses.replace(table, rules=array[0])


class Board(board.Board):
    """A game in progress, spoken to in the words of a written game."""

    def say(self, *moves: str, dice: Sequence[int] = ()) -> Board:
        """Play moves; together they must roll exactly these dice."""
        prescribe(self.walk.chance, [*dice, *[6] * _SPARE])
        self.play(*moves)
        assert unused_dice(self.walk.chance) == _SPARE, "other dice were rolled than prescribed"
        return self

    def wounds(self, *names: str) -> list[int]:
        return [int(self.state.wounds[self._slot(name)]) for name in names]

    def premiums(self, *names: str) -> list[int]:
        """The premiums of knights and ladies."""
        return [
            int((self.state.premiums if name in KNIGHTS else self.state.lady_premiums)[self._slot(name)])
            for name in names
        ]

    def named(self, field: str) -> list[str]:
        """The knights of a set, such as `standing`."""
        return [name for name in KNIGHTS if self.state[field] >> self._slot(name) & 1]

    def favour(self, knight: str) -> str | None:
        lady = int(self.state.favour[self._slot(knight)])
        return None if lady < 0 else LADIES[lady]

    def day_winner(self, day: int) -> str | None:
        slot = int(self.state.day_winner[day - 1])
        return None if slot < 0 else KNIGHTS[slot]

    def win(self) -> list[int]:
        """Each seat's share of the win, in units of 1/2520."""
        return [int(share) for share in self.state.share[: self.table.players]]

    @staticmethod
    def _slot(name: str) -> int:
        return KNIGHTS.index(name) if name in KNIGHTS else LADIES.index(name)


def set_up(
    phase: str,
    riders: Mapping[str, Any] | Iterable[str] = (),
    others: Mapping[str, Any] | None = None,
    hands: Mapping[str, Any] | None = None,
    players: int = 2,
    deck: str = "default",
    place: Mapping[str, Any] | None = None,
    **options: Any,
) -> Board:
    """Return a position.

    Parameters
    ----------
    riders : the knights who ride, with their strength (or a table of it) where the card's does not do.
    others : the same for knights who do not ride.
    hands : ladies, with their premiums.
    place : further keys of the position (day, start, turn, …).
    """
    table = new_table(players, deck, **options)
    riding = dict(riders) if isinstance(riders, Mapping) else {name: {} for name in riders}
    each = int(table.rules.each)
    seats = []
    for seat in range(players):
        names = range(seat * each, seat * each + each)
        knights = {KNIGHTS[k]: _row(riding, others or {}, KNIGHTS[k]) for k in names}
        row: dict[str, Any] = {"knights": knights}
        if table.rules.ladies:
            row["ladies"] = {LADIES[k]: (hands or {}).get(LADIES[k], {}) for k in names}
        seats.append(row)
    chips = int(table.rules.training_chips)
    position = {"phase": phase, "seats": seats, "chips": chips, **(place or {})}
    return Board(table, Walk(table, 1, 0, GAME.place(table, position)))


def _row(riding: Mapping[str, Any], others: Mapping[str, Any], name: str) -> dict[str, Any]:
    row = riding.get(name, others.get(name, {}))
    row = {"strength": row} if isinstance(row, str) else dict(row)
    return row | {"riding": name in riding}


def dealt(players: int = 2, game: int = 0, deck: str = "default", **options: Any) -> Board:
    """Return a dealt game at its first decision."""
    table = new_table(players, deck, **options)
    return Board(table, Walk(table, 1, game))
