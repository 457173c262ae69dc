"""Positions: a state in words (`show`), and a state from words (`place`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from analyzer.engine.game import Table
from analyzer.engine.placing import Placing
from analyzer.engine.trace import Walk
from analyzer.errors import IllegalMove, suggest
from analyzer.games.ivanhoe.cards import (
    COLOURS,
    COPIES,
    FIRST_ACTION,
    IVANHOE,
    KIND_OF,
    KINDS,
    MAIDEN,
    N_CARDS,
    N_KINDS,
    OUTWIT,
    PURPLE,
    SHIELD,
    STUNNED,
    VALUE,
)
from analyzer.games.ivanhoe.state import (
    ANSWER,
    GIVE,
    HAS_OUTWIT,
    HAS_SHIELD,
    HAS_STUNNED,
    KEEP,
    NONE,
    OVER,
    PHASES,
    PLAY,
    START,
    TAKE,
    move_text,
    read_move,
    total,
)

_FRONT = {"shield": (HAS_SHIELD, SHIELD), "stunned": (HAS_STUNNED, STUNNED), "outwit": (HAS_OUTWIT, OUTWIT)}
_TOP_KEYS = (
    *("phase", "colour", "turn", "asked", "pending", "starter", "opening", "after_purple", "played", "added"),
    *("tournaments", "turns", "seats", "stack", "discards", "winner"),
)
_SEAT_KEYS = ("display", "total", "hand", "tokens", *_FRONT, "in")


def names(counts: Sequence[int]) -> list[str]:
    """Return the cards of counts by kind as names."""
    return [KINDS[k].name for k in range(N_KINDS) for _ in range(int(counts[k]))]


def colours(mask: int) -> list[str]:
    """Return the colours of a set."""
    return [colour for i, colour in enumerate(COLOURS) if int(mask) >> i & 1]


def display(s: Any, seat: int) -> list[str]:
    """Return the cards of a display in order."""
    return [KINDS[k].name for k in s.display[seat][: s.n_display[seat]]]


def show(table: Table, s: Any) -> dict[str, Any]:
    """Return a state in the words of a position file; the stack's next card comes first."""
    seats = []
    for seat in range(table.players):
        row: dict[str, Any] = {
            "display": display(s, seat),
            "total": total(s, seat),
            "hand": names(s.hands[seat]),
            "tokens": colours(s.tokens[seat]),
            "shield": bool(s.front[seat] & HAS_SHIELD),
            "stunned": bool(s.front[seat] & HAS_STUNNED),
            "in": bool(s.within >> seat & 1),
        }
        if s.front[seat] & HAS_OUTWIT:
            row["outwit"] = True
        seats.append(row)
    position: dict[str, Any] = {
        "phase": PHASES[s.phase],
        "colour": COLOURS[s.colour] if s.colour != NONE else "none",
        "turn": int(s.active) + 1,
    }
    if s.turn != s.active and s.phase != OVER:
        position["asked"] = int(s.turn) + 1
    if s.phase in (ANSWER, KEEP):
        position["pending"] = move_text(table, s, int(s.pending)).removeprefix("play ")
    position |= {
        "starter": int(s.starter) + 1,
        "opening": bool(s.opening),
        "after_purple": bool(s.after_purple),
        "played": int(s.played),
        "added": int(s.added),
        "tournaments": int(s.tournaments),
        "turns": int(s.turns),
        "seats": seats,
        "stack": [KINDS[k].name for k in s.stack[: s.n_stack][::-1]],
        "discards": names(s.discards),
    }
    if s.phase == OVER:
        position["winner"] = int(s.winner) + 1 if s.winner != NONE else "none"
    return position


class _Placing(Placing):
    """Counts the cards that have no place yet, too."""

    def __init__(self, table: Table, position: Mapping[str, Any]) -> None:
        super().__init__(table, position)
        self.left = [int(copies) for copies in COPIES]  # cards that have no place yet

    def cards(self, key: str, given: object, numbered: bool = False) -> list[int]:
        """Read a list of names and take these cards from those without a place."""
        if not isinstance(given, list):
            self.fault(key, given, 'must be a list of cards, like ["red 3", "squire 2", "charge"]')
            return []
        known = [kind.name for kind in (KINDS[:FIRST_ACTION] if numbered else KINDS)]
        kinds = []
        for name in given:
            said = " ".join(str(name).split()).casefold()
            if said in known:
                self.take(key, KIND_OF[said])
                kinds.append(KIND_OF[said])
            else:
                self.fault(key, name, f"allowed: {', '.join(known)}{suggest(said, known)}")
        return kinds

    def take(self, key: str, kind: int) -> None:
        self.left[kind] -= 1
        if self.left[kind] == -1:
            self.fault(key, KINDS[kind].name, f"the deck has only {COPIES[kind]} of them")


def place(table: Table, position: Mapping[str, Any]) -> np.ndarray:
    """Return a state (in an array of one) from a position in the words of `show`.

    The player whose turn it is has drawn his card. `stack` names the cards that will be drawn next; the
    cards that the position does not name lie below them, in an order that is always the same.

    Raises
    ------
    BadInput
        naming every fault of the position.
    """
    p = _Placing(table, position)
    p.only("", position, _TOP_KEYS)
    _place_seats(p)
    _place_stack(p)
    if not p.faults:
        _place_turn(p)
    if not p.faults:
        _place_decision(p)
    return p.finish()


