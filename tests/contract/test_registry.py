"""A game that is not shipped is made known, and every part of the house takes it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import analyzer as az
from analyzer.answer import Answer
from analyzer.engine import drive, kernels
from analyzer.games import GAMES, NAMES, game_named, register
from tests.cli.run import run
from tests.pig.game import GAME

ROOT = Path(__file__).parents[2]


@pytest.fixture
def registry(monkeypatch):
    """The registry, which forgets after the test what has been registered."""
    monkeypatch.setattr(GAMES, "registered", {})
    return GAMES


def test_a_new_game_is_known_under_its_name(registry):
    assert "pig" not in registry
    register(GAME)
    assert list(registry) == [*NAMES, "pig"]
    assert len(registry) == len(NAMES) + 1
    assert game_named("pig") is GAME


def test_what_stands_compiled_for_it_depends_on_its_own_rooms():
    """Not only on the modules with its verbs: an edit of its state or rules compiles it anew."""
    found = kernels._closure({drive.__name__, "tests.pig.kernel", "tests.pig.policies"})
    assert {"tests.pig.rules", "tests.pig.state", "analyzer.engine.search"} <= found
    assert not any(module.startswith("analyzer.games.") for module in found)


def test_a_game_may_be_a_single_module(monkeypatch, tmp_path):
    (tmp_path / "solitary.py").write_text("import numba\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    import_module("solitary")
    assert kernels._folder(frozenset({drive.__name__, "solitary"})).name.startswith("kernels-solitary-")


def test_every_question_of_the_house_can_be_asked_of_it(registry):
    register(GAME)
    seats, few = ["steady", "racer"], {"games": 200}
    pig, equal = (
        az.scenario(game="pig", seats=seats, rules={"goal": 30, "equal_turns": same}) for same in (False, True)
    )
    answers = [
        az.odds(pig, **few),
        az.balance(pig, **few),
        az.check(pig, **few),
        az.rank(pig, policies="steady,bold", **few),
        az.compare(pig, equal, **few),
        az.sweep(pig, vary=("rules.goal=20:30:10",), **few),
        az.sweep(pig, all=True, **few),
        az.advise(pig, game=0, after=1, **few),
    ]
    assert all(isinstance(answer, Answer) and answer.tables for answer in answers)
    assert "won by seat" in str(az.play(pig))


def test_its_rules_are_listed_and_that_it_has_no_cards(registry, capsys, monkeypatch):
    register(GAME)
    assert "equal_turns" in run(capsys, monkeypatch, "rules", "pig").out
    cards = run(capsys, monkeypatch, "cards", "pig")
    assert (cards.code, cards.out) == (0, "Pig has no cards whose fortune is counted.\n")


def test_the_guide_makes_a_shipped_game_of_a_copy_of_pig(tmp_path):
    """What the guide has one type is typed in a copy of the house: the new game is listed, and plays."""
    for folder in ("analyzer", "tests", "docs"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    guide = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
    script = re.findall(r"^```sh\n(.*?)^```", guide, re.M | re.S)[0]
    (tmp_path / "boar.toml").write_text('game = "boar"\nseats = ["steady", "racer", "random"]\n', encoding="utf-8")
    commands = f"""
        set -e
        analyzer() {{ "{sys.executable}" -m analyzer "$@"; }}
        {script}
        analyzer odds boar.toml --games 6 --quiet --out out
        "{sys.executable}" -m pytest -q -p no:cacheprovider -k boar tests/games/boar/test_rules.py \\
            tests/test_rule_ids.py
    """
    done = subprocess.run(
        ["sh", "-c", commands],
        cwd=tmp_path,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "equal_turns" in done.stdout
    assert not re.search(r"tests\.pig", "".join(p.read_text("utf-8") for p in (tmp_path / "analyzer").rglob("*.py")))
