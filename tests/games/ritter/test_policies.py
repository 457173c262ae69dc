"""What each policy of Ritter does, situation by situation, and that equals are told apart by lot."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from analyzer.engine.chance import new_chance, one_seed, open_streams
from analyzer.engine.jit import driver
from analyzer.engine.trace import Walk
from analyzer.games.ritter.policies import yield_chance
from tests.games.ritter.table import GAME, Board, set_up
from tests.statistical.check import agrees
from tests.tables import policies_of, table_of

NAMES = [policy.name for policy in GAME.policies]


def policy_record(name: str, **changes: Any) -> Any:
    """Return a named policy, with some parameters changed."""
    return GAME.encode_policies([GAME.parameters_of(GAME.policy_named(name)) | changes])[0]


def choices(board: Board, policy: Any, times: int = 60) -> Counter[str]:
    """Return what a policy does in a position, with the luck of so many games."""
    said: Counter[str] = Counter()
    for game in range(times):
        open_streams(board.walk.chance, one_seed(4), game)
        said[GAME.move_text(board.table, board.state, board.walk.choose(policy))] += 1
    return said


def choice(board: Board, name: str, **changes: Any) -> str:
    """Return the one thing a policy does here."""
    said = choices(board, policy_record(name, **changes))
    assert len(said) == 1, said
    return next(iter(said))


def joust(wounds: int, others: int = 1, day: int = 1, asked: str = "Apollonius", me: str = "4d") -> Board:
    riders = {"Apollonius": f"{me}w{wounds}", "Harald": f"4dw{others}"}
    named = {"attacker": "Apollonius", "defender": "Harald", "asked": asked, "day": day}
    return set_up("yield", riders, place=named)


# Yielding: each policy at the wounds at which it begins to, and one wound before.


@pytest.mark.parametrize("name", ["rulebook", "attacker", "wall", "balanced"])
def test_the_rulebooks_pupils_yield_with_seven_wounds(name: str) -> None:
    """R17: at 7, not at 6, and whatever the other's wounds."""
    for others in (1, 9):
        assert choice(joust(6, others), name) == "fight"
        assert choice(joust(7, others), name) == "yield"
    assert choice(joust(7, day=4), name) == "yield"


def test_the_cautious_yield_with_four_wounds() -> None:
    assert choice(joust(3), "cautious") == "fight"
    assert choice(joust(4), "cautious") == "yield"


def test_the_bold_never_yield() -> None:
    assert choice(joust(9), "bold") == "fight"


def test_the_calculating_yield_by_odds_and_never_on_the_last_day() -> None:
    """Two knights alike: who is hurt more has the lower odds, (10 - w)² against (10 - v)²."""
    assert choice(joust(4, 4), "calculating") == "fight"
    assert choice(joust(5, 3), "calculating") == "yield"  # 25 : 49 is 33.8%
    assert choice(joust(4, 3), "calculating") == "fight"  # 36 : 49 is 42.4%
    assert choice(joust(9, 1, day=4), "calculating") == "fight"
    assert choice(joust(9, 1), "calculating", yield_odds=0) == "fight"


def test_yield_behind_asks_for_a_difference() -> None:
    assert choice(joust(8, 6), "rulebook", yield_behind=3) == "fight"
    assert choice(joust(8, 5), "rulebook", yield_behind=3) == "yield"


@driver
def _yield_chance(rules, s, policy):
    return yield_chance(rules, s, policy)


@pytest.mark.parametrize("changes", [{}, {"whim": 30}])
@pytest.mark.parametrize("name", NAMES)
def test_the_chance_to_yield_is_the_share_of_yields(name: str, changes: Mapping[str, Any]) -> None:
    n = 400
    for wounds, others in ((1, 6), (5, 3), (7, 1), (9, 9)):
        board, policy = joust(wounds, others), policy_record(name, **changes)
        p = float(_yield_chance(board.table.rules, board.state, policy))
        assert agrees(choices(board, policy, n)["yield"], n, p), (wounds, others, p)


# Training.


def trains(name: str, strength: str, **options: Any) -> Counter[str]:
    board = set_up("train", others={"Apollonius": strength}, place={"knight": "Apollonius"}, **options)
    return choices(board, policy_record(name))


def test_the_plans_go_round_by_the_points_spent() -> None:
    """R6: Apollonius's card is 3d123, so 4d123 has one point behind him, 4d1123 two."""
    faces = {f"train Apollonius {face}" for face in (1, 2, 3)}
    feet = {f"train Apollonius {face}" for face in (4, 5, 6)}
    assert set(trains("rulebook", "3d123")) == faces
    assert set(trains("rulebook", "3d11223")) == {"train Apollonius dice"}
    assert set(trains("attacker", "3d123")) == {"train Apollonius dice"}
    assert set(trains("wall", "3d11223")) == feet
    assert set(trains("balanced", "3d123")) == {"train Apollonius dice"}
    assert set(trains("balanced", "4d123")) == faces
    assert set(trains("rulebook", "3d112233")) == {"train Apollonius dice"}  # no mounted field is free


