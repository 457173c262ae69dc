"""What can go wrong for a user, in words he can act on."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


class AnalyzerError(Exception):
    """A failure the command line reports in one message, with its exit code."""

    exit_code = 1


class BadInput(AnalyzerError):
    """The user gave something that cannot be used."""

    exit_code = 2


@dataclass(frozen=True)
class Fault:
    """One thing wrong with a file: where, what stands there, and what may."""

    key: str
    value: object
    problem: str

    def __str__(self) -> str:
        given = "" if self.value is None else f" = {self.value!r}"
        return f"{self.key}{given}: {self.problem}"


class BadFile(BadInput):
    """All the faults of one file at once."""

    def __init__(self, path: object, faults: Sequence[Fault]) -> None:
        self.path = path
        self.faults = tuple(faults)
        lines = "\n".join(f"  {fault}" for fault in self.faults)
        count = "1 fault" if len(self.faults) == 1 else f"{len(self.faults)} faults"
        super().__init__(f"{path}: {count}\n{lines}")


class IllegalMove(BadInput):
    """A written move that the rules do not allow where it stands."""


class Interrupted(AnalyzerError):
    """Ctrl-C came before there was anything to report."""

    exit_code = 130

    def __init__(self) -> None:
        super().__init__("interrupted before the first games were played; nothing written")


class KernelFailure(AnalyzerError):
    """A game the kernel could not finish; the message says how to replay it."""


def suggest(word: str, allowed: Iterable[str]) -> str:
    """Return ' (did you mean …?)' for a near miss, else nothing."""
    near = difflib.get_close_matches(word.casefold(), [a.casefold() for a in allowed], n=1, cutoff=0.6)
    if not near:
        return ""
    original = next(a for a in allowed if a.casefold() == near[0])
    return f" (did you mean {original!r}?)"
