"""A game that is not shipped is made known, and every part of the house takes it."""

from __future__ import annotations

import pytest

import analyzer as az
from analyzer.answer import Answer
from analyzer.engine import kernels
from analyzer.games import GAMES, NAMES, game_named, register
from tests.cli.run import run
from tests.pig.game import GAME


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
    found = kernels._closure({"analyzer.engine.drive", "tests.pig.kernel", "tests.pig.policies"})
    assert {"tests.pig.rules", "tests.pig.state", "analyzer.engine.search"} <= found
    assert not any(module.startswith("analyzer.games.") for module in found)


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
