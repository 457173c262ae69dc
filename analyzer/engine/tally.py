"""Counts of played games: integers only, so that they add up the same in any order; and logs, game by game.

An *entrant* is a line of the scenario's `seats`; where seats rotate, an entrant sits elsewhere each
game. Wins are counted in units of 1/2520 of a game (2520 is divisible by 1 to 10), so a shared win
is exact too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analyzer.engine.jit import jit

WHOLE_WIN = 2520


class Row(NamedTuple):
    """The result of one game, filled by the verb `outcome` (int64 arrays)."""

    win: np.ndarray  # [seat] in units of 1/2520
    score: np.ndarray  # [seat]
    course: np.ndarray  # [checkpoint, seat] the scores on the way
    counts: np.ndarray  # [measure]
    held: np.ndarray  # [card, seat] whether the seat had the card; cleared before each game
    earned: np.ndarray  # [card, seat] what it earned there
    first: np.ndarray  # [1] the seat that is place 1, the others following round the table; 0 before each game


class Tally(NamedTuple):
    """Sums over games; a last axis holds the sum, that of squares and, where it has 3, that of cubes (int64 arrays)."""

    games: np.ndarray  # [3] played, with a shared win, without a winner
    moves: np.ndarray  # [2] decisions taken, with one option only
    seated: np.ndarray  # [entrant, place] games
    win: np.ndarray  # [entrant, place, 2]
    score: np.ndarray  # [entrant, place, 3]
    course: np.ndarray  # [checkpoint, entrant]
    counts: np.ndarray  # [measure, 3]
    held: np.ndarray  # [card, entrant, place] games
    held_win: np.ndarray  # [card, entrant, place] wins of those who had it
    earned: np.ndarray  # [card, 3]

    def __add__(self, other: Tally) -> Tally:  # type: ignore[override]
        return Tally(*(a + b for a, b in zip(self, other, strict=True)))

    @property
    def n_games(self) -> int:
        return int(self.games[0])


class Log(NamedTuple):
    """What each game of a chunk gave, for studies of pairs and of the course (int32 arrays)."""

    win: np.ndarray  # [game, entrant] in units of 1/2520
    score: np.ndarray  # [game, entrant]
    course: np.ndarray  # [game, checkpoint, entrant]
    counts: np.ndarray  # [game, measure]
    first: np.ndarray  # [game] the entrant on place 1


def new_row(players: int, checkpoints: int, n_measures: int, n_cards: int) -> Row:
    """Return an empty result row."""
    return Row(
        win=np.zeros(players, np.int64),
        score=np.zeros(players, np.int64),
        course=np.zeros((checkpoints, players), np.int64),
        counts=np.zeros(n_measures, np.int64),
        held=np.zeros((n_cards, players), np.int64),
        earned=np.zeros((n_cards, players), np.int64),
        first=np.zeros(1, np.int64),
    )


def new_tally(players: int, checkpoints: int, n_measures: int, n_cards: int) -> Tally:
    """Return a tally of no games."""
    return Tally(
        games=np.zeros(3, np.int64),
        moves=np.zeros(2, np.int64),
        seated=np.zeros((players, players), np.int64),
        win=np.zeros((players, players, 2), np.int64),
        score=np.zeros((players, players, 3), np.int64),
        course=np.zeros((checkpoints, players), np.int64),
        counts=np.zeros((n_measures, 3), np.int64),
        held=np.zeros((n_cards, players, players), np.int64),
        held_win=np.zeros((n_cards, players, players), np.int64),
        earned=np.zeros((n_cards, 3), np.int64),
    )


def new_log(games: int, players: int, checkpoints: int, n_measures: int) -> Log:
    """Return a log for so many games; one for 0 games is never written to."""
    return Log(
        win=np.zeros((games, players), np.int32),
        score=np.zeros((games, players), np.int32),
        course=np.zeros((games, checkpoints, players), np.int32),
        counts=np.zeros((games, n_measures), np.int32),
        first=np.zeros(games, np.int32),
    )


@jit
def add_powers(sums, value):
    """Add a value, its square and its cube to their sums (modifies `sums`)."""
    sums[0] += value
    sums[1] += value * value
    sums[2] += value * value * value


@jit
def count_game(tally, row, shift):
    """Add one game in which entrant e sat on seat (e + shift) mod n (modifies `tally`)."""
    n = row.win.shape[0]
    tally.games[0] += 1
    shared = won = False
    for entrant in range(n):
        seat = (entrant + shift) % n
        win, score = row.win[seat], row.score[seat]
        shared |= 0 < win < WHOLE_WIN
        won |= win > 0
        place = (seat - row.first[0] + n) % n
        tally.seated[entrant, place] += 1
        tally.win[entrant, place, 0] += win
        tally.win[entrant, place, 1] += win * win
        add_powers(tally.score[entrant, place], score)
        for c in range(row.course.shape[0]):
            tally.course[c, entrant] += row.course[c, seat]
    if shared:
        tally.games[1] += 1
    if not won:
        tally.games[2] += 1
    for m in range(row.counts.shape[0]):
        add_powers(tally.counts[m], row.counts[m])
    for seat in range(n):  # without a branch: who has which card cannot be foreseen
        entrant, place = (seat - shift + n) % n, (seat - row.first[0] + n) % n
        for c in range(row.held.shape[0]):
            held = row.held[c, seat]
            tally.held[c, entrant, place] += held
            tally.held_win[c, entrant, place] += held * row.win[seat]
            add_powers(tally.earned[c], held * row.earned[c, seat])


@jit
def log_game(log, at, row, shift):
    """Write one game down as entry `at` (modifies `log`)."""
    n = row.win.shape[0]
    log.first[at] = (row.first[0] - shift + n) % n
    for entrant in range(n):
        seat = (entrant + shift) % n
        log.win[at, entrant] = row.win[seat]
        log.score[at, entrant] = row.score[seat]
        for c in range(row.course.shape[0]):
            log.course[at, c, entrant] = row.course[c, seat]
    for m in range(row.counts.shape[0]):
        log.counts[at, m] = row.counts[m]
