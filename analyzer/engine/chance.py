"""Random streams that depend on (seed, purpose, game) and on nothing else.

One splitmix64 sequence serves a seed. Each purpose owns a quarter of it, each game 2**28 numbers of
that quarter, each of 2048 *places* in a game (say, one joust) 2**17 of those: no two overlap below
2**34 games. Opening a stream is three multiplications, so game 4711 of seed 7 is the same game on
any thread, and two rule variants meet the same deals and dice.

`chance` is a record made by `new_chance`: the positions of the streams, where those of this game
begin, and a tape of dice that a written game may prescribe.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from analyzer.engine.jit import COMPILED, inline, jit, record_type

DEAL, DICE, WHIM = 0, 1, 2  # the purposes: deal, dice and draws, the policies' coin flips
TAPE_LENGTH = 512
CHANCE = record_type(
    [
        ("at", np.uint64, 3),  # position of each stream
        ("home", np.uint64, 2),  # where the deal and the dice of the present game begin
        ("tape_at", np.int64),  # prescribed dice: the next one, how many, the dice themselves
        ("tape_end", np.int64),
        ("tape", np.int8, TAPE_LENGTH),
    ]
)

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_PURPOSE = np.uint64((1 << 62) * int(GOLDEN) % (1 << 64))
_GAME = np.uint64((1 << 28) * int(GOLDEN) % (1 << 64))
_PLACE = np.uint64((1 << 17) * int(GOLDEN) % (1 << 64))
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_U27, _U30, _U31, _U32, _U48 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32), np.uint64(48)

if not COMPILED:
    np.seterr(over="ignore")  # the sequence wraps round on purpose; numpy's scalars would warn


def new_chance() -> Any:
    """Return an unopened set of streams (a record)."""
    return np.zeros(1, CHANCE).view(np.recarray)[0]


def prescribe(chance: Any, dice: Sequence[int]) -> None:
    """Put dice on the tape: the next `die` calls take them in order (modifies `chance`)."""
    chance.tape_at, chance.tape_end = 0, len(dice)
    chance.tape[: len(dice)] = dice


def unused_dice(chance: Any) -> int:
    """Return how many prescribed dice nobody has rolled yet."""
    return int(chance.tape_end - chance.tape_at)


@inline
def mix(z):
    """Return splitmix64's output for a position (uint64 -> uint64)."""
    z = (z ^ (z >> _U30)) * _M1
    z = (z ^ (z >> _U27)) * _M2
    return z ^ (z >> _U31)


@inline
def _start(seed, game, stream):
    return mix(np.uint64(seed) * _M1 + GOLDEN) + np.uint64(game) * _GAME + np.uint64(stream) * _PURPOSE


@jit
def open_streams(chance, seeds, game):
    """Put the streams at the beginning of a game; each has its own of the three seeds (modifies `chance`)."""
    deal, dice, whim = seeds
    chance.at[DEAL] = chance.home[DEAL] = _start(deal, game, DEAL)
    chance.at[DICE] = chance.home[DICE] = _start(dice, game, DICE)
    chance.at[WHIM] = _start(whim, game, WHIM)
    chance.tape_at = chance.tape_end = 0


def one_seed(seed: int) -> tuple[int, int, int]:
    """Return the seeds of a game all of whose streams have the same."""
    return seed, seed, seed


@inline
def jump(chance, stream, place):
    """Go on at a numbered place of this game's deal or dice, so that rule variants stay in step there."""
    chance.at[stream] = chance.home[stream] + np.uint64(place) * _PLACE


@inline
def draw(chance, stream):
    """Return the next 64 random bits of a stream."""
    position = chance.at[stream] + GOLDEN
    chance.at[stream] = position
    return mix(position)


@inline
def below(chance, stream, n):
    """Return a number from 0 to n-1, each with probability 1/n to within 2**-32."""
    return np.int64(((draw(chance, stream) >> _U32) * np.uint64(n)) >> _U32)


@jit
def die(chance, sides):
    """Roll one die, 1 to `sides`: the next of the tape if there is one, else from the dice stream."""
    if chance.tape_at < chance.tape_end:
        chance.tape_at += 1
        return np.int64(chance.tape[chance.tape_at - 1])
    return below(chance, DICE, sides) + 1


@jit
def shuffle(chance, cards, n):
    """Shuffle the first `n` cards with the deal stream (modifies `cards`)."""
    for i in range(n - 1, 0, -1):
        j = below(chance, DEAL, i + 1)
        cards[i], cards[j] = cards[j], cards[i]


@jit
def beats(chance, value, best, n_equal):
    """Say whether a candidate takes the place of the best so far, equals by lot, and how many are equal now.

    Of n equal candidates met one after the other each is left with chance 1/n. Start with `n_equal` 0.
    """
    takes = value > best
    if takes:
        n_equal = 1
    elif value == best:
        n_equal += 1
        takes = below(chance, WHIM, n_equal) == 0
    return takes, n_equal


@inline
def lot(word, i):
    """Return the rank (16 bits) of candidate `i` in the random order that one drawn word stands for."""
    return np.int64(mix(np.uint64(word) + np.uint64(i) * GOLDEN) >> _U48)
