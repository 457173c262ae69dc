"""The state of a game as one record, and its moves as numbers and as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from analyzer.engine.game import Table
from analyzer.engine.jit import record_type
from analyzer.errors import IllegalMove, suggest
from tests.pig.rules import CHECKPOINTS, MOST_PLAYERS

STATE = record_type(
    [
        ("start", np.int64),  # seat that began
        ("turn", np.int64),  # seat whose decision it is
        ("bout", np.int64),  # rounds played to their end; numpy's records have a `round` of their own
        ("pot", np.int64),  # points of this turn; none before its first roll
        ("closing", np.int64),  # 1 when somebody has reached the goal
        ("over", np.int64),
        ("points", np.int64, MOST_PLAYERS),
        # what is only counted
        ("course", np.int64, (CHECKPOINTS, MOST_PLAYERS)),  # points after each round
        ("turns", np.int64),
        ("rolls", np.int64),
        ("pig_outs", np.int64),
    ]
)

ROLL, HOLD = 0, 1
MOVES = ("roll", "hold")


def move_text(table: Table, s: Any, move: int) -> str:
    """Write a move."""
    return MOVES[move]


def read_move(table: Table, s: Any, text: str, legal: Sequence[int]) -> int:
    """Return the legal move that `text` means.

    Raises
    ------
    IllegalMove
        with the legal moves, when it is none of them.
    """
    choices = {MOVES[move]: move for move in legal}
    said = text.casefold().strip()
    if said not in choices:
        raise IllegalMove(f"{text!r} is not legal here{suggest(said, choices)}; legal moves: {', '.join(choices)}")
    return choices[said]
