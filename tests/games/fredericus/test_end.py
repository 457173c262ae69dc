"""F15–F17: flips, the close, the score and the winner."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from analyzer.engine import drive
from analyzer.engine.tally import new_row
from tests.games.fredericus.table import GAME, Board, set_up


def pass_turns(board: Board, n: int) -> Board:
    """Let the next n turns go by: the players stop at once and keep or place their chips."""
    for _ in range(n):
        turn = board.turn
        while board.turn == turn:
            board.say("done" if "done" in board.moves else "bet 8")
    return board


def test_f15_the_start_player_flips_a_goal_card_after_each_of_his_turns() -> None:
    board = set_up({}, may_stop=True)
    pass_turns(board, 1)
    assert (board.words["flipped"], board.words["goal_pile"][:2]) == (["griffin"], ["hydra", "griffin"])
    pass_turns(board, 1)
    assert board.words["flipped"] == ["griffin"]  # the other player flips nothing
    pass_turns(board, 1)
    assert board.words["flipped"] == ["griffin", "hydra"]


def test_f15_the_start_player_may_keep_him() -> None:
    board = set_up({}, pile=["fredericus", "hydra"], may_stop=True, flipped_fredericus="start_player_keeps")
    pass_turns(board, 1)
    assert (board.words["flipped"], board.seat(1)["fredericus"], board.ended_by) == ([], True, "flipped")
    again = GAME.place(board.table, board.words)[0]
    assert (int(again.holder), bool(again.closed), again.ending) == (0, True, board.state.ending)
    assert finish(board).score.tolist() == [2, 0]


@pytest.mark.parametrize(
    ("option", "closed", "ended_by"), [("ends_game", True, "flipped"), ("passed_over", False, "none")]
)
def test_f15_fredericus_flipped(option: str, closed: bool, ended_by: str) -> None:
    board = set_up({}, pile=["fredericus", "hydra"], may_stop=True, flipped_fredericus=option)
    pass_turns(board, 1)
    assert (board.words["flipped"], board.words["closed"], board.ended_by) == (["fredericus"], closed, ended_by)
    pass_turns(board, 1)
    assert board.phase == ("over" if closed else "turn")


def test_f15_nothing_is_flipped_when_goal_cards_are_closed() -> None:
    board = set_up({}, place={"closed": True}, may_stop=True)
    assert pass_turns(board, 1).words["flipped"] == []


@pytest.mark.parametrize(("limit", "closed"), [(3, True), (4, False)])
def test_f16_enough_creatures_close_the_goal_cards(limit: int, closed: bool) -> None:
    seats: list[dict[str, Any]] = [{"creatures": ["hydra", "dragon"]}, {"chips": [1, 4]}]
    board = set_up({8: "a", 1: "d", 2: "a"}, seats, may_stop=True, creatures_to_end=limit)
    board.say("catch peregrine")
    assert (board.words["closed"], board.ended_by) == (closed, "creatures" if closed else "none")
    assert board.seat(2)["goals"] == ([] if closed else ["griffin"])  # said before any bet is paid
    assert board.seat(2)["chips"] == ["hand", 4]


def test_f16_the_game_ends_before_the_start_players_next_turn() -> None:
    """F16: the second of three closes; the third still has his turn, the start player none."""
    board = set_up(
        {}, [{}, {"chips": ["courtyard"]}, {}], {"phase": "bet"}, pile=["dragon", "fredericus"], may_stop=True
    )
    pass_turns(board, 1)  # flips the dragon
    board.say("take")  # then seat 2 draws Fredericus from the courtyard
    assert (board.turn, board.seat(2)["fredericus"], board.words["closed"]) == (2, True, True)
    pass_turns(board, 1)
    assert (board.phase, board.turn) == ("turn", 3)
    pass_turns(board, 1)
    assert (board.phase, board.turn) == ("over", 0)
    assert board.state.turns[:3].tolist() == [1, 1, 1]


def test_f16_an_empty_pile_gives_no_card() -> None:
    seats: list[dict[str, Any]] = [{}, {"chips": [1, 4]}]
    place = {"flipped": ["fredericus"]}
    board = set_up({8: "a", 1: "d", 2: "a"}, seats, place, pile=[], flipped_fredericus="passed_over")
    board.say("catch peregrine")
    assert (board.seat(2)["goals"], board.seat(2)["chips"], board.words["closed"]) == ([], ["hand", 4], False)


@pytest.mark.parametrize(("rounds", "phase"), [(3, "over"), (4, "turn")])
def test_f16a_a_game_that_nothing_ends_is_stopped(rounds: int, phase: str) -> None:
    board = set_up({}, place={"round": 3}, may_stop=True, max_rounds=rounds)
    pass_turns(board, 2)
    assert (board.phase, board.ended_by) == (phase, "rounds" if phase == "over" else "none")


@pytest.mark.parametrize(
    ("creatures", "goals", "fredericus", "score"),
    [
        ([], [], False, 0),
        (["dragon"], ["hydra"], False, 2),
        (["dragon"], ["dragon"], False, 3),
        (["dragon", "dragon"], ["dragon"], False, 4),
        (["dragon", "dragon"], ["dragon", "dragon"], False, 7),
        (["dragon", "hydra", "griffin"], ["griffin", "hydra", "dragon"], True, 14),
        (["dragon"], ["dragon", "dragon", "dragon"], True, 7),
    ],
)
def test_f17_creatures_goals_fredericus_and_pairs(
    creatures: list[str], goals: list[str], fredericus: bool, score: int
) -> None:
    seat = {"creatures": creatures, "goals": goals, "fredericus": fredericus}
    board = set_up({}, [seat, {}], pile=["unicorn"] if fredericus else ["fredericus"], may_stop=True)
    assert board.seat(1)["score"] == score
    assert finish(board).score.tolist()[:1] == [score]


def finish(board: Board) -> Any:
    """Play the round out and return the result row."""
    while board.phase != "over":
        pass_turns(board, 1)
    table = board.table
    row = new_row(*table.sizes)
    drive.finish(table.rules, board.state, row)
    return row


@pytest.mark.parametrize(
    ("start", "scores", "winner"),
    [(1, (2, 1, 1), 1), (1, (2, 2, 1), 2), (1, (1, 1, 1), 3), (2, (1, 1, 1), 1), (3, (0, 2, 2), 2), (3, (2, 0, 2), 1)],
)
def test_f17_of_equal_scores_the_last_to_play_wins(start: int, scores: tuple[int, ...], winner: int) -> None:
    seats: list[dict[str, Any]] = [{"creatures": ["dragon", "hydra"][:n]} for n in scores]
    board = set_up({}, seats, {"start": start}, pile=["fredericus"], may_stop=True)
    row = finish(board)
    assert board.words["winner"] == winner
    assert row.win.tolist() == [2520 if seat + 1 == winner else 0 for seat in range(3)]


def test_the_measures_of_a_game_add_up() -> None:
    seats: list[dict[str, Any]] = [{"goals": ["dragon"], "chips": [4, 4]}, {"goals": ["hydra"], "chips": [1, 4]}]
    board = set_up({8: "a", 1: "d", 2: "a"}, seats, pile=["griffin", "fredericus"], may_stop=True)
    row = finish(board.say("catch peregrine"))
    counts = {m.key: int(n) for m, n in zip(GAME.measures, row.counts, strict=True)}
    assert (counts["catches"], counts["high_hunts"], counts["bets_paid"], counts["pairs"]) == (1, 1, 1, 1)
    assert counts["points"] == sum(counts[f"points_{x}"] for x in ("creatures", "goals", "fredericus", "pairs")) == 5
    assert (counts["ended_flipped"], counts["rounds"], counts["turns"]) == (1, 1, 2)
    assert np.array_equal(row.course[-1], row.score)
