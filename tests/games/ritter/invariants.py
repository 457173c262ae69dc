"""What holds after every move of Ritter, under any options."""

from __future__ import annotations

from typing import Any

from analyzer.engine.game import Table
from analyzer.games.ritter.state import NONE, OVER, PLAYOFF, TRAIN


def broken(table: Table, s: Any) -> list[str]:
    """Return what does not hold in a state."""
    rules = table.rules
    n = table.players * int(rules.each)
    faults = []
    if sorted(s.knights[: rules.knights]) != list(range(rules.knights)):
        faults.append("R4: a knight card is missing or double")
    if rules.ladies and sorted(s.ladies[: rules.lady_cards]) != list(range(rules.lady_cards)):
        faults.append("R4: a lady card is missing or double")
    trained_covers = sum(int(s.cover[k].sum()) - int(rules.knight_cover[s.knights[k]].sum()) for k in range(n))
    if trained_covers + s.chips != rules.training_chips or s.chips < 0:
        faults.append("R6: covers trained and chips left do not make up the chips of the box")
    for k in range(n):
        if not 1 <= s.dice[k] <= rules.max_dice:
            faults.append("R7: dice beyond the cap")
        if s.cover[k].max() > 2:
            faults.append("R6: a face covered more than twice")
        if s.wounds[k] < 0:
            faults.append("R23: negative wounds")
        if s.power[k] != s.dice[k] + s.cover[k].sum():
            faults.append("power is not dice and covers")
        fresh = s.phase == OVER and rules.playoff_wounds == 1
        if bool(s.able >> k & 1) != (s.wounds[k] < rules.wound_limit) and not fresh and s.phase != OVER:
            faults.append("R19: able and yet at the limit, or the other way round")
        if s.standing >> k & 1 and not s.able >> k & 1 and s.phase != TRAIN:
            faults.append("R9: a knight at the limit stands in the lists")
        lady = s.favour[k]
        if lady != NONE and s.worn_by[lady] != k:
            faults.append("R10: a favour is worn by another knight")
    favours = [f for f in s.favour[:n] if f != NONE]
    if len(favours) != len(set(favours)):
        faults.append("R10: one favour on two knights")
    if s.standing & ~s.riding and s.phase != TRAIN:
        faults.append("R9: a knight stands who does not ride")
    won_jousts = s.jousts - s.no_winner - (1 if s.phase == 5 else 0)
    bonuses = sum(int(rules.day_bonus[d]) for d in range(rules.days) if s.day_winner[d] != NONE)
    premiums = int(s.premiums[:n].sum())
    if s.phase not in (PLAYOFF, OVER) and premiums != won_jousts + bonuses:  # R27 pays the final bonus in between
        faults.append(f"R20, R22: {premiums} premiums, {won_jousts} jousts won and {bonuses} of bonus")
    if s.phase == OVER and s.share[: table.players].sum() != 2520:
        faults.append("R29: the shares of the win do not make one")
    return faults
