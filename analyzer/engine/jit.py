"""How this project compiles: functions called, functions put in place of the call, drivers, records.

Divisions follow numpy, so that no kernel can raise; `fastmath` stays off. Where numba is told to do
nothing (`NUMBA_DISABLE_JIT=1`) the functions run as plain Python and play the same games.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numba import config, njit

jit = njit(error_model="numpy")
inline = njit(error_model="numpy", inline="always")
driver = njit(error_model="numpy", nogil=True, cache=True)

COMPILED = not config.DISABLE_JIT  # type: ignore[attr-defined]


def record_type(fields: Iterable[tuple[Any, ...]]) -> np.dtype:
    """Return the dtype of a record that compiled code works on, from (name, type[, shape]) triples.

    Compiled code widens a small integer before it reckons with it, numpy's own scalars do not:
    without the compiler all of them are stored wide, so that both reckon alike.
    """
    if COMPILED:
        return np.dtype(list(fields))
    return np.dtype(
        [(name, np.int64 if np.dtype(kind).kind in "iu" and np.dtype(kind).itemsize < 8 else kind, *shape)
         for name, kind, *shape in fields]
    )  # fmt: skip
