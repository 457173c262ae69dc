"""The options of Fredericus and the rules as the kernel takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from analyzer.engine.game import Option
from analyzer.engine.jit import record_type
from analyzer.games.fredericus.cards import N_CARDS, deck_of

MOST_PLAYERS = 4
MOST_ROUNDS = 60
CHECKPOINTS = 12  # rounds whose scores are kept; few games of players who catch last longer

OPTIONS = (
    Option(
        "falcon_setup",
        "in_order",
        "pairs of falcons on opposite towers: seat 1 on towers 1 and 5, seat 2 on 2 and 6, …; or drawn by lot",
        "F4",
        choices=("in_order", "random"),
    ),
    Option(
        "start",
        "random",
        "the start player's seat, counted on round the table; or drawn by lot",
        "F6",
        1,
        MOST_PLAYERS,
        words={"random": 0},
    ),
    Option("actions_per_turn", 4, "actions of a turn", "F7", 1, 8),
    Option(
        "first_round_actions",
        (2, 3),
        "actions of the first, second, … player in the first round; those beyond the list have the usual number",
        "F7",
        0,
        8,
        most=MOST_PLAYERS,
    ),
    Option("may_stop", False, "a player may end his turn with actions left", "F7"),
    Option("short_game", False, "three wood or three air at a row's end may go to its castle side", "F9"),
    Option("mixed_triple", False, "our reading: the three are all wood or all air; or wood and air may be mixed", "F9"),
    Option(
        "triple_tower",
        "beside",
        "our reading of the adjacent tower: one of the two beside the row; or the row's own; or any of the three",
        "F9",
        choices=("beside", "own", "any"),
    ),
    Option("double_bet", False, "two chips of one player on the row of a catch draw two goal cards, not one", "F10"),
    Option("seal_actions", 2, "further actions for an opened seal", "F11", 0, 6),
    Option("seal_after_close", True, "seals may be opened, without a card, when goal cards are closed", "F11"),
    Option(
        "courtyard_may_wait",
        True,
        "who has his chip in the courtyard may leave it there, and take it with a goal card at a later turn",
        "F14",
    ),
    Option(
        "flipped_fredericus",
        "ends_game",
        "our reading: Fredericus turned up by the start player ends the game and is nobody's; or he is passed over; "
        "or ends the game and is the start player's",
        "F15",
        choices=("ends_game", "passed_over", "start_player_keeps"),
    ),
    Option("creatures_to_end", 8, "creatures of one player that end the game", "F16", 1, 32),
    Option(
        "max_rounds", MOST_ROUNDS, "rounds after which a game ends that nothing else has ended", "F16a", 1, MOST_ROUNDS
    ),
)

# The numbers of the choices above, as the kernel compares them.
SETUP_RANDOM = 1
PASSED_OVER, START_KEEPS = 1, 2
BESIDE, OWN = 0, 1

RULES = record_type(
    [
        ("players", np.int64),
        ("chips", np.int64),  # of each player
        ("row_length", np.int64),
        ("laid_aside", np.int64),  # goal cards out of the game
        ("in_rows", np.int8, N_CARDS),  # cards of each kind in the rows
        ("in_box", np.int8, N_CARDS),  # and those that stay in the box
        *((o.key, np.int64, o.most) if o.most else (o.key, np.int64) for o in OPTIONS),
    ]
)


def make_rules(players: int, options: Mapping[str, Any]) -> Any:
    """Return the rules of a table (a read-only record) from a full set of options."""
    array = np.zeros(1, RULES).view(np.recarray)
    rules = array[0]
    for option in OPTIONS:
        code = option.encode(options[option.key])
        if option.most:
            rules[option.key] = options["actions_per_turn"]  # F7: players beyond the list
            rules[option.key][: len(code)] = code
        else:
            rules[option.key] = code
    rules.players = players
    rules.chips = 2 if players == 2 else 1  # F2
    rules.laid_aside = 4 * (MOST_PLAYERS - players)  # F5
    rules.in_rows, rules.in_box = deck_of(players)
    rules.row_length = rules.in_rows.sum() // 8
    array.flags.writeable = False
    return array[0]
