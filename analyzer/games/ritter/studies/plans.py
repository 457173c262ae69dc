"""Plans for the season: what each training point buys, day by day, by a search or by a simple rule."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations_with_replacement, pairwise
from typing import Any

import numpy as np

from analyzer.errors import BadInput
from analyzer.games.ritter.joust import Rider
from analyzer.games.ritter.rider import train_what_fits, trained

KINDS = ("dice", "mounted", "foot")
PLAN_POINTS = 8
TIP = "the rulebook's tip"
SIMPLE_PLANS = {
    "all dice": ("dice",),
    "all mounted": ("mounted",),
    TIP: ("mounted", "mounted", "dice"),
    "alternate": ("dice", "mounted"),
}


def plan_days(table: Any) -> tuple[int, ...]:
    """Return the points of each day for a knight who is never hurt, PLAN_POINTS at most."""
    daily = [int(table.rules.training_points)] + [int(table.rules.training_by_wounds[0])] * (int(table.rules.days) - 1)
    days: list[int] = []
    for points in daily:
        days.append(min(points, PLAN_POINTS - sum(days)))
    return tuple(day for day in days if day > 0)


def candidate_plans(rules: Any, rider: Rider, by_day: Sequence[int]) -> list[tuple[str, ...]]:
    """Return every plan of dice, mounted and foot covers that this knight can follow while chips last.

    The order within a day does not matter. Who can train nothing more ends the plan early.
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
            after = train_what_fits(rules, rider, (point,))
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
