"""What to do in a position: every legal move played on many times, with the same luck for all of them.

What a move is worth depends on who plays on. So the moves are ranked anew, in fewer games, where others
do, and the answer says whether the best move stays the best.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analyzer.answer import COUNT, POINTS, SHARE, Answer, Chart, Column, Table, estimate, estimates
from analyzer.engine.run import in_blocks, play_chunk, win_and_score
from analyzer.engine.tally import WHOLE_WIN
from analyzer.scenarios import Scenario
from analyzer.stats.intervals import Estimate, Method
from analyzer.stats.racing import Race, race
from analyzer.studies.decision import DEFAULT_GAMES, Decision, affordable, others, read_decision
from analyzer.study import Question

BLOCK = 256  # games, and fewer where few are played
LEAST_GAMES = 128
_FIRST_BLOCKS = 8
_LEAST_BLOCK = 16
_OTHERWISE = 4  # times fewer games for the moves where others play on
_DRAWN = 24  # moves that a chart has room for


@dataclass(frozen=True)
class Advice:
    """What came of playing a position on: the moves ranked, with what choosing each costs."""

    decision: Decision
    played: int
    moves: pd.DataFrame
    otherwise: pd.DataFrame  # who else may play on, and what becomes of the best move then
    by_chance: bool  # whether anything in the playouts was left to chance
    interrupted: bool = False

    @property
    def best(self) -> str:
        return str(self.moves["move"][0])

    @property
    def finding(self) -> str:
        """Say which moves are best, how far that depends on who plays on, and what the playouts leave out."""
        said = [finding(self.moves), said_of_others(self.best, self.otherwise)]
        if not self.by_chance:
            said.append(
                f"With {self.decision.company} every playout of a move ended alike: nothing was left to chance, and "
                "what the others might do instead is not covered."
            )
        return " ".join(filter(None, said))

    @property
    def facts(self) -> dict[str, Any]:
        """Which position it was and who played on, for programs."""
        at = self.decision
        return {
            "position": at.where,
            "seat": at.seat + 1,
            "policies": list(at.scenario.seats),
            "plays_on": at.company,
        }


def read(position: str | Scenario, policy: str, game: int, after: int, games: int | None, seed: int | None) -> Question:
    """Read in which position to decide."""
    return question_of(read_decision(position, policies=policy, seed=seed, game=game, after=after), games)


def question_of(decision: Decision, games: int | None) -> Question:
    """Return the question which of its moves to play, with the most games for each."""
    return Question(decision, decision.scenario, {"games": games or default_games(decision)})


def default_games(decision: Decision) -> int:
    """Return the most games for a move: no more than the scenario plays, and fewer where slow policies play on."""
    return max(LEAST_GAMES, min(affordable(decision.scenario), decision.scenario.games))


def budget(decision: Decision, games: int = DEFAULT_GAMES) -> int:
    """Return how many games an answer plays at most."""
    n = len(decision.moves)
    asked_anew = sum(_games_otherwise(other, games) for other in others(decision)) if n > 1 else 0
    return n * (games + asked_anew)


def _games_otherwise(decision: Decision, games: int) -> int:
    """Return the most games for a move where others play on."""
    return max(LEAST_GAMES, min(games // _OTHERWISE, affordable(decision.scenario)))


def advise(
    decision: Decision,
    *,
    games: int = DEFAULT_GAMES,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Answer:
    """Rank the legal moves of a position."""
    return answer("advise", weigh(decision, games=games, threads=threads, progress=progress))


def weigh(
    decision: Decision,
    *,
    games: int = DEFAULT_GAMES,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Advice:
    """Race the legal moves of a position against each other, then see what becomes of it where others play on.

    An interruption of the second part leaves the first.
    """
    result, played = _race(decision, games, threads, progress)
    rows, interrupted = [], False
    try:
        for other in others(decision) if len(decision.moves) > 1 else ():
            again, more = _race(other, _games_otherwise(other, games), threads, progress)
            rows.append(_compared(other, again, result.best))
            played += more
    except KeyboardInterrupt:
        interrupted = True
    return Advice(
        decision,
        played,
        _ranked(decision, result),
        pd.DataFrame(rows, columns=_OTHERWISE_COLUMNS),
        not all(_never_varied(result, c) for c in range(len(decision.moves))),
        interrupted,
    )


def _race(decision: Decision, games: int, threads: int | None, progress: Callable[[int], None]) -> tuple[Race, int]:
    """Race the moves; return how it ended and how many games were played."""
    scenario, policies, played = decision.scenario, decision.scenario.policies, 0
    block = max(_LEAST_BLOCK, min(BLOCK, games // (4 * _FIRST_BLOCKS)))

    def play(candidate: int, first: int, count: int) -> np.ndarray:
        move = decision.moves[candidate]
        tally = play_chunk(
            scenario.table, policies, decision.seed, first, count, position=decision.position, first_move=move
        )
        return win_and_score(tally, decision.seat)

    def count(n: int) -> None:
        nonlocal played
        played += n
        progress(n)

    def sample(candidates: list[int], first: int, blocks: int) -> np.ndarray:
        return in_blocks(play, candidates, first * block, blocks, block, threads=threads, progress=count)

    most = max(_FIRST_BLOCKS, games // block)
    return race(len(decision.moves), sample, block=block, first_blocks=_FIRST_BLOCKS, most_blocks=most), played


_BEST, _OPEN, _WORSE = "best", "not told from the best", "worse"


def _ranked(decision: Decision, result: Race) -> pd.DataFrame:
    """Return the moves with what choosing each costs, the best first."""
    every = range(len(decision.moves))
    told = {True: _OPEN, False: _WORSE}
    table = pd.DataFrame(
        {"move": decision.texts, "games": [result.games(c) for c in every]}
        | estimates("win", [_win(result, c) for c in every])
        | estimates("score", [result.mean(c, 1) for c in every])
        | estimates("price", [_price(result, c) for c in every])
        | estimates("score_price", [result.behind(c, 1) for c in every])
        | {"verdict": [_BEST if c == result.best else told[c in result.alive] for c in every]}
    ).assign(_out=[c not in result.alive for c in every])
    table = table.sort_values(["_out", "win"], ascending=[True, False], kind="stable", ignore_index=True)
    return table.drop(columns="_out")


def _never_varied(result: Race, candidate: int) -> bool:
    """Return whether every block of a move's playouts gave the same."""
    sums = result.sums[candidate]
    return bool((sums == sums[0]).all())


