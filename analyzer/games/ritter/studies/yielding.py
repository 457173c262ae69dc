"""When to yield: the best map, what simple rules lose against it, and tournaments to check it.

One question runs through the page: these two knights, so trained, meet on that day with these wounds.
The prices are measured in such jousts, the map and the simple rules are exact for the prices, and the
tournaments fight the same jousts with one threshold after the other.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analyzer import cache_home, source_hash
from analyzer.answer import COUNT, POINTS, SHARE, Answer, Chart, Column, Table, estimates
from analyzer.engine.tally import WHOLE_WIN
from analyzer.errors import BadInput
from analyzer.games.ritter.joust import ATTACKER, DEFENDER, NEVER, Rider, follow_chances, solve, threshold
from analyzer.games.ritter.stopping import Stakes, Stopping, best_yields, go_back, worth_of
from analyzer.games.ritter.studies.entrants import Entrant, read_entrant, ritter_scenario, untrained, yield_text
from analyzer.games.ritter.worth import (
    BEATEN,
    OTHER,
    OWN,
    VICTORIOUS,
    Meeting,
    Summed,
    compare,
    compare_rules,
    measure,
    measure_worth,
)
from analyzer.scenarios import Scenario
from analyzer.stats.intervals import CONFIDENCE, mean_interval, z_value
from analyzer.study import Question

_FRESH = 1 << 32  # numbers of tournaments that did not set the prices
INFINITE = 1e9  # premiums that `inf` stands for
PREMIUMS = "premiums"


@dataclass(frozen=True)
class Encounter:
    """The joust that is asked about: who meets whom, who attacks, on which day, and when the other yields."""

    scenario: Scenario
    me: Entrant
    other: Entrant
    side: int = ATTACKER  # or DEFENDER: one's own part
    day: int = 1
    other_is_best: bool = False  # else the other keeps to its `yields_at`

    @property
    def limit(self) -> int:
        """The wounds at which a knight is out."""
        return int(self.scenario.table.rules.wound_limit)

    @property
    def riders(self) -> tuple[Rider, Rider]:
        """Attacker and defender."""
        ours = (self.me.rider, self.other.rider)
        return ours if self.side == ATTACKER else ours[::-1]

    @property
    def meeting(self) -> Meeting:
        """The same for tournaments."""
        asked, knights = self.scenario, (self.me.rider, self.other.rider)
        return Meeting(asked.table, asked.policies, asked.rotate, knights, self.side, self.day - 1)

    @property
    def other_yields(self) -> str:
        """When the other yields."""
        return "best" if self.other_is_best else yield_text(self.other.yields_at)


@dataclass(frozen=True)
class Prices:
    """What the ends of a joust are worth to a knight, and where that comes from."""

    stakes: Stakes
    table: pd.DataFrame
    origin: str


def read(
    a: str, b: str, defend: bool, train_a: str, train_b: str, yield_b: str, day: int, scenario: str | Scenario,
    prices: str, stake: float, rule: Sequence[str], games: int, seed: int,
) -> Question:  # fmt: skip
    """Read which joust is asked about, and the prices if they are given by hand."""
    asked = ritter_scenario(scenario, rule)
    if day > asked.table.rules.days:
        raise BadInput(f"--day {day}: the tournament has {asked.table.rules.days} days")
    is_best = yield_b == "best"
    encounter = Encounter(
        asked,
        read_entrant(asked, a, train_a),
        read_entrant(asked, b, train_b, "never" if is_best else yield_b),
        DEFENDER if defend else ATTACKER,
        day,
        is_best,
    )
    given = given_prices(encounter.limit, prices, stake) if prices else None
    return Question(
        encounter,
        asked,
        {"prices": given, "games": games, "seed": seed},
        untrained(asked, a, b),
        drivers=(go_back, follow_chances) if given else (measure, compare),
    )


def plan(encounter: Encounter, *, prices: Prices | None, games: int, seed: int = 0) -> int:
    """Return how many tournaments are played: for the prices, and for each threshold."""
    return 0 if prices else games * (1 + encounter.limit)


def yielding(
    encounter: Encounter,
    *,
    games: int,
    prices: Prices | None = None,
    seed: int = 1,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Answer:
    """Solve when to yield, for prices by hand or for measured ones; then tournaments are set beside it."""
    if prices is not None:
        return answer(encounter, prices, seed=seed)
    measured = measured_prices(encounter, seed=seed, games=games, threads=threads, progress=progress)
    return answer(encounter, measured, seed=seed, games=games, threads=threads, progress=progress)


def answer(
    encounter: Encounter,
    prices: Prices,
    *,
    seed: int = 1,
    games: int = 0,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Answer:
    """Solve when to yield for these prices, and fight it out in so many tournaments a threshold.

    An interruption leaves the tournaments that have been played; the map does not need them.
    """
    stopping = solve_stopping(encounter, prices)
    simple = _simple_rules(encounter, prices, stopping)
    best = best_threshold(simple)
    finding = _finding(encounter, stopping, simple, best)
    tables = [
        *_map_tables(encounter, prices, stopping, finding),
        _simple_table(simple),
        _price_table(prices),
    ]
    played = _tournaments(encounter, stopping, best, seed, games, threads, progress) if games else None
    if played is not None and played.jousts:
        tournaments = _tournament_frame(encounter, simple, best, played)
        borne_out = _borne_out(tournaments, best)
        finding += f" {borne_out}"
        tables.append(_tournament_table(tournaments, best, borne_out, played, seed))
    n_played = played.tournaments if played else 0
    cut = f" It was interrupted after {n_played:,} of {games:,} tournaments." if n_played < games else ""
    role = "attacks" if encounter.side == ATTACKER else "is attacked by"
    return Answer(
        study="yield",
        scenario=encounter.scenario,
        title=f"When to yield: {encounter.me.title} {role} {encounter.other.title}, day {encounter.day}",
        question="With what wounds does fighting on cost more than it can win?",
        finding=finding,
        tables=tuple(tables),
        method=f"Backward induction over the rounds on foot for prices {prices.origin}: exact for these prices, as are "
        f"the simple rules, valued by the chain of rounds.{cut}",
        seed=seed,
        n_games=games,
        interrupted=bool(cut),
        notes=tuple(encounter.scenario.caveats) if games else (),
        facts={
            "knight": encounter.me.title,
            "role": "attacker" if encounter.side == ATTACKER else "defender",
            "other": {"knight": encounter.other.title, "yields_at": encounter.other_yields},
            "day": encounter.day,
            "best_threshold": yield_text(best),
            "holds_until_round": stopping.holds_until,
            "prices": prices.origin,
        },
    )


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
    beaten = 0.0 - np.array(numbers)
    alike = np.repeat(beaten[:, None], limit + 1, axis=1)  # whatever the other's wounds
    stakes = Stakes(alike + stake, alike)
    table = pd.DataFrame({"wounds": _labels(limit), "beaten": beaten, "victorious": beaten + stake})
    return Prices(stakes, table, f"given by hand, {stake:g} premiums for the win")


def measured_prices(
    encounter: Encounter,
    *,
    seed: int,
    games: int,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Prices:
    """Measure what each end of a joust of these two on that day is worth in the scenario's tournaments.

    The sums are kept for the next time.
    """
    scenario, limit = encounter.scenario, encounter.limit
    me, other, side, day = encounter.me, encounter.other, encounter.side, encounter.day
    asked = (source_hash(), scenario.table.options, scenario.settings, scenario.table.deck, scenario.rotate)
    key = hashlib.sha256(repr((*asked, me.rider, other.rider, side, day, seed, games)).encode()).hexdigest()[:20]
    path = cache_home() / "worth" / f"{key}.json"
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        sums, n = np.array(kept["sums"], np.int64), int(kept["tournaments"])
        progress(games)
    except (OSError, ValueError, KeyError):
        sums, n = measure_worth(encounter.meeting, seed, games, threads, progress)
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
        columns |= estimates(name, rows)
    table = pd.DataFrame(columns)
    own_and_his = [
        np.add.outer(table[name].to_numpy(), table[f"his_if_{name}"].to_numpy()) for name in ("victorious", "beaten")
    ]
    origin = f"measured in {n:,} of {games:,} tournaments of {scenario.title}, day {day}, seed {seed}"
    return Prices(Stakes(*own_and_his), table, origin)


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


def solve_stopping(encounter: Encounter, prices: Prices) -> Stopping:
    """Return where one's own knight should yield, the other keeping to its wounds or doing its best."""
    rules, side = encounter.scenario.table.rules, encounter.side
    if rules.enrage_on_foot and rules.enrage_dice:
        raise BadInput("when to yield is solved for rage on horseback only: set enrage_on_foot = false (R16)")
    fixed: list[np.ndarray | None] = [None, None]
    if not encounter.other_is_best:
        fixed[1 - side] = threshold(encounter.limit, encounter.other.yields_at, 1 - side)
    return best_yields(rules, *encounter.riders, (prices.stakes, prices.stakes), (fixed[0], fixed[1]))


