"""Run many games: chunks on threads, merged into one tally.

The chunks are handed out in order and each is played whole, so what has been played is always games
`first` to `first + n - 1`, also after an interruption.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import numpy as np

from analyzer.engine import drive
from analyzer.engine.chance import new_chance
from analyzer.engine.game import Table
from analyzer.engine.tally import Tally, new_row, new_tally
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

    def play(start: int, count: int) -> Tally:
        return play_chunk(table, policies, seed, start, count, rotate=rotate)

    return _run(table, play, games, first, threads, chunk, progress, executor)


def roll_out(
    table: Table,
    policies: np.ndarray,
    position: np.ndarray,
    first_move: int,
    seed: int,
    games: int,
    *,
    first: int = 0,
    threads: int | None = None,
    chunk: int = CHUNK,
    progress: Callable[[int], None] = lambda played: None,
) -> Run:
    """Continue a position with a move, `games` times, the policies playing on; return the tally.

    What the actor cannot see is dealt anew each time. Game numbers fix the chance: two moves rolled out
    with the same seed and games meet the same luck. Seats do not rotate.
    """

    def play(start: int, count: int) -> Tally:
        return play_chunk(table, policies, seed, start, count, position=position, first_move=first_move)

    return _run(table, play, games, first, threads, chunk, progress, None)


def _run(
    table: Table,
    play: Callable[[int, int], Tally],
    games: int,
    first: int,
    threads: int | None,
    chunk: int,
    progress: Callable[[int], None],
    executor: Executor | None,
) -> Run:
    """Hand the chunks out to threads in order and add their tallies up."""
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
                    running.add(pool.submit(play, start, min(chunk, first + games - start)))
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


def play_chunk(
    table: Table,
    policies: np.ndarray,
    seed: int,
    first: int,
    count: int,
    *,
    rotate: bool = False,
    position: np.ndarray | None = None,
    first_move: int = drive.DEALT,
) -> Tally:
    """Play some games in this thread: dealt ones, or a position continued with a move."""
    tally = empty_tally(table)
    row = new_row(table.players, table.checkpoints, len(table.game.measures), len(table.cards))
    states = table.new_states(2)
    if position is not None:
        states[1] = position[0]
    buffer = new_buffer(table)
    failed = drive.play_chunk(
        table.rules, policies, rotate, seed, first, count, first_move, states, buffer, new_chance(), row, tally
    )
    if failed >= 0:
        raise KernelFailure(
            f"game {failed} of seed {seed} did not end; `analyzer play SCENARIO --seed {seed} --game {failed}` shows it"
        )
    return tally


def in_blocks(
    play: Callable[[int, int, int], np.ndarray],
    candidates: Sequence[int],
    first: int,
    blocks: int,
    block: int,
    *,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> np.ndarray:
    """Let every candidate play the same blocks of games, on threads, and return the sums of each block.

    `play(candidate, first game, games)` returns sums (int64); the result is [candidate, block, sum].
    Blocks are the observations from which paired differences get their error.
    """
    jobs = [(c, first + i * block) for c in candidates for i in range(blocks)]

    def one(job: tuple[int, int]) -> np.ndarray:
        sums = play(job[0], job[1], block)
        progress(block)
        return sums

    with ThreadPoolExecutor(threads or default_threads()) as pool:
        sums = list(pool.map(one, jobs))
    return np.array(sums, np.int64).reshape(len(candidates), blocks, -1)


def win_and_score(tally: Tally, entrant: int) -> np.ndarray:
    """Return an entrant's wins (in units of 1/2520) and score, summed over a tally's games."""
    return np.array([tally.win[entrant, :, 0].sum(), tally.score[entrant, :, 0].sum()], np.int64)


def is_compiled(driver: Any = drive.play_chunk) -> bool:
    """Return whether a driver stands compiled on disk, or needs no compiling."""
    stats = getattr(driver, "stats", None)
    if stats is None or driver.signatures:
        return True
    folder = os.environ.get("NUMBA_CACHE_DIR", "")
    start = f"{driver.__module__.rpartition('.')[2]}.{driver.__name__}"
    return any(name.startswith(start) for _, _, names in os.walk(folder) for name in names)
