"""Ivanhoe's verbs, in the order of the game: turn, start, cards, action cards, withdrawal, tokens, the end.

An action card goes to the discards as it is played; whoever may answer with Ivanhoe is asked, and then
`_resolve` does what the card says (fetching Shield and Stunned back from the discards). So every card
lies somewhere at every decision.

The first hands come from the deal's stream. Every card that is drawn later is a draw: any card of the
stack, from the dice's stream, each turn at its own place there.
"""

from __future__ import annotations

import numpy as np

from analyzer.engine import verbs
from analyzer.engine.chance import DEAL, DICE, below, die, jump
from analyzer.engine.jit import inline, jit
from analyzer.engine.tally import WHOLE_WIN
from analyzer.games.ivanhoe.cards import (
    ACTIONS,
    ADAPT,
    BIT,
    BIT_NUMBER,
    BREAK_LANCE,
    CHANGE_WEAPON,
    CHARGE,
    COUNTERCHARGE,
    DISGRACE,
    DODGE,
    DROP_WEAPON,
    FIRST_ACTION,
    GREEN,
    IVANHOE,
    KNOCK_DOWN,
    LAID,
    LAID_MASK,
    MAIDEN,
    MOST_VALUE,
    N_KINDS,
    N_LAID,
    OF_SUIT,
    OF_VALUE,
    OUTMANEUVER,
    OUTWIT,
    PURPLE,
    RED,
    RETREAT,
    RIPOSTE,
    SHIELD,
    STUNNED,
    SUPPORTERS,
    UNHORSE,
    VALUE,
    YELLOW,
)
from analyzer.games.ivanhoe.rules import (
    ALL_BUT_OUTWIT,
    BLOCKED,
    DISPLAY_TOO,
    FIRST_SEAT,
    MOST_PLAYERS,
    ON_NEXT_DRAW,
    PROTECT_SELF,
    RULES,
    SPECIAL_FOR_OUTWIT,
)
from analyzer.games.ivanhoe.state import (
    ANSWER,
    CANCEL,
    CARD,
    CHECKPOINTS,
    END,
    GIVE,
    GIVE_BACK,
    GIVEN,
    HAS_OUTWIT,
    HAS_SHIELD,
    HAS_STUNNED,
    KEEP,
    KEEP_CARD,
    LET_PASS,
    NAME,
    NONE,
    OVER,
    PASS,
    PLAY,
    START,
    TAKE,
    TAKE_TOKEN,
    WHO,
    WITHDRAW,
)

_ALL_COLOURS = 31
_PLACES = 2048  # numbered places in a game's dice
_SHIELD_BIT, _STUNNED_BIT, _OUTWIT_BIT, _IVANHOE_BIT = (1 << k for k in (SHIELD, STUNNED, OUTWIT, IVANHOE))
_MAIDEN_BIT = 1 << MAIDEN
_NUMBERED = (1 << FIRST_ACTION) - 1
# What can have an effect: in general, by the colour of the tournament, and only where displays have cards to lose.
_PLAYABLE = ACTIONS & ~_IVANHOE_BIT
_IN_PURPLE = _PLAYABLE & ~(1 << CHANGE_WEAPON | 1 << DROP_WEAPON)
_IN_WEAPONS = _PLAYABLE & ~(1 << UNHORSE)
_IN_GREEN = _IN_PURPLE & _IN_WEAPONS
_TAKES_CARDS = 1 << BREAK_LANCE | 1 << RIPOSTE | 1 << DODGE | 1 << OUTMANEUVER
_WIDE = 1 << OUTMANEUVER | 1 << CHARGE | 1 << COUNTERCHARGE | 1 << DISGRACE | 1 << ADAPT
_STRIKES_ALL = 1 << CHARGE | 1 << COUNTERCHARGE | 1 << DISGRACE | 1 << ADAPT
# What can be played before any display lies there, besides Knock Down (I3, `start_on_action`).
_STARTS_ANY = 1 << SHIELD | 1 << STUNNED
_STARTS_WEAPON = _STARTS_ANY | 1 << CHANGE_WEAPON | 1 << DROP_WEAPON
_STARTS_PURPLE = _STARTS_ANY | 1 << UNHORSE
N_BITS = np.array([mask.bit_count() for mask in range(32)], np.int64)  # of a set of colours or seats
N_BITS.flags.writeable = False


