"""The targets of a scenario as a gate, by themselves or against an earlier run."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from analyzer.engine.chance import one_seed
from analyzer.engine.run import Play, Played, Run, reduce_games
from analyzer.errors import AnalyzerError, BadInput, Interrupted
from analyzer.scenarios import Scenario, read_scenario
from analyzer.stats.intervals import CONFIDENCE, Estimate, Method, z_value
from analyzer.stats.moments import Moments, moments_of
from analyzer.stats.verdict import HOLDS, UNDECIDED, VIOLATED, verdict
from analyzer.studies.balance import (
    LUCK,
    QUANTILES,
    SKILL,
    Line,
    Sums,
    judged,
    line_table,
    lines_json,
    lines_of,
    luck_and_skill,
    luck_lines,
    planned,
    play_sums,
    sums_of,
    targets_of,
)
from analyzer.studies.metrics import block_chunk, metrics_of, values_of, whole_blocks
from analyzer.studies.until import Until, play_until

# Against a baseline a share may move by 1 point, a number by 2 parts in 100, and a quantile by one, as it is a whole
# number that jumps where the share below it hardly moves.
TOLERANCE, RELATIVE_TOLERANCE, STEP = 0.01, 0.02, 1.0
SAME_GAMES, PAIRED, APART = "same games", "paired", "apart"  # how a run is held against a baseline


@dataclass(frozen=True)
class Check:
    """The answer: one line a target, and the verdict over all."""

    scenario: Scenario
    seed: int
    method: Method
    n_games: int
    interrupted: bool
    lines: pd.DataFrame
    left_out: tuple[str, ...]  # the keys of targets for which there were too few games
    compared: str = ""  # with the baseline, if there is one

    @property
    def verdict(self) -> str:
        found = {*self.lines["verdict"], *([UNDECIDED] if self.left_out else [])}
        return VIOLATED if VIOLATED in found else UNDECIDED if UNDECIDED in found else HOLDS

    @property
    def exit_code(self) -> int:
        return {VIOLATED: 1, UNDECIDED: 3}.get(self.verdict, 0)


@dataclass(frozen=True)
class Baseline:
    """An earlier balance or check run: its numbers, the games they come from, and its scenario if it is known."""

    path: Path
    seed: int
    n_games: int
    at_once: int  # lines the intervals of which hold together
    numbers: Mapping[str, Estimate]
    text: str = ""

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


class Judgement(NamedTuple):
    """What was played and how it is judged."""

    lines: list[Line]
    n_games: int
    interrupted: bool


def check(
    scenario: Scenario,
    *,
    until: Until,
    baseline: Path | None = None,
    every: bool = False,
    seed: int | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Check:
    """Play until the verdict is certain, or the budget is spent.

    It is certain with the first violated target; with `every`, when all targets are decided. What no
    further games can decide is not waited for. Against a baseline its seed is played, if none is given.
    """
    earlier = read_baseline(baseline, scenario) if baseline else None
    seed = seed if seed is not None else earlier.seed if earlier else scenario.seed
    stop = planned(scenario, until)
    player = _Player(scenario, stop, seed, every, threads, progress)
    if earlier:
        compared, found = player.against(earlier)
    else:
        compared, found = "", player.by_targets()
    wanted = [line for line in found.lines if line.verdict]
    if not wanted:
        raise BadInput(f"{scenario.name}: nothing to check: the baseline has none of the numbers of this scenario")
    return Check(
        scenario=scenario,
        seed=seed,
        method=stop.method,
        n_games=found.n_games,
        interrupted=found.interrupted,
        lines=line_table([line for line in wanted if line.is_known]),
        left_out=tuple(line.key for line in wanted if not line.is_known),
        compared=compared,
    )


def is_settled(lines: Sequence[Line], every: bool) -> bool:
    """Return whether more games cannot change what is reported: the verdict, or with `every` any line's."""
    if not every and any(line.verdict == VIOLATED for line in lines):
        return True
    return not any(line.verdict == UNDECIDED and line.is_known and not line.stuck for line in lines)


