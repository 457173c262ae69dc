"""Who wins, how often, and with what: the odds of a scenario."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from analyzer.engine.chance import one_seed
from analyzer.engine.run import Play, Played, Run, empty_tally, play_games, reduce_games
from analyzer.engine.tally import WHOLE_WIN, Tally
from analyzer.scenarios import Scenario
from analyzer.stats.intervals import Estimate, Method, Powers
from analyzer.stats.moments import Moments, moments_of
from analyzer.studies import heading
from analyzer.studies.until import Until, most_games, play_until

RESTRICTED_GAMES = 10_000  # the same deals with and without each card


@dataclass(frozen=True)
class Odds:
    """The answer: tables with intervals, and the tally they come from."""

    scenario: Scenario
    seed: int
    method: Method
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
    verdicts: tuple[tuple[str, str], ...] = ()

    @property
    def n_games(self) -> int:
        return self.tally.n_games

    @property
    def interval(self) -> str:
        return f"{self.method.name}; the rows of a table hold together (Bonferroni); shared wins count in parts"


def budget(scenario: Scenario, games: int | None = None, until: Until | None = None) -> int:
    """Return how many games are played at most."""
    return most_games(scenario, games, until)


def odds(
    scenario: Scenario,
    *,
    seed: int | None = None,
    games: int | None = None,
    until: Until | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Odds:
    """Play a scenario's games and answer in tables."""
    seed = scenario.seed if seed is None else seed
    stop = until or Until(budget(scenario, games))

    def stretch(first: int, count: int) -> Run[Tally]:
        return play_games(
            scenario.table,
            scenario.policies,
            seed,
            count,
            first=first,
            rotate=scenario.rotate,
            threads=threads,
            progress=progress,
        )

    def enough(tally: Tally) -> bool:
        wins = _seat_table(scenario, tally, stop.method)
        half_width = float((wins["win_high"] - wins["win_low"]).max()) / 2
        return stop.enough(half_width, _open_ends(_policy_table(scenario, tally, stop.method)))

    run = play_until(stop, 1, stretch, enough)
    tally = run.result if run.result is not None else empty_tally(scenario.table)
    restricted = None
    if scenario.game.restriction and not run.interrupted:
        restricted = restricted_play(scenario, seed, min(tally.n_games, RESTRICTED_GAMES), threads)
    return answer(scenario, seed, tally, stop.method, run.interrupted, restricted)


def restricted_play(scenario: Scenario, seed: int, games: int, threads: int | None = None) -> pd.DataFrame:
    """Return what each card is worth to the first seat: its wins less those when it never plays the card.

    The same deals are played both ways, and the difference is taken game by game.
    """
    game, key = scenario.game, scenario.game.restriction
    choices = next(p for p in game.parameters if p.key == key).choices  # the first bans nothing
    first, *others = scenario.settings
    plays = [
        Play(
            scenario.table,
            game.encode_policies([{**first, key: choice}, *others]),
            one_seed(seed),
            scenario.rotate,
        )
        for choice in choices
    ]

    def reduce(played: Sequence[Played]) -> Changes:
        wins = np.stack([one.log.win[:, 0] for one in played])
        return Changes(moments_of([win[:, None] for win in wins], 1), (wins != wins[0]).sum(axis=1))

    run = reduce_games(plays, games, reduce, threads=threads, logged=True)
    if run.result is None:
        return pd.DataFrame()
    moments, changed = run.result
    method, at_once = Method(), 2 * (len(choices) - 1)
    worth = []
    for i in range(1, len(choices)):
        (less,) = moments.estimates(method, at_once, i, paired=True, units=[WHOLE_WIN])
        worth.append(less.scaled(-1 / WHOLE_WIN).within(-1.0, 1.0))
    ended = [method.share(int(games), run.n_games, at_once) for games in changed[1:]]
    table = pd.DataFrame(
        {"card": choices[1:], "games": run.n_games} | _columns("worth", worth) | _columns("changed", ended)
    )
    return table.sort_values("worth", ascending=False, kind="stable", ignore_index=True)


