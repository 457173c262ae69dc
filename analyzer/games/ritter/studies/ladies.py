"""Whom to offer a favour: who pleases whom, what each offer of a deal is worth, which way of offering wins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from analyzer.answer import SHARE, Answer, Chart, Column, Table
from analyzer.engine.run import play_games
from analyzer.errors import BadInput
from analyzer.games.ritter.cards import Deck, short
from analyzer.games.ritter.rules import knights_each, make_rules
from analyzer.games.ritter.state import OFFER
from analyzer.games.ritter.studies.entrants import plain_scenario, require_ritter
from analyzer.scenarios import Scenario
from analyzer.stats.intervals import Method
from analyzer.studies import advise, odds
from analyzer.studies.decision import DEFAULT_GAMES, Decision, read_decision
from analyzer.study import Question

_CONTESTS = 2  # times the games of an offer
# How a player who else follows the rulebook weighs an offer; `calculating` offers as that policy does.
OFFERS: dict[str, dict[str, int]] = {
    "own first": {"offer_own": 100, "offer_strength": 1, "offer_match": 2, "offer_block": 0},
    "strongest knight": {"offer_own": 0, "offer_strength": 10, "offer_match": 1, "offer_block": 0},
    "surest match": {"offer_own": 0, "offer_strength": 1, "offer_match": 20, "offer_block": 0},
    "block a rival": {"offer_own": 2, "offer_strength": 1, "offer_match": 1, "offer_block": 20},
    "calculating": {},
}


def read(scenario: str | Scenario, game: int, policy: str, games: int, seed: int | None) -> Question:
    """Read whose favours it is about."""
    decision = read_offer(scenario or plain_scenario(), policies=policy, seed=seed, game=game)
    return Question(decision, decision.scenario, {"games": games})


def read_offer(given: str | Scenario, **options: Any) -> Decision:
    """Return the first offer to make in a written game or a scenario."""

    def wanted(state: Any) -> bool:
        return int(state.phase) == OFFER

    return read_decision(given, check=_require_ladies, wanted=wanted, kind="offer", **options)


def _require_ladies(scenario: Scenario) -> None:
    """Refuse a scenario without favours to offer."""
    require_ritter(scenario)
    if not scenario.table.rules.ladies:
        raise BadInput(f"{scenario.name} is played without ladies (R10): there is no offer to make")


def plan(decision: Decision, games: int = DEFAULT_GAMES) -> int:
    """Return how many games an answer plays at most."""
    return advise.budget(decision, games) + _CONTESTS * games


def ladies(
    decision: Decision,
    *,
    games: int = DEFAULT_GAMES,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Answer:
    """Answer for the deck, for one deal, and for the ways of offering."""
    scenario, seed = decision.scenario, decision.seed
    contest = _contest(scenario)
    offers = advise.weigh(decision, games=games, threads=threads, progress=progress)
    if offers.interrupted:
        raise KeyboardInterrupt
    run = play_games(contest.table, contest.policies, seed, _CONTESTS * games, threads=threads, progress=progress)
    if run.interrupted:
        raise KeyboardInterrupt
    ways = odds.answer(contest, seed, run.tally, Method())
    n_games = run.tally.n_games
    title = f"What seat {decision.seat + 1} may offer in {decision.where}, ranked"
    return Answer(
        study="ladies",
        scenario=scenario,
        title=f"Favours: {scenario.title}",
        question="Which lady pleases whom, and which knight should she be offered to?",
        finding=f"Ways of offering: {ways.finding} The first offer of this deal: {offers.finding}",
        tables=(*_deck_tables(scenario.table.deck), *advise.tables(offers, title=title), _ways(ways)),
        method=f"{advise.method(offers)} {n_games:,} tournaments of five, seed {seed}.",
        seed=seed,
        n_games=offers.played + n_games,
        notes=tuple(scenario.caveats),
        facts=offers.facts | {"offer_games": offers.played, "policy_games": n_games},
    )


def _deck_tables(deck: Deck) -> tuple[Table, Table]:
    """R11: who pleases whom, who displaces whom, who is safe."""
    ranking, pairs = _ranking(deck), _pairs(deck)
    surest = int((ranking["safe"] != "").sum())
    dear = deck.match_matrix().astype(int).ravel()  # knight by knight, as the pairs stand
    matches = Table(
        "matches",
        "Whom each knight prefers (R11)",
        ranking,
        text="safe: the lady whose favour no other can displace; without one the owner chooses among equals.",
        chart=Chart(
            "heat",
            f"{surest} of {len(ranking)} knights have a lady whom nobody can displace",
            "dear",
            down="knight",
            across="lady",
            note="the lady's place in the knight's ranking, = with equals; the darker the dearer",
            frame=pairs.assign(dear=dear),
            more={"text": "place"},
        ),
        brief=True,
    )
    return matches, Table("pairs", "Who displaces whom", pairs)


def _ranking(deck: Deck) -> pd.DataFrame:
    """Return every knight's order of the ladies."""
    names, rows = _names(deck), []
    for knight, dear in zip(deck.knights, deck.match_matrix().astype(int), strict=True):
        order = sorted(set(dear.tolist()), reverse=True)
        groups = [[names[i] for i in np.flatnonzero(dear == value)] for value in order]
        rows.append(
            {
                "knight": short(knight.name),
                "likes": ", ".join(value for _, value in knight.likes),
                "ranking": " > ".join(" = ".join(group) for group in groups),
                "safe": groups[0][0] if len(groups[0]) == 1 else "",
            }
        )
    return pd.DataFrame(rows)


def _pairs(deck: Deck) -> pd.DataFrame:
    """Return for every knight and lady which others would displace her."""
    names, rows = _names(deck), []
    for knight, dear in zip(deck.knights, deck.match_matrix().astype(int), strict=True):
        for i, lady in enumerate(names):
            better = [names[j] for j in np.flatnonzero(dear > dear[i])]
            level = [names[j] for j in np.flatnonzero(dear == dear[i]) if j != i]
            rows.append(
                {
                    "knight": short(knight.name),
                    "lady": lady,
                    "matches": int(dear[i]) // 8,
                    "ranks": " ".join(str(r + 1) for r, bit in enumerate((4, 2, 1)) if dear[i] & bit),
                    "place": f"{len(better) + 1}{'=' if level else ''}",
                    "displaced_by": " ".join(better),
                    "owner_chooses": " ".join(level),
                    "safe": "yes" if not better and not level else "if the owner likes" if not better else "no",
                }
            )
    return pd.DataFrame(rows)


def _names(deck: Deck) -> list[str]:
    return [short(lady.name) for lady in deck.ladies]


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


def _ways(contest: Answer) -> Table:
    """Return how the ways of offering did against each other."""
    ways = contest["seats"].drop(columns="seat")
    return Table(
        "policies",
        "Ways of offering against each other",
        ways.sort_values("win", ascending=False, kind="stable", ignore_index=True),
        (Column("win", "wins", SHARE),),
        "Five players who else follow the rulebook; seats rotate.",
        Chart(
            "intervals",
            contest.finding,
            "win",
            "policy",
            axis="share of tournaments won",
            note=f"{contest.n_games:,} tournaments, seed {contest.seed}; bars: 95% intervals that hold together",
            reference=(1 / len(ways), "fair share"),
        ),
        brief=True,
    )
