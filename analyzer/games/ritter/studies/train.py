"""How to train a knight: every way to spend the first points, and the best order of points over the days."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from analyzer.answer import Answer, Table, estimate, estimate_in
from analyzer.games.ritter.cards import short
from analyzer.games.ritter.rider import read_points, write_rider
from analyzer.games.ritter.season import play_season
from analyzer.games.ritter.studies.entrants import read_yield, ritter_scenario
from analyzer.games.ritter.studies.plans import TIP
from analyzer.games.ritter.studies.training import (
    BEST,
    LEVEL,
    WORSE,
    Training,
    most_tournaments,
    row_of,
    train_knight,
    with_knight,
)
from analyzer.games.ritter.studies.training_tables import (
    allocation_table,
    allocations_of_all,
    field_in_words,
    field_table,
    is_told,
    knight_table,
    note_on_games,
    odds_of_all,
    plan_table,
    plans_of_all,
    those_level,
    written,
)
from analyzer.scenarios import Scenario
from analyzer.stats.intervals import Estimate
from analyzer.study import Question

DEFAULT_GAMES = 100_000
FIELD_TRAIN, YIELD_AT = "mounted,mounted", "7"
_NOT_KNOWN = Estimate(float("nan"), float("nan"), float("nan"))


def read(
    knight: str, scenario: str, rule: Sequence[str], field_train: str, yield_at: str, games: int, seed: int | None
) -> Question:
    """Read whose training is asked about; a wrong knight is refused before anything is compiled."""
    asked = ritter_scenario(scenario, rule)
    label = ""
    if knight:
        own, card = with_knight(asked, knight)
        label = short(own.table.deck.knights[card].name)
    read_points(field_train)
    read_yield(yield_at)
    options = {"knight": knight, "field_train": field_train, "yield_at": yield_at, "games": games, "seed": seed}
    return Question(asked, asked, options, label, drivers=(play_season,))


def plan(scenario: Scenario, knight: str = "", games: int = DEFAULT_GAMES, **others: Any) -> int:
    """Return how many tournaments are played at most."""
    return sum(most_tournaments(scenario, name, games) for name in _names(scenario, knight))


def train(
    scenario: Scenario,
    knight: str = "",
    *,
    field_train: str = FIELD_TRAIN,
    yield_at: str = YIELD_AT,
    games: int = DEFAULT_GAMES,
    seed: int | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Answer:
    """Rank every first training of a knight, or of each, and race plans for the season.

    An interruption leaves the knights, and the stages of the last one's races, that were played whole.
    """
    seed = scenario.seed if seed is None else seed
    found: list[Training] = []
    try:
        for name in _names(scenario, knight):
            one = train_knight(
                scenario, name, field_training=read_points(field_train), yields_at=read_yield(yield_at),
                seed=seed, games=games, threads=threads, progress=progress,
            )  # fmt: skip
            found.append(one)
            if one.interrupted:
                break
    except KeyboardInterrupt:
        if not found:
            raise
    field = {"training": list(read_points(field_train)), "yields_at": yield_at}
    return _of_one(scenario, found[0], field, seed) if knight else _of_all(scenario, found, field, seed)


def _names(scenario: Scenario, knight: str) -> list[str]:
    return [knight] if knight else [short(card.name) for card in scenario.table.deck.knights]


# One knight


def _of_one(scenario: Scenario, found: Training, field: dict[str, Any], seed: int) -> Answer:
    strength = write_rider(found.rider)
    points = int(scenario.table.rules.training_points)
    return _answer(
        scenario,
        found.name if found.name == strength else f"{found.name} ({strength})",
        "Where do the training points go, and in what order?",
        _finding(found),
        [
            allocation_table(found, points, note_on_games(seed), field_in_words(field)),
            field_table(found, field_in_words(field)),
            *([plan_table(found, scenario, note_on_games(seed))] if len(found.plans) else []),
        ],
        [found],
        found.interrupted,
        seed,
        {"knight": found.name, "strength": strength, "points": points, "field": field},
    )


def _answer(
    scenario: Scenario,
    whom: str,
    question: str,
    finding: str,
    tables: Sequence[Table],
    found: Sequence[Training],
    is_cut: bool,
    seed: int,
    facts: dict[str, Any],
) -> Answer:
    played = sum(one.played for one in found)
    cut = " It was interrupted: what had been played whole until then is reported." if is_cut else ""
    return Answer(
        study="train",
        scenario=scenario,
        title=f"Training {whom}",
        question=question,
        finding=finding,
        tables=tuple(tables),
        method=f"{played:,} tournaments, seed {seed}.{cut} Trainings and plans race on the same deals and dice; "
        "comparisons are paired over blocks of games and pay for all pairs and looks of a race (Bonferroni, 95%). The "
        "search over plans is successive halving; its finalists are compared on fresh games.",
        seed=seed,
        n_games=played,
        interrupted=is_cut,
        notes=tuple(scenario.caveats),
        facts=facts,
    )


def _finding(found: Training) -> str:
    table = found.allocations
    best, by_odds = table.iloc[0], table.sort_values("odds_rank", kind="stable").iloc[0]
    told = "" if is_told(table) else " at most; they cannot be told apart"
    return (
        f"{found.name} trains {those_level(table, 'training')} first ({best.win:z.1%} of tournaments{told}); "
        f"by exact odds alone {by_odds.training}. {_season_finding(found.plans)}"
    )


def _season_finding(plans: pd.DataFrame) -> str:
    if not len(plans):
        return "The plans for the season were not reached."
    tip = row_of(plans, TIP)
    behind = estimate_in(tip, "behind").scaled(100)
    points = f"{behind.estimate:z.1f} points ({behind.low:z.1f} to {behind.high:z.1f})"
    against = {
        BEST: "",
        LEVEL: "; the rulebook's tip cannot be told from the best",
        WORSE: f"; the rulebook's tip is {points} behind {written(plans.plan[0])}",
    }[tip.verdict]
    told = "" if is_told(plans) else ", which cannot be told apart"
    return f"Season: {those_level(plans, 'plan')}{told}{against}."


# Every knight of the deck


def _of_all(scenario: Scenario, found: Sequence[Training], field: dict[str, Any], seed: int) -> Answer:
    is_cut = len(found) < len(scenario.table.deck.knights) or found[-1].interrupted
    knights = pd.DataFrame([_summary(one) for one in found])
    with_plans = [one for one in found if len(one.plans)]
    winner = _winner(knights.dropna(subset=["plan_win"]))
    tables = [
        knight_table(scenario, knights, winner, seed),
        allocations_of_all(found),
        odds_of_all(found, field_in_words(field)),
    ]
    if with_plans:
        tables.append(plans_of_all(scenario, with_plans, seed))
    return _answer(
        scenario,
        "every knight of the deck",
        "Where do the training points go, knight by knight?",
        _finding_of_all(with_plans, winner),
        tables,
        found,
        is_cut,
        seed,
        {"field": field},
    )


def _summary(found: Training) -> dict[str, Any]:
    """Return the line of one knight."""
    table = found.allocations
    plan = found.plans.iloc[0] if len(found.plans) else None
    return (
        {"knight": found.name, "strength": write_rider(found.rider), "training": table.training[0]}
        | estimate("win", estimate_in(table.iloc[0], "win"))
        | {"tied": int((table["verdict"] == LEVEL).sum()), "plan": "" if plan is None else plan.points}
        | estimate("plan_win", _NOT_KNOWN if plan is None else estimate_in(plan, "win"))
        | estimate("tip_behind", _NOT_KNOWN if plan is None else estimate_in(row_of(found.plans, TIP), "behind"))
    )


def _finding_of_all(found: Sequence[Training], winner: str) -> str:
    if not found:
        return "The plans for the season were not reached."
    better = [one.name for one in found if row_of(one.plans, TIP).verdict == WORSE]
    told = f"{len(better) or 'none'} of {len(found)} knights"
    return f"A plan that beats the rulebook's tip was found for {told}. {winner}."


def _winner(knights: pd.DataFrame) -> str:
    """Say which knight wins most with its best plan, where that can be told."""
    if not len(knights):
        return "What the knights win with their plans is not known yet"
    best = knights.sort_values("plan_win", ascending=False, kind="stable").iloc[0]
    level = int((knights["plan_win_high"] >= best.plan_win_low).sum()) - 1
    share = f"{best.plan_win:z.1%} of tournaments"
    if not level:
        return f"{best.knight} wins most with its best plan, {share}"
    return (
        f"Which knight wins most with its best plan cannot be told: {level} more are level with {best.knight}, {share}"
    )
