"""Without the compiler the same games are played."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

from analyzer.engine import drive
from analyzer.engine.tally import new_row
from analyzer.engine.trace import watch
from analyzer.games import GAMES
from tests.tables import policies_of, random_options, table_of

GAME = GAMES["ivanhoe"]


def games() -> list[str]:
    """Return the moves and the results of some games under random options."""
    told = []
    for number in range(6):
        random = Random(number)
        players = 2 + number % 4
        table = table_of(GAME, players, **random_options(GAME, random) | {"max_turns": 80})
        names = [random.choice(GAME.policies).name for _ in range(players)]
        steps = list(watch(table, policies_of(GAME, names), 5, number))
        row = new_row(players, table.checkpoints, len(GAME.measures), len(table.cards))
        drive.finish(table.rules, steps[-1].after, row)
        told.append(", ".join(step.text for step in steps))
        told.append(" ".join(str(array.tolist()) for array in row))
    return told


def test_the_same_games_without_the_compiler() -> None:
    code = "from tests.games.ivanhoe.test_plain import games; print('\\n'.join(games()))"
    env = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    root = Path(__file__).parents[3]
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=root, env=env, capture_output=True, text=True, check=False
    )
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.splitlines() == games()
