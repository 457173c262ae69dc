"""Knights as a person writes them, `3d123`, `4d1123w2` or a card's name, and their training (R2, R6)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from typing import Any

from analyzer.errors import BadInput, suggest
from analyzer.games.ritter.cards import Deck, read_knight, short, write_knight
from analyzer.games.ritter.joust import Rider

POINTS = ("dice", "1", "2", "3", "4", "5", "6")  # what a training point buys: a die, or a cover on a face
_PARTS = {"mounted": (0, 3), "foot": (3, 6)}


def read_rider(deck: Deck, rules: Any, text: str) -> Rider:
    """Return a knight given by his strength or by the name of his card.

    Raises
    ------
    BadInput
        with one line on what is wrong.
    """
    card = card_named(deck, text)
    try:
        rider = Rider(*read_knight(text)) if card is None else card_rider(deck, rules, card)
    except ValueError as error:
        names = [short(knight.name) for knight in deck.knights]
        hint = "" if "d" in text else f"; or a card: {', '.join(names)}{suggest(text, names)}"
        raise BadInput(f"{error}{hint}") from None
    if rider.dice > rules.max_dice:
        raise BadInput(f"{text!r}: a knight has at most {rules.max_dice} dice (max_dice)")
    if rider.wounds >= rules.wound_limit:
        raise BadInput(
            f"{text!r}: a knight with {rider.wounds} wounds is out; at most {rules.wound_limit - 1} are allowed"
        )
    return rider


def card_rider(deck: Deck, rules: Any, card: int) -> Rider:
    """Return the knight of a card as he enters; a card with more dice is cut to `max_dice` (R7)."""
    return Rider(min(deck.knights[card].dice, int(rules.max_dice)), deck.knights[card].cover)


def card_named(deck: Deck, text: str) -> int | None:
    """Return the number of the card with that name, whole or its first word, or None."""
    word = text.strip().casefold()
    for i, knight in enumerate(deck.knights):
        if word in (knight.name.casefold(), short(knight.name).casefold()):
            return i
    return None


def write_rider(rider: Rider) -> str:
    """Write a knight as `4d1123w2`."""
    return write_knight(rider.dice, rider.cover, rider.wounds)


def read_points(text: str) -> tuple[str, ...]:
    """Read training points from `dice,1,foot`; `mounted` and `foot` cover the barest such face."""
    points = tuple(word.strip() for word in text.replace(" ", ",").split(",") if word.strip())
    for point in points:
        if point not in (*POINTS, *_PARTS):
            raise BadInput(f"training {text!r}: {point!r} is none of {', '.join((*POINTS, *_PARTS))}")
    return points


def trained(rules: Any, rider: Rider, points: Sequence[str]) -> Rider:
    """Return a knight after his training; a point that cannot be spent so is refused."""
    for point in points:
        if point == "dice":
            if rider.dice >= rules.max_dice:
                raise BadInput(f"{write_rider(rider)} cannot train another die: at most {rules.max_dice} (max_dice)")
            rider = rider._replace(dice=rider.dice + 1)
        else:
            face = int(point) - 1 if point in POINTS else min(range(*_PARTS[point]), key=lambda f: rider.cover[f])
            if rider.cover[face] >= 2:
                raise BadInput(f"{write_rider(rider)} cannot train {point}: both fields of {face + 1} are covered")
            rider = rider._replace(cover=tuple(c + (f == face) for f, c in enumerate(rider.cover)))
    return rider


def train_what_fits(rules: Any, rider: Rider, points: Sequence[str]) -> Rider:
    """Train a knight; a point that cannot be spent so lapses."""
    for point in points:
        try:
            rider = trained(rules, rider, (point,))
        except BadInput:
            continue
    return rider


def trainings(rules: Any, rider: Rider, n_points: int) -> Iterator[tuple[tuple[str, ...], Rider]]:
    """Yield every legal way to spend exactly so many points, order aside, with the knight it makes (R6)."""
    for points in combinations_with_replacement(POINTS, n_points):
        try:
            yield points, trained(rules, rider, points)
        except BadInput:
            continue


def alike(rider: Rider) -> Rider:
    """Return the knight who fights exactly like this one: the faces of a part are interchangeable."""
    mounted, foot = sorted(rider.cover[:3], reverse=True), sorted(rider.cover[3:], reverse=True)
    return rider._replace(cover=(*mounted, *foot))
