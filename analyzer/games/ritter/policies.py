"""How Ritter is played: one parametric player, and the named sets of his parameters.

Each decision scores the legal moves with weights from the policy's record. Everything on the table is
open, so there is nothing a policy must not see.
"""

from __future__ import annotations

import numpy as np

from analyzer.engine import verbs
from analyzer.engine.chance import WHIM, below
from analyzer.engine.game import Option, Policy, search_parameters
from analyzer.engine.jit import inline, jit, record_type
from analyzer.games.ritter.kernel import FOOT, MOUNTED, owner
from analyzer.games.ritter.rules import RULES
from analyzer.games.ritter.state import (
    CHALLENGE,
    FAVOUR,
    GIVE_UP,
    NAME,
    NONE,
    OFFER,
    RIDE,
    RIDE_ON,
    SLOTS,
    TRAIN,
    TRAIN_DIE,
    TRAIN_NOTHING,
    YIELD,
)

_KIND = 256
_PLAN = ("dice", "1", "2", "3", "4", "5", "6", "mounted", "foot", "odds")
_DICE, _MOUNTED, _FOOT, _ODDS = 0, 7, 8, 9
_MOST_PLAN = 20
_NEVER = 1 << 30  # more than any refusal
_NO_OFFER = -(1 << 40)
_REFUSED = 100_000  # more than any sum of weights

PARAMETERS = (
    Option("whim", 0, "percent of decisions taken at random", low=0, high=100),
    Option(
        "train",
        ("mounted", "mounted", "dice"),
        "what the training points go to, in this order, over and over; what is full is passed over. "
        "`mounted` and `foot` cover the barest such face, `odds` takes what helps most against the rivals",
        choices=_PLAN,
        most=_MOST_PLAN,
    ),
    Option("ride_wounds", 6, "a knight with more wounds than this rests", low=0, high=60),
    Option("ride_last_day", True, "on the last day every knight who can rides"),
    Option("offer_own", 4, "weight of offering to an own knight", low=-100, high=100),
    Option(
        "offer_strength",
        1,
        "weight of a point of the knight's strength (dice, covers, less his wounds)",
        low=-100,
        high=100,
    ),
    Option("offer_match", 2, "weight of each match, which makes the favour hard to displace", low=-100, high=100),
    Option("offer_block", 0, "weight of displacing another player's lady", low=-100, high=100),
    Option("challenge_weak", 1, "weight of a point by which one's own knight is the stronger", low=-100, high=100),
    Option("challenge_wounded", 0, "weight of each wound of the challenged", low=-100, high=100),
    Option("challenge_leader", 0, "weight of each premium of the challenged knight's owner", low=-100, high=100),
    Option("challenge_odds", 0, "weight of a tenth of win odds of the joust", low=-100, high=100),
    Option("yield_at", 7, "yields with this many wounds or more", low=0, high=60, words={"never": 127}),
    Option("yield_behind", -60, "… only if his wounds exceed the other's by at least this", low=-60, high=60),
    Option("yield_odds", 0, "yields when his odds on foot, in percent, fall below this", low=0, high=100),
    Option("fight_last_day", False, "never yields on the last day"),
)


POLICIES = (
    Policy("random", "Takes any legal move, each as likely as the next.", {"whim": 100}),
    Policy(
        "rulebook",
        "Follows the rulebook's tips: covers the mounted fields first, challenges the weak, yields when badly hurt.",
        {},
    ),
    Policy("attacker", "Puts every training point into dice.", {"train": ["dice"]}),
    Policy(
        "wall", "Covers field after field, two mounted for each on foot.", {"train": ["mounted", "mounted", "foot"]}
    ),
    Policy("balanced", "Trains dice and mounted covers in turn.", {"train": ["dice", "mounted"]}),
    Policy(
        "cautious",
        "Rests knights with more than 2 wounds and yields at 4.",
        {"ride_wounds": 2, "yield_at": 4},
    ),
    Policy(
        "bold",
        "Rides whenever it can, challenges the leader's knights and never yields.",
        {
            "ride_wounds": 60,
            "challenge_weak": 0,
            "challenge_leader": 1,
            "yield_at": "never",
            "train": ["dice", "mounted"],
        },
    ),
    Policy(
        "calculating",
        "Trains, challenges and yields by the odds of the jousts ahead.",
        {
            "train": ["odds"],
            "challenge_weak": 0,
            "challenge_odds": 10,
            "challenge_leader": 1,
            "offer_strength": 2,
            "yield_odds": 35,
            "yield_at": "never",
            "fight_last_day": True,
        },
    ),
)

