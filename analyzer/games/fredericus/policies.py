"""How Fredericus is played: one parametric player who searches his turn, and named sets of his parameters.

The search makes moves on the state and takes them back, so it needs no copies; lists of candidates lie
behind the legal moves in the buffer. It never draws a card: a goal card counts by its weight, and of the
goals only those in the actor's own hand are looked at. Weights are tenths of a point.

Equals are told apart by lot. The ring has no beginning: the order in which candidates are looked at, which
matters when the positions a decision may look at run out, starts anywhere and goes either way round.
"""

from __future__ import annotations

import numpy as np

from analyzer.engine import verbs
from analyzer.engine.chance import WHIM, beats, below, draw, lot
from analyzer.engine.game import Option, Policy, search_parameters
from analyzer.engine.jit import inline, jit, record_type
from analyzer.games.fredericus.cards import AIR, CREATURE, SEAL, WOOD
from analyzer.games.fredericus.kernel import (
    can_catch,
    can_hood,
    can_open,
    can_rotate,
    courtyard_seat,
    hood,
    lay_end,
    pairs_of,
    pairs_on,
    reverse_row,
    rotate_back,
    rotate_row,
    take_end,
)
from analyzer.games.fredericus.rules import MOST_PLAYERS, RULES
from analyzer.games.fredericus.state import (
    BET,
    BETTING,
    CARD,
    CATCH,
    COURT,
    COURTYARD,
    DISCARD,
    DONE,
    FALCON,
    HOOD,
    KESTREL,
    KIND,
    MOST_MOVES,
    N_ROWS,
    NONE,
    OPEN,
    PEREGRINE,
    ROTATE,
    TAKE,
    TURN,
)

# Candidates of the search by number: a bit each in the masks of what need not be tried again. A card or a falcon
# moves to a side; a hood goes on the peregrines or on the kestrels of those who have both there; a seal is opened
# and one of the two discarded, which the game asks apart: the search looks at both together.
_CARDS, _FALCONS, _HOODS, _CATCHES, _OPENS, _ROTATES, _DISCARDS = 0, 16, 20, 36, 38, 42, 50
_N_CANDIDATES = 52
_EVERYBODY = 15  # seats as bits
# What a list holds: a value, a lot, and the candidate.
_LOT, _VALUE = 6, 22
# Room behind the legal moves: how far each tower is from a catch, then a frame for each level of the search:
# its best value and candidate, candidates left and to be followed, its budget, those done, and the one just made.
_MOST_DEPTH = 12
_PREP, _FRAMES = MOST_MOVES, MOST_MOVES + 2 * N_ROWS
_BEST, _CHOSEN, _LEFT, _PICKS, _BUDGET, _DONE, _MADE, _SEEN, _GAIN, _CARD, _HOODED, _LIST = range(12)
_FRAME = _LIST + _N_CANDIDATES
BUFFER = _FRAMES + _MOST_DEPTH * _FRAME
_NEVER = -(1 << 40)
_TURN_OVER = -1  # in place of actions left
_SPAN = 8  # actions within which a catch is near enough to matter
_THREAT = 6  # the same for the next player, who has four and his luck

PARAMETERS: tuple[Option, ...] = (
    Option("whim", 0, "percent of decisions taken at random", low=0, high=100),
    Option("depth", _MOST_DEPTH, "moves of the own turn that are searched ahead", low=1, high=_MOST_DEPTH),
    Option(
        "width",
        6,
        "candidates that are followed up after each move, the best at first sight",
        low=1,
        high=_N_CANDIDATES,
    ),
    Option("nodes", 4000, "positions looked at for one decision, at most", low=1, high=10_000_000),
    Option("creature", 20, "worth of a caught creature", low=0, high=1000),
    Option("pair", 10, "worth of each further point of a pair with an own goal card", low=0, high=1000),
    Option("goal", 20, "worth of a goal card drawn", low=0, high=1000),
    Option(
        "paid",
        8,
        "cost of a goal card paid to a bet, shared by all opponents",
        low=-1000,
        high=1000,
    ),
    Option("reach", 1, "worth of each action by which the own next catch is nearer", low=-1000, high=1000),
    Option(
        "deny",
        0,
        "worth of each action by which the next player is farther from a catch, shared by all opponents",
        low=-1000,
        high=1000,
    ),
    Option("hood", 0, "worth of hooding a falcon", low=-1000, high=1000),
    Option("hood_leader", 0, "further worth of hooding a falcon of the leader", low=-1000, high=1000),
    Option("bait", 0, "worth of each action by which the next player is nearer to the own chip", low=-1000, high=1000),
    Option("courtyard", 0, "bets on the courtyard when no row promises more than this", low=0, high=1000),
)