@verbs.deal.of(RULES)
def deal(rules, s, chance):
    for k in range(N_KINDS):
        s.stack[k] = rules.copies[k]
        s.discards[k] = 0
    s.n_stack = rules.n_cards
    s.n_ahead = 0
    s.tournaments = s.turns = s.shuffles = s.tokens_won = s.starter_wins = s.starts_passed = 0
    s.starter_cards = s.other_cards = s.withdrawals = s.maiden_withdrawals = s.maiden_losses = 0
    s.actions = s.cancels = s.stopped = s.after_purple = s.pending = s.immune = s.owed = 0
    s.winner = s.colour = NONE
    for colour in range(5):
        s.colour_wins[colour] = 0
    for seat in range(rules.players):
        for k in range(N_KINDS):
            s.earned[seat, k] = s.hands[seat, k] = 0
        if s.seen[seat]:
            _forget_hand(s, seat)
        s.holds[seat] = s.drawn[seat] = s.used[seat] = s.used_now[seat] = s.shown[seat] = 0
        s.n_hand[seat] = s.n_display[seat] = s.points[seat] = s.maidens[seat] = 0
        s.front[seat] = s.tokens[seat] = 0
        for _ in range(rules.hand_size):  # I1
            _to_hand(s, seat, _take(s, chance, DEAL))
        s.dealt[seat] = s.holds[seat]
    s.within = (1 << rules.players) - 1
    s.starter = 0 if rules.first_starter == FIRST_SEAT else below(chance, DEAL, rules.players)
    _begin_turn(rules, s, s.starter, chance)


@jit
def _take(s, chance, stream):
    """Take a card from the stack and return its kind: the one put on top by a position, else any with equal odds."""
    if s.n_ahead > 0:
        s.n_ahead -= 1
        k = np.int64(s.ahead[s.n_ahead])
    else:
        k = _nth(s.stack, below(chance, stream, s.n_stack))
    s.stack[k] -= 1
    s.n_stack -= 1
    return k


@inline
def _nth(counts, n):
    """Return the kind of the card with the number `n` (from 0) among cards counted by kind."""
    k = np.int64(0)
    n -= counts[0]
    while n >= 0:
        k += 1
        n -= counts[k]
    return k


@verbs.actor.of(RULES)
def actor(rules, s):
    return NONE if s.phase == OVER else s.turn


@verbs.legal.of(RULES)
def legal(rules, s, moves):
    if s.phase == PLAY:
        return _write_plays(rules, s, moves)
    n = 0
    if s.phase == START:
        for colour in range(5):
            if _can_start(rules, s, colour):
                moves[n] = NAME + WHO * colour
                n += 1
        if n == 0:
            moves[0] = PASS
            n = 1
    elif s.phase == ANSWER:
        moves[0], moves[1] = LET_PASS, CANCEL
        n = 2
    elif s.phase == KEEP:
        equals = equal_kinds(s, s.turn)
        for k in range(FIRST_ACTION):
            if equals >> k & 1:
                moves[n] = KEEP_CARD + CARD * k
                n += 1
    else:
        mine = s.tokens[s.turn]
        choices, verb = (mine, GIVE_BACK) if s.phase == GIVE else (~mine & _ALL_COLOURS, TAKE_TOKEN)
        for colour in range(5):
            if choices >> colour & 1:
                moves[n] = verb + WHO * colour
                n += 1
    return n


@inline
def _can_start(rules, s, colour):
    """I3: a card of the colour or a supporter is needed, and purple does not follow purple."""
    fit = OF_SUIT[colour] | SUPPORTERS
    if colour == PURPLE and s.after_purple:
        return False
    return s.holds[s.active] & fit != 0 or (rules.start_on_action != 0 and _starts_alone(rules, s, colour))


@jit
def _starts_alone(rules, s, colour):
    """I3 (`start_on_action`): whether the starter has an action card that he could play in this colour at once."""
    holds = s.holds[s.active]
    kinds = _STARTS_PURPLE if colour == PURPLE else _STARTS_ANY if colour == GREEN else _STARTS_WEAPON
    if holds & BIT[KNOCK_DOWN]:
        for other in range(rules.players):
            if other != s.active and s.n_hand[other] > 0:
                return True
    return holds & kinds != 0


@jit
def _write_plays(rules, s, moves):
    """Write the moves of a turn: numbered cards, action cards, end, withdraw."""
    seat = s.active
    holds = s.holds[seat]
    n = 0
    fits = holds & LAID_MASK[s.colour]  # I4
    if s.maidens[seat] >= rules.maiden_limit:
        fits &= ~_MAIDEN_BIT
    if may_add(s, seat):
        laid = LAID[s.colour]
        for i in range(N_LAID):  # without a branch, hands being unpredictable
            moves[n] = laid[i]
            n += fits >> laid[i] & 1
    bare = (s.opening != 0) & (s.n_display[seat] == 0)
    if holds & _PLAYABLE and not (bare and not rules.start_with_action and not rules.start_on_action):  # I3
        actions = holds & _promising(rules, s, seat)
        if actions:
            n = _write_actions(rules, s, moves, n, seat, actions)
    if s.played > 0 and _may_end(rules, s, lead(rules, s, seat), bare):
        moves[n] = END
        n += 1
    if not s.opening or n == 0:
        moves[n] = WITHDRAW
        n += 1
    return n


