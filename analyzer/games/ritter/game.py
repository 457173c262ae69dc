"""Ritter ohne Furcht und Tadel: jousts with dice, training, ladies' favours."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analyzer.engine.game import Game, Measure, Table
from analyzer.errors import BadFile, Fault
from analyzer.games.ritter import kernel  # noqa: F401  implements the verbs
from analyzer.games.ritter.cards import default_deck_path, find_deck, load_deck
from analyzer.games.ritter.policies import PARAMETERS, POLICIES, POLICY
from analyzer.games.ritter.position import place, show
from analyzer.games.ritter.rules import MOST_PLAYERS, OPTIONS, knights_each, make_rules
from analyzer.games.ritter.state import STATE, move_text, read_move
from analyzer.games.ritter.story import opening, tell

# In the order in which `kernel.outcome` fills them.
MEASURES = (
    Measure("jousts", "jousts"),
    Measure("rides", "knights riding, all days together"),
    Measure("training", "training points spent"),
    Measure("offers", "offers of a favour"),
    Measure("rejections", "offers after which a lady went away empty-handed", "offers"),
    Measure("rounds", "rounds of dice"),
    Measure("mounted_wins", "jousts decided on horseback", "jousts"),
    Measure("yields", "jousts ended by yielding", "jousts"),
    Measure("knockouts", "knights put out of the tournament"),
    Measure("no_winner", "jousts without a winner", "jousts"),
    Measure("stalled", "jousts stopped at max_rounds (R20a)", "jousts"),
    Measure("days_won", "days with a winner"),
    Measure("playoffs", "tournaments decided by a play-off"),
    Measure("chips_out", "tournaments in which the training chips ran out (R6)"),
)

TERMS = {
    "knight": "Ritter / ridder / chevalier",
    "lady": "Dame / minne / dame",
    "favour": "Tuch / doek / couleur",
    "attack dice": "Schlagwürfel / slagdobbelstenen / dés d'attaque",
    "hit field": "Trefferfeld / trefveld / case coup",
    "training": "Training / training / entraînement",
    "premium": "Prämie / premie / prime",
    "wound": "Verletzung / verwonding / blessure",
    "joust": "Zweikampf / tweekamp / duel",
    "enraged": "wütend / woedend / fâché",
    "to yield": "aufgeben / opgeven / se rendre",
}


def prepare(players: int, options: Mapping[str, Any], deck_path: Path | None) -> Table:
    """Return the table of a full set of options and a deck (the default one without a path)."""
    deck = load_deck(deck_path)
    needed = players * knights_each(players)
    faults = [
        Fault(group, len(cards), f"{players} players need {needed} of them")
        for group, cards in (("knights", deck.knights), ("ladies", deck.ladies if options["ladies"] else ()))
        if len(cards) < needed and (group == "knights" or options["ladies"])
    ]
    if faults:
        raise BadFile(deck_path or default_deck_path(), faults)
    return Table(
        game=GAME,
        players=players,
        options=options,
        rules=make_rules(players, options, deck),
        deck=deck,
        cards=deck.cards(),
        checkpoints=options["days"],
    )


GAME = Game(
    name="ritter",
    title="Ritter ohne Furcht und Tadel",
    about="A tournament of knights: jousts with dice, training, and the favours of ladies.",
    edition="after the Dutch and French translations of the rules, which differ here and there",
    least_players=2,
    most_players=MOST_PLAYERS,
    options=OPTIONS,
    parameters=PARAMETERS,
    policies=POLICIES,
    default_policy="rulebook",
    measures=MEASURES,
    score_name="premiums",
    checkpoint_name="day",
    terms=TERMS,
    state=STATE,
    policy=POLICY,
    most_moves=128,
    prepare=prepare,
    move_text=move_text,
    read_move=read_move,
    show=show,
    place=place,
    opening=opening,
    tell=tell,
    find_deck=find_deck,
    first_place="the start player of day 1",
)
