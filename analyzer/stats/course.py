"""The course of games, from the scores at checkpoints: leads, comebacks, snowballs, how early the winner is known.

All take arrays of whole numbers, `course[game, checkpoint, player]` and `win[game, player]`, and know
nothing else of the game; so they hold for any number of players and for picks made in secret.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from analyzer.stats.intervals import Estimate, Method

MOST_LEAD = 32  # leads are told apart up to so many points; larger ones count as this
PART = 32  # games in a part: the observations of the snowball's slope
_PARTS = 20  # of few games at least so many, of 4 games or more each


def leads(course: np.ndarray) -> np.ndarray:
    """Return by how much each player is ahead of the best of the others (negative: behind)."""
    ordered = np.sort(course, axis=-1)
    best, second = ordered[..., -1:], ordered[..., -2:-1]
    return np.where(course == best, course - second, course - best)


def at_half_time(values: np.ndarray, played: np.ndarray) -> np.ndarray:
    """Return `values[game, checkpoint, player]` at half-time of each game, of so many checkpoints played."""
    half = np.maximum(0, (played + 1) // 2 - 1)
    return np.take_along_axis(values, half[:, None, None], axis=1)[:, 0]


def lead_changes(lead: np.ndarray) -> np.ndarray:
    """Return for each game how often the lead went to players none of whom had it a checkpoint before."""
    leading = lead >= 0
    kept = (leading[:, 1:] & leading[:, :-1]).any(axis=-1)
    return (~kept).sum(axis=1)


def drama(lead: np.ndarray, win: np.ndarray) -> np.ndarray:
    """Return for each game how far its winner was behind at worst, before the last checkpoint.

    Of several winners the one who had it easiest counts; a game without a winner has none.
    """
    behind = np.maximum(0, -lead[:, :-1]).max(axis=1, initial=0)
    return _least_of_winners(behind, win, 0)


def certainty(lead: np.ndarray, win: np.ndarray) -> np.ndarray:
    """Return for each game the checkpoint, from 1, from which its winner led alone to the end.

    A winner who does not lead alone at the last checkpoint is known only after it, and so is that there is none.
    """
    alone = lead > 0
    to_the_end = np.flip(np.cumprod(np.flip(alone, axis=1), axis=1, dtype=np.int64), axis=1)
    known = lead.shape[1] - to_the_end.sum(axis=1) + 1
    return _least_of_winners(known, win, lead.shape[1] + 1)


def _least_of_winners(values: np.ndarray, win: np.ndarray, without: int) -> np.ndarray:
    """Return each game's least value among its winners, or `without` where nobody won."""
    least = np.where(win > 0, values, np.iinfo(np.int32).max).min(axis=-1)
    return np.where((win > 0).any(axis=-1), least, without)


def won_from_behind(lead: np.ndarray, win: np.ndarray) -> np.ndarray:
    """Return for each game the part of the win that went to players who were behind then: `lead[game, player]`."""
    return np.where(lead < 0, win, 0).sum(axis=-1)


def margin(score: np.ndarray) -> np.ndarray:
    """Return for each game the distance of the best score from the second."""
    ordered = np.sort(score, axis=-1)
    return ordered[:, -1] - ordered[:, -2]


class Course(NamedTuple):
    """Sums over games; they add up in order."""

    standing: np.ndarray  # [checkpoint, lead + MOST_LEAD, 2] players there, their wins (whole numbers)
    half: np.ndarray  # [lead + MOST_LEAD, 2] the same at each game's half-time
    slope: np.ndarray  # [checkpoint, or all of them, 5] sums over parts: xy, xx, and their squares and product
    parts: int

    def __add__(self, other: Course) -> Course:  # type: ignore[override]
        return Course(
            self.standing + other.standing, self.half + other.half, self.slope + other.slope, self.parts + other.parts
        )


