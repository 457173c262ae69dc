"""An earlier run to hold a scenario against: its numbers, and how far each has moved."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from analyzer.answer import POINTS, SHARE
from analyzer.engine.chance import one_seed
from analyzer.engine.run import Play, Played, Run, reduce_games
from analyzer.errors import AnalyzerError, BadInput
from analyzer.scenarios import Scenario, read_scenario
from analyzer.stats.intervals import CONFIDENCE, Estimate, Method, z_value
from analyzer.stats.moments import Moments, moments_of
from analyzer.stats.verdict import UNDECIDED, verdict
from analyzer.studies.lines import QUANTILES, Line, lines_of
from analyzer.studies.metrics import block_chunk, metrics_of, values_of
from analyzer.studies.sums import Sums, sums_of
from analyzer.studies.until import Until, play_until

# Against a baseline a share may move by 1 point, a number by 2 parts in 100, and a quantile by one, as it is a whole
# number that jumps where the share below it hardly moves.
TOLERANCE, RELATIVE_TOLERANCE, STEP = 0.01, 0.02, 1.0


@dataclass(frozen=True)
class Baseline:
    """An earlier balance or check run: its numbers, the games they come from, and its scenario if it is known."""

    path: Path
    seed: int
    n_games: int
    at_once: int  # lines the intervals of which hold together
    numbers: Mapping[str, Estimate]
    data: Mapping[str, Any] = field(default_factory=dict)

    def number(self, key: str, at_once: int) -> Estimate:
        """Return a number with the interval that it would have as one of so many that hold together.

        That of a quantile, made of whole numbers, stays as it is.
        """
        found = self.numbers[key]
        if key in QUANTILES or at_once <= self.at_once:
            return found
        wider = z_value(CONFIDENCE, at_once) / z_value(CONFIDENCE, self.at_once)
        low, high = (found.estimate + wider * (end - found.estimate) for end in found[1:])
        return Estimate(found.estimate, low, high)


class Pair(NamedTuple):
    """Sums of the same deals and dice under the baseline's rules and under today's."""

    then: Sums
    now: Sums
    both: Moments

    def __add__(self, other: Pair) -> Pair:  # type: ignore[override]
        return Pair(self.then + other.then, self.now + other.now, self.both + other.both)


def read_baseline(path: Path, scenario: Scenario) -> Baseline:
    """Return an earlier balance or check run of the same game and table size."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        rows = document["tables"]["lines"]
        numbers = {row["key"]: _read_estimate(row["estimate"]) for row in rows}
        baseline = Baseline(
            path=path,
            seed=int(document["seed"]),
            n_games=int(document["games"]),
            at_once=max(1, sum(bool(row["verdict"]) for row in rows)),
            numbers={key: found for key, found in numbers.items() if all(map(math.isfinite, found))},
            data=dict(document.get("scenario_data", {})),
        )
        game, is_of_steps = document["game"], "baseline" in document["facts"]
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadInput(f"{path}: not the run.json or --json of `balance` or `check`") from None
    if game != scenario.game.name:
        raise BadInput(f"{path}: is of {game!r}, not of {scenario.game.name!r}")
    places = sum(key.startswith("place.") for key in numbers)
    if places not in (0, len(scenario.seats)):
        raise BadInput(f"{path}: is of a table of {places}, not of {len(scenario.seats)}")
    if is_of_steps:
        raise BadInput(f"{path}: holds differences from another baseline; use a run of `balance`")
    if len(numbers) < len(rows):
        raise BadInput(f"{path}: two of its lines have the same key; make it again with `balance`")
    return baseline


def _read_estimate(found: Mapping[str, Any]) -> Estimate:
    """Return a line's number; what is null had no interval."""
    return Estimate(*(math.nan if found[key] is None else float(found[key]) for key in Estimate._fields))


def earlier_scenario(earlier: Baseline, scenario: Scenario) -> Scenario | None:
    """Return the scenario of the baseline, if it stands in its file and asks the same seats to play otherwise."""
    if not earlier.data:
        return None
    try:
        then = read_scenario(earlier.data, scenario.path)
    except AnalyzerError:
        return None
    seated_alike = then.game is scenario.game and then.seats == scenario.seats and then.rotate == scenario.rotate
    return then if seated_alike and not _plays_alike(then, scenario) else None


def _plays_alike(one: Scenario, other: Scenario) -> bool:
    """Return whether rules, cards and policies are the same, whatever else the files say."""
    tables = one.table, other.table
    return (
        tables[0].options == tables[1].options and tables[0].deck == tables[1].deck and one.settings == other.settings
    )


def reproduces(scenario: Scenario, sums: Sums, earlier: Baseline) -> bool:
    """Return whether the games played again give the baseline's numbers; then nothing in their play has changed.

    The snowball is left out: its last digits depend on how the games were put into parts.
    """
    found = {line.key: line.found.estimate for line in lines_of(scenario, sums, Method()) if line.key != "snowball"}
    shared = found.keys() & earlier.numbers.keys()
    return bool(shared) and all(
        math.isclose(found[key], earlier.numbers[key].estimate, rel_tol=1e-9, abs_tol=1e-12) for key in shared
    )


