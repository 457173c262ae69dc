"""What the end of a joust is worth in premiums, by wounds: measured in tournaments.

A tournament is played to one of the challenges of a day that two knights entered with given wounds.
There the two become the knights that the question is about, and the joust is made to end in some way:
won or lost, the one or the other with w wounds, for every w (`measure`), or fought with one rule of
yielding after the other (`compare`). Each time the tournament is played on with the same dice. What the
player's score changes by is what that end, or that rule, was worth. The other's wounds count too: a rival
who is hurt or out wins less on the days to come, and offers fewer premiums.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from analyzer.engine.chance import CHANCE, DICE, below, jump, open_streams
from analyzer.engine.game import Table, new_buffer
from analyzer.engine.jit import driver, jit
from analyzer.engine.run import add_up
from analyzer.engine.tally import new_row
from analyzer.engine.verbs import actor, apply, choose, deal, legal, outcome
from analyzer.games.ritter.joust import ATTACKER, Rider
from analyzer.games.ritter.kernel import arm, owner
from analyzer.games.ritter.state import CHALLENGE, GIVE_UP, RIDE_ON, YIELD, move_of

VICTORIOUS, BEATEN = 0, 1
OWN, OTHER = 0, 1  # whose wounds are set
_GIVE_UP, _FIGHT = move_of(YIELD, GIVE_UP), move_of(YIELD, RIDE_ON)
_KIND = 256
_CHUNK = 512  # tournaments at most
_LOT = 2000  # a place of the dice that no joust has: it picks the joust of a tournament


@dataclass(frozen=True)
class Meeting:
    """The jousts that a question is about: whose, who attacks, and on which day (0 is the first)."""

    table: Table
    policies: np.ndarray
    rotate: bool
    knights: tuple[Rider, Rider]  # one's own and the other, as they enter the lists
    side: int  # ATTACKER or DEFENDER: one's own part
    day: int

    @property
    def arms(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Dice, covers and wounds of the two."""
        dice, cover, wounds = zip(*self.knights, strict=True)
        return np.array(dice, np.int64), np.array(cover, np.int8), np.array(wounds, np.int64)


