"""A hundred thousand games under random options, every state of them checked."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from analyzer.engine.chance import new_chance, open_streams
from analyzer.engine.jit import driver
from analyzer.engine.trace import new_buffer
from analyzer.engine.verbs import actor, apply, choose, deal, legal
from analyzer.games import GAMES
from analyzer.games.fredericus.state import ENDINGS
from tests.games.fredericus.invariants import FAULTS, N_SLOTS, fault
from tests.tables import random_options, table_of

GAME = GAMES["fredericus"]
N_TABLES = 200
GAMES_EACH = 500
MOST_STEPS = 20_000


@driver
def fuzz(rules, policies, seed, games, s, buffer, chance, found, seen):
    """Play games and check every state; return the fault, the game and the step, or zeros (modifies all from `s`)."""
    moves = buffer.moves
    for game in range(games):
        open_streams(chance, (seed, seed, seed), game)
        deal(rules, s, chance)
        step = 0
        seat = actor(rules, s)
        while seat >= 0:
            number = fault(rules, s, found)
            if number or step > MOST_STEPS:
                return number, game, step
            n_moves = legal(rules, s, moves)
            apply(rules, s, choose(rules, s, policies[seat], moves, n_moves, chance), chance)
            seat = actor(rules, s)
            step += 1
        number = fault(rules, s, found)
        if number:
            return number, game, step
        seen[s.ending] += 1
        seen[0] += step
    return 0, 0, 0


def case(number: int) -> tuple[Any, Any, dict[str, Any]]:
    """Return a table under random options, and players of whom most are random and some partly so."""
    random = Random(number)
    options = random_options(GAME, random) | {"max_rounds": random.randint(1, 14)}  # long enough for all that happens
    players = 2 + number % 3
    half = {"whim": random.choice((20, 50)), "depth": 1}
    names = [random.choice(("random",) * 12 + ("greedy", "hooder", "gambler")) for _ in range(players)]
    settings = [GAME.parameters_of(GAME.policy_named(name), {} if name == "random" else half) for name in names]
    return table_of(GAME, players, **options), GAME.encode_policies(settings), options


def test_a_hundred_thousand_games_end_and_keep_118_cards() -> None:
    seen = np.zeros(len(ENDINGS), np.int64)
    for number in range(N_TABLES):
        table, policies, options = case(number)
        result = fuzz(
            table.rules,
            policies,
            number,
            GAMES_EACH,
            table.new_states()[0],
            new_buffer(table),
            new_chance(),
            np.zeros(N_SLOTS, np.int64),
            seen,
        )
        assert result == (0, 0, 0), (FAULTS[result[0]], number, result, options)
    assert seen[1:].sum() == N_TABLES * GAMES_EACH == 100_000
    assert (seen[1:] > 1000).all()  # every way to end comes up


def test_the_fuzz_notices_a_lost_card() -> None:
    """Negative control: an end card taken away, a second hood, a missed turn."""
    table, _, _ = case(0)
    chance = new_chance()

    def number(change: Any) -> int:
        s = table.new_states()[0]
        open_streams(chance, (1, 1, 1), 0)
        deal(table.rules, s, chance)
        change(s)
        return int(fault(table.rules, s, np.zeros(N_SLOTS, np.int64)))

    def lose(s: Any) -> None:
        s.length[0] -= 1

    def hood(s: Any) -> None:
        s.hooded[1] = 3

    def skip(s: Any) -> None:
        s.turns[s.start] += 2

    def draw(s: Any) -> None:
        s.pile_left -= 1

    assert number(lambda s: None) == 0
    assert [FAULTS[number(change)][:3] for change in (lose, hood, skip, draw)] == ["F1:", "F12", "F16", "F1:"]