@inline
def _may_end(rules, s, ahead, bare):
    """I2, I3: he must be ahead; who starts on an action card alone need only not be behind."""
    return ahead >= rules.tie_stays if bare and rules.start_on_action else ahead > 0 and not bare


@inline
def _promising(rules, s, seat):
    """The action kinds that may have an effect: none left out that has one, most of the others sorted out."""
    kinds = np.int64(_IN_PURPLE if s.colour == PURPLE else _IN_GREEN if s.colour == GREEN else _IN_WEAPONS)
    longest = shown = 0
    for other in range(rules.players):
        longest = max(longest, s.n_display[other] * (other != seat))
        shown |= s.shown[other]
    if longest <= rules.last_card_guard:
        kinds &= ~_TAKES_CARDS
        if s.n_display[seat] <= rules.last_card_guard:
            kinds &= ~_STRIKES_ALL
    if s.n_display[seat] <= rules.last_card_guard:
        kinds &= ~(1 << RETREAT)
    if not shown & SUPPORTERS:
        kinds &= ~(1 << DISGRACE)
    return kinds


@inline
def lowest(mask):
    """Return the number of a mask's lowest bit; the mask is not 0."""
    return BIT_NUMBER[(mask & -mask) % 37]


@inline
def may_add(s, seat):
    """I15: Stunned lets the active player add one card a turn."""
    return (s.added == 0) | (s.front[seat] & HAS_STUNNED == 0)


@inline
def total(s, seat):
    """I5: what a display counts."""
    return np.int64(s.n_display[seat]) if s.colour == GREEN else np.int64(s.points[seat])


@inline
def lead(rules, s, seat):
    """I2: how far a seat is ahead of the best of the others; above 0 the turn may end."""
    best = 0
    for other in range(rules.players):
        best = max(best, total(s, other) * (other != seat))  # who is out has no display
    return total(s, seat) - best + rules.tie_stays


# Which action cards have an effect (I9), in the order of I11–I15


@jit
def _write_actions(rules, s, moves, n, seat, kinds):
    """Write the moves of the promising action cards in hand: none for a card that would have no effect.

    One test for each kind: they are foreseen better than a jump by the kind of the next card.
    """
    if kinds & BIT[RIPOSTE]:
        for other in range(rules.players):
            moves[n] = RIPOSTE + WHO * other
            n += can_riposte(rules, s, seat, other)
    if kinds & BIT[KNOCK_DOWN]:
        for other in range(rules.players):  # I17: whoever has a hand
            safe = (rules.knock_down_vs_shield == BLOCKED) & (s.front[other] & HAS_SHIELD != 0)
            moves[n] = KNOCK_DOWN + WHO * other
            n += (other != seat) & (s.n_hand[other] > 0) & (not safe)
    if kinds & (BIT[UNHORSE] | BIT[CHANGE_WEAPON]):
        k = UNHORSE if s.colour == PURPLE else CHANGE_WEAPON
        for colour in range(RED, YELLOW + 1):
            moves[n] = k + WHO * colour
            n += colour != s.colour
    if kinds & BIT[DROP_WEAPON]:
        moves[n] = DROP_WEAPON
        n += 1
    if kinds & BIT[BREAK_LANCE]:
        for other in range(rules.players):
            moves[n] = BREAK_LANCE + WHO * other
            n += (other != seat) & touches(s, other) & loses(rules, s, other, OF_SUIT[PURPLE])
    if kinds & BIT[DODGE]:
        for other in range(rules.players):
            if other != seat and touches(s, other) and s.n_display[other] > rules.last_card_guard:
                n = _write_cards(moves, n, DODGE + WHO * other, s.shown[other])
    if kinds & BIT[RETREAT]:
        n = _write_cards(moves, n, RETREAT, s.shown[seat])
    if kinds & BIT[OUTWIT]:
        n = _write_outwit(rules, s, moves, n, seat)
    if kinds & BIT[SHIELD]:
        moves[n] = SHIELD
        n += 1
    if kinds & BIT[STUNNED]:
        for other in range(rules.players):
            moves[n] = STUNNED + WHO * other
            n += (other != seat) & (s.within >> other & 1) & (not _is_proof(rules, s, other))
    kinds &= _WIDE
    while kinds:
        k = lowest(kinds)
        kinds &= kinds - 1
        moves[n] = k
        n += _has_wide_effect(rules, s, seat, k)
    return n


@inline
def _write_cards(moves, n, first, kinds):
    """Write a move for each kind of a mask."""
    while kinds:
        moves[n] = first + CARD * lowest(kinds)
        n += 1
        kinds &= kinds - 1
    return n


