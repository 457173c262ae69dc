"""Ivanhoe: tournaments of cards for tokens of four or five colours."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analyzer.engine.game import Game, Measure, Table
from analyzer.errors import BadFile, Fault
from analyzer.games.ivanhoe import kernel  # noqa: F401  implements the verbs
from analyzer.games.ivanhoe.cards import default_deck_path, find_deck, load_deck
from analyzer.games.ivanhoe.policies import PARAMETERS, POLICIES, POLICY
from analyzer.games.ivanhoe.position import place, show
from analyzer.games.ivanhoe.rules import MOST_PLAYERS, OPTIONS, make_rules
from analyzer.games.ivanhoe.state import CHECKPOINTS, STATE, faces, move_text, read_move
from analyzer.games.ivanhoe.story import opening, tell

# In the order in which `kernel.outcome` fills them.
MEASURES = (
    Measure("tournaments", "tournaments"),
    Measure("turns", "turns"),
    Measure("purple_won", "tournaments that ended purple", "tournaments"),
    Measure("red_won", "tournaments that ended red", "tournaments"),
    Measure("blue_won", "tournaments that ended blue", "tournaments"),
    Measure("yellow_won", "tournaments that ended yellow", "tournaments"),
    Measure("green_won", "tournaments that ended green", "tournaments"),
    Measure("tokens_won", "tournaments that brought a token", "tournaments"),
    Measure("starter_wins", "tournaments won by their starter", "tournaments"),
    Measure("starter_cards", "numbered cards laid by the starters of tournaments"),
    Measure("other_cards", "numbered cards laid by all other players"),
    Measure("starts_passed", "starts passed on for want of a card", "tournaments"),
    Measure("withdrawals", "withdrawals"),
    Measure("maiden_withdrawals", "withdrawals with a maiden in the display", "withdrawals"),
    Measure("maiden_losses", "withdrawals in which the maiden cost a token", "maiden_withdrawals"),
    Measure("actions", "action cards played"),
    Measure("cancels", "action cards answered with Ivanhoe", "actions"),
    Measure("shuffles", "times the discards became the stack"),
    Measure("stopped", "games stopped at max_turns (I10)"),
)

TERMS = {
    "tournament": "Turnier / toernooi",
    "display": "Auslage / gespeelde kaarten",
    "token": "Turnierchip / toernooi fiche",
    "supporter": "Gefolge / supporter",
    "maiden": "Jungfrau / maiden",
    "squire": "Knappe / squire",
    "action card": "Aktionskarte / actiekaart",
    "to withdraw": "aussteigen / terugtrekken",
    "purple (lance)": "lila (Lanze) / paars (lans)",
    "red (sword)": "rot (Schwert) / rood (zwaard)",
    "blue (axe)": "blau (Axt) / blauw (bijl)",
    "yellow (star)": "gelb (Morgenstern) / geel (morgenster)",
    "green (unarmed)": "grün (ohne Waffe) / groen (geen)",
}


def prepare(players: int, options: Mapping[str, Any], deck_path: Path | None) -> Table:
    """Return the table of a full set of options and a deck (the default one without a path)."""
    path = deck_path or default_deck_path()
    deck = load_deck(path)
    needed = players * options["hand_size"] + 1
    if deck.n_cards < needed:
        problem = f"{players} hands of {options['hand_size']} and the first draw take {needed} cards (I1)"
        raise BadFile(path, [Fault("copies", deck.n_cards, problem)])
    return Table(
        game=GAME,
        players=players,
        options=options,
        rules=make_rules(players, options, deck),
        deck=deck,
        cards=deck.cards(),
        checkpoints=CHECKPOINTS,
    )


GAME = Game(
    name="ivanhoe",
    title="Ivanhoe",
    about="Tournaments of cards in five colours: who stays longest ahead wins the token.",
    edition="after a Dutch summary of the rules, completed from the published rulebook",
    least_players=2,
    most_players=MOST_PLAYERS,
    options=OPTIONS,
    parameters=PARAMETERS,
    policies=POLICIES,
    default_policy="tactician",  # the strongest: it beats each of the others at a table of four
    measures=MEASURES,
    score_name="tokens",
    checkpoint_name="tournament",
    terms=TERMS,
    state=STATE,
    policy=POLICY,
    most_moves=2048,
    prepare=prepare,
    move_text=move_text,
    read_move=read_move,
    show=show,
    place=place,
    opening=opening,
    tell=tell,
    find_deck=find_deck,
    faces=faces,
    ends_early=True,
    restriction="never_play",
)
