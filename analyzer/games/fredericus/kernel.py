"""Fredericus's verbs, in the order of the game: set-up, a turn's actions, catches and seals, its end, the score.

A turn asks as long as an action or a free move is left, then for each chip; `_advance` goes on to the
next decision. Chance is spent in the deal: afterwards only the order of the goal pile is unknown.
"""

from __future__ import annotations

import numpy as np

from analyzer.engine import verbs
from analyzer.engine.chance import DEAL, below, shuffle
from analyzer.engine.jit import inline, jit
from analyzer.engine.tally import WHOLE_WIN
from analyzer.games.fredericus.cards import (
    AIR,
    BOTTOM,
    CREATURE,
    FREDERICUS,
    GOALS_OF_A_KIND,
    N_CARDS,
    N_KINDS,
    SEAL,
    WOOD,
)
from analyzer.games.fredericus.rules import (
    BESIDE,
    CHECKPOINTS,
    MOST_PLAYERS,
    OWN,
    PASSED_OVER,
    RULES,
    SETUP_RANDOM,
    START_KEEPS,
)
from analyzer.games.fredericus.state import (
    BET,
    BETTING,
    BY_CREATURES,
    BY_DRAW,
    BY_FLIP,
    BY_ROUNDS,
    CARD,
    CATCH,
    COURT,
    COURTYARD,
    DISCARD,
    DONE,
    FALCON,
    FAR,
    FLIPPED,
    HOOD,
    IN_HAND,
    IN_PILE,
    KESTREL,
    KIND,
    N_ROWS,
    NO_CHIP,
    NONE,
    NOT_ENDED,
    OPEN,
    OVER,
    PEREGRINE,
    ROTATE,
    SETUP,
    TAKE,
    TURN,
)

_RING = N_ROWS - 1  # as a mask: the ring closes after 8


# Set-up


@verbs.deal.of(RULES)
def deal(rules, s, chance):
    s.start = rules.start - 1 if rules.start > 0 else below(chance, DEAL, rules.players)  # F6
    s.start %= rules.players
    _lay_rows(rules, s, chance)
    _set_falcons(rules, s, chance)
    _deal_goals(rules, s, chance)
    for seat in range(MOST_PLAYERS):
        s.hooded[seat] = s.n_creatures[seat] = s.turns[seat] = 0
        for kind in range(N_KINDS):
            s.creatures[seat, kind] = 0
        for chip in range(2):
            s.chips[seat, chip] = IN_HAND if seat < rules.players and chip < rules.chips else NO_CHIP
    s.lap = s.closed = s.chip = s.actions = s.hunted = s.opened = s.rotated = 0
    s.sealing = NONE
    s.ending = NOT_ENDED
    s.holder = IN_PILE
    s.winner = NONE
    s.catches[PEREGRINE] = s.catches[KESTREL] = 0
    s.seals = s.hoods = s.falcons_hooded = s.card_moves = s.falcon_moves = s.rotations = 0
    s.bets = s.bets_paid = s.courtyards = s.courtyards_paid = s.drawn = 0
    s.phase = SETUP
    s.turn = s.start


