"""`ladies`: whom to offer a favour."""

from __future__ import annotations

from pathlib import Path

import typer

from analyzer.cli import screen
from analyzer.cli.study import Json, Out, Quiet, Seed, Threads


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(ladies)


def ladies(
    scenario: str = typer.Argument(
        "", help="A scenario, or a written game with an offer to make; four by the rulebook if not given."
    ),
    game: int = typer.Option(0, min=0, help="Number of the game whose first offer is valued."),
    policy: str = typer.Option("", help="Who plays on: one policy for all, or one for each seat, with commas."),
    games: int = typer.Option(50_000, min=2_048, help="Most games for an offer; twice that for the contest."),
    seed: Seed = None,
    threads: Threads = None,
    out: Out = Path("reports"),
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Tell who pleases whom, value every first offer of a deal, and set ways of offering against each other.

    Writes a report to OUT/<scenario>/ladies/.

    Examples: analyzer ladies

    analyzer ladies ritter/four-players --game 3 --seed 11
    """
    from time import perf_counter

    from analyzer.games.ritter.studies import ladies as study
    from analyzer.games.ritter.studies.joust import plain_scenario
    from analyzer.reporting.folder import check_writable

    question = study.read_offer(scenario, plain_scenario(), game=game, seed=seed, policies=policy)
    folder = out / question.scenario.name / "ladies"
    if not json:
        check_writable(folder)
    screen.announce_compiling(quiet, [question.scenario.table])
    start = perf_counter()
    with screen.progress((len(question.moves) + 2) * games, quiet or json) as advance:
        result = study.ladies(question, games=games, threads=threads, progress=advance)
    seconds = perf_counter() - start
    if json:
        screen.document(study.as_json(result))
        return
    from analyzer.reporting.ladies import write_ladies

    write_ladies(result, folder, seconds)
    if not quiet:
        screen.say(f"{result.finding}\n")
        screen.table(result.ranking, "Whom each knight prefers")
        columns = [f"{name}{end}" for name in ("win", "price") for end in ("", "_low", "_high")]
        screen.say(f"\nSeat {question.seat + 1} in {question.where}")
        screen.table(screen.part(result.offers.moves, ["move", "games", *columns, "verdict"]))
        screen.say()
        screen.table(result.policies, "Ways of offering")
        screen.say(f"\n{seconds:.1f} s. Report: {folder / 'report.html'}")
