"""A game told in sentences."""

from __future__ import annotations

from typing import Any

from analyzer.engine.game import Step, Table
from tests.pig.state import HOLD


def opening(table: Table, s: Any) -> list[str]:
    """Return the sentences that say how it begins."""
    return [f"Seat {s.start + 1} of {table.players} begins; {table.rules.goal} points win."]


def tell(table: Table, step: Step) -> list[str]:
    """Return the sentences of one step and of what followed it."""
    before, after = step.before, step.after
    who = f"Seat {step.seat + 1}"
    points = int(after.points[step.seat])
    if step.move == HOLD:
        lines = [f"{who} holds {before.pot} and has {points} points."]
    elif after.pig_outs > before.pig_outs:
        lines = [f"{who} rolls 1, loses {before.pot} and has {points} points."]
    else:
        lines = [f"{who} rolls {after.pot - before.pot}; the pot is {after.pot}."]
    if after.over:
        scores = after.points[: table.players]
        winners = [str(seat + 1) for seat, points in enumerate(scores) if points == max(scores)]
        lines.append(f"The game is over after {after.bout} rounds; won by seat {' and '.join(winners)}.")
    return lines
