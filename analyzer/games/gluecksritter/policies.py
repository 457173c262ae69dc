"""How Die Glücksritter is played: one parametric player, and the named sets of his parameters.

A card is worth, in ducats, what it can be expected to bring if the others pick two of their cards at
random; the two cards worth most are picked. The policy `mixer` draws them from a table instead.
Nobody looks at picks that are not turned up, at other hands or into the stack.
"""

from __future__ import annotations

import numpy as np

from analyzer.engine import verbs
from analyzer.engine.chance import WHIM, beats, below, draw
from analyzer.engine.game import Option, Policy, search_parameters
from analyzer.engine.jit import inline, jit, record_type
from analyzer.games.gluecksritter.cards import PARDON, TAX, TOLL, TOWER_PERMIT, WALL_PERMIT
from analyzer.games.gluecksritter.kernel import money, part_price
from analyzer.games.gluecksritter.mix import N_COLUMNS, N_SITUATIONS, N_TABLES, RANSOM_AT, read_mix, situation
from analyzer.games.gluecksritter.rules import (
    BEFORE_CHOICE,
    BOTH_FIELDS,
    COLLECTOR,
    CRAFTSMAN,
    FARMER,
    KEEPER,
    KNIGHT,
    LEAST_PLAYERS,
    MONK,
    N_CARDS,
    N_PAIRS,
    NO_DOCUMENTS,
    RULES,
)
from analyzer.games.gluecksritter.state import (
    AT_SEAT,
    DOCUMENT,
    EXCHANGE,
    GUARD,
    KIND,
    LIMIT,
    LOOT_BOTH,
    NO,
    PART,
    PAY,
    PICK,
    RAID,
    RANSOM,
    RED,
    TO_TWOS,
    TOWERS,
    WALLS,
    YES,
)

_DUEL_WON = 15 / 36
_TOO_MANY = 8
_BARRED = -1e6  # worth of a card that cannot be picked

PARAMETERS: tuple[Option, ...] = (
    Option("whim", 0, "percent of decisions taken at random", low=0, high=100),
    Option("waver", 20, "tenths of a ducat by which each card's worth varies from pick to pick", low=0, high=500),
    Option("monk", 100, "percent of its worth that card 1 counts for", low=0, high=1000),
    Option("farmer", 100, "percent of its worth that card 2 counts for", low=0, high=1000),
    Option("craftsman", 100, "percent of its worth that card 3 counts for", low=0, high=1000),
    Option("knight", 100, "percent of its worth that card 4 counts for", low=0, high=1000),
    Option("collector", 100, "percent of its worth that card 5 counts for", low=0, high=1000),
    Option("keeper", 100, "percent of its worth that card 6 counts for", low=0, high=1000),
    Option("part_worth", 12, "ducats that a wall or tower is worth; nothing dearer is bought", low=0, high=100),
    Option("document_worth", 4, "ducats that a document is worth; nothing dearer is paid", low=0, high=100),
    Option("raid_worth", 100, "percent of the expected booty that a raid counts for", low=0, high=1000),
    Option("raid_leader", 5, "tenths of a ducat that each part of the victim's castle adds to a raid", low=0, high=200),
    Option("save_until", 0, "with less money than this, cards 2 and 3 count for nothing", low=0, high=60),
    Option("sated", 30, "percent that a ducat counts for when the missing parts can be paid", low=0, high=100),
    Option("ransom_from", 10, "ransoms the knight with this much money", low=0, high=60, words={"never": 999}),
    Option("seal_from", 6, "ducats that a field must hold for a tax or toll privilege to be played", low=0, high=60),
    Option("gifts_from", 3, "ducats that must be at stake for gifts to be played", low=0, high=60),
    Option("by_table", False, "picks, and whether to ransom, are drawn from the table `mix`"),
    Option(
        "mix", "learned", "pick frequencies by situation: the shipped table, or a file of `analyzer picks`",
        read=read_mix, shape=(N_TABLES, N_SITUATIONS, N_COLUMNS),
    ),
)  # fmt: skip


