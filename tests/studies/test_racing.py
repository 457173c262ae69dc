"""Paired differences and races on toy games whose values are known."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.stats.intervals import t_value
from analyzer.stats.paired import block_mean, difference, saving
from analyzer.stats.racing import halve, most_halving_blocks, race, stages_of_race

BLOCK = 64


def toy(means, noise=1.0, seed=0):
    """Candidates whose games differ by `means`, with the luck of a game shared by all of them."""
    calls = []

    def sample(candidates, first, blocks):
        calls.append((len(candidates), blocks))
        rows = []
        for c in candidates:
            own = [np.random.default_rng((seed, c, b)) for b in range(first, first + blocks)]
            shared = [np.random.default_rng((seed, 10**6, b)) for b in range(first, first + blocks)]
            rows.append(
                [
                    round(1000 * sum(means[c] + s.normal(0, 1, BLOCK) + noise * o.normal(0, 0.1, BLOCK)))
                    for o, s in zip(own, shared, strict=True)
                ]
            )
        return np.array(rows, np.int64)[:, :, None]

    return sample, calls


def test_student_and_bonferroni():
    assert t_value(0.95, 1, 1_000_000) == pytest.approx(1.95997, abs=1e-3)
    assert t_value(0.95, 10, 1_000_000) == pytest.approx(2.807, abs=1e-3)
    assert t_value(0.95, 1, 3) == pytest.approx(4.3027, abs=1e-3)
    assert block_mean(np.array([5]), 1, 0.95).low == -np.inf


def test_block_mean_is_the_textbook_interval():
    mean, low, high = block_mean(np.array([10, 20, 30]), 10, 0.95)
    assert mean == 2
    assert high - mean == pytest.approx(4.3027 / np.sqrt(3), abs=1e-3)
    assert mean - low == pytest.approx(high - mean)


def test_intervals_cover_as_often_as_they_say():
    """2000 toy experiments of 20 blocks: 95% intervals miss about 100 times (60–145: false alarm 1e-5)."""
    random = np.random.default_rng(4)
    missed = 0
    for _ in range(2000):
        blocks = random.normal(3 * BLOCK, 50, 20)
        _, low, high = block_mean(blocks, BLOCK, 0.95)
        missed += not low <= 3 <= high
    assert 60 < missed < 145


def test_shared_luck_is_taken_out():
    sample, _ = toy([0.0, 0.05])
    a, b = sample([0, 1], 0, 200)[:, :, 0]
    assert saving(a, b) > 0.95
    _, low, high = difference(b, a, BLOCK, 0.95)
    assert low <= 50 <= high
    assert high - low < 10


def test_a_race_drops_the_worse_and_keeps_equals():
    sample, calls = toy([0.0, 0.0, -0.015, -0.5])
    result = race(4, sample, block=BLOCK, first_blocks=8, most_blocks=256)
    assert {0, 1} == set(result.alive)
    assert result.games(3) < result.games(2) < result.games(0)
    assert calls[0] == (4, 8)
    low, high = result.behind(3)[1:]
    assert low <= 500 <= high


def test_a_race_ends_when_one_is_left():
    sample, _ = toy([0.3, 0.0, 0.0])
    result = race(3, sample, block=BLOCK, first_blocks=8, most_blocks=10**6)
    assert result.alive == [0]
    assert result.best == 0
    assert result.behind(0) == (0, 0, 0)


def test_the_best_is_hardly_ever_dropped():
    """60 races of equals at 95%: at most 3 expected to lose one, more than 10 once in 10,000."""
    lost = 0
    for seed in range(60):
        sample, _ = toy([0.0] * 3, seed=seed)
        lost += len(race(3, sample, block=BLOCK, first_blocks=4, most_blocks=32).alive) < 3
    assert lost <= 10


def test_halving_finds_the_best():
    means = [0.001 * i for i in range(64)]
    sample, calls = toy(means, noise=0.1)
    assert 63 in halve(64, sample, first_blocks=2, keep=4)
    assert [c for c, _ in calls] == [64, 16]


def test_halving_plays_no_more_than_it_announces():
    for n in (3, 4, 5, 17, 64, 1296):
        sample, calls = toy([0.001 * i for i in range(n)], noise=0.1)
        halve(n, sample, first_blocks=2, keep=4)
        assert sum(c * blocks for c, blocks in calls) == most_halving_blocks(n, first_blocks=2, keep=4)


def test_a_race_can_be_left_after_any_stage():
    means = [0.5, 0.5]
    stages = list(stages_of_race(2, toy(means)[0], block=BLOCK, first_blocks=4, most_blocks=16))
    assert [stage.games(0) for stage in stages] == [4 * BLOCK, 8 * BLOCK, 16 * BLOCK]
    whole = race(2, toy(means)[0], block=BLOCK, first_blocks=4, most_blocks=16)
    assert stages[-1].mean(1) == whole.mean(1)
    assert all(stage.comparisons == whole.comparisons for stage in stages)
