"""Luck against skill: where the variance of winning comes from, and how far skill carries."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from analyzer.engine.chance import one_seed
from analyzer.engine.run import Play, Played, play_games, reduce_games
from analyzer.engine.tally import WHOLE_WIN, Tally
from analyzer.scenario import Scenario
from analyzer.stats.intervals import Method
from analyzer.studies.metrics import block_chunk

_MEANINGS = {
    "policy": "who plays",
    "seat": "where one sits",
    "deal": "the deal",
    "dice": "dice and draws",
    "whim": "the policies' own coin flips",
    "together": "these in combination",
}


def luck_table(scenario: Scenario, tally: Tally, seed: int, games: int, threads: int | None = None) -> pd.DataFrame:
    """Return the shares of the variance of winning.

    The same deal played again with other dice and other whims agrees with the first game as far as the
    deal decides: the covariance of the two results is the deal's part. The dice and the whims have
    theirs found alike; the parts of seats and policies are those of their mean results.
    """
    n = len(scenario.seats)
    usual = tally.win[:, :, 0] / np.maximum(1, tally.seated) / WHOLE_WIN  # [entrant, seat]
    weight = tally.seated / tally.seated.sum()
    fair = 1 / n
    total = float(tally.win[:, :, 1].sum()) / tally.seated.sum() / WHOLE_WIN**2 - fair**2
    other = seed + 1
    kept = [(seed, other, other), (other, seed, other), (other, other, seed)]
    plays = [Play(scenario.table, scenario.policies, seeds, scenario.rotate) for seeds in (one_seed(seed), *kept)]

    def reduce(played: Sequence[Played]) -> np.ndarray:
        """Sum over games, for each kept stream, the product of what was won beyond the usual; and its square."""
        n_games = len(played[0].log.win)
        shift = (played[0].first + np.arange(n_games)) % n if scenario.rotate else np.zeros(n_games, int)
        seats = (np.arange(n) + shift[:, None]) % n
        expected = usual[np.arange(n), seats]
        beyond = [one.log.win / WHOLE_WIN - expected for one in played]
        products = np.stack([(beyond[0] * b).mean(axis=1) for b in beyond[1:]])
        return np.stack([products.sum(axis=1), (products**2).sum(axis=1)])

    run = reduce_games(plays, games, reduce, threads=threads, chunk=block_chunk(n, len(plays), games), logged=True)
    assert run.result is not None
    sums, played_games = run.result, run.n_games
    parts = {}
    for name, axis in (("policy", 1), ("seat", 0)):
        means = (usual * weight).sum(axis=axis) / weight.sum(axis=axis)
        steep = 2 * (means - fair) / n  # how the part changes with each mean
        spread = float((steep**2 * means * (1 - means)).sum())
        parts[name] = (float(((means - fair) ** 2).mean()), Method().reach(spread, tally.n_games, 5))
    for name, (product, square) in zip(("deal", "dice", "whim"), sums.T, strict=True):
        mean = product / played_games
        parts[name] = (mean, Method().reach(max(0.0, square / played_games - mean**2), played_games, 5))
    rest = total - sum(part for part, _ in parts.values())
    parts["together"] = (rest, math.hypot(*(reach for _, reach in parts.values())))
    return pd.DataFrame(
        [
            {
                "part": name,
                "meaning": _MEANINGS[name],
                "share": part / total,
                "share_low": (part - reach) / total,
                "share_high": (part + reach) / total,
            }
            for name, (part, reach) in parts.items()
        ]
    )


def ladder_table(scenario: Scenario, seed: int, games: int, threads: int | None = None) -> pd.DataFrame:
    """Return each shipped policy's win share at a table of random players, from the worst to the best."""
    game, n = scenario.game, len(scenario.seats)
    method = Method()
    rows = []
    for policy in game.policies:
        settings = [game.parameters_of(policy)] + [game.parameters_of(game.policy_named("random"))] * (n - 1)
        tally = play_games(scenario.table, game.encode_policies(settings), seed, games, threads=threads).tally
        found = method.share(int(tally.win[0, :, 0].sum()) / WHOLE_WIN, tally.n_games, len(game.policies))
        rows.append({"policy": policy.name, "win": found.estimate, "win_low": found.low, "win_high": found.high})
    return pd.DataFrame(rows).sort_values("win", kind="stable", ignore_index=True)
