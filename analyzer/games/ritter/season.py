"""Tournaments in which the first entrant acts on orders: a certain knight, a training plan, a yield threshold.

Everything else is left to the policies, and the dice are those of the same game without orders, so two
orders can be compared on the same deals and dice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from analyzer.engine.chance import new_chance, open_streams
from analyzer.engine.game import Table, new_buffer
from analyzer.engine.jit import driver, inline, jit, record_type
from analyzer.engine.tally import new_row
from analyzer.engine.verbs import actor, apply, choose, deal, legal, outcome
from analyzer.games.ritter.kernel import dress
from analyzer.games.ritter.state import CHALLENGE, GIVE_UP, NONE, RIDE_ON, TRAIN, TRAIN_DIE, YIELD, move_of
from analyzer.games.ritter.worth import knights_with

MOST_POINTS = 32
_FIGHT, _YIELD, _TRAIN = move_of(YIELD, RIDE_ON), move_of(YIELD, GIVE_UP), move_of(TRAIN, 0)
_MOUNTED, _FOOT = 8, 9  # in a plan: the barest face of that part
_POINTS = {"dice": TRAIN_DIE, "mounted": _MOUNTED, "foot": _FOOT} | {str(face): face for face in range(1, 7)}

ORDERS = record_type(
    [
        ("card", np.int64),  # his first knight, or NONE for whom the deal gives him
        ("points", np.int64),  # length of that knight's training plan; the policy decides after it
        ("plan", np.int8, MOST_POINTS),
        ("yield_day", np.int64),  # day (0 is the first) on which he yields by threshold, or NONE
        ("yield_at", np.int64),
        ("entered_with", np.int64, 2),  # … in jousts that he and the other entered with so many wounds
    ]
)


def make_orders(
    card: int = NONE,
    plan: Sequence[str] = (),
    yield_day: int = NONE,
    yield_at: int = 0,
    entered_with: tuple[int, int] = (0, 0),
) -> Any:
    """Return orders (a record); a plan names what each training point buys: dice, 1 to 6, mounted, foot."""
    orders = np.zeros(1, ORDERS).view(np.recarray)[0]
    orders.card, orders.points = card, len(plan)
    orders.yield_day, orders.yield_at, orders.entered_with = yield_day, yield_at, entered_with
    orders.plan[: len(plan)] = [_POINTS[point] for point in plan]
    return orders


def play_ordered(
    table: Table, policies: np.ndarray, orders: Any, seed: int, first: int, count: int, rotate: bool = True
) -> np.ndarray:
    """Play games `first` to `first + count - 1` with the first entrant under orders.

    Returns
    -------
    Sums: his wins (in units of 1/2520), his score, the premiums of his first knight.
    """
    sums = np.zeros(3, np.int64)
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
        entered = others = 0
        seat = actor(rules, s)
        while seat >= 0:
            if s.phase == CHALLENGE:
                entered = knights_with(rules, s, orders.entered_with[0])
                others = knights_with(rules, s, orders.entered_with[1])
            n_moves = legal(rules, s, moves)
            move = NONE
            if seat == shift:
                move = _ordered(s, orders, knight, entered, others, moves, n_moves)
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


@inline
def _ordered(s, orders, knight, entered, others, moves, n_moves):
    """Return what the orders say here, or NONE."""
    move = NONE
    other = s.defender if s.asked == s.attacker else s.attacker
    if s.phase == YIELD and s.day == orders.yield_day and entered >> s.asked & others >> other & 1:
        move = _YIELD if s.wounds[s.asked] >= orders.yield_at else _FIGHT
    elif s.phase == TRAIN and s.knight == knight and s.trained[knight] < orders.points:
        move = _planned(s.cover[knight], orders.plan[s.trained[knight]], moves, n_moves)
    return move


@jit
def _planned(cover, point, moves, n_moves):
    """The planned training if it is legal, else NONE: what is full leaves the point to the policy."""
    what = point + 0  # a full integer, whatever the plan is kept in
    if what >= _MOUNTED:
        first = 3 * (what - _MOUNTED)
        face = first
        for other in range(first + 1, first + 3):
            if cover[other] < cover[face]:
                face = other
        what = np.int64(face + 1)
    for i in range(n_moves):
        if moves[i] == _TRAIN + what:
            return moves[i]
    return np.int64(NONE)
