"""R1–R9 and E5: the box, the deal, the training, who starts and who rides."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from analyzer.errors import BadFile
from analyzer.games.ritter.cards import load_deck, read_knight
from tests.games.ritter.table import GAME, KNIGHTS, dealt, new_table, set_up

COVERS = ["1", "2", "3", "4", "5", "6"]


def trainings(knight: str, *points: str) -> list[str]:
    return [f"train {knight} {point}" for point in points]


def test_r1_the_box_holds_ten_knights_ten_ladies_and_sixty_chips() -> None:
    table = new_table()
    assert (len(table.deck.knights), len(table.deck.ladies)) == (10, 10)
    assert dealt().state.chips == 60
    assert table.rules.wound_limit == 10


def test_r1_a_card_with_more_dice_than_the_box_is_refused(tmp_path: Path) -> None:
    deck = tmp_path / "deck.toml"
    deck.write_text('like = "default"\n[[knights]]\nname = "Harald Kampfzahn"\nstrength = "25d1"\n', encoding="utf-8")
    with pytest.raises(BadFile, match="24 dice"):
        load_deck(deck)


def test_r2_a_knight_starts_with_the_dice_and_the_red_fields_of_his_card() -> None:
    board = dealt()
    cards = {card.name.split()[0]: card for card in board.table.deck.knights}
    knights = [pair for seat in board.words["seats"] for pair in seat["knights"].items()]
    assert len(knights) == 4
    for name, knight in knights:
        assert knight["strength"] == cards[name].strength


def test_r2_a_face_has_two_fields() -> None:
    assert read_knight("4d1123w2") == (4, (2, 1, 1, 0, 0, 0), 2)
    with pytest.raises(ValueError, match="face 3 is covered 3 times"):
        read_knight("4d333")


@pytest.mark.parametrize("face", [1, 2, 3])
def test_r2_a_cover_on_a_mounted_face_parries_that_face(face: int) -> None:
    """R2: each of the faces 1 to 3 has its own fields on horseback."""
    for covered in (1, 2, 3):
        board = set_up("challenge", {"Apollonius": "1d", "Harald": f"1d{covered}"}, max_rounds=1)
        board.say("challenge Apollonius Harald", dice=[face, 6])
        assert board.state.stalled == (1 if face == covered else 0)
        assert board.premiums("Apollonius") == [0 if face == covered else 2]  # the joust and the day


@pytest.mark.parametrize("face", [4, 5, 6])
def test_r2_a_cover_on_a_foot_face_parries_that_face(face: int) -> None:
    """R2: each of the faces 4 to 6 has its own fields on foot."""
    for covered in (4, 5, 6):
        riders = {"Apollonius": "1dw1", "Harald": f"1d{covered}w1"}
        board = set_up("yield", riders, place={"attacker": "Apollonius", "defender": "Harald"})
        board.say("fight", "fight", dice=[face, 1])
        assert board.wounds("Harald") == [1 if face == covered else 2]


def test_r3_a_favour_is_worth_the_matches_and_their_ranks() -> None:
    table = new_table()
    apollonius, podica, ilsa, adelheid = 0, 0, 1, 2
    assert [value for _, value in table.deck.knights[0].likes] == ["plump", "brown", "reserved"]
    assert table.rules.match[apollonius, podica] == 2 * 8 + 0b101  # plump and reserved
    assert table.rules.match[apollonius, ilsa] == 3 * 8 + 0b111
    assert table.rules.match[apollonius, adelheid] == 0


@pytest.mark.parametrize("players", range(2, 11))
def test_r4_two_knights_and_ladies_each_up_to_five_players_then_one(players: int) -> None:
    each = 2 if players <= 5 else 1
    seats = dealt(players).words["seats"]
    assert [len(seat["knights"]) for seat in seats] == [each] * players
    assert [len(seat["ladies"]) for seat in seats] == [each] * players
    assert len({name for seat in seats for name in seat["knights"]}) == players * each
    assert len({name for seat in seats for name in seat["ladies"]}) == players * each


def test_r4_the_cards_are_shuffled() -> None:
    """R4: over some deals every knight comes to the first seat, and some stay out."""
    seen = {name for game in range(60) for name in dealt(2, game).words["seats"][0]["knights"]}
    assert seen == set(KNIGHTS)


def test_r5_the_known_cards_are_as_printed_and_all_are_equally_strong() -> None:
    deck = new_table().deck
    knights = {knight.name: knight for knight in deck.knights}
    ladies = {lady.name: lady for lady in deck.ladies}
    apollonius, harald = knights["Apollonius v. d. Wolkenburg"], knights["Harald Kampfzahn"]
    assert apollonius.strength == "3d123"
    assert {value for _, value in apollonius.likes} == {"brown", "plump", "reserved"}
    assert (harald.dice, harald.cover[0], harald.cover[2]) == (5, 1, 0)
    values = [value for _, value in harald.likes]
    assert values.index("black") < values.index("slender")
    assert list(ladies["Podica v. Schwarzfuß"].charms.values()) == ["black", "plump", "reserved"]
    assert list(ladies["Ilsa v. Tannen"].charms.values()) == ["brown", "plump", "reserved"]
    assert {knight.dice + sum(knight.cover) for knight in deck.knights} == {6}
    sources = [card.name.split()[0] for card in (*deck.knights, *deck.ladies) if card.origin == "source"]
    assert sources == ["Apollonius", "Harald", "Podica", "Ilsa"]


def test_r5_ilsa_is_slender_in_the_french_deck_and_nothing_else_differs() -> None:
    dutch, french = new_table().deck, new_table(deck="french").deck
    assert french.ladies[1].charms == {"hair": "brown", "figure": "slender", "temperament": "reserved"}
    assert french.knights == dutch.knights
    assert french.ladies[:1] + french.ladies[2:] == dutch.ladies[:1] + dutch.ladies[2:]


def test_r6_each_knight_gets_two_points_seat_by_seat() -> None:
    board = dealt(training_exact=True)
    asked = []
    while board.phase == "train":
        asked.append((board.turn, board.words["knight"]))
        board.say(f"train {asked[-1][1]} dice")
    names = [name for seat in board.words["seats"] for name in seat["knights"]]
    assert asked == [(seat, name) for seat, name in zip([1, 1, 2, 2], names, strict=True) for _ in range(2)]


@pytest.mark.parametrize("points", [0, 1, 3])
def test_r6_training_points_can_be_set(points: int) -> None:
    board = dealt(training_points=points)
    assert board.phase == ("train" if points else "ride")
    assert board.words.get("points", 0) == points


def test_r6_a_point_buys_a_die_or_a_field_and_a_field_takes_a_chip() -> None:
    board = set_up("train", place={"knight": "Apollonius", "points": 2})
    assert board.moves == trainings("Apollonius", *COVERS, "dice", "nothing")
    board.say("train Apollonius dice")
    assert (board.state.chips, board.words["points"]) == (60, 1)
    board.say("train Apollonius 5")
    assert board.state.chips == 59
    assert board.words["seats"][0]["knights"]["Apollonius"]["strength"] == "4d1235"
    assert board.words["knight"] == "Bertram"


def test_r6_no_face_is_covered_three_times() -> None:
    board = set_up("train", others={"Apollonius": "3d1122"}, place={"knight": "Apollonius"})
    assert board.moves == trainings("Apollonius", "3", "4", "5", "6", "dice", "nothing")


def test_r6_points_may_be_left_unless_training_exact() -> None:
    board = set_up("train", place={"knight": "Apollonius", "points": 2})
    board.say("train Apollonius nothing")
    assert board.words["knight"] == "Bertram"
    board = set_up("train", place={"knight": "Apollonius", "points": 2}, training_exact=True)
    assert board.moves == trainings("Apollonius", *COVERS, "dice")


def test_r6_without_chips_only_dice_are_left() -> None:
    board = set_up("train", place={"knight": "Apollonius", "points": 2}, training_chips=1)
    board.say("train Apollonius 1")
    assert board.moves == trainings("Apollonius", "dice", "nothing")


def test_r6_a_position_that_does_not_count_the_chips_has_the_whole_box() -> None:
    board = set_up("train", place={"knight": "Apollonius"})
    position = board.words
    del position["chips"]
    assert GAME.place(board.table, position)[0].chips == 60


def test_r6_who_can_train_nothing_is_not_asked() -> None:
    """R6: without chips and at the most dice even training_exact asks nothing."""
    board = dealt(training_chips=0, max_dice=1, training_exact=True)
    assert board.phase == "ride"


def test_r7_nobody_trains_beyond_max_dice() -> None:
    for most, board in (
        (12, set_up("train", others={"Apollonius": "11d"}, place={"knight": "Apollonius"})),
        (6, set_up("train", others={"Apollonius": "5d"}, place={"knight": "Apollonius"}, max_dice=6)),
    ):
        board.say("train Apollonius dice")
        assert board.state.dice[0] == most
        assert board.moves == trainings("Apollonius", *COVERS, "nothing")


def test_r7_a_card_with_more_dice_is_cut_to_max_dice() -> None:
    for game in range(20):
        board = dealt(5, game, max_dice=4)
        assert max(board.state.dice) == 4
    board = set_up("train", place={"knight": "Apollonius"}, max_dice=4)
    assert board.state.dice[2] == 4  # Harald's card has five


def test_r8_every_seat_is_as_likely_to_start() -> None:
    starts = Counter(dealt(3, game, training_points=0).words["start"] for game in range(1500))
    assert sorted(starts) == [1, 2, 3]
    assert all(430 <= count <= 570 for count in starts.values())  # 500 expected, deviation 18


@pytest.mark.parametrize(("start", "next_start"), [(1, 2), (2, 3), (3, 1)])
def test_r8_the_next_day_starts_on_the_left(start: int, next_start: int) -> None:
    riders = {"Apollonius": "1d", "Harald": "1d"}
    board = set_up("challenge", riders, players=3, place={"start": start, "turn": 1}, training_by_wounds=[0])
    board.say("challenge Apollonius Harald", dice=[1, 6])
    assert (board.phase, board.words["day"], board.words["start"]) == ("ride", 2, next_start)
    assert board.turn == next_start


def test_r9_none_one_or_both_ride_from_the_start_player_leftwards() -> None:
    board = set_up("ride", players=3, place={"start": 2})
    assert board.turn == 2
    assert board.moves == ["ride none", "ride Harald", "ride Dietmar", "ride Harald Dietmar"]
    board.say("ride Dietmar")
    assert board.turn == 3
    board.say("ride none")
    assert board.turn == 1
    board.say("ride Apollonius Bertram")
    assert board.named("riding") == ["Apollonius", "Bertram", "Dietmar"]
    assert board.phase == "offer"


def test_r9_a_knight_at_the_wound_limit_never_rides() -> None:
    out = {"Apollonius": "3d123w10", "Harald": "5d1w10", "Dietmar": "4d36w12"}
    board = set_up("ride", others=out, players=3, place={"start": 1})
    assert board.moves == ["ride none", "ride Bertram"]
    board.say("ride Bertram")
    assert board.turn == 3  # the second player has nobody to send


def test_e5_apollonius_first_trainings() -> None:
    """E5: two dice, any two covers, or a die and a cover."""
    reached = set()
    for first in ["dice", *COVERS]:
        for second in ["dice", *COVERS]:
            board = set_up("train", place={"knight": "Apollonius", "points": 2})
            board.say(f"train {first}")
            if f"train Apollonius {second}" in board.moves:
                board.say(f"train {second}")
                assert board.words["knight"] == "Bertram"
                reached.add(board.words["seats"][0]["knights"]["Apollonius"]["strength"])
    pairs = {a + b for a, b in combinations_with_replacement("123456", 2)} - {"11", "22", "33"}
    covers = {"3d" + "".join(sorted("123" + pair)) for pair in pairs}
    assert reached == {"5d123"} | covers | {"4d" + "".join(sorted("123" + face)) for face in COVERS}


def test_every_option_names_its_rule() -> None:
    assert {option.key for option in GAME.options if not option.rule} == set()