_PLANS = {"width": _N_CANDIDATES, "reach": 0, "deny": 2, "paid": 12, "bait": 1, "courtyard": 8}

POLICIES = (
    Policy("random", "Takes any legal move, each as likely as the next.", {"whim": 100}),
    Policy(
        "greedy",
        "Catches and opens seals when it can, else makes the move that brings a catch soonest.",
        {"depth": 1, "paid": 0},
        slow=10,
    ),
    Policy(
        "gambler",
        "Plays its bets: lures the next player to its chip, never minds whom a catch pays, and tries the courtyard.",
        {"depth": 2, "bait": 1, "paid": 0, "courtyard": 6},
        slow=25,
    ),
    Policy(
        "hooder",
        "Hoods falcons when it can, those of the leader first.",
        {"depth": 2, "deny": 1, "hood": 4, "hood_leader": 6},
        slow=25,
    ),
    Policy(
        "planner",
        "Searches its whole turn for catches and pairs, and leaves little to the next player.",
        {**_PLANS, "nodes": 4000},
        slow=400,
    ),
    Policy(
        "swift",
        "Plans as the planner does, but looks at an eighth of the positions.",
        {**_PLANS, "nodes": 500},
        slow=100,
    ),
)

PARAMETERS = (*PARAMETERS, *search_parameters(POLICIES))
POLICY = record_type([(p.key, np.int32) for p in PARAMETERS])


@verbs.choose.of(RULES)
def choose(rules, s, policy, moves, n_moves, chance):
    if n_moves == 1:
        return moves[0]
    if policy.whim > 0 and (policy.whim >= 100 or below(chance, WHIM, 100) < policy.whim):
        return moves[below(chance, WHIM, n_moves)]
    if s.phase == COURT:
        return TAKE * KIND
    if s.phase != TURN:
        return _best_bet(rules, s, policy, moves, chance)
    return move_of(rules, s, plan(rules, s, policy, draw(chance, WHIM), moves)[0])


# How far a catch is


@jit
def _prepare(s, moves):
    """Write how many card moves each tower is from a high and from a low hunt (modifies the buffer).

    A row shows a card after digging it out, or after its neighbour has and hands it over. That the
    moves may help or hinder each other is left out.
    """
    depth = s.depth
    for tower in range(N_ROWS):
        left, right = (tower - 1) & 7, (tower + 1) & 7
        beyond_left, beyond_right = (tower - 2) & 7, (tower + 2) & 7
        air_left = min(np.int64(depth[left, AIR]), np.int64(depth[beyond_left, AIR]) + 1)
        air_right = min(np.int64(depth[right, AIR]), np.int64(depth[beyond_right, AIR]) + 1)
        wood_left = min(np.int64(depth[left, WOOD]), np.int64(depth[beyond_left, WOOD]) + 1)
        wood_right = min(np.int64(depth[right, WOOD]), np.int64(depth[beyond_right, WOOD]) + 1)
        nearby = min(np.int64(depth[left, CREATURE]), np.int64(depth[right, CREATURE])) + 1
        creature = min(np.int64(depth[tower, CREATURE]), nearby)
        moves[_PREP + tower] = creature + air_left + air_right
        moves[_PREP + N_ROWS + tower] = creature + min(air_left + wood_right, wood_left + air_right)


@inline
def _walk(place, tower):
    """Actions a falcon needs from tower to tower."""
    steps = (tower - place) & 7
    return min(steps, 8 - steps)


@jit
def _soonest(s, seat, falcon, moves):
    """Actions until a falcon can catch somewhere; `_prepare` comes first."""
    place, first = np.int64(s.tower[seat, falcon]), _PREP + falcon * N_ROWS
    best = moves[first + place]
    for step in range(1, 4):
        best = min(best, min(moves[first + ((place + step) & 7)], moves[first + ((place - step) & 7)]) + step)
    return min(best, moves[first + ((place + 4) & 7)] + 4)