@inline
def _is_proof(rules, s, other):
    """I15 (`shield_stops`): whether not even Stunned can be aimed at a player."""
    return (rules.shield_stops == ALL_BUT_OUTWIT) & (s.front[other] & HAS_SHIELD != 0)


@inline
def touches(s, other):
    """I15: whether the active player's card touches a display: his own, or one without Shield."""
    bare = (other == s.active) | (s.front[other] & HAS_SHIELD == 0)
    return ((s.within & ~s.immune) >> other & 1 != 0) & bare


@inline
def loses(rules, s, seat, doomed):
    """Whether a display would lose a card of the kinds `doomed`; a last card stays (I9)."""
    return (s.shown[seat] & doomed != 0) & (s.n_display[seat] > rules.last_card_guard)


@inline
def can_riposte(rules, s, seat, other):
    """I12: there is a last card to take, it may be added (I15), and it is no maiden too many (I4)."""
    n = s.n_display[other]
    last = s.display[other, max(0, n - 1)]
    fits = (last != MAIDEN) | (s.maidens[seat] < rules.maiden_limit)
    return (other != seat) & touches(s, other) & (n > rules.last_card_guard) & may_add(s, seat) & fits


@jit
def _has_wide_effect(rules, s, seat, k):
    """I9 for the cards of I13."""
    doomed = doomed_kinds(rules, s, k)
    for other in range(rules.players):
        if not touches(s, other):
            continue
        if k == OUTMANEUVER:
            if other != seat and s.n_display[other] > rules.last_card_guard:
                return True
        elif k == ADAPT:
            if s.n_display[other] > _n_values(s, other):
                return True
        elif loses(rules, s, other, doomed):
            return True
    return False


@jit
def doomed_kinds(rules, s, k):
    """I13: the kinds that Charge, Countercharge or Disgrace discards."""
    if k == DISGRACE:
        return np.int64(SUPPORTERS)
    if k != CHARGE and k != COUNTERCHARGE:
        return np.int64(0)
    shown = np.int64(0)
    for seat in range(rules.players):
        if rules.charge_counts_shielded or touches(s, seat):
            shown |= s.shown[seat]
    for i in range(1, MOST_VALUE + 1):
        value = i if k == CHARGE else MOST_VALUE + 1 - i
        if shown & OF_VALUE[value]:
            return OF_VALUE[value]
    return np.int64(0)


@jit
def _n_values(s, seat):
    """How many different printed values a display has."""
    n = 0
    for value in range(1, MOST_VALUE + 1):
        n += s.shown[seat] & OF_VALUE[value] != 0
    return n


@inline
def _specials(front):
    """Shield and Stunned before a player, as kinds."""
    return (_SHIELD_BIT if front & HAS_SHIELD else 0) | (_STUNNED_BIT if front & HAS_STUNNED else 0)


@jit
def _write_outwit(rules, s, moves, n, seat):
    """I14: what may be swapped with whom."""
    mine = s.shown[seat] | _specials(s.front[seat])
    for other in range(rules.players):
        if other == seat or not s.within >> other & 1:
            continue
        his = np.int64(_specials(s.front[other]))
        if rules.outwit == SPECIAL_FOR_OUTWIT:
            n = _write_cards(moves, n, OUTWIT + WHO * other + GIVEN * OUTWIT, his)
            continue
        if rules.outwit_vs_shield == DISPLAY_TOO or not s.front[other] & HAS_SHIELD:
            his |= s.shown[other]
        while his:
            take = lowest(his)
            his &= his - 1
            left = mine & ~BIT[take]  # cards of one kind are alike: no effect
            while left:
                give = lowest(left)
                left &= left - 1
                if _may_swap(rules, s, seat, other, give, take):
                    moves[n] = OUTWIT + WHO * other + CARD * take + GIVEN * give
                    n += 1
    return n


@inline
def _may_swap(rules, s, seat, other, give, take):
    """No display is emptied (I9) and none gets a maiden too many (I4)."""
    if rules.last_card_guard:
        if take < FIRST_ACTION <= give and s.n_display[other] == 1:
            return False
        if give < FIRST_ACTION <= take and s.n_display[seat] == 1:
            return False
    if take == MAIDEN and s.maidens[seat] >= rules.maiden_limit:
        return False
    return give != MAIDEN or s.maidens[other] < rules.maiden_limit


