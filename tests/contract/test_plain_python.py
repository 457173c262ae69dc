"""Without the compiler the same code plays the same games."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.contract.games import EVERY

_SCRIPT = """
import sys
from analyzer.engine.run import play_games
from tests.contract.games import EVERY
from tests.tables import policies_of, table_of

game = EVERY[sys.argv[1]]
for players in (game.least_players, game.most_players):
    names = [game.policies[i % len(game.policies)].name for i in range(players)]
    tally = play_games(table_of(game, players), policies_of(game, names), 12, 6, threads=1).tally
    print([part.tolist() for part in tally])
"""


def _tallies(game: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT, game],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("game", EVERY)
def test_same_games_without_the_compiler(game):
    compiled = _tallies(game)
    assert compiled.count("[[") > 2
    assert _tallies(game, NUMBA_DISABLE_JIT="1") == compiled
