"""How fast the program is: against C, plain Python and numpy, as ratios measured in one run.

Run `python -m tests.bench.bench` for all parts, or name one: `joust`, `tournaments`, `start`. What is
compared takes turns, and each side's best time counts, so a noisy machine disturbs both alike.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from analyzer.engine.chance import DICE, new_chance, one_seed, open_streams
from analyzer.engine.jit import driver
from analyzer.engine.run import play_games
from analyzer.engine.trace import copy_record
from analyzer.games import GAMES
from analyzer.games.ritter.cards import read_knight
from analyzer.games.ritter.kernel import FOOT, MOUNTED, attack, mounted_exchange
from analyzer.games.ritter.rules import EVERY_ROUND
from analyzer.games.ritter.wounds import GUARD_OF, GUARDS, wound_counts

ROOT = Path(__file__).parents[2]
PARTS = ("joust", "tournaments", "start")
SCENARIO = "scenarios/ritter/four-players.toml"
FOUR = ("rulebook", "attacker", "balanced", "cautious")
ATTACKER, DEFENDER = "4d1123", "5d1"
SEED = 7
PYTHON_JOUSTS = 2_000
NUMPY_BATCH = 100_000
LEAST_OF_C, LEAST_OF_PYTHON = 0.85, 400.0  # table kernel against C and against plain Python
LEAST_TOURNAMENTS, AIM_TOURNAMENTS = 0.006, 0.012  # tournaments for each C joust thrown die by die

KNIGHT = np.dtype([("dice", np.int64), ("guard", np.int64, 2), ("cover", np.int8, 6)])
JOUST = np.dtype(
    [
        ("dice", np.int64, 2),
        ("guard", np.int64, (2, 2)),
        ("cover", np.int64, (2, 6)),
        ("wound_limit", np.int64),
        ("max_rounds", np.int64),
        ("enrage_dice", np.int64),
        ("enrage_every_round", np.int64),
        ("bits", np.int64),
    ]
)


# Measuring


def say(what: str, value: str, target: str = "") -> None:
    """Print one line of the result."""
    print(f"  {what:<58} {value:>18}  {target}".rstrip(), flush=True)


def yes_no(what: str, value: float, least: float) -> None:
    """Print one target line."""
    say(f"target: {what}", f"{value:.4g}", f"at least {least:g}: {'yes' if value >= least else 'NO'}")


def best_times(jobs: Mapping[str, Callable[[], Any]], repetitions: int) -> dict[str, float]:
    """Return each job's best time in seconds, the jobs taking turns; each has run once before."""
    best = {name: float("inf") for name in jobs}
    for _ in range(repetitions):
        for name, job in jobs.items():
            began = time.perf_counter()
            job()
            best[name] = min(best[name], time.perf_counter() - began)
    return best


def spread(jobs: Mapping[str, Callable[[], Any]], first: str, second: str, repetitions: int) -> tuple[float, float]:
    """Return the quartiles of how many times faster `first` was than `second`, turn by turn."""
    ratios = []
    for _ in range(repetitions):
        times = {}
        for name in (first, second):
            began = time.perf_counter()
            jobs[name]()
            times[name] = time.perf_counter() - began
        ratios.append(times[second] / times[first])
    low, high = np.percentile(ratios, [25, 75])
    return float(low), float(high)


# The joust


@driver
def play_jousts(rules, knights, n, chance, wins):
    """Play `n` whole jousts with the game's own functions and count how they end (modifies `wins`)."""
    a, d = knights[0], knights[1]
    for _ in range(n):
        hurt_a, hurt_d, rounds = mounted_exchange(
            rules, a.dice, d.dice, a.guard[MOUNTED], d.guard[MOUNTED], a.cover, d.cover, chance
        )
        if hurt_a > 0 and hurt_d > 0:
            while hurt_a < rules.wound_limit and hurt_d < rules.wound_limit and rounds < rules.max_rounds:
                hurt_d += attack(rules, a.dice, d.guard[FOOT], d.cover, FOOT, chance)
                hurt_a += attack(rules, d.dice, a.guard[FOOT], a.cover, FOOT, chance)
                rounds += 1
            if hurt_a < rules.wound_limit <= hurt_d:
                wins[0] += 1
            elif hurt_d < rules.wound_limit <= hurt_a:
                wins[1] += 1
            else:
                wins[2] += 1
        elif hurt_d > 0:
            wins[0] += 1
        elif hurt_a > 0:
            wins[1] += 1
        else:
            wins[2] += 1


