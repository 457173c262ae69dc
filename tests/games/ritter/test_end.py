"""R27–R29: the end of the tournament."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.ritter.table import Board, set_up

CHALLENGE = "challenge Apollonius Harald"


def ending(premiums: dict[str, int], hands: dict[str, int] | None = None, **options: Any) -> Board:
    """The one day ends with Apollonius beating Harald: one premium more for him, no bonus for the day."""
    riders = {name: {"strength": "1d", "premiums": premiums.get(name, 0)} for name in ("Apollonius", "Harald")}
    others = {name: {"premiums": premiums.get(name, 0)} for name in ("Bertram", "Dietmar")}
    ladies = {name: {"premiums": count} for name, count in (hands or {}).items()}
    board = set_up("challenge", riders, others, ladies, days=1, day_bonus=[0], **options)
    return board.say(CHALLENGE, dice=[1, 6])


def test_r27_the_best_knight_and_the_best_lady_get_four() -> None:
    board = ending({"Apollonius": 1, "Dietmar": 3}, {"Podica": 2, "Brunhild": 1})
    assert board.premiums("Apollonius", "Bertram", "Harald", "Dietmar") == [2, 0, 0, 7]
    assert board.premiums("Podica", "Ilsa", "Adelheid", "Brunhild") == [6, 0, 0, 1]


@pytest.mark.parametrize("bonus", [0, 7])
def test_r27_the_final_bonus_can_be_set(bonus: int) -> None:
    assert ending({}, final_bonus=bonus).premiums("Apollonius") == [1 + bonus]


def test_r27_the_bonus_comes_after_that_of_the_last_day() -> None:
    """R27: Apollonius overtakes Dietmar with the bonus of the day."""
    riders = {"Apollonius": {"strength": "1d", "premiums": 1}, "Harald": "1d"}
    board = set_up("challenge", riders, {"Dietmar": {"premiums": 4}}, place={"day": 4}).say(CHALLENGE, dice=[1, 6])
    assert board.premiums("Apollonius", "Dietmar") == [1 + 1 + 4 + 4, 4]


@pytest.mark.parametrize(
    ("tie", "other", "expected"),
    [
        ("none", "Bertram", [2, 2]),
        ("none", "Harald", [2, 2]),
        ("all", "Bertram", [6, 6]),
        ("all", "Harald", [6, 6]),
        ("share_owner", "Bertram", [6, 2]),
        ("share_owner", "Harald", [2, 2]),
    ],
)
def test_r27_a_tie_for_the_bonus(tie: str, other: str, expected: list[int]) -> None:
    """R27: Apollonius and another have 2 premiums; Bertram has the same owner, Harald has not."""
    board = ending({"Apollonius": 1, other: 2}, final_bonus_tie=tie)
    assert board.premiums("Apollonius", other) == expected


@pytest.mark.parametrize(("tie", "expected"), [("none", [3, 3, 3]), ("all", [7, 7, 7]), ("share_owner", [3, 3, 3])])
def test_r27_a_tie_of_ladies(tie: str, expected: list[int]) -> None:
    board = ending({}, {"Podica": 3, "Ilsa": 3, "Brunhild": 3}, final_bonus_tie=tie)
    assert board.premiums("Podica", "Ilsa", "Brunhild") == expected


def test_r27_no_bonus_without_a_premium() -> None:
    riders = {"Apollonius": "1dw9", "Harald": "1dw9"}
    board = set_up("challenge", riders, days=1, final_bonus_tie="all", playoff="share").say(CHALLENGE, dice=[1, 1])
    assert board.premiums("Apollonius", "Bertram", "Podica", "Brunhild") == [0, 0, 0, 0]


def test_r28_the_score_is_the_sum_over_knights_and_ladies_and_the_highest_wins() -> None:
    premiums, hands = {"Apollonius": 7, "Bertram": 1, "Dietmar": 2}, {"Podica": 1, "Adelheid": 5, "Brunhild": 4}
    board = ending(premiums, hands, final_bonus=0)
    assert [seat["score"] for seat in board.words["seats"]] == [8 + 1 + 1, 2 + 5 + 4]
    assert (board.phase, board.turn, board.win()) == ("over", 0, [0, 2520])
    assert board.state.playoff_duels == 0


def tied_two(apollonius: str = "1d", others: dict[str, Any] | None = None, **options: Any) -> Board:
    """The last joust is over; both players have one premium."""
    riders = {"Apollonius": apollonius, "Harald": "1d"}
    rest = {"Bertram": {"strength": "2d"}, "Dietmar": {"strength": "1d", "premiums": 1}}
    for name, strength in (others or {}).items():
        rest[name]["strength"] = strength
    board = set_up("challenge", riders, rest, days=1, day_bonus=[0], final_bonus=0, **options)
    return board.say(CHALLENGE, dice=[1, 6])


def test_r29_each_tied_player_picks_a_knight_and_the_earlier_seat_attacks() -> None:
    board = tied_two()
    assert (board.phase, board.turn) == ("playoff", 1)
    assert board.moves == ["pick Apollonius", "pick Bertram"]
    board.say("pick Bertram")
    assert board.turn == 2
    assert board.moves == ["pick Harald", "pick Dietmar"]
    board.say("pick Dietmar", dice=[1, 6, 6])  # Bertram's two dice, then Dietmar's one
    assert (board.phase, board.win()) == ("over", [2520, 0])
    assert board.premiums("Bertram") == [0]


def test_r29_who_has_one_knight_left_has_no_choice() -> None:
    board = tied_two(others={"Bertram": "2dw10"})
    assert board.turn == 2
    board.say("pick Dietmar", dice=[6, 1])
    assert board.win() == [0, 2520]


def test_r29_nobody_yields_on_foot_until_one_is_at_the_limit() -> None:
    board = tied_two().say("pick Apollonius")
    board.say("pick Dietmar", dice=[1, 1] + [4, 1] * 8 + [4, 4])
    assert board.wounds("Apollonius", "Dietmar") == [2, 10]
    assert (board.phase, board.win()) == ("over", [2520, 0])


@pytest.mark.parametrize(
    ("wounds", "dice", "win"), [("carried", [1, 1], [0, 2520]), ("fresh", [1, 1] + [4, 1] * 9, [2520, 0])]
)
def test_r29_wounds_are_carried_or_fresh(wounds: str, dice: list[int], win: list[int]) -> None:
    board = tied_two("1dw9", playoff_wounds=wounds).say("pick Apollonius")
    board.say("pick Dietmar", dice=dice)
    assert board.win() == win


def test_r29_who_starts_fresh_misses_no_dice() -> None:
    """R29, R26: with 7 wounds in the morning Apollonius rode without three of his four dice; unhurt he has them all."""
    for wounds, dice in (("carried", [1, 6]), ("fresh", [1, 6, 6, 6, 6])):
        board = tied_two("4dw7", wounded_attack=True, playoff_wounds=wounds).say("pick Apollonius")
        board.say("pick Dietmar", dice=dice)
        assert board.win() == [2520, 0]


@pytest.mark.parametrize(("playoff", "phase"), [("ladder", "playoff"), ("share", "over")])
def test_r29_the_win_can_be_shared_instead(playoff: str, phase: str) -> None:
    board = tied_two(playoff=playoff)
    assert board.phase == phase
    assert board.win() == ([1260, 1260] if playoff == "share" else [0, 0])


def test_r29_a_duel_without_a_winner_shares_the_win() -> None:
    board = tied_two("1dw9", {"Dietmar": "1dw9"}).say("pick Apollonius")
    board.say("pick Dietmar", dice=[1, 1])
    assert board.win() == [1260, 1260]


def ladder(dice: list[int], strengths: dict[str, str] | None = None, **options: Any) -> Board:
    """Six players; Falko beats Egbert, then Apollonius, Bertram and Harald are tied with two premiums each."""
    tied = {name: {"strength": "1d", "premiums": 2} for name in ("Apollonius", "Bertram", "Harald")}
    for name, strength in (strengths or {}).items():
        tied[name]["strength"] = strength
    riders = {"Egbert": "1d", "Falko": "1d"}
    board = set_up(
        "challenge", riders, tied, players=6, place={"turn": 5}, days=1, day_bonus=[0], final_bonus=0, **options
    )
    board.say("challenge Egbert Falko", dice=[6, 1, *dice])
    assert board.phase == "over"
    return board


def test_r29_on_the_ladder_the_winner_attacks_the_next() -> None:
    """R29: Bertram, 2 dice, beats Apollonius and rolls first against Harald, 3 dice."""
    board = ladder([6, 1, 6, 1, 6, 6, 6, 6], {"Bertram": "2d", "Harald": "3d"})
    assert board.win() == [0, 2520, 0, 0, 0, 0]
    assert board.wounds("Apollonius", "Bertram", "Harald") == [1, 0, 1]
    assert ladder([1, 6, 6, 1]).win() == [0, 0, 2520, 0, 0, 0]
    assert ladder([1, 6, 1, 6]).win() == [2520, 0, 0, 0, 0, 0]


def test_r29_a_duel_without_a_winner_lets_the_not_yet_beaten_share() -> None:
    first = ladder([1, 1], {"Apollonius": "1dw9", "Bertram": "1dw9"})
    assert (first.win(), first.state.playoff_duels) == ([840, 840, 840, 0, 0, 0], 1)
    second = ladder([1, 6, 1, 1], {"Apollonius": "1dw9", "Harald": "1dw9"})
    assert (second.win(), second.state.playoff_duels) == ([1260, 0, 1260, 0, 0, 0], 2)


def test_r29_a_champion_at_the_limit_loses_to_the_next() -> None:
    board = ladder([1, 1], {"Apollonius": "1dw9", "Bertram": "1dw9"}, double_knockout="attacker")
    assert board.win() == [0, 0, 2520, 0, 0, 0]
    assert board.state.playoff_duels == 1


def test_r29_fresh_means_unhurt_in_every_duel() -> None:
    """R29: Apollonius comes out of his first duel with 9 wounds and fights on foot in the second."""
    first = [1, 1] + [4, 4] * 8 + [4, 1]
    board = ladder(first + [1, 1] + [4, 1] * 9, playoff_wounds="fresh")
    assert board.win() == [2520, 0, 0, 0, 0, 0]
    board = ladder([*first, 1, 1])
    assert board.win() == [0, 0, 2520, 0, 0, 0]


def test_r29_who_has_nobody_left_loses_and_if_none_has_they_share() -> None:
    out = {"Bertram": "1dw10"}
    assert ladder([6, 1], out).win() == [0, 0, 2520, 0, 0, 0]
    assert ladder([], out | {"Harald": "1dw11"}).win() == [2520, 0, 0, 0, 0, 0]
    everybody = {"Apollonius": "1dw10", "Bertram": "1dw10", "Harald": "1dw10"}
    board = ladder([], everybody)
    assert (board.win(), board.state.playoff_duels) == ([840, 840, 840, 0, 0, 0], 0)


def test_r29_a_stalled_duel_shares_the_win() -> None:
    """R29, R20a: after max_rounds blank rounds nobody has won."""
    board = tied_two(max_rounds=2).say("pick Apollonius")
    board.say("pick Dietmar", dice=[6, 6, 6, 6, 6, 6])
    assert (board.win(), board.state.stalled) == ([1260, 1260], 1)
