"""Where a result came from: scenario, seed, versions, source, times."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import Any

import analyzer
from analyzer.scenario import Scenario


def provenance(
    scenario: Scenario, study: str, seed: int, games: int, seconds: float, interrupted: bool
) -> dict[str, Any]:
    """Return what it takes to get the same numbers again."""
    return {
        "study": study,
        "scenario": scenario.name,
        "scenario_text": scenario.text,
        "game": scenario.game.name,
        "seed": seed,
        "games": games,
        "interrupted": interrupted,
        "analyzer": analyzer.__version__,
        "source_hash": analyzer.source_hash(),
        "python": platform.python_version(),
        "libraries": {name: metadata.version(name) for name in ("numba", "numpy", "pandas", "matplotlib")},
        "seconds": round(seconds, 3),
    }