def _own(grid: np.ndarray, side: int) -> np.ndarray:
    """Return a grid [attacker's, defender's wounds] with one's own wounds down, from the first wound on (R17)."""
    return (grid if side == ATTACKER else grid.T)[1:, 1:]


def _map_tables(encounter: Encounter, prices: Prices, stopping: Stopping, finding: str) -> tuple[Table, Table]:
    """Return where to yield, and what fighting on is worth above yielding."""
    side, limit = encounter.side, encounter.limit
    yields = _own(stopping.yields[side].astype(bool), side)
    worth = _own(stopping.staying[side], side) - prices.stakes.beaten[1:limit, 1:limit]
    numbers = [str(wounds) for wounds in range(1, limit)]

    def grid(values: np.ndarray) -> pd.DataFrame:
        return pd.DataFrame(values, numbers, numbers).rename_axis("own wounds").reset_index()

    cells = pd.DataFrame(
        [
            {"own": numbers[own], "other": numbers[other], "worth": gained}
            for (own, other), gained in np.ndenumerate(worth)
        ]
    )
    return (
        Table(
            "map",
            "Where to yield: own wounds down, the other's across",
            grid(np.where(yields, "yield", "fight")),
            (Column("worth", unit=PREMIUMS),),
            f"It holds until round {stopping.holds_until}. The other yields at: {encounter.other_yields}.",
            Chart(
                "heat",
                finding,
                "worth",
                down="own",
                across="other",
                note="premiums that fighting on when asked is worth above yielding, exact for these prices; blue: "
                "fight on, red: yield",
                frame=cells,
                more={"middle": 0.0, "down": "own wounds", "across": "the other's wounds"},
            ),
            brief=True,
        ),
        Table(
            "fighting",
            "Premiums that fighting on is worth above yielding: own wounds down, the other's across",
            grid(worth),
            [Column(key, unit=PREMIUMS) for key in numbers],
            "Asked at these wounds; exact for the prices below.",
        ),
    )