def test_what_is_barest_is_covered_first() -> None:
    assert set(trains("rulebook", "3d223")) == {"train Apollonius 1"}


def test_the_calculating_train_what_helps_most_and_spare_the_state() -> None:
    """Six dice all round unhorse both nearly always: he covers a field on foot, one of the three."""
    board = set_up(
        "train",
        others={"Apollonius": "6d", "Harald": "6d", "Dietmar": "6d"},
        place={"knight": "Apollonius", "points": 1},
    )
    before = board.walk.states.tobytes()
    said = choices(board, policy_record("calculating"))
    assert set(said) == {f"train Apollonius {face}" for face in (4, 5, 6)}
    assert board.walk.states.tobytes() == before
    board = set_up("train", others={"Apollonius": "1d112233445566"}, place={"knight": "Apollonius", "points": 1})
    assert choice(board, "calculating") == "train Apollonius dice"


# Riding.


def test_who_rides() -> None:
    """R9: by wounds, all of them on the last day; the bold ride with any."""

    def rides(name: str, day: int) -> str:
        others = {"Apollonius": "4dw2", "Bertram": "4dw7"}
        return choice(set_up("ride", others=others, place={"day": day}), name)

    assert rides("rulebook", 1) == "ride Apollonius"
    assert rides("rulebook", 4) == "ride Apollonius Bertram"
    assert rides("bold", 1) == "ride Apollonius Bertram"
    hurt = set_up("ride", others={"Apollonius": "4dw3", "Bertram": "4dw2"})
    assert choice(hurt, "cautious") == "ride Bertram"


# Offers and favours.


def test_offers_weigh_own_strength_and_match() -> None:
    riders = {"Apollonius": "3d1", "Harald": "9d1"}
    for own, knight in ((4, "Harald"), (100, "Apollonius")):
        said = choices(set_up("offer", riders), policy_record("rulebook", offer_match=0, offer_own=own))
        assert set(said) == {f"offer Podica {knight}", f"offer Ilsa {knight}"}
    # Apollonius likes brown, plump, reserved: Ilsa is all three, Podica two
    assert choice(set_up("offer", ["Apollonius"]), "rulebook") == "offer Ilsa Apollonius"


def test_a_refusal_is_the_last_resort() -> None:
    """R11: Adelheid would be refused by Apollonius, who wears Ilsa's favour."""
    riders = {"Apollonius": {"strength": "12d", "favour": "Ilsa"}, "Harald": "1d"}
    board = set_up("offer", riders, place={"turn": 2})
    assert set(choices(board, policy_record("rulebook"))) <= {"offer Adelheid Harald", "offer Brunhild Harald"}


