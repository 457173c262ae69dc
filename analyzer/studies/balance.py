"""Is it fair, is it exciting, is it skill: the balance of a scenario, line by line with verdicts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pandas as pd

from analyzer.answer import Answer, Table
from analyzer.engine.chance import one_seed
from analyzer.engine.run import Play, Played, Run, reduce_games
from analyzer.errors import Interrupted
from analyzer.scenarios import Scenario
from analyzer.stats.intervals import Estimate, Method
from analyzer.stats.verdict import UNDECIDED
from analyzer.studies.cards import card_tables
from analyzer.studies.course import course_tables
from analyzer.studies.lines import (
    Line,
    Targets,
    Words,
    finding_of,
    judged,
    judged_table,
    left_out,
    left_out_text,
    line_columns,
    line_frame,
    lines_of,
    luck_lines,
    restricted_lines,
    verdicts_of,
)
from analyzer.studies.luck import LUCK, SKILL, ladder_table, luck_table, luck_tables
from analyzer.studies.metrics import block_chunk, values_of, whole_blocks
from analyzer.studies.odds import RESTRICTED_GAMES, restricted_play, restricted_table
from analyzer.studies.sums import Sums, sums_of
from analyzer.studies.until import Until, most_games, play_until

# What a scenario without targets of its own is held against.
DEFAULT_TARGETS: Targets = {
    "place": 0.02,
    "policy": 0.05,
    "card": 0.05,
    "ties": (0.0, 0.1),
    "comeback": (0.1, 0.7),
    "known_half": (0.0, 0.8),
    "dead": (0.0, 0.6),
}
FOUND = Words("targets", ("is violated", "are violated"), ("holds", "hold"))


def balance(
    scenario: Scenario,
    *,
    seed: int | None = None,
    games: int | None = None,
    until: Until | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Answer:
    """Play a scenario and judge it."""
    seed = scenario.seed if seed is None else seed
    stop = planned(scenario, until or Until(most_games(scenario, games)))
    targets = targets_of(scenario)
    run = play_sums(scenario, stop, targets, seed=seed, threads=threads, progress=progress)
    if run.result is None:
        raise Interrupted
    sums, interrupted = run.result, run.interrupted
    luck, ladder, restricted = pd.DataFrame(), pd.DataFrame(), pd.DataFrame()
    try:
        if not interrupted:
            luck, ladder = luck_and_skill(scenario, sums, targets, stop.method, seed, threads)
            if scenario.game.restriction:
                restricted = restricted_play(scenario, seed, min(sums.tally.n_games, RESTRICTED_GAMES), threads)
    except KeyboardInterrupt:
        interrupted = True
    extra = [*luck_lines(luck, ladder), *restricted_lines(scenario, restricted)]
    lines = judged(scenario, sums, targets, stop.method, extra)
    note = f"{sums.tally.n_games:,} games, seed {seed}; {stop.method.confidence:.0%} intervals"
    finding = finding_of(lines, FOUND)
    tables = [
        *_line_tables(line_frame(lines), finding, note),
        *card_tables(scenario, sums.tally, stop.method, note),
        *([restricted_table(scenario, seed, restricted)] if len(restricted) else []),
        *course_tables(scenario, sums, stop.method, _comebacks(lines), note),
        *luck_tables(scenario, luck, ladder, note),
    ]
    return Answer(
        study="balance",
        scenario=scenario,
        title=f"Balance: {scenario.title}",
        question=scenario.question,
        finding=finding,
        tables=tuple(tables),
        method=method_text(scenario, sums.tally.n_games, seed, stop.method, interrupted, left_out(lines)),
        seed=seed,
        n_games=sums.tally.n_games,
        interrupted=interrupted,
        verdicts=verdicts_of(line_frame(lines)),
        notes=tuple(scenario.caveats),
        facts={"left_out": left_out(lines)},
    )


def _line_tables(lines: pd.DataFrame, finding: str, note: str) -> Iterator[Table]:
    """Yield the lines that are held against something, and all of them."""
    is_judged = lines["verdict"] != ""
    others = lines[~is_judged].reset_index(drop=True)
    if is_judged.any():
        yield judged_table("targets", "Targets", lines[is_judged].reset_index(drop=True), finding, note)
    if len(lines):
        title = "Numbers without a target" if is_judged.any() else "All numbers"
        yield Table("lines", title, lines, line_columns(others), brief=True, view=others)


def _comebacks(lines: Sequence[Line]) -> Estimate | None:
    return next((line.found for line in lines if line.key == "comeback" and line.is_known), None)


def method_text(
    scenario: Scenario, games: int, seed: int, method: Method, interrupted: bool, missing: Sequence[str]
) -> str:
    """Say how the lines came about, and which are not there."""
    cut = " It was interrupted: these are the games played until then." if interrupted else ""
    return (
        f"{games:,} games of {scenario.game.title} ({scenario.game.edition}), seed {seed}.{cut} Intervals: "
        f"{method.name_in_blocks}; all lines with a verdict hold together (Bonferroni). {left_out_text(missing)}"
    ).rstrip()


def targets_of(scenario: Scenario) -> dict[str, float | tuple[float, float]]:
    """Return what a scenario is held against: its own targets, and the default for what it does not name."""
    return {**DEFAULT_TARGETS, **scenario.targets}


def planned(scenario: Scenario, until: Until) -> Until:
    """Return when to stop; who looks only once needs no intervals that hold at many looks."""
    n_looks = sum(1 for _ in until.looks(len(scenario.seats)))
    return Until(until.games) if n_looks == 1 else until


def luck_and_skill(
    scenario: Scenario, sums: Sums, targets: Targets, method: Method, seed: int, threads: int | None = None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the tables of luck and skill from games played beside others; all that is judged holds together.

    Where everybody always wins the same, there is no luck to tell apart.
    """
    tally = sums.tally
    at_once = len((*LUCK, SKILL)) + sum(line.family in targets for line in lines_of(scenario, sums, method))
    side_games = min(whole_blocks(tally.n_games // 4 + 1, len(scenario.seats)), 100_000)
    seated = tally.seated.sum()
    varies = tally.win[:, :, 1].sum() * seated > tally.win[:, :, 0].sum() ** 2
    luck = luck_table(scenario, tally, seed, side_games, threads, at_once) if varies else pd.DataFrame()
    return luck, ladder_table(scenario, seed, min(side_games, 20_000), threads, at_once)


def play_sums(
    scenario: Scenario,
    until: Until,
    targets: Targets,
    *,
    seed: int,
    first: int = 0,
    enough: Callable[[Sums], bool] | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Run[Sums]:
    """Play from game `first` on until it is enough, by `until` if not told otherwise, and return the sums."""
    n = len(scenario.seats)
    play = Play(scenario.table, scenario.policies, one_seed(seed), scenario.rotate)

    def reduce(played: Sequence[Played]) -> Sums:
        (one,) = played
        return sums_of(scenario, one, values_of(scenario, one))

    def stretch(start: int, count: int) -> Run[Sums]:
        return reduce_games(
            [play],
            count,
            reduce,
            first=first + start,
            threads=threads,
            chunk=block_chunk(n, 1, count),
            logged=True,
            progress=progress,
        )

    def is_enough(sums: Sums) -> bool:
        lines = judged(scenario, sums, targets, until.method)
        width = max(line.found.half_width for line in lines if line.family in ("policy", "place"))
        return until.enough(width, sum(line.verdict == UNDECIDED for line in lines if line.is_known))

    return play_until(until, n, stretch, enough or is_enough)
