"""Positions of Die Glücksritter for tests: set up in words, moved in words, read in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from analyzer.engine.chance import prescribe, unused_dice
from analyzer.engine.trace import Walk
from analyzer.games import GAMES
from tests import board
from tests.tables import table_of

GAME = GAMES["gluecksritter"]
RICH = {"ones": 4, "twos": 6}  # 16 ducats, safe from G12


class Board(board.Board):
    """A game that is moved and asked in words; seats count from 1."""

    def say(self, *moves: str, dice: Sequence[int] = ()) -> Board:
        """Play moves; the dice are rolled during them, none more and none fewer."""
        prescribe(self.walk.chance, dice)
        self.play(*moves)
        assert unused_dice(self.walk.chance) == 0, "fewer dice were rolled than prescribed"
        return self

    def purse(self, seat: int) -> list[int]:
        """The ones and twos of a seat."""
        return self.state.purse[seat - 1].tolist()

    def castle(self, seat: int) -> list[int]:
        """The walls and towers of a seat."""
        return self.state.parts[seat - 1].tolist()

    def lying(self, field: int) -> list[int]:
        """The ones and twos on field 5 or 6."""
        return self.state.lying[field - 5].tolist()

    def kept(self, field: int) -> list[int]:
        """What has stayed on a field when the next round has laid its coins there."""
        return (self.state.lying[field - 5] - self.state.laid[field - 5]).tolist()

    def jailed(self) -> list[int]:
        return [seat + 1 for seat in range(self.table.players) if self.state.jailed >> seat & 1]

    def hand(self, seat: int) -> dict[str, int]:
        return self.words["seats"][seat - 1].get("documents", {})

    def win(self) -> list[int]:
        """Each seat's share of the win, in units of 1/2520."""
        return [int(share) for share in self.state.share[: self.table.players]]


def set_up(*seats: dict[str, Any], phase: str = "pick", place: dict[str, Any] | None = None, **options: Any) -> Board:
    """Return a position; `place` has further keys of it (round, turn, field_5, …)."""
    table = table_of(GAME, len(seats), **options)
    position = {"phase": phase, "seats": [dict(seat) for seat in seats], **(place or {})}
    return Board(table, Walk(table, 1, 0, GAME.place(table, position)))


def picked(
    *pairs: str, seats: Sequence[dict[str, Any]] = (), place: dict[str, Any] | None = None, **options: Any
) -> Board:
    """Return a position after all picks: `picked("2 5", "1 6", …)`."""
    rows = list(seats) or [{} for _ in pairs]
    board = set_up(*rows, place=place, **options)
    return board.say(*(f"pick {pair}" for pair in pairs))
