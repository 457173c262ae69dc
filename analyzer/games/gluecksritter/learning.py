"""What to pick, learned by playing: all choices tried in the same games, and regret matching on them.

Whoever picks tries every pair he could pick in one and the same game, with the same dice ahead, and
sees how often he wins: `try_pairs` in a position, `try_situations` all over the game, where the
ransom is tried as well. *Regret* is what a choice would have won above the present mix; matching the
mix to the regrets, over and over, leads towards an equilibrium. All sums are whole numbers, so the
result does not depend on threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from analyzer.engine.chance import WHIM, below, new_chance, open_streams
from analyzer.engine.game import Table
from analyzer.engine.jit import driver, inline, jit
from analyzer.engine.run import default_threads
from analyzer.engine.tally import WHOLE_WIN
from analyzer.engine.trace import new_buffer
from analyzer.engine.verbs import actor, apply, choose, deal, legal, redeal
from analyzer.games.gluecksritter.mix import N_SITUATIONS, RANSOM_AT, even_mix, running_sums, situation
from analyzer.games.gluecksritter.rules import KNIGHT, LEAST_PLAYERS, N_CARDS, N_PAIRS
from analyzer.games.gluecksritter.state import KIND, NO, PICK, RANSOM, RED, YES

HORIZON = 20  # rounds in which choices are tried
CHUNK = 500  # games that a thread plays at a time
N_TRIED = N_PAIRS + 2  # all pairs, to wait, to pay the ransom
_WAIT, _PAY = N_PAIRS, N_PAIRS + 1
_FINE = 60_000  # of a whole, in the running sums from which a learner draws

Progress = Callable[[int], None]


@inline
def _step(rules, policies, focus, seat, s, moves, chance):
    """Play one decision; the focus seat has its own policy."""
    n_moves = legal(rules, s, moves)
    policy = policies[np.int64(seat == focus)]
    apply(rules, s, choose(rules, s, policy, moves, n_moves, chance), chance)


@jit
def _play_on(rules, policies, focus, s, moves, chance):
    """Play a game to its end and return what the focus seat wins."""
    seat = actor(rules, s)
    while seat >= 0:
        _step(rules, policies, focus, seat, s, moves, chance)
        seat = actor(rules, s)
    return np.int64(s.share[focus])


@driver
def try_situations(rules, policies, seed, first, count, states, buffer, chance, wins, visits):
    """Try all choices at one decision of each of `count` games (modifies all from `states` on).

    `policies[1]` plays on the focus seat, which changes from game to game, `policies[0]` on the
    others. Adds up what the focus seat won: `wins[situation, choice]`, and how often a situation was
    met with a pick (`visits[situation, 0]`) or a ransom (1) to decide.
    """
    s, moves = states[0], buffer.moves
    for game in range(first, first + count):
        focus = game % rules.players
        open_streams(chance, seed, game)
        target = 1 + below(chance, WHIM, HORIZON)
        at_ransom = below(chance, WHIM, 2) == 1  # half of the ransoms are stopped at
        deal(rules, s, chance)
        seat = actor(rules, s)
        while seat >= 0:
            decides = s.phase == PICK or (at_ransom and s.phase == RANSOM)
            if decides and seat == focus and s.rounds == target:
                break
            _step(rules, policies, focus, seat, s, moves, chance)
            seat = actor(rules, s)
        if seat < 0:
            continue  # the game ended before that round
        at = situation(rules, s, focus)
        states[1] = states[0]
        first_choice, last_choice = (0, N_PAIRS) if s.phase == PICK else (_WAIT, N_TRIED)
        visits[at, np.int64(s.phase == RANSOM)] += 1
        barred = (s.jailed >> focus & 1) << KNIGHT
        for choice in range(first_choice, last_choice):
            if choice < N_PAIRS and rules.pair_mask[choice] & barred:
                continue
            states[0] = states[1]
            open_streams(chance, seed + 1, game)
            if choice < N_PAIRS:
                apply(rules, s, PICK * KIND + rules.pair_mask[choice], chance)
            else:
                apply(rules, s, RANSOM * KIND + (YES if choice == _PAY else NO), chance)
            wins[at, choice] += _play_on(rules, policies, focus, s, moves, chance)


@driver
def try_pairs(rules, policies, mixes, focus, seed, first, count, states, buffer, chance, won, wins, products):
    """Try all pairs of the focus seat in the position `states[1]` (modifies all from `states` on).

    The others draw their pairs from `mixes[seat]` (running sums), and documents they hide are dealt
    anew; then `policies` play on. Adds up `wins[pair]` and `products[pair, pair]`, from which the
    variance of any difference follows; `won` is room for one game.
    """
    s, moves = states[0], buffer.moves
    barred = (states[1].jailed >> focus & 1) << KNIGHT
    for game in range(first, first + count):
        for pair in range(N_PAIRS):
            won[pair] = 0
            if rules.pair_mask[pair] & barred:
                continue
            states[0] = states[1]
            open_streams(chance, seed, game)
            redeal(rules, s, focus, chance)
            while s.phase == PICK and not s.picks[s.turn]:
                picked = pair
                if s.turn != focus:
                    at = below(chance, WHIM, np.int64(mixes[s.turn, N_PAIRS - 1]))
                    picked = 0
                    while at >= mixes[s.turn, picked]:
                        picked += 1
                apply(rules, s, PICK * KIND + rules.pair_mask[picked], chance)
            won[pair] = _play_on(rules, policies, focus, s, moves, chance)
        for pair in range(N_PAIRS):
            wins[pair] += won[pair]
            for other in range(N_PAIRS):
                products[pair, other] += won[pair] * won[other]


@driver
def count_picks(rules, policies, seed, first, count, states, buffer, chance, picks, takers):
    """Play games and count `picks[situation, pair]` and `takers[card, how many had it]` (modifies them)."""
    s, moves = states[0], buffer.moves
    for game in range(first, first + count):
        open_streams(chance, seed, game)
        deal(rules, s, chance)
        seat = actor(rules, s)
        while seat >= 0:
            is_pick, hidden, lap = s.phase == PICK, s.phase == PICK or s.phase == RED, s.rounds
            at = situation(rules, s, seat)
            n_moves = legal(rules, s, moves)
            move = choose(rules, s, policies[0], moves, n_moves, chance)
            picks[at, rules.pair_at[move % KIND] if is_pick else N_PAIRS] += 1
            apply(rules, s, move, chance)
            seat = actor(rules, s)
            if hidden and (s.turned_up or s.rounds != lap or seat < 0):
                for card in range(N_CARDS):
                    n = 0
                    for other in range(rules.players):
                        n += s.takers[card] >> other & 1
                    takers[card, n] += 1


# Running the drivers


class Tries:
    """Plays chunks of games on threads and adds their sums up in order."""

    def __init__(self, table: Table, threads: int | None = None, progress: Progress = lambda played: None) -> None:
        self.table = table
        self.threads = threads or default_threads()
        self.progress = progress
        self.games = 0

    def run(self, job: Callable[..., None], games: int, shapes: tuple[tuple[int, ...], ...]) -> list[np.ndarray]:
        """Return the sums that `job(first, count, states, buffer, chance, *sums)` adds up over all chunks."""
        totals = [np.zeros(shape, np.int64) for shape in shapes]

        def chunk(first: int) -> tuple[int, list[np.ndarray]]:
            sums = [np.zeros(shape, np.int64) for shape in shapes]
            count = min(CHUNK, games - first)
            job(first, count, self.table.new_states(2), new_buffer(self.table), new_chance(), *sums)
            return count, sums

        pool = ThreadPoolExecutor(self.threads)
        try:
            for count, sums in pool.map(chunk, range(0, games, CHUNK)):
                self.progress(count)
                self.games += count
                for total, part in zip(totals, sums, strict=True):
                    total += part
        finally:
            pool.shutdown(cancel_futures=True)
        return totals


def with_mix(table: Table, parameters: dict[str, Any], *mixes: np.ndarray) -> np.ndarray:
    """Return policy records with these parameters that draw from the given frequencies [situation, column]."""
    policies = table.game.encode_policies([parameters] * len(mixes))
    for policy, mix in zip(policies, mixes, strict=True):
        policy.mix[table.players - LEAST_PLAYERS] = running_sums(mix, _FINE)
    return policies


def match(regrets: np.ndarray, otherwise: np.ndarray) -> np.ndarray:
    """Regret matching: frequencies proportional to the positive regrets, row by row."""
    positive = np.maximum(regrets, 0.0)
    total = positive.sum(axis=-1, keepdims=True)
    return np.where(total > 0, positive / np.where(total > 0, total, 1.0), otherwise)


def _blocks(choices: np.ndarray) -> Iterator[np.ndarray]:
    """The two decisions among the choices tried: the pair, the ransom."""
    yield choices[:, :N_PAIRS]
    yield choices[:, N_PAIRS:]


def _as_choices(mix: np.ndarray) -> np.ndarray:
    """Frequencies of all choices tried, from frequencies [situation, column]."""
    pays = mix[:, RANSOM_AT:]
    return np.concatenate([mix[:, :N_PAIRS], 1.0 - pays, pays], axis=1)


def _as_mix(choices: np.ndarray) -> np.ndarray:
    return np.delete(choices, _WAIT, axis=1)


@dataclass(frozen=True)
class Learned:
    """A mix [situation, column] and how often each situation was met while it was learned."""

    mix: np.ndarray
    visits: np.ndarray
    games: int


def learn(table: Table, parameters: dict[str, Any], seed: int, rounds: int, games: int, tries: Tries) -> Learned:
    """Self-play regret minimisation over situations.

    In each of `rounds` steps all seats play the present mix in `games` games in which one seat tries
    its choices; the mix is matched to the regrets so far, negative ones forgotten (regret matching+).
    The result is the mean of all mixes, the later ones counting more.
    """
    even = _as_choices(even_mix())
    now = even.copy()
    regrets = np.zeros((N_SITUATIONS, N_TRIED))
    mean = np.zeros((N_SITUATIONS, N_TRIED))
    total_visits = np.zeros((N_SITUATIONS, 2), np.int64)
    for step in range(rounds):
        policies = with_mix(table, parameters, *[_as_mix(now)] * 2)
        wins, visits = tries.run(
            lambda first, count, *rest, p=policies, at=step * games: try_situations(
                table.rules, p, seed, at + first, count, *rest
            ),
            games,
            ((N_SITUATIONS, N_TRIED), (N_SITUATIONS, 2)),
        )
        total_visits += visits
        values = wins / WHOLE_WIN
        for block, (regret, value, mix, average, other) in enumerate(
            zip(*map(_blocks, (regrets, values, now, mean, even)), strict=True)
        ):
            average += (step + 1) * visits[:, block, None] * mix
            regret += np.where(other > 0, value - (value * mix).sum(axis=1, keepdims=True), 0.0)
            np.maximum(regret, 0.0, out=regret)
            mix[:] = match(regret, other)
    for average, other in zip(_blocks(mean), _blocks(even), strict=True):
        average[:] = match(average, other)
    return Learned(_as_mix(mean), total_visits, rounds * games)


def best_response(
    table: Table, parameters: dict[str, Any], mix: np.ndarray, seed: int, rounds: int, games: int, tries: Tries
) -> np.ndarray:
    """Train one seat against a table of a mix: in each situation the choice that has won most.

    Each round the responder plays what the round before found. Choices tried too seldom to tell stay
    as they are in the mix.
    """
    response = mix
    for step in range(rounds):
        policies = with_mix(table, parameters, mix, response)
        wins, visits = tries.run(
            lambda first, count, *rest, p=policies, at=step * games: try_situations(
                table.rules, p, seed, at + first, count, *rest
            ),
            games,
            ((N_SITUATIONS, N_TRIED), (N_SITUATIONS, 2)),
        )
        choices = _as_choices(response).copy()
        for block, (won, choice) in enumerate(zip(_blocks(wins), _blocks(choices), strict=True)):
            known = visits[:, block] >= _ENOUGH
            choice[known] = np.eye(choice.shape[1])[won[known].argmax(axis=1)]
        response = _as_mix(choices)
    return response


_ENOUGH = 100  # visits before a responder trusts what it saw