def ritter_table() -> Any:
    """Return the four-player table with every option at its default."""
    game = GAMES["ritter"]
    return game.prepare(4, {option.key: option.default for option in game.options}, None)


def make_knights() -> np.ndarray:
    """Return the two knights of the bench as records."""
    knights = np.zeros(2, KNIGHT).view(np.recarray)
    for record, text in zip(knights, (ATTACKER, DEFENDER), strict=True):
        dice, cover, _ = read_knight(text)
        record.dice = dice
        record.cover[:] = cover
        for part in (MOUNTED, FOOT):
            c = cover[3 * part : 3 * part + 3]
            record.guard[part] = GUARD_OF[c[0] * 9 + c[1] * 3 + c[2]]
    return knights


def count_jousts(rules: Any, knights: np.ndarray, n: int) -> list[int]:
    """Return how `n` jousts from the beginning of the seed's first game end."""
    chance, wins = new_chance(), np.zeros(3, np.int64)
    open_streams(chance, one_seed(SEED), 0)
    play_jousts(rules, knights, n, chance, wins)
    return [int(w) for w in wins]


class Twin:
    """The same jousts in C, compiled for this run."""

    def __init__(self, rules: Any, knights: np.ndarray, folder: Path) -> None:
        library = folder / "joust.so"
        source = Path(__file__).with_name("joust.c")
        subprocess.run(["gcc", "-O3", "-shared", "-fPIC", "-o", str(library), str(source)], check=True)
        self._library = ctypes.CDLL(str(library))
        self._table = np.array(rules.wounds_alias)
        self._joust = np.zeros(1, JOUST)
        joust = self._joust[0]
        joust["dice"], joust["guard"], joust["cover"] = knights.dice, knights.guard, knights.cover
        joust["wound_limit"], joust["max_rounds"] = rules.wound_limit, rules.max_rounds
        joust["enrage_dice"], joust["bits"] = rules.enrage_dice, rules.wounds_bits
        joust["enrage_every_round"] = rules.enrage == EVERY_ROUND
        chance = new_chance()
        open_streams(chance, one_seed(SEED), 0)
        self._start = int(chance.at[DICE])

    def count(self, name: str, n: int) -> list[int]:
        """Return how `n` jousts end with `jousts_by_table` or `jousts_by_die`."""
        function = self._library[name]
        function.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_uint64, ctypes.c_void_p)
        function.restype = ctypes.c_uint64
        wins = np.zeros(3, np.int64)
        function(self._joust.ctypes.data, self._table.ctypes.data, n, self._start, wins.ctypes.data)
        return [int(w) for w in wins]


def numpy_jousts(rules: Any, knights: np.ndarray, n: int, rng: np.random.Generator) -> list[int]:
    """Play `n` jousts at once, an attack of all of them being one look into a cumulated distribution."""

    def strike(dice: int, guard: int, size: int) -> np.ndarray:
        below = np.cumsum(wound_counts(int(dice), GUARDS[guard])) / 6.0 ** int(dice)
        return np.searchsorted(below[:-1], rng.random(size), side="right")

    a, d = knights
    hurt = np.zeros((2, n), np.int64)
    rounds = np.zeros(n, np.int64)
    blank, ridden = np.arange(n), 0
    while len(blank) and ridden < rules.max_rounds:
        rage = rules.enrage_dice if ridden == 1 or (ridden > 1 and rules.enrage == EVERY_ROUND) else 0
        hurt[1, blank] = strike(a.dice + rage, d.guard[MOUNTED], len(blank))
        hurt[0, blank] = strike(d.dice + rage, a.guard[MOUNTED], len(blank))
        ridden += 1
        rounds[blank] = ridden
        blank = blank[hurt[:, blank].sum(axis=0) == 0]
    both = (hurt > 0).all(axis=0)
    wins = [int(((hurt[1] > 0) & ~both).sum()), int(((hurt[0] > 0) & ~both).sum())]
    hurt, rounds = hurt[:, both], rounds[both]
    while True:
        fighting = (hurt < rules.wound_limit).all(axis=0) & (rounds < rules.max_rounds)
        out = hurt[:, ~fighting] >= rules.wound_limit
        wins[0] += int((out[1] & ~out[0]).sum())
        wins[1] += int((out[0] & ~out[1]).sum())
        hurt, rounds = hurt[:, fighting], rounds[fighting] + 1
        if not len(rounds):
            return [*wins, n - sum(wins)]
        hurt[1] += strike(a.dice, d.guard[FOOT], len(rounds))
        hurt[0] += strike(d.dice, a.guard[FOOT], len(rounds))


