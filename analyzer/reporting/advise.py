"""The reports of `analyzer advise` and `analyzer challenge`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from analyzer.reporting.charts import interval_chart
from analyzer.reporting.provenance import provenance
from analyzer.reporting.report import Section, write_report
from analyzer.studies.advise import Advice, as_json

_SHOWN = 24


def advice_section(result: Advice, text: str = "") -> Section:
    """Return the section with the ranked moves."""
    shown = result.moves.head(_SHOWN)
    return Section(
        "moves",
        "The legal moves, ranked",
        result.moves,
        "price: share of wins that the move costs against the best, paired on the same luck. Moves that are clearly "
        f"worse stopped early. {text}".rstrip(),
        partial(
            interval_chart,
            title=result.finding,
            labels=list(shown["move"]),
            table=shown,
            column="win",
            unit=f"share of games won by seat {result.question.seat + 1}",
            note=f"rollouts with the same luck, seed {result.question.seed}; bars: 95% intervals that hold together",
        ),
    )


def otherwise_section(result: Advice) -> list[Section]:
    """Return the section that says how far the answer depends on who plays on, if there is anything to say."""
    if not len(result.otherwise):
        return []
    best = result.moves["move"][0]
    return [
        Section(
            "otherwise",
            "Where others play on",
            result.otherwise,
            f"price: share of wins that {best} costs against the best move there. The moves were ranked anew, in fewer "
            "games.",
        )
    ]


def write_advice(
    result: Advice, folder: Path, seconds: float, study: str = "advise", text: str = "", extra: Sequence[str] = ()
) -> None:
    """Write the report of a position into a folder."""
    question = result.question
    write_report(
        folder,
        title=f"{question.scenario.title}: seat {question.seat + 1} to decide",
        question=f"What is the best move in {question.where}?",
        finding=result.finding,
        sections=[advice_section(result, text), *otherwise_section(result)],
        method=f"{result.played:,} games from the position, seed {question.seed}; all play on as "
        f"{question.company}. Comparisons are paired over blocks of games and pay for all pairs and "
        "looks (Bonferroni, 95%).",
        run=provenance(
            question.scenario,
            study,
            question.seed,
            result.played,
            seconds,
            False,
            asked=result.games,
            options={"where": question.where, "policies": question.scenario.seats},
        ),
        document=as_json(result, extra),
    )
