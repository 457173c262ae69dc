"""One game, step by step: watched, or written down and played back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from analyzer.engine import drive
from analyzer.engine.chance import new_chance, one_seed, open_streams
from analyzer.engine.game import Step, Table, new_buffer
from analyzer.engine.search import STATES, mind_of


def copy_record(record: Any) -> Any:
    """Return a record of its own with the same content."""
    array = np.zeros(1, record.dtype).view(np.recarray)
    array[0] = record
    return array[0]


class Walk:
    """A game in progress that Python code can look into and move."""

    def __init__(self, table: Table, seed: int, game: int, position: np.ndarray | None = None) -> None:
        self.table = table
        self.states = table.new_states(STATES)
        self._game = (seed, game)
        self._steps = 0
        self.chance = new_chance()
        self._buffer = new_buffer(table)
        if position is None:
            drive.begin(table.rules, self.state, one_seed(seed), game, self.chance)
        else:
            self.states[0] = position[0]
            open_streams(self.chance, one_seed(seed), game)

    @property
    def state(self) -> Any:
        return self.states[0]

    def look(self) -> tuple[int, list[int]]:
        """Return the actor (-1 at the end) and his legal moves."""
        seat, n = drive.look(self.table.rules, self.state, self._buffer)
        return int(seat), [int(move) for move in self._buffer.moves[:n]]

    def choose(self, policy: Any) -> int:
        """Return the move a policy record picks here, without thinking."""
        _, n = drive.look(self.table.rules, self.state, self._buffer)
        return int(drive.pick(self.table.rules, self.state, policy, self._buffer, n, self.chance))

    def decide(self, policies: np.ndarray, shift: int = 0) -> int:
        """Return the move of the entrant whose turn it is (entrant e sits on seat e + shift); some may think."""
        seat, n = drive.look(self.table.rules, self.state, self._buffer)
        entrant, moment = (seat - shift) % self.table.players, (*self._game, self._steps)
        mind = mind_of(self.table, policies)
        rules, states, buffer = self.table.rules, self.states, self._buffer
        return int(drive.ponder(rules, states, seat, entrant, policies, buffer, n, self.chance, moment, mind))

    def play(self, move: int, rules: Any = None) -> Step:
        """Play a move, by other rules than the table's if given, and return the step."""
        seat, _ = drive.look(self.table.rules, self.state, self._buffer)
        before, chance = copy_record(self.state), copy_record(self.chance)
        text = self.table.game.move_text(self.table, before, move)
        rules = self.table.rules if rules is None else rules
        drive.play(rules, self.state, move, self.chance)
        self._steps += 1
        return Step(rules, before, int(seat), move, text, chance, copy_record(self.state))


def watch(table: Table, policies: np.ndarray, seed: int, game: int, rotate: bool = False) -> Iterator[Step]:
    """Yield the steps of a game exactly as `play_chunk` plays it."""
    walk = Walk(table, seed, game)
    shift = game % table.players if rotate else 0
    seat, _ = walk.look()
    while seat >= 0:
        yield walk.play(walk.decide(policies, shift))
        seat, _ = walk.look()


def story(table: Table, steps: Sequence[Step]) -> list[str]:
    """Return a game in sentences."""
    if not steps:
        return []
    lines = table.game.opening(table, steps[0].before)
    for step in steps:
        lines += table.game.tell(table, step)
    return lines
