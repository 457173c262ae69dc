"""Ritter's verbs, in the order of the day: training, riding, offers, jousts, evening, the end.

A phase that has a decision left says so in `_seek_…`; when none is left the next phase opens. So
`apply` plays a move and then lets `_advance` run to the next decision.
"""

from __future__ import annotations

import numpy as np

from analyzer.engine import verbs
from analyzer.engine.alias import alias_value
from analyzer.engine.chance import DEAL, DICE, GOLDEN, below, die, jump, mix
from analyzer.engine.jit import inline, jit
from analyzer.engine.tally import WHOLE_WIN
from analyzer.games.ritter.rules import (
    AMONG_STANDING,
    BY_PLAYER,
    DEFENDER_FIRST,
    EVERY_ROUND,
    FALLEN_UNPAID,
    FINAL_TIE_ALL,
    FINAL_TIE_OWNER,
    KO_ATTACKER,
    KO_FEWER_WOUNDS,
    LADIES_COUNT,
    PLAYOFF_FRESH,
    PLAYOFF_SHARE,
    RULES,
    SCOPE_TOURNAMENT,
    TIE_NOBODY,
)
from analyzer.games.ritter.state import (
    CHALLENGE,
    FAVOUR,
    GIVE_UP,
    NAME,
    NONE,
    OFFER,
    OVER,
    PASS,
    PLAYOFF,
    RIDE,
    RIDE_ON,
    SLOTS,
    TRAIN,
    TRAIN_DIE,
    TRAIN_NOTHING,
    YIELD,
)
from analyzer.games.ritter.wounds import N_GUARDS

_KIND = 256
MOUNTED, FOOT = 0, 1
_U32, _U6 = np.uint64(32), np.uint64(6)
FIGHT_ON = -2  # the result of a joust that has none yet


@verbs.deal.of(RULES)
def deal(rules, s, chance):
    n_slots = rules.players * rules.each
    for card in range(rules.knights):
        s.knights[card] = card
    for card in range(rules.lady_cards):
        s.ladies[card] = card
    _deal_cards(s.knights, rules.knights, n_slots, chance)
    if rules.ladies:
        _deal_cards(s.ladies, rules.lady_cards, n_slots, chance)
    for k in range(SLOTS):
        s.premiums[k] = s.lady_premiums[k] = s.trained[k] = s.wounds[k] = s.lamed[k] = 0
        s.contender[k] = s.day_winner[k] = NONE
        s.share[k] = 0
    for k in range(n_slots):
        dress(rules, s, k)
    _clear_day(rules, s)
    s.able = (1 << n_slots) - 1
    s.chips = rules.training_chips
    s.rides = s.offers = s.rejections = s.jousts = s.rounds = s.mounted_wins = 0
    s.yields = s.knockouts = s.no_winner = s.stalled = s.playoff_duels = 0
    s.day = 0
    s.start = NONE
    _open_training(rules, s)
    _advance(rules, s, chance)


@jit
def dress(rules, s, k):
    """Give the knight in a slot what his card says, and how the ladies suit him."""
    card = s.knights[k]
    s.dice[k] = rules.knight_dice[card]
    s.power[k] = rules.knight_power[card]
    for face in range(6):
        s.cover[k, face] = rules.knight_cover[card, face]
    _set_guard(rules, s, k)
    if rules.ladies:
        for lady in range(rules.players * rules.each):
            s.suit[lady, k] = rules.match[card, s.ladies[lady]]


@jit
def arm(rules, s, k, dice, cover):
    """Give the knight in a slot these dice and covers; his wounds count as those of the morning (R26)."""
    s.dice[k] = s.power[k] = dice
    for face in range(6):
        s.cover[k, face] = cover[face]
        s.power[k] += cover[face]
    _set_guard(rules, s, k)
    s.lamed[k] = _lost_dice(rules, s.dice[k], s.wounds[k]) if rules.wounded_attack else 0


@inline
def _lost_dice(rules, dice, wounds):
    loss = 3 if wounds >= 7 else 1 if wounds >= 4 else 0
    return max(0, min(loss, dice - rules.min_dice))


@jit
def _deal_cards(cards, n_cards, n_dealt, chance):
    """Put a random choice of the cards into the first `n_dealt` places (R4)."""
    for i in range(n_dealt):
        j = i + below(chance, DEAL, n_cards - i)
        cards[i], cards[j] = cards[j], cards[i]


