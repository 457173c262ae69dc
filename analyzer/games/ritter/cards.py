"""Decks of knights and ladies, read from TOML (R1–R5)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from analyzer.engine import deckfile
from analyzer.engine.files import is_file
from analyzer.engine.game import Card
from analyzer.errors import suggest

MOST_CARDS = 20
ORIGINS = ("source", "reconstruction", "own")
_KNIGHT = re.compile(r"(\d{1,3})d(\d*)(?:w(\d{1,3}))?")


@dataclass(frozen=True)
class Knight:
    """A knight card; `likes` holds his three preferences, the dearest first, as (attribute, value)."""

    name: str
    dice: int
    cover: tuple[int, ...]
    likes: tuple[tuple[str, str], ...]
    origin: str
    note: str = ""

    @property
    def strength(self) -> str:
        return write_knight(self.dice, self.cover)


@dataclass(frozen=True)
class Lady:
    """A lady card; `charms` maps each attribute to her value."""

    name: str
    charms: Mapping[str, str]
    origin: str
    note: str = ""


@dataclass(frozen=True)
class Deck:
    """A deck as one file holds it."""

    title: str
    attributes: Mapping[str, tuple[str, ...]]
    knights: tuple[Knight, ...]
    ladies: tuple[Lady, ...]

    def match_matrix(self) -> np.ndarray:
        """Return int8 [knight, lady]: what a favour is worth to a knight; more is dearer (R11).

        The count of matches times 8, plus a bit for each matching rank, the first rank highest: two
        ladies compare as the rule says, and equal numbers mean exactly equal matches.
        """
        matrix = np.zeros((len(self.knights), len(self.ladies)), np.int8)
        for k, knight in enumerate(self.knights):
            for i, lady in enumerate(self.ladies):
                ranks = [lady.charms[attribute] == value for attribute, value in knight.likes]
                matrix[k, i] = sum(ranks) * 8 + ranks[0] * 4 + ranks[1] * 2 + ranks[2]
        return matrix

    def cards(self) -> tuple[Card, ...]:
        """Return all cards in the order of their tallies: knights, then ladies."""
        knights = [
            Card("knight", k.name, k.origin, f"{k.strength}, likes {', '.join(value for _, value in k.likes)}")
            for k in self.knights
        ]
        ladies = [Card("lady", lady.name, lady.origin, ", ".join(lady.charms.values())) for lady in self.ladies]
        return tuple(knights + ladies)


def short(name: str) -> str:
    """Return the name a card goes by in moves: its first word."""
    return name.split()[0]


def write_knight(dice: int, cover: Any, wounds: int = 0) -> str:
    """Write a knight as `NdFACES` with his wounds: 4d1123w2."""
    faces = "".join(str(face + 1) * int(cover[face]) for face in range(6))
    return f"{dice}d{faces}" + (f"w{wounds}" if wounds else "")


def read_knight(text: str) -> tuple[int, tuple[int, ...], int]:
    """Read `3d123` or `4d1123w2` into dice, covers by face and wounds.

    Raises
    ------
    ValueError
        with a sentence about what is wrong.
    """
    found = _KNIGHT.fullmatch(text.strip())
    if not found:
        raise ValueError(
            f"{text!r} is not a knight like 3d123 or 4d1123w2: dice, d, covered faces 1 to 6, w and wounds"
        )
    dice, faces, wounds = int(found[1]), found[2], int(found[3] or 0)
    cover = tuple(faces.count(str(face)) for face in range(1, 7))
    strange = faces.strip("123456")
    if strange:
        raise ValueError(f"{text!r}: a die has no face {strange[0]}, only 1 to 6")
    if dice < 1:
        raise ValueError(f"{text!r}: a knight has at least 1 die")
    if max(cover) > 2:
        raise ValueError(f"{text!r}: face {cover.index(max(cover)) + 1} is covered {max(cover)} times, 2 is the most")
    return dice, cover, wounds


DECKS = Path(__file__).parent / "decks"


def default_deck_path(name: str = "default") -> Path:
    """Return the path of a deck that comes with the program."""
    return DECKS / f"{name}.toml"


find_deck = partial(deckfile.find_deck, DECKS)


def load_deck(path: Path | None = None, heirs: tuple[Path, ...] = ()) -> Deck:
    """Read a deck file, which decks that are like it may have led to; all its faults are reported together."""
    return _DeckReader(path or default_deck_path(), heirs).read()


class _DeckReader(deckfile.DeckReader):
    """Turns the TOML of a deck into cards."""

    def __init__(self, path: Path, heirs: tuple[Path, ...]) -> None:
        super().__init__(path)
        self.heirs = (*heirs, path.resolve())

    def read(self) -> Deck:
        self.only_keys("", self.data, ("title", "like", "attributes", "knights", "ladies"))
        base = self._base()
        attributes = self._attributes(base)
        knights = self._cards("knights", base.knights if base else (), self._knight, attributes)
        ladies = self._cards("ladies", base.ladies if base else (), self._lady, attributes)
        self.check()
        return Deck(self.title, attributes, tuple(knights), tuple(ladies))

    def _base(self) -> Deck | None:
        like = self.data.get("like")
        if like is None:
            return None
        path = find_deck(str(like), self.path.parent)
        if not is_file(path):
            self.fault("like", like, "no such deck")
        elif path.resolve() in self.heirs:
            self.fault("like", like, "a deck cannot be like itself")
        else:
            return load_deck(path, self.heirs)
        return None

    def _attributes(self, base: Deck | None) -> dict[str, tuple[str, ...]]:
        given = self.data.get("attributes", base.attributes if base else None)
        if not isinstance(given, Mapping) or len(given) != 3:
            self.fault("attributes", given, "three attributes are needed, each with a list of its values")
            return {}
        attributes = {str(k): tuple(map(str, self.items(f"attributes.{k}", v))) for k, v in given.items()}
        values = [v for vs in attributes.values() for v in vs]
        if len(values) != len(set(values)):
            self.fault("attributes", values, "no value may stand in two attributes")
        return attributes

    def _cards(self, key: str, inherited: tuple[Any, ...], read: Any, attributes: Mapping[str, Any]) -> list[Any]:
        cards = {short(card.name): card for card in inherited}
        seen: set[str] = set()
        for i, row in enumerate(self.rows(key)):
            name = row.get("name")
            if not isinstance(name, str) or not name.strip():
                self.fault(f"{key}[{i}].name", name, "a card needs a name")
                continue
            if short(name) in seen:
                self.fault(
                    f"{key}[{i}].name", name, "two cards begin with the same word; moves could not tell them apart"
                )
            seen.add(short(name))
            cards[short(name)] = read(f"{key}[{i}].", row, cards.get(short(name)), attributes)
        if not 1 <= len(cards) <= MOST_CARDS:
            self.fault(key, len(cards), f"a deck has 1 to {MOST_CARDS} of them")
        return list(cards.values())

    def _origin(self, where: str, row: Mapping[str, Any], old: Any) -> str:
        origin = row.get("origin", old.origin if old else "own")
        if origin not in ORIGINS:
            self.fault(f"{where}origin", origin, f"allowed: {' | '.join(ORIGINS)}")
        return str(origin)

    def _knight(self, where: str, row: Mapping[str, Any], old: Knight | None, attributes: Mapping[str, Any]) -> Knight:
        self.only_keys(where, row, ("name", "strength", "likes", "origin", "note"))
        dice, cover, wounds = (old.dice, old.cover, 0) if old else (1, (0,) * 6, 0)
        if "strength" in row or not old:
            try:
                dice, cover, wounds = read_knight(str(row.get("strength")))
            except ValueError as error:
                self.fault(f"{where}strength", row.get("strength"), str(error))
        if wounds:
            self.fault(f"{where}strength", row.get("strength"), "a card has no wounds")
        if dice > 24:
            self.fault(f"{where}strength", row.get("strength"), "the box has 24 dice")
        of = {value: attribute for attribute, values in attributes.items() for value in values}
        likes = row.get("likes", [value for _, value in old.likes] if old else [])
        if not isinstance(likes, list) or sorted(of.get(v, "") for v in likes) != sorted(attributes):
            self.fault(
                f"{where}likes", likes, f"one value of each of {', '.join(attributes)}, the dearest first, is needed"
            )
            likes = []
        origin = self._origin(where, row, old)
        return Knight(row["name"], dice, cover, tuple((of[v], v) for v in likes), origin, str(row.get("note", "")))

    def _lady(self, where: str, row: Mapping[str, Any], old: Lady | None, attributes: Mapping[str, Any]) -> Lady:
        self.only_keys(where, row, ("name", *attributes, "origin", "note"))
        charms = {}
        for attribute, values in attributes.items():
            value = row.get(attribute, old.charms[attribute] if old else None)
            if value not in values:
                self.fault(f"{where}{attribute}", value, f"allowed: {' | '.join(values)}{suggest(str(value), values)}")
            charms[attribute] = str(value)
        return Lady(row["name"], charms, self._origin(where, row, old), str(row.get("note", "")))
