"""Deck files: TOML beside a game or of one's own, read with all their faults. For games that have decks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from analyzer.engine.files import is_file, read_toml
from analyzer.errors import BadFile, Fault, Faults, suggest


def find_deck(shelf: Path, deck: str, beside: Path) -> Path:
    """Return the file of a deck given as the name of one on the shelf or as a path beside a scenario."""
    shipped = shelf / f"{deck}.toml"
    return shipped if is_file(shipped) else beside / deck


class DeckReader:
    """Reads the TOML of a deck and collects the faults on the way."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.faults = Faults(path)
        if not is_file(path):
            raise BadFile(path, [Fault("deck", None, "no such file")])
        self.data, _ = read_toml(path)

    @property
    def title(self) -> str:
        return str(self.data.get("title", self.path.stem))

    def fault(self, key: str, value: object, problem: str) -> None:
        self.faults.append(Fault(key, value, problem))

    def check(self) -> None:
        """Raise all the faults there are."""
        self.faults.check()

    def only_keys(self, where: str, table: Mapping[str, Any], allowed: Sequence[str]) -> None:
        for key in table:
            if key not in allowed:
                self.fault(f"{where}{key}", None, f"unknown; allowed: {', '.join(allowed)}{suggest(key, allowed)}")

    def rows(self, key: str) -> list[Mapping[str, Any]]:
        """Return a list of tables, or an empty one."""
        rows = self.data.get(key, [])
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            self.fault(key, rows, f"must be a list of tables: [[{key}]]")
            return []
        return rows

    def items(self, key: str, value: object) -> Sequence[Any]:
        """Return a value that must be a list, or come from a deck that this one is like; else an empty one."""
        if not isinstance(value, (list, tuple)):
            self.fault(key, value, "must be a list")
            return []
        return value
