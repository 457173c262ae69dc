"""Who wins, how often, and with what: the odds of a scenario."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analyzer.engine.run import play_games, wins_of_games
from analyzer.engine.tally import WHOLE_WIN, Tally
from analyzer.scenario import Scenario
from analyzer.stats.intervals import Estimate, mean_interval, wilson, z_value

CONFIDENCE = 0.95
RESTRICTED_GAMES = 10_000  # the same deals with and without each card


@dataclass(frozen=True)
class Odds:
    """The answer: tables with intervals, and the tally they come from."""

    scenario: Scenario
    seed: int
    tally: Tally
    interrupted: bool
    seats: pd.DataFrame
    places: pd.DataFrame
    policies: pd.DataFrame
    cards: pd.DataFrame
    measures: pd.DataFrame
    course: pd.DataFrame
    restricted: pd.DataFrame
    finding: str

    @property
    def n_games(self) -> int:
        return self.tally.n_games

    @property
    def interval(self) -> str:
        return (
            "wilson 95% for wins, normal 95% for means; the rows of a table hold together (Bonferroni); "
            "shared wins count in parts"
        )


def odds(
    scenario: Scenario,
    *,
    seed: int | None = None,
    games: int | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Odds:
    """Play a scenario's games and answer in tables."""
    seed = scenario.seed if seed is None else seed
    run = play_games(
        scenario.table,
        scenario.policies,
        seed,
        games or scenario.games,
        rotate=scenario.rotate,
        threads=threads,
        progress=progress,
    )
    restricted = pd.DataFrame()
    if scenario.game.restriction and not run.interrupted:
        restricted = restricted_play(scenario, seed, min(games or scenario.games, RESTRICTED_GAMES), threads)
    return answer(scenario, seed, run.tally, run.interrupted, restricted)


def restricted_play(scenario: Scenario, seed: int, games: int, threads: int | None = None) -> pd.DataFrame:
    """Return what each card is worth to the first seat: its wins less those when it never plays the card.

    The same deals are played both ways, and the difference is taken game by game.
    """
    game, key = scenario.game, scenario.game.restriction
    parameter = next(p for p in game.parameters if p.key == key)
    free, *banned = parameter.choices

    def wins(choice: str) -> np.ndarray:
        first, *others = scenario.settings
        policies = game.encode_policies([{**first, key: choice}, *others])
        return wins_of_games(scenario.table, policies, seed, games, rotate=scenario.rotate, threads=threads)[:, 0]

    with_all = wins(free)
    z = z_value(CONFIDENCE, len(banned))
    worth, changed = [], []
    for choice in banned:
        difference = with_all - wins(choice)
        total, squares = int(difference.sum()), int((difference * difference).sum())
        span = mean_interval(total, squares, games, z)
        worth.append(Estimate(*(value / WHOLE_WIN for value in span)))
        changed.append(float((difference != 0).mean()))
    table = pd.DataFrame({"card": banned, "games": games} | _columns("worth", worth) | {"changed": changed})
    return table.sort_values("worth", ascending=False, kind="stable", ignore_index=True)


def answer(
    scenario: Scenario,
    seed: int,
    tally: Tally,
    interrupted: bool = False,
    restricted: pd.DataFrame | None = None,
) -> Odds:
    """Turn a tally into tables."""
    seats = _seat_table(scenario, tally)
    policies = _policy_table(scenario, tally)
    return Odds(
        scenario=scenario,
        seed=seed,
        tally=tally,
        interrupted=interrupted,
        seats=seats,
        places=_place_table(scenario, tally),
        policies=policies,
        cards=_card_table(scenario, tally),
        measures=_measure_table(scenario, tally),
        course=_course_table(scenario, tally),
        restricted=pd.DataFrame() if restricted is None else restricted,
        finding=_finding(scenario, policies),
    )


def _columns(name: str, estimates: list[Estimate]) -> dict[str, list[float]]:
    return {
        name: [e.estimate for e in estimates],
        f"{name}_low": [e.low for e in estimates],
        f"{name}_high": [e.high for e in estimates],
    }


def _win_and_score(win: np.ndarray, score: np.ndarray, seated: np.ndarray) -> dict[str, list[float]]:
    """Return the columns for rows of [sum, sum of squares] and their numbers of games."""
    z = z_value(CONFIDENCE, len(win))
    wins = [wilson(int(w[0]) / WHOLE_WIN, int(n), z) for w, n in zip(win, seated, strict=True)]
    scores = [mean_interval(int(x[0]), int(x[1]), int(n), z) for x, n in zip(score, seated, strict=True)]
    return _columns("win", wins) | _columns("score", scores)


def _seat_table(scenario: Scenario, tally: Tally) -> pd.DataFrame:
    columns = _win_and_score(tally.win.sum(axis=1), tally.score.sum(axis=1), tally.seated.sum(axis=1))
    return pd.DataFrame({"seat": range(1, len(scenario.seats) + 1), "policy": scenario.seats} | columns)


def _place_table(scenario: Scenario, tally: Tally) -> pd.DataFrame:
    """Places round the table, whoever sits there; telling only where seats rotate."""
    columns = _win_and_score(tally.win.sum(axis=0), tally.score.sum(axis=0), tally.seated.sum(axis=0))
    return pd.DataFrame({"place": range(1, len(scenario.seats) + 1)} | columns)


