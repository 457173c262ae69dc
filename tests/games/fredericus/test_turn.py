"""F7–F14 and F18: actions, catches, seals, hoods, the end of a turn."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.fredericus.table import set_up

FALCON_MOVES = ["falcon peregrine left", "falcon peregrine right", "falcon kestrel left", "falcon kestrel right"]


def test_f7_all_actions_must_be_spent() -> None:
    board = set_up({3: "w"})
    assert board.moves == ["card 3 left", "card 3 right", *FALCON_MOVES]
    board.say("card 3 left", "card 2 left", "card 1 left")
    assert (board.actions, board.phase, board.row(8)) == (1, "turn", "w")
    board.say("falcon kestrel left")
    assert (board.phase, board.turn) == ("bet", 1)  # nothing free is left: the turn ends of itself


@pytest.mark.parametrize("may_stop", [False, True])
def test_f7_stopping_early_is_an_option(may_stop: bool) -> None:
    board = set_up({3: "w"}, may_stop=may_stop)
    assert ("done" in board.moves) == may_stop
    if may_stop:
        assert board.say("done").phase == "bet"


def test_f7_a_free_move_left_holds_the_turn_open() -> None:
    """F7, F9: after the last action the catch may still be made, or left."""
    for last, creatures in (("catch peregrine", ["dragon"]), ("done", [])):
        board = set_up({8: "a", 1: "d", 2: "a", 5: "w"}, place={"actions": 1})
        board.say("card 5 right")
        assert board.moves == ["catch peregrine", "done"]
        board.say(last)
        assert (board.phase, board.seat(1)["creatures"]) == ("bet", creatures)


def test_f8_only_the_end_card_moves_to_a_neighbouring_row() -> None:
    board = set_up({1: "wad", 8: "s"})
    board.say("card 1 left")
    assert (board.row(1), board.row(8)) == ("wa", "sd")
    board.say("card 1 right")
    assert (board.row(1), board.row(2)) == ("w", "a")


def test_f8_a_falcon_moves_round_the_ring_and_shares_towers() -> None:
    board = set_up({})
    board.say("falcon peregrine left", "falcon kestrel right", "falcon kestrel right", "falcon kestrel right")
    assert (board.seat(1)["peregrine"], board.seat(1)["kestrel"]) == (8, 8)


@pytest.mark.parametrize(
    ("row", "allowed"), [("bwww", True), ("baaa", True), ("bwwa", False), ("bsss", False), ("ww", False)]
)
def test_f9_the_short_game_turns_three_equal_cards(row: str, allowed: bool) -> None:
    board = set_up({2: row}, short_game=True)  # the own peregrine stands on tower 1
    assert board.moves_of("rotate") == (["rotate 2"] if allowed else [])
    assert set_up({2: row}).moves_of("rotate") == []
    if allowed:
        board.say("rotate 2")
        assert board.row(2) == row[1:] + "b"
        assert board.actions == 4


@pytest.mark.parametrize(("mixed", "moves"), [(False, []), (True, ["rotate 2"])])
def test_f9_wood_and_air_may_be_mixed_by_option(mixed: bool, moves: list[str]) -> None:
    board = set_up({2: "bwaw"}, short_game=True, mixed_triple=mixed)
    assert board.moves_of("rotate") == moves
    if mixed:
        assert board.say("rotate 2").row(2) == "wawb"  # in their order


@pytest.mark.parametrize(
    ("towers", "rows"),
    [("beside", [2, 4, 6, 8]), ("own", [1, 5]), ("any", [1, 2, 4, 5, 6, 8])],
)
def test_f9_which_tower_is_adjacent_is_an_option(towers: str, rows: list[int]) -> None:
    board = set_up(dict.fromkeys(range(1, 9), "www"), short_game=True, triple_tower=towers)  # own falcons on 1 and 5
    assert board.moves_of("rotate") == [f"rotate {row}" for row in rows]


def test_f9_a_falcon_on_a_tower_beside_is_needed_once_a_turn() -> None:
    rows = {row: f"{creature}www" for row, creature in zip((1, 2, 4, 5, 6, 8), "bcdghm", strict=True)}
    board = set_up(rows, short_game=True)  # own falcons on 1 and 5
    assert board.moves_of("rotate") == ["rotate 2", "rotate 4", "rotate 6", "rotate 8"]
    assert board.say("rotate 4").moves_of("rotate") == []
    hooded = set_up(rows, [{"hooded": "peregrine"}, {}], short_game=True)
    assert hooded.moves_of("rotate") == ["rotate 4", "rotate 6"]


@pytest.mark.parametrize(
    ("left", "right", "high", "low"),
    [
        ("a", "a", True, False),
        ("a", "w", False, True),
        ("w", "a", False, True),
        ("w", "w", False, False),
        ("a", "s", False, False),
        ("a", "", False, False),
        ("b", "a", False, False),
    ],
)
def test_f10_the_high_hunt_needs_two_airs_and_the_low_hunt_air_and_wood(
    left: str, right: str, high: bool, low: bool
) -> None:
    board = set_up({2: left, 3: "wd", 4: right}, [{"peregrine": 3, "kestrel": 3}, {}])
    assert board.moves_of("catch") == ["catch peregrine"] * high + ["catch kestrel"] * low


def test_f10_only_a_creature_at_the_end_of_the_towers_row_is_caught() -> None:
    for row in ("da", "dw", "ds", ""):
        assert set_up({8: "a", 1: row, 2: "a"}).moves_of("catch") == []
    board = set_up({8: "a", 1: "wd", 2: "a"})
    board.say("catch peregrine")
    assert (board.row(1), board.seat(1)["creatures"], board.actions) == ("w", ["dragon"], 4)


def test_f10_each_falcon_catches_once_a_turn() -> None:
    board = set_up({8: "a", 1: "wddd", 2: "a"}, [{"kestrel": 1}, {}])
    board.say("catch peregrine")
    assert board.moves_of("catch") == []
    board = set_up({8: "a", 1: "wddd", 2: "wa"}, [{"kestrel": 1}, {}])
    board.say("catch peregrine", "card 2 right", "catch kestrel")
    assert (board.row(1), board.seat(1)["creatures"], board.moves_of("catch")) == ("wd", ["dragon", "dragon"], [])


def test_f10_bets_on_the_row_draw_clockwise_from_the_catchers_left() -> None:
    seats: list[dict[str, Any]] = [{"chips": [3]}, {"chips": [1]}, {"peregrine": 1}, {"chips": [1]}]
    board = set_up({8: "a", 1: "d", 2: "a"}, seats, {"turn": 3}, pile=["griffin", "hydra", "fredericus"])
    board.say("catch peregrine")
    assert [board.seat(s)["goals"] for s in (1, 2, 3, 4)] == [[], ["hydra"], [], ["griffin"]]
    assert [board.seat(s)["chips"] for s in (1, 2, 3, 4)] == [[3], ["hand"], ["hand"], ["hand"]]


def test_f10_after_fredericus_nobody_draws() -> None:
    seats: list[dict[str, Any]] = [{"peregrine": 1}, {"chips": [1]}, {"chips": [1]}]
    board = set_up({8: "a", 1: "d", 2: "a"}, seats, pile=["fredericus", "hydra"])
    board.say("catch peregrine")
    assert (board.seat(2).get("fredericus"), board.seat(3)["goals"]) == (True, [])
    assert [board.seat(s)["chips"] for s in (2, 3)] == [["hand"], ["hand"]]
    assert (bool(board.state.closed), board.ended_by) == (True, "drawn")


def test_f10_the_own_chip_stays_unpaid() -> None:
    board = set_up({8: "a", 1: "d", 2: "a"}, [{"chips": [1, 1]}, {"chips": [4, 4]}])
    board.say("catch peregrine")
    assert (board.seat(1)["chips"], board.seat(1)["goals"]) == ([1, 1], [])


@pytest.mark.parametrize(("double", "goals"), [(False, ["griffin"]), (True, ["griffin", "hydra"])])
def test_f10_two_chips_of_one_player_draw_one_card_or_two(double: bool, goals: list[str]) -> None:
    board = set_up({8: "a", 1: "d", 2: "a"}, [{}, {"chips": [1, 1]}], double_bet=double)
    board.say("catch peregrine")
    assert (board.seat(2)["goals"], board.seat(2)["chips"]) == (goals, ["hand", "hand"])


def test_f11_a_falcon_between_two_seals_opens_one() -> None:
    board = set_up({8: "ws", 1: "wad", 2: "as"})
    assert board.moves_of("open") == ["open peregrine"]
    board.say("open peregrine", "discard 2")
    assert [board.row(r) for r in (8, 1, 2)] == ["ws", "daw", "a"]
    assert (board.seat(1)["goals"], board.actions) == (["griffin"], 6)
    board.say("card 8 right", "card 1 left", "card 2 right")
    assert board.moves_of("open") == []


def test_f11_once_a_turn() -> None:
    board = set_up({8: "ss", 1: "d", 2: "ss"}, seal_actions=0)
    board.say("open peregrine", "discard 8")
    assert (board.row(8), board.row(2), board.actions, board.moves_of("open")) == ("s", "ss", 4, [])


def test_f11_both_falcons_can_open() -> None:
    board = set_up({8: "s", 2: "s", 4: "s", 6: "s"})
    assert board.moves_of("open") == ["open peregrine", "open kestrel"]
    assert board.say("open kestrel").moves == ["discard 4", "discard 6"]


def test_f11_the_goal_card_is_seen_before_a_seal_is_discarded() -> None:
    board = set_up({8: "ws", 1: "wad", 2: "as"}).say("open peregrine")
    assert (board.seat(1)["goals"], [board.row(r) for r in (8, 1, 2)]) == (["griffin"], ["ws", "daw", "as"])
    assert (board.moves, board.turn, board.words["discard"]) == (["discard 8", "discard 2"], 1, "peregrine")


def test_f11_a_discard_is_due_though_no_action_is_left() -> None:
    board = set_up({8: "s", 1: "d", 2: "s"}, place={"actions": 0}, seal_actions=0).say("open peregrine")
    assert board.moves == ["discard 8", "discard 2"]
    assert (board.say("discard 8").phase, board.row(8), board.row(2)) == ("bet", "", "s")


@pytest.mark.parametrize(("allowed", "moves"), [(True, 1), (False, 0)])
def test_f11_after_the_close_seals_give_no_card(allowed: bool, moves: int) -> None:
    board = set_up({8: "s", 1: "d", 2: "s"}, place={"closed": True}, seal_after_close=allowed)
    assert len(board.moves_of("open")) == moves
    if allowed:
        board.say("open peregrine", "discard 8")
        assert (board.seat(1)["goals"], board.actions) == ([], 6)


def test_f12_hooding_needs_wood_on_both_sides_and_an_others_falcon() -> None:
    rows = {1: "w", 3: "w", 5: "w", 7: "a", 8: "w"}
    board = set_up(rows, [{"peregrine": 4}, {"peregrine": 2, "kestrel": 6}])
    assert board.moves_of("hood") == ["hood 2"]  # on 4 only an own falcon, beside 6 an air
    board.say("hood 2")
    assert (board.seat(2)["hooded"], board.actions) == ("peregrine", 3)
    assert board.moves_of("hood") == []


def test_f12_one_hood_protects_the_other_falcon() -> None:
    seats: list[dict[str, Any]] = [{}, {"peregrine": 3, "hooded": "kestrel"}, {"peregrine": 3}]
    board = set_up({2: "w", 4: "w"}, seats)
    board.say("hood 3")
    assert [board.seat(s).get("hooded") for s in (1, 2, 3)] == [None, "kestrel", "peregrine"]
    assert set_up({2: "w", 4: "w"}, seats[:2]).moves_of("hood") == []


@pytest.mark.parametrize("chosen", ["peregrine", "kestrel"])
def test_f12_of_two_falcons_of_one_player_the_hooder_chooses(chosen: str) -> None:
    board = set_up({2: "w", 4: "w"}, [{}, {"peregrine": 3, "kestrel": 3}])
    assert board.moves_of("hood") == ["hood 3 peregrine", "hood 3 kestrel"]
    board.say(f"hood 3 {chosen}")
    assert board.seat(2)["hooded"] == chosen
    assert board.moves_of("hood") == []


def test_f12_the_choice_is_made_for_each_such_player() -> None:
    seats: list[dict[str, Any]] = [{"peregrine": 3}, {"peregrine": 3, "kestrel": 3}, {"peregrine": 7, "kestrel": 3}]
    seats.append({"peregrine": 3, "kestrel": 3})
    board = set_up({2: "w", 4: "w"}, seats)
    assert board.moves_of("hood") == [
        *("hood 3 peregrine peregrine", "hood 3 kestrel peregrine"),
        *("hood 3 peregrine kestrel", "hood 3 kestrel kestrel"),
    ]
    board.say("hood 3 kestrel peregrine")
    assert [board.seat(s).get("hooded") for s in (1, 2, 3, 4)] == [None, "kestrel", "kestrel", "peregrine"]


def test_f12_a_hooded_falcon_does_nothing() -> None:
    rows = {8: "a", 1: "d", 2: "a"}
    board = set_up(rows, [{"hooded": "peregrine"}, {}])
    assert board.moves_of("catch") == []
    assert board.moves_of("falcon") == ["falcon kestrel left", "falcon kestrel right"]
    assert set_up({8: "s", 2: "s"}, [{"hooded": "peregrine"}, {}]).moves_of("open") == []


def test_f13_the_own_falcon_is_unhooded_at_the_end_of_the_turn() -> None:
    seats: list[dict[str, Any]] = [{"hooded": "peregrine"}, {"hooded": "kestrel"}]
    board = set_up({5: "w"}, seats, {"actions": 1})
    board.say("card 5 left")
    assert [board.seat(s).get("hooded") for s in (1, 2)] == [None, "kestrel"]


def test_f14_a_chip_in_hand_must_be_placed_and_another_may_stay() -> None:
    board = set_up({}, [{"chips": ["hand", 4]}, {}], {"phase": "bet"})
    assert board.moves == [f"bet {row}" for row in range(1, 9)]
    board.say("bet 2")
    assert board.moves == [f"bet {row}" for row in range(1, 9) if row != 4] + ["done"]
    board.say("done")
    assert (board.seat(1)["chips"], board.turn, board.phase) == ([2, 4], 2, "turn")


def test_f14_a_chip_on_a_row_may_move() -> None:
    board = set_up({}, [{"chips": [4, 4]}, {}], {"phase": "bet"})
    assert board.say("bet 5", "bet 8").seat(1)["chips"] == [5, 8]


@pytest.mark.parametrize(
    ("players", "others", "allowed"), [(2, "hand", False), (3, "hand", True), (3, "courtyard", False)]
)
def test_f14_the_courtyard_is_for_one_chip_of_three_or_four_players(players: int, others: str, allowed: bool) -> None:
    chips = 2 if players == 2 else 1
    seats = (
        [{"chips": ["hand"] * chips}] + [{"chips": [others] * chips}] + [{"chips": ["hand"] * chips}] * (players - 2)
    )
    board = set_up({}, seats, {"phase": "bet"})
    assert ("bet courtyard" in board.moves) == allowed


def test_f14_a_chip_in_the_courtyard_draws_at_the_owners_next_turn() -> None:
    board = set_up({}, [{}, {"chips": ["courtyard"]}, {}], {"phase": "bet", "start": 3, "turn": 1})
    board.say("bet 1")
    assert (board.phase, board.turn, board.moves) == ("courtyard", 2, ["take", "done"])
    board.say("take")
    assert (board.phase, board.turn, board.seat(2)["chips"], board.seat(2)["goals"]) == (
        "turn",
        2,
        ["hand"],
        ["griffin"],
    )
    assert board.actions == 4


def test_f14_he_may_leave_it_and_draw_a_round_later() -> None:
    seats: list[dict[str, Any]] = [{}, {"chips": ["courtyard"]}, {}]
    board = set_up({}, seats, {"phase": "bet", "start": 3, "turn": 1}, may_stop=True)
    board.say("bet 1", "done")
    assert (board.phase, board.seat(2)["chips"], board.seat(2)["goals"]) == ("turn", ["courtyard"], [])
    board.say("done")
    assert "bet courtyard" not in board.moves  # his chip lies there already
    board.say("done", "done", "bet 1", "done", "done")
    assert (board.phase, board.turn) == ("courtyard", 2)
    assert board.say("take").seat(2)["goals"] == ["hydra"]  # the griffin was flipped by the start player


@pytest.mark.parametrize(
    ("options", "pile", "goals"),
    [
        ({"courtyard_may_wait": False}, ["griffin", "fredericus"], ["griffin"]),
        ({"flipped_fredericus": "passed_over"}, [], []),
    ],
)
def test_f14_where_nothing_is_to_be_decided_it_comes_back(options: Any, pile: list[str], goals: list[str]) -> None:
    """Without the option, or with no card left to draw."""
    place = {"phase": "bet", "start": 3, "turn": 1, "flipped": [] if pile else ["fredericus"]}
    board = set_up({}, [{}, {"chips": ["courtyard"]}, {}], place, pile, **options).say("bet 1")
    assert (board.phase, board.seat(2)["chips"], board.seat(2)["goals"]) == ("turn", ["hand"], goals)


def test_f14_somebody_elses_catch_sends_it_back_with_nothing() -> None:
    board = set_up({8: "a", 1: "d", 2: "a"}, [{}, {"chips": ["courtyard"]}, {"chips": [5]}])
    board.say("catch peregrine")
    assert [board.seat(s)["chips"] for s in (2, 3)] == [["hand"], [5]]
    assert board.seat(2)["goals"] == []


def test_f18_a_card_moves_onto_an_empty_row_which_has_no_end() -> None:
    board = set_up({2: "d", 4: "a"}, [{"peregrine": 3, "kestrel": 3}, {"peregrine": 3}])
    assert board.moves_of("card") == ["card 2 left", "card 2 right", "card 4 left", "card 4 right"]
    board.say("card 2 right")
    assert (board.row(2), board.row(3)) == ("", "d")
    assert [board.moves_of(kind) for kind in ("catch", "open", "hood")] == [[], [], []]


def test_f18_an_empty_row_can_be_turned_round() -> None:
    board = set_up({8: "s", 2: "s"})
    assert board.say("open peregrine", "discard 8").seat(1)["goals"] == ["griffin"]
