"""The targets of a scenario as a gate, by themselves or against an earlier run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from analyzer.answer import Answer
from analyzer.engine.run import Run
from analyzer.errors import BadInput, Interrupted
from analyzer.scenarios import Scenario
from analyzer.stats.intervals import Estimate, Method
from analyzer.stats.verdict import HOLDS, UNDECIDED, VIOLATED
from analyzer.studies.balance import (
    FOUND,
    luck_and_skill,
    method_text,
    planned,
    play_sums,
    targets_of,
)
from analyzer.studies.baseline import (
    Baseline,
    Pair,
    apart_from,
    earlier_scenario,
    moved_by,
    paired_lines,
    play_pairs,
    read_baseline,
    reproduces,
)
from analyzer.studies.lines import (
    Line,
    Words,
    finding_of,
    judged,
    judged_table,
    left_out,
    line_frame,
    lines_of,
    luck_lines,
    verdicts_of,
)
from analyzer.studies.luck import LUCK, SKILL
from analyzer.studies.metrics import whole_blocks
from analyzer.studies.read import scenario_of
from analyzer.studies.sums import Sums
from analyzer.studies.until import DECIDED, Until, read_until
from analyzer.study import Question

SAME_GAMES, PAIRED, APART = "same games", "paired", "apart"  # how a run is held against a baseline


_MOVED = Words("numbers of the baseline", ("has moved", "have moved"), ("stands as it was", "stand as they were"))
_EXIT_CODES = {HOLDS: 0, VIOLATED: 1, UNDECIDED: 3}
_COMPARED = {
    SAME_GAMES: "The baseline's games, played again, give its very numbers: nothing has changed.",
    PAIRED: "Both rules were played on the same deals and dice.",
    APART: "The baseline's games could not be played again: other games were, and both runs' errors count.",
}


class Judgement(NamedTuple):
    """What was played and how it is judged."""

    lines: list[Line]
    n_games: int
    interrupted: bool


def read_question(
    scenario: str | Scenario,
    rule: Sequence[str] = (),
    seat: Sequence[str] = (),
    code: Sequence[str] = (),
    baseline: str = "",
    all: bool = False,
    games: int | None = None,
    seed: int | None = None,
) -> Question:
    """Read what is held to what; what is wrong with a baseline is told before anything is played."""
    asked = scenario_of(scenario, rule, seat, code)
    path = Path(baseline) if baseline else None
    if path:
        read_baseline(path, asked)
    until = read_until(DECIDED, games, asked.games)
    options = {"until": until, "baseline": path, "every": all, "seed": seed}
    return Question(asked, asked, options, files=(*map(Path, code), *((path,) if path else ())))


def budget(scenario: Scenario, **options: Any) -> None:
    """Return that nobody knows how many games it takes: it ends with the verdict."""


def check(
    scenario: Scenario,
    *,
    until: Until,
    baseline: Path | None = None,
    every: bool = False,
    seed: int | None = None,
    threads: int | None = None,
    progress: Callable[[int], None] = lambda played: None,
) -> Answer:
    """Play until the verdict is certain, or the budget is spent.

    It is certain with the first violated target; with `every`, when all targets are decided. What no
    further games can decide is not waited for. Against a baseline its seed is played, if none is given.
    """
    earlier = read_baseline(baseline, scenario) if baseline else None
    seed = seed if seed is not None else earlier.seed if earlier else scenario.seed
    stop = planned(scenario, until)
    player = _Player(scenario, stop, seed, every, threads, progress)
    if earlier:
        compared, found = player.against(earlier)
    else:
        compared, found = "", player.by_targets()
    wanted = [line for line in found.lines if line.verdict]
    if not wanted:
        raise BadInput(f"{scenario.name}: nothing to check: the baseline has none of the numbers of this scenario")
    return _answer(scenario, seed, stop.method, found._replace(lines=wanted), compared)


def _answer(scenario: Scenario, seed: int, method: Method, found: Judgement, compared: str) -> Answer:
    """Say what holds; what cannot be judged keeps the gate from opening."""
    missing, lines = left_out(found.lines), line_frame(found.lines)
    given = {line.verdict for line in found.lines}
    overall = VIOLATED if VIOLATED in given else UNDECIDED if UNDECIDED in given else HOLDS
    finding = (
        _COMPARED[SAME_GAMES] if compared == SAME_GAMES else finding_of(found.lines, _MOVED if compared else FOUND)
    )
    how = f" {_COMPARED[compared]}" if compared and compared != SAME_GAMES else ""
    note = f"{found.n_games:,} games, seed {seed}; {method.confidence:.0%} intervals"
    title = "Steps from the baseline" if compared else "Targets"
    return Answer(
        study="check",
        scenario=scenario,
        title=f"Check: {scenario.title}",
        question=f"Has the game moved from its baseline? {scenario.question}".rstrip()
        if compared
        else scenario.question,
        finding=finding,
        tables=(judged_table("lines", title, lines, finding, note),),
        method=method_text(scenario, found.n_games, seed, method, found.interrupted, missing) + how,
        seed=seed,
        n_games=found.n_games,
        interrupted=found.interrupted,
        verdicts=verdicts_of(lines),
        notes=tuple(scenario.caveats),
        facts={"verdict": overall, "left_out": missing} | ({"baseline": compared} if compared else {}),
        exit_code=_EXIT_CODES[overall],
    )


def is_settled(lines: Sequence[Line], every: bool) -> bool:
    """Return whether more games cannot change what is reported: the verdict, or with `every` any line's."""
    if not every and any(line.verdict == VIOLATED for line in lines):
        return True
    return not any(line.verdict == UNDECIDED and line.is_known and not line.stuck for line in lines)


