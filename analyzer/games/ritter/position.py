"""Positions: a state in words (`show`), and a state from words (`place`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from analyzer.engine.game import Table
from analyzer.engine.jit import driver
from analyzer.engine.placing import Placing
from analyzer.errors import suggest
from analyzer.games.ritter.cards import MOST_CARDS, read_knight, short, write_knight
from analyzer.games.ritter.kernel import best_of_day
from analyzer.games.ritter.rules import PLAYOFF_SHARE, TIE_NOBODY, lost_dice
from analyzer.games.ritter.state import (
    CHALLENGE,
    FAVOUR,
    NAME,
    NONE,
    OFFER,
    OVER,
    PHASES,
    PLAYOFF,
    RIDE,
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


@driver
def _best_of_day(rules, s):
    return best_of_day(rules, s)


_WITH_RIDERS = (OFFER, FAVOUR, CHALLENGE, YIELD, NAME)  # phases after everybody has said who rides
_IN_THE_LISTS = (CHALLENGE, YIELD, NAME)


def show(table: Table, s: Any) -> dict[str, Any]:
    """Return a state in the words of a position file."""
    seats = []
    for seat in range(table.players):
        row: dict[str, Any] = {"score": score(table, s, seat)}
        row["knights"] = {knight_name(table, s, k): _show_knight(table, s, k) for k in slots_of(table, seat)}
        if table.rules.ladies:
            row["ladies"] = {lady_name(table, s, k): _show_lady(table, s, k) for k in slots_of(table, seat)}
        if s.phase in (PLAYOFF, OVER) and s.contender[seat] != NONE:
            row["contender"] = knight_name(table, s, s.contender[seat])
        seats.append(row)
    position: dict[str, Any] = {"phase": PHASES[s.phase], "day": int(s.day) + 1}
    if s.start != NONE:  # R8: on the first morning nobody has rolled for it yet
        position["start"] = int(s.start) + 1
    position |= {"turn": int(s.turn) + 1, "chips": int(s.chips), "seats": seats}
    if s.phase == TRAIN:
        position |= {"knight": knight_name(table, s, s.knight), "points": int(s.points)}
    if s.phase == OFFER and s.passes:
        position["passes"] = int(s.passes)
    if s.phase == FAVOUR:
        position |= {"knight": knight_name(table, s, s.knight), "rival": lady_name(table, s, s.rival)}
    if s.phase == YIELD:
        position |= {
            "attacker": knight_name(table, s, s.attacker),
            "defender": knight_name(table, s, s.defender),
            "asked": knight_name(table, s, s.asked),
            "round": int(s.bout),
        }
        if table.rules.enrage_on_foot and s.blank:
            position["blank"] = int(s.blank)
    if s.phase == OVER:
        position["win"] = [f"{int(u)}/2520" for u in s.share[: table.players]]
    return position


def _show_knight(table: Table, s: Any, k: int) -> dict[str, Any]:
    knight: dict[str, Any] = {
        "strength": write_knight(int(s.dice[k]), s.cover[k], int(s.wounds[k])),
        "premiums": int(s.premiums[k]),
        "today": int(s.day_premiums[k]),
    }
    if s.phase in _WITH_RIDERS or (s.phase == RIDE and s.riding >> k & 1):
        knight["riding"] = bool(s.riding >> k & 1)
    if s.phase in _IN_THE_LISTS and s.riding >> k & 1:
        knight["standing"] = bool(s.standing >> k & 1)
    if s.trained[k]:
        knight["trained"] = int(s.trained[k])
    if s.phase in _WITH_RIDERS and s.favour[k] != NONE:
        knight["favour"] = lady_name(table, s, s.favour[k])
    if s.phase != TRAIN and s.lamed[k] != lost_dice(table.rules, int(s.dice[k]), int(s.wounds[k])):
        knight["dice_missing"] = int(s.lamed[k])
    return knight


def _show_lady(table: Table, s: Any, k: int) -> dict[str, Any]:
    lady: dict[str, Any] = {"premiums": int(s.lady_premiums[k]), "today": int(s.day_lady_premiums[k])}
    waiting = int(s.knight) if s.phase == FAVOUR and s.rival == k else NONE
    refused = [
        knight_name(table, s, o)
        for o in range(SLOTS)
        if s.offered[k] >> o & 1 and o not in (int(s.worn_by[k]), waiting)
    ]
    if refused and s.phase in _WITH_RIDERS:
        lady["refused_by"] = refused
    return lady


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
    *("phase", "day", "start", "turn", "chips", "seats", "knight", "points", "passes", "rival"),
    *("attacker", "defender", "asked", "round", "blank", "win"),
)
_SEAT_KEYS = ("score", "knights", "ladies", "contender")
_KNIGHT_KEYS = ("strength", "premiums", "today", "riding", "standing", "trained", "favour", "dice_missing")
_LADY_KEYS = ("premiums", "today", "refused_by")


def place(table: Table, position: Mapping[str, Any]) -> np.ndarray:
    """Return a state (in an array of one) from a position in the words of `show`.

    What has been counted so far (jousts, offers, days won) is not part of a position: measures of games
    played on from one count from there.

    Raises
    ------
    BadInput
        naming every fault of the position.
    """
    p = _Placing(table, position)
    s, rules = p.s, table.rules
    p.only("", position, _TOP_KEYS)
    for name in ("favour", "held", "worn_by", "contender", "day_winner"):
        s[name] = NONE
    s.phase = p.word("phase", position.get("phase", "challenge"), PHASES[:OVER])
    s.day = p.number("day", 1, rules.days, int(rules.days) if s.phase == PLAYOFF else 1) - 1
    s.start = p.number("start", 1, table.players, 1) - 1
    if s.phase == TRAIN and s.day == 0 and "start" not in position:
        s.start = NONE  # R8: drawn after the training
    s.chips = p.number("chips", 0, int(rules.training_chips), int(rules.training_chips))
    _place_cards(p)
    if not p.faults:
        _place_favours(p)
    if not p.faults:
        _PLACE[PHASES[s.phase]](p)
        _check_turn(p)
    return p.finish()


def _place_cards(p: _Placing) -> None:
    table, s = p.table, p.s
    dealt: tuple[list[int], list[int]] = ([], [])
    for seat, where, given in p.seats(_SEAT_KEYS, "knights and ladies"):
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
        if not table.rules.ladies and given.get("ladies"):
            p.fault(f"{where}.ladies", None, "there are no ladies under these rules (R10)")
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
    trained = max(0, dice + sum(cover) - int(rules.knight_power[card]))
    s.trained[slot] = p.number(f"{where}.trained", 0, 100, trained, row)
    s.premiums[slot] = p.number(f"{where}.premiums", 0, 9999, 0, row)
    s.day_premiums[slot] = p.number(f"{where}.today", 0, 9999, 0, row)
    able = bool(wounds < rules.wound_limit)
    s.able |= int(able) << slot
    _place_rider(p, where, slot, able, row)
    missing = 0
    if s.phase != TRAIN:  # the wounds of a written position count as those of the morning, unless it says otherwise
        missing = lost_dice(rules, int(s.dice[slot]), int(s.wounds[slot]))
    most = int(s.dice[slot]) - 1 if rules.wounded_attack and s.phase != TRAIN else 0
    s.lamed[slot] = p.number(f"{where}.dice_missing", 0, max(most, 0), missing, row)


def _place_rider(p: _Placing, where: str, slot: int, able: bool, row: Mapping[str, Any]) -> None:
    """R9: whether a knight rides today, and still stands."""
    s = p.s
    riding = p.flag(f"{where}.riding", able and s.phase in _WITH_RIDERS, row)
    if riding and s.phase not in (RIDE, *_WITH_RIDERS):
        p.fault(f"{where}.riding", True, f"nobody rides in the phase {PHASES[s.phase]} (R9)")
    standing = p.flag(f"{where}.standing", riding and able, row)
    if standing and not able:
        p.fault(f"{where}.standing", True, f"nobody stands with {p.table.rules.wound_limit} or more wounds (R9)")
    if standing and not riding:
        p.fault(f"{where}.standing", True, "who does not ride does not stand in the lists (R9)")
    if riding and not standing and s.phase not in _IN_THE_LISTS:
        p.fault(f"{where}.standing", False, "before the jousts every rider stands (R20)")
    s.riding |= int(riding) << slot
    s.standing |= int(standing and s.phase in _IN_THE_LISTS) << slot


def _place_favours(p: _Placing) -> None:
    table, s = p.table, p.s
    for seat, given in enumerate(p.position["seats"]):
        for slot, row in zip(slots_of(table, seat), given["knights"].values(), strict=True):
            name = row.get("favour") if isinstance(row, Mapping) else None
            if name is not None:
                _place_favour(p, f"seats[{seat}].knights.favour", slot, name)
        if not table.rules.ladies:
            continue
        for slot, row in zip(slots_of(table, seat), given["ladies"].values(), strict=True):
            where = f"seats[{seat}].ladies.refused_by"
            names = row.get("refused_by", [])
            if not isinstance(names, list):
                p.fault(where, names, "a list of knights is needed")
                continue
            for name in names:
                knight = p.slot(where, name, knight_name)
                s.offered[slot] |= 1 << knight
                if not s.riding >> knight & 1 or s.phase not in _WITH_RIDERS:
                    p.fault(where, name, "only a rider can have refused a favour (R11)")
    s.bare = s.riding & ~sum(1 << k for k in range(SLOTS) if s.favour[k] != NONE) if s.phase in _WITH_RIDERS else 0


def _place_favour(p: _Placing, where: str, slot: int, name: object) -> None:
    s = p.s
    if not p.table.rules.ladies:
        p.fault(where, name, "there are no ladies under these rules (R10)")
        return
    lady = p.slot(where, name, lady_name)
    if s.worn_by[lady] != NONE:
        p.fault(where, name, "this lady's favour is on another knight already")
    if not s.riding >> slot & 1 or s.phase not in _WITH_RIDERS:
        p.fault(where, name, "only riders wear favours (R10)")
    s.favour[slot], s.worn_by[lady] = lady, slot
    s.held[slot] = s.suit[lady, slot]
    s.offered[lady] |= 1 << slot


# The decision of each phase


def _turn(p: _Placing) -> None:
    """Read whose turn it is."""
    p.s.turn = p.s.asker = p.number("turn", 1, p.table.players, max(int(p.s.start), 0) + 1) - 1


def _place_training(p: _Placing) -> None:
    table, s, rules = p.table, p.s, p.table.rules
    s.knight = p.slot("knight", p.position.get("knight", knight_name(table, s, 0)), knight_name)
    s.turn = owner(table, s.knight)
    wounds = int(s.wounds[s.knight])
    if not s.able >> s.knight & 1:
        p.fault("knight", p.position.get("knight"), f"nobody trains with {rules.wound_limit} or more wounds (R19)")
        return
    most = int(rules.training_points if s.day == 0 else rules.training_by_wounds[wounds])  # R6, R24
    if most == 0:
        p.fault(
            "knight", p.position.get("knight"), f"with {wounds} wounds he has no training points this day (R6, R24)"
        )
        return
    s.points = p.number("points", 1, most, most)
    if s.dice[s.knight] >= rules.max_dice and (s.chips == 0 or s.cover[s.knight].min() == 2):
        p.fault("knight", p.position.get("knight"), "he can train nothing more (R6, R7)")


def _place_riding(p: _Placing) -> None:
    table, s = p.table, p.s
    _turn(p)
    s.passes = (s.turn - s.start) % table.players  # R9: so many have decided
    open_still = [(s.start + i) % table.players for i in range(int(s.passes), table.players)]
    for seat in open_still:
        if any(s.riding >> k & 1 for k in slots_of(table, seat)):
            p.fault(f"seats[{seat}].knights", "riding", "this seat has not said yet who rides (R9)")
    if not any(s.able >> k & 1 for k in slots_of(table, s.turn)):
        p.fault("turn", s.turn + 1, "this seat has no knight who can ride (R9)")


def _place_offer(p: _Placing) -> None:
    table, s = p.table, p.s
    _turn(p)
    s.passes = p.number("passes", 0, table.players - 1, 0)
    if not table.rules.ladies:
        p.fault("phase", "offer", "there are no ladies under these rules (R10)")
    elif s.bare == 0:
        p.fault("phase", "offer", "every rider has a favour: the offers are over (R10)")
    elif not any(s.worn_by[k] == NONE and s.riding & ~s.offered[k] for k in slots_of(table, s.turn)):
        p.fault("turn", s.turn + 1, "this seat has no lady who can be offered to anybody (R11)")


def _place_choice(p: _Placing) -> None:
    table, s = p.table, p.s
    if not table.rules.ladies:
        p.fault("phase", "favour", "there are no ladies under these rules (R10)")
        return
    s.knight = p.slot("knight", p.position.get("knight"), knight_name)
    s.rival = p.slot("rival", p.position.get("rival"), lady_name)
    s.asker, s.turn = owner(table, s.rival), owner(table, s.knight)
    if s.favour[s.knight] == NONE:
        p.fault("knight", p.position.get("knight"), "he wears no favour: there is nothing to choose (R11)")
    elif s.worn_by[s.rival] != NONE or s.offered[s.rival] >> s.knight & 1:
        p.fault("rival", p.position.get("rival"), "this lady cannot be offered to him (R11)")
    elif s.suit[s.rival, s.knight] != s.held[s.knight]:
        p.fault("rival", p.position.get("rival"), "the two ladies do not match equally well: he has no choice (R11)")
    s.offered[s.rival] |= 1 << int(s.knight)


def _place_challenge(p: _Placing) -> None:
    _turn(p)
    own = sum(1 << k for k in slots_of(p.table, p.s.turn))
    if not p.s.standing & own or not p.s.standing & ~own:
        p.fault("turn", p.position.get("turn"), "this seat has no standing knight, or nobody to challenge (R13)")


def _place_joust(p: _Placing) -> None:
    table, s, rules, position = p.table, p.s, p.table.rules, p.position
    s.attacker = p.slot("attacker", position.get("attacker"), knight_name)
    s.defender = p.slot("defender", position.get("defender"), knight_name)
    s.asked = p.slot("asked", position.get("asked", knight_name(table, s, s.attacker)), knight_name)
    least = 1 if rules.yield_before_foot else 2  # R17: a round on horseback, and one on foot
    s.bout = p.number("round", 1, max(int(rules.max_rounds) - 1, 1), least)
    s.blank = p.number("blank", 0, 2, 0)
    s.asker, s.turn = owner(table, s.attacker), owner(table, s.asked)
    if owner(table, s.attacker) == owner(table, s.defender):
        p.fault("defender", position.get("defender"), "own knights never meet (R13)")
    if s.asked not in (s.attacker, s.defender):
        p.fault("asked", position.get("asked"), "he is not in this joust (R17)")
    if s.blank and not rules.enrage_on_foot:
        p.fault("blank", int(s.blank), "without enrage_on_foot nobody gets enraged on foot (R16)")
    for key, k in (("attacker", s.attacker), ("defender", s.defender)):
        if not s.standing >> k & 1:
            p.fault(key, position.get(key), "he does not stand in the lists (R13)")
        if s.wounds[k] == 0:
            p.fault(key, position.get(key), "who fights on foot has been wounded (R15)")


def _place_name(p: _Placing) -> None:
    """R22: the knights among whom the day's winner is named follow from premiums and options."""
    table, s, rules = p.table, p.s, p.table.rules
    s.tied = _best_of_day(rules, s)
    tied = [k for k in range(SLOTS) if s.tied >> k & 1]
    owners = {owner(table, k) for k in tied}
    standing = {owner(table, k) for k in range(SLOTS) if s.standing >> k & 1}
    if len(standing) > 1:
        p.fault("phase", "name", "the day is not over: knights of several players stand (R21)")
    elif len(tied) < 2 or len(owners) != 1 or rules.day_tie_same_owner == TIE_NOBODY:
        p.fault("phase", "name", "these premiums leave nobody a day's winner to name (R22)")
    else:
        s.turn = owners.pop()


