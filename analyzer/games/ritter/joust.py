"""A joust alone: the exact chance of every way it can end (R14–R20a), and the same joust fought many times.

`solve` follows the probability round by round. What is still undecided sits in two places: on
horseback, where a blank round leads to the next, and on foot, by the wounds of both. Nothing is
sampled. `fight` draws jousts from the kernel that plays tournaments, to be set beside it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from analyzer.engine.chance import new_chance, open_streams
from analyzer.engine.jit import driver, inline, jit
from analyzer.engine.run import add_up
from analyzer.games.ritter.kernel import (
    FIGHT_ON,
    FOOT,
    MOUNTED,
    foot_rage,
    foot_round,
    meet,
    rage_dice,
    ride_at_each_other,
)
from analyzer.games.ritter.rules import DEFENDER_FIRST, KO_ATTACKER, KO_FEWER_WOUNDS, lost_dice
from analyzer.games.ritter.state import NONE, STATE
from analyzer.games.ritter.wounds import GUARD_OF, wound_counts

ATTACKER, DEFENDER, NOBODY = 0, 1, 2  # who has won
NEVER = 1 << 20  # a threshold that no wounds reach
_NOTHING = 1e-18  # undecided probability that can no longer change a float64 near 1
# sums over jousts, in the order of the fields of `Ends`
_ROUNDS, _ROUNDS_SQUARED, _MOUNTED, _STALLED = 0, 1, 2, 3
_SUMS = 4


class Rider(NamedTuple):
    """A knight as he enters the lists."""

    dice: int
    cover: tuple[int, ...]
    wounds: int = 0


@dataclass(frozen=True)
class Ends:
    """How a joust ends: chances, or counts of simulated jousts, and sums over them.

    `by_wounds` is [winner, attacker's wounds, defender's wounds]; `total` is 1 or the number of jousts.
    """

    by_wounds: np.ndarray
    total: float
    limit: int
    rounds: float
    rounds_squared: float
    mounted: float  # decided on horseback
    stalled: float  # stopped at max_rounds

    @property
    def winner(self) -> np.ndarray:
        """Chance or count of attacker, defender, nobody."""
        return self.by_wounds.sum(axis=(1, 2))

    @property
    def out(self) -> tuple[float, float]:
        """Chance or count of attacker and defender being out of the tournament (R19)."""
        both = self.by_wounds.sum(axis=0)
        return float(both[self.limit :].sum()), float(both[:, self.limit :].sum())


def threshold(limit: int, wounds: int, side: int) -> np.ndarray:
    """Return the yield map of a knight who yields with `wounds` or more: uint8 [attacker's, defender's wounds]."""
    own = np.arange(limit) >= wounds
    grid = np.repeat(own[:, None], limit, axis=1)
    return (grid if side == ATTACKER else grid.T).astype(np.uint8)


def solve(rules: Any, attacker: Rider, defender: Rider, yields: tuple[np.ndarray, np.ndarray] | None = None) -> Ends:
    """Return the exact distribution of a joust's end.

    Parameters
    ----------
    yields : the maps of attacker and defender: the chance that he yields when asked, such as 0 or 1; nobody
        yields without them.
    """
    limit = int(rules.wound_limit)
    maps = yields or (threshold(limit, NEVER, ATTACKER), threshold(limit, NEVER, DEFENDER))
    yields_a, yields_d = (np.ascontiguousarray(each, np.float64) for each in maps)
    hurt_a, hurt_d = exchange_odds(rules, attacker, defender)
    shape = (limit + hurt_a.shape[1], limit + hurt_d.shape[1])
    ends, sums = np.zeros((3, *shape)), np.zeros(4)
    blanks = 3 if rules.enrage_on_foot else 1  # R16: blank rounds on foot in a row; the last stands for more
    foot, after = np.zeros((blanks, limit, limit)), np.zeros((blanks, limit, limit))
    half = np.zeros((shape[0], limit))
    follow_chances(
        rules, hurt_a, hurt_d, attacker.wounds, defender.wounds, yields_a, yields_d, foot, after, half, ends, sums
    )
    return Ends(ends, 1.0, limit, *sums.tolist())


def exchange_odds(rules: Any, attacker: Rider, defender: Rider) -> tuple[np.ndarray, np.ndarray]:
    """Return what attacker and defender suffer in a round: float64 [kind, wounds].

    The kinds: mounted, mounted and enraged, on foot, on foot and enraged.
    """
    dice = [riding_dice(rules, rider) for rider in (attacker, defender)]
    rage = int(rules.enrage_dice)
    tables = []
    for target, thrown in ((attacker, dice[DEFENDER]), (defender, dice[ATTACKER])):
        table = np.zeros((4, thrown + rage + 1))
        kinds = ((thrown, MOUNTED), (thrown + rage, MOUNTED), (thrown, FOOT), (thrown + rage, FOOT))
        for row, (n_dice, part) in enumerate(kinds):
            odds = wound_odds(n_dice, tuple(sorted(target.cover[3 * part : 3 * part + 3])))
            table[row, : len(odds)] = odds
        tables.append(table)
    return tables[0], tables[1]


def riding_dice(rules: Any, rider: Rider) -> int:
    """Return the dice a knight throws; with `wounded_attack` his wounds count as those of the morning (R26)."""
    return rider.dice - lost_dice(rules, rider.dice, rider.wounds)


@cache
def wound_odds(n_dice: int, covers: tuple[int, ...]) -> tuple[float, ...]:
    """Return the chances of 0, 1, … wounds from an attack (R14)."""
    return tuple(count / 6**n_dice for count in wound_counts(n_dice, covers))


@driver
def follow_chances(rules, hurt_a, hurt_d, wounds_a, wounds_d, yields_a, yields_d, foot, after, half, ends, sums):
    """Follow the probability round by round (modifies all from `foot` on).

    `foot` holds the undecided on foot by blank rounds in a row and wounds, `mounted` those still on
    horseback after blank rounds.
    """
    mounted, on_foot = 1.0, 0.0
    n_a, n_d = hurt_a.shape[1], hurt_d.shape[1]
    for bout in range(1, rules.max_rounds + 1):
        undecided = mounted + on_foot
        if undecided < _NOTHING:
            break
        sums[_ROUNDS] += undecided  # the rounds are the sum of the chances that there is another one
        sums[_ROUNDS_SQUARED] += undecided * (2 * bout - 1)
        after[:, :, :] = 0.0
        if on_foot > 0.0:
            for blank in range(foot.shape[0]):
                _foot_exchange(rules, blank, hurt_a, hurt_d, bout, yields_a, yields_d, foot, after, half, ends, sums)
        kind = 1 if rage_dice(rules, bout - 1) > 0 else 0
        for i in range(n_a):
            for j in range(n_d):
                p = mounted * hurt_a[kind, i] * hurt_d[kind, j]
                a, d = wounds_a + i, wounds_d + j
                if i > 0 and j > 0:
                    winner = judge(rules, a, d, bout)
                    if winner in (ATTACKER, DEFENDER):
                        sums[_MOUNTED] += p
                    if winner == FIGHT_ON and rules.yield_before_foot:
                        _ask_both(rules, 0, a, d, p, yields_a, yields_d, after, ends)
                    else:
                        _settle(winner, 0, a, d, p, bout >= rules.max_rounds, after, ends, sums)
                elif i > 0 or j > 0:  # R15
                    ends[ATTACKER if j > 0 else DEFENDER, a, d] += p
                    sums[_MOUNTED] += p
        mounted *= hurt_a[kind, 0] * hurt_d[kind, 0]
        foot[:, :, :] = after
        on_foot = foot.sum()
    if bout == rules.max_rounds:  # R20a: still riding at each other
        ends[NOBODY, wounds_a, wounds_d] += mounted
        sums[_STALLED] += mounted


@jit
def _foot_exchange(rules, blank, hurt_a, hurt_d, bout, yields_a, yields_d, foot, after, half, ends, sums):
    """One round on foot for all wounds at once (R17): first the attacker's new wounds, then the defender's.

    With `enrage_on_foot` those whom the attacker's wounds leave alone are followed apart: the round may be blank.
    """
    kind = 3 if foot_rage(rules, blank) > 0 else 2
    half[:, :] = 0.0
    limit, n_d = foot.shape[1], hurt_d.shape[1]
    apart = 1 if rules.enrage_on_foot else 0
    for a in range(limit):
        for i in range(apart, hurt_a.shape[1]):
            for d in range(limit):
                half[a + i, d] += foot[blank, a, d] * hurt_a[kind, i]
    for a in range(half.shape[0]):
        for d in range(limit):
            if half[a, d] > 0.0:
                for j in range(n_d):
                    p = half[a, d] * hurt_d[kind, j]
                    _after_round(rules, 0, a, d + j, p, bout, yields_a, yields_d, after, ends, sums)
    if apart:
        for a in range(limit):
            for d in range(limit):
                for j in range(n_d):
                    p = foot[blank, a, d] * hurt_a[kind, 0] * hurt_d[kind, j]
                    then = min(blank + 1, 2) if j == 0 else 0
                    _after_round(rules, then, a, d + j, p, bout, yields_a, yields_d, after, ends, sums)


@inline
def _after_round(rules, blank, a, d, p, bout, yields_a, yields_d, after, ends, sums):
    if p > 0.0:
        winner = judge(rules, a, d, bout)
        if winner == FIGHT_ON:
            _ask_both(rules, blank, a, d, p, yields_a, yields_d, after, ends)
        else:
            _settle(winner, blank, a, d, p, bout >= rules.max_rounds, after, ends, sums)


@inline
def _ask_both(rules, blank, a, d, p, yields_a, yields_d, after, ends):
    """R17, R18: both are asked, the second only if the first fights on."""
    if rules.yield_order == DEFENDER_FIRST:
        lost_d = p * yields_d[a, d]
        lost_a = (p - lost_d) * yields_a[a, d]
    else:
        lost_a = p * yields_a[a, d]
        lost_d = (p - lost_a) * yields_d[a, d]
    ends[DEFENDER, a, d] += lost_a
    ends[ATTACKER, a, d] += lost_d
    after[blank, a, d] += p - lost_a - lost_d


@inline
def judge(rules, a, d, bout):
    """R19, R20a: who has won with `a` and `d` wounds after so many rounds, or FIGHT_ON."""
    result = FIGHT_ON
    if a >= rules.wound_limit and d >= rules.wound_limit:
        result = NOBODY
        if rules.double_knockout == KO_ATTACKER:
            result = ATTACKER
        elif rules.double_knockout == KO_FEWER_WOUNDS and a != d:
            result = ATTACKER if a < d else DEFENDER
    elif a >= rules.wound_limit:
        result = DEFENDER
    elif d >= rules.wound_limit:
        result = ATTACKER
    elif bout >= rules.max_rounds:
        result = NOBODY
    return result


@inline
def _yielded(rules, a, d, yields_a, yields_d):
    """R17, R18: who has won because the other yields, or FIGHT_ON."""
    result = FIGHT_ON
    if yields_a[a, d] and (rules.yield_order != DEFENDER_FIRST or not yields_d[a, d]):
        result = DEFENDER
    elif yields_d[a, d]:
        result = ATTACKER
    return result


@inline
def _settle(winner, blank, a, d, p, last_round, after, ends, sums):
    if winner == FIGHT_ON:
        after[blank, a, d] += p
    else:
        ends[winner, a, d] += p
        if winner == NOBODY and last_round and a < after.shape[1] and d < after.shape[2]:
            sums[_STALLED] += p


def fight(
    rules: Any,
    attacker: Rider,
    defender: Rider,
    yields: tuple[np.ndarray, np.ndarray] | None,
    seed: int,
    jousts: int,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda fought: None,
) -> Ends:
    """Fight jousts 0 to `jousts - 1` of a seed with the tournament's kernel and count how they end.

    An interruption leaves those fought until then: the `total` tells how many.
    """
    limit = int(rules.wound_limit)
    maps = yields or (threshold(limit, NEVER, ATTACKER), threshold(limit, NEVER, DEFENDER))
    most = limit + max(attacker.dice, defender.dice) + int(rules.enrage_dice) + 1

    def part(first: int, count: int) -> np.ndarray:
        counts = np.zeros(3 * most * most + _SUMS, np.int64)
        ends, sums = counts[:-_SUMS].reshape(3, most, most), counts[-_SUMS:]
        states = _lists(rules, attacker, defender)
        fight_jousts(
            rules, attacker.wounds, defender.wounds, *maps, seed, first, count, states, new_chance(), ends, sums
        )
        return counts

    run = add_up(part, jousts, threads=threads, progress=progress)
    if run.result is None:
        raise KeyboardInterrupt
    rounds, squares, mounted, stalled = run.result[-_SUMS:].tolist()
    ends = run.result[:-_SUMS].reshape(3, most, most)
    return Ends(ends, run.n_games, limit, rounds, squares, mounted, stalled)


def _lists(rules: Any, attacker: Rider, defender: Rider) -> np.ndarray:
    """Return a state with the two knights in slots 0 and 1."""
    states = np.zeros(1, STATE).view(np.recarray)
    for k, rider in enumerate((attacker, defender)):
        states[0].dice[k] = riding_dice(rules, rider)
        states[0].cover[k] = rider.cover
        for part in (MOUNTED, FOOT):
            x, y, z = rider.cover[3 * part : 3 * part + 3]
            states[0].guard[k, part] = GUARD_OF[x * 9 + y * 3 + z]
    return states


@driver
def fight_jousts(rules, wounds_a, wounds_d, yields_a, yields_d, seed, first, count, states, chance, ends, sums):
    """Fight jousts one after the other (modifies all from `states` on)."""
    s = states[0]
    for joust in range(first, first + count):
        open_streams(chance, (seed, seed, seed), joust)
        s.wounds[0], s.wounds[1] = wounds_a, wounds_d
        s.stalled = 0
        meet(s, 0, 1, 0, chance)
        result = ride_at_each_other(rules, s, chance)
        sums[_MOUNTED] += result >= 0
        asked = rules.yield_before_foot
        while result == FIGHT_ON:
            if asked:
                winner = _yielded(rules, s.wounds[0], s.wounds[1], yields_a, yields_d)
                if winner != FIGHT_ON:
                    result = winner
                    break
            result = foot_round(rules, s, chance)
            asked = 1
        ends[NOBODY if result == NONE else result, s.wounds[0], s.wounds[1]] += 1
        sums[_ROUNDS] += s.bout
        sums[_ROUNDS_SQUARED] += s.bout * s.bout
        sums[_STALLED] += s.stalled
