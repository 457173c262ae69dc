"""Deck files: TOML beside a game or of one's own, read with all their faults. For games that have decks."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from analyzer.errors import BadFile, Fault, suggest


def find_deck(shelf: Path, deck: str, beside: Path) -> Path:
    """Return the file of a deck given as the name of one on the shelf or as a path beside a scenario."""
    shipped = shelf / f"{deck}.toml"
    return shipped if shipped.is_file() else beside / deck


class DeckReader:
    """Reads the TOML of a deck and collects the faults on the way."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.faults: list[Fault] = []
        try:
            self.data = tomllib.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise BadFile(path, [Fault("deck", None, "no such file")]) from None
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise BadFile(path, [Fault("deck", None, f"cannot be read: {error}")]) from None

    @property
    def title(self) -> str:
        return str(self.data.get("title", self.path.stem))

    def fault(self, key: str, value: object, problem: str) -> None:
        self.faults.append(Fault(key, value, problem))

    def check(self) -> None:
        """Raise all the faults there are."""
        if self.faults:
            raise BadFile(self.path, self.faults)

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
