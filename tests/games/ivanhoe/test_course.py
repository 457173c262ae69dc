"""The course of the game, I1–I10: turns, starts, colours, withdrawal, tokens, the end; example E1."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from analyzer.engine.trace import Walk
from analyzer.games import GAMES
from analyzer.games.ivanhoe.cards import COLOURS, KINDS, load_deck
from tests.games.ivanhoe.table import BOX, after, displays, legal, position, refused, seat, states, totals
from tests.tables import table_of

GAME = GAMES["ivanhoe"]


def test_the_deck_has_110_cards() -> None:
    """20 action cards, 16 squires, 4 maidens, 14 cards of each colour."""
    by_suit: Counter = Counter()
    for kind, copies in zip(KINDS, load_deck().copies, strict=True):
        by_suit[kind.suit] += copies
    assert load_deck().n_cards == len(BOX) == 110
    assert by_suit == {0: 14, 1: 14, 2: 14, 3: 14, 4: 14, 5: 20, 6: 20}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_i1_eight_cards_each_and_one_more_for_the_starter(players: int) -> None:
    table = table_of(GAME, players)
    for game in range(20):
        s = Walk(table, 3, game).state
        assert sorted(s.n_hand[:players]) == [8] * (players - 1) + [9]
        assert s.n_hand[s.active] == 9
        assert s.n_stack == 110 - 8 * players - 1


def test_i1_the_first_starter_is_random_or_the_first_seat() -> None:
    def starters(**options: Any) -> set[int]:
        return {int(Walk(table_of(GAME, 4, **options), 3, game).state.active) for game in range(60)}

    assert starters() == {0, 1, 2, 3}
    assert starters(first_starter="first_seat") == {0}


def test_i1_i7_the_winner_starts_the_next_tournament() -> None:
    place = position(seat("red 3"), seat("red 4", "red 3"), seat("", "red 3", **{"in": False}))
    state = after(place, "withdraw")
    assert (state["phase"], state["turn"], state["tournaments"]) == ("start", 2, 1)
    assert [row["in"] for row in state["seats"]] == [True] * 3


def test_i2_a_turn_draws_plays_and_ends_strictly_ahead() -> None:
    place = position(seat("red 3", "red 3, red 4, squire 2"), seat("red 5", "red 3"), stack=["green 1", "red 4"])
    assert "end" not in legal(place)
    assert "end" not in legal(place, "play squire 2")
    assert "end" in legal(place, "play red 3")
    state = after(place, "play squire 2", "play red 3", "end")
    assert (state["turn"], state["played"]) == (2, 0)
    assert state["seats"][1]["hand"] == ["red 3", "green 1"]
    assert state["stack"][0] == "red 4"


def test_i2_tie_stays() -> None:
    place = position(seat("red 3", "squire 2"), seat("red 5", "red 3"))
    assert "end" not in legal(place, "play squire 2")
    assert "end" in legal(place, "play squire 2", tie_stays=True)
    assert "end" not in legal(place, tie_stays=True)


def test_i2_at_least_one_card_must_be_played() -> None:
    """I2: seat 1 is ahead already and still must play; an action card will do."""
    place = position(seat("red 5", "drop weapon, blue 2"), seat("red 4"))
    assert legal(place) == ["play drop weapon", "withdraw"]
    place = position(seat("red 5, red 3", "drop weapon, blue 2"), seat("red 4"))
    assert "end" in legal(place, "play drop weapon")


def last_card(**rules: Any) -> dict[str, Any]:
    """Seat 2 draws the last card of the stack."""
    names = list(BOX)
    for used in ("red 3", "red 4", "red 5", "squire 2"):
        names.remove(used)
    kept, discards = names[:-6], names[-6:]
    place = position(seat("red 3", "red 4, " + ", ".join(kept)), seat("red 5"), stack=["squire 2"], discards=discards)
    return after(place, "play red 4", "end", **rules)


def test_i2_the_discards_become_the_stack_when_the_last_card_is_drawn() -> None:
    state = last_card()
    assert state["seats"][1]["hand"] == ["squire 2"]
    assert (state["stack_size"], state["discards"]) == (6, [])
    state = last_card(reshuffle="on_next_draw")
    assert state["seats"][1]["hand"] == ["squire 2"]
    assert (state["stack_size"], len(state["discards"])) == (0, 6)


def test_i2_with_reshuffle_on_next_draw_the_next_one_shuffles() -> None:
    names = list(BOX)
    for used in ("red 3", "red 4", "red 5", "squire 2", "squire 3"):
        names.remove(used)
    place = position(seat("red 3", "red 4, squire 2"), seat("red 5, squire 3"), discards=names)
    state = after(place, "play red 4", "play squire 2", "end", reshuffle="on_next_draw")
    assert len(state["seats"][1]["hand"]) == 1
    assert (state["stack_size"], state["discards"]) == (len(names) - 1, [])


def test_i2_without_any_card_to_draw_the_game_goes_on() -> None:
    names = list(BOX)
    for used in ("red 3", "red 4", "red 5"):
        names.remove(used)
    place = position(seat("red 3", "red 4, " + ", ".join(names)), seat("red 5"))
    state = after(place, "play red 4", "end")
    assert (state["turn"], state["seats"][1]["hand"], state["legal"]) == (2, [], ["withdraw"])


def start(hand: str, **rest: Any) -> dict[str, Any]:
    """Seat 1 is to start a tournament."""
    rows = (seat("", hand), seat("", "red 3, purple 3"), seat("", "disgrace"))
    return position(*rows, colour="none", phase="start", **({"opening": True} | rest))


def test_i3_the_starter_names_a_colour_he_can_start() -> None:
    assert legal(start("red 3, blue 4, charge")) == ["start red", "start blue"]
    assert legal(start("squire 2")) == [f"start {colour}" for colour in COLOURS]
    assert legal(start("maiden 6")) == [f"start {colour}" for colour in COLOURS]


def test_i3_he_must_start_and_with_a_card_before_any_action_card() -> None:
    place = start("red 3, blue 4, shield, squire 2")
    assert legal(place, "start red") == ["play red 3", "play squire 2"]
    assert legal(place, "start red", "play squire 2") == ["play red 3", "play shield", "end"]
    assert "play shield" in legal(place, "start red", start_with_action=True)
    assert "end" not in legal(place, "start red", "play shield", start_with_action=True)
    assert "end" not in legal(place, "start red", "play shield", start_with_action=True, tie_stays=True)


def test_i3_only_a_starter_left_without_a_card_may_withdraw_from_his_start() -> None:
    """I3: with `start_with_action` he may change the colour before his first card and be left without one."""
    place = start("red 3, change weapon")
    moves = ("start red", "play change weapon blue")
    assert legal(place, *moves, start_with_action=True) == ["withdraw"]


def test_i3_purple_never_follows_purple() -> None:
    place = start("purple 3, red 3, squire 2", after_purple=True)
    assert "start purple" not in legal(place)
    assert "start purple" in legal(start("purple 3, red 3"))


def test_i3_who_cannot_start_shows_his_hand_and_passes_left() -> None:
    place = start("charge, adapt, purple 4", after_purple=True, stack=["blue 2"])
    assert legal(place) == ["pass"]
    state = after(place | {"seats": [place["seats"][0], seat("", "red 3, purple 3"), seat()]}, "pass")
    assert (state["phase"], state["turn"], state["after_purple"]) == ("start", 2, True)
    assert state["seats"][1]["hand"] == ["purple 3", "red 3", "blue 2"]
    assert [row["in"] for row in state["seats"]] == [True, True, True]
    assert state["legal"] == ["start red", "start blue"]


def test_i3_purple_counts_by_the_colour_at_the_end() -> None:
    """I3, I7: a purple tournament unhorsed to red bars nothing and pays red; ending purple bars purple."""
    rows = (seat("purple 3", "unhorse, red 4, red 5"), seat("purple 5", "purple 3"))
    unhorsed = position(*rows, colour="purple")
    state = after(unhorsed, "play unhorse red", "play red 4", "end", "withdraw")
    assert (state["after_purple"], state["seats"][0]["tokens"]) == (False, ["red"])
    state = after(unhorsed, "withdraw", "take green")
    assert (state["after_purple"], state["seats"][1]["tokens"]) == (True, ["green"])


def test_i4_cards_must_be_of_the_colour_or_supporters() -> None:
    place = position(seat("red 3", "red 4, blue 4, green 1, purple 3, yellow 2, squire 2, maiden 6"), seat("red 5"))
    assert legal(place) == ["play red 4", "play squire 2", "play maiden 6", "withdraw"]


def test_i4_one_maiden_at_a_time() -> None:
    place = position(seat("maiden 6", "maiden 6, squire 2"), seat("red 5"))
    assert legal(place) == ["play squire 2", "withdraw"]
    assert "play maiden 6" in legal(place, maiden_limit=2)


def test_i5_green_counts_cards() -> None:
    place = position(seat("green 1, squire 3", "maiden 6"), seat("green 1, green 1, squire 2"), colour="green")
    assert totals(after(place)) == [2, 3]
    assert totals(after(place, "play maiden 6")) == [3, 3]


def test_i6_withdrawing_discards_the_display() -> None:
    place = position(seat("red 3, squire 2", "red 4", "red"), seat("red 5, red 4"), seat("red 4", "red 5"))
    state = after(place, "withdraw")
    assert displays(state)[0] == ""
    assert state["discards"] == ["red 3", "squire 2"]
    assert state["seats"][0]["tokens"] == ["red"]
    assert not state["seats"][0]["in"]


def test_i6_who_withdrew_takes_no_turn_till_the_end() -> None:
    rows = (seat("red 3"), seat("red 4", "red 5"), seat("red 5", "squire 3, squire 3"))
    state = after(position(*rows), "withdraw", "play red 5", "end", "play squire 3", "play squire 3", "end")
    assert state["turn"] == 2


@pytest.mark.parametrize(
    ("tokens", "answers", "left"),
    [
        ("", (), []),
        ("blue", (), []),
        ("blue, green", ("give back green",), ["blue"]),
        ("red, blue, green", ("give back red",), ["blue", "green"]),
    ],
)
def test_i6_a_maiden_costs_a_token_of_choice(tokens: str, answers: tuple[str, ...], left: list[str]) -> None:
    rows = (seat("red 3, maiden 6", "", tokens), seat("red 5, red 5"), seat("squire 3"))
    state = after(position(*rows), "withdraw", *answers)
    assert state["seats"][0]["tokens"] == left
    assert (state["phase"], state["turn"]) == ("play", 2)


def test_i7_the_last_one_left_takes_the_token_of_the_final_colour() -> None:
    place = position(seat("red 3"), seat("red 4, maiden 6", "red 5", "blue"))
    state = after(place, "withdraw")
    assert state["seats"][1]["tokens"] == ["red", "blue"]
    assert displays(state) == ["", ""]
    assert {"red 3", "red 4", "maiden 6"} <= set(state["discards"])


def test_i7_nothing_for_a_colour_he_has() -> None:
    state = after(position(seat("red 3"), seat("red 4", "red 5", "red")), "withdraw")
    assert state["seats"][1]["tokens"] == ["red"]


def test_i7_purple_brings_any_colour_he_lacks() -> None:
    rows = (seat("purple 3"), seat("purple 5", "red 3", "red, green"))
    place = position(*rows, colour="purple")
    assert legal(place, "withdraw") == ["take purple", "take blue", "take yellow"]
    assert after(place, "withdraw", "take blue")["seats"][1]["tokens"] == ["red", "blue", "green"]


@pytest.mark.parametrize(("players", "tokens"), [(2, 5), (3, 5), (4, 4), (5, 4)])
def test_i8_tokens_to_win(players: int, tokens: int) -> None:
    held = ", ".join(["blue", "yellow", "green", "purple"][: tokens - 1])
    others = [seat("", **{"in": False}) for _ in range(players - 2)]
    place = position(seat("red 3"), seat("red 4", "", held), *others)
    state = after(place, "withdraw")
    assert (state["phase"], state["winner"], state["legal"]) == ("over", 2, [])
    fewer = position(seat("red 3"), seat("red 4", "red 3", "blue, yellow"), *others)
    assert after(fewer, "withdraw")["phase"] == "start"
    assert after(fewer, "withdraw", tokens_to_win=3)["phase"] == "over"


def test_i10_a_game_at_max_turns_stops_without_a_winner() -> None:
    place = position(seat("red 3", "red 4"), seat("red 5", "squire 3"), turns=7)
    assert after(place, "play red 4", "end", max_turns=8)["phase"] == "play"
    state = after(place, "play red 4", "end", max_turns=7)
    assert (state["phase"], state["winner"]) == ("over", "none")


def test_e1_a_red_tournament_of_four() -> None:
    """E1: the sums are called, the first withdraws with a maiden and no token, the fourth takes red and starts."""
    rows = (
        seat("", "red 3, red 5, maiden 6"),
        seat("", "red 5, red 3, squire 2"),
        seat("", "blue 2"),
        seat("", "red 4, red 3, red 3, squire 2, squire 3"),
    )
    place = position(*rows, colour="none", phase="start", opening=True, stack=["green 1"] * 9)
    moves = [
        *("start red", "play red 3", "end"),
        *("play red 5", "end"),
        "withdraw",
        *("play red 4", "play red 3", "end"),
        *("play red 5", "end"),
        "withdraw",
        *("play red 3", "play squire 2", "end"),
        *("play maiden 6", "end"),
        *("play squire 3", "end"),
    ]
    told = states(place, *moves)
    called = [
        next(row["total"] for row in before["seats"] if row is before["seats"][before["turn"] - 1])
        for before, move in zip(told, moves, strict=False)
        if move == "end"
    ]
    assert called == [3, 5, 7, 8, 12, 14, 15]
    refused(place, *moves, "end")
    state = after(place, *moves, "withdraw")
    assert [row["tokens"] for row in state["seats"]] == [[], [], [], ["red"]]
    assert (state["phase"], state["turn"]) == ("start", 4)
    assert displays(state) == [""] * 4
