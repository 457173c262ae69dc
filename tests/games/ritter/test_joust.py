"""R14–R20a, E1 and E2: the joust, on horseback and on foot."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.ritter.table import Board, set_up

CHALLENGE = "challenge Apollonius Harald"


def lists(apollonius: str, harald: str, **options: Any) -> Board:
    """Apollonius is about to challenge Harald; Bertram and Dietmar stand by, so that the day goes on."""
    riders = {
        "Apollonius": {"strength": apollonius, "favour": "Adelheid"},
        "Bertram": "4d12",
        "Harald": {"strength": harald, "favour": "Podica"},
        "Dietmar": "4d36",
    }
    return set_up("challenge", riders, **options)


def on_foot(apollonius: str, harald: str, place: dict[str, Any] | None = None, **options: Any) -> Board:
    """Apollonius, who attacked, and Harald are asked whether they yield."""
    riders = {
        "Apollonius": {"strength": apollonius, "favour": "Adelheid"},
        "Bertram": "4d12",
        "Harald": {"strength": harald, "favour": "Podica"},
        "Dietmar": "4d36",
    }
    named = {"attacker": "Apollonius", "defender": "Harald"}
    return set_up("yield", riders, place=named | (place or {}), **options)


def test_r14_the_attacker_rolls_first_and_both_rolls_count() -> None:
    board = lists("2d", "3d").say(CHALLENGE, "yield", dice=[1, 1, 3, 6, 6, 1, 1, 1, 1, 1])
    assert board.wounds("Apollonius", "Harald") == [1, 2]


def test_r14_only_one_two_and_three_hit_on_horseback() -> None:
    board = lists("6d", "1d").say(CHALLENGE, dice=[1, 2, 3, 4, 5, 6, 4])
    assert board.wounds("Apollonius", "Harald") == [0, 3]


def test_r14_hits_beyond_the_covers_of_their_face_are_wounds() -> None:
    board = lists("8d", "1d1223456").say(CHALLENGE, dice=[1, 1, 1, 2, 2, 3, 3, 4, 6])
    assert board.wounds("Harald") == [3]  # 2 + 0 + 1


@pytest.mark.parametrize(
    ("dice", "winner", "loser"),
    [([1, 6], "Apollonius", "Harald"), ([6, 1], "Harald", "Apollonius")],
)
def test_r15_the_unwounded_wins(dice: list[int], winner: str, loser: str) -> None:
    board = lists("1d", "1d").say(CHALLENGE, dice=dice)
    assert board.phase == "challenge"
    assert board.premiums(winner, loser) == [1, 0]
    assert board.wounds(winner, loser) == [0, 1]
    assert board.state.mounted_wins == 1


def test_r15_both_wounded_go_on_on_foot() -> None:
    board = lists("1d", "1d").say(CHALLENGE, dice=[1, 2, 1, 4])
    assert board.phase == "yield"
    assert board.wounds("Apollonius", "Harald") == [2, 1]  # the 4 hits on foot, the 1 does not
    assert board.premiums("Apollonius", "Harald") == [0, 0]


@pytest.mark.parametrize(("enrage", "third"), [("first_round", 2), ("every_round", 3)])
def test_r16_rage_gives_a_die_after_the_first_or_after_every_blank_round(enrage: str, third: int) -> None:
    """R16: rounds 1 and 2 are blank; the third has the die with every_round only, and never two."""
    board = lists("2d", "1d", enrage=enrage)
    dice = [6, 6, 6] + [6, 6, 6, 6, 6] + [1] * third + [6] * (third - 1)
    board.say(CHALLENGE, dice=dice)
    assert board.wounds("Apollonius", "Harald") == [0, third]
    assert board.state.rounds == 3


def test_r16_the_default_is_the_dutch_reading() -> None:
    board = lists("1d", "1d").say(CHALLENGE, dice=[6, 6, 6, 6, 6, 6, 1, 6])
    assert board.wounds("Harald") == [1]


@pytest.mark.parametrize("extra", [0, 1, 2])
def test_r16_enrage_dice_can_be_set(extra: int) -> None:
    board = lists("1d", "1d", enrage_dice=extra)
    board.say(CHALLENGE, dice=[6, 6] + [1] * (1 + extra) + [6] * (1 + extra))
    assert board.wounds("Harald") == [1 + extra]


def test_r16_nobody_is_enraged_on_foot() -> None:
    board = on_foot("1dw1", "1dw1").say("fight", "fight", dice=[1, 1]).say("fight", "fight", dice=[1, 4])
    assert board.wounds("Apollonius", "Harald") == [2, 1]


def test_r17_on_foot_only_four_five_and_six_hit_the_foot_covers() -> None:
    board = on_foot("7dw1", "1d112233456w1").say("fight", "fight", dice=[1, 2, 3, 4, 4, 5, 6, 3])
    assert board.wounds("Apollonius", "Harald") == [1, 2]


@pytest.mark.parametrize(("before", "dice"), [(False, [1, 1, 1, 1]), (True, [1, 1])])
def test_r17_yielding_before_the_first_round_on_foot_is_an_option(before: bool, dice: list[int]) -> None:
    board = lists("1d", "1d", yield_before_foot=before).say(CHALLENGE, dice=dice)
    assert board.moves == ["fight", "yield"]
    assert board.words["round"] == len(dice) // 2
    board.say("fight", "fight", dice=[5, 1])
    assert board.wounds("Apollonius", "Harald") == [1, 2]


def test_r17_after_every_round_either_may_yield() -> None:
    board = on_foot("1dw1", "1dw1")
    for _ in range(3):
        board.say("fight", "fight", dice=[1, 1])
        assert (board.phase, board.turn) == ("yield", 1)
    board.say("fight", "yield")
    assert board.premiums("Apollonius", "Harald") == [1, 0]
    assert board.named("standing") == ["Apollonius", "Bertram", "Dietmar"]
    assert board.state.yields == 1


@pytest.mark.parametrize(
    ("order", "seat", "winner"), [("attacker_first", 1, "Harald"), ("defender_first", 2, "Apollonius")]
)
def test_r18_who_is_asked_first_and_yields_has_lost(order: str, seat: int, winner: str) -> None:
    board = lists("1d", "1d", yield_order=order).say(CHALLENGE, dice=[1, 1, 1, 1])
    assert board.turn == seat
    board.say("yield")
    assert board.phase == "challenge"
    assert board.premiums(winner) == [1]


@pytest.mark.parametrize(("order", "seats"), [("attacker_first", [1, 2, 1]), ("defender_first", [2, 1, 2])])
def test_r18_the_other_is_asked_next(order: str, seats: list[int]) -> None:
    board = lists("1d", "1d", yield_order=order).say(CHALLENGE, dice=[1, 1, 1, 1])
    asked = [board.turn]
    asked.append(board.say("fight").turn)
    asked.append(board.say("fight", dice=[1, 1]).turn)
    assert asked == seats


@pytest.mark.parametrize(("limit", "out"), [(10, True), (11, False)])
def test_r19_at_the_wound_limit_a_knight_has_lost_and_is_out(limit: int, out: bool) -> None:
    board = on_foot("1dw1", "1dw9", wound_limit=limit).say("fight", "fight", dice=[4, 1])
    assert board.wounds("Harald") == [10]
    assert (board.phase == "challenge") == out
    assert ("Harald" not in board.named("able")) == out
    assert board.premiums("Apollonius") == [1 if out else 0]


def test_r19_a_mounted_exchange_can_reach_the_limit() -> None:
    """R19: both wounded on horseback, one at the limit: he has lost, and there is no fight on foot."""
    board = lists("1dw3", "1dw9").say(CHALLENGE, dice=[1, 1])
    assert board.wounds("Apollonius", "Harald") == [4, 10]
    assert board.premiums("Apollonius", "Harald") == [1, 0]
    assert "Harald" not in board.named("able")


def test_r19_who_alone_is_wounded_has_lost_and_may_be_out_too() -> None:
    """R19, R15: the loser on horseback can be out of the tournament."""
    board = lists("1dw9", "1dw9").say(CHALLENGE, dice=[6, 1])
    assert board.premiums("Apollonius", "Harald") == [0, 1]
    assert "Apollonius" not in board.named("able")
    assert "Harald" in board.named("standing")


@pytest.mark.parametrize(
    ("rule", "dice", "premiums"),
    [
        ("no_winner", [4, 1, 4, 4], [0, 0]),
        ("fewer_wounds", [4, 4, 4, 1], [1, 0]),
        ("fewer_wounds", [4, 1, 4, 4], [0, 1]),
        ("fewer_wounds", [4, 4, 4, 4], [0, 0]),
        ("attacker", [4, 1, 4, 4], [1, 0]),
    ],
)
def test_r19_both_at_the_limit(rule: str, dice: list[int], premiums: list[int]) -> None:
    board = on_foot("2dw9", "2dw9", double_knockout=rule).say("fight", "fight", dice=dice)
    assert board.premiums("Apollonius", "Harald") == premiums
    assert board.named("able") == ["Bertram", "Dietmar"]
    assert board.named("standing") == ["Bertram", "Dietmar"]
    assert board.state.no_winner == (sum(premiums) == 0)


def test_r20_winner_and_his_lady_get_a_premium_and_the_loser_leaves() -> None:
    """R20: Apollonius wears Adelheid's favour, who belongs to the other player."""
    board = lists("1d", "1d").say(CHALLENGE, dice=[1, 6])
    assert board.premiums("Apollonius", "Harald") == [1, 0]
    assert board.premiums("Adelheid", "Podica", "Ilsa", "Brunhild") == [1, 0, 0, 0]
    assert board.named("standing") == ["Apollonius", "Bertram", "Dietmar"]
    assert "Harald" in board.named("able")


