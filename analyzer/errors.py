"""What can go wrong for a user, in words he can act on."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

MOST_FAULTS = 50  # of a file; its reading ends there
_LONGEST_WORD = 40  # for which a near miss is looked for
_LONGEST_MESSAGE = 20_000


def shortened(text: str, most: int = 200) -> str:
    """Return a text, or its beginning where it is longer than a message can hold."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} letters)"


class AnalyzerError(Exception):
    """A failure the command line reports in one message, with its exit code."""

    exit_code = 1

    def __init__(self, message: str = "") -> None:
        super().__init__(shortened(message, _LONGEST_MESSAGE))


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
        key = self.key if self.key.isprintable() else repr(self.key)
        given = "" if self.value is None else f" = {shortened(repr(self.value))}"
        return f"{shortened(key)}{given}: {shortened(self.problem, 2_000)}"


class BadFile(BadInput):
    """All the faults of one file at once."""

    def __init__(self, path: object, faults: Sequence[Fault]) -> None:
        self.path = path
        self.faults = tuple(faults)
        lines = "\n".join(f"  {fault}" for fault in self.faults)
        count = "1 fault" if len(self.faults) == 1 else f"{len(self.faults)} faults"
        if len(self.faults) >= MOST_FAULTS:
            count += ", and perhaps more"
        super().__init__(f"{shortened(str(path), 500)}: {count}\n{lines}")


class Faults(list[Fault]):
    """The faults of one file as they are found; with too many of them its reading ends."""

    def __init__(self, path: object) -> None:
        super().__init__()
        self.path = path

    def append(self, fault: Fault) -> None:
        super().append(fault)
        if len(self) >= MOST_FAULTS:
            self.check()

    def check(self) -> None:
        """Raise all the faults there are."""
        if self:
            raise BadFile(self.path, self)


class IllegalMove(BadInput):
    """A written move that the rules do not allow where it stands."""


class Interrupted(AnalyzerError):
    """Ctrl-C came before there was anything to report."""

    exit_code = 130

    def __init__(self) -> None:
        super().__init__("interrupted before there was anything to report; nothing written")


class KernelFailure(AnalyzerError):
    """A game the kernel could not finish; the message says how to replay it."""


def suggest(word: str, allowed: Iterable[str]) -> str:
    """Return ' (did you mean …?)' for a near miss, else nothing."""
    names = [name for name in allowed if len(name) <= _LONGEST_WORD] if len(word) <= _LONGEST_WORD else []
    near = difflib.get_close_matches(word.casefold(), [name.casefold() for name in names], n=1, cutoff=0.6)
    if not near:
        return ""
    original = next(name for name in names if name.casefold() == near[0])
    return f" (did you mean {original!r}?)"
