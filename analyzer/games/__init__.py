"""The registry: every game this program plays, in order."""

from __future__ import annotations

from analyzer.engine.game import Game
from analyzer.errors import BadInput, suggest
from analyzer.games.fredericus import GAME as FREDERICUS
from analyzer.games.gluecksritter import GAME as GLUECKSRITTER
from analyzer.games.ivanhoe import GAME as IVANHOE
from analyzer.games.ritter import GAME as RITTER

GAMES: dict[str, Game] = {game.name: game for game in (RITTER, GLUECKSRITTER, IVANHOE, FREDERICUS)}


def game_named(name: str) -> Game:
    """Return a game by its name, or say which there are."""
    if name not in GAMES:
        raise BadInput(f"no game {name!r}; there are: {', '.join(GAMES)}{suggest(name, GAMES)}")
    return GAMES[name]
