"""A game told in sentences."""

from __future__ import annotations

from typing import Any

from analyzer.engine.game import Step, Table
from analyzer.games.fredericus.cards import CARDS, CREATURES
from analyzer.games.fredericus.position import kinds, row_text
from analyzer.games.fredericus.state import (
    BET,
    BETTING,
    BY_FLIP,
    CARD,
    CATCH,
    COURT,
    COURTYARD,
    DISCARD,
    ENDINGS,
    FALCON,
    FALCONS,
    FLIPPED,
    HOOD,
    IN_HAND,
    KIND,
    N_ROWS,
    OPEN,
    OVER,
    ROTATE,
    SETUP,
    TAKE,
    TURN,
    n_pairs,
    score,
    seal_row,
)

_END = {
    "creatures": "The creatures of one player have ended the game.",
    "drawn": "Fredericus, drawn from the pile, has ended the game.",
    "flipped": "Fredericus, turned up by the start player, has ended the game.",
    "rounds": "The game is stopped after its last round.",
}


def opening(table: Table, s: Any) -> list[str]:
    """Return the sentences that say what lies where at the beginning."""
    lines = ["The rows, from the castle to the end:"]
    lines += [f"  {row + 1}: {row_text(s, row)}" for row in range(N_ROWS)]
    for seat in range(table.players):
        peregrine, kestrel = (int(t) + 1 for t in s.tower[seat])
        held = ", ".join(kinds(s.goals[seat])) or "none"
        lines.append(f"Seat {seat + 1}: peregrine on tower {peregrine}, kestrel on tower {kestrel}; goals: {held}.")
    lines.append(f"Seat {s.start + 1} is the start player; the goal pile has {s.pile_left} cards.")
    return lines


def tell(table: Table, step: Step) -> list[str]:
    """Return the sentences of one step and of what followed it.

    A card drawn after a chip was placed is that of the courtyard: the next turn has begun by then.
    """
    draws, followed = _draws(table, step), _what_followed(table, step)
    bets = step.before.phase in (SETUP, BETTING)
    return [_sentence(step), *followed, *draws] if bets else [_sentence(step), *draws, *followed]


def _sentence(step: Step) -> str:
    s, kind, what = step.before, step.move // KIND, step.move % KIND
    who = f"Seat {step.seat + 1}"
    if kind == CARD:
        row = what // 2
        card = CARDS[s.rows[row, s.length[row] - 1]]
        return f"{who} moves {_a(card)} from row {row + 1} to row {seal_row(row, what % 2) + 1}."
    if kind == FALCON:
        tower = int(step.after.tower[step.seat, what // 2])
        return f"{who} sends the {FALCONS[what // 2]} to tower {tower + 1}."
    if kind == HOOD:
        hooded = [
            f"the {FALCONS[int(step.after.hooded[seat]) >> 1]} of seat {seat + 1}"
            for seat in range(len(s.hooded))
            if step.after.hooded[seat] != s.hooded[seat] and seat != step.seat
        ]
        return f"{who} hoods {' and '.join(hooded)} on tower {what // 16 + 1}."
    if kind == CATCH:
        row = int(s.tower[step.seat, what])
        creature = CARDS[s.rows[row, s.length[row] - 1]]
        return f"{who} catches {_a(creature)} on row {row + 1} with the {FALCONS[what]}."
    if kind == OPEN:
        tower = int(s.tower[step.seat, what])
        return f"{who} opens a seal with the {FALCONS[what]}: row {tower + 1} is turned round."
    if kind == DISCARD:
        return f"{who} discards the seal of row {seal_row(int(s.tower[step.seat, s.sealing]), what) + 1}."
    if kind == ROTATE:
        return f"{who} brings the three cards at the end of row {what + 1} to the castle."
    if kind == BET:
        return f"{who} bets on {'the courtyard' if what == COURTYARD else f'row {what + 1}'}."
    if kind == TAKE:
        return f"{who} takes the chip back from the courtyard."
    if s.phase == TURN:
        return f"{who} ends his turn."
    place = s.chips[s.turn, 0 if s.phase == COURT else s.chip]
    return f"{who} leaves the chip {'in the courtyard' if place == COURTYARD else f'on row {place + 1}'}."


def _a(card: str) -> str:
    return {"wood": "wood", "air": "air"}.get(card, f"a {card}")


def _draws(table: Table, step: Step) -> list[str]:
    """Tell who drew a goal card, and which, in the order of the draws."""
    before, after = step.before, step.after
    lines = []
    for turn in range(table.players):
        seat = (step.seat + turn) % table.players
        drawn = [
            name for name, n in zip(CREATURES, after.goals[seat] - before.goals[seat], strict=True) for _ in range(n)
        ]
        if after.holder == seat and before.holder != seat and after.ending != BY_FLIP:
            drawn.append("Fredericus")
        lines += [f"  Seat {seat + 1} draws a goal card: {name}." for name in drawn]
        back = (before.chips[seat] >= 0) & (after.chips[seat] == IN_HAND)
        if seat != step.seat and back.any() and not drawn:
            lines.append(f"  Seat {seat + 1} takes the chip back.")
    return lines


def _what_followed(table: Table, step: Step) -> list[str]:
    """Tell what happened of itself: a card flipped, the next round, the end."""
    before, after = step.before, step.after
    lines = []
    flipped = [name for name, n in zip(CREATURES, after.shown - before.shown, strict=True) for _ in range(n)]
    if after.holder == FLIPPED and before.holder != FLIPPED:
        flipped.append("Fredericus")
    elif after.ending == BY_FLIP and before.ending != BY_FLIP:
        flipped.append("Fredericus, and keeps him")
    lines += [f"  Seat {before.start + 1} flips a goal card: {name}." for name in flipped]
    if after.lap != before.lap:
        points = ", ".join(f"seat {seat + 1} has {score(before, seat)}" for seat in range(table.players))
        lines.append(f"Points after round {before.lap + 1}: {points}.")
    if after.phase == OVER:
        return lines + _end(table, after)
    if (after.turn != before.turn and after.phase != SETUP) or before.phase == SETUP != after.phase:
        lines.append(f"Round {after.lap + 1}, seat {after.turn + 1}: {_count(int(after.actions), 'action')}.")
    return lines


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _end(table: Table, s: Any) -> list[str]:
    lines = [_END[ENDINGS[s.ending]]]
    for seat in range(table.players):
        parts = [_count(int(s.n_creatures[seat]), "creature"), _count(int(s.n_goals[seat]), "goal card")]
        parts += ["Fredericus"] if s.holder == seat else []
        parts.append(_count(n_pairs(s, seat), "pair"))
        lines.append(f"Seat {seat + 1}: {', '.join(parts)}: {_count(score(s, seat), 'point')}.")
    lines.append(f"Seat {s.winner + 1} wins.")
    return lines
