"""Do a study: play it, and write its report. Commands and batches go through here."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from analyzer.reporting.folder import uninterrupted
from analyzer.scenarios import Scenario
from analyzer.studies import Result


class Performed(NamedTuple):
    """The answer of a study and how long it took to play."""

    result: Result
    seconds: float


def perform(
    study: str,
    scenario: Scenario,
    folder: Path | None,
    *,
    keep_part: bool = True,
    progress: Callable[[int], None] = lambda played: None,
    **options: Any,
) -> Performed:
    """Play a study and write its report into `folder`, if one is given.

    A study that was interrupted is written only if games were played and with `keep_part`. A report
    that is being written when Ctrl-C comes is finished first. `options` go to the study: seed, games,
    threads and its own.
    """
    start = perf_counter()
    result = getattr(_questions(study), study)(scenario, progress=progress, **options)
    seconds = perf_counter() - start
    if folder is not None and result.n_games and (keep_part or not result.interrupted):
        with uninterrupted():
            write = getattr(import_module(f"analyzer.reporting.{study}"), f"write_{study}")
            write(result, folder, seconds)
    return Performed(result, seconds)


def budget(study: str, scenario: Scenario, **options: Any) -> int:
    """Return how many games a study plays at most."""
    return _questions(study).budget(scenario, **options)


def document(study: str, result: Result) -> dict[str, Any]:
    """Return a study's answer as one document."""
    return _questions(study).as_json(result)


def _questions(study: str) -> Any:
    return import_module(f"analyzer.studies.{study}")
