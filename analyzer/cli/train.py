"""`train`: where a knight's training points go."""

from __future__ import annotations

from pathlib import Path

import typer

from analyzer.cli import screen
from analyzer.cli.study import Json, Out, Quiet, Seed, Threads


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(train)


def train(
    knight: str = typer.Argument(None, help="A card's name or a strength like 3d123; every knight if not given."),
    scenario: str = typer.Option("", help="Scenario of the tournaments; four by the rulebook if not given."),
    rule: list[str] = typer.Option([], help="An option of the rules, as training_points=3; not with --scenario."),
    field_train: str = typer.Option("mounted,mounted", help="Training of the opponents in the exact odds."),
    yield_at: str = typer.Option("7", help="In the exact odds all yield with this many wounds: a number, or never."),
    games: int = typer.Option(100_000, min=5_000, help="Most tournaments for a candidate."),
    seed: Seed = None,
    threads: Threads = None,
    out: Out = Path("reports"),
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Rank every way to train a knight, by exact odds and in whole tournaments, and race plans for the season.

    Writes a report to OUT/<scenario>/train/<knight>/, and for all knights OUT/<scenario>/train/all/.

    Examples: analyzer train Apollonius

    analyzer train 4d12 --games 200000

    analyzer train --scenario ritter/no-ladies
    """
    from time import perf_counter

    from analyzer.games.ritter.cards import short
    from analyzer.games.ritter.rider import read_points
    from analyzer.games.ritter.season import play_season
    from analyzer.games.ritter.studies import train as study
    from analyzer.games.ritter.studies.joust import read_yield, ritter_scenario
    from analyzer.reporting.folder import check_writable

    asked = ritter_scenario(scenario, rule)
    folder = out / asked.name / "train"
    if not json:
        check_writable(folder)
    names = [knight] if knight else [short(card.name) for card in asked.table.deck.knights]
    for name in names:
        study.with_knight(asked, name)  # a wrong one is refused before anything is compiled
    read_points(field_train)
    read_yield(yield_at)
    screen.announce_compiling(quiet, drivers=[play_season])
    start = perf_counter()
    results = []
    with screen.progress(len(names) * study.expected_games(asked, games), quiet or json) as advance:
        for name in names:
            results.append(
                study.train(
                    asked, name, field_training=field_train, yields_at=yield_at,
                    seed=seed, games=games, threads=threads, progress=advance,
                )
            )  # fmt: skip
    seconds = perf_counter() - start
    if json:
        one = study.as_json(results[0])
        screen.document(one if knight else {"knights": [study.as_json(result) for result in results]})
        return
    from analyzer.reporting.train import write_all, write_train

    if knight:
        write_train(results[0], folder / results[0].name.lower(), seconds)
    else:
        write_all(results, folder, seconds)
    if quiet:
        return
    if knight:
        result = results[0]
        screen.say(f"{result.finding}\n")
        columns = ["training", "strength", "odds", "odds_rank", "games", "win", "win_low", "win_high"]
        columns += ["premiums", "premiums_low", "premiums_high", "behind", "behind_low", "behind_high", "verdict"]
        screen.table(screen.part(result.allocations, columns), "First training")
        screen.say()
        screen.table(screen.part(result.plans, ["plan", *columns[4:]]), "Season")
    else:
        screen.table(study.summary(results))
    where = folder / (results[0].name.lower() if knight else "all") / "report.html"
    screen.say(f"\n{sum(r.played for r in results):,} tournaments in {seconds:.0f} s. Report: {where}")
