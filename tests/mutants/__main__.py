"""Plant one fault after the other in a copy of the tree and see that the tests notice: `make mutants`.

The golden stories are left out: they notice everything, and are written anew without much thought. Each
test a fault names is first run without any fault, for a test that fails anyhow notices nothing.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path

from tests.mutants.faults import FAULTS, Fault

ROOT = Path(__file__).parents[2]
COPIED = ("analyzer", "tests", "scenarios", "docs", "pyproject.toml")
PATIENCE = 600  # seconds for the tests of one fault
PASSED, FAILED, STRANGER = 0, 1, 9  # pytest's codes, and one for an analyzer that is not the copy's

# An installed analyzer must not win over the copy.
RUN = f"""
import sys
from pathlib import Path
import analyzer, pytest
if Path(analyzer.__file__).parents[1].resolve() != Path.cwd().resolve():
    sys.exit({STRANGER})
sys.exit(pytest.main(sys.argv[1:]))
"""


def source(fault: Fault, root: Path = ROOT) -> Path:
    """Return the file in which a fault is planted."""
    return root / "analyzer" / "games" / fault.game / fault.file


def planted(fault: Fault, text: str) -> str:
    """Return the file's text with the fault in it."""
    found = text.count(fault.text)
    if found != 1:
        raise LookupError(f"{fault.game} {fault.name}: its text stands {found} times in {fault.file}, not once")
    return text.replace(fault.text, fault.replacement)


def copy_tree(target: Path) -> None:
    """Copy what the tests need."""
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, target / name, ignore=shutil.ignore_patterns("__pycache__", "golden"))
        else:
            shutil.copy2(ROOT / name, target / name)


def run_tests(tree: Path, tests: Iterable[str], compiled: bool) -> tuple[int | None, str]:
    """Run tests in a copy; return pytest's exit code, None if they did not end in time, and what was printed."""
    own = {
        "PYTHONPATH": str(tree),
        "PYTHONDONTWRITEBYTECODE": "1",  # a file changed twice in a second would be taken for the same
        "ANALYZER_CACHE_DIR": str(tree / "kernels"),
    }
    environment = {key: value for key, value in os.environ.items() if key != "NUMBA_DISABLE_JIT"} | own
    if not compiled:
        environment["NUMBA_DISABLE_JIT"] = "1"
    arguments = ["-x", "-p", "no:cacheprovider", *(f"tests/{test}" for test in tests)]
    try:
        done = subprocess.run(
            [sys.executable, "-c", RUN, *arguments],
            cwd=tree,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout + done.stderr


def check_without_fault(tree: Path, tests: tuple[str, ...], compiled: bool) -> None:
    """Stop if a test fails with no fault in the tree."""
    code, said = run_tests(tree, tests, compiled)
    if code != PASSED:
        sys.exit(f"{said}\nthese tests must pass without a fault: {' '.join(tests)} (exit code {code})")


def verdict(tree: Path, fault: Fault) -> str:
    """Plant a fault, run its tests, take it out again; return what has become of it."""
    file = source(fault, tree)
    whole = file.read_text(encoding="utf-8")
    file.write_text(planted(fault, whole), encoding="utf-8")
    try:
        code, said = run_tests(tree, fault.tests, fault.compiled)
    finally:
        file.write_text(whole, encoding="utf-8")
    if code == PASSED:
        return "SURVIVED"
    if code == FAILED:
        failed = [line.split(" - ")[0].removeprefix("FAILED ") for line in said.splitlines() if line[:6] == "FAILED"]
        return f"caught by {failed[0].rpartition('::')[2]}" if failed else "BROKEN: no test failed\n" + said
    return "BROKEN: no end in time" if code is None else f"BROKEN: exit code {code}\n{said}"


def chosen(game: str | None, only: str | None) -> list[Fault]:
    """Return the faults of a game, of a name, or all."""
    return [fault for fault in FAULTS if game in (None, fault.game) and only in (None, fault.name)]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description="Plant faults; the tests must notice.")
    parser.add_argument("--game", choices=sorted({fault.game for fault in FAULTS}), help="the faults of one game")
    parser.add_argument("--only", metavar="NAME", help="the fault of this name", choices=[f.name for f in FAULTS])
    wanted = parser.parse_args()
    faults = chosen(wanted.game, wanted.only)
    if not faults:
        parser.error(f"{wanted.game} has no fault {wanted.only}")
    for fault in faults:
        planted(fault, source(fault).read_text(encoding="utf-8"))
    escaped = 0
    with tempfile.TemporaryDirectory(prefix="analyzer-mutants-") as folder:
        tree = Path(folder)
        copy_tree(tree)
        sound: set[tuple[tuple[str, ...], bool]] = set()
        for fault in faults:
            if (fault.tests, fault.compiled) not in sound:
                check_without_fault(tree, fault.tests, fault.compiled)
                sound.add((fault.tests, fault.compiled))
            began = time.monotonic()
            said = verdict(tree, fault)
            escaped += not said.startswith("caught")
            seconds = time.monotonic() - began
            print(f"{fault.game:14}{fault.name:24}{seconds:5.0f} s  {said:60}  {fault.breaks}", flush=True)
    print(f"{len(faults) - escaped} of {len(faults)} faults were caught")
    return int(escaped > 0)


if __name__ == "__main__":
    sys.exit(main())
