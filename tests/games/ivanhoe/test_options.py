"""What a designer may change: the deck, hands, the maiden's penalty; and the Dutch readings of start and Shield."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analyzer.engine.run import play_games
from analyzer.engine.trace import Walk
from analyzer.errors import BadFile
from analyzer.games import GAMES
from analyzer.games.ivanhoe.cards import COLOURS, KIND_OF, load_deck
from analyzer.scenarios import load_scenario
from tests.games.ivanhoe.invariants import broken
from tests.games.ivanhoe.table import after, legal, position, seat
from tests.tables import policies_of, table_of

GAME = GAMES["ivanhoe"]
ALONE: dict[str, Any] = {"start_on_action": True}


def start(hand: str, other: str = "red 3", **rest: Any) -> dict[str, Any]:
    """Seat 1 is to start a tournament."""
    return position(seat("", hand), seat("", other), colour="none", phase="start", opening=True, **rest)


def test_i3_an_action_card_alone_can_start_in_any_colour() -> None:
    assert legal(start("shield, charge"), **ALONE) == [f"start {colour}" for colour in COLOURS]
    assert legal(start("shield, charge")) == ["pass"]
    assert legal(start("shield", after_purple=True), **ALONE) == [f"start {c}" for c in COLOURS if c != "purple"]


def test_i3_only_an_action_card_that_can_be_played_starts() -> None:
    assert legal(start("charge, riposte, ivanhoe"), **ALONE) == ["pass"]
    assert legal(start("unhorse"), **ALONE) == ["start purple"]
    assert legal(start("drop weapon"), **ALONE) == ["start red", "start blue", "start yellow"]
    assert legal(start("knock down", ""), **ALONE) == ["pass"]
    assert len(legal(start("knock down"), **ALONE)) == 5


def test_i3_who_starts_on_an_action_card_may_end_level_and_is_behind_later() -> None:
    place = start("shield, red 3")
    assert legal(place, "start blue", **ALONE) == ["play shield"]
    assert legal(place, "start blue", "play shield", **ALONE) == ["end"]
    state = after(place, "start blue", "play shield", "end", **ALONE)
    assert (state["turn"], state["colour"]) == (2, "blue")
    assert "end" not in state["legal"]
    assert legal(place, "start red", **ALONE) == ["play red 3", "play shield"]
    assert legal(place, "start red", "play shield", **ALONE) == ["play red 3", "end"]


def test_i3_level_means_level_where_ties_stay_too() -> None:
    place = position(seat("", "shield, charge"), seat("red 4"), opening=True)
    assert "end" not in legal(place, "play shield", tie_stays=True, **ALONE)


def test_i15_a_shield_against_all_but_outwit() -> None:
    hand = "change weapon, stunned, knock down, outwit"
    place = position(seat("red 3, red 3", hand), seat("red 4", "red 3", shield=True), seat("red 5", "blue 3"))
    moves = legal(place, shield_stops="all_but_outwit")
    assert [move for move in moves if "stunned" in move and "outwit" not in move] == ["play stunned 3"]
    assert [move for move in moves if "knock" in move] == ["play knock down 3"]
    assert "play change weapon blue" in moves
    assert any("outwit 2" in move for move in moves)


@pytest.mark.parametrize(
    ("penalty", "answers", "left"),
    [
        (0, (), ["red", "blue", "green"]),
        (1, ("give back red",), ["blue", "green"]),
        (2, ("give back red", "give back green"), ["blue"]),
        (3, (), []),
        (5, (), []),
    ],
)
def test_i6_the_maiden_costs_as_many_tokens_as_the_penalty_says(
    penalty: int, answers: tuple[str, ...], left: list[str]
) -> None:
    rows = (seat("red 3, maiden 6", "", "red, blue, green"), seat("red 5, red 5"), seat("squire 3"))
    state = after(position(*rows), "withdraw", *answers, maiden_penalty=penalty)
    assert state["seats"][0]["tokens"] == left
    assert (state["phase"], state["turn"]) == ("play", 2)


@pytest.mark.parametrize("size", [1, 12])
def test_i1_hand_size(size: int) -> None:
    s = Walk(table_of(GAME, 3, hand_size=size), 1, 0).state
    assert sorted(s.n_hand[:3]) == [size, size, size + 1]


def test_a_deck_of_ones_own_is_played_with(tmp_path: Path) -> None:
    (tmp_path / "few.toml").write_text('like = "default"\n[copies]\nriposte = 9\n"Green 1" = 0\n', encoding="utf-8")
    scenario = tmp_path / "s.toml"
    scenario.write_text('game = "ivanhoe"\ndeck = "few.toml"\nseats = ["tactician", "random"]\n', encoding="utf-8")
    table = load_scenario(scenario).table
    assert (table.deck.n_cards, table.deck.copies[KIND_OF["riposte"]]) == (110 + 6 - 14, 9)
    walk = Walk(table, 1, 0)
    while (who := walk.look()[0]) >= 0:
        assert broken(table, walk.state) == []
        walk.play(walk.choose(policies_of(GAME, ["tactician", "random"])[who]))
    tally = play_games(table, policies_of(GAME, ["tactician", "random"]), 1, 50).tally
    held = {(card.group, card.name): int(n.sum()) for card, n in zip(table.cards, tally.held, strict=True)}
    assert held["dealt", "green 1"] == held["drawn", "green 1"] == 0
    assert held["dealt", "riposte"] > 20


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('like = "default"\n[copies]\n"red 6" = 1\n', "copies.red 6"),
        ('like = "default"\n[copies]\nshield = 2\n', "allowed: 0 to 1"),
        ('like = "default"\n[copies]\nriposte = true\n', "allowed: 0 to 30"),
        ('like = "nothing"\n', "must name a shipped deck: default"),
        ("like = 3\n", "must name a shipped deck"),
        ("copies = 3\n", "must be a table"),
        ('like = "default"\ncards = 3\n', "cards: unknown"),
        ('like = "default"\norigin = "x"\n', "origin"),
        ('[copies]\n"red 3" = 10\n', "take 17 cards"),
        ('like = "default"\n[copies]\n"red 3" = 30\n"red 4" = 30\n"red 5" = 30\n"blue 2" = 30\n', "at most 200"),
    ],
)
def test_a_bad_deck_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "deck.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile) as caught:
        GAME.prepare(2, {option.key: option.default for option in GAME.options} | {"hand_size": 8}, path)
    assert problem in str(caught.value)


def test_i4_to_i17_the_cards_of_a_table_have_keys_of_their_own() -> None:
    """Every kind dealt and drawn is chance's; what a player holds and plays is his own."""
    cards = table_of(GAME, 3).cards
    assert len({(card.group, card.name) for card in cards}) == len(cards) == 2 * 35 + 2 * 17
    assert {card.group for card in cards if card.by_chance} == {"dealt", "drawn"}
    assert {card.group for card in cards if not card.by_chance} == {"held", "played"}
    assert [card.name for card in cards if card.group == "dealt"] == list(KIND_OF)


def test_the_policy_that_plays_on_is_the_strongest() -> None:
    """`tests/games/ivanhoe/test_policies.py` shows that it beats each of the others."""
    assert GAME.default_policy == "tactician"
    assert load_deck().n_cards == 110