def _simple_rules(encounter: Encounter, prices: Prices, stopping: Stopping) -> pd.DataFrame:
    """Return the worth of the best map and of simple rules: so many wounds, or so many more than the other."""
    limit, side = encounter.limit, encounter.side
    a, d = np.indices((limit, limit))
    behind = a - d if side == ATTACKER else d - a
    rules: list[tuple[str, int, np.ndarray]] = [("the best map", -1, stopping.yields[side])]
    rules += [(_with(t), t, threshold(limit, t, side)) for t in range(1, limit)]
    rules += [("never", NEVER, threshold(limit, NEVER, side))]
    rules += [(f"{n} or more wounds behind", -1, (behind >= n).astype(np.uint8)) for n in range(1, min(6, limit))]
    rows = []
    for name, at, own in rules:
        maps = (own, stopping.yields[DEFENDER]) if side == ATTACKER else (stopping.yields[ATTACKER], own)
        ends = solve(encounter.scenario.table.rules, *encounter.riders, maps)
        rows.append((name, at, worth_of(ends, prices.stakes, side), float(ends.winner[side]), ends.out[side]))
    table = pd.DataFrame(rows, columns=["yield", "threshold", "premiums", "win", "out"])
    table["lost"] = table["premiums"].iloc[0] - table["premiums"]
    return table


def _with(wounds: int) -> str:
    return f"with {wounds} {'wound' if wounds == 1 else 'wounds'} or more"


def best_threshold(simple: pd.DataFrame) -> int:
    """Return the threshold that is worth most among the simple rules."""
    thresholds = simple[simple["threshold"] >= 0]
    return int(thresholds.sort_values("premiums", ascending=False, kind="stable").iloc[0]["threshold"])


def _simple_table(simple: pd.DataFrame) -> Table:
    return Table(
        "simple",
        "What simple rules lose, in premiums a joust",
        simple.drop(columns="threshold"),
        (
            Column("premiums", unit=PREMIUMS),
            Column("win", "wins", SHARE),
            Column("out", "out of the tournament", SHARE),
            Column("lost", unit=PREMIUMS),
        ),
        "Exact for the prices below.",
        brief=True,
    )


def _price_table(prices: Prices) -> Table:
    headings = {
        "beaten": "own, if beaten",
        "victorious": "own, if victorious",
        "his_if_beaten": "the other's, if one is beaten",
        "his_if_victorious": "the other's, if one is victorious",
    }
    return Table(
        "prices",
        "What the end of a joust is worth in premiums, by the wounds then",
        prices.table,
        [Column(key, heading, PREMIUMS) for key, heading in headings.items()],
        "One's own wounds: counted from being beaten unhurt. The other's: counted from those it had. "
        f"{prices.origin[0].upper()}{prices.origin[1:]}.",
    )