def test_equal_ladies_go_by_owner_then_by_premiums_then_by_lot() -> None:
    """R11: an own lady, else the one whose player has less."""
    # Falko: Adelheid and Brunhild match alike in one lady's case only; find pairs from the deck
    table = table_of(GAME, 4)
    suit = table.rules.match
    names = [knight.name.split()[0] for knight in table.deck.knights]
    ladies = [lady.name.split()[0] for lady in table.deck.ladies]
    k, a, b = next(
        (k, a, b)
        for k in range(8)
        for a in range(8)
        for b in range(a + 1, 8)
        if suit[k, a] == suit[k, b] and len({k // 2, a // 2, b // 2}) == 3
    )

    def board(premiums: int, owner_of_rival: bool = False) -> Board:
        seats = []
        order = list(range(8))
        if owner_of_rival:  # let the asked knight sit with the rival lady
            order[2 * (b // 2)], order[k] = order[k], order[2 * (b // 2)]
        for seat in range(4):
            slots = (order[2 * seat], order[2 * seat + 1])
            knights = {names[slot]: ({"favour": ladies[a]} if slot == k else {}) for slot in slots}
            held = {ladies[i]: ({"premiums": premiums} if i == a else {}) for i in (2 * seat, 2 * seat + 1)}
            seats.append({"knights": knights, "ladies": held})
        position = {"phase": "favour", "seats": seats, "knight": names[k], "rival": ladies[b]}
        return Board(table, Walk(table, 1, 0, GAME.place(table, position)))

    assert choice(board(3), "rulebook") == f"favour {ladies[b]}"
    assert choice(board(0, owner_of_rival=True), "rulebook") == f"favour {ladies[b]}"
    assert set(choices(board(0), policy_record("rulebook"))) == {f"favour {ladies[a]}", f"favour {ladies[b]}"}


# Challenges, the day's winner, the play-off.


def test_whom_each_policy_challenges() -> None:
    """R13: the weak, the leader's knight, or the one whom the odds favour most."""
    riders = {
        "Apollonius": "5d12",
        "Harald": {"strength": "3d1", "premiums": 0},
        "Egbert": {"strength": "7d1122", "premiums": 9},
    }
    board = set_up("challenge", riders, players=3)
    for name in ("rulebook", "attacker", "wall", "balanced", "cautious"):
        assert choice(board, name) == "challenge Apollonius Harald"
    assert choice(board, "bold") == "challenge Apollonius Egbert"
    assert choice(board, "calculating", challenge_leader=0) == "challenge Apollonius Harald"


def test_the_winner_named_wears_an_own_favour() -> None:
    """R22: his bonus counts twice."""
    today = {"today": 1, "premiums": 1}
    riders = {"Apollonius": today | {"favour": "Adelheid"}, "Bertram": today | {"favour": "Podica"}}
    assert choice(set_up("name", riders), "rulebook") == "name Bertram"


def test_the_strongest_goes_into_the_play_off() -> None:
    """R29."""
    assert choice(set_up("playoff", others={"Apollonius": "4d", "Bertram": "4d11w1"}), "rulebook") == "pick Bertram"


# Lots.


def equals() -> list[tuple[str, Board, str, set[str]]]:
    """Return situations with equals: what they are, the position, the policy, the choices alike."""
    alike = {"Apollonius": "4d", "Bertram": "4d", "Harald": "4d", "Dietmar": "4d"}
    today = {"strength": "4d", "today": 1, "premiums": 1}
    faces = {f"train Apollonius {face}" for face in (1, 2, 3)}
    return [
        ("a face", set_up("train", others={"Apollonius": "3d"}, place={"knight": "Apollonius"}), "wall", faces),
        (
            "a face by odds",
            set_up("train", others=dict.fromkeys(alike, "6d"), place={"knight": "Apollonius", "points": 1}),
            "calculating",
            {f"train Apollonius {face}" for face in (4, 5, 6)},
        ),
        (
            "a challenge",
            set_up("challenge", alike),
            "rulebook",
            {f"challenge {a} {d}" for a in ("Apollonius", "Bertram") for d in ("Harald", "Dietmar")},
        ),
        (
            "a challenge by odds",
            set_up("challenge", alike),
            "calculating",
            {f"challenge {a} {d}" for a in ("Apollonius", "Bertram") for d in ("Harald", "Dietmar")},
        ),
        ("the day's winner", set_up("name", {"Apollonius": today, "Bertram": today}), "bold",
         {"name Apollonius", "name Bertram"}),
        ("a play-off", set_up("playoff", others=alike), "rulebook", {"pick Apollonius", "pick Bertram"}),
    ]  # fmt: skip


@pytest.mark.parametrize(("board", "name", "alike"), [e[1:] for e in equals()], ids=[e[0] for e in equals()])
def test_equals_are_told_apart_by_lot(board: Board, name: str, alike: set[str]) -> None:
    n = 1500
    said = choices(board, policy_record(name), n)
    assert set(said) == alike
    assert all(agrees(count, n, 1 / len(alike)) for count in said.values()), said


def test_equal_offers_are_told_apart_by_lot() -> None:
    """R10: four knights alike, two ladies: weights of strength alone leave eight equal offers."""
    board = set_up("offer", dict.fromkeys(("Apollonius", "Bertram", "Harald", "Dietmar"), "4d"))
    n = 3000
    said = choices(board, policy_record("rulebook", offer_own=0, offer_match=0), n)
    assert len(said) == 8
    assert all(agrees(count, n, 1 / 8) for count in said.values()), said


@pytest.mark.parametrize("name", NAMES)
def test_choosing_writes_nothing(name: str) -> None:
    """The state is the same after a choice, in every phase of many games."""
    table = table_of(GAME, 4, offer_pass=True)
    policies = policies_of(GAME, [name] * 4)
    for game in range(3):
        walk = Walk(table, 3, game)
        seat, _ = walk.look()
        while seat >= 0:
            before = walk.states.tobytes()
            move = walk.choose(policies[seat])
            assert walk.states.tobytes() == before
            walk.play(move)
            seat, _ = walk.look()


def test_a_lot_takes_no_luck_from_the_dice() -> None:
    """Whims have a stream of their own: what a policy draws leaves deal and dice where they were."""
    board, chance = set_up("challenge", ["Apollonius", "Harald", "Dietmar"]), new_chance()
    open_streams(chance, one_seed(4), 0)
    open_streams(board.walk.chance, one_seed(4), 0)
    board.walk.choose(policy_record("rulebook"))
    assert np.array_equal(board.walk.chance.at[:2], chance.at[:2])
    assert board.walk.chance.at[2] != chance.at[2]
