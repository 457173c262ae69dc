"""Every headline number on a race whose value is known by enumeration."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from analyzer.engine.tally import WHOLE_WIN
from analyzer.stats import course as stats
from analyzer.stats.intervals import Method
from analyzer.studies.balance import balance, play_sums
from analyzer.studies.metrics import metrics_of
from analyzer.studies.until import Until
from tests.statistical.check import Z
from tests.toy import every_course, race

CHANCES = (0.6, 0.5, 0.5)
GAMES = 300_000


def exact_numbers(rounds, chances):
    """Return the expected value of each number, from the definitions written out game by game."""
    total = {}
    for p, course in every_course(rounds, chances):
        last = course[-1]
        winners = [i for i in range(len(chances)) if last[i] == max(last)]
        leaders = [{i for i in range(len(chances)) if row[i] == max(row)} for row in course]
        half = (rounds + 1) // 2 - 1
        ordered = sorted(last)

        def known_from(w, leaders=leaders):
            c = rounds
            while c > 0 and leaders[c - 1] == {w}:
                c -= 1
            return c + 1

        values = {
            "place.1": (0 in winners) / len(winners),
            "ties": len(winners) > 1,
            "margin": ordered[-1] - ordered[-2],
            "lead_changes": sum(not a & b for a, b in pairwise(leaders)),
            "drama": min(max([0, *(max(row) - row[w] for row in course[:-1])]) for w in winners),
            "certainty": min(known_from(w) for w in winners),
            "comeback": sum(w not in leaders[half] for w in winners) / len(winners),
        }
        for key, value in values.items():
            total[key] = total.get(key, 0.0) + p * value
    return total


def test_headline_numbers_equal_enumeration():
    """7 comparisons at 4.5 standard errors: a false alarm in 20,000 runs."""
    rounds = 4
    scenario = race(("random",) * 3, pace=50, edge=10, rounds=rounds)
    sums = play_sums(scenario, Until(GAMES), {}, seed=3).result
    exact = exact_numbers(rounds, CHANCES)
    found = dict(zip([m.key for m in metrics_of(scenario)], sums.moments.estimates(Method(), 1), strict=True))
    scale = {m.key: m.scale for m in metrics_of(scenario)}
    for key, value in exact.items():
        mean, low, _ = (v * scale[key] for v in found[key])
        error = (mean - low) / 1.959964
        assert abs(mean - value) <= Z * error, (key, mean, value)
    assert exact["drama"] > 0.1  # steps of one pass through a tie, so that only the lead never changes hands


def test_the_course_of_one_game():
    """The second player is 2 behind, overtakes at the third checkpoint, and stays ahead."""
    course = np.array([[[1, 1, 0], [3, 1, 2], [3, 5, 2], [4, 6, 6], [4, 8, 7]]])
    lead, win = stats.leads(course), np.array([[0, WHOLE_WIN, 0]])
    assert stats.lead_changes(lead).tolist() == [1]
    assert stats.drama(lead, win).tolist() == [2]
    assert stats.certainty(lead, win).tolist() == [5]
    for played, from_behind in ((3, WHOLE_WIN), (4, WHOLE_WIN), (5, 0)):  # half-time is checkpoint 2, 2, 3
        then = stats.at_half_time(lead, np.array([played]))
        assert stats.won_from_behind(then, win).tolist() == [from_behind]
    assert stats.margin(course[:, -1]).tolist() == [1]
    nobody = np.zeros((1, 3), int)
    assert (stats.drama(lead, nobody).tolist(), stats.certainty(lead, nobody).tolist()) == ([0], [6])


def test_leads():
    course = np.array([[[3, 1, 1], [2, 5, 5]]])
    assert stats.leads(course).tolist() == [[[2, -2, -2], [-3, 0, 0]]]


def test_a_lead_that_brings_nothing_has_no_slope():
    sums = play_sums(race(rounds=4), Until(GAMES), {}, seed=4).result
    found = stats.snowball(sums.course, -1, Method(confidence=1 - 6.8e-6))
    assert found.low < 0 < found.high
    assert found.half_width < 0.02


def test_a_snowball_has_the_slope_it_was_given():
    """Each step of lead adds 4 percent, so 0.04 steps a round."""
    sums = play_sums(race(rounds=4, snow=4), Until(GAMES), {}, seed=5).result
    found = stats.snowball(sums.course, -1, Method(confidence=1 - 6.8e-6))
    assert found.low < 0.04 < found.high
    assert found.low > 0.02


def test_games_that_are_over_do_not_dilute_a_snowball():
    """A point of lead brings a point in the second round; the third is never played."""
    course = np.array([[[k, 0], [2 * k, 0], [2 * k, 0]] for k in (0, 1)] * 64)
    win = np.zeros((len(course), 2), int)
    slopes = []
    for played in (2, 3):
        sums = stats.course_of(course, stats.leads(course), win, np.full(len(course), played))
        slopes.append(stats.snowball(sums, -1, Method()).estimate)
    assert slopes[0] == pytest.approx(0.5)  # x is the lead over the other, who gains nothing
    assert slopes[1] < 0.25


def test_a_better_player_is_no_snowball():
    sums = play_sums(race(("random", "fast"), rounds=4), Until(GAMES), {}, seed=6).result
    found = stats.snowball(sums.course, -1, Method(confidence=1 - 6.8e-6))
    assert found.low < 0 < found.high


def test_the_winner_is_known_when_the_last_step_is_taken():
    sums = play_sums(race(rounds=3), Until(GAMES), {}, seed=7).result
    known = [stats.known(c / np.array([1, WHOLE_WIN]), 2).share for c in sums.course.standing]
    assert known[0] < known[1] < known[2]
    tied = sum(p for p, c in every_course(3, (0.5, 0.5)) if c[-1, 0] == c[-1, 1])
    assert known[2] == pytest.approx(1 - tied, abs=0.01)  # a shared win stays a coin flip for each


def _line(answer, key):
    return answer["lines"].set_index("key").loc[key, "estimate"]


def test_seats_and_policies_have_their_part():
    """One certain step against none: who sits first wins always, and the seat explains everything."""
    result = balance(race(pace=0, edge=100, rounds=1), games=4_000)
    luck = result["luck"].set_index("part")["share"]
    assert luck["seat"] == pytest.approx(1, abs=1e-9)
    assert luck["policy"] == pytest.approx(0, abs=1e-9)
    assert _line(result, "first_player") == 1


def test_dead_decisions_are_counted():
    """In the first round there is one option, later there are two."""
    assert _line(balance(race(rounds=4), games=2_000), "dead") == 0.25


def test_the_ladder_ends_with_the_best():
    ladder = balance(race(rounds=3), games=20_000)["ladder"]
    assert ladder["policy"].tolist() == ["random", "fast"]
    assert ladder["win"].iloc[0] == pytest.approx(0.5, abs=0.03)
    assert ladder["win"].iloc[1] > 0.55