def course_of(course: np.ndarray, lead: np.ndarray, win: np.ndarray, played: np.ndarray) -> Course:
    """Return the sums of a chunk of games; `played[game]` checkpoints each."""
    standing = np.array([_standing(lead[:, c], win) for c in range(course.shape[1])])
    parts = max(1, len(course) // PART, min(_PARTS, len(course) // 4))
    pieces = zip(np.array_split(course, parts), np.array_split(played, parts), strict=True)
    slope = sum(_slope_sums(part.astype(float), length) for part, length in pieces)
    return Course(standing, _standing(at_half_time(lead, played), win), np.asarray(slope), parts)


def _standing(lead: np.ndarray, win: np.ndarray) -> np.ndarray:
    """Count players and their wins by lead [lead + MOST_LEAD, 2], from `lead[game, player]`."""
    at, size = (np.clip(lead, -MOST_LEAD, MOST_LEAD) + MOST_LEAD).ravel(), 2 * MOST_LEAD + 1
    wins = np.bincount(at, weights=win.ravel(), minlength=size).astype(np.int64)
    return np.stack([np.bincount(at, minlength=size), wins], axis=1)


def _slope_sums(course: np.ndarray, played: np.ndarray) -> np.ndarray:
    """Return the sums for the slope of the next gain on the lead over the mean of the others.

    Both are taken from each player's own mean over the games: a better player leads more and gains
    more, and that alone is no snowball. Games that are over do not count.
    """
    n = course.shape[-1]
    goes_on = (np.arange(1, course.shape[1]) < played[:, None])[:, :, None]
    ahead = (course - course.mean(axis=-1, keepdims=True)) * n / (n - 1)
    x, y = (_from_mean(values, goes_on) for values in (ahead[:, :-1], np.diff(course, axis=1)))
    xy, xx = ((x * z).sum(axis=(0, 2)) for z in (y, x))
    xy, xx = np.append(xy, xy.sum()), np.append(xx, xx.sum())
    return np.stack([xy, xx, xy * xy, xy * xx, xx * xx], axis=1)


def _from_mean(values: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Return values less their mean over the games that count, and 0 for the others."""
    mean = (values * counts).sum(axis=0) / np.maximum(1, counts.sum(axis=0))
    return (values - mean) * counts


def snowball(course: Course, checkpoint: int, method: Method, at_once: int = 1) -> Estimate:
    """Return the points that a point of lead at a checkpoint (-1: at any) brings by the next one.

    A ratio of sums; its variance comes from how the parts of the games differ.
    """
    xy, xx, xy2, xyxx, xx2 = course.slope[checkpoint]
    if xx <= 0:
        return Estimate(float("nan"), float("-inf"), float("inf"))
    value = xy / xx
    spread = max(0.0, xy2 - 2 * value * xyxx + value * value * xx2)  # over parts, of (xy - value * xx) squared
    parts = course.parts
    variance = spread / (xx * xx) * parts * parts / max(1, parts - 1)
    reach = method.reach(variance, parts, at_once, unit=0.0)
    return Estimate(value, value - reach, value + reach)


class Known(NamedTuple):
    """How much of the question who wins is answered at a checkpoint: 0 nothing, 1 all of it."""

    share: float
    variance: float  # of one game's answer


def known(standing: np.ndarray, players: int, least: int = 50) -> Known:
    """Return the share of the entropy of `player wins` that the lead at a checkpoint takes away.

    `standing[lead, 2]` holds players and wins in parts of one. Leads seen fewer than `least` times
    are put together with their neighbours nearer to 0.
    """
    counts = _put_together(standing, least)
    n, p = counts[:, 0], counts[:, 1] / counts[:, 0]
    p = np.clip(p, 1e-12, 1 - 1e-12)
    yes, no = -np.log2(p), -np.log2(1 - p)
    total = n.sum()
    loss = (n * (p * yes + (1 - p) * no)).sum() / total
    square = (n * (p * yes**2 + (1 - p) * no**2)).sum() / total
    fair = 1 / players
    prior = -fair * np.log2(fair) - (1 - fair) * np.log2(1 - fair)
    return Known(float(1 - loss / prior), float(max(0.0, square - loss**2) / prior**2))


def _put_together(standing: np.ndarray, least: int) -> np.ndarray:
    """Return the rows with rare leads added to the next one towards 0."""
    rows = standing.astype(float)
    middle = len(rows) // 2
    for steps in (range(middle), range(len(rows) - 1, middle, -1)):
        for i in steps:
            if 0 < rows[i, 0] < least:
                rows[i + (1 if i < middle else -1)] += rows[i]
                rows[i] = 0
    return rows[rows[:, 0] > 0]