def _policy_table(scenario: Scenario, tally: Tally) -> pd.DataFrame:
    """Each policy's win odds per seat it holds: the interval is that of all its seats together."""
    names = list(dict.fromkeys(scenario.seats))
    z = z_value(CONFIDENCE, len(names))
    by_entrant = tally.win[:, :, 0].sum(axis=1)
    estimates, n_seats = [], []
    for name in names:
        mine = [i for i, seat in enumerate(scenario.seats) if seat == name]
        whole = wilson(int(by_entrant[mine].sum()) / WHOLE_WIN, tally.n_games, z)
        estimates.append(Estimate(*(value / len(mine) for value in whole)))
        n_seats.append(len(mine))
    table = pd.DataFrame({"policy": names, "seats": n_seats} | _columns("win", estimates))
    return table.sort_values("win", ascending=False, kind="stable", ignore_index=True)


def _card_table(scenario: Scenario, tally: Tally) -> pd.DataFrame:
    cards = [(card, row) for card, row in zip(scenario.table.cards, tally.cards, strict=True) if row[0]]
    z = z_value(CONFIDENCE, max(1, len(cards)))
    wins = [wilson(int(row[1]) / WHOLE_WIN, int(row[0]), z) for _, row in cards]
    earned = [mean_interval(int(row[3]), int(row[4]), int(row[0]), z) for _, row in cards]
    table = pd.DataFrame(
        {
            "kind": [card.group for card, _ in cards],
            "card": [card.name for card, _ in cards],
            "origin": [card.origin for card, _ in cards],
            "games": [int(row[0]) for _, row in cards],
        }
        | _columns("win", wins)
        | _columns(scenario.game.score_name, earned)
    )
    return table.sort_values(["kind", "win"], ascending=[True, False], kind="stable", ignore_index=True)


def _measure_table(scenario: Scenario, tally: Tally) -> pd.DataFrame:
    z = z_value(CONFIDENCE)
    measures = scenario.game.measures
    means = [mean_interval(int(row[0]), int(row[1]), tally.n_games, z) for row in tally.counts]
    sums = {m.key: int(row[0]) for m, row in zip(measures, tally.counts, strict=True)}
    shares = [sums[m.key] / sums[m.share_of] if m.share_of and sums[m.share_of] else np.nan for m in measures]
    return pd.DataFrame(
        {"measure": [m.key for m in measures], "meaning": [m.title for m in measures]}
        | _columns("per_game", means)
        | {"share": shares, "share_of": [m.share_of for m in measures]}
    )


def _course_table(scenario: Scenario, tally: Tally) -> pd.DataFrame:
    """The mean score of each entrant at each checkpoint."""
    step = scenario.game.checkpoint_name
    rows = [
        {step: c + 1, "seat": e + 1, "policy": policy, "score": tally.course[c, e] / max(1, tally.n_games)}
        for c in range(len(tally.course))
        for e, policy in enumerate(scenario.seats)
    ]
    return pd.DataFrame(rows)


def _finding(scenario: Scenario, policies: pd.DataFrame) -> str:
    """Say in a sentence what the table shows, and only what its intervals bear out."""
    fair = 1 / len(scenario.seats)
    if len(policies) == 1:
        return f"All seats play {policies.policy[0]}: each wins {fair:.1%} by symmetry of the rotated seats."
    best, second = policies.iloc[0], policies.iloc[1]
    leads = best.win_low > second.win_high
    tail = f"{best.win:.1%} of the games per seat (fair share {fair:.1%})"
    if leads:
        return f"{best.policy} wins most: {tail}."
    level = [str(row.policy) for row in policies.itertuples() if row.win_high >= best.win_low]
    return f"{', '.join(level[:-1])} and {level[-1]} cannot be told apart at the top; {best.policy} has {tail}."


def as_json(result: Odds) -> dict[str, Any]:
    """Return the answer as one document."""
    scenario = result.scenario
    score = scenario.game.score_name

    def part(row: Any, name: str, mean: str = "estimate") -> dict[str, float]:
        return {mean: row[name], "low": row[f"{name}_low"], "high": row[f"{name}_high"]}

    def rows(table: pd.DataFrame, keys: list[str]) -> list[dict[str, Any]]:
        return [
            {key: row[key] for key in keys} | {"win": part(row, "win"), "score": part(row, "score", "mean")}
            for row in table.to_dict("records")
        ]

    return {
        "game": scenario.game.name,
        "scenario": scenario.name,
        "seed": result.seed,
        "games": result.n_games,
        "interrupted": result.interrupted,
        "finding": result.finding,
        "seats": rows(result.seats, ["seat", "policy"]),
        "places": rows(result.places, ["place"]),
        "policies": [
            {"policy": row["policy"], "seats": row["seats"], "win": part(row, "win")}
            for row in result.policies.to_dict("records")
        ],
        "cards": [
            {key: row[key] for key in ("kind", "card", "origin", "games")}
            | {"win": part(row, "win"), score: part(row, score, "mean")}
            for row in result.cards.to_dict("records")
        ],
        "measures": [
            {"measure": row["measure"], "per_game": part(row, "per_game", "mean")}
            | (
                {"share": row["share"], "share_of": row["share_of"]}
                if row["share_of"] and row["share"] == row["share"]
                else {}
            )
            for row in result.measures.to_dict("records")
        ],
        "restricted": [
            {"card": row["card"], "games": row["games"], "worth": part(row, "worth"), "changed": row["changed"]}
            for row in result.restricted.to_dict("records")
        ],
        "shared_wins": int(result.tally.games[1]),
        "without_winner": int(result.tally.games[2]),
        "moves": int(result.tally.moves[0]),
        "interval": result.interval,
    }
