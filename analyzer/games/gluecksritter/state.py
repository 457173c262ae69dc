"""The state of a game as one record, and its moves as numbers and as text.

Coins come in two kinds (0 is one ducat, 1 is two), castle parts too (0 is a wall, 1 a tower), and so
do the fields (0 is field 5, 1 is field 6). Sets of seats and of cards are bit masks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from analyzer.engine.game import Table
from analyzer.engine.jit import record_type
from analyzer.errors import IllegalMove, suggest
from analyzer.games.gluecksritter.cards import KIND_NAMES, N_KINDS
from analyzer.games.gluecksritter.rules import MOST_PLAYERS, N_CARDS

NONE = -1
CHECKPOINTS = 20  # rounds of which the scores are written down

# The phases, in the order of a round. Each is named by its decision; SHARE_TAX, SHARE_TOLL and CLOSE
# have none. LIMIT breaks in wherever somebody has got too many coins of a kind, PAY where he may choose with
# which coins to pay.
EXCHANGE, RANSOM, PICK, RED, DOCUMENT, WALLS, TOWERS, RAID, GUARD, PART = range(10)
SHARE_TAX, SHARE_TOLL, CLOSE, LIMIT, OVER, PAY = range(10, 16)
PHASES = (
    *("exchange", "ransom", "pick", "red", "document", "walls", "towers", "raid", "guard", "part"),
    *("share_tax", "share_toll", "close", "limit", "over", "pay"),
)
BAG_FACE, CASTLE_FACE, BLANK_FACE = 1, 2, 3  # what the special die showed

STATE = record_type(
    [
        ("phase", np.int64),
        ("rounds", np.int64),  # the round that is being played, from 1
        ("start", np.int64),  # seat that goes first this round
        ("turn", np.int64),  # seat whose decision it is
        ("asked", np.int64),  # seats, from the start seat on, that this phase is done with
        ("resume", np.int64),  # phase that goes on after LIMIT or PAY
        ("due", np.int64),  # ducats that PAY is about
        ("coin", np.int64),  # kind of coin that LIMIT is about
        ("pending", np.int64),  # (seat, kind of coin) to be looked at by G12, as bit seat * 2 + kind
        ("bag", np.int16, 2),
        ("lying", np.int16, (2, 2)),  # [field, kind] coins on the fields
        ("purse", np.int16, (MOST_PLAYERS, 2)),
        ("parts", np.int16, (MOST_PLAYERS, 2)),  # walls and towers
        ("jailed", np.int64),  # seats whose knight is in the dungeon
        ("pardoned", np.int64),  # seats whose knight cannot be jailed this round
        ("freed", np.int64),  # seats whose knight a pardon took out of the dungeon this round
        ("permits", np.int64, 2),  # seats that pay less for walls, for towers this round
        ("picks", np.int16, MOST_PLAYERS),  # the two cards of each seat as bits, 0 before the choice
        ("turned_up", np.int64),  # 1 when the picks lie open
        ("takers", np.int64, N_CARDS),  # seats that picked each card, once they lie open
        ("dear", np.int64),  # 1 if the price of the card being done is the higher one
        ("raider", np.int64),
        ("victim", np.int64),
        ("stack", np.int16, N_KINDS),  # documents by kind: the face-down stack, those played, the hands
        ("discard", np.int16, N_KINDS),
        ("hand", np.int16, (MOST_PLAYERS, N_KINDS)),
        ("held", np.int64, MOST_PLAYERS),  # kinds in each hand as bits
        ("sealed", np.int64, MOST_PLAYERS),  # red documents laid down and not yet revealed, as bits
        ("used", np.int64, MOST_PLAYERS),  # kinds played this round as bits
        ("ducats", np.int64),  # ducat cards in the deck, as bits
        ("ducats_left", np.int64),
        ("ducat_card", np.int64),  # the one turned up this round
        ("laid", np.int16, (2, 2)),  # coins laid out at the beginning of this round
        ("shared", np.int16, (2, 2)),  # coins each taker of a field got when it was shared out last
        ("dice", np.int16, MOST_PLAYERS),  # the last duel's dice, 0 for nobody
        ("face", np.int64),  # what the special die showed last, 0 for nothing
        ("drawn", np.int16, (MOST_PLAYERS, N_KINDS)),  # documents each seat has drawn in the game
        ("share", np.int16, MOST_PLAYERS),  # the win, in units of 1/2520
        ("course", np.int16, (CHECKPOINTS, MOST_PLAYERS)),  # castle parts after each round
        ("bought", np.int64, 2),
        ("dear_bought", np.int64),
        ("documents_drawn", np.int64),
        ("documents_played", np.int64),
        ("wasted", np.int64),  # ducats that G12 took away
        ("jailings", np.int64),
        ("ransoms", np.int64),
        ("duels", np.int64),
        ("loots", np.int64),
        ("looted", np.int64),  # ducats
        ("raids", np.int64),
        ("raids_guarded", np.int64),
        ("raids_on_money", np.int64),
        ("raided", np.int64),  # ducats
        ("raids_on_parts", np.int64),
        ("clashes", np.int64),  # cards turned up by several at once
        ("turned", np.int64),  # cards turned up, each once whoever has it
        ("tie_break", np.int64),
        ("unfinished", np.int64),
    ]
)

# A move is its kind (the phase it belongs to) and what it is about.
KIND = 256
NO, YES = 0, 1
TO_TWOS, TO_ONES = 32, 64  # exchange: plus how many twos are got, or given
LOOT_BOTH, AT_SEAT = 2, 8  # 0 and 1 loot field 5 and 6; a raid is AT_SEAT + the seat


def move_of(kind: int, about: int) -> int:
    """Return the number of a move."""
    return kind * KIND + about


def about(move: int) -> int:
    """Return what a move is about, without its kind."""
    return move % KIND


def phase_of(s: Any) -> int:
    """Return the phase of the round, looking through the decisions that break in."""
    return int(s.resume if s.phase in (LIMIT, PAY) else s.phase)


def names_of(mask: int) -> list[str]:
    """Return the short names of the documents in a mask."""
    return [KIND_NAMES[k] for k in range(N_KINDS) if int(mask) >> k & 1]


def cards_of(mask: int) -> list[int]:
    """Return the numbers 1 to 6 of the cards in a mask."""
    return [c + 1 for c in range(N_CARDS) if int(mask) >> c & 1]


def money(s: Any, seat: int) -> int:
    """Return what a seat's coins are worth."""
    return int(s.purse[seat, 0]) + 2 * int(s.purse[seat, 1])


