"""A policy of one's own for Ritter: seat it with `--code docs/examples/patient.py --seat 1=patient`."""

import analyzer as az
from analyzer.games.ritter.state import CHALLENGE, GIVE_UP, KIND, RIDE, TRAIN, TRAIN_DIE, YIELD


@az.policy("ritter")
def patient(rules, s, policy, moves, n_moves, chance):
    """Trains dice, challenges who is hurt most, and yields with seven wounds."""
    if s.phase == YIELD:
        return moves[0] if s.wounds[s.asked] < 7 else YIELD * KIND + GIVE_UP
    best, most = moves[0], -1
    for i in range(n_moves):
        about = moves[i] % KIND
        value = 0
        if s.phase == TRAIN:
            value = int(about == TRAIN_DIE)
        elif s.phase == CHALLENGE:
            value = s.wounds[about % 10]
        elif s.phase == RIDE:
            value = about  # as many knights as may ride
        if value > most:
            best, most = moves[i], value
    return best
