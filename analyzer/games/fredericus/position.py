"""Positions: a state in words (`show`), and a state from words (`place`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import numpy as np

from analyzer.engine.game import Table
from analyzer.engine.placing import Placing
from analyzer.games.fredericus.cards import (
    BOTTOM,
    CARDS,
    CREATURE,
    CREATURES,
    FREDERICUS,
    GOALS_OF_A_KIND,
    LETTERS,
    N_KINDS,
    SEAL,
    TOTALS,
)
from analyzer.games.fredericus.kernel import sound
from analyzer.games.fredericus.rules import PASSED_OVER
from analyzer.games.fredericus.state import (
    BY_CREATURES,
    BY_DRAW,
    BY_FLIP,
    COURT,
    COURTYARD,
    ENDINGS,
    FALCONS,
    FLIPPED,
    IN_HAND,
    IN_PILE,
    KESTREL,
    MOST_GOALS,
    N_ROWS,
    NO_CHIP,
    NONE,
    NOT_ENDED,
    OVER,
    PEREGRINE,
    PHASES,
    TURN,
    score,
    seal_row,
)

_GOALS = (*CREATURES, "fredericus")


def row_text(s: Any, row: int) -> str:
    """Return a row as letters, from the castle to its end."""
    return "".join(LETTERS[card] for card in s.rows[row][: s.length[row]])


def kinds(counts: Sequence[int]) -> list[str]:
    """Return counted creatures or goal cards as names."""
    return [name for name, n in zip(CREATURES, counts, strict=True) for _ in range(n)]


def _chip_text(place: int) -> Any:
    return {COURTYARD: "courtyard", IN_HAND: "hand"}.get(place, place + 1)


def show(table: Table, s: Any) -> dict[str, Any]:
    """Return a state in the words of a position file."""
    seats = []
    for seat in range(table.players):
        words: dict[str, Any] = {
            "score": score(s, seat),
            "peregrine": int(s.tower[seat, PEREGRINE]) + 1,
            "kestrel": int(s.tower[seat, KESTREL]) + 1,
            "chips": [_chip_text(int(s.chips[seat, chip])) for chip in range(table.rules.chips)],
            "creatures": kinds(s.creatures[seat]),
            "goals": kinds(s.goals[seat]),
        }
        if s.hooded[seat]:
            words["hooded"] = FALCONS[int(s.hooded[seat]) >> 1]
        if s.holder == seat:
            words["fredericus"] = True
        seats.append(words)
    position: dict[str, Any] = {
        "phase": PHASES[s.phase],
        "round": min(int(s.lap) + 1, int(table.rules.max_rounds)),
        "start": int(s.start) + 1,
        "turn": int(s.turn) + 1,
        "rows": [row_text(s, row) for row in range(N_ROWS)],
        "goal_pile": [_GOALS[card] for card in s.pile[: s.pile_left][::-1]],
        "flipped": kinds(s.shown) + (["fredericus"] if s.holder == FLIPPED else []),
        "closed": bool(s.closed),
        "seats": seats,
    }
    if s.closed:
        position["ended_by"] = ENDINGS[s.ending]
    if s.phase == TURN:
        position["actions"] = int(s.actions)
        position["hunted"] = [name for i, name in enumerate(FALCONS) if s.hunted >> i & 1]
        position["opened"] = bool(s.opened)
        position["rotated"] = bool(s.rotated)
        if s.sealing != NONE:
            position["discard"] = FALCONS[int(s.sealing)]
    elif s.phase == OVER:
        position["winner"] = int(s.winner) + 1
    elif s.phase != COURT:
        position["chip"] = int(s.chip) + 1
    return position


_TOP_KEYS = (
    *("phase", "round", "start", "turn", "rows", "goal_pile", "flipped", "closed", "seats"),
    *("actions", "hunted", "opened", "rotated", "discard", "chip", "winner", "ended_by"),
)
_SEAT_KEYS = ("score", "peregrine", "kestrel", "hooded", "chips", "creatures", "goals", "fredericus")


class _Placing(Placing):
    """Reads lists of names, too."""

    def names(self, key: str, value: object, names: Sequence[str]) -> list[int]:
        if not isinstance(value, list):
            self.fault(key, value, f"a list is needed, of: {', '.join(names)}")
            return []
        return [self.word(f"{key}[{i}]", item, names) for i, item in enumerate(value)]


def place(table: Table, position: Mapping[str, Any]) -> np.ndarray:
    """Return a state (in an array of one) from a position in the words of `show`.

    Cards of the rows that lie nowhere are in the box; goal cards that lie nowhere are aside.

    Raises
    ------
    BadInput
        naming every fault of the position.
    """
    p = _Placing(table, position)
    p.only("", position, _TOP_KEYS)
    _place_turn(p)
    _place_seats(p)
    _place_rows(p)
    _place_goals(p)
    _check_choice(p)
    return p.finish()


def _place_turn(p: _Placing) -> None:
    s, rules, get = p.s, p.table.rules, p.position.get
    s.phase = p.word("phase", get("phase", "turn"), PHASES[:OVER])
    s.lap = p.number("round", 1, int(rules.max_rounds), 1) - 1
    s.start = p.number("start", 1, p.table.players, 1) - 1
    s.turn = p.number("turn", 1, p.table.players, int(s.start) + 1) - 1
    s.winner = NONE
    for seat in range(p.table.players):  # who has had his turn in this round
        had = (
            s.phase != PHASES.index("setup")
            and (seat - s.start) % p.table.players <= (s.turn - s.start) % p.table.players
        )
        s.turns[seat] = s.lap + int(had)
    s.sealing = NONE
    order = (s.turn - s.start) % p.table.players
    begins = int(rules.first_round_actions[order] if s.lap == 0 else rules.actions_per_turn)  # F7
    if s.phase == TURN:
        for falcon in p.names("hunted", get("hunted", []), FALCONS):
            s.hunted |= 1 << falcon
        s.opened = p.flag("opened")
        s.actions = p.number("actions", 0, begins + (int(rules.seal_actions) if s.opened else 0), begins)
        s.rotated = p.flag("rotated")
        if "discard" in p.position:
            s.sealing = p.word("discard", p.position["discard"], FALCONS)
    elif s.phase == COURT:
        s.actions = begins
    else:
        s.chip = p.number("chip", 1, int(rules.chips), 1) - 1


def _place_seats(p: _Placing) -> None:
    table, s = p.table, p.s
    s.chips[:] = NO_CHIP
    s.holder = IN_PILE
    for seat, where, row in p.seats(_SEAT_KEYS, "its falcons, chips and cards"):
        for falcon, name in enumerate(FALCONS):
            home = seat + 1 + 4 * falcon  # F4
            s.tower[seat, falcon] = p.number(f"{where}.{name}", 1, N_ROWS, home, row) - 1
        if "hooded" in row:
            s.hooded[seat] = 1 << p.word(f"{where}.hooded", row["hooded"], FALCONS)
        _place_chips(p, where, seat, row.get("chips", ["hand"] * int(table.rules.chips)))
        for kind in p.names(f"{where}.creatures", row.get("creatures", []), CREATURES):
            s.creatures[seat, kind] += 1
        for kind in p.names(f"{where}.goals", row.get("goals", []), CREATURES):
            s.goals[seat, kind] += 1
        s.n_creatures[seat], s.n_goals[seat] = s.creatures[seat].sum(), s.goals[seat].sum()
        if p.flag(f"{where}.fredericus", table=row):
            if s.holder != IN_PILE:
                p.fault(f"{where}.fredericus", True, "another seat has him already")
            s.holder = seat
    if (s.chips == COURTYARD).sum() > 1:
        p.fault("seats", "courtyard", "one chip at most lies there (F14)")


def _place_chips(p: _Placing, where: str, seat: int, given: object) -> None:
    n = int(p.table.rules.chips)
    if not isinstance(given, list) or len(given) != n:
        p.fault(f"{where}.chips", given, f"a list of {n} is needed: rows 1 to 8, 'hand' or 'courtyard'")
        return
    for chip, place_of in enumerate(given):
        if place_of == "courtyard" and p.table.players > 2:
            p.s.chips[seat, chip] = COURTYARD
        elif place_of == "hand":
            p.s.chips[seat, chip] = IN_HAND
        else:
            p.s.chips[seat, chip] = p.whole(f"{where}.chips[{chip}]", place_of, 1, N_ROWS, 1) - 1


def _place_rows(p: _Placing) -> None:
    s = p.s
    rows = p.position.get("rows")
    if not isinstance(rows, list) or len(rows) != N_ROWS or not all(isinstance(row, str) for row in rows):
        p.fault("rows", None, f"a list of {N_ROWS} texts is needed, a letter a card ({LETTERS}), the end last")
        return
    left = TOTALS.astype(int)
    left[CREATURE:] -= s.creatures.sum(axis=0)
    for row, text in enumerate(rows):
        cards = [LETTERS.find(letter) for letter in text.casefold()]
        if -1 in cards:
            p.fault(f"rows[{row}]", text, f"letters of cards: {', '.join(f'{c[0]} {c}' for c in CARDS)}")
            return
        for i, card in enumerate(cards[: len(s.rows[row])]):
            s.rows[row, i] = card
            left[card] -= 1
        s.length[row] = min(len(cards), len(s.rows[row]))
        sound(s, row)
    for card in map(int, np.flatnonzero(left < 0)):
        p.fault("rows", CARDS[card], f"there are only {TOTALS[card]} of them (F1)")
    s.box[:] = np.maximum(left, 0)


def _check_choice(p: _Placing) -> None:
    """F11, F14: the seal to be discarded, and the chip to be taken, must be there."""
    s = p.s
    if s.sealing != NONE:
        tower = int(s.tower[s.turn, s.sealing])
        if not s.opened or any(s.depth[seal_row(tower, side), SEAL] for side in range(2)):
            p.fault("discard", FALCONS[int(s.sealing)], "a seal was opened, and its falcon stands between two (F11)")
    if s.phase == COURT:
        waits = p.table.rules.courtyard_may_wait and not s.closed and s.pile_left > 0
        if s.chips[s.turn, 0] != COURTYARD or not waits:
            p.fault("phase", "courtyard", "the seat's chip lies there, and a goal card can be drawn (F14)")


def _place_goals(p: _Placing) -> None:
    """The pile is a list, its top first, or a number: then any of the cards left, Fredericus among the last five."""
    s = p.s
    left = GOALS_OF_A_KIND - s.goals.sum(axis=0).astype(int)
    for kind in p.names("flipped", p.position.get("flipped", []), _GOALS):
        if kind == FREDERICUS:
            s.holder = FLIPPED
        else:
            s.shown[kind] += 1
            left[kind] -= 1
    given = p.position.get("goal_pile")
    if isinstance(given, list):
        pile = p.names("goal_pile", given, _GOALS)[::-1]
        if (FREDERICUS in pile) != (s.holder == IN_PILE) or FREDERICUS in pile[BOTTOM:] or pile.count(FREDERICUS) > 1:
            p.fault(
                "goal_pile", None, "Fredericus lies among its last five, unless a seat has him or he was flipped (F5)"
            )
    else:
        pile = _any_pile(p, given, np.maximum(left, 0))
    for kind in pile:
        if kind != FREDERICUS:
            left[kind] -= 1
    for kind in map(int, np.flatnonzero(left < 0)):
        p.fault("goal_pile", CREATURES[kind], f"there are only {GOALS_OF_A_KIND} goal cards of a kind (F1)")
    s.aside[:] = np.maximum(left, 0)
    s.pile_left = min(len(pile), MOST_GOALS)
    s.pile[: s.pile_left] = pile[:MOST_GOALS]
    _place_end(p)


def _place_end(p: _Placing) -> None:
    """F15, F16: whether goal cards are closed, and by what; told by the position, or seen from it."""
    s, rules = p.s, p.table.rules
    seen = NOT_ENDED
    if (s.n_creatures >= rules.creatures_to_end).any():
        seen = BY_CREATURES
    elif s.holder >= 0:
        seen = BY_DRAW
    elif s.holder == FLIPPED and rules.flipped_fredericus != PASSED_OVER:
        seen = BY_FLIP
    s.closed = p.flag("closed", bool(seen != NOT_ENDED))
    if seen != NOT_ENDED and not s.closed:
        p.fault("closed", False, f"goal cards are closed: {ENDINGS[seen]} (F16)")
    told = p.position.get("ended_by", ENDINGS[seen if seen != NOT_ENDED else BY_DRAW])
    s.ending = p.word("ended_by", told, ENDINGS) if s.closed else NOT_ENDED


def _any_pile(p: _Placing, given: object, left: np.ndarray) -> list[int]:
    fredericus = [FREDERICUS] if p.s.holder == IN_PILE else []
    cards = [kind for kind in range(N_KINDS) for _ in range(left[kind])]
    most = len(cards) + len(fredericus)
    usual = max(0, most - int(p.table.rules.laid_aside))
    size = p.whole("goal_pile", usual if given is None else given, 0, most, 0)
    if size < len(fredericus):
        p.fault("goal_pile", size, "Fredericus is in it, unless a seat has him or he was flipped (F5)")
        return []
    random = Random(size)
    random.shuffle(cards)
    pile = cards[: size - len(fredericus)]
    for card in fredericus:
        pile.insert(random.randrange(min(BOTTOM, size)), card)
    return pile
