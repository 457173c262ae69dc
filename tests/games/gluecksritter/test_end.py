"""G1–G4, G11, G13, G14: the beginning, the end, and the coins."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analyzer.engine.trace import Walk
from analyzer.errors import BadFile
from analyzer.games.gluecksritter.cards import load_deck
from tests.games.gluecksritter.table import GAME, Board, picked, set_up
from tests.tables import table_of

POOR = {"ones": 0, "twos": 0}


def dealt(players: int, game: int = 0, **options: Any) -> Board:
    table = table_of(GAME, players, **options)
    return Board(table, Walk(table, 1, game))


def test_g1_the_box() -> None:
    deck = load_deck()
    assert len(deck.ducats) == 18
    assert sum(document.copies for document in deck.documents) == 25
    assert sum(sum(card) for card in [(c.tax, c.toll) for c in deck.ducats]) == 148


def test_g2_every_card_is_marked() -> None:
    assert {card.origin for card in load_deck().cards()} == {"source", "reconstruction"}
    assert [card.name for card in load_deck().cards() if card.origin == "source"] == ["gifts"]


def test_g2_another_deck_may_be_named(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[[ducats]]\ncounts = [[1, 2]]\n[[documents]]\nkind = "guard"\ncopies = 2\n', encoding="utf-8")
    table = GAME.prepare(3, {o.key: o.default for o in GAME.options}, path)
    board = Board(table, Walk(table, 1, 0))
    assert board.state.laid.sum(axis=1).tolist() == [1, 2]
    assert board.state.stack.tolist() == [0, 0, 0, 0, 0, 0, 2, 0]


def test_g2_all_faults_of_a_deck_are_named(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(
        '[[ducats]]\ncounts = [[1], [2, 99]]\n[[documents]]\nkind = "gift"\ncopies = -1\norigin = "mine"\nprice = 3\n',
        encoding="utf-8",
    )
    with pytest.raises(BadFile) as caught:
        load_deck(path)
    text = str(caught.value)
    assert "7 faults" in text
    assert "did you mean 'gifts'?" in text


@pytest.mark.parametrize(("players", "bag"), [(3, (54, 34)), (6, (48, 28))])
def test_g3_two_ones_and_two_twos_each(players: int, bag: tuple[int, int]) -> None:
    board = dealt(players)
    assert [board.purse(seat) for seat in range(1, players + 1)] == [[2, 2]] * players
    assert (board.state.bag + board.state.lying.sum(axis=0)).tolist() == list(bag)


def test_g3_the_start_money_can_be_set() -> None:
    assert dealt(3, start_ones=1, start_twos=5).purse(2) == [1, 5]


def test_g4_a_ducat_card_says_how_many_coins_come() -> None:
    board = dealt(4)
    card = board.table.deck.ducats[board.state.ducat_card]
    assert board.state.lying.sum(axis=1).tolist() == [card.tax, card.toll]
    assert board.state.ducats_left == 17


def test_g4_a_short_bag_gives_what_it_has() -> None:
    place = {"field_5": [58, 40]}
    board = picked("1 2", "1 2", "1 2", seats=[POOR] * 3, place=place, documents="none")
    assert board.state.bag.tolist() == [0, 0]
    assert board.state.laid.sum() == 2


def test_g4_the_used_up_deck_is_shuffled() -> None:
    place = {"ducats_used": list(range(1, 19))}
    board = picked("1 2", "1 2", "1 2", seats=[POOR] * 3, place=place, documents="none")
    assert board.state.ducats_left == 17
    assert board.words["ducats_used"] == [board.state.ducat_card + 1]


COMPLETE = {"walls": 4, "towers": 4}


def finished(*seats: dict[str, Any], **options: Any) -> Board:
    """The round ends without anything happening."""
    pairs = ["1 2" if seat.get("walls") == 4 else "1 3" for seat in seats]
    return picked(*pairs, seats=seats, documents="none", **options)


def test_g11_four_walls_and_four_towers_win_at_the_end_of_the_round() -> None:
    board = finished({**POOR, **COMPLETE}, POOR, POOR)
    assert (board.phase, board.turn, board.win()) == ("over", 0, [2520, 0, 0])
    assert board.state.tie_break == 0
    assert finished({**POOR, "walls": 4, "towers": 3}, POOR, POOR).phase == "pick"


def test_g11_a_castle_raided_in_the_same_round_has_not_won() -> None:
    board = picked("1 4", "1 2", "1 3", seats=[POOR, {**POOR, **COMPLETE}, POOR], documents="none")
    board.say("raid 2", dice=[5])
    board.say("take wall")
    assert board.phase == "pick"


def test_g11_of_several_the_richest_wins() -> None:
    rich = {"ones": 1, "twos": 3, **COMPLETE}
    board = finished({"ones": 3, "twos": 1, **COMPLETE}, rich, POOR)
    assert (board.win(), board.state.tie_break) == ([0, 2520, 0], 1)


def test_g11_equally_rich_ones_share_the_win() -> None:
    board = finished({"ones": 4, "twos": 1, **COMPLETE}, {"ones": 2, "twos": 2, **COMPLETE}, POOR)
    assert board.win() == [1260, 1260, 0]


def test_g11_a_smaller_castle_can_be_asked_for() -> None:
    assert finished({"walls": 2, "towers": 2}, POOR, POOR, castle=2).win() == [2520, 0, 0]


def test_g13_coins_of_a_position_are_counted() -> None:
    board = set_up({"ones": 5, "twos": 3}, POOR, POOR, place={"field_6": [2, 4]})
    assert board.state.bag.tolist() == [53, 33]
    with pytest.raises(BadFile, match="60 of these coins"):
        set_up({"ones": 40}, {"ones": 20}, {"ones": 1})


def test_g14_a_game_stops_at_max_rounds_without_a_winner() -> None:
    board = finished(POOR, POOR, POOR, max_rounds=1)
    assert (board.phase, board.win(), board.state.unfinished) == ("over", [0, 0, 0], 1)
    assert finished(POOR, POOR, POOR, max_rounds=2).state.rounds == 2


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[[documents]]\nkind = ["tax"]\n', "kind"),
        ('[[documents]]\nkind = { of = "tax" }\n', "kind"),
        ("[[ducats]]\ncounts = 5\n", "must be a list"),
        ("[[ducats]]\ncounts = [[[1], 2]]\n", "two counts"),
    ],
)
def test_g2_lists_where_a_name_or_a_number_belongs_are_refused(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "odd.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match=problem):
        load_deck(path)
