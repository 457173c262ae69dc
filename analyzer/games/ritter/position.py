"""Positions: a state in words (`show`), and a state from words (`place`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from analyzer.engine.game import Table
from analyzer.engine.placing import Placing
from analyzer.errors import suggest
from analyzer.games.ritter.cards import MOST_CARDS, read_knight, short, write_knight
from analyzer.games.ritter.state import (
    CHALLENGE,
    FAVOUR,
    NAME,
    NONE,
    OFFER,
    OVER,
    PHASES,
    SLOTS,
    TRAIN,
    YIELD,
    knight_name,
    lady_name,
    owner,
    score,
    slots_of,
)
from analyzer.games.ritter.wounds import GUARD_OF


def show(table: Table, s: Any) -> dict[str, Any]:
    """Return a state in the words of a position file."""
    seats = []
    for seat in range(table.players):
        knights, ladies = {}, {}
        for k in slots_of(table, seat):
            knight: dict[str, Any] = {
                "strength": write_knight(int(s.dice[k]), s.cover[k], int(s.wounds[k])),
                "premiums": int(s.premiums[k]),
                "today": int(s.day_premiums[k]),
            }
            if s.riding >> k & 1:
                knight["riding"] = True
                knight["standing"] = bool(s.standing >> k & 1)
            if s.trained[k]:
                knight["trained"] = int(s.trained[k])
            if s.favour[k] != NONE:
                knight["favour"] = lady_name(table, s, s.favour[k])
            knights[knight_name(table, s, k)] = knight
            if table.rules.ladies:
                lady: dict[str, Any] = {"premiums": int(s.lady_premiums[k]), "today": int(s.day_lady_premiums[k])}
                refused = [
                    knight_name(table, s, o) for o in range(SLOTS) if s.offered[k] >> o & 1 and s.worn_by[k] != o
                ]
                if refused:
                    lady["refused_by"] = refused
                ladies[lady_name(table, s, k)] = lady
        seats.append({"score": score(table, s, seat), "knights": knights} | ({"ladies": ladies} if ladies else {}))
    position: dict[str, Any] = {
        "phase": PHASES[s.phase],
        "day": int(s.day) + 1,
        "start": int(s.start) + 1,
        "turn": int(s.turn) + 1,
        "chips": int(s.chips),
        "seats": seats,
    }
    if s.phase == TRAIN:
        position |= {"knight": knight_name(table, s, s.knight), "points": int(s.points)}
    if s.phase == FAVOUR:
        position |= {"knight": knight_name(table, s, s.knight), "rival": lady_name(table, s, s.rival)}
    if s.phase == YIELD:
        position |= {
            "attacker": knight_name(table, s, s.attacker),
            "defender": knight_name(table, s, s.defender),
            "asked": knight_name(table, s, s.asked),
            "round": int(s.bout),
        }
    if s.phase == OVER:
        position["win"] = [f"{int(u)}/2520" for u in s.share[: table.players]]
    return position


class _Placing(Placing):
    """Places cards and their slots, too."""

    def card(self, key: str, name: object, cards: Sequence[Any]) -> int:
        names = [short(card.name) for card in cards]
        for i, known in enumerate(names):
            if isinstance(name, str) and name.strip() and short(name).casefold() == known.casefold():
                return i
        self.fault(key, name, f"allowed: {', '.join(names)}{suggest(str(name), names)}")
        return 0

    def slot(self, key: str, name: object, write: Callable[[Table, Any, int], str]) -> int:
        names = [write(self.table, self.s, k) for k in range(self.table.players * self.table.rules.each)]
        for k, known in enumerate(names):
            if isinstance(name, str) and name.strip() and short(name).casefold() == known.casefold():
                return k
        self.fault(key, name, f"allowed: {', '.join(names)}{suggest(str(name), names)}")
        return 0


_TOP_KEYS = (
    *("phase", "day", "start", "turn", "chips", "seats", "knight", "points", "rival"),
    *("attacker", "defender", "asked", "round", "win"),
)
_KNIGHT_KEYS = ("strength", "premiums", "today", "riding", "standing", "trained", "favour")
_LADY_KEYS = ("premiums", "today", "refused_by")


def place(table: Table, position: Mapping[str, Any]) -> np.ndarray:
    """Return a state (in an array of one) from a position in the words of `show`.

    Raises
    ------
    BadInput
        naming every fault of the position.
    """
    p = _Placing(table, position)
    s, rules = p.s, table.rules
    p.only("", position, _TOP_KEYS)
    for name, empty in (("favour", NONE), ("held", NONE), ("worn_by", NONE), ("contender", NONE), ("day_winner", NONE)):
        s[name] = empty
    s.day = p.number("day", 1, rules.days, 1) - 1
    s.start = p.number("start", 1, table.players, 1) - 1
    s.chips = p.number("chips", 0, int(rules.training_chips), int(rules.training_chips))
    s.phase = p.word("phase", position.get("phase", "challenge"), PHASES[: NAME + 1])
    _place_cards(p)
    if not p.faults:
        _place_favours(p)
        _place_decision(p)
    return p.finish()


def _place_cards(p: _Placing) -> None:
    table, s = p.table, p.s
    dealt: tuple[list[int], list[int]] = ([], [])
    for seat, where, given in p.seats(("score", "knights", "ladies"), "knights and ladies"):
        groups = (
            ("knights", table.deck.knights, dealt[0], _KNIGHT_KEYS),
            ("ladies", table.deck.ladies, dealt[1], _LADY_KEYS),
        )
        for group, cards, taken, keys in groups[: 2 if table.rules.ladies else 1]:
            rows = given.get(group, {})
            if not isinstance(rows, Mapping) or len(rows) != table.rules.each:
                p.fault(f"{where}.{group}", None, f"{table.rules.each} named {group} are needed")
                continue
            for slot, (name, row) in zip(slots_of(table, seat), rows.items(), strict=True):
                card = p.card(f"{where}.{group}", name, cards)
                if card in taken:
                    p.fault(f"{where}.{group}", name, "this card lies elsewhere already")
                taken.append(card)
                row = {"strength": row} if isinstance(row, str) and group == "knights" else row
                row = p.only(f"{where}.{group}.{name}", row, keys)
                if group == "knights":
                    _place_knight(p, f"{where}.knights.{name}", slot, card, row)
                else:
                    s.lady_premiums[slot] = p.number(f"{where}.ladies.{name}.premiums", 0, 9999, 0, row)
                    s.day_lady_premiums[slot] = p.number(f"{where}.ladies.{name}.today", 0, 9999, 0, row)
    for field, cards, taken in (("knights", table.deck.knights, dealt[0]), ("ladies", table.deck.ladies, dealt[1])):
        rest = [c for c in range(len(cards)) if c not in taken]
        order = (taken + rest)[:MOST_CARDS]
        s[field][: len(order)] = order
    n_slots = table.players * table.rules.each
    if not p.faults and table.rules.ladies:
        s.suit[:n_slots, :n_slots] = table.rules.match[np.ix_(s.knights[:n_slots], s.ladies[:n_slots])].T


def _place_knight(p: _Placing, where: str, slot: int, card: int, row: Mapping[str, Any]) -> None:
    s, rules, base = p.s, p.table.rules, p.table.deck.knights[card]
    dice, cover, wounds = int(rules.knight_dice[card]), base.cover, 0
    if "strength" in row:
        try:
            dice, cover, wounds = read_knight(str(row["strength"]))
        except ValueError as error:
            p.fault(f"{where}.strength", row["strength"], str(error))
        if dice > rules.max_dice:
            p.fault(f"{where}.strength", row["strength"], f"at most {rules.max_dice} dice (max_dice)")
    if wounds > 100:
        p.fault(f"{where}.strength", row["strength"], "at most 100 wounds")
    s.dice[slot], s.cover[slot], s.wounds[slot] = min(dice, 24), cover, min(wounds, 100)
    s.power[slot] = s.dice[slot] + sum(cover)
    for part in range(2):
        a, b, c = cover[3 * part : 3 * part + 3]
        s.guard[slot, part] = GUARD_OF[a * 9 + b * 3 + c]
    trained = max(0, dice + sum(cover) - base.dice - sum(base.cover))
    s.trained[slot] = p.number(f"{where}.trained", 0, 100, trained, row)
    s.premiums[slot] = p.number(f"{where}.premiums", 0, 9999, 0, row)
    s.day_premiums[slot] = p.number(f"{where}.today", 0, 9999, 0, row)
    able = bool(wounds < rules.wound_limit)
    riding = row.get("riding", able and s.phase in (OFFER, FAVOUR, CHALLENGE, YIELD))
    standing = row.get("standing", riding)
    for key, value in (("riding", riding), ("standing", standing)):
        if not isinstance(value, bool):
            p.fault(f"{where}.{key}", value, "allowed: true or false")
    if standing and not able:
        p.fault(f"{where}.standing", standing, f"nobody stands with {rules.wound_limit} or more wounds (R9)")
    s.able |= int(able) << slot
    s.riding |= int(bool(riding)) << slot
    s.standing |= int(bool(riding and standing)) << slot
    if rules.wounded_attack:  # the wounds of a written position count as those of the morning
        loss = 3 if wounds >= 7 else 1 if wounds >= 4 else 0
        s.lamed[slot] = max(0, min(loss, dice - rules.min_dice))


def _place_favours(p: _Placing) -> None:
    table, s = p.table, p.s
    for seat, given in enumerate(p.position["seats"]):
        for slot, row in zip(slots_of(table, seat), given["knights"].values(), strict=True):
            name = row.get("favour") if isinstance(row, Mapping) else None
            if name is not None:
                lady = p.slot(f"seats[{seat}].knights.favour", name, lady_name)
                if s.worn_by[lady] != NONE:
                    p.fault(f"seats[{seat}].knights.favour", name, "this lady's favour is on another knight already")
                s.favour[slot], s.worn_by[lady] = lady, slot
                s.held[slot] = s.suit[lady, slot]
                s.offered[lady] |= 1 << slot
        if not table.rules.ladies:
            continue
        for slot, row in zip(slots_of(table, seat), given["ladies"].values(), strict=True):
            for name in row.get("refused_by", []):
                s.offered[slot] |= 1 << p.slot(f"seats[{seat}].ladies.refused_by", name, knight_name)


def _place_decision(p: _Placing) -> None:
    table, s, position = p.table, p.s, p.position
    s.bare = s.riding & ~sum(1 << k for k in range(SLOTS) if s.favour[k] != NONE)
    s.turn = s.asker = p.number("turn", 1, table.players, int(s.start) + 1) - 1
    if s.phase == TRAIN:
        s.knight = p.slot("knight", position.get("knight", knight_name(table, s, 0)), knight_name)
        s.points = p.number("points", 1, 6, 2)
        s.turn = owner(table, s.knight)
    elif s.phase == FAVOUR:
        s.knight = p.slot("knight", position.get("knight"), knight_name)
        s.rival = p.slot("rival", position.get("rival"), lady_name)
        s.asker = owner(table, s.rival)
        s.turn = owner(table, s.knight)
    elif s.phase == YIELD:
        s.attacker = p.slot("attacker", position.get("attacker"), knight_name)
        s.defender = p.slot("defender", position.get("defender"), knight_name)
        s.asked = p.slot("asked", position.get("asked", knight_name(table, s, s.attacker)), knight_name)
        s.bout = p.number("round", 1, table.rules.max_rounds, 1)
        s.asker = owner(table, s.attacker)
        s.turn = owner(table, s.asked)
        if owner(table, s.attacker) == owner(table, s.defender):
            p.fault("defender", position.get("defender"), "own knights never meet (R13)")
    elif s.phase == NAME:
        best = max(int(s.day_premiums[k]) for k in slots_of(table, s.turn))
        for k in slots_of(table, s.turn):
            s.tied |= int(s.day_premiums[k] == best) << k
    elif s.phase == CHALLENGE and not _can_challenge(table, s):
        p.fault("turn", position.get("turn"), "this seat has no standing knight, or nobody to challenge (R13)")
    elif s.phase == OFFER and not table.rules.ladies:
        p.fault("phase", "offer", "there are no ladies under these rules (R10)")


def _can_challenge(table: Table, s: Any) -> bool:
    own = sum(1 << k for k in slots_of(table, s.turn))
    return bool(s.standing & own) and bool(s.standing & ~own)
