"""What holds after every move of Pig, under any options."""

from __future__ import annotations

from typing import Any

from analyzer.engine.game import Table


def broken(table: Table, s: Any) -> list[str]:
    """Return what does not hold in a state."""
    rules, points = table.rules, s.points[: table.players]
    holds = {
        "P2: a turn without a roll has nothing in the pot": s.pot == 0 or s.rolls > s.pig_outs,
        "P3: a 1 stays in the pot": s.pot != 1,
        "P3: every 1 costs a turn": s.pig_outs <= s.turns,
        "P4: points are fewer than none": points.min() >= 0 and s.pot >= 0,
        "P5: the game goes on past the goal": s.over or rules.equal_turns or points.max() < rules.goal,
        "P6: the game goes on past its last round": s.bout < rules.most_rounds + s.over,
    }
    return [what for what, is_so in holds.items() if not is_so]