PARAMETERS = (*PARAMETERS, *search_parameters(POLICIES))
POLICY = record_type([(p.key, np.int16, p.most) if p.most else (p.key, np.int16) for p in PARAMETERS])


@verbs.choose.of(RULES)
def choose(rules, s, policy, moves, n_moves, chance):
    if n_moves == 1:
        return moves[0]
    if policy.whim > 0 and (policy.whim >= 100 or below(chance, WHIM, 100) < policy.whim):
        return moves[below(chance, WHIM, n_moves)]
    if s.phase == YIELD:
        return YIELD * _KIND + (GIVE_UP if _yields(rules, s, policy) else RIDE_ON)
    if s.phase == OFFER:
        return _best_offer(rules, s, policy, moves, n_moves)
    if s.phase == TRAIN:
        return TRAIN * _KIND + _training(rules, s, policy, moves, n_moves)
    if s.phase == CHALLENGE:
        return _best_challenge(rules, s, policy, moves, n_moves)
    if s.phase == RIDE:
        return RIDE * _KIND + _riders(rules, s, policy)
    if s.phase == FAVOUR:
        return _dearer_lady(rules, s, moves)
    if s.phase == NAME:
        return _own_lady_first(rules, s, moves, n_moves)
    return _strongest(rules, s, moves, n_moves)


@inline
def _strength(s, k):
    """The rulebook's measure: dice and covers, less the wounds."""
    return s.power[k] - s.wounds[k]


@jit
def _training(rules, s, policy, moves, n_moves):
    k = s.knight
    length = 0
    while length < _MOST_PLAN and policy.train[length] >= 0:
        length += 1
    at = s.trained[k] % length
    for _ in range(length):
        item = policy.train[at]
        at = at + 1 if at + 1 < length else 0
        if item == _DICE:
            if s.dice[k] < rules.max_dice:
                return TRAIN_DIE
        elif item == _ODDS:
            return _training_by_odds(rules, s, k)
        elif s.chips > 0:
            if item == _MOUNTED:
                face = _barest(s, k, 0)
            elif item == _FOOT:
                face = _barest(s, k, 3)
            else:
                face = item - 1
            if s.cover[k, face] < 2:
                return face + 1
    return moves[n_moves - 1] % _KIND  # nothing, or with `training_exact` what is left


@inline
def _barest(s, k, first):
    face = first
    for other in range(first + 1, first + 3):
        if s.cover[k, other] < s.cover[k, face]:
            face = other
    return face


@jit
def _training_by_odds(rules, s, k):
    """Try a die and a cover on the barest face of each kind; keep what raises the odds most."""
    best, best_odds = TRAIN_NOTHING, -1.0
    if s.dice[k] < rules.max_dice:
        s.dice[k] += 1
        best, best_odds = TRAIN_DIE, _field_odds(rules, s, k)
        s.dice[k] -= 1
    if s.chips > 0:
        for part in range(2):
            old = s.guard[k, part]
            tried = 0
            for face in range(3 * part, 3 * part + 3):
                cover = s.cover[k, face]
                # faces with equal covers are alike: one of them will do
                if cover < 2 and not tried >> cover & 1:
                    tried |= 1 << cover
                    s.cover[k, face] += 1
                    c = s.cover[k]
                    s.guard[k, part] = rules.guard_of[c[3 * part] * 9 + c[3 * part + 1] * 3 + c[3 * part + 2]]
                    odds = _field_odds(rules, s, k)
                    s.cover[k, face] -= 1
                    if odds > best_odds:
                        best, best_odds = face + 1, odds
            s.guard[k, part] = old
    return best


@jit
def _field_odds(rules, s, k):
    """The mean odds of a knight against every knight of the other players."""
    total = 0.0
    for d in range(rules.players * rules.each):
        if s.able >> d & 1 and owner(rules, d) != owner(rules, k):
            total += _joust_odds(rules, s, k, d)
    return total


@jit
def _joust_odds(rules, s, a, d):
    """The odds that `a` beats `d`: exact for the mounted part, a race of wounds for the part on foot."""
    dice_a, dice_d = s.dice[a] - s.lamed[a], s.dice[d] - s.lamed[d]
    hit_d = rules.hit[dice_a, s.guard[d, MOUNTED]]
    hit_a = rules.hit[dice_d, s.guard[a, MOUNTED]]
    decided = 1.0 - (1.0 - hit_d) * (1.0 - hit_a)
    if decided <= 0.0:
        return 0.0
    return (hit_d * (1.0 - hit_a) + hit_d * hit_a * _foot_odds(rules, s, a, d)) / decided


