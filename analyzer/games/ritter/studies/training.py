"""What a knight's training is worth: exact odds, and tournaments in which trainings and plans race each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import comb, prod
from typing import Any

import numpy as np
import pandas as pd

from analyzer.answer import estimates
from analyzer.engine.run import in_blocks
from analyzer.engine.tally import WHOLE_WIN
from analyzer.errors import BadInput
from analyzer.games.ritter.cards import Knight, short
from analyzer.games.ritter.joust import ATTACKER, DEFENDER, Rider, solve, threshold
from analyzer.games.ritter.rider import (
    alike,
    card_named,
    card_rider,
    read_rider,
    train_what_fits,
    trainings,
    write_rider,
)
from analyzer.games.ritter.rules import make_rules
from analyzer.games.ritter.season import make_orders, play_ordered
from analyzer.games.ritter.studies.plans import (
    KINDS,
    SIMPLE_PLANS,
    candidate_plans,
    final_plans,
    plan_days,
    simple_plan,
)
from analyzer.scenarios import Scenario
from analyzer.stats.intervals import Estimate
from analyzer.stats.racing import Race, Sample, halve, most_halving_blocks, stages_of_race

BLOCK = 256
BEST, LEVEL, WORSE = "best", "not told from the best", "worse"  # verdicts
_FIRST_BLOCKS = 16
_FINALISTS = 4
_FRESH = 1 << 32  # numbers of games that did not choose the finalists


@dataclass(frozen=True)
class Training:
    """What was found of one knight; interrupted early it has no plans."""

    name: str
    rider: Rider
    allocations: pd.DataFrame
    field: pd.DataFrame  # [allocation, opponent] odds, attacking and defending alike
    plans: pd.DataFrame
    played: int
    interrupted: bool


def with_knight(scenario: Scenario, text: str) -> tuple[Scenario, int]:
    """Return the scenario and the number of the knight's card; a custom knight joins the deck as a card."""
    table = scenario.table
    card = card_named(table.deck, text)
    if card is not None:
        return scenario, card
    rider = read_rider(table.deck, table.rules, text)
    if rider.wounds:
        raise BadInput(f"{text!r}: a knight trains before the first day, without wounds")
    likes = table.deck.knights[0].likes
    own = Knight(
        write_rider(rider), rider.dice, rider.cover, likes, "own", f"Likes what {table.deck.knights[0].name} does."
    )
    deck = replace(table.deck, knights=(*table.deck.knights, own))
    rules = make_rules(table.players, table.options, deck)
    return replace(scenario, table=replace(table, deck=deck, rules=rules, cards=deck.cards())), len(deck.knights) - 1


