"""What to do in a position: every legal move played on many times, with the same luck for all of them."""

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
from analyzer.scenario import Scenario, find_scenario, load_scenario
from analyzer.stats.racing import race
from analyzer.studies.replay import as_scenario, play_back, read_game

DEFAULT_GAMES = 50_000
BLOCK = 256  # games, and fewer where few are played
_FIRST_BLOCKS = 8
_LEAST_BLOCK = 16


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
    scenario = as_scenario(written, written.table.game.default_policy, DEFAULT_GAMES)
    if policies:
        scenario = _with_policies(scenario, policies)
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
    """Return the most games for a move: no more than the scenario, which knows how slow its policies are, plays."""
    return min(DEFAULT_GAMES, question.scenario.games)


def advise(
    question: Question,
    *,
    games: int = DEFAULT_GAMES,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Advice:
    """Race the legal moves of a position against each other."""
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

    n = len(question.moves)
    most = max(_FIRST_BLOCKS, games // block)
    result = race(n, sample, block=block, first_blocks=_FIRST_BLOCKS, most_blocks=most)
    columns: dict[str, Any] = {"move": question.texts, "games": [result.games(c) for c in range(n)]}
    for name, rows, unit in (
        ("win", [result.share(c, WHOLE_WIN) for c in range(n)], 1),
        ("score", [result.mean(c, 1) for c in range(n)], 1),
        ("price", [result.behind(c) for c in range(n)], WHOLE_WIN),
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
    return Advice(question, games, played, table, finding(table))


def finding(moves: pd.DataFrame) -> str:
    """Say which moves are best, and only what the intervals bear out."""
    best = moves.iloc[0]
    level = [str(m) for m in moves.loc[moves["verdict"] == "not told from the best", "move"]]
    if len(moves) == 1:
        return f"{best.move} is the only legal move; it wins {best.win:.1%}."
    if not level:
        return f"{best.move} is best and wins {best.win:.1%}; the next best loses {moves.iloc[1].price:.1%}."
    if len(level) + 1 == len(moves):
        return f"No move can be told from the others; {best.move} wins {best.win:.1%}."
    others = ", ".join(level[:2]) + (f" and {len(level) - 2} more" if len(level) > 2 else "")
    worst = moves.iloc[-1]
    return f"{best.move} wins {best.win:.1%} and cannot be told from {others}; {worst.move} loses {worst.price:.1%}."


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
        "seed": question.seed,
        "games": result.played,
        "finding": result.finding,
        "moves": [
            {"move": row["move"], "games": row["games"], "verdict": row["verdict"]}
            | {name: part(row, name) for name in ("win", "score", "price", "score_price")}
            | {name: row[name] for name in extra}
            for row in result.moves.to_dict("records")
        ],
    }