def measure_worth(
    meeting: Meeting,
    seed: int,
    games: int,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> tuple[np.ndarray, int]:
    """Return sums over tournaments and how many of them had such a joust.

    The sums are int64 [whose wounds, victorious or beaten, wounds, 2]: a score difference and its square.
    With own wounds the score is compared with that of being beaten unhurt, with the other's wounds with
    that of the same end and the wounds he had. The last entry of wounds is out of the tournament.
    An interruption is raised: prices from some of the tournaments would be others.
    """
    limit = int(meeting.table.rules.wound_limit)

    def part(first: int, count: int, states: Any, chances: Any, buffer: Any, row: Any, sums: np.ndarray) -> int:
        m, (dice, cover, wounds) = meeting, meeting.arms
        n: int = measure(
            m.table.rules, m.policies, m.rotate, m.side, m.day, dice, cover, wounds,
            seed, first, count, states, chances, buffer, row, sums,
        )  # fmt: skip
        return n

    summed = _sum_up(meeting.table, part, (2, 2, limit + 1, 2), 0, games, threads, progress)
    if summed.tournaments < games:
        raise KeyboardInterrupt
    return summed.sums, summed.jousts


class Summed(NamedTuple):
    """Sums over jousts, how many there were, and in how many tournaments: fewer than asked if interrupted."""

    sums: np.ndarray
    jousts: int
    tournaments: int


def compare_rules(
    meeting: Meeting,
    own: np.ndarray,
    other: np.ndarray,
    reference: int,
    seed: int,
    first: int,
    games: int,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Summed:
    """Return sums over tournaments `first` to `first + games - 1`, and how many of them had such a joust.

    Parameters
    ----------
    own : uint8 [rule, attacker's wounds, defender's wounds], 1 where one yields by that rule.
    other : the same of the other, one map.
    reference : the rule with which the others are compared.

    The sums are int64 [rule, 4]: the score of the reference less that of the rule, its square, and the
    same of the wins.
    """

    def part(start: int, count: int, states: Any, chances: Any, buffer: Any, row: Any, sums: np.ndarray) -> int:
        m, (dice, cover, wounds) = meeting, meeting.arms
        n: int = compare(
            m.table.rules, m.policies, m.rotate, m.side, m.day, dice, cover, wounds, own, other, reference,
            seed, start, count, states, chances, buffer, row, sums,
        )  # fmt: skip
        return n

    return _sum_up(meeting.table, part, (len(own), 4), first, games, threads, lambda n: progress(n * len(own)))


def _sum_up(
    table: Table,
    part: Callable[..., int],
    shape: tuple[int, ...],
    first: int,
    games: int,
    threads: int | None,
    progress: Callable[[int], None],
) -> Summed:
    """Add up what `part` fills into sums of that shape, and the jousts that it returns."""

    def one(start: int, count: int) -> np.ndarray:
        states, chances = table.new_states(2), np.zeros(2, CHANCE).view(np.recarray)
        counts = np.zeros(math.prod(shape) + 1, np.int64)
        buffer, row = new_buffer(table), new_row(*table.sizes)
        counts[-1] = part(start, count, states, chances, buffer, row, counts[:-1].reshape(shape))
        return counts

    run = add_up(one, games, first=first, most=_CHUNK, threads=threads, progress=progress)
    if run.result is None:
        raise KeyboardInterrupt
    return Summed(run.result[:-1].reshape(shape), int(run.result[-1]), run.n_games)


@driver
def measure(rules, policies, rotate, side, day, dice, cover, wounds, seed, first, count,
            states, chances, buffer, row, sums):  # fmt: skip
    """Measure in tournaments `first` to `first + count - 1` (modifies all from `states` on)."""
    measured = 0
    for game in range(first, first + count):
        shift = game % policies.shape[0] if rotate else 0
        k, other, move = _find(
            rules, policies, shift, side, day, dice, cover, wounds, seed, game, states, chances, buffer
        )
        if move < 0:
            continue
        measured += 1
        for whose in (OWN, OTHER):
            changed = k if whose == OWN else other
            for end in (BEATEN, VICTORIOUS):
                if whose == OTHER or end == BEATEN:  # what the others are compared with
                    before = wounds[1] if whose == OTHER else 0
                    base = _end_with(
                        rules, policies, shift, side, k, other, end, changed, before, states, chances, buffer, row
                    )
                for hurt in range(rules.wound_limit + 1):
                    score = _end_with(
                        rules, policies, shift, side, k, other, end, changed, hurt, states, chances, buffer, row
                    )
                    sums[whose, end, hurt, 0] += score - base
                    sums[whose, end, hurt, 1] += (score - base) * (score - base)
    return measured


@driver
def compare(rules, policies, rotate, side, day, dice, cover, wounds, own, other_map, reference, seed, first, count,
            states, chances, buffer, row, sums):  # fmt: skip
    """Compare rules of yielding in tournaments `first` to `first + count - 1` (modifies all from `states` on)."""
    measured, n_rules = 0, own.shape[0]
    scores, wins = np.zeros(n_rules, np.int64), np.zeros(n_rules, np.int64)
    for game in range(first, first + count):
        shift = game % policies.shape[0] if rotate else 0
        k, _, move = _find(rules, policies, shift, side, day, dice, cover, wounds, seed, game, states, chances, buffer)
        if move < 0:
            continue
        measured += 1
        for rule in range(n_rules):
            _fight_with(rules, policies, shift, k, move, own[rule], other_map, states, chances, buffer, row)
            scores[rule], wins[rule] = row.score[owner(rules, k)], row.win[owner(rules, k)]
        for rule in range(n_rules):
            less, lost = scores[reference] - scores[rule], wins[reference] - wins[rule]
            sums[rule, 0] += less
            sums[rule, 1] += less * less
            sums[rule, 2] += lost
            sums[rule, 3] += lost * lost
    return measured


@jit
def _find(rules, policies, shift, side, day, dice, cover, wounds, seed, game, states, chances, buffer):
    """Play to one of the day's jousts and put the two knights there (modifies `states`, `chances`).

    Returns
    -------
    The slots of the two and the challenge about to be made, which `states[1]` waits for; -1 if there is none.
    """
    s, chance = states[0], chances[0]
    none = np.int64(1 << 30)  # of the type of `which`: a literal would be a second signature to compile
    n, k, other, move = _play_to(rules, policies, shift, side, day, wounds, seed, game, none, s, chance, buffer)
    if n == 0:
        return k, other, move
    # one of the day's jousts, the early ones and the late ones alike
    open_streams(chance, (seed, seed, seed), game)
    jump(chance, DICE, _LOT)
    which = below(chance, DICE, n)
    n, k, other, move = _play_to(rules, policies, shift, side, day, wounds, seed, game, which, s, chance, buffer)
    arm(rules, s, k, dice[0], cover[0])
    arm(rules, s, other, dice[1], cover[1])
    states[1], chances[1] = states[0], chances[0]
    return k, other, move


@jit
def _play_to(rules, policies, shift, side, day, wounds, seed, game, which, s, chance, buffer):
    """Play a game to the day's challenge number `which`, or until the day is over.

    Counted are the challenges in which one's own side has so many wounds and the other so many.

    Returns
    -------
    How many such challenges there were before, the slots of the two, the challenge; -1 if there is none.
    """
    open_streams(chance, (seed, seed, seed), game)
    deal(rules, s, chance)
    n = 0
    seat = actor(rules, s)
    while seat >= 0 and s.day <= day:
        move = _decide(rules, policies, shift, seat, s, chance, buffer)
        if s.phase == CHALLENGE and s.day == day:
            k, other = move % _KIND // 10, move % _KIND % 10
            if side != ATTACKER:
                k, other = other, k
            if s.wounds[k] == wounds[0] and s.wounds[other] == wounds[1]:
                if n == which:
                    return n, k, other, move
                n += 1
        apply(rules, s, move, chance)
        seat = actor(rules, s)
    return n, -1, -1, -1


@jit
def _end_with(rules, policies, shift, side, k, other, end, changed, wounds, states, chances, buffer, row):
    """Return the score of k's player when the joust ends so, `changed` having these wounds."""
    states[0], chances[0] = states[1], chances[1]
    s, chance = states[0], chances[0]
    s.wounds[changed] = wounds
    s.attacker, s.defender = (k, other) if side == ATTACKER else (other, k)
    s.phase, s.bout, s.blank = YIELD, 2, 0
    s.jousts += 1
    s.asked = k if end == BEATEN else other
    s.turn = owner(rules, s.asked)
    apply(rules, s, _GIVE_UP, chance)
    _play_on(rules, policies, shift, s, chance, buffer, row)
    return row.score[owner(rules, k)]


@jit
def _fight_with(rules, policies, shift, k, move, own, other_map, states, chances, buffer, row):
    """Fight the joust with these rules of yielding and play on (fills `row`)."""
    states[0], chances[0] = states[1], chances[1]
    s, chance = states[0], chances[0]
    apply(rules, s, move, chance)
    joust = s.jousts
    while s.phase == YIELD and s.jousts == joust:
        a, d = s.wounds[s.attacker], s.wounds[s.defender]
        yields = own[a, d] if s.asked == k else other_map[a, d]
        apply(rules, s, _GIVE_UP if yields else _FIGHT, chance)
    _play_on(rules, policies, shift, s, chance, buffer, row)


@jit
def _play_on(rules, policies, shift, s, chance, buffer, row):
    """Let the policies play to the end (fills `row`)."""
    seat = actor(rules, s)
    while seat >= 0:
        apply(rules, s, _decide(rules, policies, shift, seat, s, chance, buffer), chance)
        seat = actor(rules, s)
    outcome(rules, s, row)


@jit
def _decide(rules, policies, shift, seat, s, chance, buffer):
    """Return the move of a seat's policy."""
    entrant = seat - shift if seat >= shift else seat - shift + policies.shape[0]
    n_moves = legal(rules, s, buffer.moves)
    return choose(rules, s, policies[entrant], buffer.moves, n_moves, chance)
