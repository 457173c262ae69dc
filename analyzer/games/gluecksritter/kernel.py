"""The verbs of Die Glücksritter, in the order of the round: coins, ransom, picks, red seals, cards 1 to 6.

A phase that has a decision left says so in `_seek_…`; when none is left the next phase opens. So
`apply` plays a move and then lets `_advance` run to the next decision. Stacks have no order: a card
is drawn when it is turned up, which is the same as shuffling before.
"""

from __future__ import annotations

import numpy as np

from analyzer.engine import verbs
from analyzer.engine.chance import DEAL, DICE, GOLDEN, below, die, jump, mix
from analyzer.engine.jit import inline, jit
from analyzer.engine.tally import WHOLE_WIN
from analyzer.games.gluecksritter.cards import (
    BILL,
    GIFTS,
    GUARD_LETTER,
    N_KINDS,
    N_RED,
    PARDON,
    RED_SEALS,
    TAX,
    TOLL,
    WALL_PERMIT,
)
from analyzer.games.gluecksritter.rules import (
    ABLE,
    ANY_PART,
    BEFORE_CHOICE,
    BEFORE_DUCATS,
    BOTH_FIELDS,
    CAP_7,
    CHOSEN,
    COINS,
    COLLECTOR,
    CRAFTSMAN,
    FARMER,
    FIXED,
    KEEPER,
    KNIGHT,
    MONK,
    N_CARDS,
    N_PAIRS,
    NEIGHBOUR,
    OVERPAY,
    PERMIT,
    RULES,
    TWOS_FIRST,
)
from analyzer.games.gluecksritter.state import (
    AT_SEAT,
    BAG_FACE,
    BLANK_FACE,
    CASTLE_FACE,
    CHECKPOINTS,
    CLOSE,
    DOCUMENT,
    EXCHANGE,
    GUARD,
    KIND,
    LIMIT,
    LOOT_BOTH,
    NO,
    NONE,
    OVER,
    PART,
    PAY,
    PICK,
    RAID,
    RANSOM,
    RED,
    SHARE_TAX,
    SHARE_TOLL,
    TO_ONES,
    TO_TWOS,
    TOWERS,
    WALLS,
    YES,
)

_DEALS = 2  # places of a round in the deal: its coins, its documents
_TOO_MANY = 8  # G12: coins of a kind
_U32 = np.uint64(32)


@verbs.deal.of(RULES)
def deal(rules, s, chance):
    n = rules.players
    for kind in range(2):
        each = rules.start_ones if kind == 0 else rules.start_twos  # G3
        s.bag[kind] = COINS[kind] - n * each
        s.lying[0, kind] = s.lying[1, kind] = 0
        s.bought[kind] = 0
        for seat in range(n):
            s.purse[seat, kind] = each
            s.parts[seat, kind] = 0
    for seat in range(n):
        s.held[seat] = s.dice[seat] = s.share[seat] = 0
        for kind in range(N_KINDS):
            s.hand[seat, kind] = s.drawn[seat, kind] = 0
    for kind in range(N_KINDS):
        s.stack[kind] = rules.copies[kind]
        s.discard[kind] = 0
    s.ducats = 0
    s.jailed = s.pending = s.face = s.dear = s.coin = s.due = 0
    s.raider = s.victim = NONE
    s.dear_bought = s.documents_drawn = s.documents_played = s.wasted = s.jailings = s.ransoms = s.duels = 0
    s.loots = s.looted = s.raids = s.raids_guarded = s.raids_on_money = s.raided = s.raids_on_parts = 0
    s.clashes = s.turned = s.tie_break = s.unfinished = 0
    s.rounds = 0
    _open_round(rules, s, chance)
    _advance(rules, s, chance)


@verbs.actor.of(RULES)
def actor(rules, s):
    return NONE if s.phase == OVER else s.turn


@inline
def money(s, seat):
    """Return what a seat's coins are worth."""
    return np.int64(s.purse[seat, 0]) + 2 * np.int64(s.purse[seat, 1])


