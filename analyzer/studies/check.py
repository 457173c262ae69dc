"""The targets of a scenario as a gate, by themselves or against an earlier run."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from analyzer.errors import BadInput, Interrupted
from analyzer.scenario import Scenario
from analyzer.stats.intervals import Estimate, Method
from analyzer.stats.verdict import UNDECIDED, VIOLATED, verdict
from analyzer.studies.balance import DEFAULT_TARGETS, Line, judged, line_table, lines_json, play_sums
from analyzer.studies.until import Until

TOLERANCE, RELATIVE_TOLERANCE = (
    0.01,
    0.02,
)  # against a baseline: a share may move by 1 point, a number by 2 parts in 100


@dataclass(frozen=True)
class Check:
    """The answer: one line a target, and the verdict over all."""

    scenario: Scenario
    seed: int
    method: Method
    n_games: int
    interrupted: bool
    lines: pd.DataFrame

    @property
    def verdict(self) -> str:
        found = set(self.lines["verdict"])
        return VIOLATED if VIOLATED in found else UNDECIDED if UNDECIDED in found else "holds"

    @property
    def exit_code(self) -> int:
        return {VIOLATED: 1, UNDECIDED: 3}.get(self.verdict, 0)


def check(
    scenario: Scenario,
    *,
    until: Until,
    baseline: Path | None = None,
    seed: int | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Check:
    """Play until every target is decided, or the budget is spent."""
    seed = scenario.seed if seed is None else seed
    targets = dict(scenario.targets) or DEFAULT_TARGETS
    earlier = read_baseline(baseline, scenario) if baseline else {}

    def gate(lines: list[Line]) -> list[Line]:
        return [against(line, earlier[line.key]) for line in lines if line.key in earlier] if baseline else lines

    run = play_sums(scenario, until, targets, gate, seed=seed, threads=threads, progress=progress)
    if run.result is None:
        raise Interrupted
    lines = gate(judged(scenario, run.result, targets, until.method))
    table = line_table([line for line in lines if line.verdict], run.n_games)
    if table.empty:
        raise BadInput(f"{scenario.name}: nothing to check: no target names a number that one run of games gives")
    return Check(scenario, seed, until.method, run.n_games, run.interrupted, table)


def read_baseline(path: Path, scenario: Scenario) -> dict[str, Estimate]:
    """Return the numbers of an earlier balance or check run of the same game and table size."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        result = document.get("result", document)
        lines = {row["key"]: Estimate(row["estimate"], row["low"], row["high"]) for row in result["lines"]}
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise BadInput(f"{path}: not the run.json or --json of `balance` or `check`") from None
    if result.get("game") != scenario.game.name:
        raise BadInput(f"{path}: is of {result.get('game')!r}, not of {scenario.game.name!r}")
    return lines


def against(line: Line, earlier: Estimate) -> Line:
    """Judge a line by its distance from an earlier run; both runs' errors count."""
    difference = line.found.estimate - earlier.estimate
    reach = math.hypot(line.found.half_width, earlier.half_width)
    tolerance = TOLERANCE if line.unit == "share" else max(TOLERANCE, RELATIVE_TOLERANCE * abs(earlier.estimate))
    moved = Estimate(difference, difference - reach, difference + reach)
    return line._replace(
        what=f"{line.what}, less the baseline's",
        found=moved,
        low=-tolerance,
        high=tolerance,
        verdict=verdict(moved, -tolerance, tolerance),
    )


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
        "interval": result.method.name_in_blocks,
    }
