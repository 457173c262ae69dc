"""Which policy is best: all against all at tables of the scenario's size."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import NamedTuple

import numpy as np
import pandas as pd

from analyzer.answer import COUNT, SHARE, Answer, Chart, Column, Table, estimate, estimates
from analyzer.engine.chance import one_seed
from analyzer.engine.run import Play, Played, reduce_games
from analyzer.engine.tally import WHOLE_WIN
from analyzer.engine.threads import Workers, default_threads
from analyzer.errors import BadInput, suggest
from analyzer.scenarios import Scenario
from analyzer.stats import ratings
from analyzer.stats.intervals import CONFIDENCE, Estimate, mixture_reach, share_sequence
from analyzer.stats.ratings import POPULATION

ROUNDS = 8  # of an equal part of the games each
BASE_ROUNDS = 4  # in which every pair plays; after that only those still undecided
CORNERS = 600  # matrices at the ends of the intervals, for the range of alpha-rank
ALPHAS = tuple(float(2**step) for step in range(0, 15, 2))
_BLOCK = 2 * WHOLE_WIN  # the most a policy can win in an observation

Pair = tuple[int, int]


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

    def span(self, i: int, j: int) -> Estimate:
        """Return the share that one wins of another."""
        return Estimate(float(self.share[i, j]), float(self.low[i, j]), float(self.high[i, j]))

    def ordered(self, order: np.ndarray) -> Matrix:
        return Matrix(*(m[np.ix_(order, order)] for m in self))


def budget(
    scenario: Scenario, *, games: int | None = None, policies: Sequence[str] = (), seed: int | None = None
) -> int:
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
) -> Answer:
    """Let the policies (all of them, if none are named) play each other and rank them."""
    names = _checked(scenario, policies)
    pairs = list(combinations(range(len(names)), 2))
    asked, n_seats = budget(scenario, games=games, policies=names), len(scenario.seats)
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
    notes = scenario.game.caveats(scenario.table, [scenario.catalogue[name] for name in names])
    return answer(scenario, names, seed, asked, matches, interrupted, notes)


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
    notes: Sequence[str] = (),
) -> Answer:
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
    finding, n_games = _finding(names, matrix, loops), 2 * sum(match.n for match in matches.values())
    note = f"{n_games:,} games, seed {seed}"
    return Answer(
        study="rank",
        scenario=scenario,
        title=f"{scenario.title}: ranking",
        question=f"Which of {len(names)} policies is best at a table of {len(scenario.seats)}?",
        finding=finding,
        tables=(
            _ratings(_rating_table(names, matrix, rating, *ends), finding, note),
            _matchups(names, matrix, finding, note),
            *([_cycles(_cycle_table(names, matrix, loops))] if loops else []),
            _mix(mix, effective, note),
            _alphas(names, matrix),
        ),
        method=_method(scenario, seed, asked, n_games, interrupted),
        seed=seed,
        n_games=n_games,
        interrupted=interrupted,
        verdicts=(("order", _order(matrix, loops)),),
        notes=tuple(notes),
        facts={
            "policies": list(names),
            "games_asked": asked,
            "effective_strategies": effective._asdict(),
            "alpha": ALPHAS[-1],
            "equilibrium_by": "linear programming, HiGHS through scipy.optimize.linprog",
        },
    )


def _ratings(rated: pd.DataFrame, finding: str, note: str) -> Table:
    dominated = [str(row.policy) for row in rated.itertuples() if row.dominated_by]
    said = f"Dominated beyond error: {', '.join(dominated)}." if dominated else "None is dominated beyond error."
    return Table(
        "ratings",
        "Ratings (Elo points, mean 0)",
        rated,
        (Column("rating", unit="Elo points"),),
        "Bradley–Terry ratings on Elo's scale, mean 0: 400 points are odds of 10 to 1, 100 points win 64%. "
        f"Every pair has the same weight. {said}",
        Chart(
            "intervals",
            finding,
            "rating",
            "policy",
            axis="rating (Elo points, mean 0)",
            note=f"{note}; bars: 95% intervals that hold together",
        ),
        brief=True,
    )


def _matchups(names: Sequence[str], matrix: Matrix, finding: str, note: str) -> Table:
    met = _matchup_table(names, matrix)
    both_ways = pd.DataFrame(
        {
            "policy": names[i],
            "against": names[j],
        }
        | estimate("share", matrix.span(i, j))
        for i, j in permutations(range(len(names)), 2)
    )
    return Table(
        "matchups",
        "Matchups",
        met,
        (Column("share", unit=SHARE), Column("games", unit=COUNT, detail=True)),
        "Share of wins per seat when the two policies share a table, each as many seats as the other.",
        Chart(
            "matrix",
            finding if len(met) == 1 else _matchup_title(met),
            "share",
            down="policy",
            across="against",
            axis="share of wins per seat of the row",
            note=f"{note}; second line: 95% intervals that hold together; grey italics: undecided",
            frame=both_ways,
        ),
        brief=True,
    )


def _matchup_title(met: pd.DataFrame) -> str:
    sure = met[met["verdict"] != "undecided"]
    if not len(sure):
        return "No matchup is decided"
    closest = sure.iloc[int((sure["share"] - 0.5).abs().argmin())]
    ahead, behind, share = closest["policy"], closest["against"], closest["share"]
    if share < 0.5:
        ahead, behind, share = behind, ahead, 1 - share
    return (
        f"{len(sure)} of {len(met)} matchups are decided; the closest of them: {ahead} beats {behind} with {share:z.1%}"
    )


def _cycles(loops: pd.DataFrame) -> Table:
    return Table(
        "cycles",
        "Cycles of three, each link beyond error",
        loops,
        (Column("share", unit=SHARE),),
        "`share` is what the first of the weakest link wins of the other.",
        brief=True,
    )


def _mix(mix: pd.DataFrame, effective: Estimate, note: str) -> Table:
    number, low, high = effective
    return Table(
        "mix",
        f"Equilibrium mix, which amounts to {number:z.2f} strategies ({low:z.2f}–{high:z.2f}), and alpha-rank",
        mix,
        (Column("mix", unit=SHARE), Column("alpha_rank", "alpha-rank", SHARE)),
        "The mix no policy beats, and the time an evolving population spends with each.",
        Chart(
            "bars",
            _mix_title(mix),
            "mix",
            "policy",
            axis="share",
            note=f"{note}; bars: whatever the 95% intervals of the matchups allow",
            more={"columns": {"mix": "equilibrium mix", "alpha_rank": f"alpha-rank (alpha {ALPHAS[-1]:,.0f})"}},
        ),
        brief=True,
    )


def _mix_title(mix: pd.DataFrame) -> str:
    """Name who is in the mix; who may be is left out."""
    sure = mix[mix["mix_low"] > 0.005].sort_values("mix", ascending=False)
    if not len(sure):
        return "Which policies the equilibrium mixes is open"
    if sure.iloc[0].mix_low > 0.995:
        return f"In equilibrium all play {sure.iloc[0].policy}"
    return f"The equilibrium mixes {', '.join(f'{row.policy} {row.mix:z.0%}' for row in sure.itertuples())}"


def _alphas(names: Sequence[str], matrix: Matrix) -> Table:
    return Table(
        "alpha",
        "Alpha-rank by strength of selection",
        _alpha_table(names, matrix),
        tuple(Column(name, name, SHARE) for name in names),
        f"Populations of {POPULATION} on the shares as found, without intervals. "
        "What the last lines agree on is the limit of strong selection.",
    )


def _method(scenario: Scenario, seed: int, asked: int, n_games: int, interrupted: bool) -> str:
    spent = "all of them" if n_games * 1.05 > asked else "every pair was decided before they were spent"
    return (
        f"{n_games:,} games of {scenario.game.title} ({scenario.game.edition}), seed {seed}, of {asked:,} asked for "
        f"({'it was interrupted' if interrupted else spent}). The two policies of a pair sit by turns, seats rotate, "
        "and each deal is played twice with the parts exchanged; the two games are one observation. Half of the games "
        "go to all pairs alike, then games go to the pairs whose interval holds 50%. Intervals of matchups: "
        "normal-mixture confidence sequences of 95%, which hold together over all pairs (Bonferroni) and at whatever "
        "moment the games of a pair end; of ratings: their errors carried through the fit, with the same mixture, and "
        "no bound where nobody of a group was ever beaten; of mixes and their number: all equilibria of all matrices "
        f"within these intervals; of alpha-rank: its range over {CORNERS} matrices at their ends. Ratings: maximum "
        "likelihood, shared wins in parts, half a win and half a loss added to each pair. Equilibrium: linear "
        "programming with HiGHS (scipy.optimize.linprog) on the zero-sum game of shares less 1/2. Alpha-rank: one "
        f"population of {POPULATION}, alpha {ALPHAS[-1]:,.0f}. Dominated means: does worse than another against every "
        "policy, beyond error."
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
        }
        | estimate("share", matrix.span(i, j))
        | {"verdict": "wins" if matrix.low[i, j] > 0.5 else "loses" if matrix.high[i, j] < 0.5 else "undecided"}
        for i, j in combinations(range(len(names)), 2)
    ]
    return pd.DataFrame(rows)


def _rating_table(
    names: Sequence[str], matrix: Matrix, rating: np.ndarray, low: np.ndarray, high: np.ndarray
) -> pd.DataFrame:
    wins, losses = (matrix.low > 0.5).sum(axis=1), (matrix.high < 0.5).sum(axis=1)
    above = ratings.dominators(matrix.low, matrix.high)
    return pd.DataFrame(
        {"policy": names}
        | estimates("rating", map(Estimate, rating, low, high))
        | {
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
        | estimates("mix", _spans(mix, *bounds))
        | estimates("alpha_rank", _spans(time, np.min(times, axis=0), np.max(times, axis=0)))
    )
    least, most = ratings.number_bounds(matrix.high, *bounds)
    return table, Estimate(number, min(least, number), max(most, number))


def _spans(value: np.ndarray, low: np.ndarray, high: np.ndarray) -> Iterator[Estimate]:
    return map(Estimate, value, np.minimum(low, value), np.maximum(high, value))


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
            | estimate("share", matrix.span(i, j))
        )
    return pd.DataFrame(rows)


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
