"""R10–R13, E3 and E4: offers, favours and challenges."""

from __future__ import annotations

import pytest

from analyzer.errors import BadInput
from tests.games.ritter.table import set_up


def test_r10_an_own_or_anothers_rider_gets_an_unplaced_lady() -> None:
    board = set_up("offer", ["Apollonius", "Harald", "Dietmar"], place={"start": 2})
    assert board.turn == 2
    assert board.moves == [
        f"offer {lady} {knight}" for lady in ("Adelheid", "Brunhild") for knight in ("Apollonius", "Harald", "Dietmar")
    ]
    board.say("offer Adelheid Apollonius")
    assert board.favour("Apollonius") == "Adelheid"
    assert board.turn == 1
    board.say("offer Podica Dietmar")
    assert board.moves == [f"offer Brunhild {knight}" for knight in ("Apollonius", "Harald", "Dietmar")]


def test_r10_offers_go_round_until_every_rider_has_a_favour() -> None:
    """R10: with two riders two favours do, the other ladies stay unplaced."""
    board = set_up("offer", ["Apollonius", "Harald"], players=3)
    board.say("offer Podica Harald")
    assert board.phase == "offer"
    board.say("offer Adelheid Apollonius")
    assert (board.phase, board.turn) == ("challenge", 1)
    assert [board.favour("Apollonius"), board.favour("Harald")] == ["Adelheid", "Podica"]


def test_r10_a_player_without_a_free_lady_is_passed_over() -> None:
    riders = {"Apollonius": {"favour": "Podica"}, "Bertram": {"favour": "Ilsa"}, "Harald": {}, "Dietmar": {}}
    board = set_up("offer", riders, place={"turn": 2})
    board.say("offer Adelheid Harald")
    assert (board.phase, board.turn) == ("offer", 2)


@pytest.mark.parametrize(("ladies", "phase"), [(True, "offer"), (False, "challenge")])
def test_r10_without_ladies_nothing_is_offered(ladies: bool, phase: str) -> None:
    board = set_up("ride", ladies=ladies)
    board.say("ride Apollonius", "ride Harald")
    assert board.phase == phase


def test_r11_more_matches_take_the_favour_and_fewer_do_not() -> None:
    """R11: Harald likes black, slender, lively; Adelheid has two of them, Podica one."""
    for first, second in (("Podica", "Adelheid"), ("Adelheid", "Podica")):
        turn = 2 if second == "Adelheid" else 1
        board = set_up("offer", {"Harald": {"favour": first}, "Dietmar": {}}, place={"turn": turn})
        board.say(f"offer {second} Harald")
        assert board.favour("Harald") == "Adelheid"
        assert board.state.rejections == 1


def test_r11_equal_counts_go_by_the_ranks() -> None:
    """R11: Egbert likes slender, black, reserved: Hildegund (1st, 3rd) beats Podica (2nd, 3rd), not Mechthild (all)."""
    for holder, turn, offered, keeps in (
        ("Podica", 4, "Hildegund", "Hildegund"),
        ("Hildegund", 1, "Podica", "Hildegund"),
        ("Clothilde", 4, "Hildegund", "Clothilde"),  # 1st and 2nd against 1st and 3rd
    ):
        board = set_up("offer", {"Egbert": {"favour": holder}, "Falko": {}}, players=4, place={"turn": turn})
        board.say(f"offer {offered} Egbert")
        assert (board.phase, board.favour("Egbert")) == ("offer", keeps)


@pytest.mark.parametrize("chosen", ["Podica", "Edeltraud"])
def test_r11_on_equal_matches_the_knights_owner_chooses(chosen: str) -> None:
    riders = {"Apollonius": {"favour": "Podica"}, "Harald": {}}
    board = set_up("offer", riders, players=3, place={"turn": 3})
    board.say("offer Edeltraud Apollonius")
    assert (board.phase, board.turn) == ("favour", 1)
    assert board.moves == ["favour Podica", "favour Edeltraud"]
    board.say(f"favour {chosen}")
    assert board.favour("Apollonius") == chosen
    assert (board.phase, board.turn) == ("offer", 1)
    assert ("offer Podica Harald" in board.moves) == (chosen == "Edeltraud")


