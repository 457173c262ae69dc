"""Ctrl-C and SIGTERM: what has been played is reported, nothing is waited for, and the exit code says so."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.run import COMMAND, run

pytestmark = pytest.mark.usefixtures("in_terminal")
ROOT = Path(__file__).parents[2]
BOTH = pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])


def start(*arguments: str, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=ROOT,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@BOTH
def test_an_interrupted_run_reports_what_it_played(tmp_path, number):
    assert (
        subprocess.run([*COMMAND, "odds", "ritter/four-players", "--games", "9", "--json"], cwd=ROOT).returncode == 0
    )  # all is compiled now
    folder = tmp_path / "ritter" / "four-players" / "odds-games=1000000000"
    for wait in (3, 10, 30):  # on a busy machine it may still be importing
        process = start("odds", "ritter/four-players", "--games", "1000000000", "--out", str(tmp_path))
        time.sleep(wait)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 130, err
        if folder.exists():
            break
    run = json.loads((folder / "run.json").read_text())
    assert run["interrupted"]
    assert 0 < run["games"] < 1_000_000_000
    assert sum(seat["win"]["estimate"] for seat in run["tables"]["seats"]) > 1 - 1e-12
    assert f"{run['games']:,} games had been played" in err
    assert "It was interrupted" in (folder / "report.md").read_text()
    assert f"{run['games']:,} games" in out


@pytest.mark.parametrize("wait", [0.5, 1.5, 4.0])
@pytest.mark.parametrize(
    "arguments",
    [
        ("joust", "3d123", "5d1", "--games", "2000000000"),
        ("ladies", "--games", "100000000"),
        ("odds", "ritter/four-players"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_nothing_is_waited_for_in_imports_and_in_the_compiler(tmp_path, arguments, wait):
    """With no compiled kernel at hand, a signal comes while the program is imported, or compiled."""
    process = start(*arguments, "--out", str(tmp_path / "out"), ANALYZER_CACHE_DIR=str(tmp_path / "cold"))
    time.sleep(wait)
    process.send_signal(signal.SIGINT)
    start_of_end = time.monotonic()
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert time.monotonic() - start_of_end < 10
    assert "Traceback" not in err
    assert "interrupted" in err
    assert not (tmp_path / "out").exists()


def test_an_interruption_that_something_swallows_shows_in_the_exit_code(capsys, monkeypatch):
    from analyzer.cli import games

    def deaf(*rest):
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            return

    monkeypatch.setattr(games.screen, "document", deaf)
    assert run(capsys, monkeypatch, "games", "--json").code == 130
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_program_started_in_the_background_goes_on():
    process = subprocess.Popen(
        ["sh", "-c", 'trap "" INT; exec "$@"', "sh", *COMMAND, "games"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=60)
    assert (process.returncode, "Fredericus" in out) == (0, True)