@dataclass(frozen=True)
class _Player:
    """Plays what a check asks for."""

    scenario: Scenario
    until: Until
    seed: int
    every: bool
    threads: int | None
    progress: Callable[[int], None]

    def by_targets(self) -> Judgement:
        """Hold the scenario to its targets; those on luck and skill take games of their own, after the others."""
        scenario, targets, method = self.scenario, targets_of(self.scenario), self.until.method
        run = play_sums(
            scenario,
            self.until,
            targets,
            seed=self.seed,
            enough=lambda sums: is_settled(judged(scenario, sums, targets, method), self.every),
            threads=self.threads,
            progress=self.progress,
        )
        sums = _played(run)
        extra = []
        if not run.interrupted and any(key in targets for key in (*LUCK, SKILL)):
            at_once = len((*LUCK, SKILL)) + sum(line.family in targets for line in lines_of(scenario, sums, method))
            extra = luck_lines(*luck_and_skill(scenario, sums.tally, self.seed, self.threads, at_once))
        return Judgement(judged(scenario, sums, targets, method, extra), run.n_games, run.interrupted)

    def against(self, earlier: Baseline) -> tuple[str, Judgement]:
        """Hold the scenario against an earlier run: by the very games of that run where they can be played again."""
        first = 0
        if earlier.seed == self.seed:
            first = whole_blocks(earlier.n_games, len(self.scenario.seats))  # else both would share games
            if earlier.n_games <= self.until.games:
                then = earlier_scenario(earlier, self.scenario)
                again = self._replayed(then or self.scenario, earlier)
                if _reproduces(then or self.scenario, again, earlier):
                    if then:
                        return PAIRED, self._paired(then, earlier)
                    return SAME_GAMES, Judgement(self._unmoved(again, earlier), again.tally.n_games, False)
        return APART, self._apart(earlier, first)

    def _replayed(self, scenario: Scenario, earlier: Baseline) -> Sums:
        """Play the games of the baseline, all of them."""
        plan = Until(earlier.n_games)
        run = play_sums(scenario, plan, {}, seed=self.seed, threads=self.threads, progress=self.progress)
        if run.interrupted:
            raise Interrupted
        sums: Sums = _played(run)
        return sums

    def _unmoved(self, sums: Sums, earlier: Baseline) -> list[Line]:
        """Return the lines of a run that has given the baseline's numbers again: nothing has moved."""
        lines = lines_of(self.scenario, sums, Method())
        return [
            moved_by(line, Estimate(0.0, 0.0, 0.0), earlier.numbers[line.key])
            for line in lines
            if line.key in earlier.numbers
        ]

    def _paired(self, then: Scenario, earlier: Baseline) -> Judgement:
        """Play the baseline's rules and today's on the same deals and dice."""
        method = self.until.method

        def judge(pair: Pair) -> list[Line]:
            return paired_lines(then, self.scenario, pair, earlier, method)

        run = play_pairs(
            then,
            self.scenario,
            self.until,
            lambda pair: is_settled(judge(pair), self.every),
            seed=self.seed,
            threads=self.threads,
            progress=self.progress,
        )
        return Judgement(judge(_played(run)), run.n_games, run.interrupted)

    def _apart(self, earlier: Baseline, first: int) -> Judgement:
        """Play games that the baseline did not play; both runs' errors count."""

        def judge(sums: Sums) -> list[Line]:
            plain = lines_of(self.scenario, sums, self.until.method)
            at_once = max(1, sum(line.key in earlier.numbers for line in plain))
            lines = lines_of(self.scenario, sums, self.until.method, at_once)
            shared = (line for line in lines if line.key in earlier.numbers)
            return [apart_from(line, earlier, sums.tally.n_games, at_once) for line in shared]

        run = play_sums(
            self.scenario,
            self.until,
            {},
            seed=self.seed,
            first=first,
            enough=lambda sums: is_settled(judge(sums), self.every),
            threads=self.threads,
            progress=self.progress,
        )
        return Judgement(judge(_played(run)), run.n_games, run.interrupted)


