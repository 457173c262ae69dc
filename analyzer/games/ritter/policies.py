"""How Ritter is played: one parametric player, and the named sets of his parameters.

Each decision scores the legal moves with weights from the policy's record, and equals are told apart by
lot: no place at the table and no face of a die may gain by the order of scanning. Everything on the table
is open, so there is nothing a policy must not see; no decision writes to the state.
"""

from __future__ import annotations

import numpy as np

from analyzer.engine import verbs
from analyzer.engine.chance import WHIM, beats, below, draw, lot
from analyzer.engine.game import Option, Policy, search_parameters
from analyzer.engine.jit import inline, jit, record_type
from analyzer.games.ritter.kernel import FOOT, MOUNTED, owner
from analyzer.games.ritter.rules import RULES
from analyzer.games.ritter.state import (
    CHALLENGE,
    FAVOUR,
    GIVE_UP,
    KIND,
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

_PLAN = ("dice", "1", "2", "3", "4", "5", "6", "mounted", "foot", "odds")
_DICE, _MOUNTED, _FOOT, _ODDS = 0, 7, 8, 9
_MOST_PLAN = 20
_NEVER = 1 << 30  # more than any refusal
_NO_OFFER = -(1 << 60)
_REFUSED = 100_000  # more than any sum of weights

PARAMETERS: tuple[Option, ...] = (
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
        return YIELD * KIND + (GIVE_UP if _yields(rules, s, policy) else RIDE_ON)
    if s.phase == OFFER:
        return _best_offer(rules, s, policy, moves, n_moves, chance)
    if s.phase == TRAIN:
        return TRAIN * KIND + _training(rules, s, policy, moves, n_moves, chance)
    if s.phase == CHALLENGE:
        return _best_challenge(rules, s, policy, moves, n_moves, chance)
    if s.phase == RIDE:
        return RIDE * KIND + _riders(rules, s, policy)
    if s.phase == FAVOUR:
        return _dearer_lady(rules, s, moves, chance)
    if s.phase == NAME:
        return _own_lady_first(rules, s, moves, n_moves, chance)
    return _strongest(s, moves, n_moves, chance)


@jit
def yield_chance(rules, s, policy):
    """Return the chance that a policy yields when it is asked (R17)."""
    whim = min(max(policy.whim, 0), 100) / 100.0
    return whim / 2.0 + (1.0 - whim) * (1.0 if _yields(rules, s, policy) else 0.0)


@inline
def _strength(s, k):
    """The rulebook's measure: dice and covers, less the wounds."""
    return s.power[k] - s.wounds[k]


@jit
def _training(rules, s, policy, moves, n_moves, chance):
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
            return _training_by_odds(rules, s, k, chance)
        elif s.chips > 0:
            if item == _MOUNTED:
                face = barest(s.cover[k], MOUNTED, chance)
            elif item == _FOOT:
                face = barest(s.cover[k], FOOT, chance)
            else:
                face = item - 1
            if face >= 0 and s.cover[k, face] < 2:
                return face + 1
    return moves[n_moves - 1] % KIND  # nothing, or with `training_exact` what is left


@jit
def barest(cover, part, chance):
    """Return the face (from 0) of a part, mounted or on foot, with the fewest covers; -1 if all are full."""
    face, fewest, n_equal = np.int64(-1), np.int64(99), 0
    for other in range(3 * part, 3 * part + 3):
        if cover[other] < 2:
            takes, n_equal = beats(chance, -np.int64(cover[other]), -fewest, n_equal)
            if takes:
                face, fewest = np.int64(other), np.int64(cover[other])
    return face


@jit
def _training_by_odds(rules, s, k, chance):
    """Weigh a die and a cover on each face with room; keep what raises the odds most."""
    best, best_odds, n_equal = TRAIN_NOTHING, -1.0, 0
    dice, mounted, foot = np.int64(s.dice[k]), np.int64(s.guard[k, MOUNTED]), np.int64(s.guard[k, FOOT])
    if dice < rules.max_dice:
        odds = _field_odds(rules, s, k, dice + 1, mounted, foot)
        takes, n_equal = beats(chance, odds, best_odds, n_equal)
        best, best_odds = TRAIN_DIE, odds
    if s.chips > 0:
        known = np.full((2, 2), -1.0)  # [part, covers]: the faces of a part with equal covers are alike
        for face in range(6):
            part, cover = face // 3, s.cover[k, face]
            if cover < 2:
                if known[part, cover] < 0.0:
                    guard = _guard_with(rules, s.cover[k], face)
                    known[part, cover] = _field_odds(
                        rules, s, k, dice, guard if part == MOUNTED else mounted, guard if part == FOOT else foot
                    )
                takes, n_equal = beats(chance, known[part, cover], best_odds, n_equal)
                if takes:
                    best, best_odds = face + 1, known[part, cover]
    return best


@inline
def _guard_with(rules, cover, face):
    """The guard number of a part with one cover more on `face`."""
    c = face // 3 * 3
    added = 9 if face == c else 3 if face == c + 1 else 1
    return np.int64(rules.guard_of[cover[c] * 9 + cover[c + 1] * 3 + cover[c + 2] + added])


@jit
def _field_odds(rules, s, k, dice, mounted, foot):
    """The mean odds of a knight, with these dice and guards, against every knight of the other players."""
    total = 0.0
    for d in range(rules.players * rules.each):
        if s.able >> d & 1 and owner(rules, d) != owner(rules, k):
            total += _odds_with(rules, s, k, dice - s.lamed[k], mounted, foot, d)
    return total


@jit
def _joust_odds(rules, s, a, d):
    """The odds that `a` beats `d`, as they are."""
    return _odds_with(rules, s, a, s.dice[a] - s.lamed[a], s.guard[a, MOUNTED], s.guard[a, FOOT], d)


@jit
def _odds_with(rules, s, a, dice_a, mounted_a, foot_a, d):
    """The odds that `a`, were he so, beats `d`: exact for the mounted part, a race of wounds on foot."""
    dice_d = s.dice[d] - s.lamed[d]
    hit_d = rules.hit[dice_a, s.guard[d, MOUNTED]]
    hit_a = rules.hit[dice_d, mounted_a]
    decided = 1.0 - (1.0 - hit_d) * (1.0 - hit_a)
    if decided <= 0.0:
        return 0.0
    lasts_a = _lasts(rules, s, a, rules.harm[dice_d, foot_a])
    lasts_d = _lasts(rules, s, d, rules.harm[dice_a, s.guard[d, FOOT]])
    return (hit_d * (1.0 - hit_a) + hit_d * hit_a * _share(lasts_a, lasts_d)) / decided


@jit
def _foot_odds(rules, s, a, d):
    """Odds on foot from how many rounds each would last."""
    lasts_a = _lasts(rules, s, a, rules.harm[s.dice[d] - s.lamed[d], s.guard[a, FOOT]])
    lasts_d = _lasts(rules, s, d, rules.harm[s.dice[a] - s.lamed[a], s.guard[d, FOOT]])
    return _share(lasts_a, lasts_d)


@inline
def _lasts(rules, s, k, harm):
    return (rules.wound_limit - s.wounds[k]) / max(0.01, harm)


@inline
def _share(lasts_a, lasts_d):
    """Squared, which sharpens the difference."""
    return lasts_a * lasts_a / (lasts_a * lasts_a + lasts_d * lasts_d)


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
def _best_offer(rules, s, policy, moves, n_moves, chance):
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
    word = draw(chance, WHIM)
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
            offer = lady * 10 + k
            best = max(best, (value << 23) + (lot(word, offer) << 7) + offer)
    if best <= -(_NEVER << 22):
        return moves[n_moves - 1]  # a pass, where one is allowed
    return OFFER * KIND + (best & 127)


@jit
def _dearer_lady(rules, s, moves, chance):
    """Between equal ladies: an own one, else the one whose player has fewer premiums."""
    holder, rival = owner(rules, s.favour[s.knight]), owner(rules, s.rival)
    worth_holder = _NEVER if holder == s.turn else -_premiums_of(rules, s, holder)
    worth_rival = _NEVER if rival == s.turn else -_premiums_of(rules, s, rival)
    takes, _ = beats(chance, worth_rival, worth_holder, 1)
    return moves[1] if takes else moves[0]


@jit
def _premiums_of(rules, s, seat):
    total = 0
    for k in range(seat * rules.each, (seat + 1) * rules.each):
        total += s.premiums[k] + s.lady_premiums[k]
    return total


@jit
def _best_challenge(rules, s, policy, moves, n_moves, chance):
    best, best_value, n_equal = moves[0], -1e9, 0
    for i in range(n_moves):
        a, d = moves[i] % KIND // 10, moves[i] % KIND % 10
        weight = policy.challenge_weak * (_strength(s, a) - _strength(s, d))
        weight += policy.challenge_wounded * s.wounds[d]
        if policy.challenge_leader:
            weight += policy.challenge_leader * _premiums_of(rules, s, owner(rules, d))
        value = float(weight)
        if policy.challenge_odds:
            value += policy.challenge_odds * 10.0 * _joust_odds(rules, s, a, d)
        takes, n_equal = beats(chance, value, best_value, n_equal)
        if takes:
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
def _own_lady_first(rules, s, moves, n_moves, chance):
    """Name a knight who wears an own favour: his bonus counts twice."""
    best, best_value, n_equal = moves[0], -1, 0
    for i in range(n_moves):
        lady = s.favour[moves[i] % KIND]
        value = 1 if lady != NONE and owner(rules, lady) == s.turn else 0
        takes, n_equal = beats(chance, value, best_value, n_equal)
        if takes:
            best, best_value = moves[i], value
    return best


@jit
def _strongest(s, moves, n_moves, chance):
    best, best_value, n_equal = moves[0], np.int64(-999), 0
    for i in range(n_moves):
        value = np.int64(_strength(s, moves[i] % KIND))
        takes, n_equal = beats(chance, value, best_value, n_equal)
        if takes:
            best, best_value = moves[i], value
    return best
