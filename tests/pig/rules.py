"""The options of Pig and the rules as the kernel takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from analyzer.engine.game import Option
from analyzer.engine.jit import record_type

MOST_PLAYERS = 6
MOST_ROUNDS = 200  # six players then take 1200 turns, each with a place of its own in the dice
CHECKPOINTS = 20  # rounds whose scores are kept

OPTIONS = (
    Option("first", "random", "who begins", "P1", choices=("random", "first_seat")),
    Option("faces", 6, "faces of the die", "P2", 2, 20),
    Option("pig_out", "turn_points", "what a 1 costs", "P3", choices=("turn_points", "all_points")),
    Option("goal", 100, "points that win", "P5", 2, 500),
    Option("equal_turns", False, "the round in which somebody reaches the goal is played to its end", "P5"),
    Option("most_rounds", MOST_ROUNDS, "rounds after which a game is stopped", "P6", 1, MOST_ROUNDS),
)

# The numbers of the choices above, as the kernel compares them.
FIRST_SEAT = 1
ALL_POINTS = 1

RULES = record_type([("players", np.int64), *((option.key, np.int64) for option in OPTIONS)])


def make_rules(players: int, options: Mapping[str, Any]) -> Any:
    """Return the rules of a table (a read-only record) from a full set of options."""
    array = np.zeros(1, RULES).view(np.recarray)
    for option in OPTIONS:
        array[0][option.key] = option.encode(options[option.key])
    array[0].players = players
    array.flags.writeable = False
    return array[0]
