"""A Monte Carlo strategy analyzer for four knightly tabletop games."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

__version__ = "0.1.0"


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
