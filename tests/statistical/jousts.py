"""Random jousts for comparing the exact chain with the die-by-die kernel."""

from __future__ import annotations

import math
from random import Random
from typing import Any, NamedTuple

import numpy as np

from analyzer.engine.trace import copy_record
from analyzer.games import GAMES
from analyzer.games.ritter.joust import ATTACKER, DEFENDER, NEVER, Ends, Rider, fight, solve, threshold
from tests.statistical.check import agrees
from tests.tables import table_of

JOUST_OPTIONS = (
    *("enrage", "enrage_dice", "enrage_on_foot", "yield_before_foot", "yield_order"),
    *("wound_limit", "double_knockout", "max_rounds"),
)


class Case(NamedTuple):
    """Two knights, when they yield, and the options they meet under."""

    attacker: Rider
    defender: Rider
    yields: tuple[int, int]
    options: dict[str, Any]

    @property
    def rules(self) -> Any:
        return table_of(GAMES["ritter"], 2, **self.options).rules

    @property
    def maps(self) -> tuple[np.ndarray, np.ndarray]:
        limit = self.options["wound_limit"]
        return threshold(limit, self.yields[0], ATTACKER), threshold(limit, self.yields[1], DEFENDER)

    def solve(self) -> Ends:
        return solve(self.rules, self.attacker, self.defender, self.maps)

    def fight(self, seed: int, jousts: int) -> Ends:
        """Roll every die."""
        rules = copy_record(self.rules)
        rules.by_die = 1
        return fight(rules, self.attacker, self.defender, self.maps, seed, jousts)


def random_case(random: Random, most_dice: int = 12, longest: int = 200) -> Case:
    options = {
        "enrage": random.choice(["first_round", "every_round"]),
        "enrage_dice": random.randint(0, 2),
        "yield_before_foot": random.random() < 0.5,
        "yield_order": random.choice(["attacker_first", "defender_first"]),
        "wound_limit": random.choice([3, 5, 10, 10, 10, 14]),
        "double_knockout": random.choice(["no_winner", "fewer_wounds", "attacker"]),
        "max_rounds": random.choice([1, 2, 5, longest]),
    }

    def rider() -> Rider:
        cover = tuple(random.choice([0, 0, 1, 1, 2]) for _ in range(6))
        return Rider(
            random.randint(1, most_dice), cover, random.choice([0, 0, random.randrange(options["wound_limit"])])
        )

    limit = options["wound_limit"]
    yields = tuple(random.choice([NEVER, random.randint(0, limit)]) for _ in range(2))
    options["enrage_on_foot"] = random.random() < 0.3
    return Case(rider(), rider(), yields, options)


def disagreements(exact: Ends, simulated: Ends) -> tuple[int, list[str]]:
    """Return how many numbers were compared and which of them do not agree."""
    n = int(simulated.total)
    pairs = [
        *zip(("attacker wins", "defender wins", "nobody wins"), exact.winner, simulated.winner, strict=True),
        ("attacker out", exact.out[0], simulated.out[0]),
        ("defender out", exact.out[1], simulated.out[1]),
        ("mounted", exact.mounted, simulated.mounted),
        ("stalled", exact.stalled, simulated.stalled),
    ]
    # the normal bound's tail is the stated one only for counts well away from 0 and n
    compared = [(name, p, count) for name, p, count in pairs if 500 < n * p < n - 500]
    wrong = [name for name, p, count in compared if not agrees(int(count), n, p)]
    wrong += [name for name, p, count in pairs if p < 1e-15 and count]
    spread = math.sqrt(max(0.0, exact.rounds_squared - exact.rounds**2) / n)
    if abs(simulated.rounds / n - exact.rounds) > 4.5 * spread + 1e-9:
        wrong.append("rounds")
    return len(compared) + 1, wrong
