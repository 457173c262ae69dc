"""Write the golden stories anew: `make golden`."""

from __future__ import annotations

from pathlib import Path

from analyzer.engine.trace import story, watch
from analyzer.games import GAMES
from tests.tables import policies_of, table_of

FOLDER = Path(__file__).parent
# name: game, options, policies, seed, number
STORIES = {
    "ritter-two-days": ("ritter", {"days": 2}, ["rulebook", "bold"], 7, 3),
    "ritter-one-knight-each": (
        "ritter",
        {"days": 1},
        ["cautious", "attacker", "wall", "calculating", "balanced", "random"],
        7,
        1,
    ),
    "ritter-french": (
        "ritter",
        {"days": 1, "ladies": False, "enrage": "every_round", "day_winner": "player", "yield_before_foot": True},
        ["rulebook", "bold", "random"],
        7,
        5,
    ),
    "gluecksritter-small-castles": ("gluecksritter", {"castle": 2}, ["needs", "raider", "monk", "builder"], 7, 4),
    "gluecksritter-summary": (
        "gluecksritter",
        {
            "castle": 2,
            "start_ones": 1,
            "raid_target": "neighbour",
            "coin_limit": "cap_7",
            "red_timing": "before_choice",
        },
        ["miser", "random", "monk"],
        7,
        2,
    ),
    "gluecksritter-no-documents": (
        "gluecksritter",
        {"castle": 1, "documents": "none", "loot": "both", "change": "none", "same_card_order": "fixed"},
        ["needs", "raider", "random", "miser", "builder", "raider"],
        7,
        1,
    ),
}


def told(name: str) -> str:
    """Return a golden story as it is told now."""
    game_name, options, policies, seed, number = STORIES[name]
    game = GAMES[game_name]
    table = table_of(game, len(policies), **options)
    return "\n".join(story(table, list(watch(table, policies_of(game, policies), seed, number)))) + "\n"


if __name__ == "__main__":
    for name in STORIES:
        (FOLDER / f"{name}.txt").write_text(told(name), encoding="utf-8")
        print(f"wrote {name}.txt")