def _win(result: Race, candidate: int) -> Estimate:
    """Return a move's share of wins; where no playout differed, with what so many games leave room for."""
    if not _never_varied(result, candidate):
        return result.share(candidate, WHOLE_WIN)
    won, n = int(result.sums[candidate][:, 0].sum()) / WHOLE_WIN, result.games(candidate)
    return Method().share(won, n, len(result.sums))


def _price(result: Race, candidate: int) -> Estimate:
    """Return the share of wins that a move costs; where nothing varied, with what so many games leave room for."""
    price = result.behind(candidate)
    if candidate != result.best and _never_varied(result, candidate) and _never_varied(result, result.best):
        room = Method().share(0, result.games(candidate), result.comparisons).high * WHOLE_WIN
        price = Estimate(price.estimate, price.estimate - room, price.estimate + room)
    most = price.within(-WHOLE_WIN, WHOLE_WIN)  # a move costs a whole win at most
    return Estimate(*(value / WHOLE_WIN for value in most))


_SAME, _LEVEL, _OTHER = "stays the best", "not told from the best", "is worse"
_OTHERWISE_COLUMNS = ["who", "games", "best", "price", "price_low", "price_high", "verdict"]


def _compared(other: Decision, again: Race, move: int) -> dict[str, Any]:
    """Return what becomes of the move that was best before where others play on."""
    best = again.best
    verdict = _SAME if move == best else _LEVEL if move in again.alive else _OTHER
    row = {"who": other.company, "games": again.games(best), "best": other.texts[best], "verdict": verdict}
    return row | estimate("price", _price(again, move))


