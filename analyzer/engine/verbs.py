"""The verbs every game implements, dispatched on the type of its rules.

The rules of a game are one numpy record, whose dtype is the game's own. A driver calls
`apply(rules, …)`; numba looks at the type of `rules` while it compiles and puts the game's function
there, so the choice costs nothing at run time and, unlike a function passed as an argument, survives
in the disk cache. Without the compiler (`NUMBA_DISABLE_JIT=1`) the same call looks it up in a table.

Rules, state, policies and streams are all records because a record travels as one pointer. A named
tuple of arrays would be copied field by field, with a reference count touched for each array, at
every call: measured, that is 30 times slower.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import overload
from numba.np.numpy_support import from_dtype

from analyzer.engine import kernels
from analyzer.engine.jit import jit


def _verb(stub: Callable[..., Any], is_optional: bool = False) -> Any:
    """Turn a stub into a verb, with `.of(RULES)` to implement it for a game's rules dtype.

    An optional verb does for the games that leave it out what the stub does: nothing. A type of rules that is
    made from another can `take_over` what is implemented for that, and have a function of its own `instead`.
    """
    otherwise = stub if is_optional else None
    python: dict[np.dtype, Callable[..., Any]] = {}
    compiled: dict[Any, Callable[..., Any]] = {}

    def call(rules, *args):
        return (python.get(rules.dtype) or otherwise or python[rules.dtype])(rules, *args)

    def implementation(rules, *args):
        return compiled.get(rules, otherwise)

    def of(dtype: np.dtype) -> Callable[[Callable[..., Any]], Any]:
        def register(func: Callable[..., Any]) -> Any:
            python[dtype] = func
            compiled[from_dtype(dtype)] = func
            kernels.belongs(from_dtype(dtype), func.__module__)
            return jit(func)

        return register

    def take_over(plain: np.dtype, dtype: np.dtype) -> None:
        if plain in python:
            python[dtype], compiled[from_dtype(dtype)] = python[plain], compiled[from_dtype(plain)]
            kernels.belongs(from_dtype(dtype), python[plain].__module__)

    def instead(dtype: np.dtype, func: Callable[..., Any]) -> None:
        python[dtype] = compiled[from_dtype(dtype)] = func
        kernels.passes(from_dtype(dtype))

    call.__name__ = call.__qualname__ = stub.__name__
    call.__doc__ = stub.__doc__
    call.of = of  # type: ignore[attr-defined]
    call.table = python  # type: ignore[attr-defined]
    call.take_over = take_over  # type: ignore[attr-defined]
    call.instead = instead  # type: ignore[attr-defined]
    overload(call, strict=False, jit_options={"error_model": "numpy"})(implementation)
    return call


def _optional_verb(stub: Callable[..., Any]) -> Any:
    return _verb(stub, is_optional=True)


@_verb
def deal(rules, s, chance):
    """Set a new game up in `s` (modified in place)."""


@_verb
def actor(rules, s):
    """Return the seat whose decision it is, or -1 when the game is over."""


@_verb
def legal(rules, s, moves):
    """Write the legal moves of the actor into `moves` and return how many there are."""


@_verb
def apply(rules, s, move, chance):
    """Play `move` and everything that follows without a decision (modifies `s`)."""


@_verb
def choose(rules, s, policy, moves, n_moves, chance):
    """Return the move a policy picks; it looks only at what the actor may see."""


@_verb
def redeal(rules, s, seat, chance):
    """Shuffle what `seat` cannot see (modifies `s`)."""


@_optional_verb
def rethink(rules, s, seat, policies, moves, chance):
    """Let the others' policies, one a seat, decide anew what they hide from `seat` (modifies `s` and `moves`).

    Comes after `redeal`, for games with decisions that are made at once or in secret: what the rivals
    have decided already is drawn as what they decide later will be, so that an answer does not depend on
    who is asked first.
    """


@_verb
def outcome(rules, s, row):
    """Fill the result row of a finished game (modifies the arrays of `row`)."""


ALL = (deal, actor, legal, apply, choose, redeal, outcome)  # what every game implements