@jit
def _on_row(s, seat, falcon, row, moves):
    """Actions until a falcon can catch on one row; `_prepare` comes first."""
    return moves[_PREP + falcon * N_ROWS + row] + _walk(np.int64(s.tower[seat, falcon]), row)


# The search of a turn


@jit
def plan(rules, s, policy, word, moves):
    """Search the actor's turn: all its moves, and after each the best `width` at first sight, to the turn's end.

    Of candidates that are worth the same at first sight the drawn `word` says which comes first.
    The search keeps its frames in the buffer, one for each move made; a function that calls itself would not
    survive numba's disk cache.

    Returns
    -------
    The best first candidate (-1: none, the turn ends), its value, and how many positions were looked at.
    """
    level = 0
    frame = _open_frame(rules, s, policy, word, level, 0, np.int64(policy.nodes), moves)
    while True:
        if moves[frame + _PICKS] > 0:
            at = _next_pick(moves, frame)
            value, candidate = moves[at] >> _VALUE, moves[at] & ((1 << _LOT) - 1)
            budget = moves[frame + _BUDGET] // (moves[frame + _PICKS] + 1)
            if level + 1 == policy.depth or budget == 0:
                _keep_best(moves, frame, value, candidate)
                continue
            moves[frame + _BUDGET] -= budget
            _follow(rules, s, policy, candidate, value, moves, frame)
            # What was followed before need not come after this one, where the order makes no difference.
            asleep = moves[frame + _DONE] & _commuting(candidate) | _back(candidate)
            level += 1
            frame = _open_frame(rules, s, policy, word, level, asleep, budget, moves)
        elif level > 0:
            found, left = moves[frame + _BEST], moves[frame + _BUDGET]
            level -= 1
            frame = _FRAMES + level * _FRAME
            candidate = moves[frame + _MADE]
            _unmake(rules, s, candidate, moves[frame + _CARD], moves[frame + _HOODED])
            value = moves[frame + _GAIN] + found if found > _NEVER else moves[frame + _SEEN]
            moves[frame + _BUDGET] += left
            moves[frame + _DONE] |= np.int64(1) << candidate
            _keep_best(moves, frame, value, candidate)
        else:
            return moves[frame + _CHOSEN], moves[frame + _BEST], policy.nodes - moves[frame + _BUDGET]


@jit
def _open_frame(rules, s, policy, word, level, asleep, budget, moves):
    """List what can be done here with its value at first sight, and return the frame (modifies the buffer)."""
    frame = _FRAMES + level * _FRAME
    moves[frame + _CHOSEN] = -1
    moves[frame + _BEST] = _NEVER
    if s.sealing == NONE and (s.actions == 0 or rules.may_stop):
        moves[frame + _BEST] = _sight(rules, s, policy, _TURN_OVER, moves)
    n = 0
    turn, mirrored = np.int64(word & np.uint64(7)), np.int64(word >> np.uint64(3) & np.uint64(1))
    for i in range(_N_CANDIDATES - 1, -1, -1):  # free moves first, should the budget not last
        if budget == 0:
            break
        candidate = _turned(i, turn, mirrored)
        if asleep >> candidate & 1 or not _possible(rules, s, candidate):
            continue
        card, hoods = _end_card(s, candidate), _hoods(s)
        gain = _worth(rules, s, policy, candidate)
        _make(rules, s, candidate)
        value = gain + _sight(rules, s, policy, s.actions, moves)
        _unmake(rules, s, candidate, card, hoods)
        budget -= 1
        moves[frame + _LIST + n] = (
            (value << _VALUE) + (lot(word, _N_CANDIDATES * level + candidate) << _LOT) + candidate
        )
        n += 1
    moves[frame + _LEFT] = n
    moves[frame + _PICKS] = min(n, np.int64(policy.width))
    moves[frame + _BUDGET] = budget
    moves[frame + _DONE] = asleep
    return frame