POLICIES = (
    Policy("random", "Takes any legal move, each as likely as the next.", {"whim": 100}),
    Policy(
        "miser",
        "Takes coins from fields 5 and 6 until it has 18 ducats, then builds.",
        {"save_until": 18, "monk": 0, "knight": 0, "ransom_from": "never"},
    ),
    Policy(
        "builder",
        "Builds whenever it can pay for a part, however many others do.",
        {"part_worth": 25, "monk": 30, "knight": 30},
    ),
    Policy(
        "raider",
        "Sends the Black Knight, ransoms him at once, and robs the player with the best castle.",
        {"knight": 250, "raid_worth": 150, "raid_leader": 20, "ransom_from": 4},
    ),
    Policy(
        "monk",
        "Collects documents before anything else and pays for them.",
        {"monk": 300, "document_worth": 7, "knight": 50},
    ),
    Policy(
        "needs",
        "Picks the two cards worth most to it: what it lacks, what the fields hold, how likely a clash is.",
        {},
    ),
    Policy(
        "mixer",
        "Draws its two cards from a table of frequencies by situation, learned in self-play.",
        {"by_table": True, "ransom_from": 4},
    ),
)

PARAMETERS = (*PARAMETERS, *search_parameters(POLICIES))
POLICY = record_type([(p.key, np.uint16 if p.shape else np.int16, p.shape) for p in PARAMETERS])


@verbs.choose.of(RULES)
def choose(rules, s, policy, moves, n_moves, chance):
    if n_moves == 1:
        return moves[0]
    if policy.whim > 0 and (policy.whim >= 100 or below(chance, WHIM, 100) < policy.whim):
        return moves[below(chance, WHIM, n_moves)]
    phase, seat = s.phase, s.turn
    if phase == PICK:
        if policy.by_table:
            return PICK * KIND + _pick_by_table(rules, s, seat, policy, chance)
        return PICK * KIND + _pick_by_worth(rules, s, seat, policy, chance)
    if phase in (WALLS, TOWERS):
        return moves[0] if part_price(rules, s, seat, phase - WALLS) > policy.part_worth else moves[n_moves - 1]
    if phase == RAID:
        _, best = best_raid(rules, s, seat, policy, chance)
        return RAID * KIND + best
    if phase == DOCUMENT:
        return DOCUMENT * KIND + (YES if policy.document_worth >= rules.monk_price else NO)
    if phase == RED:
        return RED * KIND + (_seals(rules, s, seat, policy) & (moves[n_moves - 1] % KIND))
    if phase == RANSOM:
        pays = _ransom_by_table(rules, s, seat, policy, chance) if policy.by_table else True
        return RANSOM * KIND + (YES if pays and money(s, seat) >= policy.ransom_from else NO)
    if phase == LIMIT:
        return _avert(rules, s, seat, policy, moves, n_moves)
    if phase == EXCHANGE:
        return moves[0]  # a bill is kept for the moment in which coins would be lost
    if phase == GUARD:
        return GUARD * KIND + YES
    if phase == PAY:
        return _coins_to_pay(s, seat, moves, n_moves, chance)
    return PART * KIND + _part_to_take(rules, s, seat, chance)


# Picks


@jit
def _pick_by_table(rules, s, seat, policy, chance):
    row = policy.mix[rules.players - LEAST_PLAYERS, situation(rules, s, seat)]
    at = below(chance, WHIM, np.int64(row[N_PAIRS - 1]))
    pair = 0
    while at >= row[pair]:
        pair += 1
    return rules.pair_mask[pair]


@jit
def _ransom_by_table(rules, s, seat, policy, chance):
    row = policy.mix[rules.players - LEAST_PLAYERS, situation(rules, s, seat)]
    return below(chance, WHIM, np.int64(row[N_PAIRS - 1])) < row[RANSOM_AT]


