"""The state of a game as one record, and its moves as numbers and as text.

Hands, the discards and the stack are counts by kind: the order of hands and discards means nothing,
and of a shuffled stack nobody knows more than which cards are in it, so any of them is drawn. Displays
are rows of kinds in order. Sets of seats, of kinds and of colours are bit masks.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

import numpy as np

from analyzer.engine.game import Table
from analyzer.engine.jit import record_type
from analyzer.errors import IllegalMove, suggest
from analyzer.games.ivanhoe.cards import (
    BREAK_LANCE,
    CHANGE_WEAPON,
    COLOURS,
    DODGE,
    GREEN,
    KINDS,
    KNOCK_DOWN,
    MOST_CARDS,
    N_KINDS,
    OUTWIT,
    RETREAT,
    RIPOSTE,
    STUNNED,
    UNHORSE,
)
from analyzer.games.ivanhoe.rules import MOST_PLAYERS

NONE = -1
CHECKPOINTS = 12  # tournaments after which the tokens are written down

# What is decided: the colour of a tournament, a card of a turn, whether Ivanhoe cancels, which of equal
# cards survives Adapt, which token goes back or comes.
START, PLAY, ANSWER, KEEP, GIVE, TAKE, OVER = range(7)
PHASES = ("start", "play", "answer", "keep", "give", "take", "over")

# Special cards that lie before a player, beside his display.
HAS_SHIELD, HAS_STUNNED, HAS_OUTWIT = 1, 2, 4

STATE = record_type(
    [
        ("phase", np.int8),
        ("turn", np.int8),  # seat whose decision it is
        ("active", np.int8),  # seat whose turn it is
        ("starter", np.int8),  # seat that started the tournament
        ("opening", np.int8),  # 1 in the turn in which a tournament is started
        ("colour", np.int8),  # of the tournament, NONE before it is named
        ("after_purple", np.int8),  # 1 if the last tournament ended purple
        ("within", np.int8),  # seats still in the tournament
        ("played", np.int16),  # cards played in this turn
        ("added", np.int16),  # cards added to the active player's display in this turn
        ("pending", np.int32),  # the action card that waits for an answer, as a move
        ("immune", np.int8),  # seats that Ivanhoe protects from it
        ("owed", np.int8),  # tokens that the maiden still costs who is asked for one
        ("winner", np.int8),  # of the game
        ("hands", np.int8, (MOST_PLAYERS, N_KINDS)),
        ("holds", np.int64, MOST_PLAYERS),  # kinds in hand
        ("n_hand", np.int16, MOST_PLAYERS),
        ("known", np.int8, (MOST_PLAYERS, MOST_PLAYERS, N_KINDS)),  # cards a seat knows to be in another's hand
        ("seen", np.int64, MOST_PLAYERS),  # kinds in hand of which somebody else knows a card
        ("display", np.int8, (MOST_PLAYERS, MOST_CARDS)),
        ("n_display", np.int16, MOST_PLAYERS),
        ("shown", np.int64, MOST_PLAYERS),  # kinds in the display
        ("points", np.int16, MOST_PLAYERS),  # printed values of the display
        ("maidens", np.int8, MOST_PLAYERS),  # in the display
        ("front", np.int8, MOST_PLAYERS),  # special cards before the player
        ("tokens", np.int8, MOST_PLAYERS),  # colours won
        ("stack", np.int16, N_KINDS),
        ("n_stack", np.int16),
        ("ahead", np.int8, MOST_CARDS),  # cards of the stack that a position has put on top, the last one first
        ("n_ahead", np.int16),
        ("discards", np.int8, N_KINDS),
        # what is only counted
        ("dealt", np.int64, MOST_PLAYERS),  # kinds of each first hand
        ("drawn", np.int64, MOST_PLAYERS),  # kinds each seat has drawn from the stack
        ("used", np.int64, MOST_PLAYERS),  # kinds each seat has played
        ("used_now", np.int64, MOST_PLAYERS),  # the same in this tournament
        ("earned", np.int8, (MOST_PLAYERS, N_KINDS)),  # tokens won in tournaments in which the winner played the kind
        ("course", np.int8, (CHECKPOINTS, MOST_PLAYERS)),  # tokens after each tournament
        ("tournaments", np.int16),
        ("turns", np.int16),
        ("shuffles", np.int16),
        ("colour_wins", np.int16, len(COLOURS)),
        ("tokens_won", np.int16),
        ("starter_wins", np.int16),
        ("starts_passed", np.int16),
        ("starter_cards", np.int16),  # numbered cards laid by starters, and by the others
        ("other_cards", np.int16),
        ("withdrawals", np.int16),
        ("maiden_withdrawals", np.int16),
        ("maiden_losses", np.int16),
        ("actions", np.int16),
        ("cancels", np.int16),
        ("stopped", np.int8),
    ]
)

# A move is what is done (an action or numbered kind is played; the numbers above them are the other
# moves), whom or which colour it names, a card it names, and the card that Outwit gives.
END, WITHDRAW, NAME, PASS, CANCEL, LET_PASS, KEEP_CARD, GIVE_BACK, TAKE_TOKEN = range(40, 49)
WHO, CARD, GIVEN = 1 << 6, 1 << 9, 1 << 15  # what these parts count in

_PLAIN = {END: "end", WITHDRAW: "withdraw", PASS: "pass", CANCEL: "cancel", LET_PASS: "let pass"}
_WITH_COLOUR = {NAME: "start", GIVE_BACK: "give back", TAKE_TOKEN: "take"}
_TARGETED = (BREAK_LANCE, RIPOSTE, KNOCK_DOWN, STUNNED)


def parts(move: int) -> tuple[int, int, int, int]:
    """Return what a move does, whom or which colour it names, the card it names, the card it gives."""
    return move & 63, move >> 6 & 7, move >> 9 & 63, move >> 15 & 63


def move_text(table: Table, s: Any, move: int) -> str:
    """Write a move, as `play dodge 3 "red 4"`."""
    what, who, card, given = parts(move)
    if what in _PLAIN:
        return _PLAIN[what]
    if what in _WITH_COLOUR:
        return f"{_WITH_COLOUR[what]} {COLOURS[who]}"
    if what == KEEP_CARD:
        return f"keep {KINDS[card].name}"
    text = f"play {KINDS[what].name}"
    if what in (UNHORSE, CHANGE_WEAPON):
        return f"{text} {COLOURS[who]}"
    if what in _TARGETED:
        return f"{text} {who + 1}"
    if what == DODGE:
        return f'{text} {who + 1} "{KINDS[card].name}"'
    if what == RETREAT:
        return f'{text} "{KINDS[card].name}"'
    if what == OUTWIT:
        return f'{text} {who + 1} give "{KINDS[given].name}" take "{KINDS[card].name}"'
    return text


def faces(table: Table, s: Any, move: int) -> int:
    """Return the highest number that may be written behind a move: Knock Down names a card of a sorted hand."""
    waiting = int(s.pending) if s.phase == ANSWER else move
    what, who, _, _ = parts(waiting)
    return int(s.n_hand[who]) if what == KNOCK_DOWN else 0


def _bare(text: str) -> str:
    """Return a move's text without quotes, capitals and double spaces."""
    return " ".join(" ".join(shlex.split(text)).split()).casefold()


def read_move(table: Table, s: Any, text: str, legal: Sequence[int]) -> int:
    """Return the legal move that `text` means; names of cards may be quoted or not.

    Raises
    ------
    IllegalMove
        with the legal moves, when it is none of them.
    """
    choices = {_bare(move_text(table, s, move)): move for move in legal}
    try:
        said = _bare(text)
    except ValueError as error:
        raise IllegalMove(f"{text!r} cannot be read: {error}") from None
    if said not in choices:
        listed = "\n".join(f"  {move_text(table, s, move)}" for move in legal)
        raise IllegalMove(f"{text!r} is not legal here{suggest(said, choices)}; legal moves:\n{listed}")
    return choices[said]


def total(s: Any, seat: int) -> int:
    """I5: what a display counts, each card 1 in green."""
    return int(s.n_display[seat] if s.colour == GREEN else s.points[seat])
