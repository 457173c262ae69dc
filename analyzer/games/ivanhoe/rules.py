"""The options of Ivanhoe and the rules as the kernel takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from analyzer.engine.game import Option
from analyzer.engine.jit import record_type
from analyzer.games.ivanhoe.cards import N_KINDS, Deck

MOST_PLAYERS = 5

OPTIONS = (
    Option(
        "first_starter",
        "random",
        "who starts the first tournament",
        "I1",
        choices=("random", "first_seat"),
    ),
    Option("hand_size", 8, "cards that everybody is dealt", "I1", 1, 20),
    Option(
        "reshuffle",
        "on_last_drawn",
        "the discards become the new stack as soon as the last card is drawn, or when a card is wanted",
        "I2",
        choices=("on_last_drawn", "on_next_draw"),
    ),
    Option("tie_stays", False, "a turn may end level with the best of the others", "I2"),
    Option("start_with_action", False, "the starter may play action cards before his first other card", "I3"),
    Option(
        "start_on_action",
        False,
        "an action card that can be played is enough to name any colour, and to end the turn level with the others",
        "I3",
    ),
    Option("maiden_limit", 1, "maidens in a display at a time", "I4", 1, 4),
    Option("maiden_penalty", 1, "tokens that withdrawing with a maiden in the display costs", "I6", 0, 5),
    Option(
        "tokens_to_win",
        "by_players",
        "colours that win the game; by_players: 5 with two or three players, 4 with four or five",
        "I8",
        1,
        5,
        words={"by_players": 0},
    ),
    Option("last_card_guard", True, "no action card empties a display: the card played first stays", "I9"),
    Option("max_turns", 2000, "turns after which the game stops without a winner", "I10", 1, 10_000),
    Option(
        "outwit",
        "swap_any",
        "swap any two open cards, or take a special card and leave Outwit in its place",
        "I14",
        choices=("swap_any", "special_for_outwit"),
    ),
    Option(
        "outwit_vs_shield",
        "specials_only",
        "what Outwit may take from a player with a Shield: special cards only, or cards of his display too",
        "I15",
        choices=("specials_only", "display_too"),
    ),
    Option(
        "shield_stops",
        "display_cards",
        "what a Shield stops: the others' cards that touch displays, or whatever is aimed at its owner but Outwit",
        "I15",
        choices=("display_cards", "all_but_outwit"),
    ),
    Option(
        "knock_down_vs_shield",
        "allowed",
        "whether Knock Down may hit a player with a Shield",
        "I15",
        choices=("allowed", "blocked"),
    ),
    Option(
        "charge_counts_shielded", True, "a shielded display counts when the lowest or highest value is looked up", "I15"
    ),
    Option(
        "ivanhoe_scope",
        "cancel",
        "Ivanhoe cancels the action card, or only protects the player who plays it",
        "I16",
        choices=("cancel", "protect_self"),
    ),
)

# The numbers of the choices above, as the kernel compares them.
FIRST_SEAT = 1
ON_NEXT_DRAW = 1
SPECIAL_FOR_OUTWIT = 1
DISPLAY_TOO = 1
BLOCKED = 1
ALL_BUT_OUTWIT = 1
PROTECT_SELF = 1

RULES = record_type(
    [
        ("players", np.int64),
        *((option.key, np.int64) for option in OPTIONS),
        ("copies", np.int64, N_KINDS),  # the deck, kind by kind
        ("n_cards", np.int64),
    ]
)


def make_rules(players: int, options: Mapping[str, Any], deck: Deck) -> Any:
    """Return the rules of a table (a read-only record) from a full set of options and a deck."""
    array = np.zeros(1, RULES).view(np.recarray)
    rules = array[0]
    for option in OPTIONS:
        rules[option.key] = option.encode(options[option.key])
    rules.players = players
    rules.copies[:] = deck.copies
    rules.n_cards = deck.n_cards
    if rules.shield_stops == ALL_BUT_OUTWIT:
        rules.knock_down_vs_shield = BLOCKED
    if rules.tokens_to_win == 0:
        rules.tokens_to_win = 5 if players <= 3 else 4  # I8
    array.flags.writeable = False
    return array[0]