def train_knight(
    scenario: Scenario,
    knight: str,
    *,
    field_training: tuple[str, ...],
    yields_at: int,
    seed: int,
    games: int,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Training:
    """Rank every first training of a knight and race plans for the season.

    An interruption leaves the stages of the races that were played whole; before the first it is raised.
    """
    scenario, card = with_knight(scenario, knight)
    table = scenario.table
    rider = card_rider(table.deck, table.rules, card)
    classes = _classes(table.rules, rider)
    field = _field(scenario, card, list(classes), field_training, yields_at)
    season = _Season(scenario, card, seed, threads, progress)
    first, is_cut = season.race([members[0] for members in classes.values()], 0, games)
    allocations, plans = _allocation_table(classes, field, first), pd.DataFrame()
    if not is_cut:
        try:
            named = _finalists(season, rider, games)
            last, is_cut = season.race([plan for _, plan in named], 2 * _FRESH, games)
            plans = _plan_table(named, last)
        except KeyboardInterrupt:
            is_cut = True
    return Training(
        short(table.deck.knights[card].name), rider, allocations, field.loc[list(allocations["strength"])], plans,
        season.played, is_cut,
    )  # fmt: skip


def most_tournaments(scenario: Scenario, knight: str, games: int) -> int:
    """Return how many tournaments a knight takes at most: nobody drops out, and every plan can be followed."""
    scenario, card = with_knight(scenario, knight)
    table = scenario.table
    ways = len(_classes(table.rules, card_rider(table.deck, table.rules, card)))
    plans = prod(comb(points + len(KINDS) - 1, points) for points in plan_days(table))
    finalists = _FINALISTS + len(SIMPLE_PLANS)
    search = most_halving_blocks(plans, first_blocks=_first_of_search(games), keep=_FINALISTS)
    return BLOCK * ((ways + finalists) * _most_blocks(games) + search)


def _most_blocks(games: int) -> int:
    return max(_FIRST_BLOCKS, games // BLOCK)


def _first_of_search(games: int) -> int:
    return max(1, games // 100_000)


class _Season:
    """Tournaments of one knight under orders, on the same deals and dice for all; `played` counts whole stages."""

    def __init__(
        self, scenario: Scenario, card: int, seed: int, threads: int | None, progress: Callable[[int], None]
    ) -> None:
        self.scenario, self.card, self.seed, self.threads, self.progress = scenario, card, seed, threads, progress
        self.played = 0

    def sampler(self, plans: Sequence[Sequence[str]], first: int) -> Sample:
        """Return what plays blocks of games with these plans, the games' numbers beginning at `first`."""
        orders = [make_orders(self.card, plan) for plan in plans]
        scenario, policies = self.scenario, self.scenario.policies

        def play(candidate: int, start: int, n: int) -> np.ndarray:
            return play_ordered(scenario.table, policies, orders[candidate], self.seed, start, n, scenario.rotate)

        def sample(candidates: list[int], first_block: int, blocks: int) -> np.ndarray:
            start = first + first_block * BLOCK
            sums = in_blocks(
                play, candidates, start, blocks, BLOCK, threads=self.threads, progress=self.progress
            )  # fmt: skip
            self.played += len(candidates) * blocks * BLOCK
            return sums

        return sample

    def race(self, plans: Sequence[Sequence[str]], first: int, games: int) -> tuple[Race, bool]:
        """Race plans; say whether an interruption ended it, after one stage at least."""
        stages = stages_of_race(
            len(plans), self.sampler(plans, first), block=BLOCK, first_blocks=_FIRST_BLOCKS,
            most_blocks=_most_blocks(games),
        )  # fmt: skip
        at: Race | None = None
        try:
            for stage in stages:
                at = stage
        except KeyboardInterrupt:
            if at is None:
                raise
            return at, True
        assert at is not None
        return at, False


def _finalists(season: _Season, rider: Rider, games: int) -> list[tuple[str, Sequence[str]]]:
    """Search the plans this knight can follow; return those that are left, and the simple rules, with their names."""
    table = season.scenario.table
    by_day = plan_days(table)
    plans = candidate_plans(table.rules, rider, by_day)
    simple = {name: simple_plan(table.rules, rider, cycle, sum(by_day)) for name, cycle in SIMPLE_PLANS.items()}
    chosen = halve(
        len(plans), season.sampler(plans, _FRESH), first_blocks=_first_of_search(games), keep=_FINALISTS
    )  # fmt: skip
    return final_plans([plans[c] for c in chosen], simple, by_day)


def _classes(rules: Any, rider: Rider) -> dict[Rider, list[tuple[str, ...]]]:
    """Return the trainings by the knight they make; faces of one part are interchangeable."""
    points = int(rules.training_points)
    classes: dict[Rider, list[tuple[str, ...]]] = {}
    for way, result in trainings(rules, rider, points):
        classes.setdefault(alike(result), []).append(way)
    if not classes:
        raise BadInput(f"{write_rider(rider)} cannot spend {points} training points")
    return classes


def _field(
    scenario: Scenario, card: int, riders: list[Rider], training: tuple[str, ...], yields_at: int
) -> pd.DataFrame:
    """Exact odds of each knight against every other card with a stated training, attacks and defences alike."""
    rules, limit = scenario.table.rules, int(scenario.table.rules.wound_limit)
    yields = (threshold(limit, yields_at, ATTACKER), threshold(limit, yields_at, DEFENDER))
    opponents = {}
    for i, knight in enumerate(scenario.table.deck.knights):
        if i != card:
            base = card_rider(scenario.table.deck, rules, i)
            opponents[short(knight.name)] = train_what_fits(rules, base, training)
    odds = [
        [
            (solve(rules, me, other, yields).winner[ATTACKER] + solve(rules, other, me, yields).winner[DEFENDER]) / 2
            for other in opponents.values()
        ]
        for me in riders
    ]
    return pd.DataFrame(odds, [write_rider(me) for me in riders], list(opponents))


def row_of(plans: pd.DataFrame, name: str) -> Any:
    """Return the row of a simple rule, which may share it with others."""
    return plans[[name in str(names).split(", ") for names in plans["plan"]]].iloc[0]


def _columns(race: Race, n: int) -> dict[str, list[Any]]:
    words = {True: LEVEL, False: WORSE}
    return {
        "games": [race.games(c) for c in range(n)],
        **estimates("win", [race.share(c, WHOLE_WIN) for c in range(n)]),
        **estimates("premiums", [race.mean(c, 1) for c in range(n)]),
        **estimates("behind", [_as_share(race.behind(c)) for c in range(n)]),
        "verdict": [BEST if c == race.best else words[c in race.alive] for c in range(n)],
    }


def _as_share(wins: Estimate) -> Estimate:
    return Estimate(*(end / WHOLE_WIN for end in wins))


def _ranked(table: pd.DataFrame) -> pd.DataFrame:
    """Those still in the race first, by wins."""
    order = table.assign(_out=table["verdict"] == WORSE).sort_values(["_out", "win"], ascending=[True, False])
    return order.drop(columns="_out").reset_index(drop=True)


def _allocation_table(classes: dict[Rider, list[tuple[str, ...]]], field: pd.DataFrame, race: Race) -> pd.DataFrame:
    table = pd.DataFrame(
        {
            "training": ["+".join(ways[0]) for ways in classes.values()],
            "also": [", ".join("+".join(way) for way in ways[1:]) for ways in classes.values()],
            "strength": [write_rider(rider) for rider in classes],
            "odds": field.mean(axis=1).to_numpy(),
        }
        | _columns(race, len(classes))
    )
    table.insert(4, "odds_rank", table["odds"].rank(ascending=False, method="min").astype(int))
    return _ranked(table)


def _plan_table(named: Sequence[tuple[str, Sequence[str]]], race: Race) -> pd.DataFrame:
    table = pd.DataFrame(
        {"plan": [name for name, _ in named], "points": [" ".join(plan) for _, plan in named]}
        | _columns(race, len(named))
        | {"unspent": [race.mean(c, 3).estimate for c in range(len(named))]}
    )
    return _ranked(table)
