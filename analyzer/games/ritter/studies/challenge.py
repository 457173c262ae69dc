"""Whom to challenge: each legal challenge with the odds of its joust and what it is worth in the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from analyzer.answer import SHARE, Answer, Column
from analyzer.engine.trace import copy_record
from analyzer.games.ritter.habits import yield_map
from analyzer.games.ritter.joust import ATTACKER, DEFENDER, Rider, solve
from analyzer.games.ritter.state import CHALLENGE, about, owner
from analyzer.games.ritter.studies.entrants import require_ritter
from analyzer.scenarios import Scenario
from analyzer.studies.advise import answer, question_of, weigh
from analyzer.studies.decision import DEFAULT_GAMES, Decision, read_decision
from analyzer.study import Question

ODDS = ("odds", "nobody", "own_out", "other_out")


def read(position: str | Scenario, policy: str, game: int, after: int, games: int | None, seed: int | None) -> Question:
    """Read in which position to challenge."""
    return question_of(read_challenge(position, policies=policy, seed=seed, game=game, after=after), games)


def read_challenge(given: str | Scenario, **options: Any) -> Decision:
    """Return a position with a challenge to make: the next one from where a game or a scenario leads."""

    def wanted(state: Any) -> bool:
        return int(state.phase) == CHALLENGE

    return read_decision(given, check=require_ritter, wanted=wanted, kind="challenge", **options)


def challenge(
    decision: Decision,
    *,
    games: int = DEFAULT_GAMES,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Answer:
    """Rank the challenges by rollouts and set the exact odds of each joust beside them."""
    advice = weigh(decision, games=games, threads=threads, progress=progress)
    odds = {text: _odds(decision, move) for text, move in zip(decision.texts, decision.moves, strict=True)}
    table = advice.moves.copy()
    for i, name in enumerate(ODDS):
        table.insert(1 + i, name, [odds[text][i] for text in table["move"]])
    return answer(
        "challenge",
        replace(advice, moves=table),
        "odds: exact chance that the challenger wins the joust; then that nobody does, and that each is out.",
        [Column(name, unit=SHARE) for name in ODDS],
    )


def _odds(decision: Decision, move: int) -> tuple[float, float, float, float]:
    """Return the chances that the challenger wins, that nobody does, and that each is out, as the policies play."""
    table, s = decision.scenario.table, decision.position[0]
    rules = copy_record(table.rules)
    rules.wounded_attack = 0  # the dice that wounds cost today are in the state (R26)
    riders, yields = [], []
    pair = (about(move) // 10, about(move) % 10)
    for side, k in zip((ATTACKER, DEFENDER), pair, strict=True):
        riders.append(Rider(int(s.dice[k] - s.lamed[k]), tuple(int(c) for c in s.cover[k]), int(s.wounds[k])))
        policy = decision.scenario.policies[owner(table, k)]
        yields.append(yield_map(table, decision.position, policy, *pair, side))
    ends = solve(rules, riders[0], riders[1], (yields[0], yields[1]))
    return float(ends.winner[0]), float(ends.winner[2]), *ends.out
