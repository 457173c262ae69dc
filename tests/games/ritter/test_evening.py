"""R21–R26: the end of a day, the night and the morning."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.ritter.table import GAME, Board, set_up

CHALLENGE = "challenge Apollonius Harald"


def last_joust(
    apollonius: dict[str, Any] | None = None,
    harald: dict[str, Any] | None = None,
    day: int = 1,
    others: dict[str, Any] | None = None,
    hands: dict[str, Any] | None = None,
    players: int = 2,
    **options: Any,
) -> Board:
    """Apollonius, one die, beats Harald, one die, and the day is over."""
    riders = {"Apollonius": {"strength": "1d"} | (apollonius or {}), "Harald": {"strength": "1d"} | (harald or {})}
    board = set_up("challenge", riders, others, hands, players, place={"day": day}, **options)
    return board.say(CHALLENGE, dice=[1, 6])


def test_r21_the_day_goes_on_while_two_players_have_standing_knights() -> None:
    board = set_up("challenge", {"Apollonius": "1d", "Harald": "1d", "Dietmar": "1d"})
    board.say(CHALLENGE, dice=[1, 6])
    assert (board.phase, board.words["day"]) == ("challenge", 1)


def test_r21_the_day_ends_when_all_standing_knights_are_one_players() -> None:
    board = set_up("challenge", {"Apollonius": "1d", "Bertram": "1d", "Harald": "1d"})
    board.say(CHALLENGE, dice=[1, 6])
    assert (board.phase, board.words["day"]) == ("train", 2)


def test_r21_the_day_ends_when_nobody_stands() -> None:
    board = set_up("challenge", {"Apollonius": "1dw9", "Harald": "1dw9"}).say(CHALLENGE, dice=[1, 1])
    assert (board.phase, board.words["day"]) == ("train", 2)
    board = set_up("ride", training_by_wounds=[0]).say("ride none", "ride none")
    assert (board.words["day"], board.day_winner(1)) == (2, None)


@pytest.mark.parametrize(("among", "winner"), [("all", "Harald"), ("standing", "Apollonius")])
def test_r22_the_knight_with_most_premiums_of_all_or_of_the_standing(among: str, winner: str) -> None:
    board = last_joust(harald={"premiums": 2, "today": 2}, day_winner_among=among)
    assert board.day_winner(1) == winner


@pytest.mark.parametrize(("scope", "winner"), [("day", "Apollonius"), ("tournament", "Harald")])
def test_r22_premiums_of_the_day_or_of_the_tournament(scope: str, winner: str) -> None:
    board = last_joust(harald={"premiums": 5}, day=2, day_winner_scope=scope)
    assert board.day_winner(2) == winner


@pytest.mark.parametrize(("by", "winner"), [("knight", "Apollonius"), ("player", "Harald")])
def test_r22_the_best_knight_or_the_best_players_best_knight(by: str, winner: str) -> None:
    """R22: Apollonius has 4 premiums of the day, Harald and Dietmar 3 and 2."""
    board = last_joust(
        {"premiums": 3, "today": 3},
        {"premiums": 3, "today": 3},
        1,
        {"Dietmar": {"premiums": 2, "today": 2}},
        day_winner=by,
    )
    assert board.day_winner(1) == winner


@pytest.mark.parametrize(("counts", "winner"), [("knights", "Apollonius"), ("knights_and_ladies", "Harald")])
def test_r22_a_players_premiums_with_or_without_his_ladies(counts: str, winner: str) -> None:
    board = last_joust(
        {"premiums": 1, "today": 1},
        {"premiums": 1, "today": 1},
        hands={"Brunhild": {"premiums": 3, "today": 3}},
        day_winner="player",
        day_player_counts=counts,
    )
    assert board.day_winner(1) == winner


@pytest.mark.parametrize("by", ["knight", "player"])
def test_r22_a_tie_between_players_has_no_winner(by: str) -> None:
    board = last_joust(harald={"premiums": 1, "today": 1}, day_winner=by)
    assert (board.phase, board.day_winner(1)) == ("train", None)
    assert board.premiums("Apollonius", "Harald") == [1, 1]


@pytest.mark.parametrize("named", ["Apollonius", "Bertram"])
def test_r22_a_player_names_the_winner_among_his_own(named: str) -> None:
    board = last_joust(others={"Bertram": {"premiums": 1, "today": 1}})
    assert (board.phase, board.turn) == ("name", 1)
    assert board.moves == ["name Apollonius", "name Bertram"]
    board.say(f"name {named}")
    assert board.day_winner(1) == named
    assert board.premiums("Apollonius", "Bertram") == ([2, 1] if named == "Apollonius" else [1, 2])


def test_r22_or_nobody_wins_on_a_tie_of_ones_own_knights() -> None:
    board = last_joust(others={"Bertram": {"premiums": 1, "today": 1}}, day_tie_same_owner="nobody")
    assert (board.phase, board.day_winner(1)) == ("train", None)
    assert board.premiums("Apollonius", "Bertram") == [1, 1]


@pytest.mark.parametrize("scope", ["day", "tournament"])
def test_r22_a_day_without_a_premium_has_no_winner(scope: str) -> None:
    riders = {"Apollonius": {"strength": "1dw9", "premiums": 5}, "Harald": "1dw9"}
    board = set_up("challenge", riders, day_winner_scope=scope).say(CHALLENGE, dice=[1, 1])
    assert board.day_winner(1) is None
    assert board.premiums("Apollonius") == [5]


@pytest.mark.parametrize(
    ("day", "bonuses", "bonus"),
    [(1, [1, 2, 3, 4], 1), (3, [1, 2, 3, 4], 3), (6, [1, 2, 3, 4], 6), (2, [5, 9], 9), (4, [5, 9], 11)],
)
def test_r22_winner_and_lady_get_the_days_bonus(day: int, bonuses: list[int], bonus: int) -> None:
    board = last_joust({"favour": "Brunhild"}, day=day, days=7, day_bonus=bonuses)
    assert board.premiums("Apollonius", "Brunhild", "Harald", "Podica") == [1 + bonus, 1 + bonus, 0, 0]


@pytest.mark.parametrize(("option", "lady"), [("paid", 3), ("unpaid", 2)])
def test_r22_the_lady_of_a_winner_who_has_fallen(option: str, lady: int) -> None:
    """R22: Harald has lost to Apollonius but has two premiums; his lady gets the day's bonus or does not."""
    fallen = {"premiums": 2, "today": 2, "favour": "Podica"}
    board = last_joust(harald=fallen, hands={"Podica": {"premiums": 2}}, fallen_lady=option)
    assert board.day_winner(1) == "Harald"
    assert board.premiums("Harald", "Podica") == [3, lady]
    standing = last_joust({"favour": "Ilsa"}, fallen_lady=option)
    assert standing.premiums("Apollonius", "Ilsa") == [2, 2]


