"""The rules of Pig as the drivers call them."""

from __future__ import annotations

from analyzer.engine import verbs
from analyzer.engine.chance import DEAL, DICE, below, die, jump
from analyzer.engine.jit import jit
from analyzer.engine.tally import WHOLE_WIN
from tests.pig.rules import ALL_POINTS, CHECKPOINTS, FIRST_SEAT, MOST_PLAYERS, RULES
from tests.pig.state import HOLD, ROLL


@verbs.deal.of(RULES)
def deal(rules, s, chance):
    drawn = below(chance, DEAL, rules.players)
    s.start = 0 if rules.first == FIRST_SEAT else drawn  # P1
    s.turn = s.start
    s.bout = s.pot = s.closing = s.over = 0
    s.turns = s.rolls = s.pig_outs = 0
    for seat in range(MOST_PLAYERS):
        s.points[seat] = 0


@verbs.actor.of(RULES)
def actor(rules, s):
    return -1 if s.over else s.turn


@verbs.legal.of(RULES)
def legal(rules, s, moves):
    moves[0] = ROLL
    moves[1] = HOLD
    return 2 if s.pot > 0 else 1  # P2: at least one roll


@verbs.apply.of(RULES)
def apply(rules, s, move, chance):
    if move == HOLD:
        s.points[s.turn] += s.pot  # P4
        _end_turn(rules, s)
        return
    if s.pot == 0:  # a seat has the same dice in a round, however many were rolled before and whoever began
        jump(chance, DICE, 1 + s.bout * rules.players + s.turn)
    shown = die(chance, rules.faces)
    s.rolls += 1
    if shown > 1:
        s.pot += shown  # P2
        return
    s.pig_outs += 1
    if rules.pig_out == ALL_POINTS:
        s.points[s.turn] = 0  # P3
    _end_turn(rules, s)


@jit
def _end_turn(rules, s):
    """Pass the die on, or end the game (modifies `s`)."""
    s.turns += 1
    s.pot = 0
    if s.points[s.turn] >= rules.goal:
        s.closing = 1
    s.turn = (s.turn + 1) % rules.players
    is_round_over = s.turn == s.start
    if s.closing and (is_round_over or not rules.equal_turns):
        s.over = 1  # P5
    if is_round_over and s.bout + 1 == rules.most_rounds:
        s.over = 1  # P6
    if is_round_over or s.over:
        if s.bout < CHECKPOINTS:
            for seat in range(rules.players):
                s.course[s.bout, seat] = s.points[seat]
        s.bout += 1


@verbs.redeal.of(RULES)
def redeal(rules, s, seat, chance):
    return  # nothing is hidden


@verbs.outcome.of(RULES)
def outcome(rules, s, row):
    best = shared = 0
    for seat in range(rules.players):
        if s.points[seat] > best:
            best, shared = s.points[seat], 0
        shared += s.points[seat] == best
    for seat in range(rules.players):
        row.win[seat] = WHOLE_WIN // shared if s.points[seat] == best else 0  # P5, P6
        row.score[seat] = s.points[seat]
        for c in range(row.course.shape[0]):
            row.course[c, seat] = s.course[c, seat] if c < s.bout else s.points[seat]
    row.counts[0] = s.bout
    row.counts[1] = s.turns
    row.counts[2] = s.rolls
    row.counts[3] = s.pig_outs
    row.counts[4] = s.closing == 0