def test_r11_the_rejected_lady_goes_to_another_knight_on_a_later_turn() -> None:
    """R11: neither the displaced nor the refused lady is offered to the same knight again."""
    board = set_up("offer", {"Apollonius": {"favour": "Ilsa"}, "Harald": {}, "Dietmar": {}}, place={"turn": 1})
    board.say("offer Podica Apollonius")
    assert board.favour("Apollonius") == "Ilsa"
    board.say("offer Adelheid Harald")
    assert board.moves == ["offer Podica Harald", "offer Podica Dietmar"]
    board = set_up("offer", {"Harald": {"favour": "Podica"}, "Dietmar": {}}, place={"turn": 2})
    board.say("offer Adelheid Harald")
    assert board.turn == 1
    assert [move for move in board.moves if "Podica" in move] == ["offer Podica Dietmar"]


@pytest.mark.parametrize("allowed", [False, True])
def test_r12_passing_is_an_option(allowed: bool) -> None:
    board = set_up("offer", ["Apollonius", "Harald"], offer_pass=allowed)
    assert ("pass" in board.moves) == allowed


def test_r12_a_full_round_of_passes_ends_the_offers() -> None:
    board = set_up("offer", ["Apollonius", "Harald"], players=3, offer_pass=True)
    board.say("pass", "pass", "offer Clothilde Harald", "pass", "pass")
    assert (board.phase, board.turn) == ("offer", 3)
    board.say("pass")
    assert board.phase == "challenge"
    assert [board.favour("Apollonius"), board.favour("Harald")] == [None, "Clothilde"]


def test_r13_a_standing_knight_challenges_a_standing_knight_of_another() -> None:
    riders = {"Apollonius": {}, "Bertram": {}, "Harald": {"standing": False}, "Dietmar": {}, "Egbert": {}}
    board = set_up("challenge", riders, players=3)
    assert board.moves == [f"challenge {a} {d}" for a in ("Apollonius", "Bertram") for d in ("Dietmar", "Egbert")]


def test_r13_challenges_go_leftwards_and_skip_who_has_nobody() -> None:
    riders = {"Apollonius": "1d", "Bertram": "1d", "Harald": "1d", "Egbert": "1d", "Falko": "1d"}
    board = set_up("challenge", riders, players=3)
    board.say("challenge Apollonius Egbert", dice=[1, 6])
    assert board.turn == 2
    board.say("challenge Harald Falko", dice=[6, 1])
    assert board.turn == 3
    assert board.moves == ["challenge Falko Apollonius", "challenge Falko Bertram"]
    board.say("challenge Falko Apollonius", dice=[1, 6])
    assert board.turn == 1
    board = set_up("challenge", {"Apollonius": "1d", "Bertram": "1d", "Harald": "1d", "Egbert": "1d"}, players=3)
    board.say("challenge Apollonius Harald", dice=[1, 6])
    assert board.turn == 3  # the second player has none left


def test_r13_own_knights_never_meet() -> None:
    with pytest.raises(BadInput, match="R13"):
        set_up("yield", ["Apollonius", "Bertram"], place={"attacker": "Apollonius", "defender": "Bertram"})


def test_e3_ilsa_takes_podicas_place_with_apollonius() -> None:
    """E3: two matches against three."""
    board = set_up("offer", {"Apollonius": {"favour": "Podica"}, "Harald": {}}, place={"turn": 1})
    board.say("offer Ilsa Apollonius")
    assert board.favour("Apollonius") == "Ilsa"
    assert board.state.worn_by[0] == -1


def test_e4_podica_takes_ilsas_place_with_harald() -> None:
    """E4: one match each in the French deck, and Harald ranks hair above figure."""
    board = set_up("offer", {"Apollonius": {}, "Harald": {"favour": "Ilsa"}}, deck="french", place={"turn": 1})
    board.say("offer Podica Harald")
    assert (board.phase, board.favour("Harald")) == ("offer", "Podica")
    board = set_up("offer", {"Apollonius": {}, "Harald": {"favour": "Podica"}}, deck="french", place={"turn": 1})
    board.say("offer Ilsa Harald")
    assert (board.phase, board.favour("Harald")) == ("offer", "Podica")
