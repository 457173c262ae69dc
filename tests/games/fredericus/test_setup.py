"""F1–F6: the cards, the rows, falcons, goals and first bets."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from analyzer.games.fredericus.cards import ALL_CARDS, LETTERS, TOTALS, all_cards
from tests.games.fredericus.table import dealt


def test_f1_there_are_118_cards() -> None:
    assert ALL_CARDS == 118
    assert TOTALS.tolist() == [24, 24, 8] + [4] * 8
    assert len(set(LETTERS)) == 11
    assert {card.origin for card in all_cards() if card.group == "creature"} == {"reconstruction"}


@pytest.mark.parametrize(("players", "chips"), [(2, 2), (3, 1), (4, 1)])
def test_f2_two_players_have_two_chips(players: int, chips: int) -> None:
    board = dealt(players)
    assert [board.seat(1 + seat)["chips"] for seat in range(players)] == [["hand"] * chips] * players


@pytest.mark.parametrize(
    ("players", "length", "wood", "seals", "of_a_kind"), [(2, 7, 18, 4, 2), (3, 9, 21, 6, 3), (4, 11, 24, 8, 4)]
)
def test_f3_eight_equal_rows(players: int, length: int, wood: int, seals: int, of_a_kind: int) -> None:
    rows = dealt(players).words["rows"]
    assert [len(row) for row in rows] == [length] * 8
    count = Counter("".join(rows))
    assert [count["w"], count["a"], count["s"]] == [wood, wood, seals]
    assert {count[letter] for letter in LETTERS[3:]} == {of_a_kind}


def test_f4_falcons_stand_on_opposite_towers_in_order() -> None:
    board = dealt(4)
    assert [(s["peregrine"], s["kestrel"]) for s in board.words["seats"]] == [(1, 5), (2, 6), (3, 7), (4, 8)]


def test_f4_or_by_lot_each_pair_on_an_axis_of_its_own() -> None:
    seen = set()
    for game in range(60):
        seats = dealt(4, game, falcon_setup="random").words["seats"]
        towers = [(s["peregrine"], s["kestrel"]) for s in seats]
        assert all((p - k) % 8 == 4 for p, k in towers)
        assert len({t for pair in towers for t in pair}) == 8
        seen |= {(i, p) for i, (p, _) in enumerate(towers)}
    assert len(seen) == 32  # every seat on every tower


@pytest.mark.parametrize(("players", "aside", "pile"), [(2, 8, 15), (3, 4, 18), (4, 0, 21)])
def test_f5_goals_are_dealt_and_fredericus_is_among_the_last_five(players: int, aside: int, pile: int) -> None:
    places = Counter()
    for game in range(200):
        board = dealt(players, game)
        words = board.words
        assert [len(seat["goals"]) for seat in words["seats"]] == [1] * players
        assert (int(board.state.aside.sum()), len(words["goal_pile"])) == (aside, pile)
        places[pile - words["goal_pile"].index("fredericus")] += 1
    assert sorted(places) == [1, 2, 3, 4, 5]


@pytest.mark.parametrize(("start", "seat"), [(1, 1), (3, 3), (4, 1)])
def test_f6_the_start_player_is_a_seat_counted_round_the_table(start: int, seat: int) -> None:
    board = dealt(3, start=start)
    assert (board.phase, board.turn, board.words["start"]) == ("setup", seat, seat)


def test_f6_or_anybody_starts() -> None:
    assert {dealt(3, game).words["start"] for game in range(40)} == {1, 2, 3}


def test_f6_everybody_bets_on_a_row_from_the_start_player_on() -> None:
    board = dealt(3, start=2)
    assert board.moves == [f"bet {row}" for row in range(1, 9)]  # no courtyard yet
    board.say("bet 4")
    assert board.turn == 3
    board.say("bet 4", "bet 8")
    assert [board.seat(s)["chips"] for s in (1, 2, 3)] == [[8], [4], [4]]
    assert (board.phase, board.turn) == ("turn", 2)


def test_f6_two_players_place_both_chips() -> None:
    board = dealt(2, start=1).say("bet 1")
    assert (board.phase, board.turn) == ("setup", 1)
    board.say("bet 2", "bet 3", "bet 3")
    assert [board.seat(s)["chips"] for s in (1, 2)] == [[1, 2], [3, 3]]
    assert (board.phase, board.turn) == ("turn", 1)


def first_actions(players: int, **options: Any) -> list[int]:
    """Actions of the turns of the first round, in order."""
    board = dealt(players, start=1, may_stop=True, **options)
    while board.phase == "setup":
        board.say("bet 1")
    actions = []
    while board.words["round"] == 1:
        if board.phase == "turn":
            actions.append(board.actions)
        board.say("done")
    return actions


@pytest.mark.parametrize(
    ("players", "options", "actions"),
    [
        (2, {}, [2, 3]),
        (4, {}, [2, 3, 4, 4]),
        (3, {"actions_per_turn": 5}, [2, 3, 5]),
        (3, {"first_round_actions": [1]}, [1, 4, 4]),
        (2, {"first_round_actions": [4, 3, 2, 1]}, [4, 3]),
    ],
)
def test_f7_the_first_round_has_fewer_actions(players: int, options: dict[str, Any], actions: list[int]) -> None:
    assert first_actions(players, **options) == actions
