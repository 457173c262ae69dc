"""Positions: what `show` says `place` understands, and faults are named together."""

from __future__ import annotations

from random import Random

import pytest

from analyzer.engine.trace import Walk, copy_record
from analyzer.errors import BadFile, IllegalMove
from tests.games.gluecksritter.table import GAME, set_up
from tests.tables import policies_of, random_options, table_of


@pytest.mark.parametrize("trial", range(24))
def test_a_position_plays_on_like_the_game_it_was_taken_from(trial: int) -> None:
    random = Random(trial)
    players = random.randint(3, 6)
    options = random_options(GAME, random) | {"documents": "reconstructed", "max_rounds": 30}
    table = table_of(GAME, players, **options)
    policies = policies_of(GAME, ["random"] * players)
    walk = Walk(table, 5, trial)
    while walk.look()[0] >= 0:
        copy = Walk(table, 5, trial, GAME.place(table, GAME.show(table, walk.state)))
        assert copy.look() == walk.look()
        assert GAME.show(table, copy.state) == GAME.show(table, walk.state)
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
    ],
)
def test_impossible_positions_are_refused(seats: list, place: dict, problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        set_up(*seats, place=place)


def test_an_illegal_move_is_refused_with_the_legal_ones() -> None:
    with pytest.raises(IllegalMove, match=r"(?s)'pick 4 4' is not legal here.*pick 5 6"):
        set_up({}, {}, {}).say("pick 4 4")
