"""Luck against skill: what the deal, the dice and the whims change of who wins, and how far skill carries.

The *total effect* of the dice is the part of the variance of winning that stays open when all else is
known: half the mean square of what changes for a player when the same game is played again with other
dice (Jansen 1999; the total index of Sobol and of Homma and Saltelli 1996). It asks what the dice
change in this game, not what the streams of random numbers share, so it does not depend on how dice
are drawn. The parts add up to more than the whole where luck of one kind hangs on luck of another.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd
from scipy import special

from analyzer.answer import SHARE, Chart, Column, Table, estimate
from analyzer.engine.chance import one_seed
from analyzer.engine.run import Play, Played, play_games, reduce_games
from analyzer.engine.tally import WHOLE_WIN, Tally
from analyzer.scenarios import Scenario
from analyzer.stats.intervals import Estimate, Method
from analyzer.studies.metrics import block_chunk

LUCK, SKILL = ("deal", "dice"), "skill"  # the targets for which more is played than the scenario's own games
_MEANINGS = {
    "policy": "who plays",
    "seat": "where one sits",
    "deal": "the deal, all else the same",
    "dice": "dice and draws, all else the same",
    "whim": "the policies' own coin flips, all else the same",
}


def luck_tables(scenario: Scenario, luck: pd.DataFrame, ladder: pd.DataFrame, note: str) -> Iterator[Table]:
    """Yield the tables of luck and of skill, as far as there are any."""
    if len(luck):
        share = luck.set_index("part")["share"]
        yield Table(
            "luck",
            "Luck and skill",
            luck,
            (Column("share", unit=SHARE), Column("part", data=True)),
            "Where the variance of winning comes from. Deal, dice and whims: what stays open when all else is known, "
            "from the same games with only that changed; where they work together the parts add up to more than 100%.",
            Chart(
                "intervals",
                f"All else the same, the deal makes {share['deal']:z.0%} and the dice {share['dice']:z.0%} of the "
                "variance of winning",
                "share",
                "meaning",
                axis="share of the variance of winning",
                note=note,
            ),
        )
    if len(ladder):
        yield Table(
            "ladder",
            "Skill ladder",
            ladder,
            (Column("win", "wins", SHARE),),
            "Each policy alone at a table of random players.",
            Chart(
                "intervals",
                _ladder_title(ladder),
                "win",
                "policy",
                axis="share of games won",
                note=note,
                reference=(1 / len(scenario.seats), "fair share"),
            ),
        )


def _ladder_title(ladder: pd.DataFrame) -> str:
    """Name the best against random players, if it can be told."""
    best, others = ladder.iloc[-1], ladder.iloc[:-1]
    if len(others) and best.win_low <= others["win_high"].max():
        return f"The best win {best.win:z.0%} against random players; which is best is open"
    return f"{best.policy} wins {best.win:z.0%} against random players"


def luck_table(
    scenario: Scenario, tally: Tally, seed: int, games: int, threads: int | None = None, at_once: int = len(_MEANINGS)
) -> pd.DataFrame:
    """Return the shares of the variance of winning, of which `at_once` intervals hold together.

    Policies and seats have the variance of their mean results; deal, dice and whims their total effects.
    """
    n, other = len(scenario.seats), seed + 1
    changed = {"deal": (other, seed, seed), "dice": (seed, other, seed), "whim": (seed, seed, other)}
    seeds = [one_seed(seed), *changed.values()]
    plays = [Play(scenario.table, scenario.policies, three, scenario.rotate) for three in seeds]

    def reduce(played: Sequence[Played]) -> np.ndarray:
        """Sum over games, for each change, the powers and the product of what changed and of what may vary."""
        wins = [one.log.win / WHOLE_WIN for one in played]
        varies = ((wins[0] - 1 / n) ** 2).mean(axis=1)
        moved = np.stack([((wins[0] - w) ** 2).mean(axis=1) / 2 for w in wins[1:]], axis=1)
        whole = np.broadcast_to(varies[:, None], moved.shape)
        return np.stack([moved, whole, moved**2, moved * whole, whole**2], axis=1).sum(axis=0)

    run = reduce_games(plays, games, reduce, threads=threads, chunk=block_chunk(n, len(plays), games), logged=True)
    if run.result is None or run.interrupted:
        raise KeyboardInterrupt
    total = float(tally.win[:, :, 1].sum()) / tally.seated.sum() / WHOLE_WIN**2 - 1 / n**2
    won = tally.win[:, :, 0] / WHOLE_WIN / tally.n_games  # [entrant, seat]
    parts = {
        name: spread_of_means(won.sum(axis=axis), tally.n_games, total, at_once)
        for name, axis in (("policy", 1), ("seat", 0))
    }
    for name, sums in zip(changed, run.result.T, strict=True):
        parts[name] = _ratio(sums, run.n_games, n, at_once)
    return pd.DataFrame(
        [{"part": name, "meaning": _MEANINGS[name]} | estimate("share", found) for name, found in parts.items()]
    )


def _ratio(sums: np.ndarray, games: int, players: int, at_once: int) -> Estimate:
    """Return a total effect from the sums of a change x and of the variance y, of xx, xy and yy.

    A ratio of means: its variance is that of x less the ratio times y, on the scale of y.
    """
    x, y, xx, xy, yy = (sums / games).tolist()
    if y <= 0:
        return Estimate(0.0, 0.0, 1.0)
    ratio = x / y
    variance = max(0.0, xx - 2 * ratio * xy + ratio * ratio * yy) / y**2 * games / max(1, games - 1)
    reach = Method().reach(variance, games, at_once, unit=1 / (players * y))  # a game changes 1/players at most
    return Estimate(min(1.0, ratio), min(1.0, ratio) - reach, ratio + reach).within(0.0, 1.0)


def spread_of_means(means: np.ndarray, games: int, total: float, at_once: int) -> Estimate:
    """Return how much of the variance `total` of winning the differences of players' mean results are.

    A win is shared out among the players, so their results are negatively correlated, and chance alone
    spreads the means by (1 - Σ mean²) / games, which is taken off. All means together are no farther from
    the truth than the root of chi-square (of n - 1) times the largest variance in any direction, which
    is at most the largest mean and at most 1/2 (a game shares out one win); the root of the part is off by
    no more than that, by the triangle inequality. Assumes enough games for normal means.
    """
    n = len(means)
    miss = (1 - Method().confidence) / at_once
    spread = float(((means - means.mean()) ** 2).sum())
    noise = (1 - float((means**2).sum())) / games
    steepest = min(0.5, float(means.max()) + 1 / games)
    far = math.sqrt(steepest / games * float(special.chdtri(n - 1, miss)))
    ends = max(0.0, math.sqrt(spread) - far) ** 2, (math.sqrt(spread) + far) ** 2
    return Estimate(max(0.0, spread - noise), *ends).scaled(1 / (n * total)).within(0.0, 1.0)


def ladder_table(
    scenario: Scenario, seed: int, games: int, threads: int | None = None, at_once: int = 1
) -> pd.DataFrame:
    """Return each shipped policy's win share at a table of random players, from the worst to the best.

    Its rows hold together with `at_once` - 1 other numbers, so they hold for the best, picked afterwards.
    """
    game, n = scenario.game, len(scenario.seats)
    method, rows_at_once = Method(), len(game.policies) + at_once - 1
    rows = []
    for policy in game.policies:
        settings = [game.parameters_of(policy)] + [game.parameters_of(game.policy_named("random"))] * (n - 1)
        run = play_games(scenario.table, game.encode_policies(settings), seed, games, threads=threads)
        if run.interrupted:
            raise KeyboardInterrupt
        found = method.share(int(run.tally.win[0, :, 0].sum()) / WHOLE_WIN, run.n_games, rows_at_once)
        rows.append({"policy": policy.name} | estimate("win", found))
    return pd.DataFrame(rows).sort_values("win", kind="stable", ignore_index=True)
