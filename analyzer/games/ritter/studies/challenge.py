"""Whom to challenge: each legal challenge with the odds of its joust and what it is worth in the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from analyzer.engine.trace import copy_record
from analyzer.games.ritter.habits import yield_map
from analyzer.games.ritter.joust import ATTACKER, DEFENDER, Rider, solve
from analyzer.games.ritter.state import CHALLENGE, about, owner
from analyzer.games.ritter.studies.joust import require_ritter
from analyzer.studies.advise import DEFAULT_GAMES, Advice, Question, advise, read_question

ODDS = ("odds", "nobody", "own_out", "other_out")


def read_challenge(name: str, **options: Any) -> Question:
    """Return a position with a challenge to make: the next one from where a game or a scenario leads."""

    def wanted(state: Any) -> bool:
        return int(state.phase) == CHALLENGE

    return read_question(name, check=require_ritter, wanted=wanted, kind="challenge", **options)


def challenge(
    question: Question,
    *,
    games: int = DEFAULT_GAMES,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Advice:
    """Rank the challenges by rollouts and set the exact odds of each joust beside them."""
    result = advise(question, games=games, threads=threads, progress=progress)
    odds = {text: _odds(question, move) for text, move in zip(question.texts, question.moves, strict=True)}
    table = result.moves.copy()
    for i, name in enumerate(ODDS):
        table.insert(1 + i, name, [odds[text][i] for text in table["move"]])
    table.attrs["shares"] = (*result.moves.attrs["shares"], *ODDS)
    return replace(result, moves=table)


def _odds(question: Question, move: int) -> tuple[float, float, float, float]:
    """Return the chances that the challenger wins, that nobody does, and that each is out, as the policies play."""
    table, s = question.scenario.table, question.position[0]
    rules = copy_record(table.rules)
    rules.wounded_attack = 0  # the dice that wounds cost today are in the state (R26)
    riders, yields = [], []
    pair = (about(move) // 10, about(move) % 10)
    for side, k in zip((ATTACKER, DEFENDER), pair, strict=True):
        riders.append(Rider(int(s.dice[k] - s.lamed[k]), tuple(int(c) for c in s.cover[k]), int(s.wounds[k])))
        policy = question.scenario.policies[owner(table, k)]
        yields.append(yield_map(table, question.position, policy, *pair, side))
    ends = solve(rules, riders[0], riders[1], (yields[0], yields[1]))
    return float(ends.winner[0]), float(ends.winner[2]), *ends.out
