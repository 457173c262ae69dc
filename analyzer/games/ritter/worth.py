"""What the end of a joust is worth in premiums, by wounds: measured in tournaments.

A tournament is played to one of the jousts of a day in which somebody may yield and which the two
entered with given wounds. There the one whose price is asked for is made to win or to lose, he or the
other being given w wounds, for every w, and each time the tournament is played on with the same dice.
What his player's score changes by is what that end was worth. The other's wounds count too: a rival
who is hurt or out wins less on the days to come, and offers fewer premiums.
"""

from __future__ import annotations

import numpy as np

from analyzer.engine.chance import CHANCE, open_streams
from analyzer.engine.game import Table
from analyzer.engine.jit import driver, jit
from analyzer.engine.tally import new_row
from analyzer.engine.threads import Workers
from analyzer.engine.trace import new_buffer
from analyzer.engine.verbs import actor, apply, choose, deal, legal, outcome
from analyzer.games.ritter.kernel import owner
from analyzer.games.ritter.state import CHALLENGE, GIVE_UP, YIELD, move_of

VICTORIOUS, BEATEN = 0, 1
OWN, OTHER = 0, 1  # whose wounds are set
_GIVE_UP = move_of(YIELD, GIVE_UP)
_CHUNK = 512


def measure_worth(
    table: Table,
    policies: np.ndarray,
    day: int,
    entered_with: tuple[int, int],
    seed: int,
    games: int,
    rotate: bool,
    threads: int | None = None,
) -> tuple[np.ndarray, int]:
    """Return sums over tournaments and how many of them had a joust to measure on that day (0 is the first).

    The sums are int64 [whose wounds, victorious or beaten, wounds, 2]: a score difference and its square.
    With own wounds the score is compared with that of being beaten unhurt, with the other's wounds with
    that of the same end and the wounds he had. The last entry of wounds is out of the tournament.
    """
    limit = int(table.rules.wound_limit)

    def part(first: int) -> tuple[np.ndarray, int]:
        sums = np.zeros((2, 2, limit + 1, 2), np.int64)
        row = new_row(*table.sizes)
        states, chances = table.new_states(2), np.zeros(2, CHANCE).view(np.recarray)
        count = min(_CHUNK, games - first)
        buffer = new_buffer(table)
        n = measure(
            table.rules, policies, rotate, day, entered_with, seed, first, count, states, chances, buffer, row, sums
        )
        return sums, int(n)

    with Workers(threads) as pool:
        parts = list(pool.map(part, range(0, games, _CHUNK)))
    return np.sum([sums for sums, _ in parts], axis=0), sum(n for _, n in parts)


@driver
def measure(rules, policies, rotate, day, entered_with, seed, first, count, states, chances, buffer, row, sums):
    """Measure in tournaments `first` to `first + count - 1` (modifies all from `states` on)."""
    measured = 0
    s, chance = states[0], chances[0]
    for game in range(first, first + count):
        shift = game % policies.shape[0] if rotate else 0
        side = game & 1
        n_jousts = _play_to(rules, policies, shift, day, entered_with, side, seed, game, 1 << 30, s, chance, buffer)
        if n_jousts == 0:
            continue
        # one of the day's jousts, the early ones and the late ones alike
        which = (game >> 1) % n_jousts
        _play_to(rules, policies, shift, day, entered_with, side, seed, game, which, s, chance, buffer)
        measured += 1
        states[1], chances[1] = states[0], chances[0]
        k, other = (s.attacker, s.defender) if side == 0 else (s.defender, s.attacker)
        for whose in (OWN, OTHER):
            changed = k if whose == OWN else other
            for end in (BEATEN, VICTORIOUS):
                if whose == OTHER or end == BEATEN:  # what the others are compared with
                    before = states[1].wounds[changed] if whose == OTHER else 0
                    base = _end_with(rules, policies, shift, k, end, changed, before, states, chances, buffer, row)
                for wounds in range(rules.wound_limit + 1):
                    score = _end_with(rules, policies, shift, k, end, changed, wounds, states, chances, buffer, row)
                    sums[whose, end, wounds, 0] += score - base
                    sums[whose, end, wounds, 1] += (score - base) * (score - base)
    return measured


@jit
def _end_with(rules, policies, shift, k, end, changed, wounds, states, chances, buffer, row):
    """Return the score of k's player when the joust of `states[1]` ends so, `changed` having these wounds."""
    states[0], chances[0] = states[1], chances[1]
    s, chance = states[0], chances[0]
    s.wounds[changed] = wounds
    other = s.defender if k == s.attacker else s.attacker
    s.asked = k if end == BEATEN else other
    s.turn = owner(rules, s.asked)
    apply(rules, s, _GIVE_UP, chance)
    seat = actor(rules, s)
    while seat >= 0:
        seat = _step(rules, policies, shift, seat, s, chance, buffer)
    outcome(rules, s, row)
    return row.score[owner(rules, k)]


@jit
def _play_to(rules, policies, shift, day, entered_with, side, seed, game, which, s, chance, buffer):
    """Play a game to the first question of yielding in the day's joust number `which`, or to its end.

    Counted are the jousts that the attacker (side 0) or the defender entered with so many wounds and the
    other with so many.

    Returns
    -------
    How many such jousts there were before.
    """
    open_streams(chance, (seed, seed, seed), game)
    deal(rules, s, chance)
    n, last, entered, others = 0, -1, 0, 0
    seat = actor(rules, s)
    while seat >= 0:
        if s.phase == CHALLENGE:
            entered = knights_with(rules, s, entered_with[0])
            others = knights_with(rules, s, entered_with[1])
        elif s.phase == YIELD and s.day == day and s.jousts != last:
            last = s.jousts
            k, other = (s.attacker, s.defender) if side == 0 else (s.defender, s.attacker)
            if entered >> k & 1 and others >> other & 1:
                if n == which:
                    break
                n += 1
        seat = _step(rules, policies, shift, seat, s, chance, buffer)
    return n


@jit
def knights_with(rules, s, wounds):
    """Return the set of knights with so many wounds."""
    found = 0
    for k in range(rules.players * rules.each):
        found |= (s.wounds[k] == wounds) << k
    return found


@jit
def _step(rules, policies, shift, seat, s, chance, buffer):
    """Let a seat's policy move and return who is next."""
    entrant = seat - shift if seat >= shift else seat - shift + policies.shape[0]
    n_moves = legal(rules, s, buffer.moves)
    apply(rules, s, choose(rules, s, policies[entrant], buffer.moves, n_moves, chance), chance)
    return actor(rules, s)
