"""The draws of Ritter, all of them, against the chances the rules give (R4, R8, R14)."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.engine.chance import DEAL, below, new_chance, open_streams
from analyzer.engine.jit import driver
from analyzer.engine.verbs import deal
from analyzer.games import GAMES
from analyzer.games.ritter.kernel import MOUNTED, attack, meet
from analyzer.games.ritter.state import SLOTS
from analyzer.games.ritter.wounds import GUARDS, wound_counts
from tests.statistical.check import agrees, false_alarm, visible
from tests.tables import table_of

RITTER = GAMES["ritter"]
N = 60_000


@driver
def _deal(rules, s, chance, seed, games, knights, ladies, pairs, starts):
    """Count where each card lies, which two lie in the first slots, knight with lady, and who starts."""
    for game in range(games):
        open_streams(chance, (seed, seed, seed), game)
        deal(rules, s, chance)
        for k in range(rules.players * rules.each):
            knights[s.knights[k], k] += 1
            ladies[s.ladies[k], k] += 1
        pairs[0, s.knights[0], s.knights[1]] += 1
        pairs[1, s.ladies[0], s.ladies[1]] += 1
        pairs[2, s.knights[0], s.ladies[0]] += 1
        pairs[3, s.knights[0], s.start] += 1
        starts[s.start] += 1


def dealt(players):
    # without points to train the start player is drawn in the deal
    table = table_of(RITTER, players, training_points=0)
    counts = np.zeros((10, 10), np.int64), np.zeros((10, 10), np.int64), np.zeros((4, 10, 10), np.int64)
    starts = np.zeros(10, np.int64)
    _deal(table.rules, table.new_states()[0], new_chance(), 19, N, *counts, starts)
    return *counts, starts


@pytest.mark.parametrize("players", [2, 4, 7, 10])
def test_every_card_lies_everywhere_alike_and_every_seat_starts_alike(players):
    """R4, R8: cards, pairs of cards and the start player, and no two of these draws hang together."""
    knights, ladies, pairs, starts = dealt(players)
    slots = players * (2 if players <= 5 else 1)
    expected = [(int(count), 1 / 10) for place in (knights, ladies) for count in place[:, :slots].ravel()]
    for own in pairs[:2]:
        assert not np.diag(own).any()
        expected += [(int(count), 1 / 90) for count in own[~np.eye(10, dtype=bool)]]
    expected += [(int(count), 1 / 100) for count in pairs[2].ravel()]
    expected += [(int(count), 1 / 10 / players) for count in pairs[3][:, :players].ravel()]
    expected += [(int(count), 1 / players) for count in starts[:players]]
    assert starts.sum() == N
    wrong = [(count, p) for count, p in expected if not agrees(count, N, p)]
    assert not wrong
    assert false_alarm(len(expected)) < 0.01
    assert visible(N, 1 / 4) < 0.011


@driver
def _starts(chance, players, games, counts, bias):
    for game in range(games):
        open_streams(chance, (19, 19, 19), game)
        counts[max(0, below(chance, DEAL, players + bias) - bias)] += 1


def test_a_start_player_a_little_too_often_is_found():
    """Negative control: one of 4 seats with 2 chances of 5 instead of 1 of 4 fails, the fair draw does not."""
    for bias in (0, 1):
        counts = np.zeros(4, np.int64)
        _starts(new_chance(), 4, N, counts, bias)
        assert all(agrees(int(count), N, 1 / 4) for count in counts) == (bias == 0)


@driver
def _first_attacks(rules, s, chance, games, cover, day, wounds, both):
    """Count the first attack of each pair's joust, and how it goes with that of the next place."""
    for game in range(games):
        open_streams(chance, (23, 23, 23), game)
        before = -1
        for a in range(SLOTS):
            for d in range(SLOTS):
                meet(s, a, d, day, chance)
                hurt = attack(rules, 3, 0, cover, MOUNTED, chance)
                wounds[a, d, hurt] += 1
                if before >= 0:
                    both[before, hurt] += 1
                before = hurt


@pytest.mark.parametrize("day", [0, 3, 10])
def test_every_joust_has_fair_dice_of_its_own(day):
    """R14: at each place of the dice, and no joust's dice go with those of the next; day 10 is the play-off's."""
    table, games = table_of(RITTER, 4), 2_000
    wounds, both = np.zeros((SLOTS, SLOTS, 32), np.int64), np.zeros((4, 4), np.int64)
    _first_attacks(table.rules, table.new_states()[0], new_chance(), games, np.zeros(6, np.int8), day, wounds, both)
    p = np.array(wound_counts(3, GUARDS[0])) / 6**3
    comparisons = [(int(c), games, q) for a in wounds.reshape(-1, 32)[:, :4] for c, q in zip(a, p, strict=True)]
    comparisons += [(int(c), games * 100, q) for c, q in zip(wounds.sum(axis=(0, 1))[:4], p, strict=True)]
    comparisons += [(int(both[i, j]), games * 99, p[i] * p[j]) for i in range(4) for j in range(4)]
    assert not [c for c in comparisons if not agrees(*c)]
    assert false_alarm(len(comparisons)) < 0.02