@jit
def _pick_by_worth(rules, s, seat, policy, chance):
    """The pair worth most; walls and towers together are weighed with one purse."""
    others = rules.players - 1
    alone = rules.alone[others]
    purse = money(s, seat)
    walls_missing, towers_missing = rules.castle - s.parts[seat, 0], rules.castle - s.parts[seat, 1]
    lacking = walls_missing * rules.price[0, 0] + towers_missing * rules.price[1, 0]
    ducat = 0.0001 * policy.sated if purse >= lacking else 0.01
    whims = draw(chance, WHIM)  # ten bits for each card
    scale = policy.waver * (0.1 / 1024)

    monk = walls = towers = poor_towers = 0.0
    if rules.documents != NO_DOCUMENTS:
        worth = float(policy.document_worth)
        monk = 0.01 * policy.monk * (alone * worth + (1.0 - alone) * max(0.0, worth - rules.monk_price))
    if purse >= policy.save_until:
        walls = 0.01 * policy.farmer * _parts_worth(rules, s, seat, policy, 0, alone, purse)
        towers = 0.01 * policy.craftsman * _parts_worth(rules, s, seat, policy, 1, alone, purse)
        rest = purse - rules.price[0, 0] * min(2, walls_missing)
        poor_towers = 0.01 * policy.craftsman * _parts_worth(rules, s, seat, policy, 1, alone, rest)
    knight = _BARRED if s.jailed >> seat & 1 else 0.01 * policy.knight * _knight_worth(rules, s, seat, policy, chance)
    tax = ducat * policy.collector * _field_worth(rules, s, seat, 0, others)
    toll = ducat * policy.keeper * _field_worth(rules, s, seat, 1, others)

    worths = (
        monk + scale * _ten_bits(whims, MONK),
        walls + scale * _ten_bits(whims, FARMER),
        towers + scale * _ten_bits(whims, CRAFTSMAN),
        knight + scale * _ten_bits(whims, KNIGHT),
        tax + scale * _ten_bits(whims, COLLECTOR),
        toll + scale * _ten_bits(whims, KEEPER),
    )
    best, pair, n_equal = 2.0 * _BARRED, 0, 0
    for first in range(N_CARDS - 1):
        for second in range(first + 1, N_CARDS):
            worth = worths[first] + worths[second]
            if first == FARMER and second == CRAFTSMAN:
                worth -= towers - poor_towers
            takes, n_equal = beats(chance, worth, best, n_equal)
            if takes:
                best, pair = worth, 1 << first | 1 << second
    return pair


@inline
def _ten_bits(whims, card):
    return np.float64((whims >> np.uint64(10 * card)) & np.uint64(1023))


@inline
def _parts_worth(rules, s, seat, policy, part, alone, purse):
    """What buying up to two walls or towers is expected to bring above their price."""
    room = min(2, rules.castle - s.parts[seat, part])
    if room <= 0:
        return 0.0
    low, high, worth = rules.price[part, 0], rules.price[part, 1], policy.part_worth
    cheap = min(room, np.int64(purse >= low) + np.int64(purse >= 2 * low))
    dear = min(room, np.int64(purse >= high) + np.int64(purse >= 2 * high))
    return alone * cheap * max(0, worth - low) + (1.0 - alone) * dear * max(0, worth - high)


@inline
def _field_worth(rules, s, seat, field, others):
    """What a field is expected to bring when it is shared, less what G12 would take away."""
    worth = 0.0
    for kind in range(2):
        had = np.float64(s.purse[seat, kind])
        got = had + rules.portion[others, s.lying[field, kind]]
        if got >= _TOO_MANY:
            got *= 0.5
        worth += (kind + 1) * (got - had)
    return worth


@jit
def _knight_worth(rules, s, seat, policy, chance):
    rivals = 0
    for other in range(rules.players):
        rivals += other != seat and not s.jailed >> other & 1
    booty, _ = best_raid(rules, s, seat, policy, chance)
    acts = rules.alone[rivals] + _DUEL_WON * rules.duel[rivals]
    return acts * booty - (1.0 - acts) * rules.ransom


@inline
def _comes_anyhow(rules, s, seat, field):
    """The twos of a field that a seat's own card 5 or 6 brings it, once the cards lie open."""
    takers = s.takers[COLLECTOR + field]
    if not s.turned_up or not takers >> seat & 1:
        return np.int64(0)
    n = 0
    for other in range(rules.players):
        n += takers >> other & 1
    return np.int64(s.lying[field, 1]) // n


@inline
def _kept(twos):
    """What is left of so many twos when G12 has been at them."""
    return 0.5 * twos if twos >= _TOO_MANY else np.float64(twos)


@inline
def _loot_worth(s, seat, twos, anyhow):
    """The ducats that looting so many twos brings above those that come anyhow."""
    had = np.int64(s.purse[seat, 1])
    return 2.0 * (_kept(had + twos) - _kept(had + anyhow))