def _played(run: Run[Any]) -> Any:
    if run.result is None:
        raise Interrupted
    return run.result


def read_baseline(path: Path, scenario: Scenario) -> Baseline:
    """Return an earlier balance or check run of the same game and table size."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        result = document.get("result", document)
        rows = result["lines"]
        numbers = {row["key"]: _read_estimate(row) for row in rows}
        baseline = Baseline(
            path=path,
            seed=int(result["seed"]),
            n_games=int(result["games"]),
            at_once=max(1, sum("verdict" in row for row in rows)),
            numbers={key: found for key, found in numbers.items() if all(map(math.isfinite, found))},
            text=str(document.get("scenario_text", "")),
        )
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadInput(f"{path}: not the run.json or --json of `balance` or `check`") from None
    if result.get("game") != scenario.game.name:
        raise BadInput(f"{path}: is of {result.get('game')!r}, not of {scenario.game.name!r}")
    places = sum(key.startswith("place.") for key in numbers)
    if places not in (0, len(scenario.seats)):
        raise BadInput(f"{path}: is of a table of {places}, not of {len(scenario.seats)}")
    if result.get("baseline"):
        raise BadInput(f"{path}: holds differences from another baseline; use a run of `balance`")
    if len(numbers) < len(rows):
        raise BadInput(f"{path}: two of its lines have the same key; make it again with `balance`")
    return baseline


def _read_estimate(row: Mapping[str, Any]) -> Estimate:
    """Return a line's number; what is null had no interval."""
    return Estimate(*(math.nan if row[key] is None else float(row[key]) for key in ("estimate", "low", "high")))


def earlier_scenario(earlier: Baseline, scenario: Scenario) -> Scenario | None:
    """Return the scenario of the baseline, if it stands in its file and asks the same seats to play otherwise."""
    if not earlier.text:
        return None
    try:
        then = read_scenario(tomllib.loads(earlier.text), scenario.path, earlier.text)
    except (AnalyzerError, tomllib.TOMLDecodeError):
        return None
    seated_alike = then.game is scenario.game and then.seats == scenario.seats and then.rotate == scenario.rotate
    return then if seated_alike and not _plays_alike(then, scenario) else None


def _plays_alike(one: Scenario, other: Scenario) -> bool:
    """Return whether rules, cards and policies are the same, whatever else the files say."""
    tables = one.table, other.table
    return (
        tables[0].options == tables[1].options and tables[0].deck == tables[1].deck and one.settings == other.settings
    )


def _reproduces(scenario: Scenario, sums: Sums, earlier: Baseline) -> bool:
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
    tolerance = TOLERANCE if line.unit == "share" else max(TOLERANCE, RELATIVE_TOLERANCE * abs(before.estimate))
    if line.key in QUANTILES:
        tolerance = max(STEP, tolerance)
    found = verdict(moved, -tolerance, tolerance)
    distance = abs(tolerance - abs(moved.estimate))
    needed = (moved.half_width / distance) ** 2 if distance else math.inf
    return line._replace(
        what=f"{line.what}, less the baseline's",
        found=moved,
        low=-tolerance,
        high=tolerance,
        verdict=found,
        games_to_decide=_games(needed, games) if found == UNDECIDED and games else 0,
    )


def _games(times: float, games: int) -> int:
    """Return so many times the games; an estimate on the very edge could take forever."""
    return int(min(1000.0, max(1.0, times if times == times else 1000.0)) * games)


def as_json(result: Check) -> dict[str, Any]:
    """Return the answer as one document."""
    return {
        "game": result.scenario.game.name,
        "scenario": result.scenario.name,
        "seed": result.seed,
        "games": result.n_games,
        "interrupted": result.interrupted,
        "verdict": result.verdict,
        "lines": lines_json(result.lines),
        "left_out": list(result.left_out),
        "interval": result.method.name_in_blocks,
    } | ({"baseline": result.compared} if result.compared else {})
