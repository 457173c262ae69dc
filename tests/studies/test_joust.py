"""The exact joust against enumeration in whole numbers, and what its answer must look like."""

from __future__ import annotations

import time
from random import Random

import numpy as np
import pytest

from analyzer.answer import Answer
from analyzer.ask import ask
from analyzer.catalogue import STUDIES
from analyzer.errors import BadInput
from analyzer.games.ritter.cards import read_knight
from analyzer.games.ritter.joust import NEVER, Rider, solve, wound_odds
from analyzer.games.ritter.rider import read_points, read_rider, trained, trainings, write_rider
from analyzer.games.ritter.studies.entrants import plain_scenario, read_entrant
from analyzer.games.ritter.studies.joust import WINNERS, Joust, joust
from analyzer.reporting.document import document
from tests.reference.joust import attack_rolls
from tests.reference.joust import joust as enumerated
from tests.statistical.jousts import random_case

PLAIN = plain_scenario()


def field(**options) -> Answer:
    return ask(STUDIES["joust"], field=True, **options).answer()


@pytest.mark.parametrize("seed", range(40))
def test_r14_to_r20a_equal_enumeration_of_all_rolls(seed):
    """Up to three dice a side, all options, exact rationals to 1e-12."""
    case = random_case(Random(seed), most_dice=3, longest=30)
    truth = enumerated(case.attacker, case.defender, case.options, *case.yields)
    assert sum(truth.values()) == 1
    ends = case.solve()
    found = {
        (WINNERS[w], int(a), int(d)): ends.by_wounds[w, a, d]
        for w, a, d in np.argwhere(ends.by_wounds > 0)
        if ends.by_wounds[w, a, d] > 1e-13
    }
    assert all(abs(found.get(key, 0.0) - float(p)) < 1e-12 for key, p in truth.items())
    assert all(key in truth for key in found)


@pytest.mark.parametrize("n_dice", range(8))
def test_r14_wounds_of_an_attack_equal_enumeration(n_dice):
    """All covers, up to seven dice; the order of the faces does not matter."""
    for cover in [(a, b, c) for a in range(3) for b in range(a, 3) for c in range(b, 3)]:
        rolls = attack_rolls(n_dice, (*cover, 0, 0, 0), 1) if n_dice < 7 else _by_faces(n_dice, cover)
        exact = wound_odds(n_dice, cover)
        assert all(abs(exact[w] - rolls[w] / 6**n_dice) < 1e-15 for w in range(n_dice + 1))


def _by_faces(n_dice, cover):
    """All 6**n rolls as an array: how often each hitting face shows."""
    counts = np.zeros((3, 1), np.int8)
    for _ in range(n_dice):
        counts = np.concatenate([counts + np.eye(3, 4, dtype=np.int8)[:, [f]] for f in (0, 1, 2, 3, 3, 3)], axis=1)
    wounds = np.maximum(0, counts - np.array(cover)[:, None]).sum(axis=0)
    return np.bincount(wounds, minlength=n_dice + 1)


def test_chances_sum_to_one_and_are_solved_in_no_time():
    rules, random = PLAIN.table.rules, Random(3)
    solve(rules, Rider(1, (0,) * 6), Rider(1, (0,) * 6))
    slowest = 0.0
    for _ in range(200):
        a, d = (Rider(random.randint(1, 12), tuple(random.randint(0, 2) for _ in range(6))) for _ in range(2))
        began = time.process_time()
        ends = solve(rules, a, d)
        slowest = max(slowest, time.process_time() - began)
        assert abs(ends.winner.sum() - 1) < 1e-12
        assert abs(ends.rounds) <= 200
    assert slowest < 0.2  # about 2 ms; generous for a busy machine


def test_r16_r26_wounds_cost_dice_where_the_rules_say_so():
    rules = plain_scenario(["wounded_attack=true"]).table.rules
    hurt, fewer = Rider(5, (0,) * 6, 4), Rider(4, (0,) * 6, 4)
    other = Rider(3, (1,) * 6)
    assert np.array_equal(solve(rules, hurt, other).winner, solve(PLAIN.table.rules, fewer, other).winner)


def test_r20a_knights_who_cannot_hurt_each_other_stall():
    wall = Rider(1, (2,) * 6)  # two dice when enraged
    ends = solve(PLAIN.table.rules, wall, wall)
    assert ends.winner.tolist() == [0, 0, 1]
    assert ends.stalled == 1
    assert ends.rounds == 200


def test_yielding_at_once_after_the_first_round_on_foot():
    """R18: both want to yield; who speaks first has lost."""
    bare = Rider(12, (0,) * 6)
    for order, loser in (("attacker_first", 0), ("defender_first", 1)):
        scenario = plain_scenario(["wound_limit=60", "yield_before_foot=true", f"yield_order={order}"])
        entrants = [read_entrant(scenario, write_rider(bare), yields_at="0") for _ in range(2)]
        win = joust(Joust(scenario, *entrants), games=1000)["odds"]["exact"]
        assert win[loser] < 0.001
        assert win[1 - loser] > 0.99


