"""How fast the games are played at tables of their middle policies, on one core, and against plain Python.

Run `python -m tests.bench.games`. The plain run is the same code with NUMBA_DISABLE_JIT=1.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

from analyzer.engine.jit import COMPILED
from analyzer.engine.run import play_games
from analyzer.games import GAMES
from tests.tables import policies_of, table_of

ROOT = Path(__file__).parents[2]
SEED = 7
ROUNDS = 5  # the tables take turns, the best time of each counts
# game, policies, games when compiled, games in plain Python, least games a second (0: none is asked)
TABLES = (
    ("ritter", ("rulebook", "attacker", "balanced", "cautious"), 20_000, 20, 0),
    ("gluecksritter", ("needs",) * 4, 20_000, 20, 150_000),
    ("ivanhoe", ("thrifty", "hoarder", "fighter", "collector"), 10_000, 10, 50_000),
    ("fredericus", ("greedy",) * 4, 1_000, 1, 0),
)


def measure() -> list[tuple[float, float]]:
    """Return games and moves a second of every table."""
    best = [float("inf")] * len(TABLES)
    moves = [0] * len(TABLES)
    for lap in range(ROUNDS + 1 if COMPILED else 1):  # the first one compiles
        for i, (name, names, compiled, plain, _) in enumerate(TABLES):
            table = table_of(GAMES[name], len(names))
            n = compiled if COMPILED else plain
            policies = policies_of(GAMES[name], list(names))
            began = time.process_time()
            moves[i] = int(play_games(table, policies, SEED, n, threads=1, chunk=n).tally.moves[0])
            if lap or not COMPILED:
                best[i] = min(best[i], (time.process_time() - began) / n)
    counts = [compiled if COMPILED else plain for _, _, compiled, plain, _ in TABLES]
    return [(1 / seconds, n / count / seconds) for seconds, n, count in zip(best, moves, counts, strict=True)]


def main() -> None:
    if not COMPILED:
        print(*(games for games, _ in measure()))
        return
    command = [sys.executable, "-m", "tests.bench.games"]
    env = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    child = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=True)
    plain = [float(word) for word in child.stdout.split()]
    for (name, names, *_, least), (games, moves), slow in zip(TABLES, measure(), plain, strict=True):
        who = names[0] if len(set(names)) == 1 else ", ".join(names)
        rate = f"{games:,.0f} games/s, {moves / 1e6:.2f}M moves/s, {games / slow:,.0f} times plain Python"
        target = f"; at least {least:,}: {'yes' if games >= least else 'NO'}" if least else ""
        print(f"{name}, four players, {who}: {rate}{target}", flush=True)


if __name__ == "__main__":
    main()