@dataclass(frozen=True)
class _Player:
    """Plays what a check asks for."""

    scenario: Scenario
    until: Until
    seed: int
    every: bool
    threads: int | None
    progress: Callable[[int], None]

    def by_targets(self) -> Judgement:
        """Hold the scenario to its targets; those on luck and skill take games of their own, after the others."""
        scenario, targets, method = self.scenario, targets_of(self.scenario), self.until.method
        run = play_sums(
            scenario,
            self.until,
            targets,
            seed=self.seed,
            enough=lambda sums: is_settled(judged(scenario, sums, targets, method), self.every),
            threads=self.threads,
            progress=self.progress,
        )
        sums, interrupted = _played(run), run.interrupted
        extra = []
        try:
            if not interrupted and any(key in targets for key in (*LUCK, SKILL)):
                extra = luck_lines(*luck_and_skill(scenario, sums, targets, method, self.seed, self.threads))
        except KeyboardInterrupt:
            interrupted = True
        return Judgement(judged(scenario, sums, targets, method, extra), run.n_games, interrupted)

    def against(self, earlier: Baseline) -> tuple[str, Judgement]:
        """Hold the scenario against an earlier run: by the very games of that run where they can be played again."""
        first = 0
        if earlier.seed == self.seed:
            first = whole_blocks(earlier.n_games, len(self.scenario.seats))  # else both would share games
            if earlier.n_games <= self.until.games:
                then = earlier_scenario(earlier, self.scenario)
                again = self._replayed(then or self.scenario, earlier)
                if reproduces(then or self.scenario, again, earlier):
                    if then:
                        return PAIRED, self._paired(then, earlier)
                    return SAME_GAMES, Judgement(self._unmoved(again, earlier), again.tally.n_games, False)
        return APART, self._apart(earlier, first)

    def _replayed(self, scenario: Scenario, earlier: Baseline) -> Sums:
        """Play the games of the baseline, all of them."""
        plan = Until(earlier.n_games)
        run = play_sums(scenario, plan, {}, seed=self.seed, threads=self.threads, progress=self.progress)
        if run.interrupted:
            raise Interrupted
        sums: Sums = _played(run)
        return sums

    def _unmoved(self, sums: Sums, earlier: Baseline) -> list[Line]:
        """Return the lines of a run that has given the baseline's numbers again: nothing has moved."""
        lines = lines_of(self.scenario, sums, Method())
        return [
            moved_by(line, Estimate(0.0, 0.0, 0.0), earlier.numbers[line.key])
            for line in lines
            if line.key in earlier.numbers
        ]

    def _paired(self, then: Scenario, earlier: Baseline) -> Judgement:
        """Play the baseline's rules and today's on the same deals and dice."""
        method = self.until.method

        def judge(pair: Pair) -> list[Line]:
            return paired_lines(then, self.scenario, pair, earlier, method)

        run = play_pairs(
            then,
            self.scenario,
            self.until,
            lambda pair: is_settled(judge(pair), self.every),
            seed=self.seed,
            threads=self.threads,
            progress=self.progress,
        )
        return Judgement(judge(_played(run)), run.n_games, run.interrupted)

    def _apart(self, earlier: Baseline, first: int) -> Judgement:
        """Play games that the baseline did not play; both runs' errors count."""

        def judge(sums: Sums) -> list[Line]:
            plain = lines_of(self.scenario, sums, self.until.method)
            at_once = max(1, sum(line.key in earlier.numbers for line in plain))
            lines = lines_of(self.scenario, sums, self.until.method, at_once)
            shared = (line for line in lines if line.key in earlier.numbers)
            return [apart_from(line, earlier, sums.tally.n_games, at_once) for line in shared]

        run = play_sums(
            self.scenario,
            self.until,
            {},
            seed=self.seed,
            first=first,
            enough=lambda sums: is_settled(judge(sums), self.every),
            threads=self.threads,
            progress=self.progress,
        )
        return Judgement(judge(_played(run)), run.n_games, run.interrupted)


def _played(run: Run[Any]) -> Any:
    if run.result is None:
        raise Interrupted
    return run.result