def test_the_answer_as_a_document():
    knights = [read_entrant(PLAIN, "3d123"), read_entrant(PLAIN, "Harald", "dice", "7")]
    found = document(joust(Joust(PLAIN, *knights), games=100_000))
    odds = {row["outcome"]: row for row in found["tables"]["odds"]}
    exact = dict(
        zip(WINNERS, (odds[f"{who} wins"]["exact"] for who in ("attacker", "defender", "nobody")), strict=True)
    )
    wounds = found["tables"]["wounds"]
    assert abs(sum(exact.values()) - 1) < 1e-12
    assert abs(sum(row["p"] for row in wounds) - 1) < 1e-12
    for winner, p in exact.items():
        assert abs(sum(row["p"] for row in wounds if row["winner"] == winner) - p) < 1e-12
    assert (found["games"], found["seed"]) == (100_000, 1)
    assert found["facts"]["defender"] == {"knight": "Harald (6d1)", "yields_at": "7"}
    for row in (*odds.values(), *found["tables"]["rounds"]):
        assert abs(row["z"]) < 4.5
        assert row["simulated"]["low"] <= row["simulated"]["estimate"] <= row["simulated"]["high"]


def test_a_joust_that_is_interrupted_tells_what_was_fought():
    """Ctrl-C leaves the exact odds, and the jousts fought until then: the very first of those asked for."""
    knights = [read_entrant(PLAIN, "3d123"), read_entrant(PLAIN, "5d1")]

    def stop(fought):
        raise KeyboardInterrupt

    cut = joust(Joust(PLAIN, *knights), games=1_000_000, threads=1, progress=stop)
    assert cut.interrupted
    assert 0 < cut.n_games < 1_000_000
    assert "It was interrupted" in cut.method
    whole = joust(Joust(PLAIN, *knights), games=cut.n_games)
    assert not whole.interrupted
    for key in ("odds", "rounds", "wounds"):
        assert cut[key].equals(whole[key])


def test_the_field_is_not_equal_and_says_so():
    answer = field()
    matrix, mean = answer["field"].set_index("attacker"), answer["knights"]["mean"]
    assert matrix.shape == (10, 10)
    assert matrix.loc["Apollonius", "Harald"] == pytest.approx(0.40695909, abs=1e-8)
    assert answer.finding.startswith("Not equal within ±2 points")
    assert answer.facts["spread"] == pytest.approx(mean.max() - mean.min())
    assert dict(answer.verdicts) == {"equal knights": "violated"}
    assert field(margin=0.5).finding.startswith("Equal within")
    assert answer.n_games == 0


def test_the_field_names_all_who_are_best_alike():
    """Trained so, Bertram and Lothar are the same knight: neither wins more than the other."""
    finding = field(train="mounted,dice").finding
    assert "Bertram (5d123) and Lothar (5d123) win 51.3% of the jousts" in finding
    assert field(train="mounted", rule=["max_dice=1"], margin=1.0).finding.count("jousts") == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("9x", "not a knight"),
        ("3d127", "no face 7"),
        ("3d111", "covered 3 times"),
        ("0d1", "at least 1 die"),
        ("3d1w10", "is out"),
        ("13d1", "at most 12 dice"),
        ("Apolonius", "did you mean 'Apollonius'"),
        ("", "not a knight"),
    ],
)
def test_bad_knights_are_refused_in_one_line(text, said):
    with pytest.raises(BadInput, match=said) as error:
        read_rider(PLAIN.table.deck, PLAIN.table.rules, text)
    assert "\n" not in str(error.value)


def test_r6_trainings_of_apollonius():
    """E5: two dice, a die and a cover, two covers; no third cover on a face."""
    rules, apollonius = PLAIN.table.rules, Rider(*read_knight("3d123"))
    ways = {points: write_rider(rider) for points, rider in trainings(rules, apollonius, 2)}
    assert ways["dice", "dice"] == "5d123"
    assert ways["dice", "1"] == "4d1123"
    assert ways["4", "4"] == "3d12344"
    assert ("1", "1") not in ways
    assert len(ways) == 28 - 3
    assert write_rider(trained(rules, apollonius, read_points("mounted foot, dice"))) == "4d11234"
    with pytest.raises(BadInput, match="both fields of 1"):
        trained(rules, apollonius, ("1", "1"))


def test_thresholds_beyond_the_limit_are_never():
    scenario = plain_scenario()
    never = joust(Joust(scenario, *(read_entrant(scenario, "4d12") for _ in range(2))), games=10)
    assert NEVER > 100
    late = joust(Joust(scenario, *(read_entrant(scenario, "4d12", yields_at="10") for _ in range(2))), games=10)
    assert never["wounds"].equals(late["wounds"])


def test_r7_a_card_is_cut_to_the_cap_as_in_tournaments():
    """R7: Harald's five dice become three; a knight written by hand with five is refused."""
    scenario = plain_scenario(["max_dice=3"])
    assert read_entrant(scenario, "Harald").rider.dice == 3
    assert field(rule=["max_dice=3"])["knights"]["strength"].str.match("[123]d").all()
    with pytest.raises(BadInput, match="at most 3 dice"):
        read_entrant(scenario, "5d1")
