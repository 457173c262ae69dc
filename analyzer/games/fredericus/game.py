"""Fredericus: falcons round the Castel del Monte, rows of open cards, secret goals and bets."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analyzer.engine.game import Game, Measure, Table
from analyzer.errors import BadInput
from analyzer.games.fredericus import kernel  # noqa: F401  implements the verbs
from analyzer.games.fredericus.cards import all_cards
from analyzer.games.fredericus.policies import BUFFER, PARAMETERS, POLICIES, POLICY
from analyzer.games.fredericus.position import place, show
from analyzer.games.fredericus.rules import CHECKPOINTS, MOST_PLAYERS, OPTIONS, make_rules
from analyzer.games.fredericus.state import STATE, move_text, read_move
from analyzer.games.fredericus.story import opening, tell

# In the order in which `kernel.outcome` fills them.
MEASURES = (
    Measure("rounds", "rounds"),
    Measure("turns", "turns, all players together"),
    Measure("actions", "actions"),
    Measure("card_moves", "cards moved from row to row", "actions"),
    Measure("falcon_moves", "falcons moved from tower to tower", "actions"),
    Measure("hoods", "actions that hooded falcons", "actions"),
    Measure("falcons_hooded", "falcons hooded"),
    Measure("catches", "creatures caught"),
    Measure("high_hunts", "creatures caught by a peregrine", "catches"),
    Measure("low_hunts", "creatures caught by a kestrel", "catches"),
    Measure("seals", "seals opened"),
    Measure("rotations", "three cards brought to the castle side (short game)"),
    Measure("bets", "bets on a row: chips placed or moved"),
    Measure("bets_paid", "goal cards drawn for a bet on a row", "bets"),
    Measure("courtyards", "bets on the courtyard"),
    Measure("courtyards_paid", "goal cards drawn for the courtyard", "courtyards"),
    Measure("goals_drawn", "goal cards drawn in play, Fredericus included"),
    Measure("pairs", "pairs of a creature and a goal card", "catches"),
    Measure("points", "points, all players together"),
    Measure("points_creatures", "points for creatures", "points"),
    Measure("points_goals", "points for goal cards", "points"),
    Measure("points_fredericus", "points for Fredericus", "points"),
    Measure("points_pairs", "points for pairs", "points"),
    Measure("ended_creatures", "games ended by a player's creatures (F16)"),
    Measure("ended_drawn", "games ended by drawing Fredericus (F16)"),
    Measure("ended_flipped", "games ended by flipping Fredericus (F15)"),
    Measure("stalled", "games stopped at max_rounds (F16a)"),
)

TERMS = {
    "peregrine": "Wanderfalke / peregrine valk",
    "kestrel": "Turmfalke / torenvalk",
    "falconer": "Falkner / valkenier",
    "creature": "Fabelwesen / mythisch wezen",
    "goal card": "Zielkarte / doelkaart",
    "seal": "Reichssiegel / keizerlijk zegel",
    "wood, air": "Wald, Luft / bos, lucht",
    "row": "Reihe / rij",
    "tower": "Turm / toren",
    "courtyard": "Innenhof / binnenplaats",
    "bet chip": "Wettchip / gokfiche",
    "to hood": "verkappen / kappen",
    "high hunt": "Hohe Jagd / Hoge Jacht",
    "low hunt": "Niedere Jagd / Lage Jacht",
}


def prepare(players: int, options: Mapping[str, Any], deck_path: Path | None) -> Table:
    """Return the table of a full set of options; there is one deck only."""
    if deck_path is not None:
        raise BadInput(f"deck {deck_path}: Fredericus has one deck only; leave it out")
    return Table(
        game=GAME,
        players=players,
        options=options,
        rules=make_rules(players, options),
        deck=None,
        cards=all_cards(),
        checkpoints=min(options["max_rounds"], CHECKPOINTS),
    )


GAME = Game(
    name="fredericus",
    title="Fredericus",
    about="Falconers of the emperor hunt mythical creatures round an eight-towered castle.",
    edition="after the Dutch rules",
    least_players=2,
    most_players=MOST_PLAYERS,
    options=OPTIONS,
    parameters=PARAMETERS,
    policies=POLICIES,
    default_policy="greedy",
    strongest="planner",
    measures=MEASURES,
    score_name="points",
    checkpoint_name="round",
    terms=TERMS,
    state=STATE,
    policy=POLICY,
    most_moves=BUFFER,
    prepare=prepare,
    move_text=move_text,
    read_move=read_move,
    show=show,
    place=place,
    opening=opening,
    tell=tell,
    first_place="the start player",
    ends_early=True,
)
