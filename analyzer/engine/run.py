"""Run many games: chunks on threads, merged into one tally.

The chunks are handed out in order and each is played whole, so what has been played is always games
`first` to `first + n - 1`, also after an interruption.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np

from analyzer.engine import drive
from analyzer.engine.chance import new_chance
from analyzer.engine.game import Table
from analyzer.engine.tally import Row, Tally, new_row, new_tally
from analyzer.engine.trace import new_buffer
from analyzer.errors import KernelFailure

CHUNK = 16_384


@dataclass(frozen=True)
class Run:
    """What a run gives: the tally, and whether it was interrupted before the end."""

    tally: Tally
    first: int
    interrupted: bool


def empty_tally(table: Table) -> Tally:
    """Return a tally of no games at this table."""
    return new_tally(table.players, table.checkpoints, len(table.game.measures), len(table.cards))


def default_threads() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def play_games(
    table: Table,
    policies: np.ndarray,
    seed: int,
    games: int,
    *,
    first: int = 0,
    rotate: bool = True,
    threads: int | None = None,
    chunk: int = CHUNK,
    progress: Callable[[int], None] = lambda played: None,
    executor: Executor | None = None,
) -> Run:
    """Play games `first` to `first + games - 1` of a seed and return their tally.

    The result depends on the table, the policies, the seed and the games, and on nothing else: not on
    threads, not on the chunk size. `progress` is called with the number of games of each chunk done.
    An interruption (Ctrl-C) lets the chunks under way finish and returns what has been played.
    """
    total = empty_tally(table)
    threads = threads or default_threads()
    pool = executor or ThreadPoolExecutor(threads)
    upcoming = iter(range(first, first + games, chunk))
    running: set[Future[Tally]] = set()
    interrupted = False
    try:
        while True:
            try:
                while not interrupted and len(running) < 2 * threads:
                    start = next(upcoming, None)
                    if start is None:
                        break
                    count = min(chunk, first + games - start)
                    running.add(pool.submit(_play_chunk, table, policies, rotate, seed, start, count))
                if not running:
                    break
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    part = future.result()
                    total = total + part
                    progress(part.n_games)
            except KeyboardInterrupt:
                interrupted = True
    finally:
        if executor is None:
            pool.shutdown(cancel_futures=True)
    return Run(total, first, interrupted)


def wins_of_games(
    table: Table, policies: np.ndarray, seed: int, games: int, *, rotate: bool = True, threads: int | None = None
) -> np.ndarray:
    """Play games 0 to `games - 1` of a seed and return who won each: int64 [game, entrant], in units of 1/2520.

    Two sets of policies meet the same deals, so that the difference game by game is a paired one.
    """
    wins = np.zeros((games, table.players), np.int64)
    threads = threads or default_threads()
    size = -(-games // threads)

    def play(first: int) -> None:
        part = wins[first : first + size]
        tally, row = empty_tally(table), _new_row(table)
        states, buffer = table.new_states(2), new_buffer(table)
        _check_ended(
            drive.play_each(
                table.rules, policies, rotate, seed, first, len(part), states, buffer, new_chance(), row, tally, part
            ),
            seed,
        )

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(play, range(0, games, size)))
    return wins


def _play_chunk(table: Table, policies: np.ndarray, rotate: bool, seed: int, first: int, count: int) -> Tally:
    tally = empty_tally(table)
    states = table.new_states(2)
    failed = drive.play_chunk(
        table.rules,
        policies,
        rotate,
        seed,
        first,
        count,
        drive.DEALT,
        states,
        new_buffer(table),
        new_chance(),
        _new_row(table),
        tally,
    )
    _check_ended(failed, seed)
    return tally


def _new_row(table: Table) -> Row:
    return new_row(table.players, table.checkpoints, len(table.game.measures), len(table.cards))


def _check_ended(failed: int, seed: int) -> None:
    if failed >= 0:
        raise KernelFailure(
            f"game {failed} of seed {seed} did not end; `analyzer play SCENARIO --seed {seed} --game {failed}` shows it"
        )


def is_compiled() -> bool:
    """Return whether the drivers stand compiled on disk, or need no compiling."""
    stats = getattr(drive.play_chunk, "stats", None)
    if stats is None or drive.play_chunk.signatures:
        return True
    folder = os.environ.get("NUMBA_CACHE_DIR", "")
    return any(name.startswith("drive.play_chunk") for _, _, names in os.walk(folder) for name in names)
