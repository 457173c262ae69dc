"""A policy of one's own for Ritter: seat it with `--code docs/examples/patient.py --seat 1=patient`."""

import analyzer as az
from analyzer.games.ritter.state import GIVE_UP, KIND, YIELD


@az.policy("ritter")
def patient(rules, s, policy, moves, n_moves, chance):
    """Yields with five wounds, and takes the first legal move in everything else."""
    if s.phase == YIELD and s.wounds[s.asked] >= 5:
        return YIELD * KIND + GIVE_UP
    return moves[0]
