"""F3–F6: every draw of the deal has the odds it should have.

Each count is compared through `agrees`: a false alarm in about 150,000 comparisons; some 250 are made here.
With 4000 deals a shift of 4 points in a half, of 2 in a 24th is seen nine times in ten.
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from analyzer.engine import drive
from analyzer.engine.chance import new_chance, one_seed
from analyzer.games.fredericus.cards import FREDERICUS, TOTALS, deck_of
from tests.games.fredericus.table import GAME
from tests.statistical.check import agrees, visible
from tests.tables import table_of

DEALS = 4000


@cache
def deals(players: int, **options: Any) -> list[Any]:
    """Return many dealt states."""
    table = table_of(GAME, players, **options)
    chance, states = new_chance(), table.new_states(DEALS)
    for game in range(DEALS):
        drive.begin(table.rules, states[game], one_seed(31), game, chance)
    return list(states)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_f6_every_seat_starts_as_often(players: int) -> None:
    starts = Counter(int(s.start) for s in deals(players))
    assert all(agrees(starts[seat], DEALS, 1 / players) for seat in range(players))


def test_a_biased_start_is_noticed() -> None:
    """Negative control: a start that is off by as much as the test says it sees."""
    share = 1 / 2 + visible(DEALS, 1 / 2)
    assert not agrees(round(share * DEALS), DEALS, 1 / 2)


@pytest.mark.parametrize("players", [2, 4])
def test_f3_every_card_lies_in_every_row_and_at_every_end_as_often(players: int) -> None:
    in_rows, _ = deck_of(players)
    n_cards = int(in_rows.sum())
    ends: Counter = Counter()
    castle: Counter = Counter()
    for s in deals(players):
        for row in range(8):
            ends[row, int(s.rows[row, s.length[row] - 1])] += 1
            castle[row, int(s.rows[row, 0])] += 1
    for row in range(8):
        for card in range(len(TOTALS)):
            share = int(in_rows[card]) / n_cards
            assert agrees(ends[row, card], DEALS, share)
            assert agrees(castle[row, card], DEALS, share)


def test_f3_neighbouring_cards_are_independent() -> None:
    """Two cards side by side are two draws without putting back."""
    pairs = sum(int(s.rows[0, 3]) == int(s.rows[0, 4]) == 0 for s in deals(4))
    assert agrees(pairs, DEALS, 24 / 88 * 23 / 87)
    across = sum(int(s.rows[2, 5]) == int(s.rows[6, 1]) == 1 for s in deals(4))
    assert agrees(across, DEALS, 24 / 88 * 23 / 87)


def test_f4_pairs_of_falcons_stand_on_every_axis_and_either_way_as_often() -> None:
    places: Counter = Counter()
    opposite = 0
    for s in deals(4, falcon_setup="random"):
        opposite += int(s.tower[1, 0]) < 4
        for seat in range(4):
            places[seat, int(s.tower[seat, 0])] += 1
    assert agrees(opposite, DEALS, 1 / 2)
    assert all(agrees(places[seat, tower], DEALS, 1 / 8) for seat in range(4) for tower in range(8))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_f5_goals_are_dealt_alike_and_fredericus_lies_anywhere_among_the_last_five(players: int) -> None:
    held: Counter = Counter()
    place: Counter = Counter()
    top: Counter = Counter()
    for s in deals(players):
        for seat in range(players):
            held[seat, int(s.goals[seat].argmax())] += 1
        pile = s.pile[: s.pile_left].tolist()
        place[pile.index(FREDERICUS)] += 1
        top[pile[-1]] += 1
    assert all(agrees(held[seat, kind], DEALS, 1 / 8) for seat in range(players) for kind in range(8))
    assert all(agrees(place[at], DEALS, 1 / 5) for at in range(5))
    assert all(agrees(top[kind], DEALS, 1 / 8) for kind in range(8))


@pytest.mark.parametrize("players", [2, 3])
def test_f5_what_is_laid_aside_is_drawn_alike(players: int) -> None:
    n = 4 * (4 - players)
    aside = sum(s.aside.astype(int) for s in deals(players))
    assert int(aside.sum()) == n * DEALS
    for kind in range(8):  # a kind's cards aside vary less than n draws with putting back
        assert agrees(int(aside[kind]), n * DEALS, 1 / 8)
