"""A Monte Carlo strategy analyzer for four knightly tabletop games."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from importlib import metadata
from pathlib import Path

__version__ = "0.1.0"

_KEPT_CACHES = 6


def source_hash() -> str:
    """Return a hash of every source that can end up in compiled code.

    It names the folder of compiled kernels and stands in each report's provenance. numba itself
    looks only at the file a function stands in; an edit in an imported file would go unnoticed.
    """
    root = Path(__file__).parent
    digest = hashlib.sha256()
    for folder in ("engine", "games"):
        for path in sorted((root / folder).rglob("*.py")):
            digest.update(str(path.relative_to(root)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path:
    """Return the folder for compiled kernels: one for each source, numba version and set of flags."""
    key = hashlib.sha256(source_hash().encode())
    key.update(metadata.version("numba").encode())
    for name in sorted(os.environ):
        if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR":
            key.update(f"{name}={os.environ[name]}".encode())
    return cache_home() / f"kernels-{key.hexdigest()[:16]}"


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


def _prune(folder: Path) -> None:
    """Drop all but the newest kernel folders beside `folder`; called when a new one is made."""
    try:
        others = sorted(folder.parent.glob("kernels-*"), key=lambda p: p.stat().st_mtime, reverse=True)
    except OSError:
        return
    for old in others[_KEPT_CACHES:]:
        shutil.rmtree(old, ignore_errors=True)


def _point_numba_at_our_cache() -> None:
    folder = _cache_folder()
    if not folder.exists():
        _prune(folder)
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
    if "numba" in sys.modules:
        sys.modules["numba"].config.reload_config()


_point_numba_at_our_cache()
