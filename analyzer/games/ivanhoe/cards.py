"""The cards as 35 kinds: cards of one kind are alike, so a kind is all a hand needs to know.

Kinds are numbered colour by colour, then squires and maidens (the supporters), then the action
cards. Sets of kinds are bit masks over these numbers. A deck says how many cards of each kind there
are and is read from TOML.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from analyzer.engine import deckfile
from analyzer.engine.game import Card
from analyzer.errors import suggest

COLOURS = ("purple", "red", "blue", "yellow", "green")
PURPLE, RED, BLUE, YELLOW, GREEN = range(5)
SUPPORTER, ACTION = 5, 6  # the suits beside the colours
SUITS = (*COLOURS, "supporter", "action")


@dataclass(frozen=True)
class Kind:
    """Cards that are alike: their name, suit, printed value (0 on action cards), what they do."""

    name: str
    suit: int
    value: int
    text: str = ""


# The printed values, suit by suit.
_NUMBERED = (
    ("purple", PURPLE, (3, 4, 5, 7)),
    ("red", RED, (3, 4, 5)),
    ("blue", BLUE, (2, 3, 4, 5)),
    ("yellow", YELLOW, (2, 3, 4)),
    ("green", GREEN, (1,)),
    ("squire", SUPPORTER, (2, 3)),
    ("maiden", SUPPORTER, (6,)),
)
_ACTIONS = (
    ("unhorse", "purple becomes red, blue or yellow"),
    ("change weapon", "another of red, blue, yellow"),
    ("drop weapon", "red, blue or yellow becomes green"),
    ("break lance", "an opponent discards his purple"),
    ("riposte", "an opponent's last card is yours"),
    ("dodge", "an opponent discards a card"),
    ("retreat", "one of your cards back to hand"),
    ("knock down", "a random card of a hand is yours"),
    ("outmaneuver", "opponents discard their last card"),
    ("charge", "all of the lowest value go"),
    ("countercharge", "all of the highest value go"),
    ("disgrace", "all supporters go"),
    ("adapt", "one card of each value stays"),
    ("outwit", "swap open cards with an opponent"),
    ("shield", "others' cards spare your display"),
    ("stunned", "an opponent adds one card a turn"),
    ("ivanhoe", "cancels an action card"),
)
KINDS = tuple(
    Kind(f"{name} {value}", suit, value, "fits every colour" if suit == SUPPORTER else f"for {name}")
    for name, suit, values in _NUMBERED
    for value in values
) + tuple(Kind(name, ACTION, 0, text) for name, text in _ACTIONS)
N_KINDS = len(KINDS)
MOST_COPIES = 30
MOST_CARDS = 200
MOST_VALUE = 7
KIND_OF = {kind.name: number for number, kind in enumerate(KINDS)}

FIRST_ACTION = KIND_OF["unhorse"]
N_ACTIONS = N_KINDS - FIRST_ACTION
MAIDEN = KIND_OF["maiden 6"]
UNHORSE, CHANGE_WEAPON, DROP_WEAPON, BREAK_LANCE, RIPOSTE, DODGE = range(FIRST_ACTION, FIRST_ACTION + 6)
RETREAT, KNOCK_DOWN, OUTMANEUVER, CHARGE, COUNTERCHARGE, DISGRACE = range(FIRST_ACTION + 6, FIRST_ACTION + 12)
ADAPT, OUTWIT, SHIELD, STUNNED, IVANHOE = range(FIRST_ACTION + 12, N_KINDS)
SINGLE = (OUTWIT, SHIELD, STUNNED, IVANHOE)  # who has one lying or is asked for one: a state knows of one card each


def _mask(kinds: list[int]) -> int:
    return sum(1 << kind for kind in kinds)


def _constant(values: Any, dtype: type) -> np.ndarray:
    array: np.ndarray = np.array(values, dtype)
    array.flags.writeable = False
    return array


VALUE = _constant([kind.value for kind in KINDS], np.int64)
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
# The number of a mask's lowest bit stands at that bit modulo 37 (2 generates every residue).
BIT_NUMBER = _constant([next((k for k in range(36) if (1 << k) % 37 == r), 0) for r in range(37)], np.int64)


# What is tallied of every kind, and what of the action kinds alone; chance decides the first two.
_BY_CHANCE = (("dealt", "in the first hand"), ("drawn", "drawn from the stack later"))
_BY_CHOICE = (("held", "in hand when the game ends"), ("played", "played at least once"))


@dataclass(frozen=True)
class Deck:
    """A deck as one file holds it: how many cards there are of each kind."""

    title: str
    copies: tuple[int, ...]
    origin: str

    @property
    def n_cards(self) -> int:
        return sum(self.copies)

    def cards(self) -> tuple[Card, ...]:
        """Return the cards in the order of their tallies: all kinds dealt and drawn, action kinds held and played."""

        def about(kind: int, how: str) -> str:
            return f"×{self.copies[kind]}: {KINDS[kind].text}; {how}"

        given = [Card(group, KINDS[k].name, self.origin, about(k, how)) for group, how in _BY_CHANCE for k in _ALL]
        chosen = [
            Card(group, KINDS[k].name, self.origin, about(k, how), by_chance=False)
            for group, how in _BY_CHOICE
            for k in _ALL[FIRST_ACTION:]
        ]
        return tuple(given + chosen)


_ALL = range(N_KINDS)
DECKS = Path(__file__).parent / "decks"
find_deck = partial(deckfile.find_deck, DECKS)


def default_deck_path(name: str = "default") -> Path:
    """Return the path of a deck that comes with the program."""
    return DECKS / f"{name}.toml"


def load_deck(path: Path | None = None) -> Deck:
    """Read a deck file; all its faults are reported together."""
    return _DeckReader(path or default_deck_path()).read()


class _DeckReader(deckfile.DeckReader):
    """Turns the TOML of a deck into copies of each kind."""

    def read(self) -> Deck:
        self.only_keys("", self.data, ("title", "like", "origin", "copies"))
        copies = self._base()
        given = self.data.get("copies", {})
        if not isinstance(given, Mapping):
            self.fault("copies", given, 'must be a table: [copies], then lines like "red 3" = 6')
            given = {}
        for name, number in given.items():
            self._count(copies, str(name), number)
        if sum(copies) > MOST_CARDS:
            self.fault("copies", sum(copies), f"a deck has at most {MOST_CARDS} cards")
        origin = self.data.get("origin", "own")
        if origin not in ("source", "own"):
            self.fault("origin", origin, "allowed: source | own")
        self.check()
        return Deck(self.title, tuple(copies), str(origin))

    def _base(self) -> list[int]:
        """Return the copies of the deck that this one is like, or none of any kind."""
        like = self.data.get("like")
        if like is None:
            return [0] * N_KINDS
        path = find_deck(str(like), self.path.parent) if isinstance(like, str) else self.path
        if path.resolve() == self.path.resolve() or not path.is_file() or path.parent != DECKS:
            known = sorted(deck.stem for deck in DECKS.glob("*.toml"))
            self.fault("like", like, f"must name a shipped deck: {', '.join(known)}{suggest(str(like), known)}")
            return [0] * N_KINDS
        return list(load_deck(path).copies)

    def _count(self, copies: list[int], name: str, number: object) -> None:
        kind = KIND_OF.get(" ".join(name.split()).casefold())
        if kind is None:
            self.fault(
                f"copies.{name}", number, f"no such card; there are: {', '.join(KIND_OF)}{suggest(name, KIND_OF)}"
            )
            return
        most = 1 if kind in SINGLE else MOST_COPIES
        if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= most:
            self.fault(f"copies.{name}", number, f"allowed: 0 to {most}")
            return
        copies[kind] = number
