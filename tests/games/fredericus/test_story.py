"""What is told in which round."""

from __future__ import annotations

from typing import Any

from tests.games.fredericus.table import GAME, Board, set_up


def told(board: Board, *moves: str) -> list[str]:
    """Play moves and return the sentences."""
    lines = []
    for text in moves:
        _, legal = board.walk.look()
        step = board.walk.play(GAME.read_move(board.table, board.state, text, legal))
        lines += [line.strip() for line in GAME.tell(board.table, step)]
    return lines


SEATS: list[dict[str, Any]] = [{"chips": ["courtyard"]}, {}, {"chips": [4]}]


def test_f14_a_courtyard_card_is_told_in_its_owners_turn() -> None:
    """The owner is the start player: his card belongs to the new round, after the points of the old."""
    board = set_up({}, SEATS, {"phase": "bet", "turn": 3}, courtyard_may_wait=False)
    assert told(board, "done") == [
        "Seat 3 leaves the chip on row 4.",
        "Points after round 1: seat 1 has 0, seat 2 has 0, seat 3 has 0.",
        "Round 2, seat 1: 4 actions.",
        "Seat 1 draws a goal card: griffin.",
    ]


def test_f14_a_chip_taken_or_left_is_told() -> None:
    board = set_up({}, SEATS, {"phase": "bet", "turn": 3})
    assert told(board, "done", "take")[-3:] == [
        "Round 2, seat 1: 4 actions.",
        "Seat 1 takes the chip back from the courtyard.",
        "Seat 1 draws a goal card: griffin.",
    ]
    board = set_up({}, SEATS, {"phase": "courtyard"}, may_stop=True)
    assert told(board, "done", "done", "done")[:3] == [
        "Seat 1 leaves the chip in the courtyard.",
        "Seat 1 ends his turn.",
        "Seat 1 leaves the chip in the courtyard.",
    ]


def test_f15_a_flip_is_told_before_the_next_players_turn() -> None:
    seats: list[dict[str, Any]] = [{"chips": [4]}, {"chips": ["courtyard"]}, {}]
    board = set_up({}, seats, {"phase": "bet"}, courtyard_may_wait=False)
    assert told(board, "done") == [
        "Seat 1 leaves the chip on row 4.",
        "Seat 1 flips a goal card: griffin.",
        "Round 1, seat 2: 4 actions.",
        "Seat 2 draws a goal card: hydra.",
    ]


def test_f15_who_keeps_fredericus_does_not_draw_him() -> None:
    options = {"flipped_fredericus": "start_player_keeps"}
    board = set_up({}, [{"chips": [4]}, {}, {}], {"phase": "bet"}, pile=["fredericus"], **options)
    assert told(board, "done")[1:] == [
        "Seat 1 flips a goal card: Fredericus, and keeps him.",
        "Round 1, seat 2: 4 actions.",
    ]


def test_f11_a_discarded_seal_is_told() -> None:
    assert told(set_up({8: "s", 1: "d", 2: "s"}), "open peregrine", "discard 8") == [
        "Seat 1 opens a seal with the peregrine: row 1 is turned round.",
        "Seat 1 draws a goal card: griffin.",
        "Seat 1 discards the seal of row 8.",
    ]
