"""Which policy is best: all against all at tables of the scenario's size."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analyzer.engine.chance import one_seed
from analyzer.engine.run import Play, Played, reduce_games
from analyzer.engine.tally import WHOLE_WIN
from analyzer.engine.threads import Workers, default_threads
from analyzer.errors import BadInput, suggest
from analyzer.scenarios import Scenario
from analyzer.stats import ratings
from analyzer.stats.intervals import CONFIDENCE, Estimate, mixture_reach, share_sequence

ROUNDS = 8  # of an equal part of the games each
BASE_ROUNDS = 4  # in which every pair plays; after that only those still undecided
CORNERS = 600  # matrices at the ends of the intervals, for the range of alpha-rank
ALPHAS = tuple(float(2**step) for step in range(0, 15, 2))
_BLOCK = 2 * WHOLE_WIN  # the most a policy can win in an observation

Pair = tuple[int, int]


@dataclass(frozen=True)
class Rank:
    """The answer: tables with intervals, and what they bear out."""

    scenario: Scenario
    seed: int
    asked: int
    n_games: int
    interrupted: bool
    options: Mapping[str, Any]  # what was asked for beyond the scenario
    policies: tuple[str, ...]  # the best first
    matrix: Matrix
    matchups: pd.DataFrame
    ratings: pd.DataFrame
    mix: pd.DataFrame
    alphas: pd.DataFrame
    cycles: pd.DataFrame
    effective: Estimate
    finding: str
    verdicts: tuple[tuple[str, str], ...]

    @property
    def interval(self) -> str:
        return (
            "matchups: normal-mixture confidence sequences of 95%, which hold together over all pairs (Bonferroni) and "
            "at whatever moment the games of a pair end; ratings: their errors carried through the fit, with the same "
            "mixture, and no bound where nobody of a group was ever beaten; mixes and their number: all equilibria of "
            f"all matrices within these intervals; alpha-rank: its range over {CORNERS} matrices at their ends"
        )


@dataclass(frozen=True)
class Match:
    """What two policies did: sums over observations of the first one's wins, in units of 1/5040."""

    total: int = 0
    squares: int = 0
    n: int = 0  # observations, of two games each

    def __add__(self, other: Match) -> Match:
        return Match(self.total + other.total, self.squares + other.squares, self.n + other.n)

    def interval(self, n_pairs: int, tuned_to: float) -> Estimate:
        """The share of wins with an interval that holds at any moment, together with those of all pairs."""
        alpha = (1 - CONFIDENCE) / n_pairs
        return share_sequence(self.total / _BLOCK, self.squares / _BLOCK**2, self.n, alpha, tuned_to)

    @property
    def smoothed(self) -> tuple[float, float]:
        """The share of wins and its standard error with half a win and half a loss added: never 0, never 1."""
        n = self.n + 1
        mean, squares = (self.total / _BLOCK + 0.5) / n, (self.squares / _BLOCK**2 + 0.5) / n
        return mean, math.sqrt((squares - mean * mean) / n)


class Matrix(NamedTuple):
    """The matches as matrices, a row and a column for each policy."""

    games: np.ndarray
    share: np.ndarray
    low: np.ndarray
    high: np.ndarray
    smoothed: np.ndarray
    error: np.ndarray

    def ordered(self, order: np.ndarray) -> Matrix:
        return Matrix(*(m[np.ix_(order, order)] for m in self))


def budget(scenario: Scenario, games: int | None = None, policies: Sequence[str] = ()) -> int:
    """Return how many games may be played: by default the scenario's number for each policy."""
    return games or scenario.games * len(policies or scenario.catalogue)


