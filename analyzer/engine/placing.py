"""Reading a position into a state: what the games' `place` functions have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from analyzer.engine.game import Table
from analyzer.errors import BadFile, Fault, Faults, suggest


class Placing:
    """Reads a position into a state and collects what is wrong with it."""

    def __init__(self, table: Table, position: Mapping[str, Any]) -> None:
        self.table = table
        self.position = position
        self.faults = Faults("position")
        if not isinstance(position, Mapping):
            raise BadFile("position", [Fault("position", position, "must be a table")])
        self.states = table.new_states()
        self.s = self.states[0]

    def fault(self, key: str, value: object, problem: str) -> None:
        self.faults.append(Fault(f"position.{key}", value, problem))

    def only(self, key: str, given: object, allowed: Sequence[str]) -> Mapping[str, Any]:
        """Return a table whose keys are among those allowed, or an empty one."""
        if not isinstance(given, Mapping):
            self.fault(key, given, f"must be a table with {', '.join(allowed)}")
            return {}
        for name in given:
            if name not in allowed:
                path = f"{key}.{name}" if key else name
                self.fault(path, given[name], f"unknown; allowed: {', '.join(allowed)}{suggest(name, allowed)}")
        return given

    def seats(self, allowed: Sequence[str], with_what: str) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
        """Yield the number of each seat, where it stands in the position, and its table."""
        seats = self.position.get("seats")
        if not isinstance(seats, list) or len(seats) != self.table.players:
            self.fault("seats", None, f"a list of {self.table.players} seats is needed, each with {with_what}")
            return
        for seat, given in enumerate(seats):
            where = f"seats[{seat}]"
            yield seat, where, self.only(where, given, allowed)

    def finish(self) -> np.ndarray:
        """Return the state placed (in an array of one), or raise all the faults."""
        self.faults.check()
        return self.states

    def whole(self, key: str, value: object, low: int, high: int, otherwise: int) -> int:
        """Return a whole number within its bounds, or `otherwise`."""
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            self.fault(key, value, f"allowed: {low} to {high}")
            return otherwise
        return value

    def number(self, key: str, low: int, high: int, default: int, table: Mapping[str, Any] | None = None) -> int:
        """Look the last word of a key up in a table, or in the position, as a whole number."""
        return self.whole(key, self._given(key, default, table), low, high, default)

    def flag(self, key: str, default: bool = False, table: Mapping[str, Any] | None = None) -> bool:
        """Look the last word of a key up as true or false."""
        value = self._given(key, default, table)
        if not isinstance(value, bool):
            self.fault(key, value, "allowed: true or false")
            return default
        return value

    def word(self, key: str, value: object, allowed: Sequence[str]) -> int:
        """Return the number of a word among those allowed."""
        said = value.casefold() if isinstance(value, str) else value
        if said in allowed:
            return list(allowed).index(str(said))
        self.fault(key, value, f"allowed: {' | '.join(allowed)}{suggest(str(value), allowed)}")
        return 0

    def _given(self, key: str, default: object, table: Mapping[str, Any] | None) -> object:
        return (self.position if table is None else table).get(key.rsplit(".", 1)[-1], default)
