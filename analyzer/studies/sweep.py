"""Grids of rule variants on the same deals and dice: what each step moves, and where all targets hold."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analyzer.engine.run import Run
from analyzer.errors import AnalyzerError, BadFile, BadInput
from analyzer.scenarios import Scenario, changed, plain_value
from analyzer.stats.intervals import Estimate
from analyzer.stats.moments import Moments
from analyzer.stats.verdict import HOLDS, UNDECIDED, VIOLATED, verdict
from analyzer.studies import heading
from analyzer.studies.balance import DEFAULT_TARGETS
from analyzer.studies.compare import difference_table, play_paired, shared_metrics
from analyzer.studies.metrics import Metric
from analyzer.studies.until import Until, most_games

MOST_POINTS = 400
AT_ONCE = 8  # variants played in one go beside the scenario itself: bounds the memory


@dataclass(frozen=True)
class Axis:
    """One thing that varies: a key such as `rules.night_recovery`, and its values."""

    key: str
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Sweep:
    """The answer: each metric at each point of the grid, and what holds there."""

    scenario: Scenario
    seed: int
    axes: tuple[Axis, ...]
    n_games: int
    interrupted: bool
    points: pd.DataFrame  # one row a point and metric
    region: pd.DataFrame  # one row a point: the verdict over all targets
    refused: pd.DataFrame  # variants that the game does not allow, and why
    finding: str
    verdicts: tuple[tuple[str, str], ...] = ()


def read_axis(text: str) -> Axis:
    """Read `rules.night_recovery=0:6`, `rules.enrage=none,every_round` or `policies.mine.yield_at=3,5,never`."""
    key, equals, given = (part.strip() for part in text.partition("="))
    if not equals or not re.fullmatch(r"(rules|policies\.[\w-]+)\.\w+", key):
        raise BadInput(f"--vary {text!r}: allowed: rules.OPTION=VALUES or policies.NAME.PARAMETER=VALUES")
    span = re.fullmatch(r"(-?\d+):(-?\d+)(?::(\d+))?", given)
    if span:
        low, high, step = int(span[1]), int(span[2]), int(span[3] or 1)
        values: tuple[Any, ...] = tuple(range(low, high + 1, max(1, step)))
    else:
        values = tuple(_value(part) for part in re.split(r",(?![^\[]*\])", given) if part.strip())
    if not values:
        raise BadInput(f"--vary {text!r}: no values; allowed: LOW:HIGH, LOW:HIGH:STEP or a list such as 1,2,4")
    return Axis(key, values)


def _value(text: str) -> Any:
    value = plain_value(text)
    return value.strip() if isinstance(value, str) else value


def sweep(
    scenario: Scenario,
    *,
    axes: Sequence[Axis],
    seed: int | None = None,
    games: int | None = None,
    until: Until | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Sweep:
    """Play every point of the grid on the same deals and dice."""
    seed = scenario.seed if seed is None else seed
    settings = [
        dict(zip([a.key for a in axes], values, strict=True)) for values in itertools.product(*(a.values for a in axes))
    ]
    if len(settings) > MOST_POINTS:
        raise BadInput(f"{len(settings)} points; at most {MOST_POINTS} in one sweep")
    kept, refused = playable(scenario, settings)
    if not kept:
        raise BadInput(f"no point of the grid can be played: {refused.iloc[0]['why']}")
    points, n_games, interrupted = play_variants(
        scenario, kept, Until(most_games(scenario, games, until)) if until is None else until, seed, threads, progress
    )
    targets = {**DEFAULT_TARGETS, **scenario.targets}
    points = _judged(points, shared_metrics(scenario, *(s for _, s in kept)), targets)
    keys = [axis.key for axis in axes]
    region = _region(points, keys)
    return Sweep(
        scenario, seed, tuple(axes), n_games, interrupted, points, region, refused, _sweep_finding(region, keys)
    )


def playable(
    scenario: Scenario, settings: Sequence[dict[str, Any]]
) -> tuple[list[tuple[dict[str, Any], Scenario]], pd.DataFrame]:
    """Return the playable variants, and those that the game does not allow with the reason.

    A name or value that no scenario could have is the user's mistake and stops the sweep.
    """
    kept, refused = [], []
    for changes in settings:
        try:
            kept.append((changes, changed(scenario, changes)))
        except BadFile as error:
            if any(fault.key in changes for fault in error.faults):
                raise BadInput("; ".join(str(fault) for fault in error.faults)) from None
            refused.append({**{k: shown(v) for k, v in changes.items()}, "why": "; ".join(map(str, error.faults))})
        except AnalyzerError as error:
            refused.append({**{k: shown(v) for k, v in changes.items()}, "why": str(error)})
    return kept, pd.DataFrame(refused)


def play_variants(
    scenario: Scenario,
    kept: Sequence[tuple[dict[str, Any], Scenario]],
    until: Until,
    seed: int,
    threads: int | None,
    progress: Callable[[int], None],
) -> tuple[pd.DataFrame, int, bool]:
    """Play the variants, some at a time, each beside the scenario itself; return their metrics.

    The intervals of all variants hold together: those of their numbers, and those of their differences.
    """
    metrics = shared_metrics(scenario, *(s for _, s in kept))
    at_once = len(metrics) * len(kept)  # who looks for the largest of all changes looks at all of them
    rows: list[dict[str, Any]] = []
    n_games, interrupted = 0, False
    for start in range(0, len(kept), AT_ONCE):
        group = kept[start : start + AT_ONCE]
        plays = [scenario, *(s for _, s in group)]
        run: Run[Moments] = play_paired(
            plays, metrics, until, seed=seed, threads=threads, progress=progress, at_once=at_once
        )
        if run.result is None:
            return pd.DataFrame(rows), n_games, True
        n_games, interrupted = max(n_games, run.n_games), run.interrupted
        for i, (changes, _) in enumerate(group, 1):
            table = difference_table(run.result, i, metrics, until.method, at_once)
            own = run.result.estimates(until.method, at_once, i, units=[m.span for m in metrics])
            for row, metric, found in zip(table.to_dict("records"), metrics, own, strict=True):
                scaled = metric.shown(found)
                rows.append(
                    {
                        "settings": changes,
                        **{
                            k: row[k]
                            for k in (
                                "key",
                                "what",
                                "unit",
                                "difference",
                                "difference_low",
                                "difference_high",
                                "verdict",
                                "headline",
                            )
                        },
                    }
                    | {"estimate": scaled.estimate, "estimate_low": scaled.low, "estimate_high": scaled.high}
                )
        if interrupted:
            break
    return pd.DataFrame(rows), n_games, interrupted


def _judged(
    points: pd.DataFrame, metrics: Sequence[Metric], targets: Mapping[str, float | tuple[float, float]]
) -> pd.DataFrame:
    """Return the points with a column for each axis and the verdict on each target."""
    by_key = {metric.key: metric for metric in metrics}
    rows = []
    for row in points.to_dict("records"):
        metric = by_key[row["key"]]
        family = "policy" if metric.family == "seat" else metric.family
        target = targets.get(family)
        if isinstance(target, float):
            fair = metric.fair or 0.0
            target = (fair - target, fair + target)
        found = Estimate(row["estimate"], row["estimate_low"], row["estimate_high"])
        row["target"] = verdict(found, *target) if target else ""
        rows.append({**{k: shown(v) for k, v in row.pop("settings").items()}, **row})
    return pd.DataFrame(rows)


def _region(points: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Return for each point whether all its targets hold, and which do not."""
    rows = []
    for values, group in points.groupby(keys, sort=False):
        verdicts = dict(zip(group["key"], group["target"], strict=True))
        bad = [key for key, found in verdicts.items() if found == VIOLATED]
        open_ = [key for key, found in verdicts.items() if found == UNDECIDED]
        rows.append(
            dict(zip(keys, values if isinstance(values, tuple) else (values,), strict=True))
            | {
                "verdict": VIOLATED if bad else UNDECIDED if open_ else HOLDS,
                "violated": ", ".join(bad),
                "undecided": ", ".join(open_),
            }
        )
    return pd.DataFrame(rows)


def shown(value: Any) -> Any:
    return str(value) if isinstance(value, (list, bool)) else value


def _sweep_finding(region: pd.DataFrame, keys: list[str]) -> str:
    good = region[region["verdict"] == HOLDS]
    if good.empty:
        maybe = (region["verdict"] == UNDECIDED).any()
        return f"At none of the {len(region)} points do all targets hold{', but some are undecided' if maybe else ''}."
    if len(keys) == 1:
        return f"All targets hold at {keys[0]} = {', '.join(map(str, good[keys[0]]))}."
    return f"All targets hold at {len(good)} of {len(region)} points."


def as_json(result: Sweep) -> dict[str, Any]:
    """Return the answer as one document."""
    return heading(result) | {
        "axes": {axis.key: list(axis.values) for axis in result.axes},
        "points": result.points.to_dict("records"),
        "region": result.region.to_dict("records"),
        "refused": result.refused.to_dict("records"),
    }


def budget(scenario: Scenario, *, axes: Sequence[Axis], games: int | None = None, until: Until | None = None) -> int:
    """Return how many rounds of games are played at most: a round plays some variants beside the scenario."""
    points = math.prod(len(axis.values) for axis in axes)
    return most_games(scenario, games, until) * -(-points // AT_ONCE)
