"""How to train a knight: every way to spend the first points, and the best order of points over the days."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, pairwise
from math import comb, prod
from typing import Any

import numpy as np
import pandas as pd

from analyzer.engine.run import in_blocks
from analyzer.engine.tally import WHOLE_WIN
from analyzer.errors import BadInput
from analyzer.games.ritter.cards import Knight, short
from analyzer.games.ritter.joust import ATTACKER, DEFENDER, Rider, solve, threshold
from analyzer.games.ritter.rider import (
    alike,
    card_named,
    card_rider,
    read_points,
    read_rider,
    trained,
    trainings,
    write_rider,
)
from analyzer.games.ritter.rules import make_rules
from analyzer.games.ritter.season import make_orders, play_ordered
from analyzer.games.ritter.studies.joust import read_yield
from analyzer.scenarios import Scenario
from analyzer.stats.racing import Race, halve, race

DEFAULT_GAMES = 100_000
BLOCK = 256
KINDS = ("dice", "mounted", "foot")
PLAN_POINTS = 8
_FIRST_BLOCKS = 16
_FINALISTS = 4
_FRESH = 1 << 32  # numbers of games that did not choose the finalists
SIMPLE_PLANS = {
    "all dice": ("dice",),
    "all mounted": ("mounted",),
    "the rulebook's tip": ("mounted", "mounted", "dice"),
    "alternate": ("dice", "mounted"),
}


@dataclass(frozen=True)
class Training:
    """The answer for one knight."""

    scenario: Scenario
    name: str
    rider: Rider
    points: int
    seed: int
    games: int
    field_training: tuple[str, ...]
    yields_at: str
    allocations: pd.DataFrame
    field: pd.DataFrame  # [allocation, opponent] odds, attacking and defending alike
    plans: pd.DataFrame
    plan_points: tuple[int, ...]  # points a day
    played: int
    finding: str


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


def train(
    scenario: Scenario,
    knight: str,
    *,
    field_training: str = "mounted,mounted",
    yields_at: str = "7",
    seed: int | None = None,
    games: int = DEFAULT_GAMES,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Training:
    """Rank every first training of a knight and race plans for the season."""
    scenario, card = with_knight(scenario, knight)
    seed = scenario.seed if seed is None else seed
    table = scenario.table
    own = table.deck.knights[card]
    rider = card_rider(table.deck, table.rules, card)
    points = int(table.rules.training_points)
    classes = _classes(table.rules, rider, points)
    field = _field(scenario, card, list(classes), read_points(field_training), read_yield(yields_at))
    played = 0

    def count(n: int) -> None:
        nonlocal played
        played += n
        progress(n)

    def sampler(plans: Sequence[Sequence[str]], first: int) -> Callable[[list[int], int, int], np.ndarray]:
        orders = [make_orders(card, plan) for plan in plans]
        policies = scenario.policies

        def play(candidate: int, start: int, n: int) -> np.ndarray:
            return play_ordered(table, policies, orders[candidate], seed, start, n, scenario.rotate)

        def sample(candidates: list[int], first_block: int, blocks: int) -> np.ndarray:
            start = first + first_block * BLOCK
            return in_blocks(play, candidates, start, blocks, BLOCK, threads=threads, progress=count)

        return sample

    most = max(_FIRST_BLOCKS, games // BLOCK)
    ways = [members[0] for members in classes.values()]
    first_race = race(len(ways), sampler(ways, 0), block=BLOCK, first_blocks=_FIRST_BLOCKS, most_blocks=most)
    allocations = _allocation_table(classes, field, first_race)
    by_day = plan_days(table)
    plans = candidate_plans(table.rules, rider, by_day)
    simple = {name: simple_plan(table.rules, rider, cycle, sum(by_day)) for name, cycle in SIMPLE_PLANS.items()}
    chosen = halve(len(plans), sampler(plans, _FRESH), first_blocks=max(1, games // 100_000), keep=_FINALISTS)
    named = final_plans([plans[c] for c in chosen], simple, by_day)
    last_race = race(
        len(named),
        sampler([p for _, p in named], 2 * _FRESH),
        block=BLOCK,
        first_blocks=_FIRST_BLOCKS,
        most_blocks=most,
    )
    plan_table = _plan_table(named, last_race)
    name = short(own.name)
    return Training(
        scenario, name, rider, points, seed, games, read_points(field_training), yields_at,
        allocations, field.loc[list(allocations["strength"])], plan_table, by_day, played,
        _finding(name, allocations, plan_table),
    )  # fmt: skip


def expected_games(scenario: Scenario, games: int) -> int:
    """Return about how many games a knight takes, for a progress bar."""
    plans = prod(comb(points + len(KINDS) - 1, points) for points in plan_days(scenario.table))
    return (_FINALISTS + len(SIMPLE_PLANS)) * games + 5 * plans * BLOCK * max(1, games // 100_000)


def _classes(rules: Any, rider: Rider, points: int) -> dict[Rider, list[tuple[str, ...]]]:
    """Return the trainings by the knight they make; faces of one part are interchangeable."""
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
            opponents[short(knight.name)] = _train_what_fits(rules, base, training)
    odds = [
        [
            (solve(rules, me, he, yields).winner[ATTACKER] + solve(rules, he, me, yields).winner[DEFENDER]) / 2
            for he in opponents.values()
        ]
        for me in riders
    ]
    return pd.DataFrame(odds, [write_rider(me) for me in riders], list(opponents))


def _train_what_fits(rules: Any, rider: Rider, points: tuple[str, ...]) -> Rider:
    """Train a knight; a point that cannot be spent so lapses."""
    for point in points:
        try:
            rider = trained(rules, rider, (point,))
        except BadInput:
            continue
    return rider


def plan_days(table: Any) -> tuple[int, ...]:
    """Return the points of each day for a knight who is never hurt, PLAN_POINTS at most."""
    daily = [int(table.rules.training_points)] + [int(table.rules.training_by_wounds[0])] * (int(table.rules.days) - 1)
    days: list[int] = []
    for points in daily:
        days.append(min(points, PLAN_POINTS - sum(days)))
    return tuple(day for day in days if day > 0)


def candidate_plans(rules: Any, rider: Rider, by_day: Sequence[int]) -> list[tuple[str, ...]]:
    """Return every plan of dice, mounted and foot covers that this knight can follow while chips last.

    The order within a day does not matter. Who can train nothing more ends his plan early.
    """
    if not by_day:
        return [()]
    plans = []
    for points in range(by_day[0], 0, -1):
        for day in combinations_with_replacement(KINDS, points):
            try:
                later = trained(rules, rider, day)
            except BadInput:
                continue
            plans += [(*day, *rest) for rest in candidate_plans(rules, later, by_day[1:])]
        if plans:
            return plans
    return [()]


def simple_plan(rules: Any, rider: Rider, cycle: Sequence[str], points: int) -> tuple[str, ...]:
    """Return what a simple rule buys: over and over in this order, what is full passed over (as policies do).

    When all that it names is full it goes on with dice, then mounted covers, then covers on foot.
    """
    plan: list[str] = []
    for i in range(points):
        for point in (*(cycle[(i + step) % len(cycle)] for step in range(len(cycle))), *KINDS):
            after = _train_what_fits(rules, rider, (point,))
            if after != rider:
                rider = after
                plan.append(point)
                break
        else:
            break
    return tuple(plan)


def final_plans(
    found: Sequence[Sequence[str]], simple: dict[str, tuple[str, ...]], by_day: Sequence[int]
) -> list[tuple[str, Sequence[str]]]:
    """Return the plans of the final with their names, each once: simple rules that come to the same share a row."""
    final: dict[tuple[tuple[str, ...], ...], tuple[str, Sequence[str]]] = {}
    for name, plan in simple.items():
        key = _daily(plan, by_day)
        final[key] = (f"{final[key][0]}, {name}", plan) if key in final else (name, plan)
    return [(" ".join(plan), plan) for plan in found if _daily(plan, by_day) not in final] + list(final.values())


def _daily(plan: Sequence[str], by_day: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """Return what a plan buys each day; the order within a day does not matter."""
    ends = np.cumsum([0, *by_day])
    return tuple(tuple(sorted(plan[a:b])) for a, b in pairwise(ends))


def row_of(plans: pd.DataFrame, name: str) -> Any:
    """Return the row of a simple rule, which may share it with others."""
    return plans[[name in str(names).split(", ") for names in plans["plan"]]].iloc[0]


def _columns(race: Race, n: int) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {"games": [race.games(c) for c in range(n)]}
    for name, rows in (
        ("win", [race.share(c, WHOLE_WIN) for c in range(n)]),
        ("premiums", [race.mean(c, 1) for c in range(n)]),
    ):
        columns |= {name: [r.estimate for r in rows]}
        columns |= {f"{name}_low": [r.low for r in rows], f"{name}_high": [r.high for r in rows]}
    behind = [race.behind(c) for c in range(n)]
    columns |= {"behind": [r.estimate / WHOLE_WIN for r in behind]}
    columns |= {"behind_low": [r.low / WHOLE_WIN for r in behind], "behind_high": [r.high / WHOLE_WIN for r in behind]}
    words = {True: "not told from the best", False: "worse"}
    columns["verdict"] = ["best" if c == race.best else words[c in race.alive] for c in range(n)]
    return columns


def _ranked(table: pd.DataFrame) -> pd.DataFrame:
    """Those still in the race first, by wins."""
    order = table.assign(_out=table["verdict"] == "worse").sort_values(["_out", "win"], ascending=[True, False])
    table = order.drop(columns="_out").reset_index(drop=True)
    table.attrs["shares"] = ("odds", "win", "behind")
    return table


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


def _finding(name: str, allocations: pd.DataFrame, plans: pd.DataFrame) -> str:
    best, by_odds = allocations.iloc[0], allocations.sort_values("odds_rank", kind="stable").iloc[0]
    level = int((allocations["verdict"] == "not told from the best").sum())
    others = f", {level} more cannot be told from it" if level else ""
    plan, tip = plans.iloc[0], row_of(plans, "the rulebook's tip")
    against = {
        "best": "",
        "worse": f", {100 * tip.behind:z.1f} points above the rulebook's tip",
    }.get(tip.verdict, ", which cannot be told from the rulebook's tip")
    return (
        f"{name} trains {best.training} first ({best.win:.1%} of tournaments{others}); "
        f"by exact odds alone {by_odds.training}. Season: {plan.plan}{against}."
    )


def as_json(result: Training) -> dict[str, Any]:
    """Return the answer as one document."""
    return {
        "knight": result.name,
        "strength": write_rider(result.rider),
        "points": result.points,
        "scenario": result.scenario.name,
        "seed": result.seed,
        "games": result.played,
        "finding": result.finding,
        "field": {"training": list(result.field_training), "yields_at": result.yields_at},
        "allocations": result.allocations.to_dict("records"),
        "plans": result.plans.to_dict("records"),
    }


def summary(results: Sequence[Training]) -> pd.DataFrame:
    """Return one line for each knight."""
    rows = []
    for result in results:
        best, plan = result.allocations.iloc[0], result.plans.iloc[0]
        tip = row_of(result.plans, "the rulebook's tip")
        rows.append(
            {
                "knight": result.name,
                "strength": write_rider(result.rider),
                "training": best.training,
                "win": best.win,
                "tied": int((result.allocations["verdict"] == "not told from the best").sum()),
                "plan": plan.points,
                "plan_win": plan.win,
                "tip_behind": tip.behind,
            }
        )
    table = pd.DataFrame(rows)
    table.attrs["shares"] = ("win", "plan_win", "tip_behind")
    return table
