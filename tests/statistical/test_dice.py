"""R14: the table and the dice give the exact distribution of wounds."""

from __future__ import annotations

import itertools
from collections import Counter

import numpy as np
import pytest

from analyzer.engine.chance import DICE, below, new_chance, one_seed, open_streams
from analyzer.engine.jit import driver
from analyzer.games import GAMES
from analyzer.games.ritter.kernel import FOOT, MOUNTED, attack
from analyzer.games.ritter.wounds import GUARDS, wound_counts
from tests.statistical.check import agrees, false_alarm, visible
from tests.tables import table_of


@driver
def _sample(rules, n_dice, guard, cover, part, chance, counts, n):
    for _ in range(n):
        counts[attack(rules, n_dice, guard, cover, part, chance)] += 1


@driver
def _throw(chance, counts, n):
    for _ in range(n):
        counts[below(chance, DICE, 6)] += 1


@pytest.mark.parametrize("n_dice", range(7))
def test_wound_counts_equal_full_enumeration(n_dice):
    """R14: every roll of n dice counted."""
    for covers in itertools.product(range(3), repeat=3):
        seen = Counter(
            sum(max(0, roll.count(face + 1) - covers[face]) for face in range(3))
            for roll in itertools.product(range(1, 7), repeat=n_dice)
        )
        assert wound_counts(n_dice, covers) == tuple(seen[w] for w in range(n_dice + 1))


def test_alias_tables_hold_the_exact_distribution():
    """The probability of each value, read out of the columns, is off by less than 2**-50."""
    rules = table_of(GAMES["ritter"], 4).rules
    bits = int(rules.wounds_bits)
    for n in range(14):
        for g, covers in enumerate(GUARDS):
            row = (n * len(GUARDS) + g) << bits
            mass = [0.0] * 32
            for column in rules.wounds_alias[row : row + (1 << bits)]:
                share = int(column) >> 10
                mass[(int(column) >> 5) & 31] += share / 2**54 / (1 << bits)
                mass[int(column) & 31] += (1 - share / 2**54) / (1 << bits)
            exact = [c / 6**n for c in wound_counts(n, covers)]
            assert np.allclose(mass[: n + 1], exact, atol=2.0**-50, rtol=0)
            assert sum(mass[n + 1 :]) < 2.0**-50


@pytest.mark.parametrize("by_die", [0, 1])
def test_both_paths_agree_with_the_exact_distribution(by_die):
    """R14: one table draw or die by die, mounted or on foot, over all guards and 1 to 13 dice."""
    table = table_of(GAMES["ritter"], 4)
    rules = np.zeros(1, table.rules.dtype).view(np.recarray)
    rules[0] = table.rules
    rules[0].by_die = by_die
    chance, n, comparisons = new_chance(), 100_000, 0
    open_streams(chance, one_seed(31), by_die)
    for n_dice in range(1, 14):
        for g, covers in enumerate(GUARDS):
            for part in (MOUNTED, FOOT):
                cover = np.zeros(6, np.int8)
                cover[3 * part : 3 * part + 3] = covers
                counts = np.zeros(32, np.int64)
                _sample(rules[0], n_dice, g, cover, part, chance, counts, n)
                for wounds, ways in enumerate(wound_counts(n_dice, covers)):
                    p = ways / 6**n_dice
                    if n * p > 500:  # below that the normal bound's tail is not the stated one
                        comparisons += 1
                        assert agrees(int(counts[wounds]), n, p), (n_dice, covers, wounds)
    assert false_alarm(comparisons) < 0.01
    assert visible(n, 0.5) < 0.01


def test_the_comparison_can_fail():
    """Negative control: covers one off are found at once."""
    rules = table_of(GAMES["ritter"], 4).rules
    chance, counts, n = new_chance(), np.zeros(32, np.int64), 20_000
    open_streams(chance, one_seed(31), 0)
    _sample(rules, 4, GUARDS.index((0, 1, 1)), np.zeros(6, np.int8), MOUNTED, chance, counts, n)
    wrong = wound_counts(4, (1, 1, 1))
    assert not all(agrees(int(counts[w]), n, c / 6**4) for w, c in enumerate(wrong))


def test_dice_are_fair():
    """A die shows each face alike."""
    chance, counts, n = new_chance(), np.zeros(6, np.int64), 6_000_000
    open_streams(chance, one_seed(1), 0)
    _throw(chance, counts, n)
    assert all(agrees(int(c), n, 1 / 6) for c in counts)
