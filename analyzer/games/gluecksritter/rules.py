"""The options of Die Glücksritter and the rules as the kernel takes them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import comb
from typing import Any

import numpy as np

from analyzer.engine.game import Option
from analyzer.engine.jit import record_type
from analyzer.games.gluecksritter.cards import MOST_DUCAT_CARDS, N_KINDS, Deck

LEAST_PLAYERS, MOST_PLAYERS = 3, 6
COINS = (60, 40)  # G1: one-ducat and two-ducat coins in the box
PERMIT = 2  # G2: ducats that a permit takes off the price
N_CARDS = 6
MONK, FARMER, CRAFTSMAN, KNIGHT, COLLECTOR, KEEPER = range(N_CARDS)
PAIRS = tuple(combinations(range(N_CARDS), 2))
N_PAIRS = len(PAIRS)

OPTIONS = (
    Option(
        "documents",
        "reconstructed",
        "the documents of the deck, or none: then card 1 draws nothing",
        "G2",
        choices=("reconstructed", "none"),
    ),
    Option("start_ones", 2, "one-ducat coins of each player at the start", "G3", 0, 7),
    Option("start_twos", 2, "two-ducat coins of each player at the start", "G3", 0, 6),
    Option("ransom", 4, "price of a knight in the dungeon", "G5", 1, 20),
    Option(
        "ransom_timing",
        "after_ducats",
        "a knight is ransomed when the ducat card lies open, or before it is turned up (our reading: after)",
        "G5",
        choices=("after_ducats", "before_ducats"),
    ),
    Option(
        "red_timing",
        "after_choice",
        "red documents are played after the two cards are chosen, or before",
        "G7",
        choices=("after_choice", "before_choice"),
    ),
    Option("documents_return", True, "played documents are shuffled anew when the stack is used up", "G7"),
    Option(
        "price_basis",
        "picked",
        "who makes walls and towers dear: all who picked the card, or only those who can buy something",
        "G8",
        choices=("picked", "able"),
    ),
    Option(
        "same_card_order",
        "rotating",
        "who goes first where several do the same: a seat that moves left every round, or always seat 1",
        "G8",
        choices=("rotating", "fixed"),
    ),
    Option("monk_price", 4, "price of a document when several picked the Monk", "G8", 1, 20),
    Option("wall_alone", 4, "price of a wall for a single Farmer", "G8", 1, 20),
    Option("wall_shared", 6, "price of a wall when several picked the Farmer", "G8", 1, 20),
    Option("tower_alone", 5, "price of a tower for a single Craftsman", "G8", 1, 20),
    Option("tower_shared", 7, "price of a tower when several picked the Craftsman", "G8", 1, 20),
    Option(
        "loot",
        "one_field",
        "the Black Knight takes the two-ducat coins of one field, or of both",
        "G8",
        choices=("one_field", "both"),
    ),
    Option("raid_target", "any", "whom a raid may strike: anybody, or a neighbour", "G8", choices=("any", "neighbour")),
    Option(
        "raid_part",
        "usable",
        "a raid takes a part that the raider can still use, or any part, which is lost if he cannot use it "
        "(our reading: usable)",
        "G8",
        choices=("usable", "any"),
    ),
    Option(
        "special_die",
        (4, 2, 0),
        "faces of the special die: bags, castles, blanks; a die without faces shows a blank",
        "G1",
        0,
        6,
        most=3,
    ),
    Option(
        "change",
        "from_bag",
        "who cannot pay exactly gets change from the bag, or overpays",
        "G9",
        choices=("from_bag", "none"),
    ),
    Option(
        "payment",
        "ones_first",
        "with which coins a price is paid: as many ones as go into it, as many twos, or as the player chooses "
        "(our reading: ones)",
        "G9",
        choices=("ones_first", "twos_first", "chosen"),
    ),
    Option(
        "coin_limit",
        "halve_at_8",
        "eight or more coins of a kind: half of them go back, or all above seven",
        "G12",
        choices=("halve_at_8", "cap_7"),
    ),
    Option("castle", 4, "walls and as many towers that make a castle", "G11", 1, 4),
    Option("max_rounds", 200, "rounds after which a game stops without a winner", "G14", 1, 500),
)

# The numbers of the choices above, as the kernel compares them.
NO_DOCUMENTS = 1
BEFORE_CHOICE = 1
ABLE = 1
FIXED = 1
BOTH_FIELDS = 1
NEIGHBOUR = 1
BEFORE_DUCATS = 1
ANY_PART = 1
TWOS_FIRST, CHOSEN = 1, 2
OVERPAY = 1
CAP_7 = 1

RULES = record_type(
    [
        ("players", np.int64),
        *((o.key, np.int64, o.most) if o.most else (o.key, np.int64) for o in OPTIONS),
        ("price", np.int64, (2, 2)),  # [wall or tower, alone or shared]
        ("bag_odds", np.float64),  # of the special die
        ("castle_odds", np.float64),
        ("ducat_cards", np.int64),
        ("ducats", np.int64, (MOST_DUCAT_CARDS, 2)),  # coins for field 5 and field 6
        ("copies", np.int64, N_KINDS),  # documents of each kind
        ("pair_mask", np.int64, N_PAIRS),  # the two cards of a pair as bits
        ("pair_at", np.int64, 1 << N_CARDS),  # number of the pair with these bits
        # what a player can expect when `m` others pick two cards of six at random
        ("alone", np.float64, MOST_PLAYERS),  # [m] nobody else has this card
        ("duel", np.float64, MOST_PLAYERS),  # [m] just one other has it
        ("portion", np.float64, (MOST_PLAYERS, 1 + max(COINS))),  # [m, coins of a kind] his part of a field
    ]
)


def make_rules(players: int, options: Mapping[str, Any], deck: Deck) -> Any:
    """Return the rules of a table (a read-only record) from a full set of options and a deck."""
    array = np.zeros(1, RULES).view(np.recarray)
    rules = array[0]
    for option in OPTIONS:
        code = option.encode(options[option.key])
        if option.most:
            rules[option.key][: len(code)] = code
        else:
            rules[option.key] = code
    rules.players = players
    rules.price[0] = rules.wall_alone, rules.wall_shared
    rules.price[1] = rules.tower_alone, rules.tower_shared
    faces = max(1, rules.special_die.sum())
    rules.bag_odds, rules.castle_odds = rules.special_die[0] / faces, rules.special_die[1] / faces
    rules.ducat_cards = len(deck.ducats)
    rules.ducats[: len(deck.ducats)] = [(card.tax, card.toll) for card in deck.ducats]
    if rules.documents != NO_DOCUMENTS:
        rules.copies[:] = deck.copies()
    for i, (a, b) in enumerate(PAIRS):
        rules.pair_mask[i] = 1 << a | 1 << b
        rules.pair_at[1 << a | 1 << b] = i
    for others in range(MOST_PLAYERS):
        odds = [_clash_odds(others, k) for k in range(others + 1)]
        rules.alone[others] = odds[0]
        rules.duel[others] = odds[1] if others else 0.0
        for coins in range(1 + max(COINS)):
            rules.portion[others, coins] = sum(p * (coins // (1 + k)) for k, p in enumerate(odds))
    array.flags.writeable = False
    return array[0]


def _clash_odds(others: int, k: int) -> float:
    """Return the odds that k of the others have a card when each picks two of six at random."""
    return comb(others, k) * 2 ** (others - k) / 3**others
