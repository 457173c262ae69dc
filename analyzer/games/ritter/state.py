"""The state of a tournament as one record, and its moves as numbers and as text.

Knights and ladies are known by their *slot*: seat 0 has slots 0 and 1 (or just slot 0 when everyone
has one knight), seat 1 the next ones. Sets of knights are bit masks over slots.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from typing import Any

import numpy as np

from analyzer.engine.game import Table
from analyzer.engine.jit import record_type
from analyzer.errors import IllegalMove, suggest
from analyzer.games.ritter.cards import MOST_CARDS, short
from analyzer.games.ritter.rules import MOST_DAYS, MOST_PLAYERS

SLOTS = 10
NONE = -1

# The phases, in the order of a day; each has the decisions of one kind of move.
TRAIN, RIDE, OFFER, FAVOUR, CHALLENGE, YIELD, NAME, PLAYOFF, OVER = range(9)
PHASES = ("train", "ride", "offer", "favour", "challenge", "yield", "name", "playoff", "over")

STATE = record_type(
    [
        ("phase", np.int8),
        ("day", np.int8),  # 0 is the first
        ("start", np.int8),  # seat of the day's start player
        ("turn", np.int8),  # seat whose decision it is
        ("asker", np.int8),  # seat whose turn it is to offer, to challenge, to decide on riding
        ("passes", np.int8),  # seats in a row without an offer
        ("knight", np.int8),  # slot in training, or offered to two equal ladies
        ("rival", np.int8),  # lady whose equal offer waits for an answer
        ("points", np.int8),  # training points left to `knight`
        ("chips", np.int16),  # training chips left
        ("knights", np.int8, MOST_CARDS),  # card of each slot, then the cards left out
        ("ladies", np.int8, MOST_CARDS),
        ("dice", np.int8, SLOTS),
        ("cover", np.int8, (SLOTS, 6)),
        ("guard", np.int8, (SLOTS, 2)),  # covers as guard numbers, mounted and on foot
        ("trained", np.int8, SLOTS),  # training points spent
        ("power", np.int8, SLOTS),  # dice and covers together
        ("lamed", np.int8, SLOTS),  # R26: dice missing today
        ("wounds", np.int8, SLOTS),
        ("premiums", np.int16, SLOTS),
        ("lady_premiums", np.int16, SLOTS),
        ("day_premiums", np.int16, SLOTS),
        ("day_lady_premiums", np.int16, SLOTS),
        ("able", np.int16),  # knights below the wound limit
        ("riding", np.int16),
        ("bare", np.int16),  # riders without a favour
        ("standing", np.int16),
        ("tied", np.int16),  # knights among whom the day's winner is named; seats tied for the win
        ("favour", np.int8, SLOTS),  # lady on each knight
        ("held", np.int8, SLOTS),  # how well that lady matches, or NONE
        ("suit", np.int8, (SLOTS, SLOTS)),  # [lady, knight]: `match` of their cards
        ("worn_by", np.int8, SLOTS),  # knight of each lady
        ("offered", np.int16, SLOTS),  # knights each lady was offered to today
        ("attacker", np.int8),
        ("defender", np.int8),
        ("bout", np.int16),
        ("blank", np.int8),  # rounds on foot in a row in which nobody was wounded; 2 stands for more
        ("asked", np.int8),  # knight who is asked to yield
        ("contender", np.int8, MOST_PLAYERS),  # play-off knight of each seat
        ("share", np.int16, MOST_PLAYERS),  # the win, in units of 1/2520
        ("day_winner", np.int8, MOST_DAYS),
        ("course", np.int16, (MOST_DAYS, MOST_PLAYERS)),  # scores at each day's end
        ("rides", np.int16),
        ("offers", np.int16),
        ("rejections", np.int16),
        ("jousts", np.int16),
        ("rounds", np.int32),
        ("mounted_wins", np.int16),
        ("yields", np.int16),
        ("knockouts", np.int16),
        ("no_winner", np.int16),
        ("stalled", np.int16),
        ("playoff_duels", np.int16),
    ]
)

# A move is its kind (the phase it belongs to) and what it is about.
KIND = 256
TRAIN_NOTHING, TRAIN_DIE = 0, 7  # 1 to 6 cover that face
PASS = 100  # in place of lady * 10 + knight
RIDE_ON, GIVE_UP = 0, 1


def move_of(kind: int, about: int) -> int:
    """Return the number of a move."""
    return kind * KIND + about


def about(move: int) -> int:
    """Return what a move is about, without its kind."""
    return move % KIND


def knight_name(table: Table, s: Any, slot: int) -> str:
    """Return the short name of the knight in a slot."""
    return short(table.deck.knights[s.knights[slot]].name)


def lady_name(table: Table, s: Any, slot: int) -> str:
    """Return the short name of the lady in a slot."""
    return short(table.deck.ladies[s.ladies[slot]].name)


def slots_of(table: Table, seat: int) -> range:
    """Return the slots of a seat."""
    each = table.rules.each
    return range(seat * each, seat * each + each)


def owner(table: Table, slot: int) -> int:
    """Return the seat that owns a slot."""
    return int(slot) // table.rules.each


def move_text(table: Table, s: Any, move: int) -> str:
    """Write a move, as `challenge Harald Apollonius`."""
    kind, what = divmod(move, KIND)
    if kind == TRAIN:
        point = {TRAIN_NOTHING: "nothing", TRAIN_DIE: "dice"}.get(what, str(what))
        return f"train {knight_name(table, s, s.knight)} {point}"
    if kind == RIDE:
        riders = [knight_name(table, s, k) for i, k in enumerate(slots_of(table, s.turn)) if what >> i & 1]
        return f"ride {' '.join(riders) or 'none'}"
    if kind == OFFER:
        if what == PASS:
            return "pass"
        return f"offer {lady_name(table, s, what // 10)} {knight_name(table, s, what % 10)}"
    if kind == FAVOUR:
        return f"favour {lady_name(table, s, what)}"
    if kind == CHALLENGE:
        return f"challenge {knight_name(table, s, what // 10)} {knight_name(table, s, what % 10)}"
    if kind == YIELD:
        return "yield" if what == GIVE_UP else "fight"
    if kind == NAME:
        return f"name {knight_name(table, s, what)}"
    return f"pick {knight_name(table, s, what)}"


def read_move(table: Table, s: Any, text: str, legal: Sequence[int]) -> int:
    """Return the legal move that `text` means; names may be written in full, quoted.

    Raises
    ------
    IllegalMove
        with the legal moves, when it is none of them.
    """
    choices = {move_text(table, s, move).casefold(): move for move in legal}
    try:
        words = [short(word).casefold() if word.strip() else "" for word in shlex.split(text)]
    except ValueError as error:
        raise IllegalMove(f"{text!r} cannot be read: {error}") from None
    said = " ".join(words)
    # The knight in training is known: `train dice` will do.
    if words[:1] == ["train"] and len(words) == 2 and s.phase == TRAIN:
        said = f"train {knight_name(table, s, s.knight)} {words[1]}".casefold()
    if said not in choices:
        listed = "\n".join(f"  {move_text(table, s, move)}" for move in legal)
        raise IllegalMove(f"{text!r} is not legal here{suggest(said, choices)}; legal moves:\n{listed}")
    return choices[said]


def score(table: Table, s: Any, seat: int) -> int:
    """R28: the premiums of a player's knights and ladies."""
    return sum(int(s.premiums[k]) + int(s.lady_premiums[k]) for k in slots_of(table, seat))