@verbs.apply.of(RULES)
def apply(rules, s, move, chance):
    what, who, card = move & 63, move >> 6 & 7, move >> 9 & 63
    if s.phase == PLAY:
        if what < FIRST_ACTION:
            _lay(s, what)
        elif what <= IVANHOE:
            _announce(rules, s, move, what, who, chance)
        elif what == END:
            _begin_turn(rules, s, _next_within(rules, s), chance)
        else:
            _withdraw(rules, s, chance)
    elif s.phase == START:
        if what == NAME:
            s.colour = who
            s.starter = s.active
            s.phase = PLAY
        else:  # I3: he shows his hand, and the start passes left
            s.starts_passed += 1
            _show_hand(rules, s, s.active)
            _begin_turn(rules, s, _left_of(rules, s.active), chance)
    elif s.phase == ANSWER:
        _answer(rules, s, what, chance)
    elif s.phase == KEEP:
        _discard_kinds(s, s.turn, OF_VALUE[VALUE[card]] & ~BIT[card])
        _adapt(rules, s)
    elif s.phase == GIVE:
        s.tokens[s.turn] &= ~(1 << who)
        s.owed -= 1
        _pay_for_maiden(rules, s, chance)
    else:
        _close_tournament(rules, s, who, chance)


@verbs.redeal.of(RULES)
def redeal(rules, s, seat, chance):
    """Mix the other hands with the stack, but for the cards the seat knows of, and deal them out again."""
    s.n_ahead = 0
    for other in range(rules.players):
        if other != seat:
            for k in range(N_KINDS):
                loose = s.hands[other, k] - s.known[seat, other, k]
                s.stack[k] += loose
                s.n_stack += loose
                s.hands[other, k] -= loose
    for other in range(rules.players):
        if other != seat:
            n = s.n_hand[other]
            for k in range(N_KINDS):
                n -= s.hands[other, k]
            for _ in range(n):
                s.hands[other, _take(s, chance, DEAL)] += 1
            s.holds[other] = 0
            for k in range(N_KINDS):
                s.holds[other] |= BIT[k] * (s.hands[other, k] > 0)
            if s.seen[other]:
                _keep_to_hand(s, other)


# The turn (I2)


@jit
def _begin_turn(rules, s, seat, chance):
    if s.turns >= rules.max_turns:  # I10
        s.stopped = 1
        s.phase = OVER
        return
    s.turns += 1
    if s.turns < _PLACES:
        jump(chance, DICE, s.turns)
    s.active = s.turn = seat
    s.played = s.added = 0
    s.opening = s.colour == NONE
    s.phase = START if s.opening else PLAY
    _draw(rules, s, seat, chance)


@jit
def _draw(rules, s, seat, chance):
    if s.n_stack == 0:
        _reshuffle(s)
    if s.n_stack == 0:
        return  # every card is in somebody's hand or display
    k = _take(s, chance, DICE)
    _to_hand(s, seat, k)
    s.drawn[seat] |= BIT[k]
    if s.n_stack == 0 and rules.reshuffle != ON_NEXT_DRAW:
        _reshuffle(s)


@jit
def _reshuffle(s):
    """Make the discards the new stack."""
    for k in range(N_KINDS):
        s.stack[k] = s.discards[k]
        s.n_stack += s.discards[k]
        s.discards[k] = 0
    s.shuffles += s.n_stack > 0


@inline
def _to_hand(s, seat, k):
    s.hands[seat, k] += 1
    s.n_hand[seat] += 1
    s.holds[seat] |= BIT[k]


@inline
def _from_hand(s, seat, k):
    s.hands[seat, k] -= 1
    s.n_hand[seat] -= 1
    if s.hands[seat, k] == 0:
        s.holds[seat] &= ~BIT[k]
    if s.seen[seat] & BIT[k]:
        _unsee(s, seat, k)


# What seats know of each other's hands: at least so many cards of a kind


@jit
def _show_hand(rules, s, owner):
    """I3: everybody sees a hand."""
    for viewer in range(rules.players):
        if viewer != owner:
            for k in range(N_KINDS):
                s.known[viewer, owner, k] = s.hands[owner, k]
    s.seen[owner] = s.holds[owner]


@jit
def _see(s, viewer, owner, k):
    """A seat has seen a card come into a hand."""
    s.known[viewer, owner, k] += 1
    s.seen[owner] |= BIT[k]


@jit
def _unsee(s, owner, k):
    """A card of a kind has left a hand: who knew of some knows of one less."""
    still = 0
    for viewer in range(MOST_PLAYERS):
        s.known[viewer, owner, k] -= s.known[viewer, owner, k] > 0
        still += s.known[viewer, owner, k]
    if still == 0:
        s.seen[owner] &= ~BIT[k]


@jit
def _doubt(s, owner, k, thief):
    """A card has left a hand, and only its owner and the thief saw that it was of kind `k`.

    For the others it may have been any: of each other kind, too, they are sure of one card less.
    """
    for kind in range(N_KINDS):
        still = 0
        for viewer in range(MOST_PLAYERS):
            if kind != k and viewer != thief:
                s.known[viewer, owner, kind] -= s.known[viewer, owner, kind] > 0
            still += s.known[viewer, owner, kind]
        if still == 0:
            s.seen[owner] &= ~BIT[kind]


