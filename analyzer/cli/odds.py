"""`odds`: who wins, how often, with what."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter

import typer

from analyzer.cli import screen
from analyzer.cli.options import Games, Json, Out, Quiet, ScenarioName, Seed, Threads, UntilText, answer, get_ready


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
    from analyzer.scenario import find_scenario, load_scenario
    from analyzer.studies.until import read_until

    asked = load_scenario(find_scenario(scenario))
    stop = read_until(until, games, asked.games)
    folder = out / asked.name / "odds"
    get_ready(folder, json, quiet)
    from analyzer.studies import odds as study

    start = perf_counter()
    with screen.progress(None if stop.sequential else stop.games, quiet or json) as advance:
        result = study.odds(asked, stop, seed=seed, threads=threads, progress=advance)
    seconds = perf_counter() - start

    def write() -> None:
        from analyzer.reporting.odds import write_odds

        write_odds(result, folder, seconds)

    answer(
        n_games=result.n_games,
        interrupted=result.interrupted,
        json=json,
        quiet=quiet,
        document=lambda: study.as_json(result),
        write=write,
        show=lambda: _show(result, folder, seconds),
    )


def _show(result, folder: Path, seconds: float) -> None:  # type: ignore[no-untyped-def]
    scenario = result.scenario
    screen.say(f"{scenario.title} ({scenario.game.title}, {result.n_games:,} games, seed {result.seed})")
    screen.say(f"{result.finding}\n")
    screen.table(result.seats)
    screen.say()
    columns = ["card", "origin", "win", "win_low", "win_high"]
    score = scenario.game.score_name
    screen.table(result.cards[[*columns, score, f"{score}_low", f"{score}_high"]], "Cards")
    screen.say(f"\nIntervals: {result.interval}.")
    screen.say(f"{seconds:.1f} s. Report: {folder / 'report.html'}")
