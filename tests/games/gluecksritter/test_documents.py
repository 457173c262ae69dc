"""G2, G7 and G12: documents, and what they avert."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.gluecksritter.table import RICH, Board, picked, set_up

POOR = {"ones": 0, "twos": 0}


def holding(*documents: str, **more: Any) -> dict[str, Any]:
    return {"documents": dict.fromkeys(documents, 1), **more}


# G7: red seals


def test_g7_any_number_of_red_documents_after_the_choice() -> None:
    board = picked("2 5", "1 6", "5 6", seats=[holding("tax", "wall", "gifts"), {}, {}])
    assert (board.phase, board.turn) == ("red", 1)
    assert board.moves == ["play none", "play tax", "play wall", "play tax wall"]
    assert not board.state.turned_up


def test_g7_or_before_it() -> None:
    board = set_up(holding("pardon", jailed=True), {}, {}, phase="ransom", red_timing="before_choice").say("wait")
    assert (board.phase, board.moves) == ("red", ["play none", "play pardon"])
    board.say("play pardon")
    assert board.phase == "pick"
    assert "pick 1 4" in board.moves


def test_g7_they_are_revealed_together() -> None:
    seats = [holding("tax", **POOR), holding("toll", **POOR), POOR]
    board = picked("2 3", "2 3", "2 3", seats=seats, place={"field_5": [4, 2]})
    board.say("play tax")
    assert board.purse(1) == [0, 0]
    assert board.words["seats"][0]["sealed"] == ["tax"]
    board.say("play none")
    assert board.purse(1) == [2, 1]


def test_g7_two_of_the_same_kind_are_not_played_in_a_round() -> None:
    board = picked("2 3", "2 3", "2 3", seats=[{"documents": {"tax": 2}, **POOR}, POOR, POOR])
    assert board.moves == ["play none", "play tax"]
    board.say("play tax")
    assert board.hand(1) == {"tax": 1}
    assert board.state.discard[0] == 1


def test_g7_played_documents_return_when_the_stack_is_used_up() -> None:
    """G7: 24 documents lie in the discard, one in a hand; a single Monk draws from the shuffled ones."""
    discard = {"tax": 3, "toll": 3, "wall": 3, "tower": 3, "pardon": 2, "gifts": 4, "guard": 4, "bill": 2}
    for returns in (True, False):
        board = picked(
            *("1 5", "5 6", "5 6"),
            seats=[holding("bill"), {}, {}],
            place={"discard": discard},
            documents_return=returns,
        )
        assert sum(board.hand(1).values()) == (2 if returns else 1)
        assert board.state.discard.sum() == (0 if returns else 24)
        assert board.state.stack.sum() == (23 if returns else 0)


# G2: what they do


@pytest.mark.parametrize(("document", "field"), [("tax", 5), ("toll", 6)])
def test_g2_a_privilege_takes_half_of_each_kind_rounded_down(document: str, field: int) -> None:
    place = {f"field_{field}": [5, 3]}
    board = picked("1 2", "2 3", "2 3", seats=[holding(document, **POOR), POOR, POOR], place=place)
    board.say(f"play {document}")
    assert board.purse(1) == [2, 1]
    assert board.kept(field) == [3, 2]


def test_g2_two_privileges_take_effect_in_seat_order() -> None:
    seats = [holding("tax", **POOR), holding("tax", **POOR), POOR]
    place = {"field_5": [8, 4], "round": 2, "turn": 2}
    board = picked("2 3", "2 3", "2 3", seats=seats, place=place).say("play tax", "play tax")
    assert [board.purse(seat) for seat in (1, 2)] == [[2, 1], [4, 2]]


@pytest.mark.parametrize(("document", "card", "alone", "shared"), [("wall", 2, 2, 4), ("tower", 3, 3, 5)])
def test_g2_a_permit_takes_2_off_each_part(document: str, card: int, alone: int, shared: int) -> None:
    for others, price in ((6, alone), (card, shared)):
        seats = [holding(document, **RICH), POOR, POOR]
        board = picked(f"{card} 5", f"1 {others}", "5 6", seats=seats).say(f"play {document}")
        board.say("buy 2")
        ones, twos = (int(n) for n in board.state.purse[0])
        assert 16 - ones - 2 * twos == 2 * price


def test_g2_a_permit_lasts_for_the_round() -> None:
    seats = [holding("wall", **RICH), POOR, POOR]
    board = picked("1 2", "5 6", "5 6", seats=seats).say("play wall", "buy 0 walls")
    assert board.state.rounds == 2
    assert board.state.permits.tolist() == [0, 0]


def test_g2_a_pardon_frees_the_knight_and_keeps_him_free() -> None:
    board = set_up(holding("pardon"), {}, {}).say("pick 1 4", "pick 3 4", "pick 5 6")
    board.say("play pardon")
    board.say("buy 0 towers", dice=[1, 6])
    assert (board.phase, board.turn, board.jailed()) == ("raid", 2, [])


def test_g2_a_pardon_after_the_choice_frees_for_the_next_round() -> None:
    board = picked("2 5", "5 6", "5 6", seats=[holding("pardon", jailed=True), {}, {}]).say("play pardon")
    assert board.jailed() == []


@pytest.mark.parametrize(("answer", "purse"), [("guard", [2, 2]), ("endure", [0, 0])])
def test_g2_a_castle_guard_cancels_a_raid(answer: str, purse: list[int]) -> None:
    board = picked("4 5", "1 2", "1 2", seats=[{}, holding("guard", walls=4), POOR]).say("decline")
    board.say("raid 2")
    assert (board.phase, board.turn, board.moves) == ("guard", 2, ["endure", "guard"])
    board.say(answer, dice=[] if answer == "guard" else [1])
    assert board.purse(2) == purse
    assert board.state.raids_guarded == (answer == "guard")


def test_g2_a_bill_changes_coins_at_the_beginning_of_a_round() -> None:
    board = set_up(holding("bill", ones=5, twos=2), {}, {}, phase="exchange")
    assert board.moves == ["keep", "exchange 2 ones", "exchange 4 ones", "exchange 1 twos", "exchange 2 twos"]
    board.say("exchange 4 ones")
    assert (board.purse(1), board.hand(1), board.phase) == ([1, 4], {}, "pick")


def test_g2_a_bill_gives_only_what_the_bag_has() -> None:
    place = {"field_5": [50, 37], "field_6": [3, 1]}
    board = set_up(holding("bill", ones=6, twos=1), POOR, POOR, phase="exchange", place=place)
    assert board.moves == ["keep", "exchange 2 ones"]


def test_g2_without_documents_the_monk_has_nothing_to_give() -> None:
    board = picked("1 2", "5 6", "5 6", seats=[POOR, {}, {}], documents="none")
    assert (board.hand(1), board.state.stack.sum()) == ({}, 0)


# G12


def collecting(ones: int, twos: int, *documents: str, field: tuple[int, int] = (1, 1), **options: Any) -> Board:
    """Seat 1 takes a one and a two from field 5."""
    seats = [holding(*documents, ones=ones, twos=twos, towers=4), POOR, POOR]
    return picked("3 5", "2 3", "2 3", seats=seats, place={"field_5": list(field)}, **options)


@pytest.mark.parametrize(
    ("coins", "left"), [((0, 9), [1, 5]), ((10, 0), [6, 1]), ((5, 6), [6, 7]), ((15, 0), [4, 1]), ((7, 7), [4, 4])]
)
def test_e2_half_of_eight_or_more_coins_of_a_kind_goes_back(coins: tuple[int, int], left: list[int]) -> None:
    """E2, G12: ten twos, eleven ones, six ones and seven twos; and 16 go down to 8 and to 4."""
    assert collecting(*coins).purse(1) == left


def test_g12_the_coins_go_into_the_bag_and_are_counted() -> None:
    board = collecting(0, 9, documents="none")
    assert board.state.wasted == 10


def test_g12_or_all_above_seven() -> None:
    assert collecting(15, 9, coin_limit="cap_7").purse(1) == [7, 7]


def test_g12_gifts_avert_it_until_there_are_more() -> None:
    board = collecting(3, 9, "gifts")
    assert (board.phase, board.turn, board.moves) == ("limit", 1, ["give back", "gifts"])
    board.say("gifts")
    assert (board.purse(1), board.hand(1)) == ([4, 10], {})
    assert collecting(3, 9, "gifts").say("give back").purse(1) == [4, 5]


def test_g12_one_gift_a_round_is_for_one_kind() -> None:
    board = collecting(7, 7, "gifts").say("gifts")
    assert board.purse(1) == [8, 4]


def test_g12_coins_that_have_not_become_more_are_not_looked_at() -> None:
    assert collecting(9, 2, field=(0, 1)).purse(1) == [9, 3]


def test_g12_a_bill_may_help_instead() -> None:
    board = collecting(7, 2, "bill")
    assert board.phase == "limit"
    board.say("exchange 2 ones")
    assert (board.purse(1), board.hand(1)) == ([6, 4], {})


def test_g12_too_little_change_does_not_help() -> None:
    board = collecting(10, 6, "bill").say("exchange 2 ones")
    assert board.purse(1) == [5, 4]  # nine ones, then eight twos


def test_g12_privileges_loot_and_raids_are_looked_at_at_once() -> None:
    seats = [holding("tax", ones=7, twos=0), POOR, POOR]
    board = picked("2 5", "1 3", "1 3", seats=seats, place={"field_5": [4, 0]}).say("play tax")
    assert (board.purse(1), board.phase) == ([5, 0], "walls")
    full = {"ones": 0, "twos": 5, "towers": 4}
    board = picked("3 4", "2 3", "2 3", seats=[full, POOR, POOR], place={"field_5": [0, 4]})
    assert board.say("loot 5").purse(1) == [0, 5]
    full = {"ones": 5, "twos": 0, "towers": 4}
    board = picked("3 4", "1 3", "1 3", seats=[full, {"ones": 3, "twos": 0}, POOR])
    board.say("raid 2", dice=[1])
    assert board.purse(1) == [4, 0]
