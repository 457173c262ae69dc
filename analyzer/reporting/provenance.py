"""Where a result came from: scenario, seed, versions, source, times."""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Mapping
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

import analyzer
from analyzer.scenarios import Scenario


def provenance(
    scenario: Scenario,
    study: str,
    seed: int,
    games: int,
    seconds: float,
    interrupted: bool,
    *,
    asked: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """Return what it takes to get the same numbers again.

    `asked` is the number of games a study may play, where that is not the number it played; `options`
    are those of its settings that a scenario does not hold.
    """
    return {
        "study": study,
        "scenario": scenario.name,
        "title": scenario.title,
        "scenario_text": scenario.text,
        "game": scenario.game.name,
        "seed": seed,
        "games": games,
        "interrupted": interrupted,
        "caveats": scenario.caveats,
        "inputs": inputs_hash(scenario, study, seed, asked or games, options),
        "analyzer": analyzer.__version__,
        "source_hash": analyzer.source_hash(scenario.game.name),
        "python": platform.python_version(),
        "libraries": {name: metadata.version(name) for name in ("numba", "numpy", "scipy", "pandas", "matplotlib")},
        "seconds": round(seconds, 3),
    }


def inputs_hash(scenario: Scenario, study: str, seed: int, games: int, options: Mapping[str, Any] | None = None) -> str:
    """Return a hash of all a study's numbers depend on: equal inputs, equal tables.

    The policies are hashed as the kernel takes them, so what they read from files counts too.
    """
    deck = scenario.deck.read_bytes() if scenario.deck else b""
    policies = scenario.game.encode_policies(list(scenario.catalogue.values())).tobytes()
    files = [hashlib.sha256(content).hexdigest() for content in (deck, policies)]
    parts = [study, scenario.name, scenario.text, *files, seed, games, options or {}, _program()]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


@cache
def _program() -> str:
    """Return a hash of the whole program, the data it ships included."""
    root = Path(analyzer.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(p for p in root.rglob("*") if p.suffix in (".py", ".toml", ".csv", ".html")):
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
