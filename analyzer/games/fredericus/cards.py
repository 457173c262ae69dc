"""The 118 cards (F1). Their numbers are known from the text, the names of the creatures are not."""

from __future__ import annotations

import numpy as np

from analyzer.engine.game import Card

# A card of a row by its number; from CREATURE on the eight creatures. Goal cards are numbered by kind.
WOOD, AIR, SEAL, CREATURE = range(4)
CREATURES = ("basilisk", "chimera", "dragon", "griffin", "hydra", "manticore", "phoenix", "unicorn")
CARDS = ("wood", "air", "seal", *CREATURES)
LETTERS = "".join(name[0] for name in CARDS)  # all different: wasbcdghmpu
N_KINDS = len(CREATURES)
N_CARDS = len(CARDS)
FREDERICUS = N_KINDS  # in the goal pile
BOTTOM = 5  # F5: he lies among the last cards of the pile

TOTALS = np.array([24, 24, 8] + [4] * N_KINDS, np.int8)
GOALS_OF_A_KIND = 3
FALCONERS, START_CARDS = 4, 1
ALL_CARDS = int(TOTALS.sum()) + GOALS_OF_A_KIND * N_KINDS + 1 + FALCONERS + START_CARDS
_OUT_FOR_EACH_MISSING_PLAYER = np.array([3, 3, 2] + [1] * N_KINDS, np.int8)


def deck_of(players: int) -> tuple[np.ndarray, np.ndarray]:
    """F3: return how many cards of each kind make the rows, and how many stay in the box."""
    box = _OUT_FOR_EACH_MISSING_PLAYER * np.int8(4 - players)
    return TOTALS - box, box


def all_cards() -> tuple[Card, ...]:
    """Return the cards of the game; the first two are those whose fortune a game tallies."""
    return (
        Card("special", "Fredericus", "source", "2 points; who draws it ends the game", by_chance=False),
        Card("special", "start player", "source", "who has it flips a goal card a round"),
        Card("row", "wood", "source", "24 of them; low hunt and hoods"),
        Card("row", "air", "source", "24 of them; high and low hunt"),
        Card("row", "seal", "source", "8 of them; two open one"),
        *(Card("creature", name, "reconstruction", "4 of them; the name is ours") for name in CREATURES),
        *(Card("goal", f"goal {name}", "reconstruction", "3 of them, as 118 cards leave room") for name in CREATURES),
        Card("falconer", "falconers", "source", "4 of them; show the colours of the players"),
    )
