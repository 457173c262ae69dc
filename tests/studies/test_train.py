"""Training: every allocation, orders that are followed, and a race whose outcome is known."""

from __future__ import annotations

from itertools import combinations_with_replacement, product

import numpy as np
import pytest

from analyzer.engine.run import in_blocks, play_chunk, win_and_score
from analyzer.errors import BadInput
from analyzer.games.ritter.cards import short
from analyzer.games.ritter.joust import Rider
from analyzer.games.ritter.rider import read_rider, trained
from analyzer.games.ritter.season import make_orders, play_ordered
from analyzer.games.ritter.studies import training
from analyzer.games.ritter.studies.entrants import plain_scenario, ritter_scenario
from analyzer.games.ritter.studies.plans import (
    KINDS,
    SIMPLE_PLANS,
    candidate_plans,
    final_plans,
    plan_days,
    simple_plan,
)
from analyzer.games.ritter.studies.train import plan as most_tournaments
from analyzer.games.ritter.studies.train import train
from analyzer.games.ritter.studies.training import with_knight
from analyzer.reporting.document import document
from analyzer.reporting.page import picture

PLAIN = plain_scenario()
SHORT = plain_scenario(["days=2"])
BRIEF = plain_scenario(["days=1"])


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
    free = play_ordered(PLAIN.table, PLAIN.policies, make_orders(), 9, 0, 200)
    assert np.array_equal(followed[:3], free[:3])


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
    bare = Rider(1, (0,) * 6)
    plans = candidate_plans(PLAIN.table.rules, bare, (2, 2, 2, 2))
    # six ways a day, less the plans with seven or eight covers of a part, which has six fields
    playable = [
        plan
        for plan in product(combinations_with_replacement(KINDS, 2), repeat=4)
        if all(sum(day.count(part) for day in plan) <= 6 for part in ("mounted", "foot"))
    ]
    assert len(plans) == len(set(plans)) == len(playable)
    assert plan_days(plain_scenario(["days=1"]).table) == (2,)
    assert sum(plan_days(plain_scenario(["days=10"]).table)) == 8


@pytest.mark.parametrize(
    ("knight", "rules"), [("3d123", []), ("11d112233", []), ("2d1122334455", ["max_dice=3"]), ("12d11223344556", [])]
)
def test_every_plan_can_be_followed_to_the_end(knight, rules):
    """R6, R7: no plan asks for a cover without a field or a die beyond the cap, and none stands twice."""
    scenario = plain_scenario(rules)
    table = scenario.table
    rider = read_rider(table.deck, table.rules, knight)
    by_day = plan_days(table)
    plans = candidate_plans(table.rules, rider, by_day)
    simple = {name: simple_plan(table.rules, rider, cycle, sum(by_day)) for name, cycle in SIMPLE_PLANS.items()}
    room = int(table.rules.max_dice) - rider.dice + 12 - sum(rider.cover)
    for plan in (*plans, *simple.values()):
        trained(table.rules, rider, plan)  # raises where a point cannot be bought
    assert {len(plan) for plan in plans} == {min(room, sum(by_day))}
    final = final_plans(plans[:4], simple, by_day)
    assert len({tuple(tuple(sorted(plan[i : i + 2])) for i in range(0, 8, 2)) for _, plan in final}) == len(final)
    assert {name for names, _ in final for name in names.split(", ")} >= set(SIMPLE_PLANS)


def test_points_that_cannot_be_bought_are_counted():
    """R6: without chips a plan of covers is left to the policy, and the sums say so."""
    poor = plain_scenario(["training_chips=0"])
    plan = ["mounted", "mounted"]
    assert play_ordered(poor.table, poor.policies, make_orders(plan=plan), 9, 0, 100)[3] == 200
    assert play_ordered(PLAIN.table, PLAIN.policies, make_orders(0, plan), 9, 0, 100)[3] == 0


