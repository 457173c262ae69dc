"""The games that must keep to the contract: those of the registry, and Pig, which is not shipped."""

from __future__ import annotations

import pytest

from analyzer.games import GAMES
from tests.pig.game import GAME as PIG

EVERY = {**GAMES, PIG.name: PIG}
EVERY_GAME = pytest.mark.parametrize("game", EVERY.values(), ids=list(EVERY))
