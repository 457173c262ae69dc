"""Pig: one die, and the question when to stop."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analyzer.engine.game import Game, Measure, Table
from analyzer.errors import BadInput
from tests.pig import kernel  # noqa: F401  implements the verbs
from tests.pig.policies import PARAMETERS, POLICIES, POLICY, caveats
from tests.pig.position import place, show
from tests.pig.rules import CHECKPOINTS, MOST_PLAYERS, OPTIONS, make_rules
from tests.pig.state import MOVES, STATE, move_text, read_move
from tests.pig.story import opening, tell

# In the order in which `kernel.outcome` fills them.
MEASURES = (
    Measure("rounds", "rounds"),
    Measure("turns", "turns, all players together"),
    Measure("rolls", "rolls"),
    Measure("pig_outs", "turns lost to a 1", "turns"),
    Measure("stopped", "games stopped at most_rounds (P6)"),
)


def prepare(players: int, options: Mapping[str, Any], deck_path: Path | None) -> Table:
    """Return the table of a full set of options; there are no cards."""
    if deck_path is not None:
        raise BadInput(f"deck {deck_path}: Pig has no cards; leave it out")
    return Table(
        game=GAME,
        players=players,
        options=options,
        rules=make_rules(players, options),
        deck=None,
        cards=(),
        checkpoints=min(options["most_rounds"], CHECKPOINTS),
    )


GAME = Game(
    name="pig",
    title="Pig",
    about="Roll as long as you dare: a 1 loses what the turn has brought.",
    edition="as it is told everywhere",
    least_players=2,
    most_players=MOST_PLAYERS,
    options=OPTIONS,
    parameters=PARAMETERS,
    policies=POLICIES,
    default_policy="steady",
    strongest="racer",
    measures=MEASURES,
    score_name="points",
    checkpoint_name="round",
    terms={"pot": "Topf / pot", "to hold": "halten / passen"},
    state=STATE,
    policy=POLICY,
    most_moves=len(MOVES),
    prepare=prepare,
    move_text=move_text,
    read_move=read_move,
    show=show,
    place=place,
    opening=opening,
    tell=tell,
    faces=lambda table, s, move: int(table.rules.faces),
    caveats=caveats,
    ends_early=True,
)