class Changes(NamedTuple):
    """Sums over games with and without each card: the wins, and how many games ended otherwise."""

    moments: Moments
    changed: np.ndarray

    def __add__(self, other: Changes) -> Changes:  # type: ignore[override]
        return Changes(self.moments + other.moments, self.changed + other.changed)


def _open_ends(policies: pd.DataFrame) -> int:
    """Return how many neighbours in the order of the policies cannot be told apart yet."""
    return int((policies["win_low"].iloc[:-1].to_numpy() <= policies["win_high"].iloc[1:].to_numpy()).sum())


def answer(
    scenario: Scenario,
    seed: int,
    tally: Tally,
    method: Method,
    interrupted: bool = False,
    restricted: pd.DataFrame | None = None,
) -> Odds:
    """Turn a tally into tables."""
    seats = _seat_table(scenario, tally, method)
    places = _place_table(scenario, tally, method)
    policies = _policy_table(scenario, tally, method)
    return Odds(
        scenario=scenario,
        seed=seed,
        method=method,
        tally=tally,
        interrupted=interrupted,
        seats=seats,
        places=places,
        policies=policies,
        cards=_card_table(scenario, tally, method),
        measures=_measure_table(scenario, tally, method),
        course=_course_table(scenario, tally),
        restricted=pd.DataFrame() if restricted is None else restricted,
        finding=_finding(scenario, policies, places),
    )


def _columns(name: str, estimates: list[Estimate]) -> dict[str, list[float]]:
    return {
        name: [e.estimate for e in estimates],
        f"{name}_low": [e.low for e in estimates],
        f"{name}_high": [e.high for e in estimates],
    }


def _win_and_score(win: np.ndarray, score: np.ndarray, seated: np.ndarray, method: Method) -> dict[str, list[float]]:
    """Return the columns for rows of sums of powers and their numbers of games."""
    k = 2 * len(win)
    wins = [method.share(int(w[0]) / WHOLE_WIN, int(n), k) for w, n in zip(win, seated, strict=True)]
    scores = [method.mean(Powers(int(n), *map(int, x)), k) for x, n in zip(score, seated, strict=True)]
    return _columns("win", wins) | _columns("score", scores)


def _seat_table(scenario: Scenario, tally: Tally, method: Method) -> pd.DataFrame:
    columns = _win_and_score(tally.win.sum(axis=1), tally.score.sum(axis=1), tally.seated.sum(axis=1), method)
    return pd.DataFrame({"seat": range(1, len(scenario.seats) + 1), "policy": scenario.seats} | columns)


def _place_table(scenario: Scenario, tally: Tally, method: Method) -> pd.DataFrame:
    """Places round the table, whoever sits there; telling only where seats rotate."""
    columns = _win_and_score(tally.win.sum(axis=0), tally.score.sum(axis=0), tally.seated.sum(axis=0), method)
    return pd.DataFrame({"place": range(1, len(scenario.seats) + 1)} | columns)


def _policy_table(scenario: Scenario, tally: Tally, method: Method) -> pd.DataFrame:
    """Each policy's win odds per seat it holds: the interval is that of all its seats together."""
    names = list(dict.fromkeys(scenario.seats))
    by_entrant = tally.win[:, :, 0].sum(axis=1)
    estimates, n_seats = [], []
    for name in names:
        mine = [i for i, seat in enumerate(scenario.seats) if seat == name]
        whole = method.share(int(by_entrant[mine].sum()) / WHOLE_WIN, tally.n_games, len(names))
        estimates.append(whole.scaled(1 / len(mine)))
        n_seats.append(len(mine))
    table = pd.DataFrame({"policy": names, "seats": n_seats} | _columns("win", estimates))
    return table.sort_values("win", ascending=False, kind="stable", ignore_index=True)


