"""What to pick, learned by playing: all choices tried in the same games, and regret matching on them.

Whoever picks tries every pair he could pick in one and the same game, with the same dice ahead:
`try_pairs` in a position, to the end of the game; `try_situations` all over the game, where the
ransom is tried as well, to the end of the round. How good a seat stands there is told by a model
fitted to played games (`fit_standing`). *Regret* is what a choice would have won above the present
mix; matching the mix to the regrets, over and over, leads towards an equilibrium. All sums are whole
numbers, so the result does not depend on threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from analyzer.engine.chance import DEAL, DICE, WHIM, below, lot, new_chance, open_streams
from analyzer.engine.game import Table, new_buffer
from analyzer.engine.jit import driver, inline, jit
from analyzer.engine.tally import WHOLE_WIN
from analyzer.engine.threads import Workers, default_threads
from analyzer.engine.verbs import actor, apply, choose, deal, legal, redeal
from analyzer.games.gluecksritter.cards import N_KINDS
from analyzer.games.gluecksritter.kernel import money
from analyzer.games.gluecksritter.mix import N_SITUATIONS, RANSOM_AT, even_mix, running_sums, situation
from analyzer.games.gluecksritter.rules import KNIGHT, LEAST_PLAYERS, N_CARDS, N_PAIRS, NEIGHBOUR
from analyzer.games.gluecksritter.state import KIND, NO, NONE, OVER, PICK, RANSOM, RED, YES

HORIZON = 16  # rounds at which fortunes are written down
CHUNK = 250  # games that a thread plays at a time
UNIT = 1 << 20  # of a chance to win
N_PURSES = 10  # steps of two ducats; all above counts as the last
_JAILED = 9 * N_PURSES  # places of the weights of a jailed knight and of a document, after all classes
_DOCUMENT = _JAILED + 1
N_WEIGHTS = _DOCUMENT + 1
REFIT, FIT_GAMES = 10, 20_000  # steps after which the model of the standings is fitted again, and its games
_ASCENTS, _STRIDE, _PRIOR = 200, 2.0, 20.0
_ENOUGH = 30  # visits before a responder trusts what it saw
_LEAST_GAINS = (0.0, 0.003, 0.01, 0.03)  # of a win, for which responders leave the mix
N_RESPONSES = len(_LEAST_GAINS)
N_TRIED = N_PAIRS + 2  # all pairs, to wait, to pay the ransom
_WAIT, _PAY = N_PAIRS, N_PAIRS + 1
_FINE = 60_000  # of a whole, in the running sums from which a learner draws

Progress = Callable[[int], None]


@jit
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


# How a seat stands at the beginning of a round


@inline
def _class_of(rules, s, seat):
    """The class of a seat's fortune: castle parts it lacks, and money in steps."""
    lacks = 2 * rules.castle - s.parts[seat, 0] - s.parts[seat, 1]
    return lacks * N_PURSES + min(N_PURSES - 1, money(s, seat) // 2)


@inline
def _strength(rules, s, seat, standing):
    weight = standing[_class_of(rules, s, seat)]
    if s.jailed >> seat & 1:
        weight *= standing[_JAILED]
    for _ in range(_documents(s, seat)):
        weight *= standing[_DOCUMENT]
    return weight


@inline
def _documents(s, seat):
    count = np.int64(0)
    if s.held[seat]:
        for kind in range(N_KINDS):
            count += np.int64(s.hand[seat, kind])
    return count


@jit
def chance_to_win(rules, s, focus, standing):
    """Return the focus seat's share of all strengths, in units of 1/2**20; the win itself at the end."""
    if s.phase == OVER:
        return np.int64(s.share[focus]) * UNIT // WHOLE_WIN
    total = 0.0
    for seat in range(rules.players):
        total += _strength(rules, s, seat, standing)
    return np.int64(UNIT * _strength(rules, s, focus, standing) / total)


@driver
def watch_fortunes(rules, policies, seed, first, count, states, buffer, chance, fortunes):
    """Play games and write down who stood how at a round and won: `fortunes[game, seat]`."""
    s, moves = states[0], buffer.moves
    for game in range(first, first + count):
        open_streams(chance, (seed, seed, seed), game)
        target = 1 + below(chance, WHIM, HORIZON)
        deal(rules, s, chance)
        seat = actor(rules, s)
        while seat >= 0 and s.rounds < target:
            _step(rules, policies, NONE, seat, s, moves, chance)
            seat = actor(rules, s)
        if seat < 0:
            continue
        for k in range(rules.players):
            fortunes[game, k, 0] = _class_of(rules, s, k)
            fortunes[game, k, 1] = s.jailed >> k & 1
            fortunes[game, k, 2] = _documents(s, k)
        _play_on(rules, policies, NONE, s, moves, chance)
        for k in range(rules.players):
            fortunes[game, k, 3] = s.share[k]


@driver
def try_situations(rules, policies, standing, seed, first, count, states, buffer, chance, wins, visits):
    """Try all choices at every pick and ransom of one seat in each of `count` games (modifies all from `states` on).

    `policies[1]` plays on the focus seat, which changes from game to game, `policies[0]` on the
    others. Adds up the focus seat's chances to win after the round: `wins[situation, choice]`, and how
    often a situation was met with a pick (`visits[situation, 0]`) or a ransom (1) to decide.
    """
    s, moves = states[0], buffer.moves
    for game in range(first, first + count):
        focus = game % rules.players
        open_streams(chance, (seed, seed, seed), game)
        deal(rules, s, chance)
        seat = actor(rules, s)
        while seat >= 0:
            if seat == focus and (s.phase == PICK or s.phase == RANSOM):
                _try_all(rules, policies, standing, focus, seed + 1, game, states, moves, chance, wins, visits)
            _step(rules, policies, focus, seat, s, moves, chance)
            seat = actor(rules, s)


@jit
def _try_all(rules, policies, standing, focus, seed, game, states, moves, chance, wins, visits):
    """Try every choice of the focus seat to the end of the round, from the position in `states[0]`."""
    s = states[0]
    at, lap = situation(rules, s, focus), s.rounds
    dealt, rolled, whim = chance.at[DEAL], chance.at[DICE], chance.at[WHIM]
    home_of_deal, home_of_dice = chance.home[DEAL], chance.home[DICE]
    states[1] = states[0]
    is_ransom = s.phase == RANSOM
    visits[at, np.int64(is_ransom)] += 1
    barred = (s.jailed >> focus & 1) << KNIGHT
    first, last = (_WAIT, N_TRIED) if is_ransom else (0, N_PAIRS)
    for choice in range(first, last):
        if not is_ransom and rules.pair_mask[choice] & barred:
            continue
        states[0] = states[1]
        open_streams(chance, (seed, seed, seed), game)
        if is_ransom:
            apply(rules, s, RANSOM * KIND + (YES if choice == _PAY else NO), chance)
        else:
            apply(rules, s, PICK * KIND + rules.pair_mask[choice], chance)
        seat = actor(rules, s)
        while seat >= 0 and s.rounds == lap:
            _step(rules, policies, focus, seat, s, moves, chance)
            seat = actor(rules, s)
        wins[at, choice] += chance_to_win(rules, s, focus, standing)
    states[0] = states[1]
    chance.at[DEAL], chance.at[DICE], chance.at[WHIM] = dealt, rolled, whim
    chance.home[DEAL], chance.home[DICE] = home_of_deal, home_of_dice


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
            open_streams(chance, (seed, seed, seed), game)
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
        open_streams(chance, (seed, seed, seed), game)
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

        with Workers(self.threads) as pool:
            for count, sums in pool.map(chunk, range(0, games, CHUNK)):
                self.progress(count)
                self.games += count
                for total, part in zip(totals, sums, strict=True):
                    total += part
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


def fit_standing(table: Table, policies: np.ndarray, seed: int, games: int, tries: Tries) -> np.ndarray:
    """Fit the model of who wins: a seat's chance is its strength's share of all strengths.

    A strength is a weight for its class of fortune, times another if its knight is jailed, times another
    for each document. The logs of the weights are found by gradient ascent on the likelihood of the
    winners of played games.
    """
    fortunes = np.zeros((games, table.players, 4), np.int64)  # class, jailed, documents, win
    tries.run(  # each chunk writes its own games
        lambda first, count, *rest: watch_fortunes(  # type: ignore[call-arg]
            table.rules, policies, seed, first, count, *rest, fortunes
        ),
        games,
        (),
    )
    fortunes = fortunes[fortunes[:, :, 3].sum(axis=1) > 0]
    classes, extra, wins = fortunes[:, :, 0], fortunes[:, :, 1:3], fortunes[:, :, 3] / WHOLE_WIN
    lacks, purse = np.divmod(np.arange(_JAILED), N_PURSES)
    logs = np.concatenate([0.1 * purse - 0.5 * lacks, [0.0, 0.0]])
    counts = np.bincount(classes.ravel(), minlength=N_WEIGHTS).astype(float)
    counts[_JAILED:] = extra.sum(axis=(0, 1))
    for _ in range(_ASCENTS):
        strengths = np.exp(logs[classes] + extra @ logs[_JAILED:])
        surprise = wins - strengths / strengths.sum(axis=1, keepdims=True)
        slope = np.bincount(classes.ravel(), weights=surprise.ravel(), minlength=N_WEIGHTS)
        slope[_JAILED:] = (surprise[:, :, None] * extra).sum(axis=(0, 1))
        logs += _STRIDE * slope / (counts + _PRIOR)
    return np.exp(logs)


@dataclass(frozen=True)
class Learned:
    """A mix [situation, column], how often each situation was met while it was learned, and in how many steps."""

    mix: np.ndarray
    visits: np.ndarray
    steps: int


def learn(table: Table, parameters: dict[str, Any], seed: int, rounds: int, games: int, tries: Tries) -> Learned:
    """Self-play regret minimisation over situations.

    In each of `rounds` steps all seats play the present mix in `games` games in which one seat tries
    its choices; the mix is matched to the regrets so far, negative ones forgotten (regret matching+).
    The result is the mean of all mixes, the later ones counting more. An interruption leaves that of the
    steps that were played whole, if there are any.
    """
    even = _as_choices(even_mix())
    now = even.copy()
    regrets = np.zeros((N_SITUATIONS, N_TRIED))
    mean = np.zeros((N_SITUATIONS, N_TRIED))
    total_visits = np.zeros((N_SITUATIONS, 2), np.int64)
    for step in range(rounds):
        policies = with_mix(table, parameters, *[_as_mix(now)] * 2)
        try:
            if step % REFIT == 0:
                standing = fit_standing(table, policies, seed + 2 + step, FIT_GAMES, tries)
            wins, visits = _try(table, policies, standing, seed, step * games, games, tries)
        except KeyboardInterrupt:
            if not step:
                raise
            rounds = step
            break
        total_visits += visits
        for block, (regret, value, mix, average, other) in enumerate(
            zip(*map(_blocks, (regrets, wins, now, mean, even)), strict=True)
        ):
            average += (step + 1) ** 2 * visits[:, block, None] * mix
            regret += np.where(other > 0, value - (value * mix).sum(axis=1, keepdims=True), 0.0)
            np.maximum(regret, 0.0, out=regret)
            mix[:] = match(regret, other)
    for average, other in zip(_blocks(mean), _blocks(even), strict=True):
        average[:] = match(average, other)
    return Learned(_as_mix(mean), total_visits, rounds)


def _try(
    table: Table, policies: np.ndarray, standing: np.ndarray, seed: int, at: int, games: int, tries: Tries
) -> tuple[np.ndarray, np.ndarray]:
    wins, visits = tries.run(
        lambda first, count, *rest: try_situations(table.rules, policies, standing, seed, at + first, count, *rest),
        games,
        ((N_SITUATIONS, N_TRIED), (N_SITUATIONS, 2)),
    )
    return wins / UNIT, visits


def responses(
    table: Table, parameters: dict[str, Any], mix: np.ndarray, seed: int, rounds: int, games: int, tries: Tries
) -> list[np.ndarray]:
    """Train one seat against a table of a mix and return its candidates for a best response.

    Each round the responder plays what all rounds before it found best; those after the last one leave
    the mix where a choice wins more than it by each of `_LEAST_GAINS`. What is tried is judged by a model,
    so which candidate is best, games have to tell.
    """
    response = mix
    standing = fit_standing(table, with_mix(table, parameters, mix, mix), seed + 2, FIT_GAMES, tries)
    all_wins, all_visits = np.zeros((N_SITUATIONS, N_TRIED)), np.zeros((N_SITUATIONS, 2), np.int64)
    for step in range(rounds):
        policies = with_mix(table, parameters, mix, response)
        wins, visits = _try(table, policies, standing, seed, step * games, games, tries)
        all_wins += wins
        all_visits += visits
        response = _respond(mix, all_wins, all_visits, 0.0)
    return [_respond(mix, all_wins, all_visits, least) for least in _LEAST_GAINS]


def _respond(mix: np.ndarray, wins: np.ndarray, visits: np.ndarray, least_gain: float) -> np.ndarray:
    """Return the mix with the best choice wherever it is known to win enough more."""
    choices = _as_choices(mix)
    for block, (won, choice) in enumerate(zip(_blocks(wins), _blocks(choices), strict=True)):
        n = visits[:, block]
        gain = won.max(axis=1) - (won * choice).sum(axis=1)
        known = (n >= _ENOUGH) & (gain > least_gain * n)
        choice[known] = np.eye(choice.shape[1])[_best_of(won)[known]]
    return _as_mix(choices)


def _best_of(won: np.ndarray) -> np.ndarray:
    """Return the best choice of each situation, equal ones by the situation's lot."""
    lots = np.array([[lot(np.uint64(row), i) for i in range(won.shape[1])] for row in range(len(won))])
    return np.where(won == won.max(axis=1, keepdims=True), lots, -1).argmax(axis=1)


# A single position


@dataclass(frozen=True)
class Equilibrium:
    """The mixes [group, pair] of a position, and what was won in `games` games against them.

    `groups` are seats that stand alike and have one mix; `is_open[group, pair]` says what they can pick.
    `wins[group, pair]` and `products[group, pair, pair]` are sums in units of 1/2520 of a win.
    """

    groups: tuple[tuple[int, ...], ...]
    is_open: np.ndarray
    mixes: np.ndarray
    wins: np.ndarray
    products: np.ndarray
    games: int


def alike(table: Table, position: np.ndarray) -> tuple[tuple[int, ...], ...]:
    """Return the seats of a position in groups of those that stand alike, but for the order they are served in.

    One mix will do for a group: players who are alike have an equilibrium in which they do alike.
    """
    s, n = position[0], table.players
    groups: dict[Any, list[int]] = {}
    for seat in range(n):
        marks = (s.jailed, s.pardoned, s.freed, *s.permits)
        rows = (*s.purse[seat], *s.parts[seat], *s.hand[seat], s.sealed[seat], s.used[seat])
        groups.setdefault((*map(int, rows), *(int(mark) >> seat & 1 for mark in marks)), []).append(seat)
    if len(groups) > 1 and table.rules.raid_target == NEIGHBOUR:  # then it matters who sits beside whom
        return tuple((seat,) for seat in range(n))
    return tuple(map(tuple, groups.values()))


def solve_position(
    table: Table,
    position: np.ndarray,
    policies: np.ndarray,
    seed: int,
    rounds: int,
    games: int,
    last_games: int,
    tries: Tries,
) -> Equilibrium:
    """Match regrets in a position in which everybody is to pick; `policies[0]` plays the rest.

    After `rounds` steps of `games` games for each mix, `last_games` games against the mean of the mixes
    tell what each pair wins.
    """
    rules, n = table.rules, table.players
    groups = alike(table, position)
    rows = len(groups)
    row_of = np.array([next(row for row, seats in enumerate(groups) if seat in seats) for seat in range(n)])
    closed = np.zeros((rows, N_PAIRS), bool)
    for row, seats in enumerate(groups):
        closed[row] = rules.pair_mask & ((position[0].jailed >> seats[0] & 1) << KNIGHT) != 0
    even = np.where(closed, 0.0, 1.0)
    even /= even.sum(axis=1, keepdims=True)
    now, regrets, mean = even.copy(), np.zeros_like(even), np.zeros_like(even)

    def values(mixes: np.ndarray, focus: int, first_game: int, count: int) -> list[np.ndarray]:
        sums = running_sums(np.pad(mixes[row_of], ((0, 0), (0, 1))), _FINE)

        def job(first: int, n_games: int, states: np.ndarray, *rest: Any) -> None:
            states[1] = position[0]
            buffer, chance, wins, products = rest
            won = np.zeros(N_PAIRS, np.int64)
            at = first_game + first
            try_pairs(rules, policies, sums, focus, seed, at, n_games, states, buffer, chance, won, wins, products)

        return tries.run(job, count, ((N_PAIRS,), (N_PAIRS, N_PAIRS)))

    for step in range(rounds):
        mean += (step + 1) ** 2 * now
        before = now.copy()
        for row, seats in enumerate(groups):
            focus = seats[step % len(seats)]
            wins, _ = values(before, focus, step * games, games)
            regrets[row] += np.where(closed[row], 0.0, wins - (wins * before[row]).sum())
        np.maximum(regrets, 0.0, out=regrets)
        now = match(regrets, even)
    mean /= mean.sum(axis=1, keepdims=True)
    last = [values(mean, seats[0], rounds * games, last_games) for seats in groups]
    return Equilibrium(
        groups, ~closed, mean, np.array([w for w, _ in last]), np.array([p for _, p in last]), last_games
    )
