"""G5, G6, G8–G10, E1 and E3: ransom, picks, and the six cards."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.gluecksritter.table import RICH, Board, picked, set_up

POOR = {"ones": 0, "twos": 0}
QUIET = "1 6"  # the Monk of a table without documents, and field 6


def alone(card: int, seats: list[dict[str, Any]], place: dict[str, Any] | None = None, **options: Any) -> Board:
    """Seat 1 of three has the card, the others have Monk and Toll keeper."""
    other = 6 if card != 6 else 5
    pairs = [f"1 {card}", f"1 {other}", f"1 {other}"]
    return picked(*pairs, seats=seats, place=place, documents="none", **options)


def both(card: int, seats: list[dict[str, Any]], place: dict[str, Any] | None = None, **options: Any) -> Board:
    """Seats 1 and 2 of three have the card."""
    return picked(f"1 {card}", f"1 {card}", "1 6", seats=seats, place=place, documents="none", **options)


# G5, G6


def test_g5_a_ransom_frees_the_knight_for_this_rounds_choice() -> None:
    board = set_up({"jailed": True}, {}, {}, phase="ransom")
    assert board.moves == ["wait", "ransom"]
    board.say("ransom")
    assert (board.phase, board.jailed(), board.purse(1)) == ("pick", [], [0, 1])
    assert "pick 1 4" in board.moves


def test_g5_who_waits_or_cannot_pay_goes_without_his_knight() -> None:
    seats = ({"jailed": True}, {"ones": 1, "twos": 1, "jailed": True}, {"jailed": True})
    board = set_up(*seats, phase="ransom").say("wait")
    assert (board.phase, board.turn) == ("ransom", 3)
    board.say("ransom")
    assert (board.phase, board.turn, board.jailed()) == ("pick", 1, [1, 2])


def test_g5_the_ransom_can_be_set() -> None:
    board = set_up({"jailed": True, "ones": 1, "twos": 2}, {}, {}, phase="ransom", ransom=5).say("ransom")
    assert board.purse(1) == [0, 0]


def test_g5_or_it_is_paid_before_the_ducat_card_is_turned_up() -> None:
    seats = [{"jailed": True, **POOR, "twos": 2}, POOR, POOR]
    for timing, asked_with, bag in (("after_ducats", 1, 100 - 2), ("before_ducats", 0, 100 - 2)):
        board = set_up(*seats, place={"ducats_used": list(range(1, 18))}, documents="none", ransom_timing=timing)
        board.say("pick 1 2", "pick 1 2", "pick 1 2")
        assert (board.phase, board.state.rounds) == ("ransom", 2)
        lying = int(board.state.lying.sum())
        assert (lying > 0) == bool(asked_with)
        assert int(board.state.bag.sum()) == bag - lying
        board.say("ransom")
        assert (board.phase, board.jailed(), board.purse(1)) == ("pick", [], [0, 0])
        assert board.state.lying.sum() == 8  # the last card says 4 and 4
        assert board.state.bag.sum() == 92


def test_g6_two_of_six_cards_or_of_five() -> None:
    board = set_up({}, {"jailed": True}, {})
    assert len(board.moves) == 15
    board.say("pick 3 4")
    assert len(board.moves) == 10
    assert not any("4" in move for move in board.moves)


def test_g6_picks_are_turned_up_when_all_have_picked() -> None:
    board = set_up({}, {}, {}, documents="none").say("pick 5 2", "pick 1 6")
    assert not board.state.turned_up
    board.say("pick 1 6")
    assert board.state.turned_up
    assert board.moves == ["buy 0 walls", "buy 1 wall"]


# G8: order


def test_g8_the_start_seat_moves_left_every_round() -> None:
    board = picked("2 3", "2 3", "2 3", seats=[RICH] * 3, place={"round": 2, "turn": 2})
    order = []
    while board.phase == "walls":
        order.append(board.turn)
        board.say("buy 0 walls")
    assert order == [2, 3, 1]


def test_g8_or_seat_1_always_begins() -> None:
    assert set_up({}, {}, {}, place={"round": 2}, same_card_order="fixed").turn == 1
    assert set_up({}, {}, {}, place={"round": 2}).turn == 2


# G8: card 1


def test_g8_a_single_monk_brings_a_document_for_nothing() -> None:
    board = picked("1 5", "5 6", "5 6", seats=[{}, {}, {}])
    assert board.state.hand[0].sum() == 1
    assert board.state.stack.sum() == 24
    assert board.state.documents_drawn == 1


def test_g8_several_monks_ask_for_money() -> None:
    board = picked("1 5", "1 5", "1 5", seats=[{}, {"ones": 3, "twos": 0}, {}])
    assert (board.phase, board.turn, board.moves) == ("document", 1, ["decline", "pay"])
    board.say("pay")
    assert (board.turn, board.purse(1), sum(board.hand(1).values())) == (3, [0, 1], 1)
    board.say("decline")
    assert board.hand(3) == {}
    assert board.purse(3) == [2, 2]


def test_g8_the_monks_price_can_be_set() -> None:
    board = picked("1 5", "1 5", "5 6", seats=[{}, {}, {}], monk_price=6).say("pay")
    assert board.purse(1) == [0, 0]


def test_g8_nobody_pays_for_an_empty_stack() -> None:
    board = picked("1 5", "1 5", "5 6", documents="none")
    assert (board.phase, board.state.rounds) == ("pick", 2)


# G8: cards 2 and 3, E3


@pytest.mark.parametrize(("card", "part", "price"), [(2, 0, 4), (3, 1, 5)])
def test_g8_one_or_two_parts_at_the_low_price(card: int, part: int, price: int) -> None:
    board = alone(card, [RICH, {}, {}])
    noun = ("wall", "tower")[part]
    assert board.moves == [f"buy 0 {noun}s", f"buy 1 {noun}", f"buy 2 {noun}s"]
    board.say("buy 2")
    assert board.castle(1)[part] == 2
    assert 16 - sum(n * (k + 1) for k, n in enumerate(board.purse(1))) == 2 * price


@pytest.mark.parametrize(("card", "part", "price"), [(2, 0, 6), (3, 1, 7)])
def test_g8_with_others_the_parts_are_dearer(card: int, part: int, price: int) -> None:
    """G8: even if the other buys nothing."""
    board = both(card, [POOR, RICH, {}])
    assert board.turn == 2
    board.say("buy 1")
    assert 16 - sum(n * (k + 1) for k, n in enumerate(board.purse(2))) == price


def test_g8_the_price_may_go_by_who_can_buy() -> None:
    board = both(2, [POOR, RICH, {}], price_basis="able").say("buy 1")
    assert board.purse(2) == [0, 6]
    board = both(2, [RICH, RICH, {}], price_basis="able").say("buy 1")
    assert board.purse(1) == [0, 5]
    full = {"walls": 4, **RICH}
    board = both(2, [full, RICH, {}], price_basis="able").say("buy 1")
    assert board.purse(2) == [0, 6]


def test_g8_money_and_room_limit_what_is_bought() -> None:
    assert alone(2, [{"ones": 1, "twos": 3}, {}, {}]).moves == ["buy 0 walls", "buy 1 wall"]
    assert alone(2, [{"walls": 3, **RICH}, {}, {}]).moves == ["buy 0 walls", "buy 1 wall"]
    assert alone(2, [{"walls": 4, **RICH}, {}, {}]).phase == "pick"
    assert alone(2, [{"ones": 3, "twos": 0}, {}, {}]).phase == "pick"


def test_e3_a_castle_costs_36_alone_and_52_with_others() -> None:
    """E3, by buying it: two walls or two towers at a time, the purse filled up between."""
    full = {"ones": 0, "twos": 7}
    for setting, total in ((alone, 36), (both, 52)):
        spent = 0
        for card in (2, 3):
            for _ in range(2):
                board = setting(card, [full, full, full]).say("buy 2")
                ones, twos = board.purse(1)
                spent += 14 - ones - 2 * twos
        assert spent == total


# G9


@pytest.mark.parametrize(
    ("ones", "twos", "change", "left"),
    [
        (5, 0, "from_bag", [0, 0]),
        (6, 3, "from_bag", [1, 3]),
        (2, 2, "from_bag", [1, 0]),
        (1, 3, "from_bag", [0, 1]),
        (0, 3, "from_bag", [1, 0]),
        (0, 3, "none", [0, 0]),
        (1, 3, "none", [0, 1]),
    ],
)
def test_g9_a_price_of_5_is_paid_in_ones_as_far_as_it_goes(ones: int, twos: int, change: str, left: list[int]) -> None:
    board = alone(3, [{"ones": ones, "twos": twos}, {}, {}], change=change).say("buy 1")
    assert board.castle(1) == [0, 1]
    kept = board.purse(1)
    assert kept == left


@pytest.mark.parametrize(
    ("ones", "twos", "left"), [(5, 0, [0, 0]), (6, 3, [5, 1]), (2, 2, [1, 0]), (3, 1, [0, 0]), (0, 3, [1, 0])]
)
def test_g9_or_in_twos(ones: int, twos: int, left: list[int]) -> None:
    board = alone(3, [{"ones": ones, "twos": twos}, {}, {}], payment="twos_first").say("buy 1")
    assert board.purse(1) == left


def test_g9_or_as_the_player_chooses() -> None:
    board = alone(3, [{"ones": 5, "twos": 2}, {}, {}], payment="chosen").say("buy 1")
    assert (board.phase, board.turn) == ("pay", 1)
    assert board.moves == ["pay 5 ones 0 twos", "pay 3 ones 1 twos", "pay 1 ones 2 twos"]
    board.say("pay 3 ones 1 twos")
    assert (board.purse(1), board.castle(1)) == ([2, 1], [0, 1])
    board = alone(3, [{"ones": 1, "twos": 2}, {}, {}], payment="chosen").say("buy 1")
    assert (board.phase, board.purse(1)) == ("pick", [0, 0])  # there is one way


def test_g9_ransom_and_monk_are_paid_as_one_chooses_too() -> None:
    board = set_up({"jailed": True}, {}, {}, phase="ransom", payment="chosen").say("ransom", "pay 0 ones 2 twos")
    assert (board.phase, board.purse(1), board.jailed()) == ("pick", [2, 0], [])
    board = picked("1 5", "1 5", "5 6", payment="chosen").say("pay", "pay 2 ones 1 twos")
    assert (board.purse(1), board.state.hand[0].sum(), board.turn) == ([0, 1], 1, 2)


def test_g9_an_empty_bag_gives_no_change() -> None:
    """G9: all 60 ones lie on field 5, which nobody takes."""
    rest = {"ones": 0, "twos": 0}
    seats = [{"ones": 0, "twos": 3}, rest, rest]
    board = alone(3, seats, place={"field_5": [60, 0]}).say("buy 1")
    assert board.purse(1) == [0, 0]


# G8: card 4


def test_g8_a_single_knight_loots_the_twos_of_one_field_or_raids() -> None:
    place = {"field_5": [1, 3], "field_6": [2, 2]}
    board = picked("3 4", "1 2", "1 2", seats=[{}, POOR, POOR], place=place, documents="none")
    board.say("buy 0 towers")
    assert board.moves == ["loot 5", "loot 6", "raid 2", "raid 3"]
    board.say("loot 5")
    assert board.purse(1) == [2, 5]
    assert (board.kept(5), board.kept(6)) == ([1, 0], [2, 2])


def test_g8_or_of_both_fields() -> None:
    place = {"field_5": [1, 3], "field_6": [2, 2]}
    board = picked("1 4", "1 2", "1 2", seats=[{}, POOR, POOR], place=place, documents="none", loot="both")
    assert board.moves == ["loot both", "raid 2", "raid 3"]
    board.say("loot both")
    assert board.purse(1) == [2, 7]


def test_g8_a_raid_may_be_for_neighbours_only() -> None:
    seats = [{}, POOR, POOR, POOR, POOR]
    pairs = ["1 4"] + ["1 2"] * 4
    board = picked(*pairs, seats=seats, documents="none", raid_target="neighbour")
    assert board.moves == ["loot 5", "loot 6", "raid 2", "raid 5"]
    assert "raid 3" in picked(*pairs, seats=seats, documents="none").moves


@pytest.mark.parametrize("face", [1, 4])
def test_g8_a_bag_takes_all_the_victims_money(face: int) -> None:
    board = picked("1 4", "1 5", "1 5", seats=[{}, {"ones": 3, "twos": 4}, POOR], documents="none")
    board.say("raid 2", dice=[face])
    assert (board.purse(1), board.purse(2)) == ([5, 6], [0, 0])
    assert board.state.raided == 11


@pytest.mark.parametrize("part", ["wall", "tower"])
def test_g8_a_castle_takes_a_part_of_the_raiders_choice(part: str) -> None:
    board = picked("1 4", "1 5", "1 5", seats=[{}, {"walls": 2, "towers": 1}, {}], documents="none")
    board.say("raid 2", dice=[5])
    assert (board.phase, board.turn, board.moves) == ("part", 1, ["take wall", "take tower"])
    board.say(f"take {part}")
    assert board.castle(1) == ([1, 0] if part == "wall" else [0, 1])
    assert board.castle(2) == ([1, 1] if part == "wall" else [2, 0])


@pytest.mark.parametrize(
    ("raider", "victim", "after"),
    [
        ({"walls": 4}, {"walls": 2, "towers": 2}, ([4, 1], [2, 1])),
        ({}, {"walls": 1}, ([1, 0], [0, 0])),
        ({}, {}, ([0, 0], [0, 0])),
        ({"walls": 4}, {"walls": 3}, ([4, 0], [3, 0])),
    ],
)
def test_g8_only_a_part_that_the_raider_can_use(raider: dict, victim: dict, after: tuple) -> None:
    board = picked("1 4", "1 5", "1 5", seats=[raider, victim, {}], documents="none")
    board.say("raid 2", dice=[6])
    assert (board.castle(1), board.castle(2)) == after
    assert board.phase == "pick"


@pytest.mark.parametrize(
    ("raider", "victim", "after"),
    [
        ({"walls": 4}, {"walls": 3}, ([4, 0], [2, 0])),
        ({"walls": 4, "towers": 4}, {"towers": 1}, ([4, 4], [0, 0])),
        ({}, {"walls": 1}, ([1, 0], [0, 0])),
        ({}, {}, ([0, 0], [0, 0])),
    ],
)
def test_g8_or_any_part_even_if_it_is_lost(raider: dict, victim: dict, after: tuple) -> None:
    seats = [raider | POOR, victim | {"ones": 1, "twos": 0}, {}]
    board = picked("1 4", "1 5", "1 5", seats=seats, documents="none", raid_part="any", max_rounds=2)
    board.say("raid 2", dice=[6])
    assert (board.castle(1), board.castle(2)) == after


def test_g8_the_raider_chooses_among_any_parts() -> None:
    seats = [{"walls": 4}, {"walls": 2, "towers": 2}, {}]
    board = picked("1 4", "1 5", "1 5", seats=seats, documents="none", raid_part="any").say("raid 2", dice=[6])
    assert board.moves == ["take wall", "take tower"]
    board.say("take wall")
    assert (board.castle(1), board.castle(2)) == ([4, 0], [1, 2])


@pytest.mark.parametrize(
    ("die", "face", "money", "walls"), [([1, 2, 3], 1, 0, 1), ([1, 2, 3], 3, 6, 0), ([1, 2, 3], 6, 6, 1)]
)
def test_g1_the_faces_of_the_special_die_can_be_set(die: list[int], face: int, money: int, walls: int) -> None:
    board = picked("1 4", "1 5", "1 5", seats=[{}, {"walls": 1}, {}], documents="none", special_die=die)
    board.say("raid 2", dice=[face])
    ones, twos = board.purse(2)
    assert (ones + 2 * twos, board.castle(2)[0]) == (money, walls)


def test_g1_a_die_without_faces_shows_a_blank() -> None:
    board = picked("1 4", "1 5", "1 5", seats=[{}, {"walls": 1}, {}], documents="none", special_die=[0])
    board.say("raid 2")
    assert (board.purse(2), board.castle(2)) == ([2, 2], [1, 0])


@pytest.mark.parametrize(("dice", "actor", "jailed"), [([5, 2], 1, [2]), ([2, 5], 2, [1])])
def test_g8_two_knights_fight_and_the_higher_acts(dice: list[int], actor: int, jailed: list[int]) -> None:
    board = set_up({}, {}, {}, documents="none").say("pick 1 4", "pick 1 4")
    board.say("pick 1 5", dice=dice)
    assert (board.phase, board.turn, board.jailed()) == ("raid", actor, jailed)


def test_g8_equal_knights_are_both_jailed() -> None:
    board = set_up({}, {}, {}, documents="none").say("pick 1 4", "pick 1 4")
    board.say("pick 1 5", dice=[3, 3])
    assert (board.jailed(), board.state.jailings) == ([1, 2], 2)
    assert board.state.loots + board.state.raids == 0


def test_g8_three_knights_are_all_jailed_without_a_fight() -> None:
    board = picked("1 4", "1 4", "1 4", "1 5", documents="none")
    assert (board.jailed(), board.state.duels) == ([1, 2, 3], 0)


# G8: cards 5 and 6, E1, G10


@pytest.mark.parametrize(
    ("takers", "each", "rest"), [(1, [3, 5], [0, 0]), (2, [1, 2], [1, 1]), (3, [1, 1], [0, 2]), (0, [0, 0], [3, 5])]
)
@pytest.mark.parametrize("field", [5, 6])
def test_e1_three_ones_and_five_twos_are_shared_out(field: int, takers: int, each: list[int], rest: list[int]) -> None:
    """E1, G8, G10: what cannot be divided stays."""
    pairs = [f"1 {field}"] * takers + ["1 4"] * (4 - takers)
    board = set_up(*[POOR] * 4, place={f"field_{field}": [3, 5]}, documents="none")
    board.say(*(f"pick {pair}" for pair in pairs[:3]))
    board.say(f"pick {pairs[3]}", dice=[2, 2] if takers == 2 else [])
    if takers == 3:
        board.say(f"loot {11 - field}")  # the fourth has his knight alone, and the other field is empty
    assert [board.purse(seat) for seat in range(1, takers + 1)] == [each] * takers
    assert board.kept(field) == rest


def test_g8_field_5_comes_before_field_6_and_the_knight_before_both() -> None:
    place = {"field_5": [0, 4], "field_6": [0, 2]}
    board = picked("4 5", "5 6", "1 6", seats=[POOR] * 3, place=place, documents="none")
    board.say("loot 5")
    assert [board.purse(seat) for seat in (1, 2, 3)] == [[0, 4], [0, 1], [0, 1]]


def test_g10_coins_left_stay_and_new_ones_come_on_top() -> None:
    board = picked("1 2", "1 2", "1 2", seats=[POOR] * 3, place={"field_5": [1, 1]}, documents="none")
    assert board.state.rounds == 2
    assert board.lying(5) == [1 + board.state.laid[0, 0], 1 + board.state.laid[0, 1]]
