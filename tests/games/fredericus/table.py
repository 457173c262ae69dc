"""A table for the tests of the rules: positions in few words, moves as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analyzer.engine.trace import Walk
from analyzer.games import GAMES
from analyzer.games.fredericus.state import ENDINGS
from tests import board
from tests.games.fredericus.invariants import FAULTS, N_SLOTS, fault_of_position
from tests.tables import table_of

GAME = GAMES["fredericus"]
PILE = ("griffin", "hydra", "griffin", "hydra", "dragon", "fredericus", "unicorn", "unicorn")  # its top first


class Board(board.Board):
    """A game in progress, spoken to in the words of a written game."""

    def say(self, *moves: str) -> Board:
        """Play moves."""
        for text in moves:
            self.play(text)
            assert FAULTS[fault_of_position(self.table.rules, self.state, np.zeros(N_SLOTS, np.int64))] == ""
        return self

    @property
    def actions(self) -> int:
        return int(self.state.actions)

    def moves_of(self, kind: str) -> list[str]:
        """The legal moves that begin with a word."""
        return [move for move in self.moves if move.split()[0] == kind]

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
    options : the first round is like the others, unless they say otherwise.
    """
    table = table_of(GAME, len(seats), **{"first_round_actions": [options.get("actions_per_turn", 4)], **options})
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
