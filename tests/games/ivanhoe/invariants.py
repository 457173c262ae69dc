"""What holds after every move of Ivanhoe, under any options."""

from __future__ import annotations

from typing import Any

from analyzer.engine.game import Table
from analyzer.games.ivanhoe.cards import MAIDEN, N_KINDS, OUTWIT, PURPLE, SHIELD, STUNNED, VALUE
from analyzer.games.ivanhoe.state import HAS_OUTWIT, HAS_SHIELD, HAS_STUNNED, NONE, START


def broken(table: Table, s: Any) -> list[str]:
    """Return what does not hold in a state."""
    rules = table.rules
    seats = range(table.players)
    faults = []
    found = [int(n) for n in s.discards]
    for k in range(N_KINDS):
        found[k] += int(s.stack[k])
    if s.n_stack != s.stack.sum() or (s.stack < 0).any() or s.n_ahead > s.n_stack:
        faults.append("the stack is miscounted")
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
    if found != list(table.deck.copies):
        faults.append("a card of the deck is missing or double")
    for owner in seats:
        known = s.known[:, owner]
        if (known < 0).any() or (known > s.hands[owner]).any() or known[owner].any():
            faults.append(f"somebody knows of cards that seat {owner + 1} does not have")
        if s.seen[owner] != sum(1 << k for k in range(N_KINDS) if known[:, k].any()):
            faults.append(f"the kinds others know of in the hand of seat {owner + 1} are miscounted")
    if (s.hands < 0).any() or (s.discards < 0).any():
        faults.append("a negative count of cards")
    if s.colour == PURPLE and s.after_purple and s.opening:
        faults.append("I3: purple follows purple")
    if s.phase == START and s.colour != NONE:
        faults.append("I3: a colour before the start")
    return faults


def dealt(table: Table, s: Any) -> bytes:
    """Return what the deal decided in a game just dealt: the first hands and who starts."""
    hands = s.hands.copy()
    for k in range(N_KINDS):
        hands[s.active, k] -= s.drawn[s.active] >> k & 1  # the first draw is a draw
    return hands.tobytes() + bytes([s.active])
