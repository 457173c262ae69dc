"""`odds`: who wins, how often, with what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from analyzer.cli import screen
from analyzer.cli.study import Games, Json, Out, Quiet, ScenarioName, Seed, Threads, UntilText, run_study


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(odds)


def odds(
    scenario: ScenarioName,
    games: Games = None,
    until: UntilText = None,
    seed: Seed = None,
    threads: Threads = None,
    out: Out = Path("reports"),
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play a scenario many times and report win odds and scores with intervals.

    Writes report.md, report.html, CSV, PNG and run.json to OUT/<scenario>/odds/.

    Examples: analyzer odds scenarios/ritter/four-players.toml

    analyzer odds ritter/ten-players --games 1000000 --json

    analyzer odds ritter/duel-of-two --until 0.1%
    """
    run_study(
        "odds", scenario, _show, games=games, until=until, seed=seed, threads=threads, out=out, json=json, quiet=quiet
    )


def _show(result: Any) -> None:
    screen.table(result.places if len(result.policies) == 1 else result.seats)
    screen.say()
    if len(result.cards):
        columns = ["kind", "card", "origin", "win", "win_low", "win_high"]
        score = result.scenario.game.score_name
        screen.table(result.cards[[*columns, score, f"{score}_low", f"{score}_high"]], "Cards")
    if len(result.restricted):
        screen.say()
        screen.table(result.restricted, f"Restricted play of {result.scenario.seats[0]}")
    screen.say(f"\nIntervals: {result.interval}.")
