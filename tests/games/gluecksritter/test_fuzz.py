"""G13 and the other invariants after every move of 100,000 games under random options."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from analyzer.engine.chance import new_chance, open_streams
from analyzer.engine.jit import driver
from analyzer.engine.trace import new_buffer
from analyzer.engine.verbs import actor, apply, choose, deal, legal
from analyzer.games import GAMES
from tests.tables import policies_of, random_options, table_of

GAME = GAMES["gluecksritter"]
N_TABLES, GAMES_EACH = 100, 1000


@driver
def fuzz(rules, policies, box, seed, count, s, buffer, chance, end):
    """Play games and return the number of the first that breaks an invariant after some move, or -1."""
    moves = buffer.moves
    for game in range(count):
        open_streams(chance, (seed, seed, seed), game)
        deal(rules, s, chance)
        seat = actor(rules, s)
        while seat >= 0:
            n_moves = legal(rules, s, moves)
            if n_moves < 1:
                return game
            apply(rules, s, choose(rules, s, policies[seat], moves, n_moves, chance), chance)
            seat = actor(rules, s)
            for kind in range(2):
                coins = s.bag[kind] + s.lying[0, kind] + s.lying[1, kind]
                least = min(s.bag[kind], s.lying[0, kind], s.lying[1, kind])
                for k in range(rules.players):
                    coins += s.purse[k, kind]
                    least = min(least, s.purse[k, kind], s.parts[k, kind], rules.castle - s.parts[k, kind])
                if coins != box[kind] or least < 0:
                    return game
            for kind in range(rules.copies.shape[0]):
                documents, least = s.stack[kind] + s.discard[kind], min(s.stack[kind], s.discard[kind])
                for k in range(rules.players):
                    documents += s.hand[k, kind]
                    least = min(least, s.hand[k, kind])
                    if (s.hand[k, kind] > 0) != (s.held[k] >> kind & 1):
                        return game
                if documents != rules.copies[kind] or least < 0:
                    return game
        end[0] += 1
        end[1] += s.unfinished
    return -1


def run(table, policies, box, seed, count):
    end = np.zeros(2, np.int64)
    broken = fuzz(
        table.rules, policies, np.array(box), seed, count, table.new_states()[0], new_buffer(table), new_chance(), end
    )
    return broken, end


@pytest.mark.parametrize("part", range(4))
def test_g13_no_coin_and_no_document_is_lost_in_100_000_games(part: int) -> None:
    random = Random(part)
    for number in range(N_TABLES // 4):
        players = random.randint(3, 6)
        options = random_options(GAME, random) | {"max_rounds": random.choice((5, 20, 60))}
        names = [random.choice(["random", random.choice(GAME.policies).name]) for _ in range(players)]
        broken, end = run(table_of(GAME, players, **options), policies_of(GAME, names), (60, 40), number, GAMES_EACH)
        assert broken == -1, (options, names)
        assert end[0] == GAMES_EACH


def test_a_wrong_count_of_coins_is_noticed() -> None:
    """Negative control."""
    table = table_of(GAME, 4)
    policies = policies_of(GAME, ["random"] * 4)
    assert run(table, policies, (60, 40), 1, 10)[0] == -1
    assert run(table, policies, (60, 41), 1, 10)[0] == 0


def test_g14_hardly_any_game_of_shipped_policies_is_stopped() -> None:
    for policy in GAME.policies:
        for players in (3, 6):
            _, end = run(table_of(GAME, players), policies_of(GAME, [policy.name] * players), (60, 40), 1, 500)
            assert end[1] <= 5, policy.name