def plain_python() -> None:
    """Play the jousts without the compiler and print the seconds and the ends (run as a child process)."""
    rules, knights = ritter_table().rules, make_knights()
    best = float("inf")
    for _ in range(3):
        began = time.perf_counter()
        wins = count_jousts(rules, knights, PYTHON_JOUSTS)
        best = min(best, time.perf_counter() - began)
    print(best, *wins)


def bench_joust(full: bool) -> None:
    """Part a: one kernel, the joust, against its twins."""
    print(f"joust: {ATTACKER} against {DEFENDER}, to the end", flush=True)
    rules, knights = ritter_table().rules, make_knights()
    by_die = copy_record(rules)
    by_die.by_die = 1
    n = 1_000_000 if full else 300_000
    repetitions = 15 if full else 9
    rng = np.random.default_rng(SEED)
    jobs: dict[str, Callable[[], list[int]]] = {
        "table": lambda: count_jousts(rules, knights, n),
        "die": lambda: count_jousts(by_die, knights, n),
    }
    with tempfile.TemporaryDirectory() as folder:
        if shutil.which("gcc"):
            twin = Twin(rules, knights, Path(folder))
            jobs["C table"] = lambda: twin.count("jousts_by_table", n)
            jobs["C die"] = lambda: twin.count("jousts_by_die", n)
        else:
            print("  no gcc here: the comparison with C is skipped")
        jobs["numpy"] = lambda: numpy_jousts(rules, knights, NUMPY_BATCH, rng)
        ends = {name: job() for name, job in jobs.items()}
        best = best_times(jobs, repetitions)
        quartiles = spread(jobs, "table", "C table", repetitions) if "C table" in jobs else (0.0, 0.0)
    rates = {name: sum(ends[name]) / best[name] for name in jobs}
    _check_shares(ends["table"], ends["numpy"])
    _check_shares(ends["table"], ends["die"])

    python = _plain_python_rate(count_jousts(rules, knights, PYTHON_JOUSTS))
    if python:
        rates["plain Python"] = python

    for name, rate in rates.items():
        say(f"{name}", f"{rate:,.0f}/s")
    say("table / die by die, both numba", f"{rates['table'] / rates['die']:.2f}")
    say("table / numpy", f"{rates['table'] / rates['numpy']:.1f}")
    if "C table" in jobs:
        assert (ends["table"], ends["die"]) == (ends["C table"], ends["C die"]), f"C plays other jousts: {ends}"
        say("die by die / C die by die", f"{rates['die'] / rates['C die']:.3f}")
        say("table / C table, quartiles turn by turn", f"{quartiles[0]:.3f} to {quartiles[1]:.3f}")
        yes_no("table / C table", rates["table"] / rates["C table"], LEAST_OF_C)
    if python:
        yes_no("table / plain Python", rates["table"] / python, LEAST_OF_PYTHON)


def _plain_python_rate(expected: list[int]) -> float | None:
    """Return the jousts per second of the same functions uncompiled, or None where they do not run."""
    env = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "tests.bench.bench", "plain-python"]
    child = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    if child.returncode:
        fault = (child.stderr.strip().splitlines() or ["no message"])[-1]
        print(f"  NUMBA_DISABLE_JIT=1 does not run, the comparison is skipped: {fault}")
        return None
    seconds, *wins = child.stdout.split()
    assert [int(w) for w in wins] == expected, "plain Python plays other jousts"
    return PYTHON_JOUSTS / float(seconds)


def _check_shares(counts: list[int], others: list[int]) -> None:
    """Assert that two samples of the same joust agree to within five standard errors."""
    n, m = sum(counts), sum(others)
    for a, b in zip(counts, others, strict=True):
        p = (a + b) / (n + m)
        error = (p * (1 - p) * (1 / n + 1 / m)) ** 0.5
        assert abs(a / n - b / m) <= 5 * error + 1e-12, f"{counts} and {others} are not the same joust"


# Tournaments