def _finding(encounter: Encounter, stopping: Stopping, simple: pd.DataFrame, best: int) -> str:
    me, day, yields = encounter.me.title, encounter.day, _own(stopping.yields[encounter.side], encounter.side)
    if not yields.any():
        return f"{me} never yields on day {day}."
    lost = simple.set_index("threshold")["lost"]
    word = "never yielding" if best == NEVER else f"yielding {_with(best)}"
    never = "" if best == NEVER else f", never yielding {lost[NEVER]:z.3f}"
    return (
        f"{me} yields in {int(yields.sum())} of {yields.size} places on day {day}; for these prices {word} is best "
        f"as a simple rule and loses {lost[best]:z.3f} premiums a joust{never}."
    )


def _tournaments(
    encounter: Encounter,
    stopping: Stopping,
    best: int,
    seed: int,
    games: int,
    threads: int | None,
    progress: Callable[[int], None],
) -> Summed | None:
    """Fight the same jousts in whole tournaments with each threshold; None if not even one could be."""
    side, thresholds = encounter.side, _thresholds(encounter)
    own = np.array([threshold(encounter.limit, t, side) for t in thresholds])
    other = np.ascontiguousarray(stopping.yields[1 - side])
    try:
        return compare_rules(
            encounter.meeting, own, other, thresholds.index(best), seed, _FRESH, games, threads, progress
        )
    except KeyboardInterrupt:
        return None


def _thresholds(encounter: Encounter) -> list[int]:
    return [*range(1, encounter.limit), NEVER]


def _tournament_frame(encounter: Encounter, simple: pd.DataFrame, best: int, played: Summed) -> pd.DataFrame:
    """Return what each threshold earns less in a joust than the one that is best by the chain.

    Exact for the prices, and in tournaments whose numbers did not set the prices.
    """
    thresholds, n = _thresholds(encounter), played.jousts
    z = z_value(CONFIDENCE, 2 * len(thresholds))
    lost = simple.set_index("threshold")["lost"]
    columns: dict[str, Any] = {
        "yield_at": [yield_text(t) for t in thresholds],
        "jousts": n,
        "exact": [lost[t] - lost[best] for t in thresholds],
    }
    for name, at, unit in (("behind", 0, 1), ("win_behind", 2, WHOLE_WIN)):
        rows = [mean_interval(int(total), int(squares), n, z) for total, squares in played.sums[:, at : at + 2]]
        columns |= estimates(name, [row.scaled(1 / unit) for row in rows])
    return pd.DataFrame(columns)


def _tournament_table(tournaments: pd.DataFrame, best: int, borne_out: str, played: Summed, seed: int) -> Table:
    word = yield_text(best)
    return Table(
        "tournaments",
        "Whole tournaments: the same joust of these two, with each threshold",
        tournaments,
        (
            Column("yield_at", "yields at"),
            Column("jousts", unit=COUNT, detail=True),
            Column("exact", unit=PREMIUMS),
            Column("behind", unit=PREMIUMS),
            Column("win_behind", "wins behind", POINTS),
        ),
        f"Same deals and dice for all. behind: premiums less a joust than with {word}, which is best by the "
        "chain for the prices; exact: the same from the table of simple rules. The numbers of these "
        "tournaments did not set the prices.",
        Chart(
            "intervals",
            borne_out,
            "behind",
            "yield_at",
            axis=f"premiums a joust less than yielding at {word}, by the wounds at which the knight yields",
            note=f"{played.jousts:,} jousts in {played.tournaments:,} tournaments, seed {seed}; bars: 95% intervals "
            "that hold together",
            reference=(0.0, f"as much as {word}"),
        ),
        brief=True,
    )


def _borne_out(tournaments: pd.DataFrame, best: int) -> str:
    """Say whether the tournaments tell another threshold from the one that the prices recommend."""
    word = "never yielding" if best == NEVER else yield_text(best)
    better = tournaments[tournaments["behind_high"] < 0]
    if not better.empty:
        first = better.sort_values("behind").iloc[0]
        return (
            f"In whole tournaments a threshold of {first.yield_at} earns {-first.behind:z.3f} premiums a joust more "
            f"than {word}: the prices leave something out."
        )
    others = tournaments[tournaments["yield_at"] != yield_text(best)]
    level = list(others["yield_at"][others["behind_low"] <= 0])
    if not level:
        return f"In whole tournaments every other threshold earns less than {word}."
    if len(level) == len(others):
        return f"In whole tournaments no other threshold can be told from {word}."
    named = " and ".join([", ".join(level[:-1]), level[-1]] if len(level) > 1 else level)
    return f"In whole tournaments {named} cannot be told from {word}, the others earn less."
