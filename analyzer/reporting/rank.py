"""The report of `analyzer rank`."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from analyzer.reporting.charts import interval_chart, matchup_chart, share_chart
from analyzer.reporting.provenance import provenance
from analyzer.reporting.report import Section, write_report
from analyzer.stats.ratings import POPULATION
from analyzer.studies.rank import ALPHAS, Rank, as_json


def write_rank(result: Rank, folder: Path, seconds: float) -> None:
    """Write the report of a ranking into a folder."""
    scenario = result.scenario
    note = f"{result.n_games:,} games, seed {result.seed}"
    sections = [
        Section(
            "ratings",
            "Ratings",
            result.ratings,
            "Bradley–Terry ratings on Elo's scale, mean 0: 400 points are odds of 10 to 1, 100 points win 64%. "
            f"Every pair has the same weight. {_dominated(result)}",
            partial(
                interval_chart,
                title=result.finding,
                labels=list(result.policies),
                table=result.ratings,
                column="rating",
                unit="rating (Elo points, mean 0)",
                note=f"{note}; bars: 95% intervals that hold together",
                digits=0,
            ),
        ),
        Section(
            "matchups",
            "Matchups",
            result.matchups,
            "Share of wins per seat when the two policies share a table, each as many seats as the other.",
            partial(
                matchup_chart,
                title=_matchup_title(result),
                names=result.policies,
                share=result.matrix.share,
                low=result.matrix.low,
                high=result.matrix.high,
                note=f"{note}; second line: 95% intervals that hold together; grey italics: undecided",
            ),
        ),
        Section(
            "mix",
            "Equilibrium mix and alpha-rank",
            result.mix,
            f"The mix no policy beats, and the time an evolving population spends with each. The mix amounts to "
            f"{result.effective.estimate:z.2f} strategies ({result.effective.low:z.2f}–{result.effective.high:z.2f}).",
            partial(
                share_chart,
                title=_mix_title(result),
                labels=list(result.policies),
                table=result.mix,
                columns={"mix": "equilibrium mix", "alpha_rank": f"alpha-rank (alpha {ALPHAS[-1]:,.0f})"},
                unit="share",
                note=f"{note}; bars: whatever the 95% intervals of the matchups allow",
            ),
        ),
        Section(
            "alpha",
            "Alpha-rank by strength of selection",
            result.alphas,
            f"Populations of {POPULATION} on the shares as found, without intervals. "
            "What the last lines agree on is the limit of strong selection.",
        ),
    ]
    if len(result.cycles):
        sections.insert(2, Section("cycles", "Cycles of three, each link beyond error", result.cycles))
    write_report(
        folder,
        title=f"{scenario.title}: ranking",
        question=f"Which of {len(result.policies)} policies is best at a table of {len(scenario.seats)}?",
        finding=result.finding,
        sections=sections,
        method=_method(result),
        run=provenance(
            scenario,
            "rank",
            result.seed,
            result.n_games,
            seconds,
            result.interrupted,
            asked=result.asked,
            options=result.options,
        ),
        document=as_json(result),
    )


def _method(result: Rank) -> str:
    game = result.scenario.game
    spent = "all of them" if result.n_games * 1.05 > result.asked else "every pair was decided before they were spent"
    stopped = "it was interrupted" if result.interrupted else spent
    return (
        f"{result.n_games:,} games of {game.title} ({game.edition}), seed {result.seed}, of {result.asked:,} asked for "
        f"({stopped}). The two policies of a pair sit by turns, seats rotate, and each deal is played twice with the "
        "parts exchanged; the two games are one observation. Half of the games go to all pairs alike, then games go "
        f"to the pairs whose interval holds 50%. Intervals: {result.interval}. Ratings: maximum likelihood, shared "
        "wins in parts, half a win and half a loss added to each pair. Equilibrium: linear programming with HiGHS "
        "(scipy.optimize.linprog) on the zero-sum game of shares less 1/2. Alpha-rank: one population of "
        f"{POPULATION}, alpha {ALPHAS[-1]:,.0f}. Dominated means: does worse than another against every policy, beyond "
        "error."
    )


def _dominated(result: Rank) -> str:
    names = [row.policy for row in result.ratings.itertuples() if row.dominated_by]
    return f"Dominated beyond error: {', '.join(map(str, names))}." if names else "None is dominated beyond error."


def _matchup_title(result: Rank) -> str:
    sure = result.matchups[result.matchups["verdict"] != "undecided"]
    if len(result.matchups) == 1:
        return result.finding
    if not len(sure):
        return "No matchup is decided"
    closest = sure.iloc[int((sure["share"] - 0.5).abs().argmin())]
    ahead, behind, share = closest["policy"], closest["against"], closest["share"]
    if share < 0.5:
        ahead, behind, share = behind, ahead, 1 - share
    decided = f"{len(sure)} of {len(result.matchups)} matchups are decided"
    return f"{decided}; the closest of them: {ahead} beats {behind} with {share:z.1%}"


def _mix_title(result: Rank) -> str:
    """Name who is in the mix; who may be is left out."""
    sure = result.mix[result.mix["mix_low"] > 0.005].sort_values("mix", ascending=False)
    if not len(sure):
        return "Which policies the equilibrium mixes is open"
    if sure.iloc[0].mix_low > 0.995:
        return f"In equilibrium all play {sure.iloc[0].policy}"
    parts = [f"{row.policy} {row.mix:z.0%}" for row in sure.itertuples()]
    return f"The equilibrium mixes {', '.join(parts)}"