def _place_playoff(p: _Placing) -> None:
    """R29: who is tied follows from the scores; who has picked a knight before this seat, from `contender`."""
    table, s, rules = p.table, p.s, p.table.rules
    scores = [score(table, s, seat) for seat in range(table.players)]
    tied = [seat for seat in range(table.players) if scores[seat] == max(scores)]
    s.tied = sum(1 << seat for seat in tied)
    if len(tied) < 2 or rules.playoff == PLAYOFF_SHARE or s.day + 1 < rules.days:
        p.fault("phase", "playoff", "it follows the last day if seats are tied and the rules have one (R29)")
        return
    able = {seat: [k for k in slots_of(table, seat) if s.able >> k & 1] for seat in tied}
    picks = {seat: given["contender"] for seat, given in enumerate(p.position["seats"]) if "contender" in given}
    waiting = [seat for seat in tied if len(able[seat]) > 1 and seat not in picks]
    if not waiting:
        p.fault("phase", "playoff", "no tied seat has a knight left to pick (R29)")
        return
    s.turn = s.asker = waiting[0]
    for seat in range(table.players):
        where = f"seats[{seat}].contender"
        pick = p.slot(where, picks[seat], knight_name) if seat in picks else NONE
        if seat in picks and (seat > s.turn or pick not in able.get(seat, [])):
            p.fault(where, picks[seat], "not a pick this seat can have made by now (R29)")
        elif pick != NONE:
            s.contender[seat] = pick
        elif seat < s.turn and len(able.get(seat, [])) == 1:
            s.contender[seat] = able[seat][0]


_PLACE: Mapping[str, Callable[[_Placing], None]] = {
    "train": _place_training,
    "ride": _place_riding,
    "offer": _place_offer,
    "favour": _place_choice,
    "challenge": _place_challenge,
    "yield": _place_joust,
    "name": _place_name,
    "playoff": _place_playoff,
}


def _check_turn(p: _Placing) -> None:
    """Refuse a `turn` that is another's than the one whom the decision falls to."""
    given = p.position.get("turn")
    if not p.faults and given is not None and given != p.s.turn + 1:
        p.fault("turn", given, f"the decision is that of seat {p.s.turn + 1}")
