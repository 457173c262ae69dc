"""Jitted drivers on the verbs: play a chunk of games, or one step at a time.

`play_chunk` is what millions of games run through; the step functions serve stories, written games
and tests. All take any game, picked by the type of its rules.
"""

from __future__ import annotations

from analyzer.engine.chance import WHIM, open_streams
from analyzer.engine.jit import driver
from analyzer.engine.search import decide
from analyzer.engine.tally import count_game, log_game
from analyzer.engine.verbs import actor, apply, choose, deal, legal, outcome, redeal, rethink

_MOST_STEPS = 1_000_000  # no game comes near; a kernel that loops is stopped and reported
DEALT = -1  # `first_move` of a game that is dealt and not rolled out from a position


@driver
def play_chunk(rules, policies, rotate, seeds, first, count, first_move, states, buffer, chance, row, tally, log, mind):
    """Play games `first` to `first + count - 1` and count them (modifies all from `states` on).

    `states[0]` is worked on. With `first_move` >= 0 the games are not dealt but continue from the
    position `states[1]`, in seats as listed, what its actor cannot see shuffled anew and what the others
    hide from it decided anew, with that move. A log of no games is not written to.
    `mind` is the workspace of seats that search (`search.new_mind`), or None where none does.

    Returns -1, or the number of a game that did not end.
    """
    n_seats = policies.shape[0]
    s = states[0]
    moves = buffer.moves  # a view into a record has no reference count to keep
    for game in range(first, first + count):
        shift = game % n_seats if rotate else 0
        open_streams(chance, seeds, game)
        if first_move >= 0:
            states[0] = states[1]
            seat = actor(rules, s)
            redeal(rules, s, seat, chance)
            rethink(rules, s, seat, policies, moves, chance)
            apply(rules, s, first_move, chance)
        else:
            deal(rules, s, chance)
        steps = dead = 0
        seat = actor(rules, s)
        while seat >= 0:
            n_moves = legal(rules, s, moves)
            entrant = seat - shift if seat >= shift else seat - shift + n_seats
            move = decide(
                rules, states, seat, entrant, policies, moves, n_moves, chance, (seeds[WHIM], game, steps), mind
            )
            apply(rules, s, move, chance)
            seat = actor(rules, s)
            steps += 1
            dead += n_moves == 1
            if steps > _MOST_STEPS:
                return game
        row.held[:] = 0
        row.first[0] = 0
        outcome(rules, s, row)
        count_game(tally, row, shift)
        tally.moves[0] += steps
        tally.moves[1] += dead
        if log.win.shape[0] > 0:
            log_game(log, game - first, row, shift)
    return -1


@driver
def begin(rules, s, seeds, game, chance):
    """Open the streams of a game and deal it (modifies `s` and `chance`)."""
    open_streams(chance, seeds, game)
    deal(rules, s, chance)


@driver
def look(rules, s, buffer):
    """Return the actor and how many legal moves were written into `buffer.moves`."""
    seat = actor(rules, s)
    if seat < 0:
        return seat, 0
    return seat, legal(rules, s, buffer.moves)


@driver
def pick(rules, s, policy, buffer, n_moves, chance):
    """Return a policy's choice among `buffer.moves`, without thinking."""
    return choose(rules, s, policy, buffer.moves, n_moves, chance)


@driver
def ponder(rules, states, seat, entrant, policies, buffer, n_moves, chance, moment, mind):
    """Return an entrant's move among `buffer.moves`; one that searches thinks."""
    return decide(rules, states, seat, entrant, policies, buffer.moves, n_moves, chance, moment, mind)


@driver
def play(rules, s, move, chance):
    """Play one move (modifies `s` and `chance`)."""
    apply(rules, s, move, chance)


@driver
def hide(rules, s, seat, chance):
    """Shuffle what a seat cannot see (modifies `s` and `chance`)."""
    redeal(rules, s, seat, chance)


@driver
def finish(rules, s, row):
    """Fill the result row of a finished game (modifies `row`)."""
    row.held[:] = 0
    row.first[0] = 0
    outcome(rules, s, row)
