"""Mixes: how often to pick each pair in each situation, and to ransom the knight, kept in a CSV file.

A *situation* is what a player sees when he picks, in coarse steps: his money, the walls and towers he
lacks, which field holds more and whether there is much to share, whether a rival is about to
finish, how many rivals have their knights, whether his own is in the dungeon. The policy `mixer`
draws from such a table.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from analyzer.engine.files import is_file, read_text
from analyzer.engine.jit import inline, jit
from analyzer.errors import BadFile, Fault, Faults
from analyzer.games.gluecksritter.rules import KNIGHT, LEAST_PLAYERS, MOST_PLAYERS, N_PAIRS, PAIRS

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


def write_mix(mixes: dict[int, np.ndarray], met: np.ndarray | None = None) -> str:
    """Write tables of frequencies [situation, column], one for each number of players, as CSV.

    `met` [situation] says which situations have a row; all without it.
    """
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(_HEADER)
    for players, table in mixes.items():
        for number in range(N_SITUATIONS):
            if met is None or met[number]:
                ransom = round(table[number, RANSOM_AT] * WHOLE) if number % 2 else 0
                rows.writerow([players, *steps_of(number), *_per_mille(table[number, :N_PAIRS]), ransom])
    return out.getvalue()


def _per_mille(frequencies: np.ndarray) -> list[int]:
    """Return whole numbers that add up to 1000, the largest remainders rounded up."""
    exact = frequencies / frequencies.sum() * WHOLE
    whole = np.floor(exact).astype(int)
    for i in np.argsort(-(exact - whole), kind="stable")[: WHOLE - whole.sum()]:
        whole[i] += 1
    return [int(n) for n in whole]


@lru_cache(maxsize=32)
def load_mix(name: str) -> dict[int, np.ndarray]:
    """Return the frequencies [situation, column] of a mix file by number of players.

    `name` is a shipped mix, or the path of a file. Where the file has no row all is equally likely.
    """
    path = shipped_mix_path(name) if is_file(shipped_mix_path(name)) else Path(name)
    if not is_file(path):
        raise BadFile(path, [Fault("mix", None, "no such file")])
    try:
        rows = list(csv.reader(read_text(path, _MOST_BYTES).splitlines()))
    except csv.Error as error:
        raise BadFile(path, [Fault("mix", None, f"cannot be read: {error}")]) from None
    if not rows or rows[0] != _HEADER:
        raise BadFile(path, [Fault("line 1", None, f"the columns must be {','.join(_HEADER)}")])
    tables: dict[int, np.ndarray] = {}
    faults = Faults(path)
    for i, row in enumerate(rows[1:], start=2):
        _read_row(row, f"line {i}", tables, faults)
    if not tables and not faults:
        faults.append(Fault("mix", None, "the file has no rows"))
    if faults:
        raise BadFile(path, faults)
    return tables


def read_mix(name: str) -> np.ndarray:
    """Return a mix file as the kernel draws from it: uint16 [players - 3, situation, column].

    A file with a single number of players serves for all.
    """
    tables = load_mix(name)
    only = next(iter(tables.values())) if len(tables) == 1 else even_mix()
    whole = np.array([tables.get(LEAST_PLAYERS + i, only) for i in range(N_TABLES)])
    return running_sums(whole, WHOLE)


def _read_row(row: Sequence[str], where: str, tables: dict[int, np.ndarray], faults: list[Fault]) -> None:
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
