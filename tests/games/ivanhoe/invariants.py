"""What holds after every move of Ivanhoe, under any options."""

from __future__ import annotations

from typing import Any

from analyzer.engine.game import Table
from analyzer.games.ivanhoe.cards import COPIES, MAIDEN, N_KINDS, OUTWIT, PURPLE, SHIELD, STUNNED, VALUE
from analyzer.games.ivanhoe.state import HAS_OUTWIT, HAS_SHIELD, HAS_STUNNED, NONE, START


def broken(table: Table, s: Any) -> list[str]:
    """Return what does not hold in a state."""
    rules = table.rules
    seats = range(table.players)
    faults = []
    found = [int(n) for n in s.discards]
    for k in s.stack[: s.n_stack]:
        found[k] += 1
    for seat in seats:
        shown = [int(k) for k in s.display[seat][: s.n_display[seat]]]
        for k in range(N_KINDS):
            found[k] += int(s.hands[seat, k]) + shown.count(k)
        for bit, kind in ((HAS_SHIELD, SHIELD), (HAS_STUNNED, STUNNED), (HAS_OUTWIT, OUTWIT)):
            found[kind] += bool(s.front[seat] & bit)
        if shown.count(MAIDEN) > rules.maiden_limit:
            faults.append(f"I4: seat {seat + 1} has too many maidens")
        if s.maidens[seat] != shown.count(MAIDEN) or s.points[seat] != sum(int(VALUE[k]) for k in shown):
            faults.append(f"the sums of seat {seat + 1} do not fit its display")
        if s.shown[seat] != sum(1 << k for k in set(shown)):
            faults.append(f"the kinds of seat {seat + 1} do not fit its display")
        if s.holds[seat] != sum(1 << k for k in range(N_KINDS) if s.hands[seat, k]):
            faults.append(f"the kinds of seat {seat + 1} do not fit its hand")
        if s.n_hand[seat] != s.hands[seat].sum():
            faults.append(f"the hand of seat {seat + 1} is miscounted")
        if not s.within >> seat & 1 and (shown or s.front[seat]):
            faults.append(f"I6: seat {seat + 1} has withdrawn and still has open cards")
        if bin(int(s.tokens[seat])).count("1") > rules.tokens_to_win:
            faults.append(f"I8: seat {seat + 1} has too many tokens")
    if found != [int(n) for n in COPIES]:
        faults.append("a card of the 110 is missing or double")
    if (s.hands < 0).any() or (s.discards < 0).any():
        faults.append("a negative count of cards")
    if s.colour == PURPLE and s.after_purple and s.opening:
        faults.append("I3: purple follows purple")
    if s.phase == START and s.colour != NONE:
        faults.append("I3: a colour before the start")
    return faults
