"""Training: every allocation, orders that are followed, and a race whose outcome is known."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.engine.run import play_chunk, win_and_score
from analyzer.errors import BadInput
from analyzer.games.ritter.rider import read_rider
from analyzer.games.ritter.season import make_orders, play_ordered
from analyzer.studies.joust import plain_scenario, ritter_scenario
from analyzer.studies.train import as_json, candidate_plans, plan_days, summary, train, with_knight

PLAIN = plain_scenario()
SHORT = plain_scenario(["days=2"])


@pytest.fixture(scope="module")
def apollonius():
    return train(SHORT, "Apollonius", games=5_000, seed=4)


def test_without_orders_the_games_are_the_policies_own():
    for rotate in (True, False):
        free = play_ordered(PLAIN.table, PLAIN.policies, make_orders(), 9, 5, 300, rotate)
        tally = play_chunk(PLAIN.table, PLAIN.policies, 9, 5, 300, rotate=rotate)
        assert np.array_equal(free[:2], win_and_score(tally, 0))


def test_orders_of_the_rulebook_change_nothing():
    """The plan that the policy follows anyway, for whatever knight is dealt."""
    plan = ["mounted", "mounted", "dice"] * 4
    followed = play_ordered(PLAIN.table, PLAIN.policies, make_orders(plan=plan), 9, 0, 200)
    assert np.array_equal(followed, play_ordered(PLAIN.table, PLAIN.policies, make_orders(), 9, 0, 200))


def test_the_knight_asked_for_is_always_there():
    """Premiums of a knight without dice to speak of, among nine strong ones, are few; of a giant many."""
    weak, giant = with_knight(PLAIN, "1d"), with_knight(PLAIN, "12d112233445566")
    premiums = []
    for scenario, card in (weak, giant):
        assert card == 10
        premiums.append(play_ordered(scenario.table, scenario.policies, make_orders(card), 1, 0, 400)[2] / 400)
    assert premiums[0] < 1.5
    assert premiums[1] > 15


def test_a_season_plan_has_two_points_a_day():
    assert plan_days(PLAIN.table) == (2, 2, 2, 2)
    plans = candidate_plans((2, 2, 2, 2))
    assert len(plans) == len(set(plans)) == 6**4
    assert plan_days(plain_scenario(["days=1"]).table) == (2,)
    assert sum(plan_days(plain_scenario(["days=10"]).table)) == 8


def test_every_training_of_apollonius_is_ranked(apollonius):
    """E5: 25 ways that make seven kinds of knight; clearly worse ones stop early."""
    table = apollonius.allocations
    ways = sum(1 + len([w for w in row.also.split(", ") if w]) for row in table.itertuples())
    assert ways == 25
    assert len(table) == 7
    assert table["odds_rank"].min() == 1
    assert table.loc[table["verdict"] == "best"].index.tolist() == [0]
    assert set(table["verdict"]) <= {"best", "not told from the best", "worse"}
    assert table.loc[table["strength"] == "3d12344", "verdict"].item() == "worse"
    assert (table["win_low"] < table["win"]).all()
    assert (table["games"] <= 5_120).all()


def test_plans_are_compared_with_the_simple_rules(apollonius):
    plans = apollonius.plans
    assert {"all dice", "all mounted", "the rulebook's tip", "alternate"} <= set(plans["plan"])
    assert len(plans) <= 8
    assert all(len(points.split()) == 4 for points in plans["points"])
    assert apollonius.finding.startswith("Apollonius trains ")
    assert as_json(apollonius)["allocations"][0]["verdict"] == "best"
    assert len(summary([apollonius])) == 1


def test_results_do_not_depend_on_threads(apollonius):
    again = train(SHORT, "Apollonius", games=5_000, seed=4, threads=1)
    assert again.allocations.equals(apollonius.allocations)
    assert again.plans.equals(apollonius.plans)


def test_exact_odds_of_mirrored_opponents():
    """A knight against one who is his twin has the same odds as the twin."""
    scenario, card = with_knight(PLAIN, "5d1")
    assert read_rider(scenario.table.deck, scenario.table.rules, "5d1") == read_rider(
        PLAIN.table.deck, PLAIN.table.rules, "Harald"
    )
    assert scenario.table.deck.knights[card].origin == "own"
    assert len(PLAIN.table.deck.knights) == 10


def test_bad_questions_are_refused():
    with pytest.raises(BadInput, match="without wounds"):
        with_knight(PLAIN, "3d1w2")
    with pytest.raises(BadInput, match="exclude each other"):
        ritter_scenario("ritter/four-players", ["days=2"])
    with pytest.raises(BadInput, match="cannot spend"):
        train(plain_scenario(["max_dice=1", "training_points=1"]), "1d112233445566", games=5_000)
