"""Mixes: how often to pick each pair in each situation, and to ransom the knight, kept in a CSV file.

A *situation* is what a player sees when he picks, in coarse steps: his money, the walls and towers he
lacks, which field holds more and whether there is much to share, whether a rival is about to
finish, how many rivals have their knights, whether his own is in the dungeon. The policy `mixer`
draws from such a table. The file's first line says under which rules it was learned; under others it is
used with a caveat.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from analyzer.engine.chance import lot
from analyzer.engine.files import is_file, read_text
from analyzer.engine.game import Table, toml_text
from analyzer.engine.jit import inline, jit
from analyzer.errors import BadFile, Fault, Faults
from analyzer.games.gluecksritter.cards import Deck
from analyzer.games.gluecksritter.rules import KNIGHT, LEAST_PLAYERS, MOST_PLAYERS, N_PAIRS, OPTIONS, PAIRS

# The steps of a situation, the last one counting fastest.
STEPS = (
    ("money", ("0-3", "4-5", "6-7", "8-11", "12+")),
    ("walls_lacking", ("0", "1-2", "3-4")),
    ("towers_lacking", ("0", "1-2", "3-4")),
    ("richer_field", ("5", "even", "6")),
    ("on_fields", ("0-13", "14+")),
    ("rival_lacks", ("3+", "0-2")),
    ("rival_knights", ("0", "1", "2+")),
    ("knight", ("free", "jailed")),
)
N_SITUATIONS = int(np.prod([len(names) for _, names in STEPS]))
_EVEN = 2  # ducats by which two fields may differ and still be even
_RICH = 14  # ducats on both fields together
N_TABLES = MOST_PLAYERS - LEAST_PLAYERS + 1
WHOLE = 1000  # frequencies are written per mille
_ALL = np.ones(N_PAIRS, bool)
_WITHOUT_KNIGHT = np.array([KNIGHT not in pair for pair in PAIRS])
PAIR_NAMES = tuple(f"{a + 1}+{b + 1}" for a, b in PAIRS)
RANSOM_AT = N_PAIRS  # the column after the pairs: how often the ransom is paid
N_COLUMNS = N_PAIRS + 1
_LEARNED = "# learned under "
_MOST_BYTES = 10_000_000  # of a mix file; a learned one has a megabyte
_HEADER = ["players", *(name for name, _ in STEPS), *PAIR_NAMES, "ransom"]


@inline
def _lacking(parts, castle):
    lacks = castle - parts
    return 0 if lacks <= 0 else 1 if lacks <= 2 else 2


@jit
def situation(rules, s, seat):
    """Return the number of the situation in which a seat picks."""
    purse = np.int64(s.purse[seat, 0]) + 2 * np.int64(s.purse[seat, 1])
    tax = np.int64(s.lying[0, 0]) + 2 * np.int64(s.lying[0, 1])
    toll = np.int64(s.lying[1, 0]) + 2 * np.int64(s.lying[1, 1])
    rival, knights = 2 * rules.castle, 0
    for other in range(rules.players):
        if other != seat:
            rival = min(rival, 2 * rules.castle - s.parts[other, 0] - s.parts[other, 1])
            knights += ~s.jailed >> other & 1
    at = 0 if purse < 4 else 1 if purse < 6 else 2 if purse < 8 else 3 if purse < 12 else 4
    at = at * 3 + _lacking(s.parts[seat, 0], rules.castle)
    at = at * 3 + _lacking(s.parts[seat, 1], rules.castle)
    at = at * 3 + (0 if tax > toll + _EVEN else 2 if toll > tax + _EVEN else 1)
    at = at * 2 + (tax + toll >= _RICH)
    at = at * 2 + (rival <= 2)
    at = at * 3 + min(2, knights)
    return at * 2 + (s.jailed >> seat & 1)


def steps_of(number: int) -> tuple[str, ...]:
    """Return a situation in words, one for each of `STEPS`."""
    words = []
    for _, names in reversed(STEPS):
        number, at = divmod(number, len(names))
        words.append(names[at])
    return tuple(reversed(words))


def is_open(number: int) -> np.ndarray:
    """Return which pairs can be picked in a situation (a jailed knight cannot)."""
    return _WITHOUT_KNIGHT if number % 2 else _ALL


def step_rows() -> Iterator[tuple[str, np.ndarray]]:
    """Yield every value of every step in words, and which situations have it."""
    each = np.array([steps_of(number) for number in range(N_SITUATIONS)])
    for i, (step, names) in enumerate(STEPS):
        for name in names:
            yield f"{step.replace('_', ' ')} {name}", each[:, i] == name


def shipped_mix_path(name: str = "learned") -> Path:
    """Return the path of a mix that comes with the program.

    The rows of `learned` are those that `analyzer picks gluecksritter/three-players` writes, and so for four, five
    and six players.
    """
    return Path(__file__).parent / "mixes" / f"{name}.csv"


def running_sums(table: np.ndarray, whole: int) -> np.ndarray:
    """Return frequencies [..., column] as the kernel draws from them: uint16, the pairs added up."""
    sums = np.array(table, float)
    sums[..., :N_PAIRS] = sums[..., :N_PAIRS].cumsum(axis=-1)
    return np.round(sums * whole).astype(np.uint16)


def even_mix() -> np.ndarray:
    """Return the frequencies [situation, column] with which everything that is possible is equally likely."""
    table = np.zeros((N_SITUATIONS, N_COLUMNS))
    table[:, :N_PAIRS] = [is_open(number) / is_open(number).sum() for number in range(N_SITUATIONS)]
    table[1::2, RANSOM_AT] = 0.5
    return table


def conditions(table: Table) -> dict[str, Any]:
    """Return the rules that a mix depends on as a file holds them: all options, and the deck by a fingerprint."""
    return {"deck": _fingerprint(table.deck), **{key: _plain(value) for key, value in table.options.items()}}


def _plain(value: Any) -> Any:
    return list(value) if isinstance(value, tuple) else value


def _fingerprint(deck: Deck) -> str:
    """Return a short name for what is on the cards of a deck, whatever it is called."""
    content = [sorted((card.tax, card.toll) for card in deck.ducats), deck.copies()]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:12]


def write_mix(mixes: dict[int, np.ndarray], met: np.ndarray | None = None, under: Table | None = None) -> str:
    """Write tables of frequencies [situation, column], one for each number of players, as CSV.

    `met` [situation] says which situations have a row; all without it. `under` is the table at which they
    were learned.
    """
    out = io.StringIO()
    if under is not None:
        out.write(f"{_LEARNED}{json.dumps(conditions(under))}\n")
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(_HEADER)
    for players, table in mixes.items():
        for number in range(N_SITUATIONS):
            if met is None or met[number]:
                ransom = round(table[number, RANSOM_AT] * WHOLE) if number % 2 else 0
                rows.writerow([players, *steps_of(number), *_per_mille(table[number, :N_PAIRS], number), ransom])
    return out.getvalue()


def _per_mille(frequencies: np.ndarray, number: int) -> list[int]:
    """Return whole numbers that add up to 1000, the largest remainders rounded up, equal ones by a situation's lot."""
    exact = frequencies / frequencies.sum() * WHOLE
    whole = np.floor(exact).astype(int)
    lots = [lot(np.uint64(number), i) for i in range(N_PAIRS)]
    for i in np.lexsort((lots, -np.round(exact - whole, 9)))[: WHOLE - whole.sum()]:
        whole[i] += 1
    return [int(n) for n in whole]