@jit
def _keep_to_hand(s, owner):
    """Nobody knows of more cards than a hand dealt anew has."""
    for viewer in range(MOST_PLAYERS):
        for k in range(N_KINDS):
            s.known[viewer, owner, k] = min(s.known[viewer, owner, k], s.hands[owner, k])
    s.seen[owner] &= s.holds[owner]


@jit
def _forget_hand(s, owner):
    for viewer in range(MOST_PLAYERS):
        for k in range(N_KINDS):
            s.known[viewer, owner, k] = 0
    s.seen[owner] = 0


@inline
def _left_of(rules, seat):
    return seat + 1 if seat + 1 < rules.players else 0


@inline
def _next_within(rules, s):
    seat = _left_of(rules, s.active)
    while not s.within >> seat & 1:
        seat = _left_of(rules, seat)
    return seat


# Cards


@jit
def _lay(s, k):
    """The active player adds a card of his hand to his display (I4)."""
    seat = s.active
    _from_hand(s, seat, k)
    _add(s, seat, k)
    s.played += 1
    s.added += 1
    _note_use(s, seat, k)
    if seat == s.starter:
        s.starter_cards += 1
    else:
        s.other_cards += 1


@inline
def _add(s, seat, k):
    """Put a card at the end of a display."""
    s.display[seat, s.n_display[seat]] = k
    s.n_display[seat] += 1
    s.shown[seat] |= BIT[k]
    s.points[seat] += VALUE[k]
    s.maidens[seat] += k == MAIDEN


@jit
def _remove(s, seat, place):
    """Take the card at a place out of a display and return its kind."""
    k = s.display[seat, place]
    s.n_display[seat] -= 1
    for i in range(place, s.n_display[seat]):
        s.display[seat, i] = s.display[seat, i + 1]
    s.points[seat] -= VALUE[k]
    s.maidens[seat] -= k == MAIDEN
    if _last_place(s, seat, k) == NONE:
        s.shown[seat] &= ~BIT[k]
    return k


@jit
def _last_place(s, seat, k):
    """The place of the last card of a kind in a display, or NONE."""
    for place in range(s.n_display[seat] - 1, -1, -1):
        if s.display[seat, place] == k:
            return place
    return NONE


@jit
def _discard_kinds(s, seat, doomed):
    """Discard the cards of some kinds from a display."""
    kept = 0
    n, s.n_display[seat] = s.n_display[seat], 0
    s.points[seat] = s.shown[seat] = s.maidens[seat] = 0
    for place in range(n):
        k = s.display[seat, place]
        if doomed & BIT[k]:
            s.discards[k] += 1
        else:
            kept += 1
            _add(s, seat, k)
    return kept


@jit
def _purge(rules, s, seat, doomed):
    """Discard the cards of some kinds from a display; of all its cards the first stays (I9)."""
    first = s.display[seat, 0]
    if s.shown[seat] & doomed and _discard_kinds(s, seat, doomed) == 0 and rules.last_card_guard:
        s.discards[first] -= 1
        _add(s, seat, first)


# Action cards


@jit
def _announce(rules, s, move, what, who, chance):
    """Play an action card; whoever holds Ivanhoe is asked (I16), else it takes effect."""
    seat = s.active
    _from_hand(s, seat, what)
    s.discards[what] += 1
    s.played += 1
    s.actions += 1
    _note_use(s, seat, what)
    for other in range(rules.players):
        holds = other != seat and s.within >> other & 1 and s.holds[other] & _IVANHOE_BIT
        if holds and (rules.ivanhoe_scope != PROTECT_SELF or reaches(s, other, what, who)):
            s.pending = move
            s.turn = other
            s.phase = ANSWER
            return
    _resolve(rules, s, move, chance)


@inline
def _note_use(s, seat, what):
    s.used[seat] |= BIT[what]
    s.used_now[seat] |= BIT[what]


@inline
def reaches(s, other, what, who):
    """Whether an action card would touch a player himself (I16, `protect_self`)."""
    if OUTMANEUVER <= what <= ADAPT:
        return s.n_display[other] > 0 and not s.front[other] & HAS_SHIELD
    return who == other and what in (BREAK_LANCE, RIPOSTE, DODGE, KNOCK_DOWN, OUTWIT, STUNNED)


@jit
def _answer(rules, s, what, chance):
    if what == CANCEL:
        _from_hand(s, s.turn, IVANHOE)
        s.discards[IVANHOE] += 1
        s.cancels += 1
        _note_use(s, s.turn, IVANHOE)
        s.immune = 1 << s.turn if rules.ivanhoe_scope == PROTECT_SELF else 0
        if not s.immune or not OUTMANEUVER <= s.pending & 63 <= ADAPT:
            _end_action(s)
            return
    _resolve(rules, s, s.pending, chance)


