"""Positions: a state in words (`show`), and a state from words (`place`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from analyzer.engine.game import Table
from analyzer.engine.placing import Placing

_KEYS = ("round", "first", "turn", "pot", "seats")
_MOST = 100_000  # points anybody can dream of


def show(table: Table, s: Any) -> dict[str, Any]:
    """Return a state in the words of a position file."""
    return {
        "round": min(int(s.bout) + 1, int(table.rules.most_rounds)),
        "first": int(s.start) + 1,
        "turn": int(s.turn) + 1,
        "pot": int(s.pot),
        "seats": [{"points": int(s.points[seat])} for seat in range(table.players)],
    }


def place(table: Table, position: Mapping[str, Any]) -> np.ndarray:
    """Return the state (an array of one) that a position describes, or raise all its faults."""
    placing = Placing(table, position)
    s, players = placing.s, table.players
    placing.only("", position, _KEYS)
    s.bout = placing.number("round", 1, int(table.rules.most_rounds), 1) - 1
    s.start = placing.number("first", 1, players, 1) - 1
    s.turn = placing.number("turn", 1, players, int(s.start) + 1) - 1
    s.pot = placing.number("pot", 0, _MOST, 0)
    for seat, where, given in placing.seats(("points",), "its points"):
        s.points[seat] = placing.number(f"{where}.points", 0, _MOST, 0, given)
        s.course[:, seat] = s.points[seat]  # nobody knows the earlier rounds
    s.closing = int(s.points.max() >= table.rules.goal)
    if s.closing and not (table.rules.equal_turns and s.turn != s.start):
        placing.fault("seats", [int(n) for n in s.points[:players]], "somebody has won: the game is over (P5)")
    if s.pot == 1:
        placing.fault("pot", 1, "a 1 never stays in the pot (P3)")
    return placing.finish()
