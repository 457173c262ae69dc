"""Tournaments in which the first entrant acts on orders: a certain knight, a training plan.

Everything else is left to the policies, and the dice are those of the same game without orders, so two
orders can be compared on the same deals and dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from analyzer.engine.chance import new_chance, open_streams
from analyzer.engine.game import Table, new_buffer
from analyzer.engine.jit import driver, jit, record_type
from analyzer.engine.tally import new_row
from analyzer.engine.verbs import actor, apply, choose, deal, legal, outcome
from analyzer.games.ritter.kernel import dress
from analyzer.games.ritter.policies import barest
from analyzer.games.ritter.state import NONE, TRAIN, TRAIN_DIE, move_of

MOST_POINTS = 32
_TRAIN = move_of(TRAIN, 0)
_MOUNTED, _FOOT = 8, 9  # in a plan: the barest face of that part
_POINTS = {"dice": TRAIN_DIE, "mounted": _MOUNTED, "foot": _FOOT} | {str(face): face for face in range(1, 7)}

ORDERS = record_type(
    [
        ("card", np.int64),  # his first knight, or NONE for whom the deal gives him
        ("points", np.int64),  # length of that knight's training plan; the policy decides after it
        ("plan", np.int8, MOST_POINTS),
    ]
)


def make_orders(card: int = NONE, plan: Sequence[str] = ()) -> Any:
    """Return orders (a record); a plan names what each training point buys: dice, 1 to 6, mounted, foot."""
    orders = np.zeros(1, ORDERS).view(np.recarray)[0]
    orders.card, orders.points = card, len(plan)
    orders.plan[: len(plan)] = [_POINTS[point] for point in plan]
    return orders


def play_ordered(
    table: Table, policies: np.ndarray, orders: Any, seed: int, first: int, count: int, rotate: bool = True
) -> np.ndarray:
    """Play games `first` to `first + count - 1` with the first entrant under orders.

    Returns
    -------
    Sums: his wins (in units of 1/2520), his score, the premiums of his first knight, the points of the plan
    that could not be bought and were left to the policy.
    """
    sums = np.zeros(4, np.int64)
    row = new_row(*table.sizes)
    states, buffer = table.new_states(1), new_buffer(table)
    play_season(table.rules, policies, rotate, orders, seed, first, count, states, buffer, new_chance(), row, sums)
    return sums


@driver
def play_season(rules, policies, rotate, orders, seed, first, count, states, buffer, chance, row, sums):
    """Play the tournaments (modifies all from `states` on)."""
    n_seats = policies.shape[0]
    s, moves = states[0], buffer.moves
    for game in range(first, first + count):
        shift = game % n_seats if rotate else 0  # the first entrant's seat
        knight = shift * rules.each
        open_streams(chance, (seed, seed, seed), game)
        deal(rules, s, chance)
        if orders.card != NONE:
            _seat_knight(rules, s, orders.card, knight)
        seat = actor(rules, s)
        while seat >= 0:
            n_moves = legal(rules, s, moves)
            move = NONE
            if seat == shift and s.phase == TRAIN and s.knight == knight and s.trained[knight] < orders.points:
                move = _planned(s.cover[knight], orders.plan[s.trained[knight]], moves, n_moves, chance)
                sums[3] += move == NONE
            if move == NONE:
                entrant = seat - shift if seat >= shift else seat - shift + n_seats
                move = choose(rules, s, policies[entrant], moves, n_moves, chance)
            apply(rules, s, move, chance)
            seat = actor(rules, s)
        outcome(rules, s, row)
        sums[0] += row.win[shift]
        sums[1] += row.score[shift]
        sums[2] += s.premiums[knight]


@jit
def _seat_knight(rules, s, card, slot):
    """Exchange the knight in a slot for `card`, wherever that lies (before any training)."""
    place = 0
    while s.knights[place] != card:
        place += 1
    s.knights[place], s.knights[slot] = s.knights[slot], s.knights[place]
    dress(rules, s, slot)
    if place < rules.players * rules.each:
        dress(rules, s, place)


@jit
def _planned(cover, point, moves, n_moves, chance):
    """The planned training if it is legal, else NONE: without chips the point is left to the policy."""
    what = np.int64(point)  # a full integer, whatever the plan is kept in
    if what >= _MOUNTED:
        what = barest(cover, what - _MOUNTED, chance) + 1
        if what == 0:  # all fields of that part are covered
            return np.int64(NONE)
    for i in range(n_moves):
        if moves[i] == _TRAIN + what:
            return moves[i]
    return np.int64(NONE)
