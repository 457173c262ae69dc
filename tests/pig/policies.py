"""How Pig is played: one parametric player, and named sets of his parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from analyzer.engine import verbs
from analyzer.engine.chance import WHIM, below
from analyzer.engine.game import Option, Policy, Table, search_parameters
from analyzer.engine.jit import jit, record_type
from tests.pig.rules import RULES
from tests.pig.state import HOLD, ROLL

POLICIES = (
    Policy("random", "Rolls or holds, as a coin falls.", {"whim": 100}),
    Policy("timid", "Holds at 10.", {"hold": 10}),
    Policy("steady", "Holds at 20, where another roll gains as much as it risks.", {}),
    Policy("bold", "Holds at 30.", {"hold": 30}),
    Policy(
        "racer",
        "Holds at 21, later when behind; rolls for the game when anybody is near the goal.",
        {"hold": 21, "lag": 8, "race": 29},
    ),
)
PARAMETERS = (
    Option("whim", 0, "percent of decisions taken at random", low=0, high=100),
    Option("hold", 20, "points in the pot at which it holds", low=1, high=500),
    Option("lag", 0, "points behind for which it holds a point later; 0: it does not look", low=0, high=500),
    Option("race", 0, "points from the goal, anybody's, from which on it rolls until it is there", low=0, high=500),
    *search_parameters(POLICIES),
)
POLICY = record_type([(parameter.key, np.int64) for parameter in PARAMETERS])


@verbs.choose.of(RULES)
def choose(rules, s, policy, moves, n_moves, chance):
    if n_moves == 1:
        return moves[0]
    if policy.whim > 0 and below(chance, WHIM, 100) < policy.whim:
        return moves[below(chance, WHIM, n_moves)]
    own, rival = s.points[s.turn], _best_rival(rules, s)
    target = rules.goal if rival < rules.goal else rival + 1  # P5: with equal turns the goal may not be enough
    if own + s.pot >= target:
        return HOLD
    if rival >= rules.goal or max(own, rival) + policy.race >= rules.goal:
        return ROLL
    later = (rival - own) // policy.lag if policy.lag > 0 else 0
    return HOLD if s.pot >= policy.hold + later else ROLL


@jit
def _best_rival(rules, s):
    """Return the most points that another seat has."""
    best = 0
    for seat in range(rules.players):
        if seat != s.turn:
            best = max(best, s.points[seat])
    return best


def caveats(table: Table, settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say where policies sit at a table that their numbers are not meant for."""
    if table.options["faces"] == 6 or all(values["whim"] == 100 for values in settings):
        return []
    return ["The policies hold at numbers that are meant for a die with six faces."]