@verbs.legal.of(RULES)
def legal(rules, s, moves):
    phase, seat = s.phase, s.turn
    base = phase * KIND
    n = 0
    if phase == PICK:
        barred = (s.jailed >> seat & 1) << KNIGHT  # G6
        for pair in range(N_PAIRS):
            moves[n] = base + rules.pair_mask[pair]
            n += (rules.pair_mask[pair] & barred) == 0
        return n
    if phase in (WALLS, TOWERS):
        for count in range(1 + _most_parts(rules, s, seat, phase - WALLS)):
            moves[n] = base + count
            n += 1
        return n
    if phase == RAID:
        return _write_raids(rules, s, seat, moves)
    if phase == PAY:
        for twos in range(_least_twos(s, seat, s.due), 1 + _most_twos(s, seat, s.due)):
            moves[n] = base + twos
            n += 1
        return n
    if phase == RED:
        playable = _playable(s, seat) & RED_SEALS
        for some in range(RED_SEALS + 1):
            moves[n] = base + some
            n += (some & ~playable) == 0
        return n
    moves[0] = base + NO
    n = 1
    if phase == EXCHANGE:
        return _write_exchanges(s, seat, moves, base, n)
    if phase == LIMIT:
        if _playable(s, seat) >> GIFTS & 1:
            moves[n] = base + YES
            n += 1
        if _playable(s, seat) >> BILL & 1:
            n = _write_exchanges(s, seat, moves, base, n)
        return n
    moves[n] = base + YES  # ransom, pay for a document, castle guard, tower
    return n + 1


@jit
def _write_raids(rules, s, seat, moves):
    """G8: loot a field (or both), or raid somebody."""
    base = RAID * KIND
    if rules.loot == BOTH_FIELDS:
        moves[0] = base + LOOT_BOTH
        n = 1
    else:
        moves[0], moves[1] = base, base + 1
        n = 2
    for victim in range(rules.players):
        if victim != seat and (rules.raid_target != NEIGHBOUR or _are_neighbours(rules, seat, victim)):
            moves[n] = base + AT_SEAT + victim
            n += 1
    return n


@inline
def _are_neighbours(rules, a, b):
    return _left_of(rules, a) == b or _left_of(rules, b) == a