@inline
def _end_action(s):
    s.turn = s.active
    s.phase = PLAY
    s.immune = s.pending = 0


@jit
def _resolve(rules, s, move, chance):
    """Do what an action card says (I11–I15)."""
    what, who, card, given = move & 63, move >> 6 & 7, move >> 9 & 63, move >> 15 & 63
    seat = s.active
    if what in (UNHORSE, CHANGE_WEAPON):
        s.colour = who
    elif what == DROP_WEAPON:
        s.colour = GREEN
    elif what == BREAK_LANCE:
        _purge(rules, s, who, OF_SUIT[PURPLE])
    elif what == RIPOSTE:
        _add(s, seat, _remove(s, who, s.n_display[who] - 1))
        s.added += 1
    elif what == DODGE:
        s.discards[_remove(s, who, _last_place(s, who, card))] += 1
    elif what == RETREAT:
        _to_hand(s, seat, _remove(s, seat, _last_place(s, seat, card)))
        for viewer in range(rules.players):
            if viewer != seat:
                _see(s, viewer, seat, card)
    elif what == KNOCK_DOWN:
        _knock_down(s, seat, who, chance)
    elif what == OUTWIT:
        _outwit(s, seat, who, given, card)
    elif what == SHIELD:
        _lay_special(s, seat, SHIELD)
    elif what == STUNNED:
        _lay_special(s, who, STUNNED)
    elif what == ADAPT:
        s.pending = move
        _adapt(rules, s)
        return
    else:
        _strike_all(rules, s, seat, what)
    _end_action(s)


@jit
def _knock_down(s, seat, other, chance):
    """I12: any card of his hand is as likely as any other; a written number beyond it means the last."""
    k = _nth(s.hands[other], min(die(chance, s.n_hand[other]), s.n_hand[other]) - 1)
    _from_hand(s, other, k)
    if s.seen[other]:
        _doubt(s, other, k, seat)
    _to_hand(s, seat, k)
    _see(s, other, seat, k)


@jit
def _strike_all(rules, s, seat, what):
    """I13 without Adapt."""
    doomed = doomed_kinds(rules, s, what)
    for other in range(rules.players):
        if not touches(s, other):
            continue
        if what != OUTMANEUVER:
            _purge(rules, s, other, doomed)
        elif other != seat and s.n_display[other] > rules.last_card_guard:
            s.discards[_remove(s, other, s.n_display[other] - 1)] += 1


@jit
def _outwit(s, seat, other, give, take):
    """I14: two open cards change places, each going to the end of its new display."""
    _lift(s, other, take)
    _lift(s, seat, give)
    _put_open(s, seat, take)
    _put_open(s, other, give)


@jit
def _lift(s, seat, k):
    """Take an open card from before a player; a played Outwit lies on the discards."""
    if k < FIRST_ACTION:
        _remove(s, seat, _last_place(s, seat, k))
    elif k == OUTWIT:
        s.discards[OUTWIT] -= 1
    else:
        s.front[seat] &= ~_front_bit(k)


@jit
def _put_open(s, seat, k):
    if k < FIRST_ACTION:
        _add(s, seat, k)
    else:
        s.front[seat] |= _front_bit(k)


@inline
def _front_bit(k):
    return HAS_SHIELD if k == SHIELD else HAS_STUNNED if k == STUNNED else HAS_OUTWIT


@inline
def _lay_special(s, seat, k):
    s.discards[k] -= 1
    s.front[seat] |= _front_bit(k)


@jit
def _adapt(rules, s):
    """I13: ask owners of different cards of one value, from the active player on; then thin out all displays."""
    seat = s.active
    for _ in range(rules.players):
        if touches(s, seat) and equal_kinds(s, seat):
            s.turn = seat
            s.phase = KEEP
            return
        seat = _left_of(rules, seat)
    for other in range(rules.players):
        if touches(s, other):
            _thin_out(s, other)
    _end_action(s)


@jit
def equal_kinds(s, seat):
    """The kinds of the lowest printed value that a display has in more than one kind, or 0."""
    for value in range(1, MOST_VALUE + 1):
        kinds = s.shown[seat] & OF_VALUE[value]
        if kinds & (kinds - 1):
            return kinds
    return np.int64(0)


@jit
def _thin_out(s, seat):
    """Discard all but the first card of each kind."""
    n, s.n_display[seat] = s.n_display[seat], 0
    s.points[seat] = s.shown[seat] = s.maidens[seat] = 0
    for place in range(n):
        k = s.display[seat, place]
        if s.shown[seat] & BIT[k]:
            s.discards[k] += 1
        else:
            _add(s, seat, k)


# Withdrawal and the end of a tournament


