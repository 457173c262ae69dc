"""Short games told in sentences stay as they are until `make golden` says otherwise."""

from __future__ import annotations

import pytest

from analyzer.games import GAMES
from tests.golden.update import FOLDER, STORIES, told


@pytest.mark.parametrize("name", STORIES)
def test_story_is_unchanged(name):
    assert told(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_game_has_a_story():
    assert {game for game, *_ in STORIES.values()} == set(GAMES)