def test_r22_a_players_best_knight_is_paid_even_without_a_premium() -> None:
    """R22: Seat 1's ladies won more than anybody; of its knights without a premium it names one."""
    options = {"day_winner": "player", "day_player_counts": "knights_and_ladies"}
    board = set_up(
        "challenge",
        {"Apollonius": "1d", "Harald": {"strength": "1d", "favour": "Podica"}},
        hands={"Podica": {"premiums": 2, "today": 2}},
        **options,
    ).say(CHALLENGE, dice=[6, 1])
    assert (board.phase, board.turn) == ("name", 1)
    board.say("name Bertram")
    assert board.premiums("Apollonius", "Bertram", "Harald") == [0, 1, 1]
    assert board.day_winner(1) == "Bertram"


def test_r22_the_default_bonus_is_the_number_of_the_day() -> None:
    assert last_joust(day=2).premiums("Apollonius") == [3]


def test_r23_every_knight_heals_three_wounds_and_favours_go_back() -> None:
    board = last_joust({"strength": "1dw7", "favour": "Podica"}, {"strength": "1dw1"}, others={"Bertram": "4d12w5"})
    assert board.wounds("Apollonius", "Harald", "Bertram") == [4, 0, 2]
    board = last_joust({"favour": "Podica"}, training_by_wounds=[0])
    board.say("ride Harald", "ride Apollonius")
    assert (board.phase, board.favour("Apollonius")) == ("offer", None)
    assert board.say("offer Adelheid Harald").moves[:2] == ["offer Podica Apollonius", "offer Podica Harald"]


def test_r23_a_knight_who_is_out_does_not_heal() -> None:
    board = last_joust(harald={"strength": "1dw9"}, others={"Bertram": "4d12w10"})
    assert board.wounds("Harald", "Bertram") == [10, 10]


@pytest.mark.parametrize(("night", "rest", "wounds"), [(3, 0, [5, 5]), (0, 0, [8, 8]), (2, 0, [6, 6]), (3, 3, [5, 2])])
def test_r23_night_and_rest_recovery(night: int, rest: int, wounds: list[int]) -> None:
    """R23: Apollonius rode, Bertram did not."""
    board = last_joust({"strength": "1dw8"}, others={"Bertram": "4d12w8"}, night_recovery=night, rest_recovery=rest)
    assert board.wounds("Apollonius", "Bertram") == wounds


def test_r23_no_night_follows_the_last_day() -> None:
    assert last_joust({"strength": "1dw7"}, day=4).wounds("Apollonius") == [7]


