"""A scenario with other settings, many times over, each played beside the scenario on the same deals and dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from analyzer.answer import Table, estimate, estimate_in
from analyzer.engine.run import Run
from analyzer.errors import AnalyzerError, BadFile, BadInput, Interrupted
from analyzer.scenarios import Scenario, changed
from analyzer.stats.moments import Moments
from analyzer.studies.compare import difference_table, play_paired, shared_metrics
from analyzer.studies.until import Until, most_games

AT_ONCE = 8  # played in one go beside the scenario itself: bounds the memory
# the numbers that have a chart, by the families of their metrics
DRAWN = ("policy", "seat", "place", "score", "ties", "margin", "lead_changes", "comeback")

Variation = tuple[dict[str, Any], Scenario]  # the settings that differ, and what becomes of the scenario


def rounds(scenario: Scenario, variations: int, games: int | None, until: Until | None) -> int:
    """Return how many rounds of games are played at most: a round plays some variations beside the scenario."""
    return most_games(scenario, games, until) * -(-variations // AT_ONCE)


def playable(scenario: Scenario, settings: Sequence[dict[str, Any]]) -> tuple[list[Variation], pd.DataFrame]:
    """Return the playable variations, and those that the game does not allow with the reason.

    A name or value that no scenario could have is the user's mistake and stops the sweep.
    """
    kept, refused = [], []
    for changes in settings:
        try:
            kept.append((changes, changed(scenario, changes)))
        except BadFile as error:
            if any(fault.key in changes for fault in error.faults):
                raise BadInput("; ".join(str(fault) for fault in error.faults)) from None
            refused.append({**plain(changes), "why": "; ".join(map(str, error.faults))})
        except AnalyzerError as error:
            refused.append({**plain(changes), "why": str(error)})
    return kept, pd.DataFrame(refused)


def play_beside(
    scenario: Scenario,
    variations: Sequence[Variation],
    until: Until,
    seed: int,
    threads: int | None,
    progress: Callable[[int], None],
) -> tuple[pd.DataFrame, int, bool]:
    """Play the variations, some at a time, each beside the scenario itself; return their metrics.

    The intervals of all variations hold together: those of their numbers, and those of their differences.
    """
    metrics = shared_metrics(scenario, *(s for _, s in variations))
    at_once = len(metrics) * len(variations)  # who looks for the largest of all changes looks at all of them
    rows: list[dict[str, Any]] = []
    n_games = 0
    for start in range(0, len(variations), AT_ONCE):
        group = variations[start : start + AT_ONCE]
        run: Run[Moments] = play_paired(
            [scenario, *(s for _, s in group)],
            metrics,
            until,
            seed=seed,
            threads=threads,
            progress=progress,
            at_once=at_once,
        )
        if run.result is None:
            break
        n_games = max(n_games, run.n_games)
        for i, (changes, _) in enumerate(group, 1):
            table = difference_table(run.result, i, metrics, until.method, at_once)
            own = run.result.estimates(until.method, at_once, i, units=[m.span for m in metrics])
            rows += [
                {"settings": changes, "key": row["key"], "what": row["what"], "unit": row["unit"]}
                | estimate("difference", estimate_in(row, "difference"))
                | {"verdict": row["verdict"], "headline": row["headline"]}
                | estimate("estimate", metric.shown(found))
                for row, metric, found in zip(table.to_dict("records"), metrics, own, strict=True)
            ]
        if run.interrupted:
            break
    else:
        return pd.DataFrame(rows), n_games, False
    if not rows:
        raise Interrupted
    return pd.DataFrame(rows), n_games, True


def plain(changes: dict[str, Any]) -> dict[str, Any]:
    """Return settings as values that a table can be ordered by."""
    return {key: str(value) if isinstance(value, (list, bool)) else value for key, value in changes.items()}


def refused_table(refused: pd.DataFrame, title: str) -> list[Table]:
    """Return the table of what the game does not allow, if there is any."""
    return [Table("refused", title, refused, brief=True)] if len(refused) else []