def said_of_others(move: str, otherwise: pd.DataFrame) -> str:
    """Say how far the answer depends on who plays on."""
    worse = otherwise[otherwise["verdict"] == _OTHER]
    if len(worse):
        cases = "; ".join(
            f"with {r.who} {r.best} is best and {move} loses {_points(r.price)}" for r in worse.itertuples()
        )
        return f"It depends on who plays on: {cases}."
    level = otherwise[otherwise["verdict"] == _LEVEL]
    if len(level):
        cases = "; ".join(f"with {r.who} it cannot be told from {r.best}" for r in level.itertuples())
        return f"The order is not settled where others play on: {cases}."
    return f"{move} stays the best with {' and with '.join(otherwise['who'])}." if len(otherwise) else ""


def finding(moves: pd.DataFrame) -> str:
    """Say which moves are best, and only what the intervals bear out."""
    best = moves.iloc[0]
    level = [str(m) for m in moves.loc[moves["verdict"] == _OPEN, "move"]]
    if len(moves) == 1:
        return f"{best.move} is the only legal move; it wins {best.win:.1%}."
    if not level:
        return f"{best.move} is best and wins {best.win:.1%}; the next best loses {_points(moves.iloc[1].price)}."
    if len(level) + 1 == len(moves):
        return f"No move can be told from the others; {best.move} wins {best.win:.1%}."
    named = ", ".join(level[:2]) + (f" and {len(level) - 2} more" if len(level) > 2 else "")
    worst = moves.iloc[-1]
    return (
        f"{best.move} wins {best.win:.1%} and cannot be told from {named}; {worst.move} loses {_points(worst.price)}."
    )


def _points(share: Any) -> str:
    return f"{100 * share:z.1f} points"


def answer(study: str, advice: Advice, text: str = "", columns: Sequence[Column] = ()) -> Answer:
    """Tell what came of playing a position on; `text` and `columns` are on what a study adds to the moves."""
    at = advice.decision
    return Answer(
        study=study,
        scenario=at.scenario,
        title=f"{at.scenario.title}: {at.where}; seat {at.seat + 1} to decide",
        question=f"What is the best move in {at.where}?",
        finding=advice.finding,
        tables=tables(advice, text, columns),
        method=method(advice),
        seed=at.seed,
        n_games=advice.played,
        interrupted=advice.interrupted,
        notes=tuple(at.scenario.caveats),
        facts=advice.facts,
    )


def method(advice: Advice) -> str:
    """Say how the moves of a position were compared."""
    at = advice.decision
    cut = " It was interrupted: what others would make of it is missing." if advice.interrupted else ""
    return (
        f"{advice.played:,} games from the position, seed {at.seed}; all play on as {at.company}.{cut} Comparisons are "
        "paired over blocks of games and pay for all pairs and looks (Bonferroni, 95%); the intervals of the moves' "
        "own wins and scores hold together."
    )


_PRICE = Column("price", unit=POINTS)
_GAMES = Column("games", unit=COUNT)


def tables(
    advice: Advice, text: str = "", columns: Sequence[Column] = (), title: str = "The legal moves, ranked"
) -> tuple[Table, ...]:
    """Return the ranked moves, and how far that depends on who plays on, if there is anything to say."""
    at = advice.decision
    moves = Table(
        "moves",
        title,
        advice.moves,
        (Column("win", "wins", SHARE), _PRICE, _GAMES, Column("score_price", detail=True), *columns),
        "price: what the move costs in wins against the best, in points, paired on the same luck. Moves that are "
        f"clearly worse stopped early. {text}".rstrip(),
        Chart(
            "intervals",
            finding(advice.moves),
            "win",
            "move",
            axis=f"share of games won by seat {at.seat + 1}",
            note=f"rollouts with the same luck, seed {at.seed}; bars: 95% intervals that hold together",
            frame=advice.moves.head(_DRAWN),
        ),
        brief=True,
    )
    otherwise = Table(
        "otherwise",
        f"{advice.best}, where others play on than {at.company}",
        advice.otherwise,
        (Column("who", "who plays on"), Column("best", "best there"), _PRICE, _GAMES),
        f"price: what {advice.best} costs in wins against the best move there, in points. The moves were ranked anew, "
        "in fewer games.",
        brief=True,
    )
    return (moves, otherwise) if len(advice.otherwise) else (moves,)
