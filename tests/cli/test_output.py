"""Where the answer cannot be written: a word, no traceback, and never the exit code of a violated target."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.run import COMMAND

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize("arguments", [("games", "--json"), ("rules", "ritter"), ("--help",), ("--version",)])
def test_a_full_disk(arguments):
    with open("/dev/full", "w") as full:
        done = subprocess.run([*COMMAND, *arguments], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 74
    assert done.stderr.startswith("error: ")
    assert "No space left" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("arguments", [("games", "--json"), ("rules", "ritter"), ("--help",)])
def test_a_reader_that_has_left(arguments):
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run([*COMMAND, *arguments], cwd=ROOT, stdout=writing, stderr=subprocess.PIPE, text=True)
    os.close(writing)
    assert done.returncode == -13  # SIGPIPE; a shell says 141
    assert done.stderr == ""
