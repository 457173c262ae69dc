"""How fast Fredericus is played and its turns are searched, on one core.

Run `python -m tests.bench.fredericus`.
"""

from __future__ import annotations

import time

from analyzer.engine.chance import WHIM, draw, new_chance, open_streams
from analyzer.engine.jit import driver
from analyzer.engine.trace import new_buffer
from analyzer.engine.verbs import actor, apply, choose, deal, legal
from analyzer.games import GAMES
from analyzer.games.fredericus.policies import move_of, plan
from analyzer.games.fredericus.state import TURN
from tests.tables import policies_of, table_of

GAME = GAMES["fredericus"]
SEED = 7
LEAST_NODES = 2e6  # positions a second
ROUNDS = 3  # each is measured in turn, the best time counts


@driver
def play_and_count(rules, policies, seed, games, s, buffer, chance):
    """Play games; return the decisions and the positions that the searches looked at (modifies all from `s`)."""
    moves = buffer.moves
    decisions = nodes = 0
    for game in range(games):
        open_streams(chance, (seed, seed, seed), game)
        deal(rules, s, chance)
        seat = actor(rules, s)
        while seat >= 0:
            n_moves = legal(rules, s, moves)
            if s.phase == TURN and n_moves > 1 and policies[seat].whim == 0:
                candidate, _, looked = plan(rules, s, policies[seat], draw(chance, WHIM), moves)
                nodes += looked
                move = move_of(rules, s, candidate)
            else:
                move = choose(rules, s, policies[seat], moves, n_moves, chance)
            apply(rules, s, move, chance)
            decisions += 1
            seat = actor(rules, s)
    return decisions, nodes


def main() -> None:
    cases = [(players, name) for players in (2, 3, 4) for name in ("random", "greedy", "planner")]
    games = {"random": 5_000, "greedy": 1_000, "planner": 20}
    best: dict[tuple[int, str], tuple[float, int, int]] = {}
    for lap in range(ROUNDS + 1):  # the first one compiles
        for players, name in cases:
            table = table_of(GAME, players)
            policies = policies_of(GAME, [name] * players)
            room = (table.new_states()[0], new_buffer(table), new_chance())
            began = time.process_time()
            decisions, nodes = play_and_count(table.rules, policies, SEED, games[name], *room)
            seconds = time.process_time() - began
            if lap and seconds < best.get((players, name), (1e9, 0, 0))[0]:
                best[players, name] = seconds, decisions, nodes
    slowest = 1e12
    for (players, name), (seconds, decisions, nodes) in best.items():
        rate = f"{games[name] / seconds:,.0f} games/s, {decisions / seconds / 1e6:.2f}M moves/s"
        print(f"{players} players, {name}: {rate}, {nodes / seconds / 1e6:.2f}M positions/s")
        if name == "planner":
            slowest = min(slowest, nodes / seconds)
    verdict = "holds" if slowest >= LEAST_NODES else "does not hold"
    print(f"At least {LEAST_NODES / 1e6:.0f}M positions/s in the planner's search: {verdict}.")


if __name__ == "__main__":
    main()