def test_r20_a_winner_without_a_favour_has_his_premium_alone() -> None:
    board = set_up("challenge", {"Apollonius": "1d", "Harald": "1d", "Dietmar": "1d"})
    board.say(CHALLENGE, dice=[1, 6])
    assert board.premiums("Apollonius", "Podica", "Ilsa", "Adelheid", "Brunhild") == [1, 0, 0, 0, 0]


def test_r20a_blank_rounds_on_horseback_end_without_a_winner() -> None:
    board = lists("1d", "1d", max_rounds=2).say(CHALLENGE, dice=[6, 6, 6, 6, 6, 6])
    assert board.premiums("Apollonius", "Harald") == [0, 0]
    assert board.named("standing") == ["Bertram", "Dietmar"]
    assert board.named("able") == ["Apollonius", "Bertram", "Harald", "Dietmar"]
    assert (board.state.stalled, board.state.no_winner) == (1, 1)


def test_r20a_mounted_rounds_and_rounds_on_foot_count_together() -> None:
    board = lists("1d", "1d", max_rounds=3).say(CHALLENGE, dice=[1, 1, 1, 1])
    assert board.phase == "yield"
    board.say("fight", "fight", dice=[1, 1])
    assert (board.phase, board.state.stalled) == ("challenge", 1)
    assert board.named("standing") == ["Bertram", "Dietmar"]