def _card_table(scenario: Scenario, tally: Tally, method: Method) -> pd.DataFrame:
    held = tally.held.sum(axis=(1, 2))
    shown = [c for c in range(len(held)) if held[c]]
    cards = [scenario.table.cards[c] for c in shown]
    k = 2 * max(1, len(shown))
    wins = [method.share(int(tally.held_win[c].sum()) / WHOLE_WIN, int(held[c]), k) for c in shown]
    earned = [method.mean(Powers(int(held[c]), *map(int, tally.earned[c])), k) for c in shown]
    table = pd.DataFrame(
        {
            "kind": [card.group for card in cards],
            "card": [card.name for card in cards],
            "origin": [card.origin for card in cards],
            "games": [int(held[c]) for c in shown],
        }
        | _columns("win", wins)
        | _columns(scenario.game.score_name, earned)
    )
    return table.sort_values(["kind", "win"], ascending=[True, False], kind="stable", ignore_index=True)


def _measure_table(scenario: Scenario, tally: Tally, method: Method) -> pd.DataFrame:
    """Return the means of what a game counts; a share's interval follows from those of the two means."""
    measures = scenario.game.measures
    means = [
        method.mean(Powers(tally.n_games, *map(int, row)), len(measures)).within(0.0, math.inf) for row in tally.counts
    ]
    by_key = {m.key: mean for m, mean in zip(measures, means, strict=True)}
    shares = [
        _ratio(mean, by_key[m.share_of]) if m.share_of else _NO_SHARE for m, mean in zip(measures, means, strict=True)
    ]
    return pd.DataFrame(
        {"measure": [m.key for m in measures], "meaning": [m.title for m in measures]}
        | _columns("per_game", means)
        | _columns("share", shares)
        | {"share_of": [m.share_of for m in measures]}
    )


_NO_SHARE = Estimate(math.nan, math.nan, math.nan)


def _ratio(part: Estimate, whole: Estimate) -> Estimate:
    """Return a part's share of the whole: where the intervals of both hold, so does this one."""
    if not whole.estimate:
        return _NO_SHARE
    most = part.high / whole.low if whole.low > 0 else 1.0
    return Estimate(part.estimate / whole.estimate, part.low / whole.high, most).within(0.0, 1.0)


def _course_table(scenario: Scenario, tally: Tally) -> pd.DataFrame:
    """The mean score of each entrant at each checkpoint: plain means, for the eye."""
    step = scenario.game.checkpoint_name
    rows = [
        {step: c + 1, "seat": e + 1, "policy": policy, "score": tally.course[c, e] / max(1, tally.n_games)}
        for c in range(len(tally.course))
        for e, policy in enumerate(scenario.seats)
    ]
    return pd.DataFrame(rows)


def _finding(scenario: Scenario, policies: pd.DataFrame, places: pd.DataFrame) -> str:
    """Say in a sentence what the table shows, and only what its intervals bear out."""
    fair = 1 / len(scenario.seats)
    if len(policies) == 1:
        ranked = places.sort_values("win")
        most, least = ranked.iloc[-1], ranked.iloc[0]
        if most.win_low > least.win_high:
            told = (
                f"place {most.place:z.0f} wins most, {most.win:z.1%}, place {least.place:z.0f} least, {least.win:z.1%}"
            )
        else:
            told = f"no place can be told from another, {least.win:z.1%} to {most.win:z.1%}"
        return f"All seats play {policies.policy[0]}: {told} (fair share {fair:z.1%})."
    best, second = policies.iloc[0], policies.iloc[1]
    leads = best.win_low > second.win_high
    tail = f"{best.win:z.1%} of the games per seat (fair share {fair:z.1%})"
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

    return heading(result) | {
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
                {"share": part(row, "share"), "share_of": row["share_of"]}
                if row["share_of"] and row["share"] == row["share"]
                else {}
            )
            for row in result.measures.to_dict("records")
        ],
        "restricted": [
            {"card": row["card"], "games": row["games"], "worth": part(row, "worth"), "changed": part(row, "changed")}
            for row in result.restricted.to_dict("records")
        ],
        "shared_wins": int(result.tally.games[1]),
        "without_winner": int(result.tally.games[2]),
        "moves": int(result.tally.moves[0]),
        "interval": result.interval,
    }