@inline
def owner(rules, k):
    """The seat a slot belongs to: slot // each, and each is 1 or 2."""
    return k >> (rules.each - 1)


@inline
def _set_guard(rules, s, k):
    c = s.cover[k]
    s.guard[k, MOUNTED] = rules.guard_of[c[0] * 9 + c[1] * 3 + c[2]]
    s.guard[k, FOOT] = rules.guard_of[c[3] * 9 + c[4] * 3 + c[5]]


@verbs.actor.of(RULES)
def actor(rules, s):
    return NONE if s.phase == OVER else s.turn


@verbs.legal.of(RULES)
def legal(rules, s, moves):
    n = 0
    base = s.phase * _KIND
    if s.phase == TRAIN:
        k = s.knight
        if s.chips > 0:
            for face in range(6):
                if s.cover[k, face] < 2:
                    moves[n] = base + face + 1
                    n += 1
        if s.dice[k] < rules.max_dice:
            moves[n] = base + TRAIN_DIE
            n += 1
        if not rules.training_exact:
            moves[n] = base + TRAIN_NOTHING
            n += 1
    elif s.phase == RIDE:
        able = _own_able(rules, s, s.turn)
        for riders in range(1 << rules.each):
            if riders & ~able == 0:
                moves[n] = base + riders
                n += 1
    elif s.phase == OFFER:
        for lady in range(s.turn * rules.each, (s.turn + 1) * rules.each):
            if s.worn_by[lady] == NONE:
                n = _write_pairs(moves, n, base + lady * 10, s.riding & ~s.offered[lady])
        if rules.offer_pass:
            moves[n] = base + PASS
            n += 1
    elif s.phase == FAVOUR:
        moves[0] = base + s.favour[s.knight]
        moves[1] = base + s.rival
        n = 2
    elif s.phase == CHALLENGE:
        for a in range(s.turn * rules.each, (s.turn + 1) * rules.each):
            if s.standing >> a & 1:
                n = _write_pairs(moves, n, base + a * 10, s.standing & ~_own_mask(rules, s.turn))
    elif s.phase == YIELD:
        moves[0] = base + RIDE_ON
        moves[1] = base + GIVE_UP
        n = 2
    elif s.phase == NAME:
        for k in range(rules.players * rules.each):
            if s.tied >> k & 1:
                moves[n] = base + k
                n += 1
    else:
        for k in range(s.turn * rules.each, (s.turn + 1) * rules.each):
            if s.able >> k & 1:
                moves[n] = base + k
                n += 1
    return n


@inline
def _write_pairs(moves, n, first, slots):
    """Write `first + k` for each slot k of a mask; without a branch, the order being unpredictable."""
    for k in range(SLOTS):
        moves[n] = first + k
        n += slots >> k & 1
    return n


