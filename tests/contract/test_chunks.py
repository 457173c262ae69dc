"""Chunks follow the clock; results do not."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.engine.run import CHUNK, Pace, Play, in_blocks, play_games, reduce_games
from analyzer.studies.balance import balance
from analyzer.studies.compare import compare
from analyzer.studies.luck import luck_table
from analyzer.studies.rank import rank
from tests.toy import race


def sizes(games: int, seconds_a_game: float, unit: int = 4, most: int = CHUNK) -> list[int]:
    """Return the chunks of a run whose games take so long."""
    pace, played, chunks = Pace(games, unit, most), 0, []
    while played < games:
        chunks.append(min(pace.games, games - played))
        pace.note(chunks[-1], chunks[-1] * seconds_a_game)
        played += chunks[-1]
    return chunks


def test_slow_games_are_played_a_rotation_at_a_time() -> None:
    """A planner's run of a thousand games: no chunk longer than a moment, far more chunks than threads."""
    assert set(sizes(1000, 0.2)) == {4}
    assert max(sizes(1000, 0.02)) * 0.02 <= 0.25
    assert max(sizes(1000, 1e-6)) <= 1000 / 100


def test_fast_games_come_in_large_chunks_soon() -> None:
    chunks = sizes(10_000_000, 1e-6)
    assert max(chunks) == CHUNK
    assert len(chunks) < 1.05 * 10_000_000 / CHUNK
    assert max(sizes(10_000_000, 1e-6, most=CHUNK // 3)) <= CHUNK // 3


@pytest.mark.parametrize("unit", [2, 3, 4, 7])
def test_a_rotation_is_never_cut(unit: int) -> None:
    for seconds in (1e-6, 1e-3, 1.0):
        chunks = sizes(1000 * unit + 1, seconds, unit)
        assert all(size % unit == 0 for size in chunks[:-1])
        assert sum(chunks) == 1000 * unit + 1


def test_a_study_on_a_slow_game_works_on_many_chunks() -> None:
    """Below 16,384 games there used to be one chunk, on one thread, without a word of progress."""
    scenario = race()
    said: list[int] = []
    reduce_games(
        [Play(scenario.table, scenario.policies, (1, 1, 1))],
        1000,
        lambda played: played[0].tally,
        threads=2,
        progress=said.append,
    )
    assert sum(said) == 1000
    assert max(said) <= 10
    said.clear()
    in_blocks(lambda c, first, n: np.ones(1, np.int64), [0, 1], 0, 4, 250, threads=2, progress=said.append)
    assert sum(said) == 2000
    assert max(said) <= 20


def test_answers_do_not_depend_on_the_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Studies give the same bits whether their chunks are as small or as large as they can be."""
    scenario, other = race(snow=3, head=1), race(edge=9, head=1)
    found = []
    for units, threads in ((1, 2), (10**9, 1)):
        monkeypatch.setattr(Pace, "games", property(lambda pace, n=units: min(n, pace._most) * pace._unit))
        swings = balance(scenario, games=6400, seed=3, threads=threads)
        tables = [compare(scenario, second=other, games=6400, seed=3, threads=threads)["differences"]]
        tables += [table.frame for table in swings.tables]
        tally = play_games(scenario.table, scenario.policies, 3, 6400, threads=threads).tally
        tables += [luck_table(scenario, tally, 3, 6400, threads)]
        tables += [rank(scenario, games=6400, seed=3, threads=threads)["matchups"]]
        found.append([table.to_csv() for table in tables])
    assert found[0] == found[1]
    assert len(found[0]) > 5
