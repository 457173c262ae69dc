"""What every registered game must keep to."""

from __future__ import annotations

import importlib
from random import Random

import numpy as np

from analyzer.engine import drive
from analyzer.engine.chance import new_chance, one_seed, open_streams
from analyzer.engine.run import Play, empty_tally, play_games, reduce_games
from analyzer.engine.tally import WHOLE_WIN, new_row
from analyzer.engine.trace import Walk, copy_record, story, watch
from analyzer.engine.verbs import ALL
from tests.contract.games import EVERY_GAME
from tests.tables import policies_of, random_options, table_of


def _names(game, n):
    return [game.policies[i % len(game.policies)].name for i in range(n)]


def _same(a, b):
    return all(np.array_equal(x, y) for x, y in zip(a, b, strict=True))


@EVERY_GAME
def test_every_verb_is_implemented(game):
    dtype = table_of(game, game.least_players).rules.dtype
    assert all(dtype in verb.table for verb in ALL)


@EVERY_GAME
def test_same_games_for_any_threads_chunks_and_splits(game):
    table = table_of(game, game.least_players + 1)
    policies = policies_of(game, _names(game, table.players))
    whole = play_games(table, policies, 5, 3000, threads=1).tally
    assert _same(whole, play_games(table, policies, 5, 3000, threads=2, chunk=257).tally)
    parts = [
        play_games(table, policies, 5, n, first=first, threads=2, chunk=100).tally
        for first, n in ((1100, 1900), (0, 1100))
    ]
    assert _same(whole, parts[0] + parts[1])
    assert not _same(whole, play_games(table, policies, 6, 3000, threads=2).tally)


@EVERY_GAME
def test_logs_tell_what_the_tally_counts(game):
    table = table_of(game, game.least_players)
    play = Play(table, policies_of(game, _names(game, table.players)), (5, 6, 7))
    (first, tally, log), *_ = reduce_games([play], 1000, list, chunk=1000, logged=True).result
    assert first == 0
    assert log.win.sum(axis=0).tolist() == tally.win[:, :, 0].sum(axis=1).tolist()
    assert log.score.sum(axis=0).tolist() == tally.score[:, :, 0].sum(axis=1).tolist()
    assert log.course.sum(axis=0).tolist() == tally.course.tolist()
    assert log.counts.sum(axis=0).tolist() == tally.counts[:, 0].tolist()


@EVERY_GAME
def test_each_stream_has_its_own_seed(game):
    """Other seeds of dice and whims leave the deals alone; another seed of the deals makes other games.

    What a deal decides is the state before the first decision, unless the game's invariants say it more closely.
    Twenty deals are looked at: some games have but a handful.
    """
    invariants = importlib.import_module(f"tests.games.{game.name}.invariants")
    dealt = getattr(invariants, "dealt", lambda table, state: state.tobytes())
    table = table_of(game, game.least_players)
    policies = policies_of(game, [game.default_policy] * table.players)
    starts = []
    for seeds in ((5, 5, 5), (5, 6, 7), (6, 5, 5)):
        state, chance = table.new_states()[0], new_chance()
        starts.append([])
        for number in range(20):
            drive.begin(table.rules, state, seeds, number, chance)
            starts[-1].append(dealt(table, state))
    assert starts[0] == starts[1] != starts[2]
    results = [
        reduce_games([Play(table, policies, seeds)], 500, lambda played: played[0].tally).tally
        for seeds in ((5, 5, 5), (6, 5, 5))
    ]
    assert not _same(*results)


@EVERY_GAME
def test_wins_add_up_to_one_a_game_with_a_winner(game):
    for players in range(game.least_players, game.most_players + 1):
        table = table_of(game, players)
        tally = play_games(table, policies_of(game, [game.default_policy] * players), 3, 500).tally
        assert tally.win[:, :, 0].sum() == (500 - tally.games[2]) * WHOLE_WIN
        assert tally.seated.sum(axis=1).tolist() == [500] * players


