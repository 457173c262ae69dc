"""A seat that thinks is a seat like any other: the same for any threads, blind to what is hidden, and harmless."""

from __future__ import annotations

import numpy as np

from analyzer.engine import drive
from analyzer.engine.chance import new_chance, one_seed, open_streams
from analyzer.engine.run import Play, play_games, reduce_games
from analyzer.engine.tally import new_row
from analyzer.engine.trace import Walk, copy_record, watch
from analyzer.games import GAMES
from tests.contract.games import EVERY_GAME
from tests.tables import policies_of, table_of

BUDGET = 12


def _seats(game, players, thinking=(0,)):
    policies = policies_of(game, [game.default_policy] * players)
    policies["search"][list(thinking)] = BUDGET
    return policies


def _walks(game, games=2, every=5):
    """Positions in which a seat has a choice, with the seat."""
    table = table_of(game, game.least_players)
    policies = policies_of(game, [game.policies[i % 3].name for i in range(table.players)])
    for number in range(games):
        walk = Walk(table, 3, number)
        seat, moves = walk.look()
        step = 0
        while seat >= 0:
            if len(moves) > 1 and step % every == 0:
                yield table, walk, seat
            walk.play(walk.choose(policies[seat]))
            seat, moves = walk.look()
            step += 1


@EVERY_GAME
def test_thinking_tables_play_the_same_for_any_threads_and_chunks(game):
    table = table_of(game, game.least_players)
    policies = _seats(game, table.players)
    runs = [play_games(table, policies, 5, 12, threads=n, chunk=chunk).tally for n, chunk in ((1, 12), (2, 5))]
    assert all(np.array_equal(a, b) for a, b in zip(*runs, strict=True))
    plain = play_games(table, policies_of(game, [game.default_policy] * table.players), 5, 12).tally
    assert not np.array_equal(runs[0].win, plain.win) or not np.array_equal(runs[0].score, plain.score)


@EVERY_GAME
def test_a_watched_thinking_game_is_the_game_played(game):
    table = table_of(game, game.least_players)
    policies = _seats(game, table.players)
    steps = list(watch(table, policies, 5, 1, rotate=True))
    row = new_row(*table.sizes)
    drive.finish(table.rules, steps[-1].after, row)
    (played,) = reduce_games([Play(table, policies, one_seed(5))], 1, list, first=1, logged=True).result
    shift = 1 % table.players
    assert np.roll(row.win, -shift).tolist() == played.log.win[0].tolist()
    assert row.counts.tolist() == played.log.counts[0].tolist()


@EVERY_GAME
def test_thinking_touches_neither_the_game_nor_its_streams(game):
    for table, walk, seat in _walks(game, games=1):
        before, streams = walk.state.tobytes(), walk.chance.tobytes()
        policies = _seats(game, table.players, range(table.players))
        _, legal = walk.look()
        move = walk.decide(policies)
        assert move in legal
        assert (walk.state.tobytes(), walk.chance.tobytes()) == (before, streams)
        assert walk.decide(policies) == move
        assert walk.look()[0] == seat


@EVERY_GAME
def test_what_is_redrawn_depends_on_what_the_seat_sees_alone(game):
    """Two states that look alike to a seat are redrawn alike: so no thought can lean on what is hidden."""
    for table, walk, seat in _walks(game):
        hidden, chance = copy_record(walk.state), new_chance()
        open_streams(chance, one_seed(77), 1)
        drive.hide(table.rules, hidden, seat, chance)
        drawn = []
        for state in (copy_record(walk.state), hidden):
            open_streams(chance, one_seed(78), 2)
            drive.hide(table.rules, state, seat, chance)
            drawn.append(state.tobytes())
        assert drawn[0] == drawn[1]


def test_a_seat_without_a_choice_plays_on():
    """A table at which nobody ever has two moves is the same with thinkers: nothing is drawn for them."""
    table = table_of(GAMES["ritter"], 2)
    walk = Walk(table, 1, 0)
    policies = _seats(GAMES["ritter"], 2)
    seat, legal = walk.look()
    while len(legal) > 1:
        walk.play(walk.choose(policies[seat]))
        seat, legal = walk.look()
    assert walk.decide(policies) == legal[0]
