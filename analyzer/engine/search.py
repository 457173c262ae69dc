"""A seat that thinks: every candidate is played on with the same luck, and the budget goes to the promising ones.

At a decision of a seat whose policy searches, what the seat cannot see is redrawn (`redeal`, `rethink`),
each candidate is played to the end by the policies themselves (the thinker's own, and the others' or the
one it assumes of them), and sequential halving drops the worse half of the candidates until the budget
is spent. Wins count first; the lead in score is a tie-break that fades as games are played. All luck comes from
streams of its own, so the game played is the same whoever watches, on any number of threads.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from analyzer.engine.chance import DEAL, DICE, GOLDEN, WHIM, draw, lot, mix, new_chance, open_streams
from analyzer.engine.game import Table, new_buffer
from analyzer.engine.jit import jit, record_type
from analyzer.engine.tally import WHOLE_WIN, Row, new_row
from analyzer.engine.verbs import actor, apply, choose, legal, outcome, redeal, rethink

STATES = 4  # of a driver: the game, the position it began from, and two for a thinker
_MOST_STEPS = 100_000  # of a game played on: one that goes on for ever tells nothing
_LEAD = 0.5  # how much of a win the first game's lead is taken for; it fades with the root of the games
_SEARCH = np.uint64(0x51A2C3D4E5F60718)  # a purpose of its own
_U40 = np.uint64(40)
ROOM = record_type(
    [("move", np.int64), ("games", np.int64), ("win", np.int64), ("lead", np.float64), ("value", np.float64)]
)


class Mind(NamedTuple):
    """What searching seats need beside the game's own records."""

    known: np.ndarray  # [policy] the shipped policies, for what is assumed of the others
    seated: np.ndarray  # [seat] the policies of the games played on
    room: np.ndarray  # [candidate] workspace of the decision
    inner: Any  # room for the moves of the games played on
    spare: Any  # streams of its own
    row: Row  # how a game played on ended


def mind_of(table: Table, policies: np.ndarray) -> Mind | None:
    """Return a workspace for those of the policies that search, or None if none does."""
    if not (policies["search"] > 0).any():
        return None
    known = table.game.known
    return Mind(
        known=known,
        seated=np.zeros(table.players, known.dtype).view(np.recarray),
        room=np.zeros(table.game.most_moves, ROOM).view(np.recarray),
        inner=new_buffer(table),
        spare=new_chance(),
        row=new_row(*table.sizes),
    )


@jit
def decide(rules, states, seat, entrant, policies, moves, n_moves, chance, moment, mind):
    """Return an entrant's move in `states[0]`: what its policy chooses, or finds by thinking.

    `moment` is (seed, game, step): a search depends on it and on nothing that was drawn before. Where
    `mind` is None the compiler leaves the search out.
    """
    if mind is not None:
        known, seated, room, inner, spare, row = mind
        if policies[entrant].search > 0 and n_moves > 1:
            _assume(policies, known, entrant, seat, seated)
            return _think(rules, states, seat, seated, moves, n_moves, room, inner, spare, _seed_of(moment), row)
    return choose(rules, states[0], policies[entrant], moves, n_moves, chance)


@jit
def _think(rules, states, seat, seated, moves, n_moves, room, inner, chance, seed, row):
    """Return the move that a seat finds best in `states[0]` (modifies `states[2:]`, `room`, `inner`, `chance`, `row`).

    Parameters
    ----------
    seated : the policy records by seat, those of the others being what the thinker assumes.
    room : workspace, a row for each candidate.
    inner : room for the moves of the games played on.
    chance : streams of its own.
    seed : of this decision (uint64).
    """
    budget = np.int64(seated[seat].search)
    for i in range(n_moves):
        room[i].move = moves[i]
        room[i].games = room[i].win = 0
        room[i].lead = room[i].value = 0.0
    stages = 1
    while (1 << stages) < n_moves:
        stages += 1
    alive, sample, swing = n_moves, 0, 1e-9
    while alive > 1 and stages > 0:
        for _ in range(max(1, budget // (stages * alive))):
            swing += _try_all(rules, states, seat, seated, room, alive, inner, chance, seed, sample, row)
            sample += 1
            budget -= alive
        stages -= 1
        scale = swing / sample
        for i in range(alive):
            n = room[i].games
            room[i].value = room[i].win / (n * WHOLE_WIN) + _LEAD / np.sqrt(n) * room[i].lead / (n * scale)
        alive = _keep_best(room, alive, 1 if stages == 0 else (alive + 1) // 2, draw(chance, WHIM))
    return room[0].move


@jit
def _try_all(rules, states, seat, seated, room, alive, inner, chance, seed, sample, row):
    """Play every candidate left on once, all with the same luck; return how far leads went, by the candidate."""
    start, s, moves = states[2], states[3], inner.moves
    open_streams(chance, (seed, seed, seed), sample)
    states[2] = states[0]
    redeal(rules, start, seat, chance)
    rethink(rules, start, seat, seated, moves, chance)
    deal_at, dice_at, whim_at = chance.at[DEAL], chance.at[DICE], chance.at[WHIM]
    deal_home, dice_home = chance.home[DEAL], chance.home[DICE]
    swing = 0.0
    for i in range(alive):
        states[3] = states[2]
        chance.at[DEAL], chance.at[DICE], chance.at[WHIM] = deal_at, dice_at, whim_at
        chance.home[DEAL], chance.home[DICE] = deal_home, dice_home
        apply(rules, s, room[i].move, chance)
        who, steps = actor(rules, s), 0
        while who >= 0 and steps < _MOST_STEPS:
            n = legal(rules, s, moves)
            apply(rules, s, choose(rules, s, seated[who], moves, n, chance), chance)
            who = actor(rules, s)
            steps += 1
        room[i].games += 1
        if who >= 0:
            continue  # not ended: a game without a winner
        outcome(rules, s, row)
        best = np.int64(-(1 << 40))
        for other in range(row.score.shape[0]):
            if other != seat:
                best = max(best, row.score[other])
        lead = np.float64(row.score[seat] - best)
        room[i].win += row.win[seat]
        room[i].lead += lead
        swing += abs(lead)
    return swing / alive


@jit
def _keep_best(room, alive, keep, word):
    """Bring the best candidates to the front, equals by lot; return how many are kept (modifies `room`)."""
    for i in range(keep):
        best = i
        for j in range(i + 1, alive):
            ahead = room[j].value - room[best].value
            if ahead > 0 or (ahead == 0 and lot(word, room[j].move) > lot(word, room[best].move)):
                best = j
        if best != i:
            _swap(room, i, best)
    return keep


@jit
def _swap(room, i, j):
    move, games, win, lead, value = room[i].move, room[i].games, room[i].win, room[i].lead, room[i].value
    room[i] = room[j]
    room[j].move, room[j].games, room[j].win, room[j].lead, room[j].value = move, games, win, lead, value


@jit
def _assume(policies, known, thinker, seat, seated):
    """Fill in by seat who plays on: the thinker as it is, the others too or as a known policy (modifies `seated`)."""
    n = policies.shape[0]
    taken_for = policies[thinker].assume
    for entrant in range(n):
        at = (seat + entrant - thinker + n) % n
        if entrant == thinker or taken_for == 0:
            seated[at] = policies[entrant]
        else:
            seated[at] = known[taken_for - 1]


@jit
def _seed_of(moment):
    """Return the seed of one decision's search (uint64)."""
    seed, game, step = moment
    return mix(mix(np.uint64(seed) ^ _SEARCH) + np.uint64(game) * GOLDEN + (np.uint64(step) << _U40))
