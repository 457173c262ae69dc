"""Positions read back, faults are all named, numbers add up."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.engine.trace import Walk, story
from analyzer.errors import BadFile, IllegalMove
from analyzer.games import GAMES
from tests.games.ivanhoe.table import after, position, seat, states
from tests.tables import policies_of, table_of

GAME = GAMES["ivanhoe"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_shown_position_plays_on_like_the_game(players: int) -> None:
    """Every state of some games, written down and placed again, has the same words and the same legal moves."""
    table = table_of(GAME, players)
    policies = policies_of(GAME, ["random", "tactician"] * 3)
    phases = set()
    for game in range(60 // players):
        walk = Walk(table, 8, game)
        while (found := walk.look())[0] >= 0:
            shown = GAME.show(table, walk.state)
            phases.add(shown["phase"])
            again = Walk(table, 8, game, GAME.place(table, shown))
            assert GAME.show(table, again.state) == shown
            assert again.look() == found
            walk.play(walk.choose(policies[found[0]]))
    assert {"start", "play", "answer", "give", "take"} <= phases


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
    ],
)
def test_a_position_that_cannot_be_is_refused(change: dict[str, Any], key: str) -> None:
    place = position(seat("red 3", "red 4"), seat("red 5"))
    states(place)
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