@jit
def best_raid(rules, s, seat, policy, chance):
    """Return what the Black Knight's best deed is worth, and the move (without its kind); equals by lot."""
    twos_5, twos_6 = np.int64(s.lying[0, 1]), np.int64(s.lying[1, 1])
    own_5, own_6 = _comes_anyhow(rules, s, seat, 0), _comes_anyhow(rules, s, seat, 1)
    n_equal = 1
    if rules.loot == BOTH_FIELDS:
        best, what = _loot_worth(s, seat, twos_5 + twos_6, own_5 + own_6), np.int64(LOOT_BOTH)
    else:
        best, what = _loot_worth(s, seat, twos_5, own_5), np.int64(0)
        worth = _loot_worth(s, seat, twos_6, own_6)
        takes, n_equal = beats(chance, worth, best, n_equal)
        if takes:
            best, what = worth, np.int64(1)
    left = seat + 1 if seat + 1 < rules.players else 0
    right = seat - 1 if seat > 0 else rules.players - 1
    for victim in range(rules.players):
        if victim == seat or (rules.raid_target and victim != left and victim != right):
            continue
        booty = rules.bag_odds * money(s, victim)
        usable = (s.parts[victim, 0] > 0 and s.parts[seat, 0] < rules.castle) or (
            s.parts[victim, 1] > 0 and s.parts[seat, 1] < rules.castle
        )
        if usable:
            booty += rules.castle_odds * policy.part_worth
        worth = 0.01 * policy.raid_worth * booty
        worth += 0.1 * policy.raid_leader * np.float64(s.parts[victim, 0] + s.parts[victim, 1])
        takes, n_equal = beats(chance, worth, best, n_equal)
        if takes:
            best, what = worth, np.int64(AT_SEAT + victim)
    return best, what


@jit
def _part_to_take(rules, s, seat, chance):
    """The part that it can use, and of two such parts the kind it has fewer of; equals by lot."""
    walls, towers = s.parts[seat, 0], s.parts[seat, 1]
    if walls == towers:
        return below(chance, WHIM, 2)
    return np.int64(towers < walls)


# Documents and coins


@jit
def _seals(rules, s, seat, policy):
    """The red documents worth playing now, whether it has them or not."""
    picked = np.int64(s.picks[seat])
    unknown = rules.red_timing == BEFORE_CHOICE
    seals = 0
    for field in range(2):
        if s.lying[field, 0] + 2 * s.lying[field, 1] >= policy.seal_from:
            seals |= 1 << (TAX if field == 0 else TOLL)
    for part in range(2):
        can = s.parts[seat, part] < rules.castle and money(s, seat) >= rules.price[part, 0]
        if can and (unknown or picked >> (FARMER + part) & 1):
            seals |= 1 << (WALL_PERMIT if part == 0 else TOWER_PERMIT)
    if s.jailed >> seat & 1 or picked >> KNIGHT & 1:
        seals |= 1 << PARDON
    return seals


@jit
def _coins_to_pay(s, seat, moves, n_moves, chance):
    """The payment that leaves its larger pile of coins smallest, for the sake of G12; equals by lot."""
    best, chosen, n_equal = -s.due - 100, moves[0], 0
    for i in range(n_moves):
        twos = moves[i] - PAY * KIND
        pile = max(s.purse[seat, 0] - (s.due - 2 * twos), s.purse[seat, 1] - twos)
        takes, n_equal = beats(chance, -pile, best, n_equal)
        if takes:
            best, chosen = -pile, moves[i]
    return chosen


@jit
def _avert(rules, s, seat, policy, moves, n_moves):
    """Change coins if that saves them all, else play gifts if enough is at stake, else give back."""
    ones, twos = np.int64(s.purse[seat, 0]), np.int64(s.purse[seat, 1])
    if s.coin == 0:
        change = (ones - _TOO_MANY + 2) // 2
        wanted = LIMIT * KIND + TO_TWOS + change
        if twos + change < _TOO_MANY:
            for i in range(n_moves):
                if moves[i] == wanted:
                    return wanted
    at_stake = (ones if s.coin == 0 else 2 * twos) // 2
    if at_stake >= policy.gifts_from and moves[1] == LIMIT * KIND + YES:
        return moves[1]
    return moves[0]
