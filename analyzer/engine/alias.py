"""Walker's alias tables: one load and one comparison for a draw from a known distribution.

A column is one uint64: 54 bits of threshold, 5 bits each for the two values it can give. Tables are
built with whole numbers, so a probability is off by no more than 2**-54.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analyzer.engine.jit import inline

MOST_VALUES = 32
_U5, _U10, _U31, _U64 = np.uint64(5), np.uint64(10), np.uint64(31), np.uint64(64)


def column_bits(n_values: int) -> int:
    """Return the base-2 logarithm of the columns that a table of `n_values` needs."""
    return max(1, (n_values - 1).bit_length())


def alias_table(weights: Sequence[int], bits: int) -> np.ndarray:
    """Return the 2**bits columns for values 0, 1, … with the given whole-number weights."""
    columns = 1 << bits
    if len(weights) > columns or columns > MOST_VALUES:
        raise ValueError(f"{len(weights)} values do not fit into {columns} columns")
    total = sum(weights)
    # Every column holds `total` units; value v has columns * weight units to hand out.
    left = [columns * w for w in weights] + [0] * (columns - len(weights))
    table = np.zeros(columns, np.uint64)
    small = [v for v in range(columns) if left[v] < total]
    large = [v for v in range(columns) if left[v] >= total]
    while small:
        poor, rich = small.pop(), large[-1]
        table[poor] = (left[poor] * (1 << 54) // total) << 10 | poor << 5 | rich
        left[rich] -= total - left[poor]
        if left[rich] < total:
            small.append(large.pop())
    for v in large:
        table[v] = v << 5 | v
    return table


@inline
def alias_value(table, row, bits, random):
    """Return the value that 64 random bits pick from the table beginning at `row`."""
    column = table[row + np.int64(random >> (_U64 - bits))]
    if ((random << bits) >> _U10) < (column >> _U10):
        return np.int64((column >> _U5) & _U31)
    return np.int64(column & _U31)