@inline
def _turned(candidate, turn, mirrored):
    """The candidate in the place of this one when the ring is turned by so many towers and perhaps mirrored."""
    if candidate < _FALCONS:
        return ((candidate ^ 15 * mirrored) + 2 * turn) & 15
    if candidate < _HOODS:
        return candidate ^ mirrored
    if candidate < _CATCHES:
        tower = (candidate - _HOODS) >> 1
        return _HOODS + 2 * (((tower ^ 7 * mirrored) + turn) & 7) + (candidate & 1)
    if candidate < _OPENS:
        return candidate
    if candidate < _ROTATES or candidate >= _DISCARDS:
        return candidate ^ mirrored
    return _ROTATES + ((((candidate - _ROTATES) ^ 7 * mirrored) + turn) & 7)


@jit
def _follow(rules, s, policy, candidate, value, moves, frame):
    """Make a candidate and note in the frame how to take it back (modifies `s` and the buffer)."""
    moves[frame + _MADE] = candidate
    moves[frame + _SEEN] = value
    moves[frame + _GAIN] = _worth(rules, s, policy, candidate)
    moves[frame + _CARD] = _end_card(s, candidate)
    moves[frame + _HOODED] = _hoods(s)
    _make(rules, s, candidate)


@inline
def _keep_best(moves, frame, value, candidate):
    if value > moves[frame + _BEST]:
        moves[frame + _BEST] = value
        moves[frame + _CHOSEN] = candidate


@jit
def _next_pick(moves, frame):
    """Bring the best candidate left to the end of the list and return where it is (modifies the buffer)."""
    first = frame + _LIST
    last = first + moves[frame + _LEFT] - 1
    at = first
    for i in range(first + 1, last + 1):
        if moves[i] > moves[at]:
            at = i
    best = moves[at]
    moves[at] = moves[last]
    moves[last] = best
    moves[frame + _LEFT] -= 1
    moves[frame + _PICKS] -= 1
    return last


@inline
def _commuting(candidate):
    """Candidates (bits) that lead to the same position before and after this one.

    Card moves on four different rows, falcon moves of two falcons, a card move and a falcon move.
    """
    if candidate < _FALCONS:
        row = candidate >> 1
        low = (row - 1 + (candidate & 1)) & 7  # the pair of rows is low and low + 1
        touching = 0
        for step in range(-1, 2):  # pairs that begin at low - 1, low, low + 1
            begin = (low + step) & 7
            touching |= 2 << 2 * begin  # its left row's card to the right
            touching |= 1 << 2 * ((begin + 1) & 7)  # its right row's card to the left
        return np.int64(0xFFFFF & ~touching)
    if candidate < _HOODS:
        other = 0xC if candidate < _FALCONS + 2 else 0x3
        return np.int64(0xFFFF | other << _FALCONS)
    return np.int64(0)


@inline
def _back(candidate):
    """The candidate (bit) that would undo this one."""
    if candidate < _FALCONS:
        row, side = candidate >> 1, candidate & 1
        return np.int64(1) << (2 * ((row + 2 * side - 1) & 7) + 1 - side)
    if candidate < _HOODS:
        return np.int64(1) << (candidate ^ 1)
    return np.int64(0)


@jit
def _possible(rules, s, candidate):
    """Say whether a candidate is legal for the actor."""
    seat = s.turn
    if s.sealing != NONE or candidate >= _DISCARDS:
        return s.sealing != NONE and candidate >= _DISCARDS
    if candidate >= _ROTATES:
        return rules.short_game and can_rotate(rules, s, seat, candidate - _ROTATES)
    if candidate >= _OPENS:
        return can_open(rules, s, seat, (candidate - _OPENS) >> 1)
    if candidate >= _CATCHES:
        return can_catch(s, seat, candidate - _CATCHES)
    if s.actions <= 0:
        return False
    if candidate >= _HOODS:
        tower = (candidate - _HOODS) >> 1
        return can_hood(rules, s, seat, tower) and (candidate & 1 == 0 or pairs_on(rules, s, tower) != 0)
    if candidate >= _FALCONS:
        return not s.hooded[seat] >> ((candidate - _FALCONS) >> 1) & 1
    return s.length[candidate >> 1] > 0


@inline
def _end_card(s, candidate):
    """The creature that a catch takes, to be laid back, or the falcon that opened a seal; else any number."""
    if candidate >= _DISCARDS:
        return np.int64(s.sealing)
    row = s.tower[s.turn, candidate & 1]
    return np.int64(s.rows[row, max(0, s.length[row] - 1)])


