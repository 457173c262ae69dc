"""`rank`: which policy is best, all against all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from analyzer.cli import screen
from analyzer.cli.study import Json, Out, Quiet, ScenarioName, Seed, Threads, run_study


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(rank)


def rank(
    scenario: ScenarioName,
    policies: str = typer.Option("", help="Policies to rank, such as bold,wall,random; all if not given."),
    games: int = typer.Option(
        None, min=1, help="How many games in all; the scenario's number for each policy if not given."
    ),
    seed: Seed = None,
    threads: Threads = None,
    out: Out = Path("reports"),
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Let the policies of a game play each other at the scenario's table, and rank them.

    All policies, the scenario's own included, meet in pairs, seats rotated. Half of the games go to all
    pairs alike, the others to pairs that are still undecided; when all are decided it stops. Answers who
    beats whom, ratings, dominated policies, cycles, alpha-rank and the equilibrium mix, with intervals.

    Writes report.md, report.html, CSV, PNG and run.json to OUT/<scenario>/rank/.

    Examples: analyzer rank scenarios/ritter/four-players.toml

    analyzer rank ritter/duel-of-two --policies bold,wall,calculating --json
    """
    named = tuple(name.strip() for name in policies.split(",") if name.strip())
    run_study(
        "rank",
        scenario,
        _show,
        policies=named,
        games=games,
        seed=seed,
        threads=threads,
        out=out,
        json=json,
        quiet=quiet,
    )


def _show(result: Any) -> None:
    screen.table(result.ratings, "Ratings (Elo points, mean 0)")
    screen.say()
    screen.table(result.matchups, "Matchups")
    screen.say()
    screen.table(result.mix, "Equilibrium mix and alpha-rank")
    number = result.effective
    screen.say(f"\nThe mix amounts to {number.estimate:.2f} strategies ({number.low:.2f}–{number.high:.2f}).")
    screen.say(f"Intervals: {result.interval}.")
