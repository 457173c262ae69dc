"""The story of a tournament tells what happened: its dice make the wounds that the state has."""

from __future__ import annotations

import re
from typing import Any

import pytest

from analyzer.engine.trace import story, watch
from tests.games.ritter.table import GAME, new_table
from tests.games.ritter.test_end import tied_two
from tests.tables import policies_of

_HURT = re.compile(r"([A-Z]\w+) rolls ([\d ]+): (?:no wound|(\d+) wounds?)")


def test_r29_the_duels_of_a_play_off_are_told_with_their_dice() -> None:
    board = tied_two()
    board.say("pick Bertram")
    _, legal = board.walk.look()
    step = board.walk.play(GAME.read_move(board.table, board.state, "pick Dietmar", legal))
    lines = GAME.tell(board.table, step)
    assert any("Bertram (2d) of seat 1 meets Dietmar (1d) of seat 2 in a duel." in line for line in lines)
    assert any("Mounted" in line and "Bertram rolls" in line for line in lines)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"playoff_wounds": "fresh", "wounded_attack": True},
        {"double_knockout": "attacker", "wound_limit": 2},
        {"double_knockout": "fewer_wounds", "wound_limit": 3, "enrage_on_foot": True, "enrage": "every_round"},
        {"max_rounds": 2},
    ],
)
@pytest.mark.parametrize("by_die", [0, 1])
def test_r29_the_dice_told_make_the_wounds_at_the_end(options: dict[str, Any], by_die: int) -> None:
    """R29: told wounds of the last duel of each knight are those of the state; the ladder's duels are all there."""
    short = {"days": 1, "day_bonus": [0], "final_bonus": 0, "wound_limit": 10, "ladies": False}
    table = new_table(6, **(short | options))
    table.rules.by_die = by_die
    policies, duels = policies_of(GAME, ["random"] * 6), 0
    for game in range(40):
        steps = list(watch(table, policies, 6, game))
        after = steps[-1].after
        if not after.playoff_duels:
            continue
        lines = story(table, steps[-1:])
        told = [line for line in lines if line.endswith("in a duel.")]
        assert len(told) == after.playoff_duels
        start = lines.index(told[0])
        wounds: dict[str, int] = {}
        for line in lines[start:]:
            meets = re.findall(r"([A-Z]\w+) \((\d+d\d*)(?:w(\d+))?\) of seat", line)
            if line.endswith("in a duel."):
                for name, _, hurt in meets:
                    assert options.get("playoff_wounds") == "fresh" or wounds.get(name, int(hurt or 0)) == int(
                        hurt or 0
                    )
                    wounds[name] = 0 if options.get("playoff_wounds") == "fresh" else int(hurt or 0)
                pair = [name for name, _, _ in meets]
            for name, _, hurt in _HURT.findall(line):
                other = pair[1] if name == pair[0] else pair[0]
                wounds[other] += int(hurt or 0)
        for k in (int(k) for k in after.contender[:6] if k >= 0):
            name = table.deck.knights[after.knights[k]].name.split()[0]
            if name in wounds:
                assert wounds[name] == after.wounds[k], (game, lines[start:])
        duels += len(told)
    assert duels > 3
