"""Every knight of the deck against every other: are all equally strong, as the rules say?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analyzer.answer import SHARE, Answer, Chart, Column, Table
from analyzer.games.ritter.joust import ATTACKER, DEFENDER, Rider, solve, threshold
from analyzer.games.ritter.rider import write_rider
from analyzer.games.ritter.studies.entrants import Entrant, yield_text
from analyzer.scenarios import Scenario

_ALIKE = 1e-9  # odds nearer than this are the same, reckoned in another order


@dataclass(frozen=True)
class Field:
    """Whose jousts are asked about: all knights of a deck, trained and yielding alike."""

    scenario: Scenario
    entrants: tuple[Entrant, ...]
    training: tuple[str, ...]
    yields_at: int


def field(subject: Field, *, margin: float) -> Answer:
    """Solve every joust of the deck and judge whether all knights are equally strong."""
    rules = subject.scenario.table.rules
    matrix, nobody = field_odds(rules, [e.rider for e in subject.entrants], subject.yields_at)
    knights = _knight_table(subject.entrants, matrix, nobody)
    spread = float(knights["mean"].iloc[0] - knights["mean"].iloc[-1])
    equal = spread <= 2 * margin
    finding = f"{'Equal' if equal else 'Not equal'} within ±{100 * margin:g} points: {_ends(knights, spread)}"
    trained = f"trained {', '.join(subject.training)}" if subject.training else "untrained"
    note = f"exact odds that the attacker wins; {trained}; yields at: {yield_text(subject.yields_at)}"
    shares = [Column(key, unit=SHARE) for key in ("attacks", "defends", "mean")]
    return Answer(
        study="joust",
        scenario=subject.scenario,
        title="The field: every knight of the deck against every other",
        question="Are all knights equally strong at the start, as the rules say?",
        finding=finding,
        tables=(
            Table("knights", "Odds against the other knights of the deck", knights, shares, brief=True),
            _matrix_table(subject.entrants, matrix, list(knights["knight"]), finding, note),
        ),
        method=f"Exact odds, nothing sampled; knights {trained}, unhurt. The mean counts attacks and defences alike, "
        "against the other knights.",
        seed=0,
        n_games=0,
        verdicts=(("equal knights", "holds" if equal else "violated"),),
        facts={
            "training": list(subject.training),
            "yields_at": yield_text(subject.yields_at),
            "spread": spread,
            "margin": margin,
        },
    )


def field_odds(rules: Any, riders: Sequence[Rider], yields_at: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the odds [attacker, defender] that the attacker wins, and that nobody does."""
    limit = int(rules.wound_limit)
    yields = (threshold(limit, yields_at, ATTACKER), threshold(limit, yields_at, DEFENDER))
    ends = np.array([[solve(rules, a, d, yields).winner for d in riders] for a in riders])
    return ends[:, :, 0], ends[:, :, 2]


def _knight_table(entrants: Sequence[Entrant], matrix: np.ndarray, nobody: np.ndarray) -> pd.DataFrame:
    others = ~np.eye(len(entrants), dtype=bool)
    attacks = [matrix[i, others[i]].mean() for i in range(len(entrants))]
    defends = [(1 - matrix - nobody)[others[:, i], i].mean() for i in range(len(entrants))]
    knights = pd.DataFrame(
        {
            "knight": [e.name for e in entrants],
            "strength": [write_rider(e.rider) for e in entrants],
            "attacks": attacks,
            "defends": defends,
            "mean": (np.array(attacks) + np.array(defends)) / 2,
        }
    )
    return knights.sort_values("mean", ascending=False, kind="stable", ignore_index=True)


def _ends(knights: pd.DataFrame, spread: float) -> str:
    """Say who wins most and who least; the exact odds of knights alike are the same."""
    mean = knights["mean"]
    if spread <= _ALIKE:
        return f"all knights win {mean.iloc[0]:z.1%} of their jousts."

    def told(level: pd.DataFrame) -> str:
        names = " and ".join(f"{row.knight} ({row.strength})" for row in level.itertuples())
        return f"{names} {'wins' if len(level) == 1 else 'win'} {level['mean'].iloc[0]:z.1%}"

    best, worst = knights[mean >= mean.iloc[0] - _ALIKE], knights[mean <= mean.iloc[-1] + _ALIKE]
    return f"{told(best)} of the jousts, {told(worst)}, a spread of {100 * spread:z.1f} points."


def _matrix_table(
    entrants: Sequence[Entrant], matrix: np.ndarray, order: Sequence[str], finding: str, note: str
) -> Table:
    names = [e.name for e in entrants]
    odds = pd.DataFrame(matrix, index=names, columns=names)
    cells = [
        {"attacker": a, "defender": d, "win": float(odds.loc[a, d])}  # type: ignore[arg-type]
        for a in order
        for d in order
    ]
    return Table(
        "field",
        "Odds that the attacker (row) beats the defender (column)",
        odds.rename_axis("attacker").reset_index(),
        [Column(key, unit=SHARE) for key in (*names, "win")],
        chart=Chart(
            "heat",
            finding,
            "win",
            down="attacker",
            across="defender",
            note=note,
            frame=pd.DataFrame(cells),
            more={"middle": 0.5},
        ),
    )