def test_every_training_of_apollonius_is_ranked(apollonius):
    """E5: 25 ways that make seven kinds of knight; clearly worse ones stop early."""
    table = apollonius["allocations"]
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
    plans = apollonius["plans"]
    names = {name for names in plans["plan"] for name in names.split(", ")}
    assert {"all dice", "all mounted", "the rulebook's tip", "alternate"} <= names
    assert len(plans) <= 8
    assert all(len(points.split()) == 4 for points in plans["points"])
    assert apollonius.finding.startswith("Apollonius trains ")
    assert document(apollonius)["tables"]["allocations"][0]["verdict"] == "best"
    assert apollonius.n_games <= most_tournaments(SHORT, "Apollonius", games=5_000)


def test_results_do_not_depend_on_threads(apollonius):
    again = train(SHORT, "Apollonius", games=5_000, seed=4, threads=1)
    assert again["allocations"].equals(apollonius["allocations"])
    assert again["plans"].equals(apollonius["plans"])


@pytest.fixture(scope="module")
def every_knight():
    return train(BRIEF, games=5_000, seed=4)


def test_all_knights_stand_in_one_answer(every_knight):
    alone = train(BRIEF, "Harald", games=5_000, seed=4)
    names = [short(card.name) for card in BRIEF.table.deck.knights]
    assert list(every_knight["knights"]["knight"]) == names
    for key in ("allocations", "plans"):
        table = every_knight[key]
        assert list(dict.fromkeys(table["knight"])) == names
        mine = table[table["knight"] == "Harald"].drop(columns="knight").reset_index(drop=True)
        assert mine.equals(alone[key])
    line = every_knight["knights"].set_index("knight").loc["Harald"]
    best, tip = alone["plans"].iloc[0], alone["plans"].query('plan.str.contains("tip")').iloc[0]
    assert (line.plan, line.plan_win, line.plan_win_low) == (best.points, best.win, best.win_low)
    assert (line.tip_behind, line.tip_behind_high) == (tip.behind, tip.behind_high)
    odds = every_knight["field"].set_index("knight")
    assert odds["Harald"].isna().tolist() == [name == "Harald" for name in odds.index]
    assert len(odds) == len(every_knight["allocations"])


def test_all_charts_of_one_knight_and_of_all_can_be_drawn(apollonius, every_knight):
    drawn = [table.key for answer in (apollonius, every_knight) for table in answer.tables if table.chart]
    assert drawn == ["allocations", "field", "plans", "knights", "field", "plans"]
    for answer in (apollonius, every_knight):
        assert all(picture(table).startswith(b"\x89PNG") for table in answer.tables if table.chart)


class Interruption:
    """A run that is interrupted after so many blocks of games."""

    def __init__(self, monkeypatch, blocks):
        self.left = blocks
        monkeypatch.setattr(training, "in_blocks", self.play)

    def play(self, play, candidates, first, blocks, block, **others):
        if self.left < len(candidates) * blocks:
            raise KeyboardInterrupt
        self.left -= len(candidates) * blocks
        return in_blocks(play, candidates, first, blocks, block, **others)


def test_an_interruption_leaves_the_stages_that_were_played_whole(monkeypatch, apollonius):
    Interruption(monkeypatch, 7 * 16)
    found = train(SHORT, "Apollonius", games=5_000, seed=4)
    assert found.interrupted
    assert found.n_games == 7 * 16 * 256
    assert list(found["allocations"]["games"]) == [16 * 256] * 7
    assert [table.key for table in found.tables] == ["allocations", "field"]
    assert "not reached" in found.finding
    assert "It was interrupted" in found.method
    Interruption(monkeypatch, apollonius.n_games // 256 - 1)
    found = train(SHORT, "Apollonius", games=5_000, seed=4)
    assert found.interrupted
    assert found["allocations"].equals(apollonius["allocations"])
    assert set(found["plans"]["games"]) == {16 * 256}


def test_an_interruption_leaves_the_knights_before(monkeypatch, every_knight):
    whole = train(BRIEF, "Apollonius", games=5_000, seed=4)
    Interruption(monkeypatch, whole.n_games // 256 + 50)
    found = train(BRIEF, games=5_000, seed=4)
    assert found.interrupted
    assert found["knights"].equals(every_knight["knights"].head(1))
    assert found.n_games == whole.n_games
    Interruption(monkeypatch, 16)
    with pytest.raises(KeyboardInterrupt):
        train(BRIEF, games=5_000, seed=4)


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
