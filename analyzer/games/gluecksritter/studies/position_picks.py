"""One position in which cards are picked: the mix of each group of seats, what each pair wins, what could be gained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analyzer.answer import COUNT, POINTS, SHARE, Chart, Column, Table, estimate
from analyzer.engine.game import Table as GameTable
from analyzer.engine.tally import WHOLE_WIN
from analyzer.games.gluecksritter.game import GAME
from analyzer.games.gluecksritter.learning import Tries, solve_position, with_mix
from analyzer.games.gluecksritter.mix import PAIR_NAMES
from analyzer.games.gluecksritter.rules import N_PAIRS
from analyzer.games.gluecksritter.story import pair_in_words
from analyzer.games.gluecksritter.studies.effort import Effort
from analyzer.stats.intervals import CONFIDENCE, Estimate, wilson, z_value

MIXER = "mixer"
ALL = "all"  # the group of seats, where all stand alike
_SHOWN = 3  # pairs named in a sentence


@dataclass(frozen=True)
class PositionPicks:
    """The equilibrium of one position: `pairs` has a row for each group of seats that stand alike and pair."""

    name: str
    players: int
    pairs: pd.DataFrame
    gains: tuple[tuple[str, Estimate], ...]  # the regret left, by seats
    games: int
    caveats: tuple[str, ...] = ()

    @property
    def finding(self) -> str:
        shown = 1 if len(self.gains) > 1 else _SHOWN
        tops = [
            self.picked_most(seats, shown) if seats == ALL else f"{called(seats)} {self.picked_most(seats, shown)}"
            for seats, _ in self.gains
        ]
        seats, gain = max(self.gains, key=lambda item: item[1].estimate)
        who = "a single player" if seats == ALL else f"one of {called(seats)}" if " " in seats else called(seats)
        return (
            f"{self.name}: {', '.join(tops)}; {who} can gain "
            f"{100 * gain.estimate:z.1f} points at most ({100 * gain.low:z.1f} to {100 * gain.high:z.1f})."
        )

    def picked_most(self, seats: str, shown: int = _SHOWN) -> str:
        """Name the pairs that some seats pick most."""
        own = self.pairs[self.pairs["seats"] == seats]
        if not own["win"].any():
            return "won no game, whatever was picked"
        best = own.sort_values("picked", ascending=False, kind="stable").head(shown)
        return ", ".join(f"{row.pair} {row.picked:z.0%}" for row in best.itertuples())


def called(seats: str) -> str:
    """Return a group of seats in words: everybody, seat 2, seats 1 and 3."""
    return "everybody" if seats == ALL else f"seat{'s' if ' ' in seats else ''} {seats}"


def solve(
    name: str,
    table: GameTable,
    position: np.ndarray,
    mix: np.ndarray | None,
    seed: int,
    effort: Effort,
    threads: int | None,
    progress: Callable[[int], None],
) -> PositionPicks:
    """Find the equilibrium of a position that a mix plays on, the shipped one if none is given."""
    parameters = GAME.parameters_of(GAME.policy_named(MIXER))
    policies = GAME.encode_policies([parameters] * 2) if mix is None else with_mix(table, parameters, mix, mix)
    tries = Tries(table, threads, progress)
    solved = solve_position(
        table, position, policies, seed, effort.solve_steps, effort.solve_games, effort.solve_last, tries
    )
    rows, gains = [], []
    n = solved.games
    for row, mixed in enumerate(solved.mixes):
        group = [str(seat + 1) for seat in solved.groups[row]]
        seats = ALL if len(group) == table.players else " and ".join([", ".join(group[:-1]), group[-1]][-len(group) :])
        choices = [pair for pair in range(N_PAIRS) if solved.is_open[row, pair]]
        z = z_value(CONFIDENCE, len(choices))
        prices = {}
        for pair in choices:
            win = wilson(int(solved.wins[row, pair]) / WHOLE_WIN, n, z)
            prices[pair] = _difference(mixed - np.eye(N_PAIRS)[pair], solved.wins[row], solved.products[row], n, z)
            rows.append(
                {"seats": seats, "pair": PAIR_NAMES[pair], "cards": pair_in_words(pair), "picked": mixed[pair]}
                | estimate("win", win)
                | estimate("price", prices[pair])
            )
        best = min(prices.values())
        gains.append((seats, Estimate(-best.estimate, -best.high, -best.low)))
    pairs = pd.DataFrame(rows).sort_values(["seats", "picked"], ascending=[True, False], ignore_index=True)
    caveats = tuple(GAME.caveats(table, [parameters])) if mix is None else ()
    return PositionPicks(name, table.players, pairs, tuple(gains), tries.games, caveats)


def _difference(weights: np.ndarray, wins: np.ndarray, products: np.ndarray, n: int, z: float) -> Estimate:
    """Return the mean of a weighted sum of the pairs' wins, tried in the same games, with its interval.

    No narrower than Wilson's for something that n games did not show once: sums that never differed
    could have.
    """
    mean = float(weights @ wins) / n / WHOLE_WIN
    square = float(weights @ products @ weights) / n / WHOLE_WIN**2
    reach = max(z * max(0.0, square - mean * mean) ** 0.5 / max(1, n - 1) ** 0.5, z * z / (n + z * z))
    return Estimate(mean, mean - reach, mean + reach)


def position_table(found: PositionPicks, seed: int, brief: bool) -> Table:
    """Return what each pair wins in a position, and how often it is picked."""
    is_one = len(found.gains) == 1
    frame = found.pairs.assign(seats=[called(seats) for seats in found.pairs["seats"]])
    return Table(
        f"position-{found.name.replace(' ', '-')}",
        found.name.capitalize(),
        found.pairs.drop(columns="seats") if is_one else found.pairs,
        (
            Column("cards", detail=not is_one),
            Column("picked", unit=SHARE),
            Column("win", "wins", SHARE),
            Column("price", unit=POINTS),
        ),
        f"{found.finding} Price: win share lost against the mix by picking this pair.",
        Chart(
            "heat",
            found.finding,
            "picked",
            across="pair",
            down="seats",
            note=f"share of the picks; {found.games:,} games, seed {seed}",
            frame=frame.sort_values("pair", kind="stable"),
            more={"down": ""},
        ),
        brief=brief,
    )


def regret_table(found: Sequence[PositionPicks]) -> Table:
    """Return what a single player could still gain in each position."""
    rows = [
        {"position": one.name, "players": one.players, "seats": seats, "picked_most": one.picked_most(seats)}
        | estimate("gain", gain)
        for one in found
        for seats, gain in one.gains
    ]
    return Table(
        "regret",
        "What the mixes leave to gain",
        pd.DataFrame(rows),
        (Column("players", unit=COUNT), Column("gain", "gain at most", POINTS)),
        "The most that a single player could win more by always picking one pair.",
        brief=True,
    )
