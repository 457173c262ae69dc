"""A joust once more, by enumeration of every roll in whole numbers (R14–R20a); small dice only."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction

from analyzer.games.ritter.joust import Rider


def attack_rolls(n_dice: int, cover: tuple[int, ...], first_face: int) -> Counter[int]:
    """R14: in how many rolls of the dice an attack makes how many wounds."""
    counts: Counter[int] = Counter()
    for roll in itertools.product(range(1, 7), repeat=n_dice):
        counts[sum(max(0, roll.count(face) - cover[face - 1]) for face in range(first_face, first_face + 3))] += 1
    return counts


def joust(a: Rider, d: Rider, options: dict, yield_a: int, yield_d: int) -> dict[tuple[str, int, int], Fraction]:
    """Return the exact chance of (winner, attacker's wounds, defender's wounds)."""
    rage, limit, last = options["enrage_dice"], options["wound_limit"], options["max_rounds"]
    rolls = 6 ** (a.dice + d.dice + 2 * rage)  # every round is counted in this many equal parts

    def exchange(extra: int, first_face: int) -> Counter[tuple[int, int]]:
        scale = 6 ** (2 * (rage - extra))
        hurt_d = attack_rolls(a.dice + extra, d.cover, first_face)
        hurt_a = attack_rolls(d.dice + extra, a.cover, first_face)
        return Counter({(i, j): scale * hurt_a[i] * hurt_d[j] for i in hurt_a for j in hurt_d})

    plain, enraged = exchange(0, 1), exchange(rage, 1)
    on_foot = {False: exchange(0, 4), True: exchange(rage, 4)}
    ends: dict[tuple[str, int, int], Fraction] = {}
    # on foot by wounds and blank rounds in a row there
    riding, walking, parts = 1, Counter(), 1

    def rages(blank: int) -> bool:
        return options["enrage_on_foot"] and (blank == 1 or (blank > 1 and options["enrage"] == "every_round"))

    for bout in range(1, last + 1):
        parts *= rolls
        went_on: Counter[tuple[int, int, int]] = Counter()
        rides = enraged if bout == 2 or (bout > 2 and options["enrage"] == "every_round") else plain
        fights = [(a.wounds + i, d.wounds + j, riding * n, i, j, 0) for (i, j), n in rides.items() if i or j]
        fights += [
            (w + i, v + j, m * n, -1, -1, 0 if i or j else blank + 1)
            for (w, v, blank), m in walking.items()
            for (i, j), n in on_foot[rages(blank)].items()
        ]
        riding *= rides[0, 0]
        for w, v, ways, i, j, blank in fights:
            winner = None
            asked = i < 0 or options["yield_before_foot"]
            if i == 0:
                winner = "attacker"
            elif j == 0:
                winner = "defender"
            elif w >= limit and v >= limit:
                winner = {"no_winner": "none", "attacker": "attacker"}.get(options["double_knockout"])
                if winner is None:
                    winner = "attacker" if w < v else "defender" if v < w else "none"
            elif w >= limit or v >= limit:
                winner = "attacker" if v >= limit else "defender"
            elif bout == last:
                winner = "none"
            elif asked:
                gives = [("defender", w >= yield_a), ("attacker", v >= yield_d)]
                if options["yield_order"] == "defender_first":
                    gives.reverse()
                winner = next((other for other, yields in gives if yields), None)
            if winner is None:
                went_on[w, v, min(blank, 2)] += ways
            else:
                ends[winner, w, v] = ends.get((winner, w, v), Fraction(0)) + Fraction(ways, parts)
        walking = went_on
    if riding:
        key = ("none", a.wounds, d.wounds)
        ends[key] = ends.get(key, Fraction(0)) + Fraction(riding, parts)
    return ends
