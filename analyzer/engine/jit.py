"""How this project compiles: functions called, functions put in place of the call, drivers, records.

Divisions follow numpy, so that no kernel can raise; `fastmath` stays off. Where numba is told to do
nothing (`NUMBA_DISABLE_JIT=1`) the functions run as plain Python and play the same games.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import numpy as np
from numba import config, njit
from numba.core.errors import NumbaError
from numba.np.numpy_support import from_dtype

from analyzer.engine.kernels import KernelCache

F = TypeVar("F", bound=Callable[..., Any])
COMPILED = not config.DISABLE_JIT  # type: ignore[attr-defined]

jit = njit(error_model="numpy")
inline = njit(error_model="numpy", inline="always")


def driver(function: F) -> F:
    """Compile a function that Python calls: it gives other threads leave to run, and is kept on disk."""
    compiled: Any = njit(error_model="numpy", nogil=True)(function)
    if COMPILED:
        compiled._cache = KernelCache(function)
    return compiled


def compile_error(choose: Any, rules: np.dtype, state: np.dtype, policy: np.dtype, chance: np.dtype) -> str:
    """Return what keeps a choice of moves from being compiled for records of these types, or nothing."""
    if not COMPILED:
        return ""
    moves = np.dtype([("moves", np.int64, 8)])

    def trial(rules, s, policy, buffer, chance):
        return np.int64(choose(rules, s, policy, buffer.moves, 1, chance))

    try:
        jit(trial).compile(tuple(map(from_dtype, (rules, state, policy, moves, chance))))
    except NumbaError as error:
        told = [line.strip() for line in str(error).splitlines() if line.strip()]
        plain = [line for line in told if not line.startswith(("Failed in", "During:", "File ", ">>>", "Record("))]
        return " ".join(plain[:2])[:300]
    return ""


def is_compiled(driver: Any, rules: Any = None) -> bool:
    """Return whether a driver stands compiled on disk for some rules, or needs no compiling."""
    if not COMPILED:
        return True
    return driver._cache.holds(from_dtype(rules.dtype) if rules is not None else None)


def is_compiling() -> bool:
    """Return whether some thread is compiling just now."""
    return any(_is_in_compiler(frame) for frame in sys._current_frames().values())


def _is_in_compiler(frame: Any) -> bool:
    while frame is not None:
        if frame.f_globals.get("__name__") == "numba.core.dispatcher" and "compile" in frame.f_code.co_name:
            return True
        frame = frame.f_back
    return False


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
