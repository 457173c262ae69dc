"""The state of a game as one record, and its moves as numbers and as text.

Towers and rows are numbered 0 to 7 round the ring, 1 to 8 in words. A row's cards lie from the castle
outwards: the last one is its end. The goal pile's last card is its top.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from analyzer.engine.game import Table
from analyzer.engine.jit import record_type
from analyzer.errors import IllegalMove, suggest
from analyzer.games.fredericus.cards import N_CARDS, N_KINDS
from analyzer.games.fredericus.rules import CHECKPOINTS, MOST_PLAYERS

NONE = -1
N_ROWS = 8
MOST_IN_ROW = 88
MOST_GOALS = 25
PEREGRINE, KESTREL = 0, 1
FALCONS = ("peregrine", "kestrel")
SIDES = ("left", "right")  # the lower number and the higher one
FAR = 100  # the depth of a card that is not in the row

# Places of a chip that are no row.
COURTYARD, IN_HAND, NO_CHIP = 8, -1, -2
# Where Fredericus is, if no seat holds him.
IN_PILE, FLIPPED = -1, -2

# The phases: the first bets, the actions of a turn, the bets at its end, a chip in the courtyard at its beginning.
SETUP, TURN, BETTING, COURT, OVER = range(5)
PHASES = ("setup", "turn", "bet", "courtyard", "over")
# What ended the game.
NOT_ENDED, BY_CREATURES, BY_DRAW, BY_FLIP, BY_ROUNDS = range(5)
ENDINGS = ("none", "creatures", "drawn", "flipped", "rounds")

STATE = record_type(
    [
        ("phase", np.int8),
        ("start", np.int8),  # seat of the start player
        ("turn", np.int8),  # seat whose turn it is
        ("lap", np.int8),  # rounds completed
        ("actions", np.int16),  # left in this turn
        ("hunted", np.int8),  # falcons (bits) that have caught in this turn
        ("opened", np.int8),  # a seal was opened in this turn
        ("sealing", np.int8),  # the falcon that has opened a seal; which seal goes is still to be said
        ("rotated", np.int8),  # three cards were brought to the castle in this turn
        ("chip", np.int8),  # number of the chip to be placed
        ("rows", np.int8, (N_ROWS, MOST_IN_ROW)),
        ("length", np.int8, N_ROWS),
        ("depth", np.int8, (N_ROWS, 4)),  # cards before the outermost wood, air, seal, creature
        ("box", np.int8, N_CARDS),  # cards of each kind that are out of the game
        ("tower", np.int8, (MOST_PLAYERS, 2)),
        ("hooded", np.int8, MOST_PLAYERS),  # falcons (bits)
        ("chips", np.int8, (MOST_PLAYERS, 2)),  # row, COURTYARD, IN_HAND or NO_CHIP
        ("creatures", np.int8, (MOST_PLAYERS, N_KINDS)),
        ("n_creatures", np.int8, MOST_PLAYERS),
        ("goals", np.int8, (MOST_PLAYERS, N_KINDS)),
        ("n_goals", np.int8, MOST_PLAYERS),
        ("pile", np.int8, MOST_GOALS),
        ("pile_left", np.int8),
        ("aside", np.int8, N_KINDS),  # goal cards out of the game, face down
        ("shown", np.int8, N_KINDS),  # goal cards flipped by the start player
        ("holder", np.int8),  # of Fredericus: a seat, IN_PILE or FLIPPED
        ("closed", np.int8),  # no goal card is drawn any more
        ("ending", np.int8),
        ("winner", np.int8),
        ("turns", np.int16, MOST_PLAYERS),
        ("course", np.int16, (CHECKPOINTS, MOST_PLAYERS)),  # scores at the ends of the first rounds
        ("catches", np.int16, 2),  # by falcon
        ("seals", np.int16),
        ("hoods", np.int16),
        ("falcons_hooded", np.int16),
        ("card_moves", np.int16),
        ("falcon_moves", np.int16),
        ("rotations", np.int16),
        ("bets", np.int16),
        ("bets_paid", np.int16),
        ("courtyards", np.int16),
        ("courtyards_paid", np.int16),
        ("drawn", np.int16),  # goal cards drawn in play
    ]
)

# A move is its kind and what it is about.
KIND = 256
CARD, FALCON, HOOD, CATCH, OPEN, ROTATE, BET, DONE, DISCARD, TAKE = range(10)
MOST_MOVES = 64


def move_text(table: Table, s: Any, move: int) -> str:
    """Write a move, as `card 3 right` or `hood 5 kestrel`."""
    kind, what = divmod(move, KIND)
    if kind == CARD:
        return f"card {what // 2 + 1} {SIDES[what % 2]}"
    if kind == FALCON:
        return f"falcon {FALCONS[what // 2]} {SIDES[what % 2]}"
    if kind == HOOD:
        tower = what // 16
        chosen = [FALCONS[what >> seat & 1] for seat in range(table.players) if has_choice(s, seat, tower)]
        return " ".join(["hood", str(tower + 1), *chosen])
    if kind == CATCH:
        return f"catch {FALCONS[what]}"
    if kind == OPEN:
        return f"open {FALCONS[what]}"
    if kind == DISCARD:
        return f"discard {seal_row(int(s.tower[s.turn, s.sealing]), what) + 1}"
    if kind == ROTATE:
        return f"rotate {what + 1}"
    if kind == BET:
        return "bet courtyard" if what == COURTYARD else f"bet {what + 1}"
    return "take" if kind == TAKE else "done"


def has_choice(s: Any, seat: int, tower: int) -> bool:
    """F12: say whether a hooder must choose between the two falcons of a seat on a tower."""
    both = s.tower[seat, PEREGRINE] == tower and s.tower[seat, KESTREL] == tower
    return bool(both and seat != s.turn and not s.hooded[seat])


def seal_row(tower: int, side: int) -> int:
    """Return the row at a side of a tower."""
    return (tower + (1 if side else -1)) % N_ROWS


def read_move(table: Table, s: Any, text: str, legal: Sequence[int]) -> int:
    """Return the legal move that `text` means.

    Raises
    ------
    IllegalMove
        with the legal moves, when it is none of them.
    """
    choices = {move_text(table, s, move): move for move in legal}
    said = " ".join(text.casefold().split())
    if said not in choices:
        listed = "\n".join(f"  {choice}" for choice in choices)
        raise IllegalMove(f"{text!r} is not legal here{suggest(said, choices)}; legal moves:\n{listed}")
    return choices[said]


def n_pairs(s: Any, seat: int) -> int:
    """F17: return how many creatures of a seat have a goal card of their kind."""
    return sum(min(int(c), int(g)) for c, g in zip(s.creatures[seat], s.goals[seat], strict=True))


def score(s: Any, seat: int) -> int:
    """F17: return the points of a seat."""
    pairs = n_pairs(s, seat)
    fredericus = 2 if s.holder == seat else 0
    return int(s.n_creatures[seat]) + int(s.n_goals[seat]) + fredericus + pairs * (pairs + 1) // 2