def rank(
    scenario: Scenario,
    *,
    policies: Sequence[str] = (),
    seed: int | None = None,
    games: int | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Rank:
    """Let the policies (all of them, if none are named) play each other and rank them."""
    names = _checked(scenario, policies)
    pairs = list(combinations(range(len(names)), 2))
    asked, n_seats = budget(scenario, games, names), len(scenario.seats)
    least = 2 * n_seats * len(pairs)
    if asked < least:
        raise BadInput(
            f"{asked:,} games are too few: {len(pairs)} pairs of policies at {n_seats} seats need {least:,}; "
            "give more --games or fewer --policies"
        )
    seed = scenario.seed if seed is None else seed
    threads = threads or default_threads()
    with Workers(threads) as pool:

        def meet(pair: Pair, first: int, count: int) -> tuple[Match, bool]:
            tables = _both_ways(scenario, names[pair[0]], names[pair[1]], seed)
            run = reduce_games(
                tables,
                count,
                _wins_of_first,
                first=first,
                threads=threads,
                logged=True,
                progress=lambda n: progress(2 * n),
                executor=pool,
            )
            return run.result or Match(), run.interrupted

        matches, interrupted = play_pairs(pairs, asked, n_seats, meet)
    options = {"policies": list(names)} if policies else {}
    return answer(scenario, names, seed, asked, matches, interrupted, options)


def _checked(scenario: Scenario, policies: Sequence[str]) -> tuple[str, ...]:
    known = scenario.catalogue
    for name in policies:
        if name not in known:
            raise BadInput(f"no policy {name!r}; there are: {', '.join(known)}{suggest(name, known)}")
    names = tuple(dict.fromkeys(policies or known))
    if len(names) < 2:
        raise BadInput("name at least two policies to rank")
    return names


def play_pairs(
    pairs: Sequence[Pair], asked: int, n_seats: int, meet: Callable[[Pair, int, int], tuple[Match, bool]]
) -> tuple[dict[Pair, Match], bool]:
    """Play round after round; every pair first, then the undecided ones, until all are decided or the games end.

    `meet` plays a pair, from a game number on, so many observations, and says whether it was
    interrupted. Each time it is given numbers that are still free, so pairs are independent of each
    other. Who plays next depends on results only, never on the threads.
    """
    matches = dict.fromkeys(pairs, Match())
    tuned_to, number = _tuned_to(asked, len(pairs)), 0
    for part in range(1, ROUNDS + 1):
        chosen = [
            pair
            for pair, match in matches.items()
            if part <= BASE_ROUNDS or _is_open(match.interval(len(pairs), tuned_to))
        ]
        left = asked * part // ROUNDS // 2 - number
        each = left // max(1, len(chosen)) // n_seats * n_seats  # each seat as often as the others
        for pair in chosen if each else ():
            played, interrupted = meet(pair, number, each)
            matches[pair] += played
            number += each
            if interrupted:
                return matches, True
    return matches, False


def _tuned_to(asked: int, n_pairs: int) -> float:
    return max(1.0, asked / (2 * n_pairs))


def _is_open(span: Estimate) -> bool:
    return span.low <= 0.5 <= span.high


def _both_ways(scenario: Scenario, one: str, other: str, seed: int) -> list[Play]:
    """Return the two tables of an observation: seated by turns, and the same with the parts exchanged.

    Both play the same deal and dice. With an odd number of seats each policy has the odd seat once. So
    both have as many seats, and the share of all wins is the share of wins per seat.
    """
    n_seats = len(scenario.seats)
    return [
        Play(
            scenario.table,
            scenario.game.encode_policies([scenario.catalogue[turns[seat % 2]] for seat in range(n_seats)]),
            one_seed(seed),
        )
        for turns in ((one, other), (other, one))
    ]


def _wins_of_first(played: Sequence[Played]) -> Match:
    """Return what the first policy won: it has the even entrants at the first table, the odd ones at the second."""
    straight, swapped = played
    wins = straight.log.win[:, 0::2].sum(axis=1, dtype=np.int64)
    wins += swapped.log.win[:, 1::2].sum(axis=1, dtype=np.int64)
    return Match(int(wins.sum()), int((wins * wins).sum()), len(wins))


def answer(
    scenario: Scenario,
    names: Sequence[str],
    seed: int,
    asked: int,
    matches: Mapping[Pair, Match],
    interrupted: bool = False,
    options: Mapping[str, Any] | None = None,
) -> Rank:
    """Turn the matches into tables; the best-rated policy comes first."""
    tuned_to = _tuned_to(asked, len(matches))
    matrix = _matrix(len(names), matches, tuned_to)
    rated = ratings.bradley_terry(matrix.smoothed, matrix.error)
    order = np.argsort(-rated.rating, kind="stable")
    names, matrix = tuple(names[i] for i in order), matrix.ordered(order)
    least = max(1, min(match.n for match in matches.values()))
    reach = mixture_reach(least, (1 - CONFIDENCE) / len(names), tuned_to)
    rating = rated.rating[order]
    no_low, no_high = ratings.unbounded(matrix.share)
    error = reach * rated.error[order]
    ends = np.where(no_low, -np.inf, rating - error), np.where(no_high, np.inf, rating + error)
    mix, effective = _mix_table(names, matrix, seed)
    loops = ratings.cycles(matrix.low)
    return Rank(
        scenario=scenario,
        seed=seed,
        asked=asked,
        n_games=2 * sum(match.n for match in matches.values()),
        interrupted=interrupted,
        options=options or {},
        policies=names,
        matrix=matrix,
        matchups=_matchup_table(names, matrix),
        ratings=_rating_table(names, matrix, rating, *ends),
        mix=mix,
        alphas=_alpha_table(names, matrix),
        cycles=_cycle_table(names, matrix, loops),
        effective=effective,
        finding=_finding(names, matrix, loops),
        verdicts=(("order", _order(matrix, loops)),),
    )


def _matrix(k: int, matches: Mapping[Pair, Match], tuned_to: float) -> Matrix:
    half, none = np.full((k, k), 0.5), np.zeros((k, k))
    matrix = Matrix(none.astype(np.int64), half, half.copy(), half.copy(), half.copy(), none)
    for (i, j), match in matches.items():
        span = match.interval(len(matches), tuned_to)
        mean, error = match.smoothed
        share = span.estimate if match.n else 0.5
        both = (2 * match.n, share, span.low, span.high, mean, error)
        back = (2 * match.n, 1 - share, 1 - span.high, 1 - span.low, 1 - mean, error)
        for entries, there, here in zip(matrix, both, back, strict=True):
            entries[i, j], entries[j, i] = there, here
    return matrix


def _matchup_table(names: Sequence[str], matrix: Matrix) -> pd.DataFrame:
    rows = [
        {
            "policy": names[i],
            "against": names[j],
            "games": int(matrix.games[i, j]),
            "share": matrix.share[i, j],
            "share_low": matrix.low[i, j],
            "share_high": matrix.high[i, j],
            "verdict": "wins" if matrix.low[i, j] > 0.5 else "loses" if matrix.high[i, j] < 0.5 else "undecided",
        }
        for i, j in combinations(range(len(names)), 2)
    ]
    return pd.DataFrame(rows)


def _rating_table(
    names: Sequence[str], matrix: Matrix, rating: np.ndarray, low: np.ndarray, high: np.ndarray
) -> pd.DataFrame:
    wins, losses = (matrix.low > 0.5).sum(axis=1), (matrix.high < 0.5).sum(axis=1)
    above = ratings.dominators(matrix.low, matrix.high)
    return pd.DataFrame(
        {
            "policy": names,
            "rating": rating,
            "rating_low": low,
            "rating_high": high,
            "beats": wins,
            "loses_to": losses,
            "undecided": len(names) - 1 - wins - losses,
            "dominated_by": [", ".join(names[j] for j in better) for better in above],
        }
    )


def _mix_table(names: Sequence[str], matrix: Matrix, seed: int) -> tuple[pd.DataFrame, Estimate]:
    """The equilibrium mix and alpha-rank, and how many strategies the mix amounts to."""
    alpha, rng = ALPHAS[-1], np.random.default_rng(seed)
    mix, time = ratings.equilibrium(matrix.smoothed), ratings.alpha_rank(matrix.smoothed, alpha)
    times = [ratings.alpha_rank(m, alpha) for m in ratings.corners(matrix.low, matrix.high, rng, CORNERS)]
    number, bounds = ratings.effective_number(mix), ratings.mix_bounds(matrix.high)
    table = pd.DataFrame(
        {"policy": names}
        | _spans("mix", mix, *bounds)
        | _spans("alpha_rank", time, np.min(times, axis=0), np.max(times, axis=0))
    )
    least, most = ratings.number_bounds(matrix.high, *bounds)
    return table, Estimate(number, min(least, number), max(most, number))


def _spans(name: str, value: np.ndarray, low: np.ndarray, high: np.ndarray) -> dict[str, np.ndarray]:
    return {name: value, f"{name}_low": np.minimum(low, value), f"{name}_high": np.maximum(high, value)}


def _alpha_table(names: Sequence[str], matrix: Matrix) -> pd.DataFrame:
    """Alpha-rank of the shares as found, from weak selection to strong: what it settles on is the limit."""
    times = [ratings.alpha_rank(matrix.smoothed, alpha) for alpha in ALPHAS]
    return pd.DataFrame(
        {"alpha": [int(alpha) for alpha in ALPHAS]} | dict(zip(names, np.transpose(times), strict=True))
    )


def _cycle_table(names: Sequence[str], matrix: Matrix, loops: Sequence[tuple[int, int, int]]) -> pd.DataFrame:
    rows = []
    for loop in loops:
        steps = list(zip(loop, (*loop[1:], loop[0]), strict=True))
        i, j = min(steps, key=lambda step: matrix.low[step])  # the link most in doubt
        rows.append(
            {"cycle": _loop_text(names, loop), "weakest_link": f"{names[i]} against {names[j]}"}
            | {"share": matrix.share[i, j], "share_low": matrix.low[i, j], "share_high": matrix.high[i, j]}
        )
    return pd.DataFrame(rows, columns=["cycle", "weakest_link", "share", "share_low", "share_high"])


def _loop_text(names: Sequence[str], loop: tuple[int, int, int]) -> str:
    return " beats ".join(names[i] for i in (*loop, loop[0]))


def _undecided(matrix: Matrix) -> int:
    return int(np.triu((matrix.low <= 0.5) & (matrix.high >= 0.5), 1).sum())


def _order(matrix: Matrix, loops: Sequence[tuple[int, int, int]]) -> str:
    """Return `cycles`, `ladder` (every pair decided, no cycle) or `undecided`."""
    return "cycles" if loops else "undecided" if _undecided(matrix) else "ladder"


def _finding(names: Sequence[str], matrix: Matrix, loops: Sequence[tuple[int, int, int]]) -> str:
    """Say who is best and what the order is, and only what the intervals bear out."""
    k = len(names)
    wins = (matrix.low > 0.5).sum(axis=1)
    unbeaten = [names[i] for i in range(k) if not (matrix.high[i] < 0.5).any()]
    if wins.max() == k - 1:
        best = f"{names[int(wins.argmax())]} beats {'all others' if k > 2 else names[int(wins.argmin())]}"
    elif len(unbeaten) == k:
        best = "No policy is shown to lose to another"
    elif len(unbeaten) > 1:
        best = f"{', '.join(unbeaten[:-1])} and {unbeaten[-1]} are unbeaten, which of them is best is open"
    elif unbeaten:
        best = f"{unbeaten[0]} alone is unbeaten"
    else:
        best = "Every policy is beaten by another"
    n_open = _undecided(matrix)
    left = f"{n_open} of {k * (k - 1) // 2} pairs {'is' if n_open == 1 else 'are'} undecided"
    if loops:
        count = "a cycle of three:" if len(loops) == 1 else f"{len(loops)} cycles of three, such as"
        order = f"the order has {count} {_loop_text(names, loops[0])}"
        return f"{best}; {order}{f'; {left}' if n_open else ''}."
    if n_open:
        return f"{best}; no cycle shows, {left}."
    return f"{best}; the order is a ladder without cycles." if k > 2 else f"{best}."


def as_json(result: Rank) -> dict[str, Any]:
    """Return the answer as one document."""

    def part(row: Any, name: str) -> dict[str, float]:
        return {"estimate": row[name], "low": row[f"{name}_low"], "high": row[f"{name}_high"]}

    def rows(table: pd.DataFrame, keys: Sequence[str], spans: Sequence[str]) -> list[dict[str, Any]]:
        return [
            {key: row[key] for key in keys} | {name: part(row, name) for name in spans}
            for row in table.to_dict("records")
        ]

    return {
        "game": result.scenario.game.name,
        "scenario": result.scenario.name,
        "seed": result.seed,
        "games": result.n_games,
        "games_asked": result.asked,
        "interrupted": result.interrupted,
        "finding": result.finding,
        "verdicts": [list(verdict) for verdict in result.verdicts],
        "ratings": rows(result.ratings, ["policy", "beats", "loses_to", "undecided", "dominated_by"], ["rating"]),
        "matchups": rows(result.matchups, ["policy", "against", "games", "verdict"], ["share"]),
        "mix": rows(result.mix, ["policy"], ["mix", "alpha_rank"]),
        "effective_strategies": result.effective._asdict(),
        "alpha": ALPHAS[-1],
        "cycles": rows(result.cycles, ["cycle", "weakest_link"], ["share"]),
        "interval": result.interval,
        "equilibrium_by": "linear programming, HiGHS through scipy.optimize.linprog",
    }