def play_pairs(
    then: Scenario,
    now: Scenario,
    until: Until,
    enough: Callable[[Pair], bool],
    *,
    seed: int,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Run[Pair]:
    """Play two scenarios that seat the same policies on the same deals and dice."""
    n = len(now.seats)
    plays = [Play(s.table, s.policies, one_seed(seed), s.rotate) for s in (then, now)]

    def reduce(played: Sequence[Played]) -> Pair:
        old, new = played
        values = [values_of(then, old), values_of(now, new)]
        return Pair(sums_of(then, old, values[0]), sums_of(now, new, values[1]), moments_of(values, n))

    def stretch(first: int, count: int) -> Run[Pair]:
        chunk = block_chunk(n, len(plays))
        return reduce_games(
            plays, count, reduce, first=first, threads=threads, chunk=chunk, logged=True, progress=progress
        )

    return play_until(until, n, stretch, enough)


def paired_lines(then: Scenario, now: Scenario, pair: Pair, earlier: Baseline, method: Method) -> list[Line]:
    """Return how far each number of the baseline has moved, from games played under both rules.

    A headline number moves by the mean of the differences game by game; the others by the difference of the
    two runs, which errs on the wide side.
    """
    keys = earlier.numbers.keys() & {line.key for line in lines_of(now, pair.now, method)}
    at_once = max(1, len(keys))
    before = {line.key: line.found for line in lines_of(then, pair.then, method, at_once)}
    metrics = metrics_of(now)
    moments = pair.both.estimates(method, at_once, 1, paired=True)
    steps = {m.key: Estimate(*(v * m.scale for v in found)) for m, found in zip(metrics, moments, strict=True)}
    lines = []
    for line in lines_of(now, pair.now, method, at_once):
        if line.key in keys and line.key in before:
            step = steps.get(line.key) or _difference(line, before[line.key])
            lines.append(moved_by(line, step, before[line.key], games=pair.now.tally.n_games))
    return lines


def apart_from(line: Line, earlier: Baseline, games: int, at_once: int) -> Line:
    """Judge a line by its distance from an earlier run of other games; both runs' errors count."""
    before = earlier.number(line.key, at_once)
    moved = moved_by(line, _difference(line, before), before)
    if moved.verdict != UNDECIDED or not moved.is_known:
        return moved
    # If this run had no error left: could its number lie within all of the baseline's interval, or outside of it?
    may_hold = max(line.found.low, before.high - moved.high) <= min(line.found.high, before.low + moved.high)
    may_fail = line.found.high - before.high > moved.high or before.low - line.found.low > moved.high
    distance = abs(moved.high - abs(moved.found.estimate))
    stuck = not may_hold and not may_fail
    if stuck or before.half_width >= distance:
        needed = (2 * before.half_width / moved.high) ** 2  # half of the tolerance left to it, if nothing has moved
        return moved._replace(stuck=stuck, baseline_to_decide=_games(needed, earlier.n_games))
    needed = line.found.half_width**2 / (distance**2 - before.half_width**2)
    return moved._replace(games_to_decide=_games(needed, games))


def _difference(line: Line, before: Estimate) -> Estimate:
    """Return how far a line is from an earlier number; errors of two runs of other games add in squares.

    Not those of quantiles, which are whole numbers: their difference lies between those of the intervals' ends.
    """
    difference = line.found.estimate - before.estimate
    if line.key in QUANTILES:
        return Estimate(difference, line.found.low - before.high, line.found.high - before.low)
    low = math.hypot(line.found.estimate - line.found.low, before.high - before.estimate)
    high = math.hypot(line.found.high - line.found.estimate, before.estimate - before.low)
    return Estimate(difference, difference - low, difference + high)


def moved_by(line: Line, moved: Estimate, before: Estimate, games: int = 0) -> Line:
    """Return the line as a step from the baseline, judged; with `games`, an open one says how many would decide it."""
    tolerance = TOLERANCE if line.unit in (SHARE, POINTS) else max(TOLERANCE, RELATIVE_TOLERANCE * abs(before.estimate))
    if line.key in QUANTILES:
        tolerance = max(STEP, tolerance)
    found = verdict(moved, -tolerance, tolerance)
    distance = abs(tolerance - abs(moved.estimate))
    needed = (moved.half_width / distance) ** 2 if distance else math.inf
    return line._replace(
        what=f"{line.what}, less the baseline's",
        found=moved,
        unit=POINTS if line.unit == SHARE else line.unit,
        low=-tolerance,
        high=tolerance,
        verdict=found,
        games_to_decide=_games(needed, games) if found == UNDECIDED and games else 0,
    )


def _games(times: float, games: int) -> int:
    """Return so many times the games; an estimate on the very edge could take forever."""
    return int(min(1000.0, max(1.0, times if times == times else 1000.0)) * games)
