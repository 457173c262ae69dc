"""Imports go one way, a room knows only the rooms below it, and nobody outside a game knows it by name."""

from __future__ import annotations

import ast
from pathlib import Path

from analyzer.games import NAMES

ROOT = Path(__file__).parents[2] / "analyzer"
QUESTIONS = "questions"  # games/<game>/studies/: what only one game asks; above the house's own studies
# a room may import the rooms listed for it, and itself
MAY: dict[str, set[str]] = {
    "errors": set(),
    "stats": {"errors"},
    "study": {"errors"},
    "answer": {"stats", "errors"},
    "engine": {"errors"},
    "games": {"engine", "study", "errors"},
    "own": {"games", "engine", "errors"},
    "catalogue": {"games", "study", "errors"},
    "scenarios": {"catalogue", "games", "engine", "study", "errors"},
    "studies": {"own", "scenarios", "games", "engine", "stats", "answer", "study", "errors"},
    QUESTIONS: {"studies", "scenarios", "games", "engine", "stats", "answer", "study", "errors"},
    "ask": {"scenarios", "answer", "study", "errors"},
    "reporting": {"answer", "stats", "errors"},
    "batch": {"reporting", "ask", "scenarios", "catalogue", "errors"},
    "door": {"own", "reporting", "ask", "scenarios", "catalogue", "engine", "answer", "study", "errors"},
    "cli": {
        *("batch", "reporting", "ask", "studies", "own", "scenarios", "catalogue"),
        *("games", "engine", "answer", "study", "errors"),
    },
}
ONLY_IN = {
    "numba": ("engine/",),
    "matplotlib": ("reporting/charts.py",),
    "typer": ("cli/",),
    "rich": ("cli/", "reporting/terminal.py"),
    "pandas": ("studies/", "reporting/", "games/ritter/studies/", "games/gluecksritter/studies/"),
    "pydantic": ("scenarios.py",),
}


def _imports(path):
    """Names imported at run time; those for the type checker alone do not count."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if id(node) in typing_only:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def _files():
    return [p for p in sorted(ROOT.rglob("*.py")) if p.name not in ("__init__.py", "__main__.py") or p.parent != ROOT]


def _room(parts):
    if parts[0] == "games" and len(parts) > 2 and parts[2] == "studies":
        return QUESTIONS
    return parts[0].removesuffix(".py")


def test_rooms_import_only_what_lies_below():
    wrong = []
    for path in _files():
        room = _room(path.relative_to(ROOT).parts)
        for name in _imports(path):
            parts = name.split(".")
            if parts[0] != "analyzer" or len(parts) == 1:
                continue
            other = _room(parts[1:])
            if other != room and other not in MAY[room]:
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
    assert wrong == []


def test_only_a_game_knows_itself_by_name():
    wrong = []
    for path in _files():
        own = path.relative_to(ROOT).parts
        inside = own[1] if own[0] == "games" and len(own) > 2 else ""
        for name in _imports(path):
            parts = name.split(".")
            if parts[:2] == ["analyzer", "games"] and len(parts) > 2 and parts[2] in NAMES and parts[2] != inside:
                wrong.append(f"{path.relative_to(ROOT)} imports {name}")
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
