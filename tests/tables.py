"""Tables for tests: any game, any options, random legal ones too."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from analyzer.engine.game import Game, Option, Table


def table_of(game: Game, players: int, **options: Any) -> Table:
    """Return a table with the default options but for those given."""
    full = {option.key: option.default for option in game.options} | options
    return game.prepare(players, full, None)


def policies_of(game: Game, names: list[str]) -> np.ndarray:
    """Return the policy records of the named policies."""
    return game.encode_policies([game.parameters_of(game.policy_named(name)) for name in names])


def random_options(game: Game, random: Random) -> dict[str, Any]:
    """Return options of which each is the default or any allowed value."""
    return {option.key: option.default if random.random() < 0.5 else _any(option, random) for option in game.options}


def _any(option: Option, random: Random) -> Any:
    if option.is_flag:
        return random.random() < 0.5
    if option.most:
        return [_any_one(option, random) for _ in range(random.randint(1, min(option.most, 6)))]
    return _any_one(option, random)


def _any_one(option: Option, random: Random) -> Any:
    return random.choice(option.choices) if option.choices else random.randint(option.low, option.high)
