"""What the commands that do one study of one scenario have in common."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import typer

from analyzer.cli import screen

SCENARIO = typer.Argument(help="A scenario file, or its name below scenarios/.")
SEED = typer.Option(None, min=0, help="Another seed than the scenario's.")
THREADS = typer.Option(None, min=1, help="Threads; all processors if not given. Results do not depend on it.")
OUT = typer.Option(Path("reports"), help="Folder for reports.")
JSON = typer.Option(False, "--json", help="Print one JSON document, write no report.")
QUIET = typer.Option(False, "--quiet", help="Print nothing but errors.")


def run_study(
    study: str,
    scenario: str,
    show: Callable[[Any], None],
    *,
    games: int | None,
    seed: int | None,
    threads: int | None,
    out: Path,
    json: bool,
    quiet: bool,
    **options: Any,
) -> None:
    """Do a study of a scenario and show its answer; write its report to OUT/<scenario>/<study>/."""
    from analyzer.reporting.folder import check_writable
    from analyzer.reporting.perform import budget, document, perform
    from analyzer.scenario import find_scenario, load_scenario

    asked = load_scenario(find_scenario(scenario))
    folder = out / asked.name / study
    if not json:
        check_writable(folder)
    if not quiet:
        screen.note_compiling()
    limit = budget(study, asked, games=games, **options)
    with screen.progress(limit, quiet or json) as advance:
        result, seconds = perform(
            study,
            asked,
            None if json else folder,
            progress=advance,
            seed=seed,
            games=games,
            threads=threads,
            **options,
        )
    if result.n_games == 0:
        screen.note("interrupted before the first games were played; nothing written")
        raise typer.Exit(130)
    if json:
        screen.document(document(study, result))
    elif not quiet:
        screen.say(f"{asked.title} ({asked.game.title}, {result.n_games:,} games, seed {result.seed})")
        screen.say(f"{result.finding}\n")
        show(result)
        screen.say(f"{seconds:.1f} s. Report: {folder / 'report.html'}")
    if result.interrupted:
        screen.note(f"interrupted: {result.n_games:,} games had been played and are reported")
        raise typer.Exit(130)