def score(s: Any, seat: int) -> int:
    """Return the parts of a seat's castle."""
    return int(s.parts[seat].sum())


def move_text(table: Table, s: Any, move: int) -> str:
    """Write a move, as `pick 2 5` or `raid 3`."""
    kind, what = divmod(move, KIND)
    if kind in (EXCHANGE, LIMIT) and what > TO_TWOS:
        return f"exchange {what - TO_ONES} twos" if what > TO_ONES else f"exchange {2 * (what - TO_TWOS)} ones"
    if kind == EXCHANGE:
        return "keep"
    if kind == PAY:
        return f"pay {s.due - 2 * what} ones {what} twos"
    if kind == LIMIT:
        return "gifts" if what == YES else "give back"
    if kind == RANSOM:
        return "ransom" if what == YES else "wait"
    if kind == PICK:
        return f"pick {' '.join(map(str, cards_of(what)))}"
    if kind == RED:
        return f"play {' '.join(names_of(what)) or 'none'}"
    if kind == DOCUMENT:
        return "pay" if what == YES else "decline"
    if kind in (WALLS, TOWERS):
        part = "wall" if kind == WALLS else "tower"
        return f"buy {what} {part}{'' if what == 1 else 's'}"
    if kind == RAID:
        if what >= AT_SEAT:
            return f"raid {what - AT_SEAT + 1}"
        return "loot both" if what == LOOT_BOTH else f"loot {what + 5}"
    if kind == GUARD:
        return "guard" if what == YES else "endure"
    return "take wall" if what == 0 else "take tower"


def read_move(table: Table, s: Any, text: str, legal: Sequence[int]) -> int:
    """Return the legal move that `text` means; cards and documents may come in any order.

    Raises
    ------
    IllegalMove
        with the legal moves, when it is none of them.
    """
    choices = {_key(move_text(table, s, move)): move for move in legal}
    said = _key(text)
    if said not in choices and len(said.split()) == 2 and said.startswith("buy "):
        said = next((key for key in choices if key.startswith(f"{said} ")), said)  # `buy 2` will do
    if said not in choices:
        listed = "\n".join(f"  {move_text(table, s, move)}" for move in legal)
        raise IllegalMove(f"{text!r} is not legal here{suggest(said, choices)}; legal moves:\n{listed}")
    return choices[said]


def _key(text: str) -> str:
    """Return a move's text with the cards or documents of a set in order."""
    words = text.casefold().split()
    if words[:1] in (["pick"], ["play"]):
        words[1:] = sorted(words[1:])
    return " ".join(words)