@jit
def _write_exchanges(s, seat, moves, base, n):
    """G2: every change of ones into twos and of twos into ones that purse and bag allow."""
    for twos in range(1, 1 + min(s.purse[seat, 0] // 2, s.bag[1])):
        moves[n] = base + TO_TWOS + twos
        n += 1
    for twos in range(1, 1 + min(s.purse[seat, 1], s.bag[0] // 2)):
        moves[n] = base + TO_ONES + twos
        n += 1
    return n


@verbs.apply.of(RULES)
def apply(rules, s, move, chance):
    phase, seat = s.phase, s.turn
    what = move - phase * KIND
    if phase == PICK:
        s.picks[seat] = what
    elif phase in (WALLS, TOWERS):
        _buy(rules, s, seat, phase - WALLS, what)
    elif phase == RAID:
        _act_as_knight(rules, s, seat, what, chance)
    elif phase == DOCUMENT:
        if what == YES:
            _charge(rules, s, seat, rules.monk_price)
            if s.phase != PAY:
                _draw_document(rules, s, seat, chance)
    elif phase == PAY:
        _hand_over(s, seat, s.due - 2 * what, what)
        s.phase = s.resume
        if s.phase == DOCUMENT:
            _draw_document(rules, s, seat, chance)
    elif phase == RED:
        s.sealed[seat] = what
    elif phase == RANSOM:
        if what == YES:
            _charge(rules, s, seat, rules.ransom)
            s.jailed &= ~(1 << seat)
            s.ransoms += 1
    elif phase == LIMIT:
        s.phase = s.resume
        _answer_limit(rules, s, seat, what)
    elif phase == EXCHANGE:
        if what != NO:
            _exchange(s, seat, what)
    elif phase == GUARD:
        if what == YES:
            _play_document(s, seat, GUARD_LETTER)
            s.raids_guarded += 1
            s.phase = SHARE_TAX
        else:
            _roll_raid(rules, s, chance)
    else:
        _take_part(rules, s, what)
    _advance(rules, s, chance)


@jit
def _advance(rules, s, chance):
    """Run to the next decision, or to the end."""
    while True:
        if s.pending and _seek_limit(rules, s):
            return
        phase = s.phase
        if phase == PICK:
            if _seek_pick(rules, s):
                return
            _open(s, DOCUMENT if rules.red_timing == BEFORE_CHOICE else RED)
        elif phase == EXCHANGE:
            if _seek_document_holder(rules, s, 1 << BILL):
                return
            _open(s, _first_choice(rules) if rules.ransom_timing == BEFORE_DUCATS else RANSOM)
        elif phase == RANSOM:
            if s.jailed and _seek_ransom(rules, s):
                return
            if rules.ransom_timing == BEFORE_DUCATS:
                _lay_out(rules, s, chance)
                _open(s, EXCHANGE)
            else:
                _open(s, _first_choice(rules))
        elif phase == RED:
            if _seek_document_holder(rules, s, RED_SEALS):
                return
            _open(s, PICK if rules.red_timing == BEFORE_CHOICE else DOCUMENT)
            _reveal_documents(rules, s)
        elif phase == DOCUMENT:
            if not s.turned_up:
                _turn_up(rules, s, chance)
            if _seek_document_buyer(rules, s, chance):
                return
            _open_market(rules, s, WALLS)
        elif phase == WALLS:
            if _seek_builder(rules, s, FARMER):
                return
            _open_market(rules, s, TOWERS)
        elif phase == TOWERS:
            if _seek_builder(rules, s, CRAFTSMAN):
                return
            if _open_raid(rules, s, chance):
                return
        elif phase == SHARE_TAX:
            _share_out(rules, s, 0, s.takers[COLLECTOR])
            s.phase = SHARE_TOLL
        elif phase == SHARE_TOLL:
            _share_out(rules, s, 1, s.takers[KEEPER])
            s.phase = CLOSE
        elif phase == CLOSE:
            _close_round(rules, s, chance)
        else:
            return


@inline
def _open(s, phase):
    s.phase = phase
    s.asked = 0


@inline
def _first_choice(rules):
    """G7: red documents come after the cards are picked, or before."""
    return RED if rules.red_timing == BEFORE_CHOICE else PICK


@inline
def _left_of(rules, seat):
    return seat + 1 if seat + 1 < rules.players else 0


@inline
def _next_seat(rules, s):
    """Return the seat that this phase comes to next; `asked` counts on (modifies `s`)."""
    seat = s.start + s.asked
    s.asked += 1
    return seat if seat < rules.players else seat - rules.players


@inline
def _gain(s, seat, kind, coins):
    """Give a seat coins; whether it has too many of them now is looked at in `_seek_limit`."""
    s.purse[seat, kind] += coins
    s.pending |= np.int64(coins > 0) << (seat * 2 + kind)


# The beginning of a round


@jit
def _open_round(rules, s, chance):
    s.rounds += 1
    s.start = 0 if rules.same_card_order == FIXED else (s.rounds - 1) % rules.players
    s.pardoned = s.freed = s.permits[0] = s.permits[1] = s.turned_up = 0
    for seat in range(rules.players):
        s.picks[seat] = s.sealed[seat] = s.used[seat] = 0
    if rules.ransom_timing == BEFORE_DUCATS:
        _open(s, RANSOM)
    else:
        _lay_out(rules, s, chance)
        _open(s, EXCHANGE)


@jit
def _lay_out(rules, s, chance):
    """G4: turn up a ducat card and lay its coins out."""
    jump(chance, DEAL, s.rounds * _DEALS)
    _turn_ducat_card(rules, s, chance)
    for field in range(2):
        _lay_coins(s, field, rules.ducats[s.ducat_card, field], chance)


@inline
def _turn_ducat_card(rules, s, chance):
    """G4: any card of the deck; an empty one is filled again."""
    if s.ducats == 0:
        s.ducats = (1 << rules.ducat_cards) - 1
        s.ducats_left = rules.ducat_cards
    at = below(chance, DEAL, s.ducats_left)
    card = 0
    while at > 0 or not s.ducats >> card & 1:
        at -= s.ducats >> card & 1
        card += 1
    s.ducat_card = card
    s.ducats &= ~(1 << card)
    s.ducats_left -= 1


@inline
def _lay_coins(s, field, count, chance):
    """Draw coins blind from the bag onto a field; a short bag gives what it has."""
    ones, twos = np.int64(s.bag[0]), np.int64(s.bag[1])
    count = min(count, ones + twos)
    at = chance.at[DEAL]
    laid = np.int64(0)
    for left in range(ones + twos, ones + twos - count, -1):
        at += GOLDEN
        is_one = np.int64(((mix(at) >> _U32) * np.uint64(left)) >> _U32) < ones
        ones -= is_one
        laid += is_one
    chance.at[DEAL] = at
    s.laid[field, 0], s.laid[field, 1] = laid, count - laid
    s.lying[field, 0] += laid
    s.lying[field, 1] += count - laid
    s.bag[0], s.bag[1] = ones, twos - (count - laid)


@jit
def _seek_ransom(rules, s):
    while s.asked < rules.players:
        seat = _next_seat(rules, s)
        if s.jailed >> seat & 1 and money(s, seat) >= rules.ransom:  # G5
            s.turn = seat
            return True
    return False


@inline
def _seek_pick(rules, s):
    if s.asked == rules.players:
        return False
    s.turn = _next_seat(rules, s)
    return True


# Documents


@inline
def _playable(s, seat):
    """G7: the kinds in a hand that have not been played this round."""
    return s.held[seat] & ~s.used[seat]


@inline
def _seek_document_holder(rules, s, kinds):
    """Find the next seat that can play one of these documents."""
    while s.asked < rules.players:
        seat = _next_seat(rules, s)
        if _playable(s, seat) & kinds:
            s.turn = seat
            return True
    return False


@jit
def _play_document(s, seat, kind):
    s.hand[seat, kind] -= 1
    if s.hand[seat, kind] == 0:
        s.held[seat] &= ~(1 << kind)
    s.used[seat] |= 1 << kind
    s.discard[kind] += 1
    s.documents_played += 1


@inline
def _reveal_documents(rules, s):
    """G7: the red documents laid down take effect, seat by seat from the start seat."""
    for i in range(rules.players):
        seat = s.start + i if s.start + i < rules.players else s.start + i - rules.players
        if s.sealed[seat]:
            _reveal_hand(s, seat)


@jit
def _reveal_hand(s, seat):
    for kind in range(N_RED):
        if s.sealed[seat] >> kind & 1:
            _play_document(s, seat, kind)
            if kind in (TAX, TOLL):
                for coin in range(2):
                    taken = s.lying[kind - TAX, coin] // 2
                    s.lying[kind - TAX, coin] -= taken
                    _gain(s, seat, coin, taken)
            elif kind == PARDON:
                s.freed |= s.jailed & 1 << seat
                s.jailed &= ~(1 << seat)
                s.pardoned |= 1 << seat
            else:
                s.permits[kind - WALL_PERMIT] |= 1 << seat
    s.sealed[seat] = 0


@jit
def _exchange(s, seat, what):
    """G2: change twos into ones or ones into twos with the bag."""
    _play_document(s, seat, BILL)
    twos = what - TO_TWOS if what < TO_ONES else TO_ONES - what  # got, or given if negative
    s.purse[seat, 0] -= 2 * twos
    s.purse[seat, 1] += twos
    s.bag[0] += 2 * twos
    s.bag[1] -= twos
    s.pending |= 1 << (seat * 2 + (twos > 0))


@jit
def _draw_document(rules, s, seat, chance):
    """Draw the top document; the played ones are shuffled when the stack is used up (G7)."""
    left = _stack_left(s)
    if left == 0 and rules.documents_return:
        for kind in range(N_KINDS):
            s.stack[kind] = s.discard[kind]
            left += s.discard[kind]
            s.discard[kind] = 0
    if left == 0:
        return
    at = below(chance, DEAL, left)
    kind = 0
    while at >= s.stack[kind]:
        at -= s.stack[kind]
        kind += 1
    s.stack[kind] -= 1
    s.hand[seat, kind] += 1
    s.held[seat] |= 1 << kind
    s.drawn[seat, kind] += 1
    s.documents_drawn += 1


@inline
def _stack_left(s):
    left = np.int64(0)
    for kind in range(N_KINDS):
        left += np.int64(s.stack[kind])
    return left


@jit
def _can_draw(rules, s):
    left = _stack_left(s)
    if rules.documents_return:
        for kind in range(N_KINDS):
            left += np.int64(s.discard[kind])
    return left > 0


# Enough is enough


@jit
def _seek_limit(rules, s):
    """G12: look at the seats that got coins; ask who can avert it, else take the coins away."""
    for i in range(rules.players):
        seat = s.start + i if s.start + i < rules.players else s.start + i - rules.players
        for kind in range(2):
            bit = 1 << (seat * 2 + kind)
            if s.pending & bit:
                if s.purse[seat, kind] >= _TOO_MANY:
                    if _playable(s, seat) & (1 << GIFTS | 1 << BILL):
                        s.resume = s.phase
                        s.phase = LIMIT
                        s.turn = seat
                        s.coin = kind
                        return True
                    _give_back(rules, s, seat, kind)
                s.pending &= ~bit
    return False


@jit
def _give_back(rules, s, seat, kind):
    """G12: half of the coins go back as often as there are eight, or all above seven."""
    while s.purse[seat, kind] >= _TOO_MANY:
        lost = s.purse[seat, kind] - (_TOO_MANY - 1) if rules.coin_limit == CAP_7 else s.purse[seat, kind] // 2
        s.purse[seat, kind] -= lost
        s.bag[kind] += lost
        s.wasted += lost * (kind + 1)


@jit
def _answer_limit(rules, s, seat, what):
    """G12: coins go back, or gifts avert it once and for all for these coins, or some are changed."""
    bit = 1 << (seat * 2 + s.coin)
    if what == NO:
        _give_back(rules, s, seat, s.coin)
        s.pending &= ~bit
    elif what == YES:
        _play_document(s, seat, GIFTS)
        s.pending &= ~bit
    else:
        _exchange(s, seat, what)


# Cards 1 to 3: documents, walls, towers


@jit
def _turn_up(rules, s, chance):
    """G8: the picks lie open."""
    s.turned_up = 1
    for card in range(N_CARDS):
        takers = np.int64(0)
        for seat in range(rules.players):
            takers |= (np.int64(s.picks[seat]) >> card & 1) << seat
        s.takers[card] = takers
        s.turned += takers != 0
        s.clashes += takers & (takers - 1) != 0
    jump(chance, DEAL, s.rounds * _DEALS + 1)


@inline
def _is_one(mask):
    """Whether a mask of seats has just one."""
    return mask != 0 and mask & (mask - 1) == 0


@jit
def _seek_document_buyer(rules, s, chance):
    """G8: a single Monk brings a document; several ask for money."""
    takers = s.takers[MONK]
    if takers == 0:
        return False
    if _is_one(takers):
        _draw_document(rules, s, _first_seat(takers), chance)
        return False
    while s.asked < rules.players:
        seat = _next_seat(rules, s)
        if takers >> seat & 1 and money(s, seat) >= rules.monk_price and _can_draw(rules, s):
            s.turn = seat
            return True
    return False


@inline
def _first_seat(mask):
    seat = 0
    while not mask >> seat & 1:
        seat += 1
    return seat


@inline
def part_price(rules, s, seat, part):
    """G8, G2: what a wall (0) or tower (1) costs a seat now."""
    return max(0, rules.price[part, s.dear] - PERMIT * (s.permits[part] >> seat & 1))


@inline
def _most_parts(rules, s, seat, part):
    """G8: how many walls or towers a seat can buy now: two at most, as far as room and money go."""
    room = min(2, rules.castle - s.parts[seat, part])
    price, purse = part_price(rules, s, seat, part), money(s, seat)
    most = np.int64(purse >= price) + np.int64(purse >= 2 * price)
    return max(0, min(room, most))


@inline
def _open_market(rules, s, phase):
    """G8: the price is the higher one if several have the card, or could buy with it."""
    _open(s, phase)
    part = phase - WALLS
    takers = s.takers[FARMER + part]
    if takers and rules.price_basis == ABLE:
        s.dear = 0
        for seat in range(rules.players):
            if takers >> seat & 1 and _most_parts(rules, s, seat, part) == 0:
                takers &= ~(1 << seat)
    s.dear = np.int64(takers & (takers - 1) != 0)


@inline
def _seek_builder(rules, s, card):
    takers = s.takers[card]
    if takers:
        while s.asked < rules.players:
            seat = _next_seat(rules, s)
            if takers >> seat & 1 and _most_parts(rules, s, seat, card - FARMER) > 0:
                s.turn = seat
                return True
    return False


@jit
def _buy(rules, s, seat, part, count):
    _charge(rules, s, seat, count * part_price(rules, s, seat, part))
    s.parts[seat, part] += count
    s.bought[part] += count
    s.dear_bought += count * s.dear


@inline
def _least_twos(s, seat, price):
    """The twos of the exact payment with the most ones; too many for the price if there is no exact one."""
    ones = min(np.int64(s.purse[seat, 0]), price)
    return (price - ones + 1) // 2


@inline
def _most_twos(s, seat, price):
    return min(np.int64(s.purse[seat, 1]), price // 2)


@jit
def _charge(rules, s, seat, price):
    """G9: take a price; where it is the player's choice and there is one, he is asked for the coins (PAY)."""
    least, most = _least_twos(s, seat, price), _most_twos(s, seat, price)
    if least > most:  # an odd price and not a single one: change, or it is overpaid
        _hand_over(s, seat, -np.int64(rules.change != OVERPAY and s.bag[0] > 0), (price + 1) // 2)
    elif rules.payment == CHOSEN and least < most:
        s.due = price
        s.resume = s.phase
        s.phase = PAY
    else:
        twos = most if rules.payment == TWOS_FIRST else least
        _hand_over(s, seat, price - 2 * twos, twos)


@inline
def _hand_over(s, seat, ones, twos):
    s.purse[seat, 0] -= ones
    s.purse[seat, 1] -= twos
    s.bag[0] += ones
    s.bag[1] += twos


# Card 4: the Black Knight


@jit
def _open_raid(rules, s, chance):
    """G8: find the knight who acts; two fight for it, three and more all go to the dungeon."""
    s.raider = s.victim = NONE
    s.face = 0
    for seat in range(rules.players):
        s.dice[seat] = 0
    knights = s.takers[KNIGHT]
    s.phase = SHARE_TAX
    if knights == 0:
        return False
    jump(chance, DICE, s.rounds)
    if _is_one(knights):
        s.raider = _first_seat(knights)
    else:
        first = _first_seat(knights)
        second = _first_seat(knights & ~(1 << first))
        if knights == 1 << first | 1 << second:
            s.duels += 1
            s.dice[first] = die(chance, 6)
            s.dice[second] = die(chance, 6)
            if s.dice[first] != s.dice[second]:
                s.raider = first if s.dice[first] > s.dice[second] else second
        for seat in range(rules.players):
            if knights >> seat & 1 and seat != s.raider and not s.pardoned >> seat & 1:
                s.jailed |= 1 << seat
                s.jailings += 1
    if s.raider == NONE:
        return False
    s.phase = RAID
    s.turn = s.raider
    return True


@jit
def _act_as_knight(rules, s, seat, what, chance):
    s.phase = SHARE_TAX
    if what < AT_SEAT:
        s.loots += 1
        for field in range(2):
            if what in (field, LOOT_BOTH):
                twos = s.lying[field, 1]
                s.lying[field, 1] = 0
                _gain(s, seat, 1, twos)
                s.looted += 2 * twos
        return
    s.victim = what - AT_SEAT
    s.raids += 1
    if _playable(s, s.victim) >> GUARD_LETTER & 1:
        s.phase = GUARD
        s.turn = s.victim
    else:
        _roll_raid(rules, s, chance)


@jit
def _roll_raid(rules, s, chance):
    """G8: the special die takes all the victim's money, or a part of his castle, or nothing."""
    s.phase = SHARE_TAX
    raider, victim = s.raider, s.victim
    bags, castles, blanks = rules.special_die[0], rules.special_die[1], rules.special_die[2]
    face = die(chance, bags + castles + blanks) if bags + castles + blanks > 0 else 1
    s.face = BAG_FACE if face <= bags else CASTLE_FACE if face <= bags + castles else BLANK_FACE
    if s.face == BAG_FACE:
        s.raids_on_money += 1
        s.raided += money(s, victim)
        for kind in range(2):
            coins = s.purse[victim, kind]
            s.purse[victim, kind] = 0
            _gain(s, raider, kind, coins)
    elif s.face == CASTLE_FACE:
        wall, tower = _can_take(rules, s, 0), _can_take(rules, s, 1)
        if wall and tower:
            s.phase = PART
            s.turn = raider
        elif wall or tower:
            _take_part(rules, s, 0 if wall else 1)


@inline
def _can_take(rules, s, part):
    usable = rules.raid_part == ANY_PART or s.parts[s.raider, part] < rules.castle
    return s.parts[s.victim, part] > 0 and usable


@jit
def _take_part(rules, s, part):
    s.parts[s.victim, part] -= 1
    s.parts[s.raider, part] += s.parts[s.raider, part] < rules.castle  # else it goes back to the box
    s.raids_on_parts += 1
    s.phase = SHARE_TAX


# Cards 5 and 6, and the end of a round


@inline
def _share_out(rules, s, field, takers):
    """G8: each kind of coin is divided evenly among the takers; the rest stays (G10)."""
    n = 0
    for seat in range(rules.players):
        n += takers >> seat & 1
    for kind in range(2):
        each = s.shared[field, kind] = s.lying[field, kind] // n if n > 0 else 0
        s.lying[field, kind] -= n * each
        for seat in range(rules.players):
            if takers >> seat & 1:
                _gain(s, seat, kind, each)


@jit
def _close_round(rules, s, chance):
    """G11: castles that are complete win; else the next round opens, or the game is stopped (G14)."""
    complete, best, n_best, n_complete = 0, -1, 0, 0
    for seat in range(rules.players):
        if s.rounds <= CHECKPOINTS:
            s.course[s.rounds - 1, seat] = s.parts[seat, 0] + s.parts[seat, 1]
        if s.parts[seat, 0] == rules.castle and s.parts[seat, 1] == rules.castle:
            n_complete += 1
            purse = money(s, seat)
            if purse > best:
                best, complete, n_best = purse, 0, 0
            if purse == best:
                complete |= 1 << seat
                n_best += 1
    if complete:
        s.tie_break = np.int64(n_complete > n_best)
        for seat in range(rules.players):
            s.share[seat] = WHOLE_WIN // n_best * (complete >> seat & 1)
        s.phase = OVER
    elif s.rounds >= rules.max_rounds:
        s.unfinished = 1
        s.phase = OVER
    else:
        _open_round(rules, s, chance)


@verbs.redeal.of(RULES)
def redeal(rules, s, seat, chance):
    """Shuffle picks that are not turned up, red documents laid down, and the hands with the stack."""
    for other in range(rules.players):
        if other == seat:
            continue
        if s.picks[other] and not s.turned_up:
            pair = below(chance, DEAL, N_PAIRS)
            while _jailed_at_picks(rules, s) >> other & 1 and rules.pair_mask[pair] >> KNIGHT & 1:
                pair = below(chance, DEAL, N_PAIRS)
            s.picks[other] = rules.pair_mask[pair]
        for kind in range(N_KINDS):
            s.stack[kind] += s.hand[other, kind]
    for other in range(rules.players):
        if other == seat:
            continue
        cards = 0
        for kind in range(N_KINDS):
            cards += s.hand[other, kind]
            s.hand[other, kind] = 0
        s.held[other] = 0
        for _ in range(cards):
            kind = _draw_hidden(s, chance)
            s.hand[other, kind] += 1
            s.held[other] |= 1 << kind
        if s.sealed[other]:
            s.sealed[other] = _playable(s, other) & RED_SEALS & below(chance, DEAL, RED_SEALS + 1)


@inline
def _jailed_at_picks(rules, s):
    """The seats whose knight was in the dungeon when cards were picked: a pardon may have come since (G7)."""
    return s.jailed if rules.red_timing == BEFORE_CHOICE else s.jailed | s.freed


@verbs.rethink.of(RULES)
def rethink(rules, s, seat, policies, moves, chance):
    """Let the others pick anew, and lay red documents down anew, as long as these lie hidden (G6, G7)."""
    if s.turned_up:
        return
    phase, turn, jailed = s.phase, s.turn, s.jailed
    s.jailed = _jailed_at_picks(rules, s)
    s.phase = PICK
    for other in range(rules.players):
        if other != seat and s.picks[other]:
            s.turn = other
            s.picks[other] = verbs.choose(rules, s, policies[other], moves, legal(rules, s, moves), chance) % KIND
    s.jailed = jailed
    s.phase = phase
    if phase == RED:
        for i in range(s.asked - 1):  # these have decided
            other = s.start + i if s.start + i < rules.players else s.start + i - rules.players
            s.turn = other
            s.sealed[other] = 0
            if other != seat and _playable(s, other) & RED_SEALS:
                s.sealed[other] = verbs.choose(rules, s, policies[other], moves, legal(rules, s, moves), chance) % KIND
    s.turn = turn


@jit
def _draw_hidden(s, chance):
    at = below(chance, DEAL, _stack_left(s))
    kind = 0
    while at >= s.stack[kind]:
        at -= s.stack[kind]
        kind += 1
    s.stack[kind] -= 1
    return kind


@verbs.outcome.of(RULES)
def outcome(rules, s, row):
    last = min(s.rounds, CHECKPOINTS)
    for seat in range(rules.players):
        parts = s.parts[seat, 0] + s.parts[seat, 1]
        row.win[seat] = s.share[seat]
        row.score[seat] = parts
        for c in range(row.course.shape[0]):
            row.course[c, seat] = s.course[c, seat] if c < last else parts
    if s.documents_drawn:
        _fill_documents(rules, s, row)
    counts = row.counts
    counts[0] = s.rounds
    counts[1] = s.bought[0]
    counts[2] = s.bought[1]
    counts[3] = s.dear_bought
    counts[4] = s.turned
    counts[5] = s.clashes
    counts[6] = s.documents_drawn
    counts[7] = s.documents_played
    counts[8] = s.wasted
    counts[9] = s.duels
    counts[10] = s.jailings
    counts[11] = s.ransoms
    counts[12] = s.loots
    counts[13] = s.looted
    counts[14] = s.raids
    counts[15] = s.raids_guarded
    counts[16] = s.raids_on_money
    counts[17] = s.raids_on_parts
    counts[18] = s.raided
    counts[19] = s.tie_break
    counts[20] = s.unfinished


@jit
def _fill_documents(rules, s, row):
    """Which kinds of document each seat drew, and the castle it has."""
    for seat in range(rules.players):
        for kind in range(N_KINDS):
            if s.drawn[seat, kind]:
                row.held[kind, seat] = 1
                row.earned[kind, seat] = s.parts[seat, 0] + s.parts[seat, 1]
