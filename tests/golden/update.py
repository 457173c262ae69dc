"""Write the golden stories anew: `make golden`."""

from __future__ import annotations

from pathlib import Path

from analyzer.engine.trace import story, watch
from analyzer.games import GAMES
from tests.tables import policies_of, table_of

FOLDER = Path(__file__).parent
# name: game, options, policies, seed, number
STORIES = {
    "fredericus-two": ("fredericus", {"creatures_to_end": 3, "start": 1}, ["planner", "greedy"], 7, 3),
    "fredericus-short": (
        "fredericus",
        {"short_game": True, "creatures_to_end": 2, "falcon_setup": "random"},
        ["hooder", "random", "gambler"],
        7,
        1,
    ),
    "fredericus-four": ("fredericus", {"creatures_to_end": 2}, ["random", "planner", "hooder", "gambler"], 7, 5),
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
    "ivanhoe-duel": ("ivanhoe", {"tokens_to_win": 2}, ["tactician", "fighter"], 7, 2),
    "ivanhoe-four": ("ivanhoe", {"tokens_to_win": 2}, ["tactician", "collector", "hoarder", "thrifty"], 7, 1),
    "ivanhoe-dutch": (
        "ivanhoe",
        {"outwit": "special_for_outwit", "ivanhoe_scope": "protect_self", "last_card_guard": False, "max_turns": 14},
        ["random", "fighter", "random"],
        7,
        0,
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