@jit
def _foot_odds(rules, s, a, d):
    """Odds on foot from how many rounds each would last, squared to sharpen the difference."""
    lasts_a = _rounds_left(rules, s, a, d)
    lasts_d = _rounds_left(rules, s, d, a)
    return lasts_a * lasts_a / (lasts_a * lasts_a + lasts_d * lasts_d)


@inline
def _rounds_left(rules, s, k, other):
    return (rules.wound_limit - s.wounds[k]) / max(0.01, rules.harm[s.dice[other] - s.lamed[other], s.guard[k, FOOT]])


@jit
def _riders(rules, s, policy):
    riders = 0
    for i in range(rules.each):
        k = s.turn * rules.each + i
        if s.able >> k & 1:
            last_day = policy.ride_last_day and s.day + 1 == rules.days
            if last_day or s.wounds[k] <= policy.ride_wounds:
                riders |= 1 << i
    return riders


@jit
def _best_offer(rules, s, policy, moves, n_moves):
    """The offer of most worth; written without branches, for none of them could be predicted."""
    first = s.turn * rules.each
    own = ((1 << rules.each) - 1) << first
    own_ladies = 0  # knights who wear an own lady's favour
    for lady in range(first, first + rules.each):
        own_ladies |= (1 << (s.worn_by[lady] + 1)) >> 1
    blocked = s.riding & ~s.bare & ~own_ladies
    w_strength, w_match = np.int64(policy.offer_strength), np.int64(policy.offer_match)
    w_own, w_block = np.int64(policy.offer_own), np.int64(policy.offer_block)
    best = _NO_OFFER
    for lady in range(first, first + rules.each):
        if s.worn_by[lady] != NONE:
            continue
        targets = s.riding & ~s.offered[lady]
        suit = s.suit[lady]
        for k in range(SLOTS):
            match = np.int64(suit[k])
            value = w_strength * _strength(s, k) + w_match * (match >> 3)
            value += w_own * (own >> k & 1) + w_block * (blocked >> k & 1)
            # to be refused, or to push out one's own lady: only if nothing else is left
            value -= _REFUSED * ((match < s.held[k]) | (own_ladies >> k & 1))
            value -= _NEVER * (~targets >> k & 1)
            best = max(best, value * 128 - (lady * 10 + k))  # the first of equals
    if best <= -_NEVER * 64:
        return moves[n_moves - 1]  # a pass, where one is allowed
    return OFFER * _KIND + (-best & 127)


@jit
def _dearer_lady(rules, s, moves):
    """Between equal ladies: an own one, else the one whose player has fewer premiums."""
    holder, rival = owner(rules, s.favour[s.knight]), owner(rules, s.rival)
    if holder == s.turn:
        return moves[0]
    if rival == s.turn:
        return moves[1]
    return moves[1] if _premiums_of(rules, s, rival) < _premiums_of(rules, s, holder) else moves[0]


@jit
def _premiums_of(rules, s, seat):
    total = 0
    for k in range(seat * rules.each, (seat + 1) * rules.each):
        total += s.premiums[k] + s.lady_premiums[k]
    return total


@jit
def _best_challenge(rules, s, policy, moves, n_moves):
    best, best_value = moves[0], -1e9
    for i in range(n_moves):
        a, d = moves[i] % _KIND // 10, moves[i] % _KIND % 10
        weight = policy.challenge_weak * (_strength(s, a) - _strength(s, d))
        weight += policy.challenge_wounded * s.wounds[d]
        if policy.challenge_leader:
            weight += policy.challenge_leader * _premiums_of(rules, s, owner(rules, d))
        value = float(weight)
        if policy.challenge_odds:
            value += policy.challenge_odds * 10.0 * _joust_odds(rules, s, a, d)
        if value > best_value:
            best, best_value = moves[i], value
    return best


@jit
def _yields(rules, s, policy):
    if policy.fight_last_day and s.day + 1 == rules.days:
        return False
    k = s.asked
    other = s.defender if k == s.attacker else s.attacker
    if s.wounds[k] >= policy.yield_at and s.wounds[k] - s.wounds[other] >= policy.yield_behind:
        return True
    return policy.yield_odds > 0 and 100.0 * _foot_odds(rules, s, k, other) < policy.yield_odds


@jit
def _own_lady_first(rules, s, moves, n_moves):
    """Name the knight who wears an own favour: his bonus counts twice."""
    for i in range(n_moves):
        lady = s.favour[moves[i] % _KIND]
        if lady != NONE and owner(rules, lady) == s.turn:
            return moves[i]
    return moves[0]


@jit
def _strongest(rules, s, moves, n_moves):
    best = moves[0]
    for i in range(1, n_moves):
        if _strength(s, moves[i] % _KIND) > _strength(s, best % _KIND):
            best = moves[i]
    return best
