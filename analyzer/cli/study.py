"""What the commands that do one study of one scenario have in common."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from analyzer.cli import screen
from analyzer.errors import Interrupted

ScenarioName = Annotated[str, typer.Argument(help="A scenario file, or its name below scenarios/.")]
Games = Annotated[int | None, typer.Option(min=1, help="How many games; the scenario's number if not given.")]
Seed = Annotated[int | None, typer.Option(min=0, help="Another seed than the scenario's.")]
Threads = Annotated[
    int | None, typer.Option(min=1, help="Threads; all processors if not given. Results do not depend on it.")
]
Out = Annotated[Path, typer.Option(help="Folder for reports.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document, write no report.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")]
UntilText = Annotated[
    str | None,
    typer.Option(
        "--until",
        help="Play until the win odds are known to this half-width (0.1%) or all verdicts are in (decided); "
        "--games is then the most to play.",
    ),
]


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
    until: str | None = None,
    folder_name: str = "",
    **options: Any,
) -> None:
    """Do a study of a scenario and show its answer; write its report to OUT/<scenario>/<study>/."""
    from analyzer.reporting.folder import check_writable
    from analyzer.reporting.perform import budget, document, perform
    from analyzer.scenarios import find_scenario, load_scenario
    from analyzer.studies.until import read_until

    asked = load_scenario(find_scenario(scenario))
    folder = out / asked.name / (folder_name or study)
    if not json:
        check_writable(folder)
    if until is not None:
        options["until"] = read_until(until, games, asked.games)
    limit = budget(study, asked, games=games, **options)
    screen.announce_compiling(quiet, [asked.table])
    with screen.progress(None if until else limit, quiet or json) as advance:
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
        raise Interrupted
    if json:
        screen.document(document(study, result) | ({"caveats": asked.caveats} if asked.caveats else {}))
    elif not quiet:
        screen.say(f"{asked.title} ({asked.game.title}, {result.n_games:,} games, seed {result.seed})")
        screen.say(f"{result.finding}\n")
        screen.caveats(asked.caveats)
        show(result)
        if until is not None:
            screen.say(_how_it_ended(result.n_games, limit))
        screen.say(f"{seconds:.1f} s. Report: {folder / 'report.html'}")
    if result.interrupted:
        screen.note(f"interrupted: {result.n_games:,} games had been played and are reported")
        raise typer.Exit(130)


def _how_it_ended(games: int, most: int) -> str:
    """Say whether a run that could stop by itself did, and what half the width would take."""
    how = "It stopped by itself" if games < most else "It used up the games allowed before it was enough"
    return f"{how}: {games:,} games; half the width would take about {4 * games:,}."