@inline
def _hoods(s):
    """All hoods in one number, to be put back."""
    h = s.hooded
    return np.int64(h[0]) | np.int64(h[1]) << 2 | np.int64(h[2]) << 4 | np.int64(h[3]) << 6


@jit
def _make(rules, s, candidate):
    """Play a candidate on the open table: no goal card is drawn, no bet paid (modifies `s`)."""
    seat = s.turn
    if candidate < _FALCONS:
        row = candidate >> 1
        lay_end(s, (row + 2 * (candidate & 1) - 1) & 7, take_end(s, row))
        s.actions -= 1
    elif candidate < _HOODS:
        falcon, side = (candidate - _FALCONS) >> 1, candidate & 1
        s.tower[seat, falcon] = (s.tower[seat, falcon] + 2 * side - 1) & 7
        s.actions -= 1
    elif candidate < _CATCHES:
        hood(rules, s, seat, (candidate - _HOODS) >> 1, _EVERYBODY * (candidate & 1))
        s.actions -= 1
    elif candidate < _OPENS:
        falcon = candidate - _CATCHES
        s.creatures[seat, take_end(s, s.tower[seat, falcon]) - CREATURE] += 1
        s.hunted |= 1 << falcon
    elif candidate < _ROTATES:
        tower, side = s.tower[seat, (candidate - _OPENS) >> 1], candidate & 1
        reverse_row(s, tower)
        take_end(s, (tower + 2 * side - 1) & 7)
        s.opened = 1
        s.actions += rules.seal_actions
    elif candidate < _DISCARDS:
        rotate_row(s, candidate - _ROTATES)
        s.rotated = 1
    else:
        take_end(s, (s.tower[seat, s.sealing] + 2 * (candidate & 1) - 1) & 7)
        s.sealing = NONE


@jit
def _unmake(rules, s, candidate, card, hoods):
    """Take a candidate back (modifies `s`)."""
    seat = s.turn
    if candidate < _FALCONS:
        row = candidate >> 1
        lay_end(s, row, take_end(s, (row + 2 * (candidate & 1) - 1) & 7))
        s.actions += 1
    elif candidate < _HOODS:
        falcon, side = (candidate - _FALCONS) >> 1, candidate & 1
        s.tower[seat, falcon] = (s.tower[seat, falcon] - 2 * side + 1) & 7
        s.actions += 1
    elif candidate < _CATCHES:
        for other in range(MOST_PLAYERS):
            s.hooded[other] = hoods >> 2 * other & 3
        s.actions += 1
    elif candidate < _OPENS:
        falcon = candidate - _CATCHES
        s.creatures[seat, card - CREATURE] -= 1
        lay_end(s, s.tower[seat, falcon], card)
        s.hunted &= ~(1 << falcon)
    elif candidate < _ROTATES:
        tower, side = s.tower[seat, (candidate - _OPENS) >> 1], candidate & 1
        s.actions -= rules.seal_actions
        s.opened = 0
        lay_end(s, (tower + 2 * side - 1) & 7, SEAL)
        reverse_row(s, tower)
    elif candidate < _DISCARDS:
        rotate_back(s, candidate - _ROTATES)
        s.rotated = 0
    else:
        s.sealing = card
        lay_end(s, (s.tower[seat, card] + 2 * (candidate & 1) - 1) & 7, SEAL)


@jit
def _worth(rules, s, policy, candidate):
    """What a candidate earns at once."""
    if candidate < _HOODS or candidate >= _ROTATES:
        return np.int64(0)
    if candidate >= _OPENS:
        return np.int64(policy.goal if not s.closed and s.pile_left > 0 else 0)
    if candidate >= _CATCHES:
        return _worth_of_catch(rules, s, policy, candidate - _CATCHES)
    return _worth_of_hood(rules, s, policy, (candidate - _HOODS) >> 1)


@jit
def _worth_of_catch(rules, s, policy, falcon):
    """A creature, its pair with an own goal, less what the bets on the row pay to others."""
    seat, row = s.turn, s.tower[s.turn, falcon]
    kind = s.rows[row, s.length[row] - 1] - CREATURE
    value = np.int64(policy.creature)
    if s.goals[seat, kind] > s.creatures[seat, kind]:
        value += policy.pair * (pairs_of(s, seat) + 1)
    if not s.closed and s.pile_left > 0:
        for other in range(rules.players):
            if other != seat and (s.chips[other, 0] == row or s.chips[other, 1] == row):
                value -= policy.paid // (rules.players - 1)  # one of several rivals profits
    return value


