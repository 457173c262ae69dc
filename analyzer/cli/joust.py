"""`joust`: the odds of a single joust."""

from __future__ import annotations

import re
from pathlib import Path

import typer

from analyzer.cli import screen
from analyzer.cli.study import Json, Out, Quiet, Threads


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(joust)


def joust(
    a: str = typer.Argument(None, help="The attacker: 3d123, 4d1123w2, or a card's name."),
    b: str = typer.Argument(None, help="The defender."),
    field: bool = typer.Option(False, "--field", help="Every knight of the deck against every other instead."),
    train: str = typer.Option("", help="Training of both before: dice, 1 to 6, mounted, foot, with commas."),
    train_a: str = typer.Option("", help="Training of the attacker alone."),
    train_b: str = typer.Option("", help="Training of the defender alone."),
    yield_a: str = typer.Option("never", help="The attacker yields with this many wounds or more."),
    yield_b: str = typer.Option("never", help="The defender yields with this many wounds or more."),
    rule: list[str] = typer.Option([], help="An option of the rules, as enrage=every_round; repeatable."),
    deck: str = typer.Option("", help="Name of a shipped deck, or a deck file."),
    margin: float = typer.Option(0.02, min=0.0, help="With --field: odds within ± this count as equal."),
    games: int = typer.Option(1_000_000, min=1, help="Simulated jousts beside the exact odds."),
    seed: int = typer.Option(1, min=0, help="Seed of the simulation."),
    threads: Threads = None,
    out: Out = Path("reports"),
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Solve a joust exactly: who wins, with what wounds, in how many rounds; a simulation beside it.

    Writes a report to OUT/ritter/joust/<A>-<B>/, with --field to OUT/ritter/field/.

    Examples: analyzer joust 3d123 5d1

    analyzer joust Apollonius Harald --train-a dice,1 --yield-b 7 --rule yield_before_foot=true

    analyzer joust --field
    """
    from time import perf_counter

    from analyzer.errors import BadInput
    from analyzer.games.ritter.studies import joust as study
    from analyzer.reporting.folder import check_writable

    if field == (a is not None) or (a is None) != (b is None):
        raise BadInput("give two knights, as in `analyzer joust 3d123 5d1`, or --field")
    start = perf_counter()
    scenario = study.plain_scenario(rule, deck)
    if field:
        if train_a or train_b or yield_a != yield_b:
            raise BadInput("with --field all knights train and yield alike: use --train, and --yield-a with --yield-b")
        folder = out / scenario.name / "field"
        if not json:
            check_writable(folder)
        table = study.field(scenario, train, yield_a, margin)
        if json:
            screen.document(study.field_json(table))
            return
        from analyzer.reporting.joust import write_field

        write_field(table, folder, perf_counter() - start)
        if not quiet:
            screen.say(f"{table.verdict}\n")
            screen.table(table.knights)
            screen.say(f"\nReport: {folder / 'report.html'}")
        return
    attacker = study.read_entrant(scenario, a, f"{train},{train_a}", yield_a)
    defender = study.read_entrant(scenario, b, f"{train},{train_b}", yield_b)
    folder = out / scenario.name / "joust" / re.sub(r"[^\w-]+", "", f"{a}-{b}")
    if not json:
        check_writable(folder)
    result = study.joust(scenario, attacker, defender, seed=seed, jousts=games, threads=threads)
    if json:
        screen.document(study.as_json(result))
        return
    from analyzer.reporting.joust import write_joust

    write_joust(result, folder, perf_counter() - start)
    if not quiet:
        screen.say(f"{result.finding}\n")
        screen.table(result.odds)
        screen.say()
        screen.table(result.rounds)
        screen.say(f"\n{games:,} simulated jousts, seed {seed}. Report: {folder / 'report.html'}")
