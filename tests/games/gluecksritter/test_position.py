"""Positions: what `show` says `place` understands, and faults are named together."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from analyzer.engine.game import Table
from analyzer.engine.trace import Walk, copy_record
from analyzer.errors import BadFile, IllegalMove
from analyzer.games.gluecksritter.state import LIMIT, PAY, PHASES, RAID, SHARE_TAX, phase_of
from tests.games.gluecksritter.table import GAME, set_up
from tests.tables import policies_of, random_options, table_of

# All of a state that anything to come depends on.
ESSENTIAL = (
    *("phase", "rounds", "start", "turn", "pending", "bag", "lying", "purse", "parts", "jailed", "pardoned"),
    *("freed", "permits", "picks", "turned_up", "stack", "discard", "hand", "held", "sealed", "used", "ducats"),
    *("ducats_left",),
)
WHERE = {
    "asked": lambda s: phase_of(s) < RAID,
    "takers": lambda s: s.turned_up,
    "coin": lambda s: s.phase == LIMIT,
    "due": lambda s: s.phase == PAY,
}
N_WALKS = 24


def differing(table: Table, a: Any, b: Any) -> list[str]:
    """Return the essential fields in which two states differ."""
    names = [*ESSENTIAL, *(name for name, matters in WHERE.items() if matters(a))]
    return [name for name in names if not np.array_equal(a[name], b[name])]


def test_every_decision_is_among_the_positions_that_are_read_back() -> None:
    seen: set[str] = set()
    for trial in range(N_WALKS):
        walk, policies = random_walk(trial)
        while walk.look()[0] >= 0:
            seen.add(PHASES[walk.state.phase])
            walk.play(walk.choose(policies[walk.look()[0]]))
    assert seen == {*PHASES[:SHARE_TAX], "limit", "pay"}


def random_walk(trial: int) -> tuple[Walk, np.ndarray]:
    random = Random(trial)
    players = random.randint(3, 6)
    documents = "none" if trial % 4 == 0 else "reconstructed"
    options = random_options(GAME, random) | {"documents": documents, "max_rounds": 30}
    return Walk(table_of(GAME, players, **options), 5, trial), policies_of(GAME, ["random"] * players)


@pytest.mark.parametrize("trial", range(N_WALKS))
def test_a_position_plays_on_like_the_game_it_was_taken_from(trial: int) -> None:
    walk, policies = random_walk(trial)
    table = walk.table
    while walk.look()[0] >= 0:
        copy = Walk(table, 5, trial, GAME.place(table, GAME.show(table, walk.state)))
        assert copy.look() == walk.look()
        assert GAME.show(table, copy.state) == GAME.show(table, walk.state)
        assert differing(table, walk.state, copy.state) == []
        move = walk.choose(policies[walk.look()[0]])
        copy.chance = copy_record(walk.chance)
        copy.play(move)
        walk.play(move)
        assert GAME.show(table, copy.state) == GAME.show(table, walk.state)
        assert copy.look() == walk.look()


def test_all_faults_of_a_position_are_named() -> None:
    with pytest.raises(BadFile) as caught:
        set_up({"one": 3}, {"walls": 5}, {"picked": [2, 2]}, place={"phase": "picks", "round": 0})
    text = str(caught.value)
    assert "5 faults" in text
    assert "did you mean 'ones'?" in text
    assert "did you mean 'pick'?" in text


@pytest.mark.parametrize(
    ("seats", "place", "problem"),
    [
        ([{"documents": {"gifts": 5}}, {}, {}], {}, "there are 4 of them"),
        ([{}, {"picked": [1, 2]}, {}], {}, "cannot have picked yet"),
        ([{}, {}, {}], {"turn": 2}, "must have picked"),
        ([{"picked": [1, 4], "jailed": True}, {}, {}], {"turn": 2}, "jailed knight"),
        ([{}, {}, {}], {"phase": "walls"}, "all picks are needed"),
        ([{"picked": [1, 2]}, {"picked": [1, 2]}, {"picked": [1, 2]}], {"phase": "raid"}, "has not picked the Black"),
        ([{"sealed": ["tax"]}, {}, {}], {}, "red documents of this seat's own hand"),
        ([{}, {}, {}], {"ducats_used": [1, 19]}, "different numbers from 1 to 18"),
        ([{"picked": [[1], 2]}, {}, {}], {"turn": 2}, "two different cards"),
        ([{"documents": [["tax"]]}, {}, {}], {}, "a table of counts, or a list, is needed"),
        ([{"documents": {"tax": True}}, {}, {}], {}, "a table of counts"),
        ([{}, {}, {}], {"field_5": [61, 0]}, "60 and 40 at most"),
        (
            [{"jailed": True, "ones": 4, "twos": 0}, {}, {}],
            {"phase": "pay", "then": "ransom", "due": 4},
            "cannot choose",
        ),
    ],
)
def test_impossible_positions_are_refused(seats: list, place: dict, problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        set_up(*seats, place=place)


def test_an_illegal_move_is_refused_with_the_legal_ones() -> None:
    with pytest.raises(IllegalMove, match=r"(?s)'pick 4 4' is not legal here.*pick 5 6"):
        set_up({}, {}, {}).say("pick 4 4")
