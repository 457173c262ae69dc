"""What to do in a position: every legal move played on many times, with the same luck for all of them.

What a move is worth depends on who plays on. So the moves are ranked anew, in fewer games, where others
do, and the answer says whether the best move stays the best.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from analyzer.engine import files
from analyzer.engine.run import in_blocks, play_chunk, win_and_score
from analyzer.engine.tally import WHOLE_WIN
from analyzer.engine.trace import Walk
from analyzer.errors import BadInput, suggest
from analyzer.scenarios import Scenario, find_scenario, load_scenario
from analyzer.stats.intervals import Estimate, Method
from analyzer.stats.racing import Race, race
from analyzer.studies.replay import as_scenario, play_back, read_game

DEFAULT_GAMES = 50_000
BLOCK = 256  # games, and fewer where few are played
LEAST_GAMES = 128
VARIETY = 5  # percent of decisions at random of those who play on where nobody says who does
_FIRST_BLOCKS = 8
_LEAST_BLOCK = 16
_OTHERWISE = 4  # times fewer games for the moves where others play on
_MORE_WHIMS = 25  # percent, for the same players less sure of themselves


@dataclass(frozen=True)
class Question:
    """A position in which somebody has to decide: the scenario has its table and who plays on how."""

    scenario: Scenario
    seed: int
    position: np.ndarray
    seat: int
    moves: tuple[int, ...]
    where: str  # which position it is, in words

    @property
    def company(self) -> str:
        """Who plays on, in words."""
        return _company(self.scenario)

    @property
    def texts(self) -> list[str]:
        """The legal moves as one writes them."""
        table = self.scenario.table
        return [table.game.move_text(table, self.position[0], move) for move in self.moves]


@dataclass(frozen=True)
class Advice:
    """The answer: the moves ranked, with what choosing each costs."""

    question: Question
    games: int
    played: int
    moves: pd.DataFrame
    finding: str
    otherwise: pd.DataFrame  # who else may play on, and what becomes of the best move then


def read_question(
    name: str,
    *,
    policies: str = "",
    seed: int | None = None,
    game: int = 0,
    after: int = 0,
    check: Callable[[Scenario], None] = lambda scenario: None,
    wanted: Callable[[Any], bool] = lambda state: True,
    kind: str = "decision",
) -> Question:
    """Return the position that a written game leads to, or a game of a scenario.

    Parameters
    ----------
    name : a written game (`analyzer replay` reads the same), or a scenario.
    policies : who plays on: one policy for all, or one for each seat, with commas.
    game, after : of a scenario: the number of the game and how many moves have been played.
    check : refuses a scenario that the question does not fit.
    wanted : the policies play on to the first decision for which this holds; `kind` names it.
    """
    path = Path(name)
    if not path.is_file() or _is_scenario(path):
        scenario = load_scenario(find_scenario(name))
        check(scenario)
        if policies:
            scenario = _with_policies(scenario, policies)
        return question_at(scenario, seed=seed, game=game, after=after, wanted=wanted, kind=kind)
    scenario, walk = _written(path, policies)
    check(scenario)
    return _ask(scenario, walk, scenario.seed if seed is None else seed, str(path), 0, wanted, kind)


def question_at(
    scenario: Scenario,
    *,
    seed: int | None = None,
    game: int = 0,
    after: int = 0,
    wanted: Callable[[Any], bool] = lambda state: True,
    kind: str = "decision",
) -> Question:
    """Return a position of a game of a scenario, seats as listed."""
    seed = scenario.seed if seed is None else seed
    walk = Walk(scenario.table, seed, game)
    _walk_on(scenario, walk, lambda state, played: played == after)
    return _ask(scenario, walk, seed, f"game {game} of seed {seed}", after, wanted, kind)


def _ask(
    scenario: Scenario, walk: Walk, seed: int, where: str, played: int, wanted: Callable[[Any], bool], kind: str
) -> Question:
    """Let the policies play on to a decision that is wanted and put the question there."""
    played += _walk_on(scenario, walk, lambda state, _: wanted(state))
    seat, legal = walk.look()
    if seat < 0:
        raise BadInput(f"{scenario.name}: the game is over and no {kind} was left to make")
    moves = f", {played} moves played" if played else ""
    return Question(scenario, seed, walk.states.copy(), seat, tuple(legal), f"{where}{moves}")


def _is_scenario(path: Path) -> bool:
    try:
        return path.suffix == ".toml" and "seats" in files.read_toml(path)[0]
    except BadInput:
        return False  # the reader of written games says what is wrong


def _written(path: Path, policies: str) -> tuple[Scenario, Walk]:
    written = read_game(path)
    scenario = as_scenario(written, written.table.game.plays_on, DEFAULT_GAMES)
    scenario = _with_policies(scenario, policies) if policies else with_whims(scenario, VARIETY)
    *_, (_, walk) = play_back(written)
    return scenario, walk


def _with_policies(scenario: Scenario, policies: str) -> Scenario:
    game, n = scenario.game, len(scenario.seats)
    names = [name.strip() for name in policies.split(",")]
    names = names * n if len(names) == 1 else names
    known = [policy.name for policy in game.policies]
    for name in names:
        if name not in known:
            raise BadInput(f"no policy {name!r}; there are: {', '.join(known)}{suggest(name, known)}")
    if len(names) != n:
        raise BadInput(f"{len(names)} policies for {n} seats: give one, or one for each seat")
    settings = tuple(game.parameters_of(game.policy_named(name)) for name in names)
    return replace(scenario, seats=tuple(names), settings=settings)


def with_whims(scenario: Scenario, percent: int) -> Scenario:
    """Return the scenario with players who take at least so many decisions at random."""
    settings = tuple({**own, "whim": max(percent, own.get("whim", 0))} for own in scenario.settings)
    return replace(scenario, settings=settings)


def _company(scenario: Scenario) -> str:
    """Say who plays on: the policies, and how often they take a decision at random."""
    names = list(dict.fromkeys(scenario.seats))
    said = names[0] if len(names) == 1 else ", ".join(scenario.seats)
    whims = {
        own.get("whim", 0) for own, name in zip(scenario.settings, scenario.seats, strict=True) if name != "random"
    }
    return f"{said}, {max(whims)}% whims" if whims and max(whims) else said


def others(question: Question) -> list[Question]:
    """Return the question with others who play on: another policy, and the same players with more whims."""
    scenario = question.scenario
    game = scenario.game
    known = [policy.name for policy in game.policies if policy.name != "random"]
    order = dict.fromkeys((game.plays_on, game.default_policy, *known))
    other = next((name for name in order if set(scenario.seats) != {name}), None)
    least = min(own.get("whim", 0) for own in scenario.settings)
    changed = [with_whims(_with_policies(scenario, other), least)] if other else []
    if any(p.key == "whim" for p in game.parameters) and set(scenario.seats) != {"random"}:
        changed.append(with_whims(scenario, _MORE_WHIMS))
    return [replace(question, scenario=one) for one in changed]


def _walk_on(scenario: Scenario, walk: Walk, there: Callable[[Any, int], bool]) -> int:
    """Let the policies move until `there(state, moves so far)` or the end; return how often they moved."""
    policies, played = scenario.policies, 0
    seat, _ = walk.look()
    while seat >= 0 and not there(walk.state, played):
        walk.play(walk.choose(policies[seat]))
        played += 1
        seat, _ = walk.look()
    return played


def default_games(question: Question) -> int:
    """Return the most games for a move: no more than the scenario plays, and fewer where slow policies play on."""
    return max(LEAST_GAMES, min(_affordable(question.scenario), question.scenario.games))


def _affordable(scenario: Scenario) -> int:
    """Return how many games these players are asked to play at most where nobody says how many."""
    return DEFAULT_GAMES // max(scenario.game.policy_named(name).slow for name in scenario.seats)


def _games_otherwise(question: Question, games: int) -> int:
    """Return the most games for a move where others play on."""
    return max(LEAST_GAMES, min(games // _OTHERWISE, _affordable(question.scenario)))


def budget(question: Question, games: int) -> int:
    """Return how many games an answer plays at most."""
    n = len(question.moves)
    asked_anew = sum(_games_otherwise(other, games) for other in others(question)) if n > 1 else 0
    return n * (games + asked_anew)


def advise(
    question: Question,
    *,
    games: int = DEFAULT_GAMES,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Advice:
    """Race the legal moves of a position against each other, then see what becomes of it where others play on."""
    result, played = _race(question, games, threads, progress)
    table = _ranked(question, result)
    rows = []
    for other in others(question) if len(question.moves) > 1 else ():
        again, more = _race(other, _games_otherwise(other, games), threads, progress)
        rows.append(_compared(other, again, result.best))
        played += more
    otherwise = pd.DataFrame(rows, columns=_OTHERWISE_COLUMNS)
    otherwise.attrs["shares"] = ("price",)
    said = [finding(table), said_of_others(str(table["move"][0]), otherwise), _said_of_chance(result, question)]
    return Advice(question, games, played, table, " ".join(filter(None, said)), otherwise)


def _race(question: Question, games: int, threads: int | None, progress: Callable[[int], None]) -> tuple[Race, int]:
    """Race the moves; return how it ended and how many games were played."""
    scenario, policies, played = question.scenario, question.scenario.policies, 0
    block = max(_LEAST_BLOCK, min(BLOCK, games // (4 * _FIRST_BLOCKS)))

    def play(candidate: int, first: int, count: int) -> np.ndarray:
        move = question.moves[candidate]
        tally = play_chunk(
            scenario.table, policies, question.seed, first, count, position=question.position, first_move=move
        )
        return win_and_score(tally, question.seat)

    def count(n: int) -> None:
        nonlocal played
        played += n
        progress(n)

    def sample(candidates: list[int], first: int, blocks: int) -> np.ndarray:
        return in_blocks(play, candidates, first * block, blocks, block, threads=threads, progress=count)

    most = max(_FIRST_BLOCKS, games // block)
    return race(len(question.moves), sample, block=block, first_blocks=_FIRST_BLOCKS, most_blocks=most), played


def _ranked(question: Question, result: Race) -> pd.DataFrame:
    """Return the moves with what choosing each costs, the best first."""
    n = len(question.moves)
    columns: dict[str, Any] = {"move": question.texts, "games": [result.games(c) for c in range(n)]}
    for name, rows, unit in (
        ("win", [_win(result, c) for c in range(n)], 1),
        ("score", [result.mean(c, 1) for c in range(n)], 1),
        ("price", [_price(result, c) for c in range(n)], WHOLE_WIN),
        ("score_price", [result.behind(c, 1) for c in range(n)], 1),
    ):
        columns |= {name: [r.estimate / unit for r in rows]}
        columns |= {f"{name}_low": [r.low / unit for r in rows], f"{name}_high": [r.high / unit for r in rows]}
    words = {True: "not told from the best", False: "worse"}
    columns["verdict"] = ["best" if c == result.best else words[c in result.alive] for c in range(n)]
    table = pd.DataFrame(columns).assign(_out=[c not in result.alive for c in range(n)])
    table = table.sort_values(["_out", "win"], ascending=[True, False], kind="stable").drop(columns="_out")
    table = table.reset_index(drop=True)
    table.attrs["shares"] = ("price",)
    return table


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
    """Return what a move costs against the best; where neither varied, with what so many games leave room for."""
    price, low, high = result.behind(candidate)
    if candidate != result.best and _never_varied(result, candidate) and _never_varied(result, result.best):
        room = Method().share(0, result.games(candidate), result.comparisons).high * WHOLE_WIN
        low, high = price - room, price + room
    return Estimate(price, max(-WHOLE_WIN, low), min(WHOLE_WIN, high))  # a move costs a whole win at most


_SAME, _LEVEL, _OTHER = "stays the best", "not told from the best", "is worse"
_OTHERWISE_COLUMNS = ["who", "games", "best", "price", "price_low", "price_high", "verdict"]


def _compared(other: Question, again: Race, move: int) -> tuple[Any, ...]:
    """Return what becomes of the move that was best before where others play on."""
    price = Estimate(*(value / WHOLE_WIN for value in _price(again, move)))
    verdict = _SAME if move == again.best else _LEVEL if move in again.alive else _OTHER
    return (other.company, again.games(again.best), other.texts[again.best], *price, verdict)


def said_of_others(move: str, otherwise: pd.DataFrame) -> str:
    """Say how far the answer depends on who plays on."""
    worse = otherwise[otherwise["verdict"] == _OTHER]
    if len(worse):
        cases = "; ".join(f"with {r.who} {r.best} is best and {move} loses {r.price:z.1%}" for r in worse.itertuples())
        return f"It depends on who plays on: {cases}."
    level = otherwise[otherwise["verdict"] == _LEVEL]
    if len(level):
        cases = "; ".join(f"with {r.who} it cannot be told from {r.best}" for r in level.itertuples())
        return f"The order is not settled where others play on: {cases}."
    return f"{move} stays the best with {' and with '.join(otherwise['who'])}." if len(otherwise) else ""


def _said_of_chance(result: Race, question: Question) -> str:
    """Say where nothing in the playouts was left to chance, and what they leave out then."""
    if not all(_never_varied(result, c) for c in range(len(question.moves))):
        return ""
    return (
        f"With {question.company} every playout of a move ended alike: nothing was left to chance, and what the "
        "others might do instead is not covered."
    )


def finding(moves: pd.DataFrame) -> str:
    """Say which moves are best, and only what the intervals bear out."""
    best = moves.iloc[0]
    level = [str(m) for m in moves.loc[moves["verdict"] == "not told from the best", "move"]]
    if len(moves) == 1:
        return f"{best.move} is the only legal move; it wins {best.win:.1%}."
    if not level:
        return f"{best.move} is best and wins {best.win:.1%}; the next best loses {moves.iloc[1].price:z.1%}."
    if len(level) + 1 == len(moves):
        return f"No move can be told from the others; {best.move} wins {best.win:.1%}."
    others = ", ".join(level[:2]) + (f" and {len(level) - 2} more" if len(level) > 2 else "")
    worst = moves.iloc[-1]
    return f"{best.move} wins {best.win:.1%} and cannot be told from {others}; {worst.move} loses {worst.price:z.1%}."


def as_json(result: Advice, extra: Sequence[str] = ()) -> dict[str, Any]:
    """Return the answer as one document; `extra` names further columns of the moves."""
    question = result.question

    def part(row: Mapping[Any, Any], name: str) -> dict[str, float]:
        return {"estimate": row[name], "low": row[f"{name}_low"], "high": row[f"{name}_high"]}

    return {
        "game": question.scenario.game.name,
        "position": question.where,
        "seat": question.seat + 1,
        "policies": list(question.scenario.seats),
        "plays_on": question.company,
        "seed": question.seed,
        "games": result.played,
        "finding": result.finding,
        "moves": [
            {"move": row["move"], "games": row["games"], "verdict": row["verdict"]}
            | {name: part(row, name) for name in ("win", "score", "price", "score_price")}
            | {name: row[name] for name in extra}
            for row in result.moves.to_dict("records")
        ],
        "otherwise": [
            {"plays_on": row["who"], "games": row["games"], "best": row["best"], "verdict": row["verdict"]}
            | {"price": part(row, "price")}
            for row in result.otherwise.to_dict("records")
        ],
    }
