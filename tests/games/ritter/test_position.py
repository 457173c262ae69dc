"""Positions: what is written down reads back as it was, and what cannot be is refused."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import numpy as np
import pytest

from analyzer.engine.chance import one_seed, open_streams
from analyzer.engine.trace import Walk
from analyzer.errors import BadInput
from analyzer.games.ritter.state import PHASES, score
from tests.games.ritter.table import GAME, set_up
from tests.tables import policies_of, random_options, table_of

# What has been counted so far, and what the phase leaves over from an earlier one: no part of a position.
COUNTED = (
    *("course", "day_winner", "rides", "offers", "rejections", "jousts", "rounds"),
    *("mounted_wins", "yields", "knockouts", "no_winner", "stalled", "playoff_duels"),
)
PASSING = {
    "asker": ("train", "yield", "name"),
    "passes": ("train", "favour", "challenge", "yield", "name", "playoff"),
    "knight": ("ride", "offer", "challenge", "yield", "name", "playoff"),
    "rival": ("train", "ride", "offer", "challenge", "yield", "name", "playoff"),
    "points": ("ride", "offer", "favour", "challenge", "yield", "name", "playoff"),
    **dict.fromkeys(("attacker", "defender", "bout", "blank", "asked"), (*PHASES[:5], "name", "playoff")),
    "tied": ("train", "ride", "offer", "favour", "challenge", "yield"),
    "bare": ("playoff",),
    **dict.fromkeys(("riding", "standing", "favour", "held", "worn_by", "offered"), ("playoff",)),
}
# Few rules make these phases frequent.
RARE: tuple[dict[str, Any], ...] = (
    {"days": 1, "day_bonus": [0], "final_bonus": 0, "wound_limit": 15},
    {"days": 2, "day_winner": "player", "day_player_counts": "knights_and_ladies", "day_winner_scope": "tournament"},
    {"days": 3, "wounded_attack": True, "offer_pass": True, "enrage_on_foot": True, "yield_before_foot": True},
    {"days": 2, "ladies": False, "day_winner_among": "standing"},
)


def differences(table: Any, s: Any, again: Any) -> list[str]:
    """Return the fields in which two states are not the same position."""
    n, phase = table.players * int(table.rules.each), PHASES[s.phase]
    found = []
    for field in s.dtype.names:
        if field in COUNTED or phase in PASSING.get(field, ()):
            continue
        ours, theirs = np.atleast_1d(s[field]), np.atleast_1d(again[field])
        if field in ("ladies", "suit") and not table.rules.ladies:
            continue
        if len(ours) > 1:  # the slots in use; who was left out lies in no order
            ours, theirs = ours[:n], theirs[:n]
        if field == "suit":
            ours, theirs = ours[:, :n], theirs[:, :n]
        if not np.array_equal(ours, theirs):
            found.append(f"{field}: {ours.tolist()} / {theirs.tolist()}")
    return found


def finished(table: Any, state: np.ndarray, policies: np.ndarray, number: int) -> tuple[list[int], list[int]]:
    """Play a position on with the luck of a numbered game; return the shares of the win and the scores."""
    walk = Walk(table, 8, number, state)
    seat, _ = walk.look()
    while seat >= 0:
        walk.play(walk.choose(policies[seat]))
        seat, _ = walk.look()
    s = walk.state
    return [int(share) for share in s.share[: table.players]], [score(table, s, i) for i in range(table.players)]


def test_every_state_of_random_games_reads_back_and_plays_on_alike() -> None:
    """R1–R29: `place` takes what `show` writes, whatever the rules and the phase, and it is the same game."""
    random, seen = Random(17), Counter()
    for trial in range(150):
        rare = trial % 5 < len(RARE)
        players = random.randint(2, 4 if rare else 10)
        options = RARE[trial % 5] if rare else random_options(GAME, random)
        if options.get("days", 4) > 3:
            options = options | {"days": 3}
        table = table_of(GAME, players, **options)
        names = ["random" if random.random() < 0.7 else random.choice(GAME.policies).name for _ in range(players)]
        policies = policies_of(GAME, names)
        walk = Walk(table, 12, trial)
        step = 0
        while True:
            seat, legal = walk.look()
            if seat < 0:
                break
            words = GAME.show(table, walk.state)
            again = GAME.place(table, words)
            where = (trial, step, words)
            assert differences(table, walk.state, again[0]) == [], where
            assert GAME.show(table, again[0]) == words, where
            other = Walk(table, 12, trial, again)
            assert other.look() == (seat, legal), where
            if random.random() < 0.02 or words["phase"] in ("name", "playoff"):
                assert finished(table, again, policies, step) == finished(table, walk.states, policies, step), where
            seen[words["phase"]] += 1
            walk.play(walk.choose(policies[seat]))
            step += 1
    assert set(seen) == set(PHASES) - {"over"}
    assert min(seen.values()) >= 10, seen


def test_a_first_morning_has_no_start_player_yet() -> None:
    """R8: without `start` he is drawn after the training, each seat as likely."""
    board = set_up("train", players=3, place={"knight": "Falko"})
    assert "start" not in board.words
    starts = Counter()
    for game in range(60):
        walk = Walk(board.table, 5, game, board.walk.states)
        open_streams(walk.chance, one_seed(5), game)
        while PHASES[walk.state.phase] == "train":
            walk.play(walk.look()[1][-1])
        starts[int(walk.state.start)] += 1
    assert set(starts) == {0, 1, 2}
    assert set_up("train", place={"start": 2}).state.start == 1


def test_in_riding_nobody_is_asked_again() -> None:
    """R9: seats from the start player to the one in turn have decided."""
    board = set_up("ride", ["Falko"], players=3, place={"start": 3, "turn": 1})
    assert board.turn == 1
    board.say("ride Apollonius")
    assert board.turn == 2
    board.say("ride none")
    assert board.phase == "offer"
    assert board.named("riding") == ["Apollonius", "Falko"]


def test_a_position_can_begin_in_the_play_off() -> None:
    """R29: the tied seats follow from the scores, picks made are told."""
    board = set_up("playoff", others={"Apollonius": {"premiums": 3}, "Dietmar": {"premiums": 3}})
    assert (board.phase, board.turn, board.words["day"]) == ("playoff", 1, 4)
    board.say("pick Bertram")
    assert board.words["seats"][0]["contender"] == "Bertram"
    assert board.turn == 2
    board.play("pick Harald")
    assert sum(board.win()) == 2520


def test_naming_follows_the_options() -> None:
    """R22: whose premiums count, and among whom."""
    riders = {"Apollonius": {"today": 2, "premiums": 2}, "Bertram": {"today": 1, "premiums": 2}}
    with pytest.raises(BadInput, match="nobody a day's winner to name"):
        set_up("name", riders)
    board = set_up("name", riders, day_winner_scope="tournament")
    assert board.moves == ["name Apollonius", "name Bertram"]


IMPOSSIBLE: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("no ladies, and yet a favour", {"phase": "challenge", "ladies": False, "favour": "Podica"}, "no ladies"),
    ("a favour before the offers", {"phase": "ride", "favour": "Podica"}, "only riders wear favours"),
    ("an asked knight outside the joust", {"phase": "yield", "asked": "Bertram"}, "not in this joust"),
    ("an unhurt knight on foot", {"phase": "yield", "unhurt": True}, "has been wounded"),
    ("training with 7 wounds", {"phase": "train", "knight": "Apollonius", "day": 2, "hurt": 7}, "no training points"),
    ("6 points before day 1", {"phase": "train", "knight": "Apollonius", "points": 6}, "1 to 2"),
    ("2 points with 3 wounds", {"phase": "train", "knight": "Apollonius", "day": 2, "points": 2, "hurt": 3}, "1 to 1"),
    ("training when out", {"phase": "train", "knight": "Apollonius", "day": 2, "hurt": 10}, "nobody trains"),
    ("a rider in training", {"phase": "train", "riding": True}, "nobody rides"),
    ("a choice without a favour", {"phase": "favour", "knight": "Apollonius", "rival": "Podica"}, "wears no favour"),
    (
        "a choice between unequal ladies",
        {"phase": "favour", "knight": "Apollonius", "favour": "Podica", "rival": "Ilsa"},
        "do not match equally well",
    ),
    ("another's turn", {"phase": "yield", "turn": 2}, "decision is that of seat 1"),
    ("naming while several stand", {"phase": "name"}, "knights of several players stand"),
    ("a play-off without a tie", {"phase": "playoff", "ahead": True}, "if seats are tied"),
    ("a play-off on day 2", {"phase": "playoff", "day": 2}, "follows the last day"),
    ("who has not decided rides", {"phase": "ride", "riding": True}, "has not said yet who rides"),
    ("offers after the last", {"phase": "offer", "all_worn": True}, "the offers are over"),
    ("lame without the rule", {"phase": "challenge", "dice_missing": 1}, "0 to 0"),
    ("blank rounds without the rule", {"phase": "yield", "blank": 1}, "enrage_on_foot"),
)


@pytest.mark.parametrize(("case", "problem"), [case[1:] for case in IMPOSSIBLE], ids=[case[0] for case in IMPOSSIBLE])
def test_impossible_positions_are_refused(case: dict[str, Any], problem: str) -> None:
    """R6–R29: each position breaks one rule and is told so."""
    phase = case["phase"]
    options = {"ladies": False} if case.get("ladies") is False else {}
    table = table_of(GAME, 2, **options)
    rides = phase in ("offer", "favour", "challenge", "yield", "name")
    wounds = case.get("hurt", 0 if case.get("unhurt") or phase == "train" else 3)
    rows = []
    for names, ladies in (
        (("Apollonius", "Bertram"), ("Podica", "Ilsa")),
        (("Harald", "Dietmar"), ("Adelheid", "Brunhild")),
    ):
        knights: dict[str, dict[str, Any]] = {}
        for i, name in enumerate(names):
            knights[name] = {"strength": f"4d1w{wounds}" if wounds else "4d1", "premiums": 3, "today": 0}
            if rides:
                knights[name]["riding"] = True
            if case.get("all_worn"):
                knights[name]["favour"] = ladies[i]
        rows.append({"knights": knights} | ({"ladies": {lady: {} for lady in ladies}} if not options else {}))
    first = rows[0]["knights"]["Apollonius"]
    first |= {key: case[key] for key in ("favour", "riding", "dice_missing") if key in case}
    if case.get("ahead"):
        first["premiums"] = 9
    position: dict[str, Any] = {"phase": phase, "seats": rows}
    if phase == "yield":
        position |= {"attacker": "Apollonius", "defender": "Harald"}
    keys = ("asked", "knight", "rival", "points", "day", "turn", "blank")
    position |= {key: case[key] for key in keys if key in case}
    with pytest.raises(BadInput, match=problem):
        GAME.place(table, position)


def test_the_comparison_can_fail() -> None:
    """Negative control: a state that differs in one field is told."""
    board = set_up("challenge", ["Apollonius", "Harald"])
    again = board.walk.states.copy()
    again[0].lamed[2] = 1
    assert differences(board.table, board.state, again[0]) == ["lamed: [0, 0, 0, 0] / [0, 0, 1, 0]"]
