"""Decks of ducat cards and documents, read from TOML (G1, G2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from analyzer.engine import deckfile
from analyzer.engine.game import Card
from analyzer.errors import suggest

MOST_DUCAT_CARDS = 40
MOST_COINS = 20  # on one field of one ducat card
MOST_COPIES = 20
ORIGINS = ("source", "reconstruction", "own")

# What a document can do. The first five have a red seal, the others a yellow one.
KINDS = {
    "tax": ("tax privilege", "take half of each kind of coin on field 5, rounded down"),
    "toll": ("toll privilege", "take half of each kind of coin on field 6, rounded down"),
    "wall": ("wall permit", "your walls cost 2 less each this round"),
    "tower": ("tower permit", "your towers cost 2 less each this round"),
    "pardon": ("pardon", "your knight leaves the dungeon and is not jailed this round"),
    "gifts": ("gifts", "averts a halving of your coins"),
    "guard": ("castle guard", "cancels a raid on you when it is declared"),
    "bill": ("bill of exchange", "change coins with the bag at equal value"),
}
KIND_NAMES = tuple(KINDS)
N_KINDS = len(KINDS)
TAX, TOLL, WALL_PERMIT, TOWER_PERMIT, PARDON, GIFTS, GUARD_LETTER, BILL = range(N_KINDS)
N_RED = 5
RED_SEALS = (1 << N_RED) - 1


@dataclass(frozen=True)
class DucatCard:
    """How many coins come onto field 5 and onto field 6."""

    tax: int
    toll: int
    origin: str

    @property
    def name(self) -> str:
        return f"{self.tax}/{self.toll}"


@dataclass(frozen=True)
class Document:
    """All copies of one document."""

    kind: str
    copies: int
    origin: str
    note: str = ""

    @property
    def name(self) -> str:
        return KINDS[self.kind][0]

    @property
    def seal(self) -> str:
        return "red" if KIND_NAMES.index(self.kind) < N_RED else "yellow"


@dataclass(frozen=True)
class Deck:
    """A deck as one file holds it."""

    title: str
    ducats: tuple[DucatCard, ...]
    documents: tuple[Document, ...]

    def copies(self) -> list[int]:
        """Return how many documents of each kind there are."""
        of = {document.kind: document.copies for document in self.documents}
        return [of.get(kind, 0) for kind in KIND_NAMES]

    def cards(self) -> tuple[Card, ...]:
        """Return all cards in the order of their tallies: the kinds of documents, then the ducat cards."""
        of = {document.kind: document for document in self.documents}
        documents = []
        for kind, (name, text) in KINDS.items():
            document = of.get(kind, Document(kind, 0, "own"))
            # who has one has spent a pick on drawing it: not by chance
            documents.append(
                Card(
                    "document",
                    name,
                    document.origin,
                    f"{document.seal} seal, {document.copies} of them: {text}",
                    by_chance=False,
                )
            )
        ducats = [
            Card("ducat card", f"{i + 1}: {card.name}", card.origin, f"{card.tax} coins on 5, {card.toll} on 6")
            for i, card in enumerate(self.ducats)
        ]
        return tuple(documents + ducats)


DECKS = Path(__file__).parent / "decks"


def default_deck_path(name: str = "default") -> Path:
    """Return the path of a deck that comes with the program."""
    return DECKS / f"{name}.toml"


find_deck = partial(deckfile.find_deck, DECKS)


def load_deck(path: Path | None = None) -> Deck:
    """Read a deck file; all its faults are reported together."""
    return _DeckReader(path or default_deck_path()).read()


class _DeckReader(deckfile.DeckReader):
    """Turns the TOML of a deck into cards."""

    def read(self) -> Deck:
        self.only_keys("", self.data, ("title", "ducats", "documents"))
        ducats = [card for where, row in self._named_rows("ducats") for card in self._ducats(where, row)]
        if not 1 <= len(ducats) <= MOST_DUCAT_CARDS:
            self.fault("ducats", len(ducats), f"a deck has 1 to {MOST_DUCAT_CARDS} ducat cards")
        documents = [self._document(where, row) for where, row in self._named_rows("documents")]
        kinds = [document.kind for document in documents]
        for kind in sorted({kind for kind in kinds if kinds.count(kind) > 1}):
            self.fault("documents", kind, "stands twice; `copies` says how many there are")
        self.check()
        return Deck(self.title, tuple(ducats), tuple(documents))

    def _named_rows(self, key: str) -> list[tuple[str, Mapping[str, Any]]]:
        return [(f"{key}[{i}].", row) for i, row in enumerate(self.rows(key))]

    def _origin(self, where: str, row: Mapping[str, Any]) -> str:
        origin = row.get("origin", "own")
        if origin not in ORIGINS:
            self.fault(f"{where}origin", origin, f"allowed: {' | '.join(ORIGINS)}")
        return str(origin)

    def _ducats(self, where: str, row: Mapping[str, Any]) -> list[DucatCard]:
        self.only_keys(where, row, ("counts", "origin"))
        origin = self._origin(where, row)
        cards = []
        for pair in self.items(f"{where}counts", row.get("counts", [])):
            if not _is_pair(pair):
                self.fault(f"{where}counts", pair, f"two counts from 0 to {MOST_COINS} are needed: field 5, field 6")
                continue
            cards.append(DucatCard(pair[0], pair[1], origin))
        return cards

    def _document(self, where: str, row: Mapping[str, Any]) -> Document:
        self.only_keys(where, row, ("kind", "copies", "origin", "note"))
        kind, copies = row.get("kind"), row.get("copies", 1)
        if not isinstance(kind, str) or kind not in KINDS:
            self.fault(f"{where}kind", kind, f"allowed: {', '.join(KINDS)}{suggest(str(kind), KINDS)}")
            kind = KIND_NAMES[0]  # stands in for it while other faults are looked for
        if not isinstance(copies, int) or isinstance(copies, bool) or not 0 <= copies <= MOST_COPIES:
            self.fault(f"{where}copies", copies, f"allowed: 0 to {MOST_COPIES}")
            copies = 0
        return Document(str(kind), copies, self._origin(where, row), str(row.get("note", "")))


def _is_pair(pair: object) -> bool:
    return (
        isinstance(pair, list)
        and len(pair) == 2
        and all(isinstance(n, int) and not isinstance(n, bool) and 0 <= n <= MOST_COINS for n in pair)
    )
