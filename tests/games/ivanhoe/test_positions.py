"""Positions read back, faults are all named, numbers add up."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from analyzer.engine.trace import Walk, copy_record, story
from analyzer.errors import BadFile, IllegalMove
from analyzer.games import GAMES
from tests.games.ivanhoe.table import after, position, seat, states
from tests.tables import policies_of, random_options, table_of

GAME = GAMES["ivanhoe"]


# What a position file does not tell: what is only counted, and cards drawn or used.
UNTOLD = ("dealt", "drawn", "used", "used_now", "earned", "course", "shuffles", "colour_wins", "tokens_won")
UNTOLD += ("starter_wins", "starts_passed", "starter_cards", "other_cards", "withdrawals", "maiden_withdrawals")
UNTOLD += ("maiden_losses", "actions", "cancels")


def told(s: Any) -> dict[str, list[Any]]:
    """Return all of a state that a position tells; of rows only the part in use."""
    return {
        **{key: np.asarray(s[key]).tolist() for key in s.dtype.names if key not in (*UNTOLD, "display", "ahead")},
        "display": [row[:n].tolist() for row, n in zip(s.display, s.n_display, strict=True)],
        "ahead": s.ahead[: s.n_ahead].tolist(),
    }


def test_a_position_that_is_shown_can_be_placed_and_plays_on_alike(tmp_path: Path) -> None:
    """Every state of random games under random rules comes back whole, in all phases, and goes on as it did.

    A deck full of Adapt brings up what the one of the box hardly does: Adapt under way with somebody spared.
    """
    adapts = tmp_path / "adapts.toml"
    adapts.write_text('like = "default"\n[copies]\nadapt = 20\n"red 3" = 1\n"green 1" = 2\n', encoding="utf-8")
    phases: Counter = Counter()
    spared = knows = 0
    for number in range(160):
        random = Random(number)
        rules = random_options(GAME, random) if number % 4 else {}
        if number % 2:
            rules |= {"ivanhoe_scope": "protect_self", "maiden_penalty": 1 + number % 3}
        if number % 5 == 0:
            rules |= {"max_turns": 40}
        full = {option.key: option.default for option in GAME.options} | rules
        table = GAME.prepare(2 + number % 4, full, adapts if number % 2 else None)
        policies = policies_of(GAME, [random.choice(("random", "random", "tactician")) for _ in range(table.players)])
        walk = Walk(table, 8, number)
        while True:
            shown = GAME.show(table, walk.state)
            phases[shown["phase"]] += 1
            spared += "spared" in shown
            knows += any("knows" in row for row in shown["seats"])
            again = Walk(table, 8, number, GAME.place(table, shown))
            assert told(again.state) == told(walk.state)
            assert GAME.show(table, again.state) == shown
            again.chance = copy_record(walk.chance)
            if (found := walk.look())[0] < 0:
                break
            assert again.look() == found
            move = walk.choose(policies[found[0]])
            assert again.choose(policies[found[0]]) == move
            assert told(again.play(move).after) == told(walk.play(move).after)
    assert set(phases) == {"start", "play", "answer", "keep", "give", "take", "over"}
    assert spared
    assert knows


def test_all_faults_of_a_position_are_named() -> None:
    place: dict[str, Any] = {
        "colour": "rde",
        "turn": 3,
        "seats": [
            seat("red 3, maiden 6, maiden 6", "charge, red 6"),
            seat("shield", "charge", "pink", shield=1),
        ],
        "size": 4,
    }
    with pytest.raises(BadFile) as caught:
        states(place)
    keys = {fault.key for fault in caught.value.faults}
    assert {
        "position.size",
        "position.seats[0].display",
        "position.seats[0].hand",
        "position.seats[1].display",
        "position.seats[1].hand",
        "position.seats[1].tokens",
        "position.seats[1].shield",
    } <= keys
    assert "did you mean" in str(caught.value)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"colour": "pink"}, "colour"),
        ({"turn": 3}, "turn"),
        ({"phase": "start"}, "colour"),
        ({"phase": "answer", "asked": 2}, "asked"),
        ({"phase": "give"}, "phase"),
        ({"phase": "take"}, "phase"),
        ({"played": -1}, "played"),
        ({"stack": ["red 9"]}, "stack"),
        ({"stack_size": 12}, "stack_size"),
        ({"opening": True, "starter": 2}, "starter"),
        ({"phase": "start", "colour": "none"}, "opening"),
        ({"phase": "start", "colour": "none"}, "phase"),
        ({"colour": "purple", "after_purple": True}, "colour"),
        ({"added": 1}, "added"),
        ({"tournaments": 0, "after_purple": True}, "tournaments"),
        ({"turns": 2001}, "turns"),
        ({"pending": "charge"}, "pending"),
        ({"spared": 2}, "spared"),
        ({"owed": 1}, "owed"),
        ({"winner": 1}, "winner"),
        ({"phase": "over"}, "winner"),
    ],
)
def test_a_position_that_cannot_be_is_refused(change: dict[str, Any], key: str) -> None:
    place = position(seat("red 3", "red 4"), seat("red 5"))
    states(place)
    if change.get("phase") == "over":
        change = change | {"winner": 1}
    with pytest.raises(BadFile) as caught:
        states(place | change)
    assert any(fault.key == f"position.{key}" for fault in caught.value.faults)


def test_an_illegal_move_is_refused_with_the_legal_ones() -> None:
    with pytest.raises(IllegalMove) as caught:
        states(position(seat("red 3", "red 4"), seat("red 5")), "play red 5")
    assert "play red 4" in str(caught.value)
    assert "withdraw" in str(caught.value)


def test_moves_may_be_quoted_or_not() -> None:
    place = position(seat("blue 4, blue 5", "outwit"), seat("blue 2, blue 2"), colour="blue")
    plain = after(place, "Play  outwit 2 give blue 5 take blue 2")
    assert plain == after(place, 'play outwit 2 give "blue 5" take "blue 2"')


def test_a_written_game_can_be_told() -> None:
    table = table_of(GAME, 2)
    place = position(seat("red 3", "riposte, red 4", "blue"), seat("maiden 6, red 5", "ivanhoe", "blue"))
    walk = Walk(table, 1, 0, GAME.place(table, place))
    steps = []
    for text in ("play riposte 2", "let pass", "end", "withdraw"):
        steps.append(walk.play(GAME.read_move(table, walk.state, text, walk.look()[1])))
    lines = story(table, steps)
    assert "Seat 1 plays riposte 2; seat 2 may answer with ivanhoe." in lines
    assert "  Seat 1 has red 3, red 5: 8." in lines
    assert "  The maiden costs the blue token." in lines
    assert "Seat 1 wins the red tournament and takes the red token (now red, blue)." in lines


RIVALS = (seat("red 3, red 4", "red 5"), seat("red 4, red 5", "ivanhoe, red 3"), seat("", "red 3", **{"in": False}))
GONE = (seat("red 3, red 4", "red 5"), seat("red 4, red 5", "red 3"), seat("", "ivanhoe", **{"in": False}))
KEEPERS = (seat("red 3", "red 5"), seat("red 4, blue 4"), seat("squire 3, red 3"))
GIVER = (seat("", "", "blue, yellow, green", **{"in": False}), seat("red 4"), seat("red 5"))


@pytest.mark.parametrize(
    ("rows", "rest", "key"),
    [
        (GONE, {"phase": "answer", "asked": 3, "pending": "dodge 2 red 5", "discards": ["dodge"]}, "asked"),
        (RIVALS, {"phase": "answer", "asked": 1, "pending": "dodge 2 red 5", "discards": ["dodge"]}, "asked"),
        (RIVALS, {"phase": "answer", "asked": 2, "pending": "dodge 2 red 5", "discards": []}, "pending"),
        (RIVALS, {"phase": "answer", "asked": 2, "pending": "drop weapon", "discards": ["charge"]}, "pending"),
        (KEEPERS, {"phase": "keep", "asked": 1, "pending": "adapt", "discards": ["adapt"]}, "asked"),
        (KEEPERS, {"phase": "keep", "asked": 3, "pending": "adapt", "discards": ["adapt"]}, "asked"),
        (KEEPERS, {"phase": "keep", "asked": 2, "pending": "charge", "discards": ["charge"]}, "pending"),
        (KEEPERS, {"phase": "keep", "asked": 2, "pending": "adapt", "discards": ["adapt"], "played": 0}, "played"),
        (KEEPERS, {"phase": "keep", "asked": 2, "pending": "adapt", "discards": ["adapt"], "spared": 3}, "spared"),
        (GIVER, {"phase": "give", "asked": 2}, "asked"),
        (GIVER, {"phase": "give", "owed": 2}, "owed"),
        (GIVER, {"phase": "give", "turn": 2}, "phase"),
    ],
)
def test_a_question_that_nobody_would_ask_is_refused(rows: Any, rest: dict[str, Any], key: str) -> None:
    """Who has withdrawn is not asked, nobody keeps where there is nothing to keep, and who gives is the one to move."""
    with pytest.raises(BadFile) as caught:
        states(position(*rows, **rest))
    assert any(fault.key == f"position.{key}" for fault in caught.value.faults), caught.value


def test_nobody_keeps_where_nobody_has_a_choice() -> None:
    rows = (seat("red 3", "red 5"), seat("red 4, red 4"))
    with pytest.raises(BadFile, match="different cards of one value"):
        states(position(*rows, phase="keep", asked=2, pending="adapt", discards=["adapt"]))


def test_the_questions_of_the_tests_above_can_be_asked() -> None:
    """Positive control."""
    pending = {"pending": "dodge 2 red 5", "discards": ["dodge"]}
    assert states(position(*RIVALS, phase="answer", asked=2, **pending))[0]["legal"] == ["let pass", "cancel"]
    kept = states(position(*KEEPERS, phase="keep", asked=2, pending="adapt", discards=["adapt"]))
    assert kept[0]["legal"] == ["keep red 4", "keep blue 4"]
    assert len(states(position(*GIVER, phase="give"))[0]["legal"]) == 3


def test_a_seat_that_ivanhoe_spares_stays_spared() -> None:
    rows = (seat("red 3", "red 5"), seat("red 4, red 4, blue 4"), seat("squire 3, red 3"))
    rest = {"phase": "keep", "asked": 3, "pending": "adapt", "spared": 2, "discards": ["adapt", "ivanhoe"]}
    state = after(position(*rows, **rest), "keep red 3", ivanhoe_scope="protect_self")
    assert [row["display"] for row in state["seats"]] == [["red 3"], ["red 4", "red 4", "blue 4"], ["red 3"]]


@pytest.mark.parametrize(("number", "card"), [(1, "red 3"), (7, "blue 4"), (9, "charge")])
def test_knock_down_can_name_any_card_of_a_hand(number: int, card: str) -> None:
    hand = "red 3, red 3, red 4, red 4, red 5, blue 2, blue 4, squire 2, charge"
    place = position(seat("red 3", "knock down"), seat("red 4", hand))
    assert after(place, f"play knock down 2 [{number}]")["seats"][0]["hand"] == [card]


def test_knock_down_cannot_name_a_card_beyond_the_hand() -> None:
    place = position(seat("red 3", "knock down"), seat("red 4", "red 3, red 5"))
    with pytest.raises(IllegalMove, match="3 is not a number from 1 to 2"):
        states(place, "play knock down 2 [3]")
    with pytest.raises(IllegalMove, match="1 dice too many"):
        states(place, "withdraw [1]")
    held = position(seat("red 3", "knock down"), seat("red 4", "red 3, ivanhoe"))
    taken = after(held, "play knock down 2", "let pass [2]")
    assert taken["seats"][0]["hand"] == ["ivanhoe"]