def test_r20a_the_limit_is_two_hundred_rounds() -> None:
    board = on_foot("1dw1", "1dw1", {"round": 198}).say("fight", "fight", dice=[1, 1])
    assert (board.phase, board.state.stalled) == ("yield", 0)
    board.say("fight", "fight", dice=[1, 1])
    assert (board.phase, board.state.stalled) == ("challenge", 1)


def test_e1_apollonius_unhorses_harald() -> None:
    """E1: 1, 3, 3, 6 make 2 wounds; 1, 2, 5, 5, 6 none."""
    board = lists("4d1123", "5d1").say(CHALLENGE, dice=[1, 3, 3, 6, 1, 2, 5, 5, 6])
    assert board.wounds("Apollonius", "Harald") == [0, 2]
    assert board.premiums("Apollonius", "Adelheid", "Harald", "Podica") == [1, 1, 0, 0]
    assert "Harald" not in board.named("standing")


def test_e2_three_ones_against_two_covers_make_one_wound() -> None:
    """E2: the third 1 gets through."""
    board = lists("3d", "1d11").say(CHALLENGE, dice=[1, 1, 1, 6])
    assert board.wounds("Harald") == [1]


@pytest.mark.parametrize(("rage", "third"), [("first_round", 1), ("every_round", 2)])
def test_r16_a_blank_round_on_foot_enrages_as_the_option_says(rage: str, third: int) -> None:
    """R16: one die each; after a blank round two, after the next blank one as `enrage` says."""
    plain = on_foot("1dw1", "1dw1", enrage=rage)
    for _ in range(3):
        plain.say("fight", "fight", dice=[1, 1])
    board = on_foot("1dw1", "1dw1", enrage=rage, enrage_on_foot=True)
    board.say("fight", "fight", dice=[1, 1])
    assert board.words["blank"] == 1
    board.say("fight", "fight", dice=[1, 1, 1, 1])
    board.say("fight", "fight", dice=[1] * 2 * third)
    board.say("fight", "fight", dice=[4, *[1] * (2 * third - 1)])
    assert board.wounds("Apollonius", "Harald") == [1, 2]
    assert "blank" not in board.words
    board.say("fight", "fight", dice=[1, 1])
