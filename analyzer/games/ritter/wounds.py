"""How many wounds an attack makes (R14): the exact distribution and the tables drawn from.

Three faces can hit, and each takes as many hits as it has covers. By symmetry only the sorted covers
matter: ten *guards*, from 000 to 222.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import comb

import numpy as np

from analyzer.engine.alias import alias_table, column_bits

GUARDS = tuple(combinations_with_replacement(range(3), 3))
N_GUARDS = len(GUARDS)
# guard number of covers (a, b, c), at a * 9 + b * 3 + c
GUARD_OF = np.array([GUARDS.index(tuple(sorted((i // 9, i // 3 % 3, i % 3)))) for i in range(27)], np.int8)
GUARD_OF.flags.writeable = False


@cache
def wound_counts(n_dice: int, covers: tuple[int, ...], other_faces: int = 3) -> tuple[int, ...]:
    """Return in how many of the 6**n rolls an attack makes 0, 1, … n wounds.

    Parameters
    ----------
    n_dice : dice thrown.
    covers : covers of the faces that can hit.
    other_faces : faces that never hit.
    """
    if not covers:
        return (other_faces**n_dice,) + (0,) * n_dice
    first, rest = covers[0], covers[1:]
    counts = [0] * (n_dice + 1)
    for hits in range(n_dice + 1):
        ways = comb(n_dice, hits)
        for wounds, count in enumerate(wound_counts(n_dice - hits, rest, other_faces)):
            counts[wounds + max(0, hits - first)] += ways * count
    return tuple(counts)


def wound_tables(most_dice: int) -> tuple[np.ndarray, int, np.ndarray, np.ndarray]:
    """Return the tables for attacks with 0 to `most_dice` dice.

    Returns
    -------
    alias : uint64, the row of (dice, guard) starting at (dice * N_GUARDS + guard) << bits.
    bits : log2 of a row's length.
    hit : float64 [dice, guard], the odds of at least one wound.
    mean : float64 [dice, guard], the expected wounds.
    """
    bits = column_bits(most_dice + 1)
    alias, hit, mean = [], np.zeros((most_dice + 1, N_GUARDS)), np.zeros((most_dice + 1, N_GUARDS))
    for n in range(most_dice + 1):
        for g, covers in enumerate(GUARDS):
            counts = wound_counts(n, covers)
            alias.append(alias_table(counts, bits))
            hit[n, g] = 1 - counts[0] / 6**n
            mean[n, g] = sum(w * c for w, c in enumerate(counts)) / 6**n
    return np.concatenate(alias), bits, hit, mean
