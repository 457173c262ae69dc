from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from analyzer.games import GAMES
from tests.cli.run import run


@pytest.fixture
def analyzer(capsys, monkeypatch):
    """Run a command from the project's root, where `scenarios/` stands."""
    monkeypatch.chdir(Path(__file__).parents[2])
    yield partial(run, capsys, monkeypatch)
    GAMES.registered.clear()  # a command with `--code` would otherwise go on for the tests that follow


@pytest.fixture
def scenario(tmp_path):
    """Write a scenario file and return its path."""

    def write(text: str, name: str = "mine.toml") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write