@jit
def _worth_of_hood(rules, s, policy, tower):
    """What the hoods on a tower are worth; of equal leaders each counts as one."""
    value, best = np.int64(0), np.int64(-1)
    for other in range(rules.players):
        if other != s.turn:
            best = max(best, _open_points(s, other))
    for other in range(rules.players):
        if other == s.turn or s.hooded[other]:
            continue
        if s.tower[other, PEREGRINE] == tower or s.tower[other, KESTREL] == tower:
            value += policy.hood + (policy.hood_leader if _open_points(s, other) == best else 0)
    return value


@inline
def _open_points(s, seat):
    """The points of a seat that everybody sees: its creatures, the number of its goals, Fredericus."""
    return np.int64(s.n_creatures[seat]) + s.n_goals[seat] + 2 * (s.holder == seat)


@jit
def _sight(rules, s, policy, actions, moves):
    """What a position promises with so many actions left: the own next catches, and those of the next player."""
    _prepare(s, moves)
    seat = s.turn
    value = np.int64(0)
    for falcon in range(2):
        soon = _soonest(s, seat, falcon, moves)
        if soon <= actions and not (s.hunted | s.hooded[seat]) >> falcon & 1:
            value += max(0, policy.creature * (7 - soon) // 10)  # less than the catch itself
        else:
            value += policy.reach * max(0, _SPAN - soon)
    if policy.deny == 0 and policy.bait == 0:
        return value
    following = (seat + 1) % rules.players
    threat = np.int64(0)
    for falcon in range(2):
        if s.hooded[following] >> falcon & 1:
            continue
        threat += max(0, _THREAT - _soonest(s, following, falcon, moves))
        if policy.bait:
            for chip in range(rules.chips):
                row = np.int64(s.chips[seat, chip])
                if 0 <= row < N_ROWS:
                    value += policy.bait * max(0, _THREAT - _on_row(s, following, falcon, row, moves))
    return value - policy.deny * threat // (rules.players - 1)


@jit
def move_of(rules, s, candidate):
    """The move that begins a candidate; -1, to make none, is `done`."""
    if candidate < 0:
        return DONE * KIND
    if candidate < _FALCONS:
        return CARD * KIND + candidate
    if candidate < _HOODS:
        return FALCON * KIND + candidate - _FALCONS
    if candidate < _CATCHES:
        tower = (candidate - _HOODS) >> 1
        return HOOD * KIND + tower * 16 + (pairs_on(rules, s, tower) if candidate & 1 else 0)
    if candidate < _OPENS:
        return CATCH * KIND + candidate - _CATCHES
    if candidate < _ROTATES:
        return OPEN * KIND + ((candidate - _OPENS) >> 1)
    if candidate < _DISCARDS:
        return ROTATE * KIND + candidate - _ROTATES
    return DISCARD * KIND + candidate - _DISCARDS


# Bets


@jit
def _best_bet(rules, s, policy, moves, chance):
    """The row where others are nearest to a catch, those soon to move first, equals by lot; or the courtyard."""
    _prepare(s, moves)
    seat, here = s.turn, s.chips[s.turn, s.chip]
    other_chip = s.chips[seat, 1 - s.chip]
    best, best_row, n_equal = np.int64(-1), 0, 0
    for row in range(N_ROWS):
        if row == other_chip and not rules.double_bet:
            continue
        promise = np.int64(0)
        for step in range(1, rules.players):
            other = (seat + step) % rules.players
            for falcon in range(2):
                if not s.hooded[other] >> falcon & 1:
                    promise += (rules.players - step) * max(0, _THREAT - _on_row(s, other, falcon, row, moves))
        takes, n_equal = beats(chance, promise, best, n_equal)
        if takes:
            best, best_row = promise, row
    can_wait = s.phase == BETTING and rules.players > 2 and courtyard_seat(rules, s) < 0
    if can_wait and best <= policy.courtyard and policy.courtyard > 0:
        return BET * KIND + COURTYARD
    return DONE * KIND if best_row == here else BET * KIND + best_row
