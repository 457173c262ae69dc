"""Run many games: chunks on threads, merged in order.

The chunks are handed out in order, each is played whole, and they are merged in order. So what has
been played is always games `first` to `first + n - 1`, also after an interruption, and the result
does not depend on the threads. How large a chunk is depends on how long its games take, and so do no
results: what `reduce` returns has to add up to the same in any cut, that is in whole numbers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Generic, NamedTuple, TypeVar

import numpy as np

from analyzer.engine import drive
from analyzer.engine.chance import new_chance, one_seed
from analyzer.engine.game import Table, new_buffer
from analyzer.engine.jit import is_compiling
from analyzer.engine.search import STATES, mind_of
from analyzer.engine.tally import Log, Tally, new_log, new_row, new_tally
from analyzer.engine.threads import Workers, default_threads
from analyzer.errors import KernelFailure

CHUNK = 16_384  # games of a chunk at most: a log of them is kept in memory
_PARTS = 100  # chunks of a run at least, so that progress is seen and all threads have work to the end
_SECONDS = 0.25  # that a chunk is meant to take at most

T = TypeVar("T")


@dataclass(frozen=True)
class Play:
    """Who plays what with which luck: a table, a policy record for each entrant, the seeds of the streams."""

    table: Table
    policies: np.ndarray
    seeds: tuple[int, int, int]
    rotate: bool = True
    position: np.ndarray | None = None  # continue from here, with `first_move`, instead of dealing
    first_move: int = drive.DEALT


class Played(NamedTuple):
    """What a chunk of games gave."""

    first: int
    tally: Tally
    log: Log


class Pace:
    """How many games a chunk has: as many as take a moment, and at most a hundredth of the run.

    A chunk is made of whole units (the games of one rotation of the seats), so that blocks of games that are
    one observation are never cut; only a run that is no whole number of units ends on a part of one.
    """

    def __init__(self, games: int, unit: int, most: int = CHUNK) -> None:
        self._unit = unit
        self._most = max(1, min(most, -(-games // _PARTS)) // unit)  # in units
        self._units = 1  # nothing is known of the games yet

    @property
    def games(self) -> int:
        """The games of the next chunk."""
        return self._units * self._unit

    def note(self, games: int, seconds: float) -> None:
        """Take the time that a chunk has taken into account; whichever thread comes last has its way."""
        affordable = int(_SECONDS * games / max(seconds, 1e-6) / self._unit)
        self._units = max(1, min(self._most, affordable, 8 * self._units))  # one lucky chunk tells little


@dataclass(frozen=True)
class Run(Generic[T]):
    """What a run gives: the merged result (none of no games), how many games, and whether it was interrupted."""

    result: T | None
    n_games: int
    interrupted: bool

    @property
    def tally(self) -> T:
        """The result of a run that played at least one chunk."""
        assert self.result is not None
        return self.result


def play_games(
    table: Table,
    policies: np.ndarray,
    seed: int,
    games: int,
    *,
    first: int = 0,
    rotate: bool = True,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
    executor: Executor | None = None,
) -> Run[Tally]:
    """Play games `first` to `first + games - 1` of a seed and return their tally.

    The result depends on the table, the policies, the seed and the games, and on nothing else: not on
    threads, not on the chunk size (by default as `Pace` has it). `progress` is called with the number of games
    of each chunk done. An interruption (Ctrl-C) lets the chunks under way finish and returns what has been
    played; while the kernels are still being compiled there is nothing to wait for, and it is raised.
    """
    play = Play(table, policies, one_seed(seed), rotate)
    run = reduce_games(
        [play], games, _only_tally, first=first, threads=threads, chunk=chunk, progress=progress, executor=executor
    )
    return run if run.result is not None else Run(empty_tally(table), 0, run.interrupted)


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
    chunk: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Run[Tally]:
    """Play on from a position after one move, many times, what its actor cannot see dealt anew each time."""
    play = Play(table, policies, one_seed(seed), False, position, first_move)
    return reduce_games([play], games, _only_tally, first=first, threads=threads, chunk=chunk, progress=progress)


def reduce_games(
    plays: Sequence[Play],
    games: int,
    reduce: Callable[[Sequence[Played]], T],
    *,
    first: int = 0,
    threads: int | None = None,
    chunk: int | None = None,
    logged: bool = False,
    progress: Callable[[int], None] = lambda played: None,
    executor: Executor | None = None,
) -> Run[T]:
    """Play the same game numbers of several plays, chunk by chunk; reduce each chunk and add the results up in order.

    Chunks are whole rotations and as long as `Pace` says, unless `chunk` gives the games of each. `logged` keeps
    what each game of a chunk gave until the chunk is reduced. `reduce` runs on the threads.
    """

    def part(start: int, count: int) -> T:
        return reduce([_play_chunk(play, start, count, logged) for play in plays])

    return add_up(
        part, games, first=first, unit=len(plays[0].policies), most=CHUNK // len(plays), threads=threads, chunk=chunk,
        progress=progress, executor=executor,
    )  # fmt: skip


def add_up(
    part: Callable[[int, int], T],
    games: int,
    *,
    first: int = 0,
    unit: int = 1,
    most: int = CHUNK,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
    executor: Executor | None = None,
) -> Run[T]:
    """Hand out games `first` to `first + games - 1` in order, chunk by chunk, and add the results up in order.

    `part(first game, games)` plays a chunk, on the threads. Chunks are whole units of at most `most` games and as
    long as `Pace` says, unless `chunk` gives the games of each.
    """
    threads = threads or default_threads()
    pool = executor or Workers(threads)
    pace = Pace(games, unit, most)
    start, end = first, first + games
    running: deque[tuple[int, Future[tuple[T, float]]]] = deque()
    total: Any = None
    n_games = 0
    interrupted = dropped = False
    try:
        while True:
            try:
                while not interrupted and start < end and len(running) < 2 * threads:
                    count = min(chunk or pace.games, end - start)
                    running.append((count, pool.submit(_timed, part, start, count)))
                    start += count
                if not running:
                    break
                count, future = running[0]
                result, seconds = future.result()
                running.popleft()
                pace.note(count, seconds)
                total = result if total is None else total + result
                n_games += count
                progress(count)
            except KeyboardInterrupt:
                if is_compiling():
                    dropped = True
                    raise
                interrupted = True
                while running and running[-1][1].cancel():  # chunks that nobody has begun
                    running.pop()
    finally:
        if executor is None:
            pool.shutdown(wait=not dropped, cancel_futures=True)
    return Run(total, n_games, interrupted)


def _timed(part: Callable[[int, int], T], first: int, count: int) -> tuple[T, float]:
    """Return a chunk's result and the seconds it took."""
    begin = perf_counter()
    result = part(first, count)
    return result, perf_counter() - begin