def _place_seats(p: _Placing) -> None:
    table, s = p.table, p.s
    for seat, where, row in p.seats(_SEAT_KEYS, ", ".join(_SEAT_KEYS)):
        shown = p.cards(f"{where}.display", row.get("display", []), numbered=True)
        s.n_display[seat] = len(shown)
        s.display[seat][: len(shown)] = shown
        s.points[seat] = sum(int(VALUE[k]) for k in shown)
        s.shown[seat] = sum(1 << k for k in set(shown))
        s.maidens[seat] = shown.count(MAIDEN)
        if s.maidens[seat] > table.rules.maiden_limit:
            p.fault(f"{where}.display", row["display"], f"at most {table.rules.maiden_limit} maiden (I4)")
        for k in p.cards(f"{where}.hand", row.get("hand", [])):
            s.hands[seat, k] += 1
            s.n_hand[seat] += 1
            s.holds[seat] |= 1 << k
        s.drawn[seat] = s.holds[seat]
        tokens = row.get("tokens", [])
        if not isinstance(tokens, list) or any(colour not in COLOURS for colour in tokens):
            p.fault(f"{where}.tokens", tokens, f"a list of: {' | '.join(COLOURS)}")
            tokens = []
        s.tokens[seat] = sum(1 << COLOURS.index(colour) for colour in set(tokens))
        for key, (bit, kind) in _FRONT.items():
            if p.flag(f"{where}.{key}", table=row):
                s.front[seat] |= bit
                p.take(f"{where}.{key}", kind)
        if p.flag(f"{where}.in", True, row):
            s.within |= 1 << seat
        elif shown or s.front[seat]:
            p.fault(f"{where}.in", False, "who withdrew has no display and no special card before him (I6)")


def _place_stack(p: _Placing) -> None:
    s = p.s
    for k in p.cards("discards", p.position.get("discards", [])):
        s.discards[k] += 1
    ahead = p.cards("stack", p.position.get("stack", []))
    rest = [k for k in range(N_KINDS) for _ in range(p.left[k])]
    Random(0).shuffle(rest)
    stack = (ahead + rest)[:N_CARDS]
    s.n_stack = len(stack)
    s.stack[: len(stack)] = stack[::-1]


def _place_turn(p: _Placing) -> None:
    s, players, position = p.s, p.table.players, p.position
    s.colour = p.word("colour", position.get("colour", "none"), ("none", *COLOURS)) - 1
    s.phase = p.word("phase", position.get("phase", "start" if s.colour == NONE else "play"), PHASES[:OVER])
    if (s.phase == START) != (s.colour == NONE):
        p.fault("colour", position.get("colour"), "a tournament has a colour from the start on, and none before")
    s.active = p.number("turn", 1, players, 1) - 1
    s.turn = p.number("asked", 1, players, int(s.active) + 1) - 1
    s.starter = p.number("starter", 1, players, int(s.active) + 1) - 1
    nobody_entered = not any(s.n_display[:players])
    s.opening = p.flag("opening", bool(s.phase == START or (s.phase == PLAY and nobody_entered)))
    s.after_purple = p.flag("after_purple")
    s.played = p.number("played", 0, N_CARDS, 0)
    s.added = p.number("added", 0, N_CARDS, 0)
    s.tournaments = p.number("tournaments", 0, 9999, 0)
    s.turns = p.number("turns", 1, 9999, 1)
    s.winner = NONE
    n_within = bin(int(s.within)).count("1")
    if n_within < (1 if s.phase == TAKE else 2) and s.phase != GIVE:
        p.fault("seats", None, "at least two players must be in the tournament (I7)")
    if s.phase != GIVE and not s.within >> s.active & 1:
        p.fault("turn", position.get("turn"), "this seat has withdrawn (I6)")
    need = int(p.table.rules.tokens_to_win)
    if any(bin(int(mask)).count("1") >= need for mask in s.tokens[:players]):
        p.fault("seats", None, f"somebody has {need} tokens already: the game is over (I8)")


def _place_decision(p: _Placing) -> None:
    """Check that the decision of the phase can be asked here."""
    s, position = p.s, p.position
    tokens = bin(int(s.tokens[s.turn])).count("1")
    if s.phase == ANSWER and not (s.holds[s.turn] >> IVANHOE & 1 and s.turn != s.active):
        p.fault("asked", position.get("asked"), "asked is another player who is in and holds ivanhoe (I16)")
    elif s.phase == GIVE and (tokens < 2 or s.within >> s.turn & 1):
        p.fault("phase", "give", "turn must be a seat that has just withdrawn and has tokens to choose from (I6)")
    elif s.phase == TAKE and (s.colour != PURPLE or s.within != 1 << s.turn or tokens > 3):
        p.fault("phase", "take", "turn must be the last seat left in a purple tournament, lacking two colours (I7)")
    if s.phase in (ANSWER, KEEP) and not p.faults:
        _place_pending(p)


def _place_pending(p: _Placing) -> None:
    """Read the action card that waits: it lies on the discards, and any that could have been played will do."""
    table, s, text = p.table, p.s, p.position.get("pending", "")
    words = str(text).split()
    kind = next((k for n in (2, 1) if (k := KIND_OF.get(" ".join(words[:n]).casefold())) is not None), NONE)
    if kind < FIRST_ACTION or not s.discards[kind]:
        p.fault("pending", text, "an action card among the discards is needed, as in `play`: riposte 2")
        return
    before = Walk(table, 0, 0, p.states)
    b = before.state
    b.phase, b.turn, b.opening = PLAY, s.active, 0
    b.discards[kind] -= 1
    b.hands[s.active, kind] += 1
    b.n_hand[s.active] += 1
    b.holds[s.active] |= 1 << kind
    try:
        s.pending = read_move(table, b, f"play {text}", before.look()[1])
    except IllegalMove as error:
        p.fault("pending", text, str(error))
