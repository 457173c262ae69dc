"""Ctrl-C: what has been played is reported, and the exit code says so."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

from tests.cli.run import COMMAND

ROOT = Path(__file__).parents[2]


def test_an_interrupted_run_reports_what_it_played(tmp_path):
    process = subprocess.Popen(
        [*COMMAND, "odds", "ritter/four-players", "--games", "1000000000", "--out", str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    time.sleep(4)
    while process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            continue
    out, err = process.communicate()
    assert process.returncode == 130, err
    folder = tmp_path / "ritter" / "four-players" / "odds"
    run = json.loads((folder / "run.json").read_text())
    assert run["interrupted"]
    assert 0 < run["games"] < 1_000_000_000
    assert sum(seat["win"]["estimate"] for seat in run["result"]["seats"]) > 1 - 1e-12
    assert f"{run['games']:,} games had been played" in err
    assert "It was interrupted" in (folder / "report.md").read_text()
    assert f"{run['games']:,} games" in out
