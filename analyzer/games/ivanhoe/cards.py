"""The 110 cards as 35 kinds: cards of one kind are alike, so a kind is all a hand needs to know.

Kinds are numbered colour by colour, then squires and maidens (the supporters), then the action
cards. Sets of kinds are bit masks over these numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from analyzer.engine.game import Card

COLOURS = ("purple", "red", "blue", "yellow", "green")
PURPLE, RED, BLUE, YELLOW, GREEN = range(5)
SUPPORTER, ACTION = 5, 6  # the suits beside the colours
SUITS = (*COLOURS, "supporter", "action")


@dataclass(frozen=True)
class Kind:
    """Cards that are alike: their name, suit, printed value (0 on action cards), how many, what they do."""

    name: str
    suit: int
    value: int
    copies: int
    text: str = ""


# The copies of each printed value, suit by suit.
_NUMBERED = (
    ("purple", PURPLE, {3: 4, 4: 4, 5: 4, 7: 2}),
    ("red", RED, {3: 6, 4: 6, 5: 2}),
    ("blue", BLUE, {2: 4, 3: 4, 4: 4, 5: 2}),
    ("yellow", YELLOW, {2: 4, 3: 8, 4: 2}),
    ("green", GREEN, {1: 14}),
    ("squire", SUPPORTER, {2: 8, 3: 8}),
    ("maiden", SUPPORTER, {6: 4}),
)
_ACTIONS = (
    ("unhorse", 1, "purple becomes red, blue or yellow"),
    ("change weapon", 1, "another of red, blue, yellow"),
    ("drop weapon", 1, "red, blue or yellow becomes green"),
    ("break lance", 1, "an opponent discards his purple"),
    ("riposte", 3, "an opponent's last card is yours"),
    ("dodge", 1, "an opponent discards a card"),
    ("retreat", 1, "one of your cards back to hand"),
    ("knock down", 2, "a random card of a hand is yours"),
    ("outmaneuver", 1, "opponents discard their last card"),
    ("charge", 1, "all of the lowest value go"),
    ("countercharge", 1, "all of the highest value go"),
    ("disgrace", 1, "all supporters go"),
    ("adapt", 1, "one card of each value stays"),
    ("outwit", 1, "swap open cards with an opponent"),
    ("shield", 1, "others' cards spare your display"),
    ("stunned", 1, "an opponent adds one card a turn"),
    ("ivanhoe", 1, "cancels an action card"),
)
KINDS = tuple(
    Kind(f"{name} {value}", suit, value, copies) for name, suit, values in _NUMBERED for value, copies in values.items()
) + tuple(Kind(name, ACTION, 0, copies, text) for name, copies, text in _ACTIONS)
N_KINDS = len(KINDS)
N_CARDS = sum(kind.copies for kind in KINDS)
MOST_VALUE = 7
KIND_OF = {kind.name: number for number, kind in enumerate(KINDS)}

FIRST_ACTION = KIND_OF["unhorse"]
N_ACTIONS = N_KINDS - FIRST_ACTION
N_NUMBERED = sum(kind.copies for kind in KINDS[:FIRST_ACTION])
MAIDEN = KIND_OF["maiden 6"]
UNHORSE, CHANGE_WEAPON, DROP_WEAPON, BREAK_LANCE, RIPOSTE, DODGE = range(FIRST_ACTION, FIRST_ACTION + 6)
RETREAT, KNOCK_DOWN, OUTMANEUVER, CHARGE, COUNTERCHARGE, DISGRACE = range(FIRST_ACTION + 6, FIRST_ACTION + 12)
ADAPT, OUTWIT, SHIELD, STUNNED, IVANHOE = range(FIRST_ACTION + 12, N_KINDS)


def _mask(kinds: list[int]) -> int:
    return sum(1 << kind for kind in kinds)


def _constant(values: Any, dtype: type) -> np.ndarray:
    array: np.ndarray = np.array(values, dtype)
    array.flags.writeable = False
    return array


VALUE = _constant([kind.value for kind in KINDS], np.int64)
COPIES = _constant([kind.copies for kind in KINDS], np.int64)
BIT = _constant([1 << kind for kind in range(N_KINDS)], np.int64)
# By suit and by printed value: the kinds as a mask.
OF_SUIT = _constant([_mask([k for k in range(N_KINDS) if KINDS[k].suit == suit]) for suit in range(7)], np.int64)
OF_VALUE = _constant(
    [_mask([k for k in range(N_KINDS) if value and KINDS[k].value == value]) for value in range(MOST_VALUE + 1)],
    np.int64,
)
SUPPORTERS, ACTIONS = int(OF_SUIT[SUPPORTER]), int(OF_SUIT[ACTION])
# By colour: the kinds that may be laid (four of the colour at most, the squires, the maiden; an action kind fills the
# gaps), the same as a mask, and what each kind counts there.
_LAID = [[k for k in range(FIRST_ACTION) if KINDS[k].suit in (colour, SUPPORTER)] for colour in range(5)]
N_LAID = max(map(len, _LAID))
LAID = _constant([[UNHORSE] * (N_LAID - len(kinds)) + kinds for kinds in _LAID], np.int64)
LAID_MASK = _constant([_mask(kinds) for kinds in _LAID], np.int64)
COUNTS = _constant(
    [[(1 if colour == GREEN else kind.value) * (kind.value > 0) for kind in KINDS] for colour in range(5)], np.int64
)
# The full deck, kind by kind.
DECK = _constant([number for number, kind in enumerate(KINDS) for _ in range(kind.copies)], np.int8)
# The number of a mask's lowest bit stands at that bit modulo 37 (2 generates every residue).
BIT_NUMBER = _constant([next((k for k in range(36) if (1 << k) % 37 == r), 0) for r in range(37)], np.int64)


def tallied_cards() -> tuple[Card, ...]:
    """Return the cards in the order of their tallies: actions drawn, held and played; the others are not tallied."""
    actions = KINDS[FIRST_ACTION:]
    copies = [f"×{kind.copies}: {kind.text}" for kind in actions]
    fortunes = [Card("drawn", kind.name, "source", text) for kind, text in zip(actions, copies, strict=True)]
    for group, text in (("held", "in hand when the game ends"), ("played", "played at least once")):
        fortunes += [Card(group, kind.name, "source", text) for kind in actions]
    others = [Card(SUITS[kind.suit], kind.name, "source", f"×{kind.copies}") for kind in KINDS[:FIRST_ACTION]]
    return tuple(fortunes + others)
