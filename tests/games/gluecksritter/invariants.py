"""What holds after every move of Die Glücksritter, under any options."""

from __future__ import annotations

from typing import Any

from analyzer.engine.game import Table
from analyzer.games.gluecksritter.cards import KIND_NAMES, RED_SEALS
from analyzer.games.gluecksritter.rules import COINS, KNIGHT
from analyzer.games.gluecksritter.state import OVER, PICK, RED


def broken(table: Table, s: Any) -> list[str]:
    """Return what does not hold in a state."""
    rules, n = table.rules, table.players
    faults = []
    for kind in range(2):
        total = int(s.bag[kind]) + int(s.lying[:, kind].sum()) + int(s.purse[:n, kind].sum())
        if total != COINS[kind]:
            faults.append(f"G13: {total} coins of kind {kind}")
    if min(s.bag.min(), s.lying.min(), s.purse[:n].min()) < 0:
        faults.append("G13: a negative number of coins")
    for kind, name in enumerate(KIND_NAMES):
        if s.stack[kind] + s.discard[kind] + s.hand[:n, kind].sum() != rules.copies[kind]:
            faults.append(f"G2: documents of kind {name} are missing or double")
    if min(s.stack.min(), s.discard.min(), s.hand[:n].min()) < 0:
        faults.append("G2: a negative number of documents")
    if s.parts[:n].min() < 0 or s.parts[:n].max() > rules.castle:
        faults.append("G8: a castle with too many parts")
    if int(s.ducats).bit_count() != s.ducats_left or s.ducats >> rules.ducat_cards or s.ducats >> s.ducat_card & 1:
        faults.append("G4: the ducat deck does not hold what it says")
    for seat in range(n):
        if s.held[seat] != sum(1 << k for k in range(len(KIND_NAMES)) if s.hand[seat, k]):
            faults.append("G2: a hand does not hold what it says")
        if s.sealed[seat] & ~(s.held[seat] & RED_SEALS & ~s.used[seat]):
            faults.append("G7: a document is laid down that cannot be played")
        if s.picks[seat] and int(s.picks[seat]).bit_count() != 2:
            faults.append("G6: not two cards")
        if s.phase in (PICK, RED) and s.jailed >> seat & 1 and s.picks[seat] >> KNIGHT & 1:
            faults.append("G6: a jailed knight is picked")
    if not 1 <= s.rounds <= rules.max_rounds:
        faults.append("G14: a round too many")
    wins = int(s.share[:n].sum())
    if s.phase == OVER and (wins == 0) != bool(s.unfinished):
        faults.append("G14: a stopped game with a winner, or an ended one without")
    if s.phase != OVER and wins:
        faults.append("G11: a win before the end")
    return faults
