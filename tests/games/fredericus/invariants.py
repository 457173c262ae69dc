"""What holds after every move of Fredericus, under any options.

`fault` is jitted, so that the fuzz can ask after every move of a hundred thousand games; `broken` says
the same in words for the contract tests.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.engine.game import Table
from analyzer.engine.jit import driver
from analyzer.games.fredericus.cards import (
    AIR,
    CREATURE,
    FALCONERS,
    FREDERICUS,
    GOALS_OF_A_KIND,
    N_CARDS,
    N_KINDS,
    SEAL,
    START_CARDS,
    TOTALS,
    WOOD,
)
from analyzer.games.fredericus.state import (
    BETTING,
    COURT,
    COURTYARD,
    FAR,
    IN_PILE,
    MOST_IN_ROW,
    N_ROWS,
    NO_CHIP,
    OVER,
    TURN,
)

FAULTS = (
    "",
    "F1: a card of the rows is missing or double",
    "F1: a goal card is missing or double",
    "F1: there are not 118 cards",
    "F3: wood or air has left the rows",
    "F12: a player has both falcons hooded",
    "F13: a player has his own falcon hooded after his turn",
    "F2, F14: a chip is nowhere, or two lie in the courtyard",
    "F5: Fredericus is not where he is said to be",
    "F16: at the end not everybody has had the same number of turns",
    "F17: the number of creatures or goals of a seat is wrong",
    "F8: a row's depths are not those of its cards",
    "F16: the game goes on past its end",
    "F7: fewer than no actions",
    "F11: a seal is to be discarded that does not lie there",
    "F14: a chip is to be taken that does not lie in the courtyard",
)


N_SLOTS = N_CARDS + N_KINDS  # of the scratch array that counts the cards


@driver
def fault(rules, s, found):
    """Return the number of the first thing that does not hold in a state of a dealt game, or 0."""
    for card in (WOOD, AIR):
        if s.box[card] != rules.in_box[card]:
            return 4
    return fault_of_position(rules, s, found)


@driver
def fault_of_position(rules, s, found):
    """Return the same for a written position, which may leave cards in the box (modifies `found`)."""
    for card in range(N_CARDS):
        found[card] = s.box[card]
    for row in range(N_ROWS):
        for i in range(s.length[row]):
            found[s.rows[row, i]] += 1
    for kind in range(N_KINDS):
        found[N_CARDS + kind] = np.int64(s.aside[kind]) + s.shown[kind]
        for seat in range(4):
            found[CREATURE + kind] += s.creatures[seat, kind]
            found[N_CARDS + kind] += s.goals[seat, kind]
    fredericus = np.int64(s.holder != IN_PILE)
    for i in range(s.pile_left):
        if s.pile[i] < FREDERICUS:
            found[N_CARDS + s.pile[i]] += 1
        else:
            fredericus += 1
            if i >= 5:
                return 8
    if fredericus != 1:
        return 8
    total = FALCONERS + START_CARDS + fredericus
    for card in range(N_CARDS):
        if found[card] != TOTALS[card]:
            return 1
        total += found[card]
    for kind in range(N_KINDS):
        if found[N_CARDS + kind] != GOALS_OF_A_KIND:
            return 2
        total += found[N_CARDS + kind]
    if total != 118:
        return 3
    in_courtyard = 0
    for seat in range(rules.players):
        if s.hooded[seat] == 3:
            return 5
        creatures = goals = 0
        for kind in range(N_KINDS):
            creatures += s.creatures[seat, kind]
            goals += s.goals[seat, kind]
        if creatures != s.n_creatures[seat] or goals != s.n_goals[seat]:
            return 10
        for chip in range(2):
            place = s.chips[seat, chip]
            in_courtyard += place == COURTYARD
            if (place == NO_CHIP) == (chip < rules.chips) or place > COURTYARD or place < NO_CHIP:
                return 7
    if in_courtyard > (1 if rules.players > 2 else 0):
        return 7
    if s.phase == BETTING and s.hooded[s.turn]:
        return 6
    for row in range(N_ROWS):
        for c in range(4):
            depth = 0
            while depth < s.length[row] and min(s.rows[row, s.length[row] - 1 - depth], CREATURE) != c:
                depth += 1
            if s.depth[row, c] != (depth if depth < s.length[row] else FAR) or s.length[row] > MOST_IN_ROW:
                return 11
    for seat in range(rules.players):
        behind = s.turns[s.start] - s.turns[seat]
        if behind < 0 or behind > 1 or (s.phase == OVER and behind):
            return 9
    if s.lap > rules.max_rounds or (s.phase == OVER and not s.closed):
        return 12
    if s.actions < 0:
        return 13
    if s.sealing >= 0:
        tower = s.tower[s.turn, s.sealing]
        if s.phase != TURN or s.depth[(tower + 1) & 7, SEAL] or s.depth[(tower - 1) & 7, SEAL]:
            return 14
    if s.phase == COURT and s.chips[s.turn, 0] != COURTYARD:
        return 15
    return 0


def broken(table: Table, s: Any) -> list[str]:
    """Return what does not hold in a state."""
    number = fault(table.rules, s, np.zeros(N_SLOTS, np.int64))
    return [FAULTS[number]] if number else []
