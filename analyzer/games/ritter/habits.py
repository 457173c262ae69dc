"""When the policies yield in a joust, by the wounds of both: what an exact chain needs to know of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.engine.game import Table
from analyzer.engine.jit import driver
from analyzer.games.ritter.joust import ATTACKER
from analyzer.games.ritter.policies import yield_chance


def yield_map(table: Table, states: np.ndarray, policy: Any, attacker: int, defender: int, side: int) -> np.ndarray:
    """Return the chance that a policy yields when asked: float64 [attacker's wounds, defender's wounds].

    Parameters
    ----------
    states : the position (an array of one) in which the two slots meet.
    policy : the record of the one asked, `side` saying who that is.
    """
    limit = int(table.rules.wound_limit)
    chances, scratch = np.zeros((limit, limit)), states.copy()
    _fill(table.rules, scratch[0], policy, attacker, defender, side, chances)
    return chances


@driver
def _fill(rules, s, policy, attacker, defender, side, chances):
    """Ask for all wounds (modifies `s` and `chances`)."""
    s.attacker, s.defender = attacker, defender
    s.asked = attacker if side == ATTACKER else defender
    for a in range(chances.shape[0]):
        for d in range(chances.shape[1]):
            s.wounds[attacker], s.wounds[defender] = a, d
            chances[a, d] = yield_chance(rules, s, policy)