def play(table: Any, names: tuple[str, ...], n: int, threads: int = 1) -> Any:
    """Play `n` tournaments and return their tally."""
    game = table.game
    policies = game.encode_policies([game.parameters_of(game.policy_named(name)) for name in names])
    return play_games(table, policies, SEED, n, threads=threads, chunk=n // threads).tally


def bench_tournaments(full: bool) -> None:
    """Part b: whole tournaments at the four-player table."""
    print(f"tournaments: four players, {', '.join(FOUR)}", flush=True)
    table = ritter_table()
    n = 100_000 if full else 20_000
    repetitions = 9 if full else 7
    with tempfile.TemporaryDirectory() as folder:
        jobs: dict[str, Callable[[], Any]] = {
            "one": lambda: play(table, FOUR, n),
            "two": lambda: play(table, FOUR, 2 * n, threads=2),
        }
        if shutil.which("gcc"):
            twin = Twin(table.rules, make_knights(), Path(folder))
            jobs["C"] = lambda: twin.count("jousts_by_die", 10 * n)
        best = best_times(jobs, repetitions)
        n_each = n // 4
        names = [policy.name for policy in table.game.policies]
        best_each = best_times({name: partial(play, table, (name,) * 4, n_each) for name in names}, 3)
    rate = n / best["one"]
    moves = int(play(table, FOUR, n).moves[0]) / n
    say("tournaments, one thread", f"{rate:,.0f}/s")
    say("moves, one thread", f"{rate * moves:,.0f}/s", f"{moves:.1f} in a tournament")
    say("two threads / one", f"{2 * best['one'] / best['two']:.2f}")
    for name, seconds in best_each.items():
        per_game = int(play(table, (name,) * 4, n_each).moves[0]) / n_each
        moves_rate = f"{n_each * per_game / seconds / 1e6:.1f}M moves/s, {per_game:.0f} in a tournament"
        say(f"four times {name}", f"{n_each / seconds:,.0f}/s", moves_rate)
    if "C" in jobs:
        ratio = rate / (10 * n / best["C"])
        say("C jousts die by die", f"{10 * n / best['C']:,.0f}/s")
        yes_no("tournaments / C jousts die by die", ratio, LEAST_TOURNAMENTS)
        yes_no("tournaments / C jousts die by die, the aim", ratio, AIM_TOURNAMENTS)
    else:
        print("  no gcc here: the ratio to C is skipped")


# Starting, and memory

# Runs the program inside a process of its own and prints its peak memory, in kilobytes, on the last line.
_WATCHED = """
import resource, subprocess, sys
done = subprocess.run([sys.executable, "-m", "analyzer", *sys.argv[1:]], stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.returncode)
"""


def run_program(arguments: list[str], cache: Path) -> tuple[float, float] | None:
    """Run `python -m analyzer` and return its seconds and its peak megabytes, or None if it failed."""
    env = os.environ | {"ANALYZER_CACHE_DIR": str(cache)}
    began = time.perf_counter()
    command = [sys.executable, "-c", _WATCHED, *arguments]
    child = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
    seconds = time.perf_counter() - began
    if child.returncode:
        fault = (child.stderr.strip().splitlines() or ["no message"])[-1]
        print(f"  skipped: `python -m analyzer {' '.join(arguments[:2])}` ended with {child.returncode}: {fault}")
        return None
    return seconds, float(child.stdout.split()[-1]) / 1024


def bench_start(full: bool) -> None:
    """Part c: the first run, the next ones, and the memory that more games take."""
    print("start", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        cache, out = Path(folder, "cache"), str(Path(folder, "out"))

        def odds(games: int) -> tuple[float, float] | None:
            return run_program(["odds", SCENARIO, "--games", str(games), "--out", out, "--quiet"], cache)

        cold = odds(10_000)
        if cold is None:
            return
        say("cold: compile, 10,000 games", f"{cold[0]:.2f} s")
        warm = [run[0] for run in (odds(10_000) for _ in range(3)) if run]
        say("warm: 10,000 games", f"{min(warm, default=float('nan')):.2f} s")
        helped = [run[0] for run in (run_program(["--help"], cache) for _ in range(3)) if run]
        say("--help", f"{min(helped, default=float('nan')):.2f} s")
        few, many = 100_000, 10_000_000
        small, large = odds(few), odds(many)
        if small and large:
            say(f"peak memory at {few:,} games", f"{small[1]:.1f} MB")
            say(f"peak memory at {many:,} games", f"{large[1]:.1f} MB", f"{large[1] - small[1]:+.1f} MB")
            say("games/s between the two, all threads", f"{(many - few) / (large[0] - small[0]):,.0f}/s")


def main() -> None:
    """Run the parts asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("part", nargs="?", choices=(*PARTS, "plain-python"), help="one part only (default: all)")
    parser.add_argument("--full", action="store_true", help="longer runs")
    options = parser.parse_args()
    if options.part == "plain-python":
        plain_python()
        return
    # another busy process halves the thread scaling: say so in the output
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.2f} at the start", flush=True)
    parts = {"joust": bench_joust, "tournaments": bench_tournaments, "start": bench_start}
    for name in PARTS:
        if options.part in (None, name):
            parts[name](options.full)


if __name__ == "__main__":
    main()
