"""Positions of Pig for the tests, asked in words."""

from __future__ import annotations

from typing import Any

from analyzer.engine.chance import prescribe
from analyzer.engine.trace import Walk
from tests.board import Board
from tests.pig.game import GAME
from tests.tables import table_of


def set_up(*points: int, turn: int = 1, pot: int = 0, bout: int = 1, first_seat: int = 1, **options: Any) -> Board:
    """Return a game in which the seats have so many points."""
    table = table_of(GAME, len(points), **options)
    words = {"round": bout, "first": first_seat, "turn": turn, "pot": pot, "seats": [{"points": n} for n in points]}
    return Board(table, Walk(table, 1, 1, GAME.place(table, words)))


def roll(board: Board, *dice: int) -> None:
    """Roll the die, which shows these numbers."""
    for shown in dice:
        prescribe(board.walk.chance, [shown])
        board.play("roll")


def points(board: Board) -> list[int]:
    return [seat["points"] for seat in board.words["seats"]]
