"""How many games go into each part of `picks`."""

from __future__ import annotations

from dataclasses import dataclass

from analyzer.games.gluecksritter import tuning
from analyzer.games.gluecksritter.game import GAME
from analyzer.games.gluecksritter.learning import FIT_GAMES, N_RESPONSES, REFIT
from analyzer.games.gluecksritter.rules import N_PAIRS


@dataclass(frozen=True)
class Effort:
    """How many games go into each part of the answer."""

    learn_steps: int = 120
    learn_games: int = 8_000
    respond_steps: int = 3
    respond_games: int = 40_000
    match_games: int = 100_000
    pair_games: int = 20_000
    solve_steps: int = 60
    solve_games: int = 500
    solve_last: int = 20_000
    search_steps: int = 2
    search_games: int = 4_000

    def scaled(self, percent: int) -> Effort:
        """Return this effort with all numbers of games scaled; the steps stay."""
        scale = {name: max(100, n * percent // 100) for name, n in vars(self).items() if not name.endswith("steps")}
        return Effort(**{**vars(self), **scale})

    def whole_game(self) -> int:
        """Return how many games the study of a whole game plays."""
        fits = (self.learn_steps + REFIT - 1) // REFIT + 1
        # shipped policies but the mixer, the responses, the best of them again, the searched parameters
        matches = len(GAME.policies) + N_RESPONSES + 1
        return (
            self.learn_steps * self.learn_games
            + fits * FIT_GAMES
            + self.respond_steps * self.respond_games
            + matches * self.match_games
            + (N_PAIRS + 1) * self.pair_games
            + tuning.trials(self.search_steps) * self.search_games
        )

    def position(self, rows: int) -> int:
        """Return how many games the study of a position with this many mixes plays."""
        return rows * (self.solve_steps * self.solve_games + self.solve_last)
