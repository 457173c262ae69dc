"""Reading what people write: scenarios, decks, positions, written games. One door for all of them.

Size and depth are limited before anything looks at the content. What comes out is text, whole numbers of
64 bits, finite numbers, true and false, lists and tables; so no reader need expect more.
"""

from __future__ import annotations

import math
import os
import stat
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from analyzer.errors import BadFile, BadInput, Fault, Faults, shortened

MOST_BYTES = 1_000_000
MOST_DOTS = 1_000  # in a line: a longer dotted key takes the TOML reader minutes
MOST_DEPTH = 12
MOST_ITEMS = 5_000  # in a list or a table
MOST_LETTERS = 20_000  # in a text
MOST_KEY_LETTERS = 200
MOST_NUMBER = 2**63 - 1


class Items(list[Any]):
    """A list of a file. It can be looked up where a name belongs, and is not found, instead of failing."""

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)


class Entries(dict[str, Any]):
    """A table of a file, which can be looked up like a name, too."""

    def __hash__(self) -> int:  # type: ignore[override]
        return id(self)


def is_file(path: Path) -> bool:
    """Return whether there is such a file; a name that no file can have is none."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """Return the content of a text file in UTF-8, with or without a byte order mark.

    Raises
    ------
    BadInput
        if it cannot be read, is no text, or too long to be one of ours.
    """
    try:
        with open(path, "rb") as file:
            if not stat.S_ISREG(mode := os.fstat(file.fileno()).st_mode) and not stat.S_ISFIFO(mode):
                raise BadInput(f"{path}: cannot be read: it is no file")
            content = file.read(most + 1)
        if len(content) > most:
            raise BadInput(f"{path}: cannot be read: it is longer than {most:,} bytes")
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise BadInput(f"{path}: cannot be read: not UTF-8 at byte {error.start:,}; save it as UTF-8") from None
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def read_toml(path: Path) -> tuple[dict[str, Any], str]:
    """Return the content of a TOML file, checked, and its text.

    Raises
    ------
    BadFile
        with all that is wrong with it.
    """
    text = read_text(path)
    return parse_toml(text, path), text


def parse_toml(text: str, path: object) -> dict[str, Any]:
    """Return what a text in TOML says, checked; `path` is named where something is wrong with it."""
    if any(line.count(".") > MOST_DOTS for line in text.splitlines()):
        raise BadFile(path, [Fault("TOML", None, f"a line with more than {MOST_DOTS:,} dots")])
    try:
        data = tomllib.loads(text)
    except RecursionError:
        raise BadFile(path, [Fault("TOML", None, "lists or tables too deep in one another")]) from None
    except ValueError as error:  # also what it cannot make a number or a date of
        raise BadFile(path, [Fault("TOML", None, str(error))]) from None
    faults = Faults(path)
    checked = Entries(_checked_table(data, "", faults, MOST_DEPTH))
    faults.check()
    return checked


def parse_value(text: str) -> Any:
    """Return what a value means that is written as in TOML, or as a bare word.

    Raises
    ------
    BadInput
        if it is a value, and one that no file may hold.
    """
    try:
        return parse_toml(f"value = {text}", shortened(text))["value"]
    except BadFile as error:
        if error.faults[0].key == "TOML":
            return text
        raise


def _checked(value: Any, where: str, faults: Faults, depth: int) -> Any:
    if depth == 0:
        faults.append(Fault(where, None, f"lists and tables stand at most {MOST_DEPTH} deep in one another"))
    elif isinstance(value, dict):
        return Entries(_checked_table(value, f"{where}.", faults, depth))
    elif isinstance(value, list):
        if _is_short(value, where, faults):
            return Items(_checked(item, f"{where}[{i}]", faults, depth - 1) for i, item in enumerate(value))
    elif isinstance(value, str):
        if len(value) <= MOST_LETTERS:
            return value
        faults.append(Fault(where, value, f"a text has at most {MOST_LETTERS:,} letters"))
    elif isinstance(value, bool):
        return value
    elif isinstance(value, int):
        if abs(value) <= MOST_NUMBER:
            return value
        faults.append(Fault(where, None, f"a number has at most 64 bits; {MOST_NUMBER:,} is the largest"))
    elif isinstance(value, float):
        if math.isfinite(value):
            return value
        faults.append(Fault(where, value, "a finite number is needed"))
    else:
        faults.append(
            Fault(where, str(value), "a date or a time is nothing that is asked for; a text stands in quotes")
        )
    return ""


def _checked_table(table: Mapping[str, Any], where: str, faults: Faults, depth: int) -> Iterator[tuple[str, Any]]:
    if not _is_short(table, where.rstrip("."), faults):
        return
    for key, value in table.items():
        if len(key) > MOST_KEY_LETTERS:
            faults.append(Fault(f"{where}{key}", None, f"a key has at most {MOST_KEY_LETTERS} letters"))
        else:
            yield key, _checked(value, f"{where}{key}", faults, depth - 1)


def _is_short(values: Any, where: str, faults: Faults) -> bool:
    if len(values) > MOST_ITEMS:
        faults.append(Fault(where or "TOML", None, f"{len(values):,} entries; {MOST_ITEMS:,} are the most"))
    return len(values) <= MOST_ITEMS
