"""Positions read back what they say, and name every fault."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from analyzer.engine.trace import Walk
from analyzer.errors import BadInput, IllegalMove
from analyzer.games.fredericus.state import COURT, FLIPPED, TURN
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
    ("place", "options", "actions"),
    [
        ({}, {"first_round_actions": [2, 3]}, 2),
        ({"turn": 2}, {"first_round_actions": [2, 3]}, 3),
        ({"start": 2}, {"first_round_actions": [2, 3]}, 2),
        ({"round": 2}, {"first_round_actions": [2, 3]}, 4),
        ({"actions": 7}, {"first_round_actions": [8]}, 7),
        ({"actions": 8, "opened": True}, {"first_round_actions": [6]}, 8),
        ({"actions": 8, "round": 5}, {"actions_per_turn": 8}, 8),
    ],
)
def test_f7_a_position_has_the_actions_of_its_turn(place: Any, options: Any, actions: int) -> None:
    """A turn begins with the actions of its place and round, and has as many as the rules allow."""
    assert set_up({}, place=place, **options).actions == actions


# What a state has kept of the past; a position does not tell it.
NOTES = {
    *("course", "catches", "seals", "hoods", "falcons_hooded", "card_moves", "falcon_moves", "rotations"),
    *("bets", "bets_paid", "courtyards", "courtyards_paid", "drawn", "chip", "hunted", "opened", "rotated", "actions"),
}


def matters(table: Any, s: Any) -> dict[str, Any]:
    """Return what of a state decides how the game goes on."""
    kept = {name: s[name].tolist() for name in s.dtype.names if name not in NOTES | {"rows", "pile", "turns"}}
    kept["rows"] = [s.rows[row][: s.length[row]].tolist() for row in range(8)]
    kept["pile"] = s.pile[: s.pile_left].tolist()
    kept["turns"] = s.turns[: table.players].tolist()
    for seat in range(table.players, 4):  # empty places at the table
        for name in ("tower", "chips", "creatures", "goals", "hooded", "n_creatures", "n_goals"):
            kept[name][seat] = None
    if s.phase == TURN:
        kept |= {name: s[name].tolist() for name in ("hunted", "opened", "rotated", "actions")}
    elif s.phase != COURT:
        kept["chip"] = int(s.chip)
    return kept


def test_every_state_shown_is_placed_as_it_was() -> None:
    """Random games under random rules, every phase: all that decides how the game goes on comes back."""
    random = Random(8)
    phases: Counter = Counter()
    for trial in range(200):
        players = random.randint(2, 4)
        often = {"actions_per_turn": 1, "first_round_actions": [1], "courtyard_may_wait": True}  # many bets
        table = table_of(GAME, players, **(random_options(GAME, random) | (often if trial % 2 else {})))
        seats = policies_of(GAME, [random.choice(("random", "greedy", "gambler")) for _ in range(players)])
        walk = Walk(table, 6, trial)
        for step in range(80):
            seat, _ = walk.look()
            if seat < 0:
                break
            if step % 3 == 0 or walk.state.phase == COURT or walk.state.sealing >= 0:
                words = GAME.show(table, walk.state)
                assert matters(table, GAME.place(table, words)[0]) == matters(table, walk.state), words
                phases["discard" if "discard" in words else words["phase"]] += 1
            walk.play(walk.choose(seats[seat]))
    assert set(phases) == {"setup", "turn", "discard", "bet", "courtyard"}
    assert min(phases.values()) >= 5


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
        ({"actions": 70}, "0 to 2"),
        ({"actions": 6, "round": 2}, "0 to 4"),
        ({"actions": 7, "round": 2, "opened": True}, "0 to 6"),
        ({"discard": "peregrine", "opened": True}, "between two"),
        ({"phase": "courtyard"}, "lies there"),
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