@EVERY_GAME
def test_watching_a_game_changes_nothing(game):
    table = table_of(game, game.least_players + 1)
    policies = policies_of(game, _names(game, table.players))
    for number in range(20):
        steps = list(watch(table, policies, 9, number, rotate=True))
        row = new_row(*table.sizes)
        drive.finish(table.rules, steps[-1].after, row)
        tally = play_games(table, policies, 9, 1, first=number).tally
        assert tally.moves[0] == len(steps)
        assert tally.counts[:, 0].tolist() == row.counts.tolist()
        shift = number % table.players
        for entrant in range(table.players):
            seat = (entrant + shift) % table.players
            place = (seat - row.first[0]) % table.players
            assert tally.seated[entrant, place] == 1
            assert tally.win[entrant, place, 0] == row.win[seat]
            assert tally.score[entrant, place, 0] == row.score[seat]


@EVERY_GAME
def test_random_play_under_random_options_keeps_every_invariant(game):
    broken = importlib.import_module(f"tests.games.{game.name}.invariants").broken
    random = Random(20)
    for trial in range(150):
        players = random.randint(game.least_players, game.most_players)
        options = random_options(game, random)
        table = table_of(game, players, **options)
        policies = policies_of(
            game, ["random" if random.random() < 0.7 else random.choice(game.policies).name for _ in range(players)]
        )
        walk = Walk(table, 11, trial)
        assert broken(table, walk.state) == []
        steps = 0
        while True:
            seat, legal = walk.look()
            if seat < 0:
                break
            assert legal, "an actor without a move"
            assert len(set(legal)) == len(legal)
            move = walk.choose(policies[seat])
            assert move in legal
            walk.play(move)
            assert broken(table, walk.state) == [], (options, trial, steps)
            steps += 1


@EVERY_GAME
def test_thousands_of_games_under_random_options_end(game):
    random = Random(21)
    for _ in range(40):
        players = random.randint(game.least_players, game.most_players)
        table = table_of(game, players, **random_options(game, random))
        tally = play_games(table, policies_of(game, ["random"] * players), random.randrange(2**40), 100).tally
        assert tally.n_games == 100
        assert tally.win[:, :, 0].sum() == (100 - tally.games[2]) * WHOLE_WIN


@EVERY_GAME
def test_moves_read_back_and_positions_too(game):
    random = Random(22)
    for trial in range(12):
        players = random.randint(game.least_players, game.most_players)
        table = table_of(game, players)
        policies = policies_of(game, _names(game, players))
        walk = Walk(table, 2, trial)
        while True:
            seat, legal = walk.look()
            if seat < 0:
                break
            for move in legal:
                assert game.read_move(table, walk.state, game.move_text(table, walk.state, move), legal) == move
            words = game.show(table, walk.state)
            assert game.show(table, game.place(table, words)[0]) == words
            walk.play(walk.choose(policies[seat]))


@EVERY_GAME
def test_a_policy_does_not_see_what_is_hidden(game):
    table = table_of(game, game.least_players + 1)
    for policy in game.policies:
        policies = policies_of(game, [policy.name] * table.players)
        walk = Walk(table, 4, 0)
        hidden = new_chance()
        number = 0
        while True:
            seat, _ = walk.look()
            if seat < 0:
                break
            other = Walk(table, 4, 0)
            other.states[0] = walk.state
            open_streams(hidden, one_seed(99), number)
            drive.hide(table.rules, other.state, seat, hidden)
            streams = copy_record(walk.chance)
            mine = walk.choose(policies[seat])
            _, n = drive.look(table.rules, other.state, other._buffer)
            assert drive.pick(table.rules, other.state, policies[seat], other._buffer, n, streams) == mine
            walk.play(mine)
            number += 1


@EVERY_GAME
def test_a_story_can_be_told_of_every_table_size(game):
    for players in range(game.least_players, game.most_players + 1):
        table = table_of(game, players)
        steps = list(watch(table, policies_of(game, ["random"] * players), 1, 0))
        lines = story(table, steps)
        assert len(lines) > players
        assert all(line.strip() for line in lines)


@EVERY_GAME
def test_an_empty_tally_adds_nothing(game):
    table = table_of(game, game.least_players)
    tally = play_games(table, policies_of(game, [game.default_policy] * game.least_players), 1, 50).tally
    assert _same(tally, tally + empty_tally(table))