@jit
def _withdraw(rules, s, chance):
    """I6: the display goes, and with a maiden in it so many tokens as `maiden_penalty` says."""
    seat = s.active
    maiden = s.maidens[seat] > 0
    s.withdrawals += 1
    s.within &= ~(1 << seat)
    _clear_open(s, seat)
    if maiden:
        s.maiden_withdrawals += 1
        s.owed = min(rules.maiden_penalty, N_BITS[s.tokens[seat]])
        s.maiden_losses += s.owed > 0
    _pay_for_maiden(rules, s, chance)


@jit
def _pay_for_maiden(rules, s, chance):
    """Ask for a token while one is owed and there is a choice; what is owed without a choice goes."""
    seat = s.active
    if 0 < s.owed < N_BITS[s.tokens[seat]]:
        s.phase = GIVE
        return
    if s.owed > 0:
        s.tokens[seat] = s.owed = 0
    _after_withdrawal(rules, s, chance)


@jit
def _clear_open(s, seat):
    """Discard what lies before a player."""
    _discard_kinds(s, seat, _NUMBERED)
    front = s.front[seat]
    s.discards[SHIELD] += front & HAS_SHIELD != 0
    s.discards[STUNNED] += front & HAS_STUNNED != 0
    s.discards[OUTWIT] += front & HAS_OUTWIT != 0
    s.front[seat] = 0


@jit
def _after_withdrawal(rules, s, chance):
    """Go on with the next player, or give the last one left his token (I7)."""
    seat = _next_within(rules, s)
    if s.within & (s.within - 1):
        _begin_turn(rules, s, seat, chance)
        return
    s.active = s.turn = seat
    lacking = ~s.tokens[seat] & _ALL_COLOURS
    if s.colour != PURPLE:
        _close_tournament(rules, s, s.colour, chance)
    elif lacking & (lacking - 1):
        s.phase = TAKE
    else:
        _close_tournament(rules, s, lowest(lacking), chance)


@jit
def _close_tournament(rules, s, token, chance):
    """The active player takes a token (I7) and has won the game (I8), or starts the next tournament."""
    seat = s.active
    if not s.tokens[seat] >> token & 1:
        s.tokens[seat] |= 1 << token
        s.tokens_won += 1
        for k in range(N_KINDS):
            s.earned[seat, k] += s.used_now[seat] >> k & 1
    s.colour_wins[s.colour] += 1
    s.starter_wins += seat == s.starter
    for other in range(rules.players):
        s.used_now[other] = 0
        if s.tournaments < CHECKPOINTS:
            s.course[s.tournaments, other] = N_BITS[s.tokens[other]]
    s.tournaments += 1
    _clear_open(s, seat)
    if N_BITS[s.tokens[seat]] >= rules.tokens_to_win:
        s.winner = seat
        s.phase = OVER
        return
    s.after_purple = s.colour == PURPLE
    s.colour = NONE
    s.within = (1 << rules.players) - 1
    _begin_turn(rules, s, seat, chance)


@verbs.outcome.of(RULES)
def outcome(rules, s, row):
    for seat in range(rules.players):
        tokens = N_BITS[s.tokens[seat]]
        row.win[seat] = WHOLE_WIN if seat == s.winner else 0
        row.score[seat] = tokens
        for c in range(CHECKPOINTS):
            row.course[c, seat] = s.course[c, seat] if c < s.tournaments else tokens
    n = _fill_cards(rules, s, row, 0, 0, s.dealt)
    n = _fill_cards(rules, s, row, n, 0, s.drawn)
    n = _fill_cards(rules, s, row, n, FIRST_ACTION, s.holds)
    _fill_cards(rules, s, row, n, FIRST_ACTION, s.used)
    counts = row.counts
    counts[0] = s.tournaments
    counts[1] = s.turns
    for colour in range(5):
        counts[2 + colour] = s.colour_wins[colour]
    counts[7] = s.tokens_won
    counts[8] = s.starter_wins
    counts[9] = s.starter_cards
    counts[10] = s.other_cards
    counts[11] = s.starts_passed
    counts[12] = s.withdrawals
    counts[13] = s.maiden_withdrawals
    counts[14] = s.maiden_losses
    counts[15] = s.actions
    counts[16] = s.cancels
    counts[17] = s.shuffles
    counts[18] = s.stopped


@jit
def _fill_cards(rules, s, row, first, kind, having):
    """Fill a group of cards, the kinds from `kind` on, for those who had one (masks); return where the next begins."""
    for seat in range(rules.players):
        left = having[seat] >> kind << kind
        while left:
            k = lowest(left)
            left &= left - 1
            row.held[first + k - kind, seat] = 1
            row.earned[first + k - kind, seat] = s.earned[seat, k]
    return first + N_KINDS - kind
