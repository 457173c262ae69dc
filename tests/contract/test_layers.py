"""Imports go one way: cli → studies and reporting → scenario → games → engine."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2] / "analyzer"
# a room may import the rooms listed for it, and itself
MAY = {
    "errors": set(),
    "stats": set(),
    "engine": {"errors"},
    "games": {"engine", "errors"},
    "scenario": {"games", "engine", "errors"},
    "studies": {"scenario", "games", "engine", "stats", "errors"},
    "reporting": {"studies", "scenario", "games", "engine", "stats", "errors"},
    "cli": {"reporting", "studies", "scenario", "games", "engine", "stats", "errors"},
}
ONLY_IN = {
    "numba": ("engine/",),
    "matplotlib": ("reporting/charts.py",),
    "typer": ("cli/",),
    "pandas": ("studies/", "reporting/", "cli/screen.py"),
    "pydantic": ("scenario.py",),
}


def _imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def _files():
    return [p for p in sorted(ROOT.rglob("*.py")) if p.name not in ("__init__.py", "__main__.py") or p.parent != ROOT]


def test_rooms_import_only_what_lies_below():
    wrong = []
    for path in _files():
        room = path.relative_to(ROOT).parts[0].removesuffix(".py")
        for name in _imports(path):
            parts = name.split(".")
            if parts[0] == "analyzer" and len(parts) > 1 and parts[1] != room and parts[1] not in MAY[room]:
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert wrong == []


def test_games_do_not_know_each_other():
    wrong = []
    for path in (ROOT / "games").glob("*/*.py"):
        for name in _imports(path):
            if name.startswith("analyzer.games.") and name.split(".")[2] != path.parent.name:
                wrong.append(f"{path.name} imports {name}")
    assert wrong == []


def test_libraries_stay_in_their_rooms():
    wrong = []
    for path in _files():
        place = path.relative_to(ROOT).as_posix()
        for name in _imports(path):
            rooms = ONLY_IN.get(name.split(".")[0])
            if rooms and not place.startswith(rooms):
                wrong.append(f"{place} imports {name}")
    assert wrong == []
