"""A Monte Carlo strategy analyzer for four knightly tabletop games.

`import analyzer as az` is the Python door: `az.scenario`, `az.odds`, `az.balance` and every other study,
`az.play`, and `az.policy` for policies of one's own (docs/python.md).
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

__version__ = "0.2.0"


def source_hash(game: str = "") -> str:
    """Return a hash of every source, and of the data beside it, on which the numbers of a game depend.

    Without a game: of all games. It stands in each report's provenance. What goes into compiled kernels
    is told more finely: see `engine/kernels.py`.
    """
    root = Path(__file__).parent
    digest = hashlib.sha256()
    for folder in ("engine", f"games/{game}", "stats", "studies"):
        for path in sorted(p for p in (root / folder).rglob("*") if p.suffix in (".py", ".toml", ".csv")):
            digest.update(str(path.relative_to(root)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def cache_home() -> Path:
    """Return the folder for what can be computed again: compiled kernels, measured tables."""
    home = os.environ.get("ANALYZER_CACHE_DIR") or os.path.join(
        os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "analyzer"
    )
    try:
        Path(home).mkdir(parents=True, exist_ok=True)
    except OSError:
        home = os.path.join(tempfile.gettempdir(), "analyzer-cache")
    return Path(home)


def __getattr__(name: str) -> Any:
    """Open the Python door when somebody knocks: a bare `import analyzer` stays light."""
    here = Path(__file__).parent
    if name.startswith("_") or (here / name).is_dir() or (here / f"{name}.py").is_file():  # a module, imported soon
        raise AttributeError(name)
    functions: dict[str, Any] = import_module(f"{__name__}.door").FUNCTIONS
    if name not in functions:
        raise AttributeError(f"analyzer has no {name!r}; it has: {', '.join(functions)}")
    return functions[name]
