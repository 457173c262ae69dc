"""`odds`: who wins, how often, with what."""

from __future__ import annotations

from pathlib import Path

import typer

from analyzer.cli import screen


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(odds)


def odds(
    scenario: str = typer.Argument(help="A scenario file, or its name below scenarios/."),
    games: int = typer.Option(None, min=1, help="How many games; the scenario's number if not given."),
    seed: int = typer.Option(None, min=0, help="Another seed than the scenario's."),
    threads: int = typer.Option(None, min=1, help="Threads; all processors if not given. Results do not depend on it."),
    out: Path = typer.Option(Path("reports"), help="Folder for reports."),
    json: bool = typer.Option(False, "--json", help="Print one JSON document, write no report."),
    quiet: bool = typer.Option(False, "--quiet", help="Print nothing but errors."),
) -> None:
    """Play a scenario many times and report win odds and scores with intervals.

    Writes report.md, report.html, CSV, PNG and run.json to OUT/<scenario>/odds/.

    Examples: analyzer odds scenarios/ritter/four-players.toml

    analyzer odds ritter/ten-players --games 1000000 --json
    """
    from time import perf_counter

    from analyzer.engine.run import is_compiled
    from analyzer.reporting.folder import check_writable
    from analyzer.scenario import find_scenario, load_scenario

    asked = load_scenario(find_scenario(scenario))
    folder = out / asked.name / "odds"
    if not json:
        check_writable(folder)
    if not quiet and not is_compiled():
        screen.note("compiling the kernels; this happens once and takes about half a minute …")
    from analyzer.studies import odds as study

    start = perf_counter()
    with screen.progress(games or asked.games, quiet or json) as advance:
        result = study.odds(asked, seed=seed, games=games, threads=threads, progress=advance)
    seconds = perf_counter() - start
    if result.n_games == 0:
        screen.note("interrupted before the first games were played; nothing written")
        raise typer.Exit(130)
    if json:
        screen.document(study.as_json(result))
    else:
        from analyzer.reporting.odds import write_odds

        write_odds(result, folder, seconds)
        if not quiet:
            _show(result, folder, seconds)
    if result.interrupted:
        screen.note(f"interrupted: {result.n_games:,} games had been played and are reported")
        raise typer.Exit(130)


def _show(result, folder: Path, seconds: float) -> None:  # type: ignore[no-untyped-def]
    scenario = result.scenario
    screen.say(f"{scenario.title} ({scenario.game.title}, {result.n_games:,} games, seed {result.seed})")
    screen.say(f"{result.finding}\n")
    screen.table(result.seats)
    screen.say()
    columns = ["kind", "card", "origin", "win", "win_low", "win_high"]
    score = scenario.game.score_name
    screen.table(result.cards[[*columns, score, f"{score}_low", f"{score}_high"]], "Cards")
    if len(result.restricted):
        screen.say()
        screen.table(result.restricted, f"Restricted play of {scenario.seats[0]}")
    screen.say(f"\nIntervals: {result.interval}.")
    screen.say(f"{seconds:.1f} s. Report: {folder / 'report.html'}")
