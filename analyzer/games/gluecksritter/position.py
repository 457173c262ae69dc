"""Positions: a state in words (`show`), and a state from words (`place`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from analyzer.engine.game import Table
from analyzer.engine.placing import Placing
from analyzer.games.gluecksritter.cards import KIND_NAMES, N_KINDS, N_RED
from analyzer.games.gluecksritter.rules import COINS, FARMER, FIXED, KNIGHT, MONK, N_CARDS
from analyzer.games.gluecksritter.state import (
    CHECKPOINTS,
    CLOSE,
    DOCUMENT,
    EXCHANGE,
    GUARD,
    LIMIT,
    NONE,
    OVER,
    PART,
    PAY,
    PHASES,
    PICK,
    RAID,
    RANSOM,
    RED,
    SHARE_TAX,
    TOWERS,
    WALLS,
    cards_of,
    names_of,
    phase_of,
    score,
)

COIN_NAMES = ("ones", "twos")
FIELD_NAMES = ("field_5", "field_6")
_DECISIONS = (*PHASES[:SHARE_TAX], PHASES[LIMIT], PHASES[PAY])
_PAID_FOR = tuple(PHASES[phase] for phase in (RANSOM, DOCUMENT, WALLS, TOWERS))
_FLAGS = ("jailed", "pardoned", "freed", "wall_permit", "tower_permit")


def show(table: Table, s: Any) -> dict[str, Any]:
    """Return a state in the words of a position file."""
    seats = []
    for seat in range(table.players):
        row: dict[str, Any] = {
            "ones": int(s.purse[seat, 0]),
            "twos": int(s.purse[seat, 1]),
            "walls": int(s.parts[seat, 0]),
            "towers": int(s.parts[seat, 1]),
            "score": score(s, seat),
        }
        flags = zip(_FLAGS, (s.jailed, s.pardoned, s.freed, *s.permits), strict=True)
        row |= {name: True for name, seats_in in flags if seats_in >> seat & 1}
        if s.picks[seat]:
            row["picked"] = cards_of(s.picks[seat])
        if s.held[seat]:
            row["documents"] = _counts(s.hand[seat])
        row |= {name: names_of(mask) for name, mask in (("sealed", s.sealed[seat]), ("used", s.used[seat])) if mask}
        seats.append(row)
    position: dict[str, Any] = {
        "phase": PHASES[s.phase],
        "round": int(s.rounds),
        "turn": int(s.turn) + 1,
        **{name: [int(n) for n in s.lying[field]] for field, name in enumerate(FIELD_NAMES)},
        "seats": seats,
        "discard": _counts(s.discard),
        "ducats_used": [card + 1 for card in range(int(table.rules.ducat_cards)) if not s.ducats >> card & 1],
    }
    if phase_of(s) in (WALLS, TOWERS):
        position["dear"] = bool(s.dear)
    if s.phase in (RAID, GUARD, PART):
        position["raider"] = int(s.raider) + 1
    if s.phase in (GUARD, PART):
        position["victim"] = int(s.victim) + 1
    if s.phase == PAY:
        position |= {"due": int(s.due), "then": PHASES[s.resume]}
    if s.phase == LIMIT:
        position |= {
            "turned_up": bool(s.turned_up),
            "coin": COIN_NAMES[s.coin],
            "then": PHASES[s.resume],
            "pending": [
                [seat + 1, COIN_NAMES[kind]]
                for seat in range(table.players)
                for kind in range(2)
                if s.pending >> (seat * 2 + kind) & 1
            ],
        }
        if s.resume == EXCHANGE:
            position["asked"] = int(s.asked)
    if s.phase == OVER:
        position["win"] = [f"{int(u)}/2520" for u in s.share[: table.players]]
    return position


def _counts(kinds: Any) -> dict[str, int]:
    return {KIND_NAMES[k]: int(kinds[k]) for k in range(N_KINDS) if kinds[k]}


class _Placing(Placing):
    """Reads documents, too."""

    def documents(self, key: str, value: object) -> np.ndarray:
        """Read a table of documents, or a list of their names."""
        counts = np.zeros(N_KINDS, np.int16)
        is_list = isinstance(value, list) and all(isinstance(name, str) for name in value)
        rows = dict.fromkeys(value, 1) if is_list else value  # type: ignore[call-overload]
        if not isinstance(rows, Mapping) or not all(_is_count(n, 99) for n in rows.values()):
            needed = "a table of counts, or a list, is needed"
            self.fault(key, value, f"{needed}, for any of {', '.join(KIND_NAMES)}")
            return counts
        for name, n in rows.items():
            counts[self.word(key, name, KIND_NAMES)] += n
        return counts


def _is_count(n: object, most: int) -> bool:
    return isinstance(n, int) and not isinstance(n, bool) and 0 <= n <= most


_TOP_KEYS = (
    *("phase", "round", "turn", "seats", *FIELD_NAMES, "discard", "ducats_used", "turned_up", "dear"),
    *("raider", "victim", "coin", "due", "then", "asked", "pending", "win"),
)
_SEAT_KEYS = (
    *("ones", "twos", "walls", "towers", "score", *_FLAGS),
    *("picked", "documents", "sealed", "used"),
)


def place(table: Table, position: Mapping[str, Any]) -> np.ndarray:
    """Return a state (in an array of one) from a position in the words of `show`.

    What is not said is as at the beginning; the bag and the stack hold what lies nowhere else.

    Raises
    ------
    BadInput
        naming every fault of the position.
    """
    p = _Placing(table, position)
    s, rules = p.s, table.rules
    p.only("", position, _TOP_KEYS)
    s.phase = PHASES.index(_DECISIONS[p.word("phase", position.get("phase", "pick"), _DECISIONS)])
    s.rounds = p.number("round", 1, int(rules.max_rounds), 1)
    s.start = 0 if rules.same_card_order == FIXED else (s.rounds - 1) % table.players
    s.raider = s.victim = NONE
    _place_seats(p)
    if not p.faults:
        _place_coins_and_cards(p)
        _place_decision(p)
    s.course[: min(int(s.rounds), CHECKPOINTS), : table.players] = s.parts[: table.players].sum(axis=1)
    return p.finish()


def _place_seats(p: _Placing) -> None:
    s, rules = p.s, p.table.rules
    for seat, where, row in p.seats(_SEAT_KEYS, "ones, twos, walls, towers"):
        s.purse[seat] = [
            p.number(f"{where}.ones", 0, COINS[0], int(rules.start_ones), row),
            p.number(f"{where}.twos", 0, COINS[1], int(rules.start_twos), row),
        ]
        s.parts[seat] = [p.number(f"{where}.{name}", 0, int(rules.castle), 0, row) for name in ("walls", "towers")]
        for field in ("jailed", "pardoned", "freed"):
            s[field] |= int(p.flag(f"{where}.{field}", table=row)) << seat
        for part, name in enumerate(("wall_permit", "tower_permit")):
            s.permits[part] |= int(p.flag(f"{where}.{name}", table=row)) << seat
        s.hand[seat] = p.documents(f"{where}.documents", row.get("documents", {}))
        s.held[seat] = sum(1 << k for k in range(N_KINDS) if s.hand[seat, k])
        for field in ("sealed", "used"):
            s[field][seat] = sum(1 << k for k, n in enumerate(p.documents(f"{where}.{field}", row.get(field, []))) if n)
        if s.sealed[seat] & ~s.held[seat] or s.sealed[seat] >> N_RED:
            p.fault(f"{where}.sealed", row.get("sealed"), "red documents of this seat's own hand are needed (G7)")
        if "picked" in row:
            _place_pick(p, f"{where}.picked", seat, row["picked"])


def _place_pick(p: _Placing, key: str, seat: int, picked: object) -> None:
    cards = range(1, N_CARDS + 1)
    is_pair = isinstance(picked, list) and len(picked) == 2 and all(card in cards for card in picked)
    if not isinstance(picked, list) or not is_pair or picked[0] == picked[1]:
        p.fault(key, picked, "two different cards from 1 to 6 are needed (G6)")
        return
    p.s.picks[seat] = sum(1 << (card - 1) for card in picked)


def _place_coins_and_cards(p: _Placing) -> None:
    s, rules = p.s, p.table.rules
    for field, name in enumerate(FIELD_NAMES):
        coins = p.position.get(name, [0, 0])
        if not isinstance(coins, list) or len(coins) != 2 or not all(map(_is_count, coins, COINS)):
            p.fault(name, coins, f"two counts are needed: ones and twos, {COINS[0]} and {COINS[1]} at most (G13)")
            continue
        s.lying[field] = coins
    for kind in range(2):
        s.bag[kind] = COINS[kind] - s.lying[:, kind].sum() - s.purse[:, kind].sum()
        if s.bag[kind] < 0:
            p.fault(f"seats.{COIN_NAMES[kind]}", None, f"there are {COINS[kind]} of these coins in the box (G13)")
    s.discard[:] = p.documents("discard", p.position.get("discard", {}))
    s.stack[:] = rules.copies - s.discard - s.hand.sum(axis=0)
    for kind in range(N_KINDS):
        if s.stack[kind] < 0:
            p.fault("seats.documents", KIND_NAMES[kind], f"there are {rules.copies[kind]} of them (G2)")
    n_cards = int(rules.ducat_cards)
    used = p.position.get("ducats_used", [])
    known = range(1, n_cards + 1)
    if not isinstance(used, list) or len(set(map(str, used))) != len(used) or not all(card in known for card in used):
        p.fault("ducats_used", used, f"different numbers from 1 to {n_cards} are needed")
        return
    s.ducats = sum(1 << card - 1 for card in known if card not in used)
    s.ducats_left = n_cards - len(used)


def _place_decision(p: _Placing) -> None:
    table, s, position = p.table, p.s, p.position
    n = table.players
    s.turn = p.number("turn", 1, n, int(s.start) + 1) - 1
    s.asked = (s.turn - s.start) % n + 1
    resume = int(s.phase)
    if s.phase == LIMIT:
        resume = PHASES.index(PHASES[p.word("then", position.get("then", PHASES[CLOSE]), PHASES[:LIMIT])])
        s.resume = resume
        s.asked = p.number("asked", 0, n, 0)
        s.coin = p.word("coin", position.get("coin", "ones"), COIN_NAMES)
        _place_pending(p)
    if s.phase == PAY:
        resume = PHASES.index(_PAID_FOR[p.word("then", position.get("then", PHASES[WALLS]), _PAID_FOR)])
        s.resume = resume
        s.due = p.number("due", 0, 99, 0)
        ones, twos = (int(n) for n in s.purse[s.turn])
        if sum(n <= twos and s.due - 2 * n <= ones for n in range(int(s.due) // 2 + 1)) < 2:
            p.fault("due", int(s.due), "the seat in turn cannot choose with which coins it pays this (G9)")
    s.turned_up = p.flag("turned_up", default=resume >= DOCUMENT)
    if s.turned_up:
        _place_takers(p)
        card = {WALLS: FARMER, TOWERS: FARMER + 1}.get(resume, MONK)
        s.dear = int(p.flag("dear", default=int(s.takers[card]).bit_count() > 1))
    if s.phase in (RAID, GUARD, PART):
        s.raider = p.number("raider", 1, n, int(s.turn) + 1) - 1
        if not s.takers[KNIGHT] >> s.raider & 1:
            p.fault("raider", int(s.raider) + 1, "this seat has not picked the Black Knight (G8)")
    if s.phase in (GUARD, PART):
        s.victim = p.number("victim", 1, n, int(s.turn) + 1) - 1
        if s.victim == s.raider:
            p.fault("victim", int(s.victim) + 1, "nobody raids himself (G8)")
    if s.phase == PICK and s.picks[s.turn]:
        p.fault("turn", int(s.turn) + 1, "this seat has picked already")
    if s.phase in (PICK, RED) and not p.faults:
        _check_picks(p)


def _place_pending(p: _Placing) -> None:
    s = p.s
    pending = p.position.get("pending", [[int(s.turn) + 1, COIN_NAMES[s.coin]]])
    for pair in pending if isinstance(pending, list) else [pending]:
        if not isinstance(pair, list) or len(pair) != 2 or pair[0] not in range(1, p.table.players + 1):
            p.fault("pending", pair, "a seat and a kind of coin are needed, as [1, 'ones']")
            continue
        s.pending |= 1 << ((pair[0] - 1) * 2 + p.word("pending", pair[1], COIN_NAMES))
    if not s.pending >> (s.turn * 2 + s.coin) & 1:
        p.fault("pending", pending, "must name the seat and the coins that are asked about")


def _place_takers(p: _Placing) -> None:
    s = p.s
    for seat in range(p.table.players):
        if not s.picks[seat]:
            p.fault(f"seats[{seat}].picked", None, "all picks are needed once they are turned up (G8)")
    for card in range(N_CARDS):
        s.takers[card] = sum(1 << seat for seat in range(p.table.players) if s.picks[seat] >> card & 1)


def _check_picks(p: _Placing) -> None:
    """Who comes before the actor has picked (or all have, when documents are laid down after the choice)."""
    s, n = p.s, p.table.players
    if s.phase == RED and p.table.options["red_timing"] == "before_choice":
        return
    for i in range(n):
        seat = (s.start + i) % n
        expected = s.phase == RED or i < s.asked - 1
        if bool(s.picks[seat]) != expected:
            problem = "must have picked: it comes before the seat in turn" if expected else "cannot have picked yet"
            p.fault(f"seats[{seat}].picked", None, problem)
        if s.picks[seat] >> KNIGHT & 1 and s.jailed >> seat & 1:
            p.fault(f"seats[{seat}].picked", cards_of(s.picks[seat]), "a jailed knight cannot be picked (G6)")
