"""Policies of one's own, written in Python: a function that picks a move, compiled beside the game's own.

A function that is decorated with `policy("ritter")` can be seated by its name like any shipped policy. The
game is registered anew with rules and policies of another type, so that the compiler keeps the two apart: what
stands compiled for the game as shipped stays as it is.
"""

from __future__ import annotations

import hashlib
import inspect
import runpy
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from analyzer.engine import verbs
from analyzer.engine.chance import CHANCE
from analyzer.engine.game import Game, Option, Policy, Table
from analyzer.engine.jit import compile_error, jit
from analyzer.errors import BadInput
from analyzer.games import GAMES, game_named, register

F = TypeVar("F", bound=Callable[..., Any])
CODE = "code"  # the parameter that says which function chooses; 0 is the game's own


def policy(game: str, name: str = "") -> Callable[[F], F]:
    """Make a function a policy of a game.

    The function takes (rules, s, policy, moves, n_moves, chance), as the verb `choose` does, and returns one
    of `moves[:n_moves]`. It is compiled by numba, looks only at what the seat may see, draws coins with
    `below(chance, WHIM, n)` and changes nothing. Its docstring is the sentence about the policy.

    Parameters
    ----------
    game : the name of a game.
    name : what seats call it; the function's own name if not given.
    """

    def register_it(function: F) -> F:
        register(_with(game_named(game), name or function.__name__, function))
        return function

    return register_it


def load_code(path: str) -> None:
    """Run a Python file that defines policies."""
    if not Path(path).is_file():
        raise BadInput(f"--code {path}: no such file")
    try:
        runpy.run_path(path)
    except Exception as error:
        raise BadInput(f"--code {path}: {type(error).__name__}: {error}") from error


def _with(game: Game, name: str, function: Callable[..., Any]) -> Game:
    """Return a game with one more policy, chosen for by a function; one of the same name gives way."""
    if any(shipped.name == name for shipped in game.policies if not shipped.parameters.get(CODE)):
        raise BadInput(f"{game.title} has a policy {name!r} already; give yours another name")
    taken = [p.parameters[CODE] for p in game.policies if p.parameters.get(CODE)]
    number = max(taken, default=0) + 1
    mark = hashlib.sha256(f"{name} {number} {inspect.getsource(function)}".encode()).hexdigest()[:12]
    plain = game.prepare(game.least_players, {option.key: option.default for option in game.options}, None).rules.dtype
    # the mark stands first: to numba a record with one more field at its end is still the shorter one
    rules = np.dtype([(f"own_{mark}", np.uint64), *_fields(plain)])
    kind = game.policy if CODE in (game.policy.names or ()) else np.dtype([(CODE, np.int64), *_fields(game.policy)])
    own = jit(function)
    wrong = compile_error(own, rules, game.state, kind, CHANCE)
    if wrong:
        raise BadInput(f"the policy {name!r} cannot be compiled: {wrong}")
    _implement(plain, rules, number, own)

    def prepare(players: int, options: Mapping[str, Any], deck: Path | None) -> Table:
        table = game.prepare(players, options, deck)
        return replace(table, game=GAMES[game.name], rules=_as(rules, table.rules))

    about = (inspect.getdoc(function) or "").partition("\n")[0]
    code = Option(CODE, 0, "which function of one's own chooses; 0: none", low=0, high=10_000)
    return replace(
        game,
        prepare=prepare,
        policy=kind,
        parameters=(*(p for p in game.parameters if p.key != CODE), code),
        policies=(*(p for p in game.policies if p.name != name), Policy(name, about, {CODE: number})),
    )


def _implement(plain: np.dtype, rules: np.dtype, number: int, own: Any) -> None:
    """Give the new type of rules the game's verbs, and a choice that asks the function first."""
    usual = jit(verbs.choose.table[plain])

    def choose(rules, s, policy, moves, n_moves, chance):
        if policy.code == number:
            return own(rules, s, policy, moves, n_moves, chance)
        return usual(rules, s, policy, moves, n_moves, chance)

    for verb in (*verbs.ALL, verbs.rethink):
        verb.take_over(plain, rules)
    verbs.choose.instead(rules, choose)


def _fields(dtype: np.dtype) -> list[tuple[Any, ...]]:
    """Return the fields of a record's type, nested arrays included."""
    fields = []
    for key in dtype.names or ():
        kind = dtype[key]
        fields.append((key, kind.base, kind.shape) if kind.shape else (key, kind))
    return fields


def _as(dtype: np.dtype, record: Any) -> Any:
    """Return a record of another type with the same content."""
    array = np.zeros(1, dtype)
    for key in record.dtype.names:
        array[key][0] = record[key]
    array.setflags(write=False)
    return array.view(np.recarray)[0]
