"""When to yield: the optimal stopping problem of a fight on foot, solved backwards from the last round.

After a round both knights are asked in turn (R17, R18). Yielding leaves the joust with the wounds one
has; fighting on may bring the win, more wounds, or the end of one's tournament. What each end is worth
to a knight is given by his `Stakes`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from analyzer.engine.jit import driver
from analyzer.games.ritter.joust import ATTACKER, DEFENDER, Ends, Rider, exchange_odds, judge
from analyzer.games.ritter.rules import DEFENDER_FIRST


class Stakes(NamedTuple):
    """What the end of a joust is worth to a knight: float64 [own wounds, the other's], out coming last."""

    victorious: np.ndarray
    beaten: np.ndarray  # or without a winner


class Stopping(NamedTuple):
    """The solution: who yields where, and what fighting on and the best choice are worth."""

    yields: np.ndarray  # uint8 [side, attacker's wounds, defender's wounds]
    fighting: np.ndarray  # float64, the worth of another round to each side
    staying: np.ndarray  # … of not yielding when asked: the first to be asked may win because the second yields
    holds_until: int  # the last round up to which the map is the same


def best_yields(
    rules: Any,
    attacker: Rider,
    defender: Rider,
    stakes: tuple[Stakes, Stakes],
    fixed: tuple[np.ndarray | None, np.ndarray | None] = (None, None),
) -> Stopping:
    """Return where each knight yields; one with a fixed map keeps to it, others do what is best for them."""
    limit = int(rules.wound_limit)
    hurt_a, hurt_d = exchange_odds(rules, attacker, defender)
    worth = np.zeros((2, limit + hurt_a.shape[1], limit + hurt_d.shape[1]))
    free = np.array([side is None for side in fixed])
    yields, later = (np.zeros((2, limit, limit), np.uint8) for _ in range(2))
    fighting, staying = (np.zeros((2, limit, limit)) for _ in range(2))
    for side, given in enumerate(fixed):
        if given is not None:
            yields[side] = given
    pay = np.array([[s.victorious, s.beaten] for s in stakes], np.float64)
    holds_until = go_back(rules, hurt_a[2], hurt_d[2], pay, free, worth, yields, later, fighting, staying)
    return Stopping(yields, fighting, staying, int(holds_until))


def worth_of(ends: Ends, stakes: Stakes, side: int) -> float:
    """Return the expected worth of a joust to one side."""
    a, d = (np.minimum(np.arange(n), ends.limit) for n in ends.by_wounds.shape[1:])
    won, total = ends.by_wounds[side], ends.by_wounds.sum(axis=0)
    victorious, beaten = (grid if side == ATTACKER else grid.T for grid in stakes)
    here = np.ix_(a, d)
    return float((won * victorious[here]).sum() + ((total - won) * beaten[here]).sum())


@driver
def go_back(rules, hurt_a, hurt_d, pay, free, worth, yields, later, fighting, staying):
    """Go back from the last round (modifies all from `worth` on); return until when the map holds."""
    limit = yields.shape[1]
    for a in range(worth.shape[1]):
        for d in range(worth.shape[2]):
            winner = judge(rules, a, d, rules.max_rounds)
            at_a, at_d = min(a, limit), min(d, limit)
            worth[ATTACKER, a, d] = pay[ATTACKER, 0 if winner == ATTACKER else 1, at_a, at_d]
            worth[DEFENDER, a, d] = pay[DEFENDER, 0 if winner == DEFENDER else 1, at_d, at_a]
    first, second = ATTACKER, DEFENDER
    if rules.yield_order == DEFENDER_FIRST:
        first, second = DEFENDER, ATTACKER
    holds_until = rules.max_rounds - 1
    for bout in range(rules.max_rounds - 1, 0, -1):
        for side in range(2):
            for a in range(limit):
                for d in range(limit):
                    value = 0.0
                    for i in range(hurt_a.shape[0]):
                        for j in range(hurt_d.shape[0]):
                            value += hurt_a[i] * hurt_d[j] * worth[side, a + i, d + j]
                    fighting[side, a, d] = value
        later[:, :, :] = yields
        moved = 0.0
        for a in range(limit):
            for d in range(limit):
                own, his = (a, d), (d, a)
                # the second to be asked; the first knows what he will do
                if free[second]:
                    yields[second, a, d] = pay[second, 1, own[second], his[second]] > fighting[second, a, d]
                on = fighting[first, a, d]
                if yields[second, a, d]:
                    on = pay[first, 0, own[first], his[first]]
                staying[first, a, d], staying[second, a, d] = on, fighting[second, a, d]
                if free[first]:
                    yields[first, a, d] = pay[first, 1, own[first], his[first]] > on
                for side in range(2):
                    value = fighting[side, a, d]
                    if yields[first, a, d]:
                        value = pay[side, 1 if side == first else 0, own[side], his[side]]
                    elif yields[second, a, d]:
                        value = pay[side, 1 if side == second else 0, own[side], his[side]]
                    moved = max(moved, abs(value - worth[side, a, d]))
                    worth[side, a, d] = value
        if (later != yields).any():
            holds_until = bout
        elif moved == 0.0:
            break  # no earlier round differs
    return holds_until
