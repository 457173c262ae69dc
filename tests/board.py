"""A game in progress for the tests of the rules, asked in words; each game's own board says moves and more."""

from __future__ import annotations

from typing import Any

from analyzer.engine.game import Table
from analyzer.engine.trace import Walk


class Board:
    """A table and a walk over its game; seats count from 1."""

    def __init__(self, table: Table, walk: Walk) -> None:
        self.table = table
        self.walk = walk

    def play(self, *moves: str) -> None:
        """Play moves as one writes them."""
        for text in moves:
            _, legal = self.walk.look()
            self.walk.play(self.table.game.read_move(self.table, self.state, text, legal))

    @property
    def state(self) -> Any:
        return self.walk.state

    @property
    def words(self) -> dict[str, Any]:
        return self.table.game.show(self.table, self.state)

    @property
    def phase(self) -> str:
        return self.words["phase"]

    @property
    def turn(self) -> int:
        """The seat to move; 0 at the end."""
        return self.walk.look()[0] + 1

    @property
    def moves(self) -> list[str]:
        return [self.table.game.move_text(self.table, self.state, move) for move in self.walk.look()[1]]
