"""Positions read back what they say, and name every fault."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from analyzer.engine.trace import Walk
from analyzer.errors import BadInput, IllegalMove
from analyzer.games.fredericus.state import FLIPPED
from tests.games.fredericus.table import GAME, dealt, set_up
from tests.tables import policies_of, random_options, table_of


def test_a_position_shown_and_placed_plays_on_alike() -> None:
    random = Random(3)
    for trial in range(40):
        players = random.randint(2, 4)
        table = table_of(GAME, players, **random_options(GAME, random))
        policies = policies_of(GAME, ["random"] * players)
        walk = Walk(table, 5, trial)
        for _ in range(random.randint(0, 200)):
            seat, _ = walk.look()
            if seat < 0:
                break
            walk.play(walk.choose(policies[seat]))
        if walk.look()[0] < 0:
            continue
        words = GAME.show(table, walk.state)
        other = Walk(table, 5, trial, GAME.place(table, words))
        for _ in range(60):
            assert GAME.show(table, other.state) == GAME.show(table, walk.state)
            seat, legal = walk.look()
            assert other.look() == (seat, legal)
            if seat < 0:
                break
            move = random.choice(legal)
            walk.play(move)
            other.play(move)


def test_a_pile_may_be_given_by_its_size() -> None:
    board = set_up({}, [{"goals": ["dragon"]}, {}], pile=9)
    assert len(board.words["goal_pile"]) == 9
    assert "fredericus" in board.words["goal_pile"][4:]
    assert int(board.state.aside.sum()) == 24 - 1 - 8
    assert set_up({}, place={"flipped": ["fredericus"]}, pile=0).state.holder == FLIPPED


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"rows": ["x"] * 8}, "rows"),
        ({"rows": ["w"] * 7}, "list of 8"),
        ({"rows": ["ddddd"] + [""] * 7}, "only 4"),
        ({"phase": "trun"}, "did you mean 'turn'"),
        ({"seats": [{}]}, "list of 2 seats"),
        ({"seats": [{"peregrine": 9}, {}]}, "1 to 8"),
        ({"seats": [{"chips": [1]}, {}]}, "list of 2"),
        ({"seats": [{"chips": [1, "courtyard"]}, {}]}, "1 to 8"),
        ({"seats": [{"hooded": "both"}, {}]}, "peregrine | kestrel"),
        ({"seats": [{"goals": ["dragon"] * 4}, {}]}, "only 3"),
        ({"seats": [{"fredericus": True}, {"fredericus": True}]}, "another seat"),
        ({"goal_pile": 99}, "allowed: 0 to"),
        ({"goal_pile": ["dragon"]}, "Fredericus"),
        ({"goal_pile": ["fredericus", *["dragon", "hydra", "griffin"] * 2]}, "last five"),
        ({"actions": 70}, "0 to 6"),
        ({"closed": False, "seats": [{"creatures": ["dragon", "hydra"] * 4}, {}]}, "closed"),
        ({"closed": False, "goal_pile": 3, "flipped": ["fredericus"]}, "closed"),
        ({"colour": "red"}, "unknown"),
    ],
)
def test_a_bad_position_is_refused(change: dict[str, Any], match: str) -> None:
    table = table_of(GAME, 2)
    position: dict[str, Any] = {"rows": [""] * 8, "seats": [{}, {}], "goal_pile": 9}
    GAME.place(table, position)
    with pytest.raises(BadInput, match=match.replace("|", r"\|")):
        GAME.place(table, position | change)


def test_an_illegal_move_is_refused_with_the_legal_ones() -> None:
    board = dealt(2, start=1)
    with pytest.raises(IllegalMove, match="legal moves:\n  bet 1\n"):
        board.say("bet 9")
    assert board.say("  BET   2 ").seat(1)["chips"] == [2, "hand"]


def test_there_is_no_other_deck() -> None:
    with pytest.raises(BadInput, match="one deck"):
        GAME.prepare(2, {o.key: o.default for o in GAME.options}, Path("other"))
