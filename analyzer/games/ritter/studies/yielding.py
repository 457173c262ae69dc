"""When to yield: the best map, what simple rules lose against it, and tournaments to check it.

One question runs through the page: these two knights, so trained, meet on that day with these wounds.
The prices are measured in such jousts, the map and the simple rules are exact for the prices, and the
tournaments fight the same jousts with one threshold after the other.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analyzer import cache_home, source_hash
from analyzer.engine.tally import WHOLE_WIN
from analyzer.errors import BadInput
from analyzer.games.ritter.joust import ATTACKER, DEFENDER, NEVER, solve, threshold
from analyzer.games.ritter.stopping import Stakes, Stopping, best_yields, worth_of
from analyzer.games.ritter.studies.joust import Entrant, yield_text
from analyzer.games.ritter.worth import BEATEN, OTHER, OWN, VICTORIOUS, Meeting, compare_rules, measure_worth
from analyzer.scenarios import Scenario
from analyzer.stats.intervals import CONFIDENCE, mean_interval, z_value

DEFAULT_GAMES = 60_000
_FRESH = 1 << 32  # numbers of tournaments that did not set the prices
INFINITE = 1e9  # premiums that `inf` stands for


@dataclass(frozen=True)
class Prices:
    """What the ends of a joust are worth to a knight, and where that comes from."""

    stakes: Stakes
    table: pd.DataFrame
    origin: str


@dataclass(frozen=True)
class Yielding:
    """The answer: where to yield, what simple rules cost, what tournaments say."""

    scenario: Scenario
    me: Entrant
    other: Entrant
    other_is_best: bool  # else he keeps to his `yields_at`
    side: int  # ATTACKER or DEFENDER
    day: int
    seed: int
    games: int
    prices: Prices
    stopping: Stopping
    map: pd.DataFrame  # rows my wounds, columns his: what fighting on is worth above yielding
    yields: pd.DataFrame  # the same places, true where to yield
    simple: pd.DataFrame
    best_threshold: int
    tournaments: pd.DataFrame | None
    finding: str


def given_prices(limit: int, text: str, stake: float) -> Prices:
    """Read prices by hand: one number a wound (out costs the limit's), or one for 0, 1, … wounds and for out."""
    try:
        numbers = [min(float(word), INFINITE) for word in text.split(",")]
    except ValueError:
        raise BadInput(f"--prices {text!r}: a number, or {limit + 1} numbers with commas") from None
    if len(numbers) == 1:
        numbers = [numbers[0] * wounds for wounds in range(limit + 1)]
    if len(numbers) != limit + 1 or any(math.isnan(n) or n < 0 for n in numbers):
        raise BadInput(f"--prices {text!r}: one number from 0, or {limit + 1}: for 0 to {limit - 1} wounds and for out")
    beaten = -np.array(numbers)
    alike = np.repeat(beaten[:, None], limit + 1, axis=1)  # whatever the other's wounds
    stakes = Stakes(alike + stake, alike)
    table = pd.DataFrame({"wounds": _labels(limit), "beaten": beaten, "victorious": beaten + stake})
    return Prices(stakes, table, f"given by hand, {stake:g} premiums for the win")


def measured_prices(
    scenario: Scenario,
    me: Entrant,
    other: Entrant,
    *,
    side: int = ATTACKER,
    day: int = 1,
    seed: int,
    games: int = DEFAULT_GAMES,
    threads: int | None = None,
) -> Prices:
    """Measure what each end of a joust of these two on that day is worth in the scenario's tournaments.

    The sums are kept for the next time.
    """
    limit = int(scenario.table.rules.wound_limit)
    asked = (source_hash(), scenario.table.options, scenario.settings, scenario.table.deck, scenario.rotate)
    key = hashlib.sha256(repr((*asked, me.rider, other.rider, side, day, seed, games)).encode()).hexdigest()[:20]
    path = cache_home() / "worth" / f"{key}.json"
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        sums, n = np.array(kept["sums"], np.int64), int(kept["tournaments"])
    except (OSError, ValueError, KeyError):
        sums, n = measure_worth(_meeting(scenario, me, other, side, day), seed, games, threads)
        _keep(path, {"sums": sums.tolist(), "tournaments": n})
    if n < 2:
        entered = f"entered with {me.rider.wounds} and {other.rider.wounds} wounds on day {day}"
        raise BadInput(f"{scenario.name}: no joust is {entered}; there is nothing to measure")
    z = z_value(CONFIDENCE, 4 * limit)
    columns: dict[str, Any] = {"wounds": _labels(limit)}
    for name, whose, end in (
        ("beaten", OWN, BEATEN),
        ("victorious", OWN, VICTORIOUS),
        ("his_if_beaten", OTHER, BEATEN),
        ("his_if_victorious", OTHER, VICTORIOUS),
    ):
        rows = [mean_interval(int(total), int(squares), n, z) for total, squares in sums[whose, end]]
        columns |= {name: [r.estimate for r in rows]}
        columns |= {f"{name}_low": [r.low for r in rows], f"{name}_high": [r.high for r in rows]}
    table = pd.DataFrame(columns)
    own_and_his = [
        np.add.outer(table[name].to_numpy(), table[f"his_if_{name}"].to_numpy()) for name in ("victorious", "beaten")
    ]
    origin = f"measured in {n:,} of {games:,} tournaments of {scenario.title}, day {day}, seed {seed}"
    return Prices(Stakes(*own_and_his), table, origin)


def _meeting(scenario: Scenario, me: Entrant, other: Entrant, side: int, day: int) -> Meeting:
    return Meeting(scenario.table, scenario.policies, scenario.rotate, (me.rider, other.rider), side, day - 1)


def _keep(path: Any, content: dict[str, Any]) -> None:
    """Write a file of the cache whole; a cache that cannot be written is no failure."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch = path.with_suffix(".new")
        scratch.write_text(json.dumps(content), encoding="utf-8")
        scratch.replace(path)
    except OSError:
        pass


def _labels(limit: int) -> list[str]:
    return [*map(str, range(limit)), "out"]


def yielding(
    scenario: Scenario,
    me: Entrant,
    other: Entrant,
    prices: Prices,
    *,
    other_is_best: bool = False,
    side: int = ATTACKER,
    day: int = 1,
    seed: int = 1,
    games: int = DEFAULT_GAMES,
    tournaments: bool = True,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Yielding:
    """Solve when `me` should yield to `other`, and set simple rules and tournaments beside it."""
    rules, limit = scenario.table.rules, int(scenario.table.rules.wound_limit)
    if rules.enrage_on_foot and rules.enrage_dice:
        raise BadInput("when to yield is solved for rage on horseback only: set enrage_on_foot = false (R16)")
    riders = (me.rider, other.rider) if side == ATTACKER else (other.rider, me.rider)
    fixed: list[np.ndarray | None] = [None, None]
    if not other_is_best:
        fixed[1 - side] = threshold(limit, other.yields_at, 1 - side)
    stopping = best_yields(rules, *riders, (prices.stakes, prices.stakes), (fixed[0], fixed[1]))

    def value(own: np.ndarray) -> tuple[float, float, float]:
        maps = (own, stopping.yields[DEFENDER]) if side == ATTACKER else (stopping.yields[ATTACKER], own)
        ends = solve(rules, *riders, maps)
        return worth_of(ends, prices.stakes, side), float(ends.winner[side]), ends.out[side]

    simple = _simple_table(limit, side, value, stopping.yields[side])
    thresholds = simple[simple["threshold"] >= 0]
    best = int(thresholds.sort_values("premiums", ascending=False, kind="stable").iloc[0]["threshold"])
    staying, yields = stopping.staying[side], stopping.yields[side].astype(bool)
    if side == DEFENDER:
        staying, yields = staying.T, yields.T
    gained = staying - prices.stakes.beaten[:limit, :limit]
    numbers = list(range(1, limit))
    played = None
    if tournaments:
        meeting = _meeting(scenario, me, other, side, day)
        played = _tournaments(meeting, stopping.yields[1 - side], thresholds, best, seed, games, threads, progress)
    return Yielding(
        scenario, me, other, other_is_best, side, day, seed, games, prices, stopping,
        pd.DataFrame(gained[1:, 1:], numbers, numbers),
        pd.DataFrame(yields[1:, 1:], numbers, numbers),
        simple.drop(columns="threshold"), best, played,
        _finding(me, yields, simple, best, day) + ("" if played is None else _borne_out(played, best)),
    )  # fmt: skip


def _simple_table(
    limit: int, side: int, value: Callable[[np.ndarray], tuple[float, float, float]], best: np.ndarray
) -> pd.DataFrame:
    """The worth of the best map and of simple rules: so many wounds, or so many more than the other."""
    a, d = np.indices((limit, limit))
    behind = a - d if side == ATTACKER else d - a
    rows: list[tuple[str, int, np.ndarray]] = [("the best map", -1, best)]
    rows += [(f"with {t} wounds or more", t, threshold(limit, t, side)) for t in range(1, limit)]
    rows += [("never", NEVER, threshold(limit, NEVER, side))]
    rows += [(f"{n} or more wounds behind", -1, (behind >= n).astype(np.uint8)) for n in range(1, min(6, limit))]
    table = pd.DataFrame(
        [(name, t, *value(own)) for name, t, own in rows], columns=["yield", "threshold", "premiums", "win", "out"]
    )
    table["lost"] = table["premiums"].iloc[0] - table["premiums"]
    table.attrs["shares"] = ("out",)
    return table


def _finding(me: Entrant, yields: np.ndarray, simple: pd.DataFrame, best: int, day: int) -> str:
    if not yields[1:, 1:].any():
        return f"{me.title} never yields on day {day}."
    lost = simple.set_index("threshold")["lost"]
    word = "never yielding" if best == NEVER else f"yielding with {best} wounds or more"
    return (
        f"{me.title} yields in {int(yields[1:, 1:].sum())} of {yields[1:, 1:].size} places on day {day}; as a simple "
        f"rule {word} is best and loses {lost[best]:z.3f} premiums a joust, never yielding {lost[NEVER]:z.3f}."
    )


def _tournaments(
    meeting: Meeting,
    other: np.ndarray,
    exact: pd.DataFrame,
    best: int,
    seed: int,
    games: int,
    threads: int | None,
    progress: Callable[[int], None],
) -> pd.DataFrame:
    """The same jousts fought in whole tournaments with each threshold, compared with the one that is best by the chain.

    `behind` is what a threshold earns less in a joust: exact for the prices, and in tournaments whose
    numbers did not set the prices.
    """
    limit = int(meeting.table.rules.wound_limit)
    thresholds = [*range(1, limit), NEVER]
    own = np.array([threshold(limit, t, meeting.side) for t in thresholds])
    sums, n = compare_rules(
        meeting, own, np.ascontiguousarray(other), thresholds.index(best), seed, _FRESH, games, threads, progress
    )
    z = z_value(CONFIDENCE, 2 * len(thresholds))
    lost = exact.set_index("threshold")["lost"]
    columns: dict[str, Any] = {
        "yield_at": [yield_text(t) for t in thresholds],
        "jousts": n,
        "exact": [lost[t] - lost[best] for t in thresholds],
    }
    for name, at, unit in (("behind", 0, 1), ("win_behind", 2, WHOLE_WIN)):
        rows = [mean_interval(int(total), int(squares), n, z) for total, squares in sums[:, at : at + 2]]
        columns |= {name: [r.estimate / unit for r in rows]}
        columns |= {f"{name}_low": [r.low / unit for r in rows], f"{name}_high": [r.high / unit for r in rows]}
    table = pd.DataFrame(columns)
    table.attrs["shares"] = ("win_behind",)
    return table


def _borne_out(tournaments: pd.DataFrame, best: int) -> str:
    """Say whether the tournaments find a better threshold than the one that the prices recommend."""
    better = tournaments[tournaments["behind_high"] < 0]
    if better.empty:
        return " In whole tournaments no other threshold is found to earn more."
    first = better.sort_values("behind").iloc[0]
    return (
        f" In whole tournaments a threshold of {first.yield_at} earns {-first.behind:z.3f} premiums a joust more than "
        f"{yield_text(best)}: the prices leave something out."
    )


def other_yields(result: Yielding) -> str:
    """Say when the other yields."""
    return "best" if result.other_is_best else yield_text(result.other.yields_at)


def as_json(result: Yielding) -> dict[str, Any]:
    """Return the answer as one document."""
    return {
        "knight": result.me.title,
        "role": "attacker" if result.side == ATTACKER else "defender",
        "other": {"knight": result.other.title, "yields_at": other_yields(result)},
        "day": result.day,
        "seed": result.seed,
        "finding": result.finding,
        "best_threshold": yield_text(result.best_threshold),
        "holds_until_round": result.stopping.holds_until,
        "map": [
            {"own": own + 1, "other": his + 1, "yield": bool(result.yields.iloc[own, his]), "fight_worth": worth}
            for (own, his), worth in np.ndenumerate(result.map.to_numpy())
        ],
        "simple": result.simple.to_dict("records"),
        "prices": {"origin": result.prices.origin, "table": result.prices.table.to_dict("records")},
        "tournaments": None if result.tournaments is None else result.tournaments.to_dict("records"),
    }
