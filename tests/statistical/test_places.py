"""Seats that the rules of Ritter treat alike win alike (R8: the start player is drawn)."""

from __future__ import annotations

import numpy as np
import pytest

from analyzer.engine.chance import one_seed
from analyzer.engine.run import Play, play_games, reduce_games
from analyzer.engine.tally import WHOLE_WIN
from analyzer.engine.trace import watch
from analyzer.games import GAMES
from analyzer.scenarios import find_scenario, load_scenario
from tests.statistical.check import agrees, false_alarm, visible
from tests.tables import policies_of, table_of

RITTER = GAMES["ritter"]
N = 24_000


def wins(table, policies, seed, games=N):
    """Return the games won by each seat, shared ones in part."""
    tally = play_games(table, policies, seed, games, rotate=False).tally
    return np.rint(tally.win[:, :, 0].sum(axis=1) / WHOLE_WIN).astype(int)


def alike(counts, games=N):
    """Say whether all seats could win one game in n. A shared win makes the true spread a little smaller."""
    return all(agrees(int(count), games, 1 / len(counts)) for count in counts)


def test_every_place_of_the_even_table_wins_alike():
    scenario = load_scenario(find_scenario("ritter/even-table"))
    counts = wins(scenario.table, scenario.policies, 101)
    assert alike(counts), counts
    assert false_alarm(len(counts)) < 1e-4
    assert visible(N, 0.25) < 0.02


@pytest.mark.parametrize("name", ["bold", "cautious"])
def test_so_do_five_and_ten_players_of_other_policies(name):
    """Not those who train by what the others have trained: training goes by seats (R6)."""
    for players, games in ((5, 12_000), (10, 12_000)):
        counts = wins(table_of(RITTER, players), policies_of(RITTER, [name] * players), 102, games)
        assert alike(counts, games), (players, counts)


def test_place_1_is_who_begins_day_1():
    """R8: places are counted from the start player, not from the first seat; the tally and the log agree."""
    table, policies = table_of(RITTER, 4), policies_of(RITTER, ["rulebook", "bold", "cautious", "attacker"])
    (played,) = reduce_games([Play(table, policies, one_seed(3))], 12, list, chunk=12, logged=True).result
    began = []
    for game in range(12):
        start = next(int(step.after.start) for step in watch(table, policies, 3, game, True) if step.after.start >= 0)
        began.append((start - game) % 4)
    assert played.log.first.tolist() == began
    assert len(set(began)) > 2
    first = played.tally.win[:, 0, 0]
    expected = [sum(int(played.log.win[g, e]) for g in range(12) if began[g] == e) for e in range(4)]
    assert first.tolist() == expected


def test_the_comparison_can_fail():
    """Negative control: one seat that yields with 5 wounds instead of 7 is found."""
    table = table_of(RITTER, 4)
    settings = [RITTER.parameters_of(RITTER.policy_named("rulebook")) for _ in range(4)]
    settings[2] = settings[2] | {"yield_at": 5}
    assert not alike(wins(table, RITTER.encode_policies(settings), 101))


def test_relabelling_the_seats_leaves_the_shares_as_they_are():
    """Everybody moves a place to the left: each policy wins as often as before."""
    table, names = table_of(RITTER, 4), ["rulebook", "bold", "cautious", "attacker"]
    shares = []
    for shift in range(4):
        counts = wins(table, policies_of(RITTER, names[-shift:] + names[:-shift]), 103 + shift)
        shares.append([counts[(i + shift) % 4] for i in range(4)])
    means = np.mean(shares, axis=0)
    assert means.max() > 1.3 * means.min(), "policies alike would show nothing"
    for counts in shares:
        # the mean of four has a quarter of the variance of one, and each count is a part of it
        assert all(agrees(int(count), N, mean / N) for count, mean in zip(counts, means, strict=True)), shares
