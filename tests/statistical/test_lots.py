"""Equals are told apart by lot: each is left as often as the others."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.engine.chance import WHIM, beats, draw, lot, new_chance, one_seed, open_streams

GAMES = 6000
VALUES = (3, 7, 1, 7, 7)


def _first_past(chance):
    best, at, n_equal = -1, -1, 0
    for i, value in enumerate(VALUES):
        takes, n_equal = beats(chance, value, best, n_equal)
        if takes:
            best, at = value, i
    return at


def _highest_lot(chance):
    word = np.uint64(draw(chance, WHIM))
    return max(range(len(VALUES)), key=lambda i: (VALUES[i], lot(word, i)))


@pytest.mark.parametrize("chosen", [_first_past, _highest_lot])
def test_each_of_the_equals_is_left_as_often(chosen):
    chance = new_chance()
    counts = np.zeros(len(VALUES))
    for game in range(GAMES):
        open_streams(chance, one_seed(11), game)
        counts[chosen(chance)] += 1
    assert counts[[0, 2]].sum() == 0
    share = counts[[1, 3, 4]] / GAMES
    # 4.5 standard errors: a false alarm in about 50,000 runs; a shift of 3 points is seen
    assert np.abs(share - 1 / 3).max() < 4.5 * np.sqrt(2 / 9 / GAMES)