def _play_chunk(play: Play, first: int, count: int, logged: bool) -> Played:
    table = play.table
    tally, log = empty_tally(table), new_log(count if logged else 0, *table.sizes[:3])
    states = table.new_states(STATES)
    if play.position is not None:
        states[1] = play.position[0]
    failed = drive.play_chunk(
        table.rules,
        play.policies,
        play.rotate,
        play.seeds,
        first,
        count,
        play.first_move,
        states,
        new_buffer(table),
        new_chance(),
        new_row(*table.sizes),
        tally,
        log,
        mind_of(table, play.policies),
    )
    if failed >= 0:
        seed = play.seeds[0]
        raise KernelFailure(
            f"game {failed} of seed {seed} did not end; `analyzer play SCENARIO --seed {seed} --game {failed}` shows it"
        )
    return Played(first, tally, log)


def _only_tally(played: Sequence[Played]) -> Tally:
    return played[0].tally


def empty_tally(table: Table) -> Tally:
    """Return a tally of no games at this table."""
    return new_tally(*table.sizes)


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
    play = Play(table, policies, one_seed(seed), rotate, position, first_move)
    return _play_chunk(play, first, count, logged=False).tally


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
    Blocks are the observations from which paired differences get their error. A block that takes long is
    played in parts.
    """
    jobs = [(c, first + i * block) for c in candidates for i in range(blocks)]
    pace = Pace(len(jobs) * block, 1, block)

    def one(job: tuple[int, int]) -> np.ndarray:
        candidate, start = job
        end = start + block
        sums: Any = 0
        while start < end:
            count = min(pace.games, end - start)
            begin = perf_counter()
            sums = sums + play(candidate, start, count)
            pace.note(count, perf_counter() - begin)
            progress(count)
            start += count
        return np.asarray(sums)

    with Workers(threads) as pool:
        sums = list(pool.map(one, jobs))
    return np.array(sums, np.int64).reshape(len(candidates), blocks, -1)


def win_and_score(tally: Tally, entrant: int) -> np.ndarray:
    """Return an entrant's wins (in units of 1/2520) and score, summed over a tally's games."""
    return np.array([tally.win[entrant, :, 0].sum(), tally.score[entrant, :, 0].sum()], np.int64)
