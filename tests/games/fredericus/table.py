"""A table for the tests of the rules: positions in few words, moves as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analyzer.engine.game import Table
from analyzer.engine.trace import Walk
from analyzer.games import GAMES
from analyzer.games.fredericus.state import ENDINGS, PHASES
from tests.games.fredericus.invariants import FAULTS, N_SLOTS, fault_of_position
from tests.tables import table_of

GAME = GAMES["fredericus"]
PILE = ("griffin", "hydra", "griffin", "hydra", "dragon", "fredericus", "unicorn", "unicorn")  # its top first


class Board:
    """A game in progress, spoken to in the words of a written game."""

    def __init__(self, table: Table, walk: Walk) -> None:
        self.table = table
        self.walk = walk

    def say(self, *moves: str) -> Board:
        """Play moves."""
        for text in moves:
            _, legal = self.walk.look()
            self.walk.play(GAME.read_move(self.table, self.walk.state, text, legal))
            assert FAULTS[fault_of_position(self.table.rules, self.state, np.zeros(N_SLOTS, np.int64))] == ""
        return self

    @property
    def state(self) -> Any:
        return self.walk.state

    @property
    def phase(self) -> str:
        return PHASES[self.state.phase]

    @property
    def turn(self) -> int:
        """The seat to move, from 1; 0 at the end."""
        return self.walk.look()[0] + 1

    @property
    def actions(self) -> int:
        return int(self.state.actions)

    @property
    def moves(self) -> list[str]:
        return [GAME.move_text(self.table, self.state, move) for move in self.walk.look()[1]]

    def moves_of(self, kind: str) -> list[str]:
        """The legal moves that begin with a word."""
        return [move for move in self.moves if move.split()[0] == kind]

    @property
    def words(self) -> dict[str, Any]:
        return GAME.show(self.table, self.state)

    def row(self, number: int) -> str:
        return self.words["rows"][number - 1]

    def seat(self, number: int) -> dict[str, Any]:
        return self.words["seats"][number - 1]

    @property
    def ended_by(self) -> str:
        return ENDINGS[self.state.ending]


def set_up(
    rows: Mapping[int, str],
    seats: Sequence[Mapping[str, Any]] = ({}, {}),
    place: Mapping[str, Any] | None = None,
    pile: Sequence[str] | int = PILE,
    **options: Any,
) -> Board:
    """Return a position.

    Parameters
    ----------
    rows : the rows by number that are not empty, the end last.
    seats : what is not the default: peregrine and kestrel on the towers of F4, chips in hand, no cards.
    place : further keys of the position (phase, turn, actions, …).
    pile : the goal cards from the top, or their number.
    """
    table = table_of(GAME, len(seats), **options)
    position = {
        "rows": [rows.get(row, "") for row in range(1, 9)],
        "seats": [dict(seat) for seat in seats],
        "goal_pile": list(pile) if isinstance(pile, Sequence) else pile,
        **(place or {}),
    }
    return Board(table, Walk(table, 1, 0, GAME.place(table, position)))


def dealt(players: int = 2, game: int = 0, **options: Any) -> Board:
    """Return a dealt game at its first decision."""
    table = table_of(GAME, players, **options)
    return Board(table, Walk(table, 1, game))