@pytest.mark.parametrize(
    ("table", "wounds", "points"),
    [
        (None, 0, 2),
        (None, 3, 2),
        (None, 4, 1),
        (None, 6, 1),
        (None, 7, 0),
        ([3, 0, 2], 3, 3),
        ([3, 0, 2], 4, 0),
        ([3, 0, 2], 5, 2),
        ([3, 0, 2], 6, 0),
    ],
)
def test_r24_training_by_the_wounds_left_in_the_morning(table: list[int] | None, wounds: int, points: int) -> None:
    """R24: Apollonius is the first to be asked; without points it is Bertram, who is unhurt."""
    strength = f"1dw{wounds}" if wounds else "1d"
    board = last_joust({"strength": strength}, **({} if table is None else {"training_by_wounds": table}))
    asked = board.words["knight"]
    assert asked == ("Apollonius" if points else "Bertram")
    if points:
        assert board.words["points"] == points


def test_r24_the_morning_goes_in_seat_order_whoever_starts() -> None:
    board = last_joust()
    assert (board.words["start"], board.turn) == (2, 1)


@pytest.mark.parametrize(("day", "days", "phase"), [(1, 1, "over"), (3, 4, "train"), (4, 4, "over"), (9, 10, "train")])
def test_r25_the_tournament_lasts_its_days(day: int, days: int, phase: str) -> None:
    assert last_joust(day=day, days=days).phase == phase


def test_r25_four_days_by_default_one_to_ten_allowed() -> None:
    assert last_joust(day=3).phase == "train"
    assert last_joust(day=4).phase == "over"
    option = next(o for o in GAME.options if o.key == "days")
    assert (option.low, option.high) == (1, 10)


def morning(apollonius: str, harald: str, **options: Any) -> Board:
    """The last training before a day on which Apollonius and Harald ride."""
    place = {"day": 2, "knight": "Dietmar"}
    strengths = {"Apollonius": apollonius, "Harald": harald}
    board = set_up("train", others=strengths, place=place, ladies=False, **options)
    return board.say("train nothing", "ride Apollonius", "ride Harald Dietmar")


@pytest.mark.parametrize(
    ("wounds", "lame", "dice"), [(3, True, 5), (4, True, 4), (6, True, 4), (7, True, 2), (9, True, 2), (9, False, 5)]
)
def test_r26_wounds_of_the_morning_take_dice(wounds: int, lame: bool, dice: int) -> None:
    board = morning(f"5dw{wounds}", "1d", wounded_attack=lame)
    board.say(CHALLENGE, dice=[1] * dice + [6])
    assert board.wounds("Harald") == [dice]


def test_r26_the_defender_has_fewer_dice_too() -> None:
    board = morning("1d", "5dw7", wounded_attack=True, night_recovery=0).say(CHALLENGE, dice=[6, 1, 1])
    assert board.wounds("Apollonius") == [2]


@pytest.mark.parametrize(("least", "dice"), [(1, 1), (3, 3), (5, 4)])
def test_r26_min_dice_stay(least: int, dice: int) -> None:
    """R26: a knight with 4 dice would have 1 left; wounds never give him more than he has."""
    board = morning("4dw8", "1d", wounded_attack=True, min_dice=least)
    board.say(CHALLENGE, dice=[1] * dice + [6])
    assert board.wounds("Harald") == [dice]
    board = morning("2dw8", "1d", wounded_attack=True).say(CHALLENGE, dice=[1, 6])
    assert board.wounds("Harald") == [1]


def test_r26_wounds_of_the_day_take_no_dice() -> None:
    """R26: Apollonius goes from 3 to 7 wounds in his first joust and keeps his 2 dice in the next."""
    board = morning("2dw3", "4d", wounded_attack=True, night_recovery=0)
    board.say(CHALLENGE, dice=[1, 6, 1, 1, 1, 6, 1, 1, 1, 1, 1, 6])
    board.say("fight", "yield")
    assert board.wounds("Apollonius") == [7]
    board.say("challenge Dietmar Apollonius", dice=[6, 6, 6, 6, 1, 1])
    assert board.wounds("Dietmar") == [2]


@pytest.mark.parametrize(("wounds", "dice"), [(6, 3), (7, 2), (9, 2)])
def test_r26_the_wounds_after_the_night_count(wounds: int, dice: int) -> None:
    """R26: 6 wounds in the evening are 3 in the morning and cost no die, 9 are 6 and cost one."""
    riders = {"Apollonius": "1d", "Harald": "1d"}
    resting = {"Bertram": f"3dw{wounds}"}
    board = set_up("challenge", riders, resting, wounded_attack=True, training_by_wounds=[0], ladies=False)
    board.say(CHALLENGE, dice=[1, 6]).say("ride Harald Dietmar", "ride Bertram")
    board.say("challenge Harald Bertram", dice=[6] + [1] * dice)
    assert board.wounds("Harald") == [dice]
