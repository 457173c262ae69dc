"""Die Glücksritter: two hidden cards a round, and a castle of four walls and four towers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analyzer.engine.game import Game, Measure, Table
from analyzer.games.gluecksritter import kernel  # noqa: F401  implements the verbs
from analyzer.games.gluecksritter.cards import find_deck, load_deck
from analyzer.games.gluecksritter.mix import mix_caveats
from analyzer.games.gluecksritter.policies import PARAMETERS, POLICIES, POLICY
from analyzer.games.gluecksritter.position import place, show
from analyzer.games.gluecksritter.rules import LEAST_PLAYERS, MOST_PLAYERS, OPTIONS, make_rules
from analyzer.games.gluecksritter.state import CHECKPOINTS, STATE, move_text, read_move
from analyzer.games.gluecksritter.story import opening, tell

# In the order in which `kernel.outcome` fills them.
MEASURES = (
    Measure("rounds", "rounds until somebody has won"),
    Measure("walls", "walls bought"),
    Measure("towers", "towers bought"),
    Measure("dear_parts", "walls and towers bought at the higher price"),
    Measure("cards_turned", "cards turned up, each once a round whoever has it"),
    Measure("contested", "… by several players at once", "cards_turned"),
    Measure("documents_drawn", "documents drawn"),
    Measure("documents_played", "documents played", "documents_drawn"),
    Measure("wasted", "ducats lost because of too many coins of a kind (G12)"),
    Measure("duels", "duels of two Black Knights"),
    Measure("jailings", "knights put into the dungeon"),
    Measure("ransoms", "knights ransomed", "jailings"),
    Measure("loots", "fields looted by the Black Knight"),
    Measure("looted", "ducats he looted"),
    Measure("raids", "raids"),
    Measure("raids_guarded", "raids cancelled by a castle guard", "raids"),
    Measure("raids_on_money", "raids that took a purse", "raids"),
    Measure("raids_on_parts", "raids that took a wall or tower", "raids"),
    Measure("raided", "ducats taken in raids"),
    Measure("tie_breaks", "games won by ducats, several castles being complete"),
    Measure("unfinished", "games stopped at max_rounds without a winner (G14)"),
)

TERMS = {
    "action card": "Aktionskarte / actiekaart",
    "monk": "Bruder Jakob / Broeder Jacob",
    "farmer": "Bauer Johann / Boer Johann",
    "craftsman": "Handwerksmeister / handwerkmeester",
    "Black Knight": "Schwarzer Ritter / Zwarte Ridder",
    "tax collector": "Steuereintreiber / belastinginner",
    "toll keeper": "Zöllner / tolheffer",
    "ducat card": "Dukatenkarte / dukatenkaart",
    "bag": "Dukatenbeutel / dukatenbuidel",
    "document": "Dokument / document",
    "seal": "Siegel / zegel",
    "gifts": "Geschenke / geschenken",
    "dungeon": "Kerker / kerker",
    "ransom": "Freikauf / vrij kopen",
    "raid": "Überfall / overval",
    "wall, tower": "Mauer, Turm / muur, toren",
    "castle": "Burg / burcht",
}


def prepare(players: int, options: Mapping[str, Any], deck_path: Path | None) -> Table:
    """Return the table of a full set of options and a deck (the default one without a path)."""
    deck = load_deck(deck_path)
    return Table(
        game=GAME,
        players=players,
        options=options,
        rules=make_rules(players, options, deck),
        deck=deck,
        cards=deck.cards(),
        checkpoints=min(CHECKPOINTS, options["max_rounds"]),
    )


GAME = Game(
    name="gluecksritter",
    title="Die Glücksritter",
    about="Everybody picks two of six cards in secret: money, walls, towers, documents, and a Black Knight.",
    edition="after a Dutch translation of the rules, whose long and short texts differ here and there",
    least_players=LEAST_PLAYERS,
    most_players=MOST_PLAYERS,
    options=OPTIONS,
    parameters=PARAMETERS,
    policies=POLICIES,
    default_policy="needs",
    strongest="mixer",
    measures=MEASURES,
    score_name="castle parts",
    checkpoint_name="round",
    terms=TERMS,
    state=STATE,
    policy=POLICY,
    most_moves=96,
    prepare=prepare,
    move_text=move_text,
    read_move=read_move,
    show=show,
    place=place,
    opening=opening,
    tell=tell,
    find_deck=find_deck,
    caveats=mix_caveats,
    ends_early=True,
)