class _File(NamedTuple):
    """What stands in a mix file: tables by number of players, and the rules they were learned under."""

    tables: dict[int, np.ndarray]
    learned_under: Mapping[str, Any] | None


def load_mix(name: str) -> dict[int, np.ndarray]:
    """Return the frequencies [situation, column] of a mix file by number of players.

    `name` is a shipped mix, or the path of a file. Where the file has no row all is equally likely.
    """
    return _load(name).tables


def mix_caveats(table: Table, settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """Say of each mix that the policies draw from what does not fit the table they are used at."""
    names = dict.fromkeys(values["mix"] for values in settings if values["by_table"])
    return [caveat for name in names for caveat in _caveats_of(name, table)]


def _caveats_of(name: str, table: Table) -> Iterator[str]:
    tables, learned_under = _load(name)
    called = f"The mix {Path(name).stem!r}"
    if table.players not in tables:
        known = ", ".join(map(str, sorted(tables)))
        yield f"{called} was learned for {known} players and is used by {table.players}."
    if learned_under is None:
        yield f"{called} does not say under which rules it was learned."
        return
    defaults = {option.key: _plain(option.default) for option in OPTIONS}
    here, there = conditions(table), defaults | dict(learned_under)
    other = [f"{key} = {toml_text(there[key])}" for key in here if key != "deck" and here[key] != there.get(key)]
    other += ["another deck"] if here["deck"] != there.get("deck") else []
    if other:
        yield (
            f"{called} was learned under other rules ({', '.join(other)}): here it is a habit, no equilibrium. "
            "`analyzer picks` learns one for these rules."
        )


@lru_cache(maxsize=32)
def _load(name: str) -> _File:
    path = shipped_mix_path(name) if is_file(shipped_mix_path(name)) else Path(name)
    if not is_file(path):
        raise BadFile(path, [Fault("mix", None, "no such file")])
    try:
        lines = read_text(path, _MOST_BYTES).splitlines()
        under = _read_conditions(path, lines.pop(0)) if lines and lines[0].startswith(_LEARNED) else None
        rows, first = list(csv.reader(lines)), 1 if under is None else 2
    except csv.Error as error:
        raise BadFile(path, [Fault("mix", None, f"cannot be read: {error}")]) from None
    if not rows or rows[0] != _HEADER:
        raise BadFile(path, [Fault(f"line {first}", None, f"the columns must be {','.join(_HEADER)}")])
    tables: dict[int, np.ndarray] = {}
    faults = Faults(path)
    for i, row in enumerate(rows[1:], start=first + 1):
        _read_row(row, f"line {i}", tables, faults)
    if not tables and not faults:
        faults.append(Fault("mix", None, "the file has no rows"))
    faults.check()
    return _File(tables, under)


def _read_conditions(path: Path, line: str) -> Mapping[str, Any]:
    """Read the line that says under which rules a mix was learned."""
    try:
        said = json.loads(line.removeprefix(_LEARNED))
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise BadFile(path, [Fault("line 1", None, "the rules must stand there as `analyzer picks` writes them")])
    return said


def read_mix(name: str) -> np.ndarray:
    """Return a mix file as the kernel draws from it: uint16 [players - 3, situation, column].

    A file with a single number of players serves for all.
    """
    tables = load_mix(name)
    only = next(iter(tables.values())) if len(tables) == 1 else even_mix()
    whole = np.array([tables.get(LEAST_PLAYERS + i, only) for i in range(N_TABLES)])
    return running_sums(whole, WHOLE)


def _read_row(row: Sequence[str], where: str, tables: dict[int, np.ndarray], faults: Faults) -> None:
    if len(row) != len(_HEADER):
        faults.append(Fault(where, None, f"{len(_HEADER)} columns are needed, {len(row)} are given"))
        return
    at = 0
    for (step, names), word in zip(STEPS, row[1:], strict=False):
        if word not in names:
            faults.append(Fault(f"{where}, {step}", word, f"allowed: {' | '.join(names)}"))
            return
        at = at * len(names) + names.index(word)
    if row[0] not in map(str, range(LEAST_PLAYERS, MOST_PLAYERS + 1)):
        faults.append(Fault(f"{where}, players", row[0], f"allowed: {LEAST_PLAYERS} to {MOST_PLAYERS}"))
        return
    numbers = row[1 + len(STEPS) :]
    if not all(n.isdecimal() and len(n) <= 4 for n in numbers) or sum(map(int, numbers[:N_PAIRS])) != WHOLE:
        faults.append(Fault(where, None, f"the frequencies must be whole numbers that add up to {WHOLE}"))
        return
    frequencies = np.array(numbers, float) / WHOLE
    if frequencies[:N_PAIRS][~is_open(at)].any():
        faults.append(Fault(where, None, "a jailed knight cannot be picked (G6)"))
    elif frequencies[RANSOM_AT] > 1:
        faults.append(Fault(f"{where}, ransom", numbers[-1], f"allowed: 0 to {WHOLE}"))
    else:
        players = int(row[0])
        if players not in tables:
            tables[players] = even_mix()
        tables[players][at] = frequencies