@verbs.apply.of(RULES)
def apply(rules, s, move, chance):
    what = move % _KIND
    if s.phase == TRAIN:
        _train(rules, s, what)
    elif s.phase == RIDE:
        _ride(rules, s, what)
    elif s.phase == OFFER:
        _offer(rules, s, what)
    elif s.phase == FAVOUR:
        _favour(rules, s, what)
    elif s.phase == CHALLENGE:
        _challenge(rules, s, what // 10, what % 10, chance)
    elif s.phase == YIELD:
        _answer(rules, s, what, chance)
    elif s.phase == NAME:
        _pay_day_winner(rules, s, what)
        _close_day(rules, s)
    else:
        s.contender[s.turn] = what
    _advance(rules, s, chance)


@verbs.redeal.of(RULES)
def redeal(rules, s, seat, chance):
    """Everything lies open: cards, wounds, premiums. Nothing is shuffled."""


@jit
def _advance(rules, s, chance):
    """Run to the next decision, or to the end."""
    while True:
        if s.phase == TRAIN:
            if _seek_training(rules, s):
                return
            if s.start == NONE:  # R8: the highest of one die each, ties rolled again: each seat alike
                s.start = below(chance, DEAL, rules.players)
            _open_riding(rules, s)
        elif s.phase == RIDE:
            if _seek_rider(rules, s):
                return
            _open_offers(rules, s)
        elif s.phase == OFFER:
            if _seek_offer(rules, s):
                return
            _open_jousts(rules, s)
        elif s.phase == CHALLENGE:
            if _seek_challenge(rules, s):
                return
            _find_day_winner(rules, s)
        elif s.phase == PLAYOFF:
            if _seek_contender(rules, s):
                return
            _play_off(rules, s, chance)
        else:
            return


# Training


@jit
def _open_training(rules, s):
    s.phase = TRAIN
    s.knight = NONE
    s.points = 0


@jit
def _seek_training(rules, s):
    while True:
        if s.points > 0:
            k = s.knight
            covered = 0
            for face in range(6):
                covered += s.cover[k, face]
            if s.dice[k] < rules.max_dice or (s.chips > 0 and covered < 12):
                s.turn = owner(rules, k)
                return True
        s.knight += 1
        if s.knight == rules.players * rules.each:
            return False
        if s.able >> s.knight & 1:
            # R6 before the first day, R24 on the other mornings
            s.points = rules.training_points if s.day == 0 else rules.training_by_wounds[s.wounds[s.knight]]
        else:
            s.points = 0


@jit
def _train(rules, s, what):
    k = s.knight
    if what == TRAIN_NOTHING:
        s.points = 0
        return
    if what == TRAIN_DIE:
        s.dice[k] += 1
    else:
        s.cover[k, what - 1] += 1
        s.chips -= 1
        _set_guard(rules, s, k)
    s.points -= 1
    s.trained[k] += 1
    s.power[k] += 1


# Riding


@jit
def _open_riding(rules, s):
    s.phase = RIDE
    s.passes = 0
    s.asker = s.start
    if rules.wounded_attack:
        for k in range(rules.players * rules.each):  # R26
            s.lamed[k] = _lost_dice(rules, s.dice[k], s.wounds[k])


@inline
def _own_mask(rules, seat):
    return ((1 << rules.each) - 1) << (seat * rules.each)


@inline
def _own_able(rules, s, seat):
    return (s.able & _own_mask(rules, seat)) >> (seat * rules.each)


@inline
def _left_of(rules, seat):
    return seat + 1 if seat + 1 < rules.players else 0


@jit
def _seek_rider(rules, s):
    while s.passes < rules.players:
        if _own_able(rules, s, s.asker):  # R9: a knight at the limit never rides
            s.turn = s.asker
            return True
        s.passes += 1
        s.asker = _left_of(rules, s.asker)
    return False


@jit
def _ride(rules, s, riders):
    s.riding |= riders << (s.turn * rules.each)
    s.rides += (riders & 1) + (riders >> 1)
    s.passes += 1
    s.asker = _left_of(rules, s.asker)


# Offers


@jit
def _open_offers(rules, s):
    s.phase = OFFER
    s.asker = s.start
    s.passes = 0
    s.bare = s.riding


@jit
def _seek_offer(rules, s):
    if not rules.ladies:
        return False
    while s.bare and s.passes < rules.players:  # R10: round and round until every rider has a lady
        for lady in range(s.asker * rules.each, (s.asker + 1) * rules.each):
            if s.worn_by[lady] == NONE and s.riding & ~s.offered[lady]:
                s.turn = s.asker
                return True
        s.passes += 1
        s.asker = _left_of(rules, s.asker)
    return False


@jit
def _offer(rules, s, what):
    if what == PASS:  # R12
        s.passes += 1
        s.asker = _left_of(rules, s.asker)
        return
    lady, k = what // 10, what % 10
    s.offers += 1
    s.passes = 0
    s.offered[lady] |= 1 << k
    match = s.suit[lady, k]
    if match == s.held[k]:  # R11: exactly equal matches, the owner chooses
        s.knight = k
        s.rival = lady
        s.turn = owner(rules, k)
        s.phase = FAVOUR
        return
    s.rejections += s.favour[k] != NONE
    if match > s.held[k]:
        _give_favour(s, lady, k)
    s.asker = _left_of(rules, s.asker)


@inline
def _give_favour(s, lady, k):
    """Put a lady's favour on a knight; the one he wore goes back."""
    if s.favour[k] != NONE:
        s.worn_by[s.favour[k]] = NONE
    s.favour[k] = lady
    s.held[k] = s.suit[lady, k]
    s.worn_by[lady] = k
    s.bare &= ~(1 << k)


@jit
def _favour(rules, s, lady):
    s.rejections += 1
    if lady == s.rival:
        _give_favour(s, lady, s.knight)
    s.phase = OFFER
    s.asker = _left_of(rules, s.asker)


# Jousts


@jit
def _open_jousts(rules, s):
    s.phase = CHALLENGE
    s.standing = s.riding
    s.asker = s.start


@jit
def _seek_challenge(rules, s):
    if s.standing == 0:
        return False
    while s.standing & _own_mask(rules, s.asker) == 0:  # R13: a player with none is skipped
        s.asker = _left_of(rules, s.asker)
    if s.standing & ~_own_mask(rules, s.asker) == 0:  # R21: all of one player
        return False
    s.turn = s.asker
    return True


@jit
def _challenge(rules, s, attacker, defender, chance):
    meet(s, attacker, defender, s.day, chance)
    s.jousts += 1
    result = ride_at_each_other(rules, s, chance)
    if result == FIGHT_ON:
        if not rules.yield_before_foot:
            result = foot_round(rules, s, chance)
    elif result != NONE:
        s.mounted_wins += 1
    _go_on(rules, s, result)


@jit
def _go_on(rules, s, result):
    """Ask who yields, or end the joust."""
    if result == FIGHT_ON:
        s.phase = YIELD
        s.asked = _first_asked(rules, s)
        s.turn = owner(rules, s.asked)
    else:
        _end_joust(rules, s, result)


@jit
def meet(s, attacker, defender, day, chance):
    """Two knights enter the lists. A pair meets once a day at most: it has its own place in the dice."""
    s.attacker = attacker
    s.defender = defender
    s.bout = s.blank = 0
    jump(chance, DICE, (day * SLOTS + attacker) * SLOTS + defender)


@inline
def draw_attack(rules, n_dice, guard, position):
    """Return the wounds of one attack (R14) that the number at a stream's position picks from the table."""
    row = (n_dice * N_GUARDS + guard) << np.int64(rules.wounds_bits)
    return alias_value(rules.wounds_alias, row, rules.wounds_bits, mix(position))


@inline
def attack(rules, n_dice, guard, cover, part, chance):
    """Return the wounds of one attack (R14), from the table or, with `by_die`, die by die."""
    if rules.by_die:
        return _roll_attack(n_dice, cover, part, chance)
    chance.at[DICE] += GOLDEN
    return draw_attack(rules, n_dice, guard, chance.at[DICE])


@jit
def _roll_attack(n_dice, cover, part, chance):
    hits_1 = hits_2 = hits_3 = 0
    if chance.tape_at < chance.tape_end:
        for _ in range(n_dice):
            face = die(chance, 6) - 3 * part
            hits_1 += face == 1
            hits_2 += face == 2
            hits_3 += face == 3
    else:
        at = chance.at[DICE]
        for _ in range(n_dice):
            at += GOLDEN
            face = np.int64(((mix(at) >> _U32) * _U6) >> _U32) + 1 - 3 * part
            hits_1 += face == 1
            hits_2 += face == 2
            hits_3 += face == 3
        chance.at[DICE] = at
    c = 3 * part
    return max(0, hits_1 - cover[c]) + max(0, hits_2 - cover[c + 1]) + max(0, hits_3 - cover[c + 2])


@inline
def rage_dice(rules, blank_rounds):
    """R16: the extra dice of the round after `blank_rounds` blank ones."""
    if blank_rounds == 1 or (blank_rounds > 1 and rules.enrage == EVERY_ROUND):
        return rules.enrage_dice
    return 0


@inline
def foot_rage(rules, blank_rounds):
    """R16: the extra dice of a round on foot after so many blank ones in a row there."""
    return rage_dice(rules, blank_rounds) if rules.enrage_on_foot else 0


@inline
def mounted_exchange(rules, dice_a, dice_d, guard_a, guard_d, cover_a, cover_d, chance):
    """Ride until somebody is wounded (R14–R16).

    Returns
    -------
    The wounds of attacker and defender (both 0 after `max_rounds` blank rounds) and the rounds ridden.
    """
    rounds = 0
    if rules.by_die:
        while True:
            rage = rage_dice(rules, rounds)
            hurt_d = _roll_attack(dice_a + rage, cover_d, MOUNTED, chance)
            hurt_a = _roll_attack(dice_d + rage, cover_a, MOUNTED, chance)
            rounds += 1
            if hurt_a + hurt_d > 0 or rounds >= rules.max_rounds:
                return hurt_a, hurt_d, rounds
    at, max_rounds = chance.at[DICE], rules.max_rounds  # a local position: the loop keeps it in a register
    while True:
        rage = rage_dice(rules, rounds)
        hurt_d = draw_attack(rules, dice_a + rage, guard_d, at + GOLDEN)
        at += GOLDEN + GOLDEN
        hurt_a = draw_attack(rules, dice_d + rage, guard_a, at)
        rounds += 1
        if hurt_a + hurt_d > 0 or rounds >= max_rounds:
            chance.at[DICE] = at
            return hurt_a, hurt_d, rounds


@jit
def ride_at_each_other(rules, s, chance):
    """Ride the mounted part and return the winner, NONE or FIGHT_ON."""
    a, d = s.attacker, s.defender
    hurt_a, hurt_d, s.bout = mounted_exchange(
        rules,
        s.dice[a] - s.lamed[a],
        s.dice[d] - s.lamed[d],
        s.guard[a, MOUNTED],
        s.guard[d, MOUNTED],
        s.cover[a],
        s.cover[d],
        chance,
    )
    s.wounds[a] += hurt_a
    s.wounds[d] += hurt_d
    if hurt_a > 0 and hurt_d > 0:
        return _judge(rules, s)
    if hurt_d > 0:  # R15: judged before the limit (R19)
        return a
    if hurt_a > 0:
        return d
    s.stalled += 1
    return NONE


@jit
def foot_round(rules, s, chance):
    """Fight a round on foot (R17) and return the winner, NONE or FIGHT_ON."""
    a, d = s.attacker, s.defender
    rage = foot_rage(rules, s.blank)
    hurt_d = attack(rules, s.dice[a] - s.lamed[a] + rage, s.guard[d, FOOT], s.cover[d], FOOT, chance)
    hurt_a = attack(rules, s.dice[d] - s.lamed[d] + rage, s.guard[a, FOOT], s.cover[a], FOOT, chance)
    s.wounds[d] += hurt_d
    s.wounds[a] += hurt_a
    s.blank = min(s.blank + 1, 2) if rules.enrage_on_foot and hurt_a + hurt_d == 0 else 0
    s.bout += 1
    return _judge(rules, s)


@jit
def _judge(rules, s):
    """R19, R20a: who has won between two wounded knights: a slot, NONE, or FIGHT_ON."""
    a, d = s.attacker, s.defender
    out_a, out_d = s.wounds[a] >= rules.wound_limit, s.wounds[d] >= rules.wound_limit
    if out_a and out_d:
        if rules.double_knockout == KO_ATTACKER:
            return a
        if rules.double_knockout == KO_FEWER_WOUNDS and s.wounds[a] != s.wounds[d]:
            return a if s.wounds[a] < s.wounds[d] else d
        return NONE
    if out_a:
        return d
    if out_d:
        return a
    if s.bout >= rules.max_rounds:
        s.stalled += 1
        return NONE
    return FIGHT_ON


@inline
def _first_asked(rules, s):
    return s.defender if rules.yield_order == DEFENDER_FIRST else s.attacker  # R18


@jit
def _answer(rules, s, what, chance):
    """The asked knight yields, or the other is asked, or they fight on (R17, R18)."""
    other = s.defender if s.asked == s.attacker else s.attacker
    if what == GIVE_UP:
        s.yields += 1
        _end_joust(rules, s, other)
    elif s.asked == _first_asked(rules, s):
        s.asked = other
        s.turn = owner(rules, other)
    else:
        _go_on(rules, s, foot_round(rules, s, chance))


@jit
def _end_joust(rules, s, winner):
    """R20: premiums for winner and lady; the loser leaves for the day, without a winner both do."""
    for k in (s.attacker, s.defender):
        if s.wounds[k] >= rules.wound_limit:
            s.able &= ~(1 << k)
            s.standing &= ~(1 << k)
            s.knockouts += 1
        if k != winner:
            s.standing &= ~(1 << k)
    if winner == NONE:
        s.no_winner += 1
    else:
        s.premiums[winner] += 1
        s.day_premiums[winner] += 1
        lady = s.favour[winner]
        if lady != NONE:
            s.lady_premiums[lady] += 1
            s.day_lady_premiums[lady] += 1
    s.rounds += s.bout
    s.phase = CHALLENGE
    s.asker = _left_of(rules, owner(rules, s.attacker))


# Evening and night


@jit
def _find_day_winner(rules, s):
    """R22: pay the day's winner, or let a player name him among his own, and close the day."""
    s.tied = best_of_day(rules, s)
    first = NONE
    one_owner = True
    for k in range(rules.players * rules.each):
        if s.tied >> k & 1:
            if first == NONE:
                first = k
            one_owner &= owner(rules, k) == owner(rules, first)
    several = s.tied & (s.tied - 1) != 0
    if first == NONE or not one_owner or (several and rules.day_tie_same_owner == TIE_NOBODY):
        _close_day(rules, s)
    elif several:
        s.phase = NAME
        s.turn = owner(rules, first)
    else:
        _pay_day_winner(rules, s, first)
        _close_day(rules, s)


@jit
def best_of_day(rules, s):
    """R22: return the set of knights among whom the day's winner is; nobody wins a day without a joust won."""
    n_slots = rules.players * rules.each
    premiums = s.premiums if rules.day_winner_scope == SCOPE_TOURNAMENT else s.day_premiums
    lady_premiums = s.lady_premiums if rules.day_winner_scope == SCOPE_TOURNAMENT else s.day_lady_premiums
    among = np.int64(s.standing) if rules.day_winner_among == AMONG_STANDING else (1 << n_slots) - 1
    least = 1  # a knight without a premium wins only as the best of the player who has won
    if rules.day_winner == BY_PLAYER:
        least = 0
        best, leader = 0, NONE
        for seat in range(rules.players):
            total = 0
            for k in range(seat * rules.each, (seat + 1) * rules.each):
                if among >> k & 1:
                    total += premiums[k]
                if rules.day_player_counts == LADIES_COUNT:
                    total += lady_premiums[k]
            if total == best:
                leader = NONE
            elif total > best:
                best, leader = total, seat
        among &= _own_mask(rules, leader) if leader != NONE else 0
    jousts_won, best, tied = 0, least, 0
    for k in range(n_slots):
        jousts_won += s.day_premiums[k]
        if among >> k & 1:
            if premiums[k] > best:
                best = premiums[k]
                tied = 0
            if premiums[k] == best:
                tied |= 1 << k
    return tied if jousts_won > 0 else 0


@jit
def _pay_day_winner(rules, s, k):
    bonus = rules.day_bonus[s.day]
    s.day_winner[s.day] = k
    s.premiums[k] += bonus
    # R22: the lady of a winner who has fallen, as the option says
    if s.favour[k] != NONE and (s.standing >> k & 1 or rules.fallen_lady != FALLEN_UNPAID):
        s.lady_premiums[s.favour[k]] += bonus


@jit
def _close_day(rules, s):
    """Write the scores down; then the night and the next morning (R23, R24), or the end."""
    for seat in range(rules.players):
        s.course[s.day, seat] = _score(rules, s, seat)
    if s.day + 1 == rules.days:
        _close_tournament(rules, s)
        return
    for k in range(rules.players * rules.each):
        if s.able >> k & 1:
            healed = rules.night_recovery
            if not s.riding >> k & 1:
                healed += rules.rest_recovery
            s.wounds[k] = max(0, s.wounds[k] - healed)
    _clear_day(rules, s)
    s.day += 1
    s.start = _left_of(rules, s.start)  # R8
    _open_training(rules, s)


@jit
def _clear_day(rules, s):
    """The lists are empty, the favours back with the ladies (R23)."""
    s.riding = s.standing = s.bare = 0
    for k in range(rules.players * rules.each):
        s.favour[k] = s.held[k] = s.worn_by[k] = NONE
        s.lamed[k] = 0  # R26: of the day that is over
        s.offered[k] = s.day_premiums[k] = s.day_lady_premiums[k] = 0


@jit
def _score(rules, s, seat):
    total = 0
    for k in range(seat * rules.each, (seat + 1) * rules.each):
        total += s.premiums[k] + s.lady_premiums[k]
    return total


# The end of the tournament


@jit
def _close_tournament(rules, s):
    _final_bonus(rules, s.premiums, rules.players * rules.each)
    _final_bonus(rules, s.lady_premiums, rules.players * rules.each)
    best = -1
    s.tied = 0
    for seat in range(rules.players):  # R28
        total = _score(rules, s, seat)
        if total > best:
            best = total
            s.tied = 0
        if total == best:
            s.tied |= 1 << seat
    s.asker = 0
    s.phase = PLAYOFF
    if rules.playoff == PLAYOFF_SHARE or s.tied & (s.tied - 1) == 0:
        _share_win(rules, s, s.tied)


@jit
def _final_bonus(rules, premiums, n_slots):
    """R27 for the knights or for the ladies; nobody without a premium is honoured."""
    best = 0
    for k in range(n_slots):
        best = max(best, premiums[k])
    if best == 0:
        return
    n_tied, first, one_owner = 0, NONE, True
    for k in range(n_slots):
        if premiums[k] == best:
            n_tied += 1
            if first == NONE:
                first = k
            one_owner &= owner(rules, k) == owner(rules, first)
    if n_tied == 1 or (rules.final_bonus_tie == FINAL_TIE_OWNER and one_owner):
        premiums[first] += rules.final_bonus
    elif rules.final_bonus_tie == FINAL_TIE_ALL:
        for k in range(n_slots):
            if premiums[k] == best:
                premiums[k] += rules.final_bonus


@jit
def _share_win(rules, s, seats):
    n = 0
    for seat in range(rules.players):
        n += seats >> seat & 1
    for seat in range(rules.players):
        if seats >> seat & 1:
            s.share[seat] = WHOLE_WIN // n
    s.phase = OVER


@jit
def _seek_contender(rules, s):
    """R29: each tied player with a choice picks a knight that can still ride."""
    while s.asker < rules.players:
        able = _own_able(rules, s, s.asker)
        if s.tied >> s.asker & 1 and able and s.contender[s.asker] == NONE:
            if able & (able - 1):
                s.turn = s.asker
                return True
            s.contender[s.asker] = s.asker * rules.each + (able >> 1)
        s.asker += 1
    return False


@jit
def _play_off(rules, s, chance):
    """R29: duels in seat order without yielding, the winner meeting the next."""
    unbeaten = 0
    for seat in range(rules.players):
        if s.contender[seat] != NONE:
            unbeaten |= 1 << seat
    if unbeaten == 0:
        unbeaten = s.tied
    champion = NONE
    for seat in range(rules.players):
        if s.contender[seat] == NONE:
            continue
        if champion == NONE:
            champion = seat
            continue
        winner = _duel(rules, s, s.contender[champion], s.contender[seat], chance)
        if winner == NONE:
            break  # those not beaten yet share the win
        loser = seat if winner == s.contender[champion] else champion
        unbeaten &= ~(1 << loser)
        champion = champion + seat - loser
    _share_win(rules, s, unbeaten)


@jit
def _duel(rules, s, attacker, defender, chance):
    """One duel of the play-off; returns the winner's slot or NONE."""
    if rules.playoff_wounds == PLAYOFF_FRESH:
        s.wounds[attacker] = s.wounds[defender] = 0
        s.lamed[attacker] = s.lamed[defender] = 0  # R26: who is unhurt misses no dice
    if s.wounds[attacker] >= rules.wound_limit:
        return defender  # he won the last duel by `double_knockout` and cannot ride on
    s.playoff_duels += 1
    meet(s, attacker, defender, rules.days, chance)
    result = ride_at_each_other(rules, s, chance)
    while result == FIGHT_ON:
        result = foot_round(rules, s, chance)
    s.rounds += s.bout
    return result


@verbs.outcome.of(RULES)
def outcome(rules, s, row):
    n_knights = rules.knights
    row.first[0] = (s.start - s.day) % rules.players  # R8: who began on day 1
    for seat in range(rules.players):
        row.win[seat] = s.share[seat]
        row.score[seat] = _score(rules, s, seat)
        for day in range(rules.days):
            row.course[day, seat] = s.course[day, seat]
    for k in range(rules.players * rules.each):
        knight, seat = s.knights[k], owner(rules, k)
        row.held[knight, seat] = 1
        row.earned[knight, seat] = s.premiums[k]
        if rules.ladies:
            lady = n_knights + s.ladies[k]
            row.held[lady, seat] = 1
            row.earned[lady, seat] = s.lady_premiums[k]
    won = 0
    points = 0
    for day in range(rules.days):
        won += s.day_winner[day] != NONE
    for k in range(rules.players * rules.each):
        points += s.trained[k]
    counts = row.counts
    counts[0] = s.jousts
    counts[1] = s.rides
    counts[2] = points
    counts[3] = s.offers
    counts[4] = s.rejections
    counts[5] = s.rounds
    counts[6] = s.mounted_wins
    counts[7] = s.yields
    counts[8] = s.knockouts
    counts[9] = s.no_winner
    counts[10] = s.stalled
    counts[11] = won
    counts[12] = s.playoff_duels > 0
    counts[13] = s.chips == 0
