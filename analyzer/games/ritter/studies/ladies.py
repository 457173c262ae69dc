"""Whom to offer a favour: who pleases whom, what each offer of a deal is worth, which way of offering wins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from analyzer.engine.run import play_games
from analyzer.errors import BadInput
from analyzer.games.ritter.cards import Deck, short
from analyzer.games.ritter.rules import knights_each, make_rules
from analyzer.games.ritter.state import OFFER
from analyzer.games.ritter.studies.joust import require_ritter
from analyzer.scenarios import Scenario
from analyzer.stats.intervals import Method
from analyzer.studies import odds
from analyzer.studies.advise import Advice, Question, advise, question_at, read_question
from analyzer.studies.advise import as_json as advice_json

DEFAULT_GAMES = 50_000
# How a player who else follows the rulebook weighs an offer; `calculating` offers as that policy does.
OFFERS: dict[str, dict[str, int]] = {
    "own first": {"offer_own": 100, "offer_strength": 1, "offer_match": 2, "offer_block": 0},
    "strongest knight": {"offer_own": 0, "offer_strength": 10, "offer_match": 1, "offer_block": 0},
    "surest match": {"offer_own": 0, "offer_strength": 1, "offer_match": 20, "offer_block": 0},
    "block a rival": {"offer_own": 2, "offer_strength": 1, "offer_match": 1, "offer_block": 20},
    "calculating": {},
}


@dataclass(frozen=True)
class Ladies:
    """The answer: matches, the offers of one deal, the ways of offering."""

    scenario: Scenario
    seed: int
    matches: pd.DataFrame  # [knight, lady]: how dear she is to him; more is dearer
    places: pd.DataFrame  # [knight, lady]: her place in his ranking, as text
    ranking: pd.DataFrame  # a row for each knight
    pairs: pd.DataFrame  # a row for each knight and lady
    offers: Advice
    policies: pd.DataFrame
    policy_games: int
    finding: str


def read_offer(
    name: str, otherwise: Scenario, *, game: int = 0, seed: int | None = None, policies: str = ""
) -> Question:
    """Return the first offer to make in the written game or scenario of that name, or in another scenario."""

    def wanted(state: Any) -> bool:
        return int(state.phase) == OFFER

    if name:
        return read_question(
            name, policies=policies, seed=seed, game=game, check=require_ritter, wanted=wanted, kind="offer"
        )
    return question_at(otherwise, seed=seed, game=game, wanted=wanted, kind="offer")


def ladies(
    question: Question,
    *,
    games: int = DEFAULT_GAMES,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Ladies:
    """Answer for the deck, for one deal, and for the ways of offering."""
    scenario = question.scenario
    if not scenario.table.rules.ladies:
        raise BadInput(f"{scenario.name} is played without ladies (R10)")
    deck: Deck = scenario.table.deck
    matches, places, ranking, pairs = _matches(deck)
    offers = advise(question, games=games, threads=threads, progress=progress)
    contest = _contest(scenario)
    run = play_games(contest.table, contest.policies, question.seed, 2 * games, threads=threads, progress=progress)
    if run.interrupted:
        raise KeyboardInterrupt
    policies = odds.answer(contest, question.seed, run.tally, Method())["seats"].drop(columns="seat")
    policies = policies.sort_values("win", ascending=False, kind="stable", ignore_index=True)
    return Ladies(
        scenario, question.seed, matches, places, ranking, pairs, offers, policies, run.tally.n_games,
        _finding(policies, offers),
    )  # fmt: skip


def _matches(deck: Deck) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """R11: who pleases whom, who displaces whom, who is safe."""
    values = deck.match_matrix().astype(int)
    knights, names = [short(k.name) for k in deck.knights], [short(lady.name) for lady in deck.ladies]
    places = np.empty(values.shape, object)
    ranking, pairs = [], []
    for k, row in enumerate(values):
        order = sorted(set(row.tolist()), reverse=True)
        groups = [[names[i] for i in np.flatnonzero(row == value)] for value in order]
        for i, lady in enumerate(names):
            better = [names[j] for j in np.flatnonzero(row > row[i])]
            level = [names[j] for j in np.flatnonzero(row == row[i]) if j != i]
            places[k, i] = f"{len(better) + 1}{'=' if level else ''}"
            ranks = [str(r + 1) for r, bit in enumerate((4, 2, 1)) if row[i] & bit]
            pairs.append(
                {
                    "knight": knights[k],
                    "lady": lady,
                    "matches": int(row[i]) // 8,
                    "ranks": " ".join(ranks),
                    "place": places[k, i],
                    "displaced_by": " ".join(better),
                    "owner_chooses": " ".join(level),
                    "safe": "yes" if not better and not level else "if the owner likes" if not better else "no",
                }
            )
        ranking.append(
            {
                "knight": knights[k],
                "likes": ", ".join(value for _, value in deck.knights[k].likes),
                "ranking": " > ".join(" = ".join(group) for group in groups),
                "safe": groups[0][0] if len(groups[0]) == 1 else "",
            }
        )
    return (
        pd.DataFrame(values, knights, names),
        pd.DataFrame(places, knights, names),
        pd.DataFrame(ranking),
        pd.DataFrame(pairs),
    )


def _contest(scenario: Scenario) -> Scenario:
    """Return a table at which every way of offering sits once; all else they do as the rulebook says."""
    game, table, n = scenario.game, scenario.table, len(OFFERS)
    needed = n * knights_each(n)
    if min(len(table.deck.knights), len(table.deck.ladies)) < needed:
        raise BadInput(f"{n} players with two knights and two ladies each need a deck of {needed} of both (R4)")
    base = game.parameters_of(game.policy_named("rulebook"))
    shipped = game.parameters_of(game.policy_named("calculating"))
    settings = []
    for weights in OFFERS.values():
        taken = weights or {key: value for key, value in shipped.items() if key.startswith("offer_")}
        settings.append(base | taken)
    own_table = replace(table, players=n, rules=make_rules(n, table.options, table.deck))
    return replace(scenario, seats=tuple(OFFERS), settings=tuple(settings), table=own_table, rotate=True)


def _finding(policies: pd.DataFrame, offers: Advice) -> str:
    best, second = policies.iloc[0], policies.iloc[1]
    if best.win_low > second.win_high:
        first = f"Offering {best.policy!r} wins most: {best.win:.1%} (fair share {1 / len(policies):.0%})."
    else:
        level = [row.policy for row in policies.itertuples() if row.win_high >= best.win_low]
        first = f"Offering {' or '.join(map(repr, level))} wins most, {best.win:.1%}; they cannot be told apart."
    return f"{first} In this deal {offers.finding}"


def as_json(result: Ladies) -> dict[str, Any]:
    """Return the answer as one document."""
    return {
        "scenario": result.scenario.name,
        "seed": result.seed,
        "finding": result.finding,
        "knights": result.ranking.to_dict("records"),
        "pairs": result.pairs.to_dict("records"),
        "offers": advice_json(result.offers),
        "policies": result.policies.to_dict("records"),
        "policy_games": result.policy_games,
    }
