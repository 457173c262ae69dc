"""The rules of Pig, one position and one result each."""

from __future__ import annotations

import pytest

from analyzer.engine.drive import finish
from analyzer.engine.tally import WHOLE_WIN, new_row
from analyzer.engine.trace import Walk
from analyzer.errors import BadFile, IllegalMove
from tests.board import Board
from tests.games.pig.board import points, roll, set_up
from tests.pig.game import GAME
from tests.tables import table_of


def wins(board: Board) -> list[float]:
    """Return how much of the win each seat has."""
    row = new_row(*board.table.sizes)
    finish(board.table.rules, board.state, row)
    return (row.win / WHOLE_WIN).tolist()


def test_p1_turns_go_round_the_table() -> None:
    board = set_up(0, 0, 0)
    turns = []
    for _ in range(4):
        turns.append(board.turn)
        roll(board, 1)
    assert turns == [1, 2, 3, 1]


@pytest.mark.parametrize(("first", "beginners"), [("random", {1, 2, 3}), ("first_seat", {1})])
def test_p1_who_begins(first: str, beginners: set[int]) -> None:
    table = table_of(GAME, 3, first=first)
    assert {Walk(table, 1, game).look()[0] + 1 for game in range(40)} == beginners


def test_p2_rolls_go_into_the_pot_and_a_turn_has_at_least_one() -> None:
    board = set_up(0, 0)
    assert board.moves == ["roll"]
    roll(board, 6, 2)
    assert (board.words["pot"], board.moves, board.turn) == (8, ["roll", "hold"], 1)


def test_p3_a_one_loses_the_pot() -> None:
    board = set_up(12, 0, pot=20)
    roll(board, 1)
    assert (points(board), board.words["pot"], board.turn) == ([12, 0], 0, 2)


def test_p3_a_one_may_cost_all_points() -> None:
    board = set_up(12, 7, pot=20, pig_out="all_points")
    roll(board, 1)
    assert points(board) == [0, 7]


def test_p4_holding_scores_the_pot() -> None:
    board = set_up(12, 0, pot=20)
    board.play("hold")
    assert (points(board), board.words["pot"], board.turn) == ([32, 0], 0, 2)


def test_p5_the_goal_wins_at_once() -> None:
    board = set_up(90, 95, pot=10)
    board.play("hold")
    assert (board.turn, wins(board)) == (0, [1, 0])


def test_p2_a_seat_meets_the_same_dice_in_a_round() -> None:
    """However often the other seat has rolled before, and whoever began."""

    def rolled(first: int, *dice: int) -> list[int]:
        """Return what seat 2 rolls in each of eight rounds, after those dice of seat 1 where that began."""
        pots = []
        for bout in range(1, 9):
            board = set_up(0, 0, turn=first, first_seat=first, bout=bout)
            roll(board, *dice)
            board.play("roll")
            pots.append(board.words["pot"])
        return pots

    assert rolled(1, 1) == rolled(1, 2, 3, 4, 1) == rolled(2)
    assert len(set(rolled(2))) > 2


@pytest.mark.parametrize(("pot", "shares"), [(6, [0.5, 0.5]), (5, [1, 0]), (7, [0, 1])])
def test_p5_with_equal_turns_the_round_is_played_to_its_end(pot: int, shares: list[float]) -> None:
    board = set_up(90, 94, pot=10, equal_turns=True)
    board.play("hold")
    assert board.turn == 2
    roll(board, pot) if pot < 7 else roll(board, 3, 4)
    board.play("hold")
    assert (board.turn, wins(board)) == (0, shares)


def test_p6_the_last_round_is_the_last() -> None:
    board = set_up(30, 0, 30, turn=3, bout=8, most_rounds=8)
    roll(board, 1)
    assert (board.turn, wins(board)) == (0, [0.5, 0, 0.5])


def test_positions_read_back() -> None:
    board = set_up(3, 50, turn=2, pot=6, bout=7)
    assert GAME.show(board.table, GAME.place(board.table, board.words)[0]) == board.words


def test_impossible_positions_are_refused() -> None:
    for fault, position in (("P3", {"pot": 1}), ("P5", {"seats": [{"points": 100}, {"points": 0}]})):
        with pytest.raises(BadFile, match=fault):
            GAME.place(table_of(GAME, 2), {"seats": [{}, {}]} | position)


def test_an_illegal_move_is_refused() -> None:
    with pytest.raises(IllegalMove, match="'hold' is not legal here"):
        set_up(0, 0).play("hold")


def test_a_turn_is_told() -> None:
    board = set_up(80, 0)
    board.play("roll")
    pot = board.words["pot"]
    _, legal = board.walk.look()
    step = board.walk.play(GAME.read_move(board.table, board.state, "hold", legal))
    assert GAME.tell(board.table, step) == [f"Seat 1 holds {pot} and has {80 + pot} points."]