@jit
def _lay_rows(rules, s, chance):
    """F3: shuffle the cards into eight equal rows."""
    n = rules.row_length
    at = 0
    for card in range(N_CARDS):
        s.box[card] = rules.in_box[card]
        for _ in range(rules.in_rows[card]):
            s.rows[at // n, at % n] = card
            at += 1
    rows = s.rows
    for i in range(N_ROWS * n - 1, 0, -1):
        j = below(chance, DEAL, i + 1)
        card = rows[i // n, i % n]
        rows[i // n, i % n] = rows[j // n, j % n]
        rows[j // n, j % n] = card
    for row in range(N_ROWS):
        s.length[row] = n
        sound(s, row)


@jit
def _set_falcons(rules, s, chance):
    """F4: each pair on an axis of its own."""
    for seat in range(MOST_PLAYERS):
        s.tower[seat, PEREGRINE] = seat
    if rules.falcon_setup == SETUP_RANDOM:
        for i in range(3, 0, -1):
            j = below(chance, DEAL, i + 1)
            axis = s.tower[i, PEREGRINE]
            s.tower[i, PEREGRINE] = s.tower[j, PEREGRINE]
            s.tower[j, PEREGRINE] = axis
        for seat in range(MOST_PLAYERS):
            s.tower[seat, PEREGRINE] += 4 * below(chance, DEAL, 2)
    for seat in range(MOST_PLAYERS):
        s.tower[seat, KESTREL] = (s.tower[seat, PEREGRINE] + 4) & _RING


@jit
def _deal_goals(rules, s, chance):
    """F5: a goal to each player, some aside, Fredericus among the last five of the pile."""
    n = N_KINDS * GOALS_OF_A_KIND
    pile = s.pile
    for i in range(n):
        pile[i] = i // GOALS_OF_A_KIND
    shuffle(chance, pile, n)
    for kind in range(N_KINDS):
        s.aside[kind] = s.shown[kind] = 0
        for seat in range(MOST_PLAYERS):
            s.goals[seat, kind] = 0
    for seat in range(MOST_PLAYERS):
        s.n_goals[seat] = 0
    for seat in range(rules.players):
        n -= 1
        s.goals[seat, pile[n]] = s.n_goals[seat] = 1
    for _ in range(rules.laid_aside):
        n -= 1
        s.aside[pile[n]] += 1
    s.pile_left = n + 1
    _bury_fredericus(s, chance)


@jit
def _bury_fredericus(s, chance):
    """Put Fredericus among the last five: the card there goes on top, in the place left for it."""
    top = s.pile_left - 1
    at = below(chance, DEAL, min(BOTTOM, np.int64(s.pile_left)))
    s.pile[top] = s.pile[at]
    s.pile[at] = FREDERICUS


@verbs.actor.of(RULES)
def actor(rules, s):
    return NONE if s.phase == OVER else np.int64(s.turn)


# What is legal


@verbs.legal.of(RULES)
def legal(rules, s, moves):
    if s.phase == COURT:  # F14: the chip may be taken, with a goal card, or left
        moves[0] = TAKE * KIND
        moves[1] = DONE * KIND
        return 2
    if s.phase != TURN:
        return _legal_bets(rules, s, moves)
    if s.sealing != NONE:  # F11: one of the two seals goes
        moves[0] = DISCARD * KIND
        moves[1] = moves[0] + 1
        return 2
    n = _legal_free(rules, s, moves, 0)
    if s.actions > 0:
        n = _legal_actions(rules, s, moves, n)
    if s.actions == 0 or rules.may_stop:
        moves[n] = DONE * KIND
        n += 1
    return n


@jit
def _legal_free(rules, s, moves, n):
    """F9: catches, seals, and in the short game the turning of three cards."""
    for falcon in range(2):
        if can_catch(s, s.turn, falcon):
            moves[n] = CATCH * KIND + falcon
            n += 1
    for falcon in range(2):
        if can_open(rules, s, s.turn, falcon):
            moves[n] = OPEN * KIND + falcon
            n += 1
    if rules.short_game and not s.rotated:
        for row in range(N_ROWS):
            if can_rotate(rules, s, s.turn, row):
                moves[n] = ROTATE * KIND + row
                n += 1
    return n


@jit
def _legal_actions(rules, s, moves, n):
    """F8: card moves, falcon moves, hoods."""
    for row in range(N_ROWS):
        if s.length[row] > 0:
            moves[n] = CARD * KIND + row * 2
            moves[n + 1] = moves[n] + 1
            n += 2
    for falcon in range(2):
        if not s.hooded[s.turn] >> falcon & 1:
            moves[n] = FALCON * KIND + falcon * 2
            moves[n + 1] = moves[n] + 1
            n += 2
    for tower in range(N_ROWS):
        if can_hood(rules, s, s.turn, tower):
            n = _hood_choices(rules, s, tower, moves, n)
    return n


@jit
def _hood_choices(rules, s, tower, moves, n):
    """F12: a move for each way to choose between two falcons of one opponent."""
    free = pairs_on(rules, s, tower)
    for chosen in range(1 << rules.players):
        if chosen & ~free == 0:
            moves[n] = HOOD * KIND + tower * 16 + chosen
            n += 1
    return n


@jit
def pairs_on(rules, s, tower):
    """F12: return the opponents (bits) both of whose falcons stand on a tower and could be hooded."""
    free = 0
    for seat in range(rules.players):
        both = s.tower[seat, PEREGRINE] == tower and s.tower[seat, KESTREL] == tower
        if both and seat != s.turn and s.hooded[seat] == 0:
            free |= 1 << seat
    return free


@jit
def _legal_bets(rules, s, moves):
    """F6, F14: any row but its own, the empty courtyard, or the place where the chip lies."""
    n = 0
    here = s.chips[s.turn, s.chip]
    for row in range(N_ROWS):
        if row != here:
            moves[n] = BET * KIND + row
            n += 1
    if s.phase == BETTING and rules.players > 2 and courtyard_seat(rules, s) == NONE:
        moves[n] = BET * KIND + COURTYARD
        n += 1
    if here != IN_HAND:
        moves[n] = DONE * KIND
        n += 1
    return n


@jit
def courtyard_seat(rules, s):
    """Return whose chip lies in the courtyard, or NONE; only where everybody has one chip."""
    for seat in range(rules.players):
        if s.chips[seat, 0] == COURTYARD:
            return seat
    return NONE


@inline
def ends_in(s, row, card_class):
    """Say whether a row's end is wood, air, a seal or a creature; an empty row has none (F18)."""
    return s.depth[row, card_class] == 0


@jit
def can_catch(s, seat, falcon):
    """F10: high hunt between two airs, low hunt between air and wood, once a turn for each falcon."""
    if (s.hunted | s.hooded[seat]) >> falcon & 1:
        return False
    tower = s.tower[seat, falcon]
    left, right = (tower - 1) & _RING, (tower + 1) & _RING
    if not ends_in(s, tower, CREATURE):
        return False
    if falcon == PEREGRINE:
        return ends_in(s, left, AIR) and ends_in(s, right, AIR)
    return (ends_in(s, left, AIR) and ends_in(s, right, WOOD)) or (ends_in(s, left, WOOD) and ends_in(s, right, AIR))


@jit
def can_open(rules, s, seat, falcon):
    """F11: between two seals, once a turn."""
    if s.opened or s.hooded[seat] >> falcon & 1 or (s.closed and not rules.seal_after_close):
        return False
    tower = s.tower[seat, falcon]
    return ends_in(s, (tower - 1) & _RING, SEAL) and ends_in(s, (tower + 1) & _RING, SEAL)


@jit
def can_rotate(rules, s, seat, row):
    """F9: three wood or three air at the end, and an own falcon on an adjacent tower, once a turn."""
    n = np.int64(s.length[row])
    if not rules.short_game or s.rotated or n < 3:
        return False
    n_air = 0
    for i in range(n - 3, n):
        card = s.rows[row, i]
        if card > AIR:
            return False
        n_air += card == AIR
    if 0 < n_air < 3 and not rules.mixed_triple:
        return False
    for falcon in range(2):
        steps = (s.tower[seat, falcon] - row) & _RING
        beside = rules.triple_tower != OWN and (steps == 1 or steps == _RING)
        own = rules.triple_tower != BESIDE and steps == 0
        if (beside or own) and not s.hooded[seat] >> falcon & 1:
            return True
    return False


@jit
def can_hood(rules, s, seat, tower):
    """F12: between two woods, with at least one falcon there that can be hooded."""
    if not (ends_in(s, (tower - 1) & _RING, WOOD) and ends_in(s, (tower + 1) & _RING, WOOD)):
        return False
    for other in range(rules.players):
        here = s.tower[other, PEREGRINE] == tower or s.tower[other, KESTREL] == tower
        if here and other != seat and s.hooded[other] == 0:
            return True
    return False


# The cards of a row


@inline
def class_of(card):
    """Return WOOD, AIR, SEAL or, for any of the eight, CREATURE."""
    return min(card, CREATURE)


@jit
def sound(s, row):
    """Measure anew how deep the outermost card of each class lies (modifies `s.depth`)."""
    depth, n = s.depth[row], np.int64(s.length[row])
    for c in range(4):
        depth[c] = FAR
    for i in range(n):
        depth[class_of(s.rows[row, i])] = n - 1 - i


@jit
def take_end(s, row):
    """Take the end card of a row away and return it (modifies `s`)."""
    n = np.int64(s.length[row]) - 1
    card = s.rows[row, n]
    s.length[row] = n
    depth = s.depth[row]
    for c in range(4):
        if depth[c] < FAR:
            depth[c] -= 1
    gone = class_of(card)
    depth[gone] = FAR
    for i in range(n - 1, -1, -1):
        if class_of(s.rows[row, i]) == gone:
            depth[gone] = n - 1 - i
            break
    return card


@jit
def lay_end(s, row, card):
    """Lay a card at the end of a row (modifies `s`)."""
    s.rows[row, s.length[row]] = card
    s.length[row] += 1
    depth = s.depth[row]
    for c in range(4):
        if depth[c] < FAR:
            depth[c] += 1
    depth[class_of(card)] = 0


@jit
def reverse_row(s, row):
    """F11: turn a row round (modifies `s`)."""
    cards, n = s.rows[row], np.int64(s.length[row])
    for i in range(n // 2):
        card = cards[i]
        cards[i] = cards[n - 1 - i]
        cards[n - 1 - i] = card
    sound(s, row)


@jit
def rotate_row(s, row):
    """F9: bring the three cards at the end of a row to its castle side, in their order (modifies `s`)."""
    cards, n = s.rows[row], np.int64(s.length[row])
    first, second, third = cards[n - 3], cards[n - 2], cards[n - 1]
    for i in range(n - 1, 2, -1):
        cards[i] = cards[i - 3]
    cards[0], cards[1], cards[2] = first, second, third
    sound(s, row)


@jit
def rotate_back(s, row):
    """Undo `rotate_row` (modifies `s`)."""
    cards, n = s.rows[row], np.int64(s.length[row])
    first, second, third = cards[0], cards[1], cards[2]
    for i in range(n - 3):
        cards[i] = cards[i + 3]
    cards[n - 3], cards[n - 2], cards[n - 1] = first, second, third
    sound(s, row)


# A turn


@verbs.apply.of(RULES)
def apply(rules, s, move, chance):
    kind, what = move // KIND, move % KIND
    if kind == CARD:
        lay_end(s, _beside(what >> 1, what & 1), take_end(s, what >> 1))
        s.card_moves += 1
        s.actions -= 1
    elif kind == FALCON:
        s.tower[s.turn, what >> 1] = _beside(s.tower[s.turn, what >> 1], what & 1)
        s.falcon_moves += 1
        s.actions -= 1
    elif kind == HOOD:
        s.falcons_hooded += hood(rules, s, s.turn, what >> 4, what & 15)
        s.hoods += 1
        s.actions -= 1
    elif kind == CATCH:
        _catch(rules, s, what)
    elif kind == OPEN:
        _open(rules, s, what)
    elif kind == DISCARD:
        s.box[take_end(s, _beside(s.tower[s.turn, s.sealing], what))] += 1
        s.sealing = NONE
    elif kind == ROTATE:
        rotate_row(s, what)
        s.rotated = 1
        s.rotations += 1
    elif kind == BET:
        _bet(s, what)
    elif kind == TAKE:
        _take_chip(s)
        s.phase = TURN
    elif s.phase == COURT:
        s.phase = TURN
    elif s.phase == TURN:
        _end_turn(s)
    else:
        s.chip += 1
    _advance(rules, s)


@inline
def _beside(place, side):
    """The neighbour on the ring at a side (0 left, 1 right)."""
    return (place + 2 * side - 1) & _RING


@jit
def hood(rules, s, seat, tower, chosen):
    """F12: hood the falcons on a tower, of two of one player that of bit `chosen`; return how many."""
    n = 0
    for other in range(rules.players):
        if other == seat or s.hooded[other]:
            continue
        first, second = s.tower[other, PEREGRINE] == tower, s.tower[other, KESTREL] == tower
        if first or second:
            kestrel = chosen >> other & 1 if first and second else second
            s.hooded[other] = 2 if kestrel else 1
            n += 1
    return n


@jit
def _catch(rules, s, falcon):
    """F10: the creature to the catcher, goal cards to those who bet on the row."""
    tower = s.tower[s.turn, falcon]
    kind = take_end(s, tower) - CREATURE
    s.creatures[s.turn, kind] += 1
    s.n_creatures[s.turn] += 1
    s.hunted |= 1 << falcon
    s.catches[falcon] += 1
    if s.n_creatures[s.turn] >= rules.creatures_to_end:  # F16: said before any bet is paid
        _close(s, BY_CREATURES)
    for step in range(1, rules.players):
        _pay_bets(rules, s, (s.turn + step) % rules.players, tower)


@jit
def _pay_bets(rules, s, seat, row):
    """F10: chips on the row come back with a goal card, a chip in the courtyard without."""
    paid = False
    for chip in range(rules.chips):
        place = s.chips[seat, chip]
        if place == row:
            s.chips[seat, chip] = IN_HAND
            if not paid or rules.double_bet:
                s.bets_paid += _draw_goal(s, seat)
            paid = True
        elif place == COURTYARD:
            s.chips[seat, chip] = IN_HAND


@jit
def _draw_goal(s, seat):
    """F16: draw a goal card if one may and can be drawn; return how many were."""
    if s.closed or s.pile_left == 0:
        return 0
    s.pile_left -= 1
    s.drawn += 1
    card = s.pile[s.pile_left]
    if card == FREDERICUS:
        s.holder = seat
        _close(s, BY_DRAW)
    else:
        s.goals[seat, card] += 1
        s.n_goals[seat] += 1
    return 1


@jit
def _close(s, ending):
    """F16: the end is near; no goal card is drawn any more."""
    if not s.closed:
        s.closed = 1
        s.ending = ending


@jit
def _open(rules, s, falcon):
    """F11: reverse the row, draw, and have more actions; which of the seals goes is said after the draw."""
    reverse_row(s, s.tower[s.turn, falcon])
    _draw_goal(s, s.turn)
    s.sealing = falcon
    s.actions += rules.seal_actions
    s.opened = 1
    s.seals += 1


@jit
def _bet(s, place):
    """F6, F14: the chip in question goes to a row or into the courtyard."""
    s.chips[s.turn, s.chip] = place
    if place == COURTYARD:
        s.courtyards += 1
    else:
        s.bets += 1
    s.chip += 1


@jit
def _advance(rules, s):
    """Go on to the next decision."""
    if s.phase == TURN and s.actions == 0 and s.sealing == NONE and not _has_free(rules, s):
        _end_turn(s)
    while (s.phase == SETUP or s.phase == BETTING) and s.chip == rules.chips:
        if s.phase == SETUP:
            s.turn = (s.turn + 1) % rules.players
            s.chip = 0
            if s.turn == s.start:
                _begin_turn(rules, s)
        else:
            _pass_turn(rules, s)


@jit
def _has_free(rules, s):
    for falcon in range(2):
        if can_catch(s, s.turn, falcon) or can_open(rules, s, s.turn, falcon):
            return True
    if rules.short_game and not s.rotated:
        for row in range(N_ROWS):
            if can_rotate(rules, s, s.turn, row):
                return True
    return False


@jit
def _begin_turn(rules, s):
    """F7, F14: count the actions; a chip in the courtyard may come back with a goal card, without one it does."""
    s.phase = TURN
    order = (s.turn - s.start) % rules.players
    s.actions = rules.first_round_actions[order] if s.lap == 0 else rules.actions_per_turn
    s.hunted = s.opened = s.rotated = 0
    s.turns[s.turn] += 1
    if s.chips[s.turn, 0] == COURTYARD:
        if rules.courtyard_may_wait and not s.closed and s.pile_left > 0:
            s.phase = COURT
            return
        _take_chip(s)
    if s.actions == 0 and not _has_free(rules, s):
        _end_turn(s)


@jit
def _take_chip(s):
    """F14: the chip comes back from the courtyard, with a goal card if one may be drawn."""
    s.chips[s.turn, 0] = IN_HAND
    s.courtyards_paid += _draw_goal(s, s.turn)


@jit
def _end_turn(s):
    """F13, F14: unhood the own falcons; the chips are next."""
    s.actions = 0
    s.hooded[s.turn] = 0
    s.phase = BETTING
    s.chip = 0


@jit
def _pass_turn(rules, s):
    """F15, F16: the start player flips a goal card; then the next turn, or the end of the round."""
    if s.turn == s.start and not s.closed and s.pile_left > 0:
        _flip(rules, s)
    s.turn = (s.turn + 1) % rules.players
    if s.turn == s.start:
        if s.lap < CHECKPOINTS:
            for seat in range(rules.players):
                s.course[s.lap, seat] = score(s, seat)
        s.lap += 1
        if s.lap == rules.max_rounds:
            _close(s, BY_ROUNDS)
        if s.closed:
            _finish(rules, s)
            return
    _begin_turn(rules, s)


@jit
def _flip(rules, s):
    """F15: turn the top goal card up and discard it."""
    s.pile_left -= 1
    card = s.pile[s.pile_left]
    if card < FREDERICUS:
        s.shown[card] += 1
        return
    s.holder = s.start if rules.flipped_fredericus == START_KEEPS else FLIPPED
    if rules.flipped_fredericus != PASSED_OVER:
        _close(s, BY_FLIP)


# The end


@jit
def pairs_of(s, seat):
    """F17: the creatures that have a goal card of their kind."""
    n = np.int64(0)
    for kind in range(N_KINDS):
        n += min(np.int64(s.creatures[seat, kind]), np.int64(s.goals[seat, kind]))
    return n


@jit
def score(s, seat):
    """F17: creatures, goal cards, Fredericus and pairs."""
    pairs = pairs_of(s, seat)
    return np.int64(s.n_creatures[seat]) + s.n_goals[seat] + 2 * (s.holder == seat) + pairs * (pairs + 1) // 2


@jit
def _finish(rules, s):
    """F17: the highest score wins, of equal ones who played last."""
    s.phase = OVER
    best = np.int64(NONE)
    for order in range(rules.players):
        seat = (s.start + order) % rules.players
        points = score(s, seat)
        if points >= best:
            best = points
            s.winner = seat


@verbs.redeal.of(RULES)
def redeal(rules, s, seat, chance):
    """Others' goals, the pile and the cards aside are shuffled; Fredericus stays among the last five (F5)."""
    pile, left = s.pile, np.int64(s.pile_left)
    for i in range(left):  # in an order that tells nothing of where they lay; Fredericus finds his place below
        if pile[i] != FREDERICUS:
            s.aside[pile[i]] += 1
        pile[i] = 0
    for other in range(rules.players):
        if other != seat:
            for kind in range(N_KINDS):
                s.aside[kind] += s.goals[other, kind]
                s.goals[other, kind] = 0
    n = _pour(s.aside, pile, 0)
    shuffle(chance, pile, n)
    for other in range(rules.players):
        if other != seat:
            for _ in range(s.n_goals[other]):
                n -= 1
                s.goals[other, pile[n]] += 1
    while n > left - (s.holder == IN_PILE):
        n -= 1
        s.aside[pile[n]] += 1
    for i in range(left, pile.shape[0]):
        pile[i] = 0
    if s.holder == IN_PILE:
        _bury_fredericus(s, chance)


@jit
def _pour(counts, pile, n):
    """Lay counted goal cards on the pile from place `n` on; return the next place (modifies both)."""
    for kind in range(N_KINDS):
        for _ in range(counts[kind]):
            pile[n] = kind
            n += 1
        counts[kind] = 0
    return n


@verbs.outcome.of(RULES)
def outcome(rules, s, row):
    last = np.int64(s.lap) - 1
    for seat in range(rules.players):
        row.win[seat] = WHOLE_WIN if seat == s.winner else 0
        row.score[seat] = score(s, seat)
        for lap in range(row.course.shape[0]):
            row.course[lap, seat] = s.course[min(lap, last), seat]
    if s.holder >= 0:
        _tell_card(row, 0, s.holder, 2)
    _tell_card(row, 1, s.start, row.score[s.start])
    creatures = goals = pairs = points = pair_points = turns = 0
    for seat in range(rules.players):
        mine = pairs_of(s, seat)
        creatures += s.n_creatures[seat]
        goals += s.n_goals[seat]
        pairs += mine
        pair_points += mine * (mine + 1) // 2
        points += row.score[seat]
        turns += s.turns[seat]
    counts = row.counts
    counts[0] = s.lap
    counts[1] = turns
    counts[2] = np.int64(s.card_moves) + s.falcon_moves + s.hoods
    counts[3] = s.card_moves
    counts[4] = s.falcon_moves
    counts[5] = s.hoods
    counts[6] = s.falcons_hooded
    counts[7] = creatures
    counts[8] = s.catches[PEREGRINE]
    counts[9] = s.catches[KESTREL]
    counts[10] = s.seals
    counts[11] = s.rotations
    counts[12] = s.bets
    counts[13] = s.bets_paid
    counts[14] = s.courtyards
    counts[15] = s.courtyards_paid
    counts[16] = s.drawn
    counts[17] = pairs
    counts[18] = points
    counts[19] = creatures
    counts[20] = goals
    counts[21] = points - creatures - goals - pair_points
    counts[22] = pair_points
    for ending in range(BY_CREATURES, BY_ROUNDS + 1):
        counts[22 + ending] = s.ending == ending


@inline
def _tell_card(row, card, seat, earned):
    row.held[card, seat] = 1
    row.earned[card, seat] = earned
