"""The exact chain and the die-by-die kernel tell the same story (R14–R20a)."""

from __future__ import annotations

from random import Random

from tests.statistical.check import false_alarm, visible
from tests.statistical.jousts import disagreements, random_case

JOUSTS = 10_000_000


def test_sixty_random_pairs_and_options_agree():
    random, comparisons = Random(5), 0
    for i in range(60):
        case = random_case(random)
        n, wrong = disagreements(case.solve(), case.fight(i, JOUSTS))
        comparisons += n
        assert not wrong, (case, wrong)
    assert false_alarm(comparisons) < 0.005
    assert visible(JOUSTS, 0.5) < 0.001


def test_the_comparison_can_fail():
    """Negative control: one cover less on one face is found."""
    case = random_case(Random(9))
    case = case._replace(yields=(99, 99), options=case.options | {"max_rounds": 200, "wound_limit": 10})
    rider = case.attacker._replace(dice=4, cover=(1, 1, 0, 0, 0, 1))
    exact = case._replace(attacker=rider).solve()
    barer = rider._replace(cover=(1, 1, 0, 0, 0, 0))
    assert not disagreements(exact, case._replace(attacker=rider).fight(1, JOUSTS))[1]
    assert disagreements(exact, case._replace(attacker=barer).fight(1, JOUSTS))[1]
