"""`compare` and `sweep`: for those who tune rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from analyzer.cli import screen
from analyzer.cli.study import Games, Json, Out, Quiet, ScenarioName, Seed, Threads, UntilText, run_study
from analyzer.errors import BadInput


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (compare, sweep):
        app.command()(command)


def compare(
    first: Annotated[str, typer.Argument(help="A scenario.")],
    second: Annotated[str, typer.Argument(help="Another of the same game and table size.")],
    games: Games = None,
    until: UntilText = None,
    seed: Seed = None,
    threads: Threads = None,
    out: Out = Path("reports"),
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play two scenarios on the same deals and dice and tell what differs.

    Examples: analyzer compare ritter/four-players ritter/no-ladies

    analyzer compare ritter/four-players mine.toml --until 0.2%
    """
    from analyzer.scenarios import find_scenario, load_scenario

    other = load_scenario(find_scenario(second))

    def show(result: Any) -> None:
        from analyzer.reporting.compare import difference_texts

        screen.table(difference_texts(result.table), f"Second: {other.title}")
        screen.say(f"\nIntervals: {result.interval}.")

    run_study(
        "compare",
        first,
        show,
        games=games,
        until=until,
        seed=seed,
        threads=threads,
        out=out,
        json=json,
        quiet=quiet,
        folder_name=f"compare-{Path(other.name).name}",
        second=other,
    )


def sweep(
    scenario: ScenarioName,
    vary: Annotated[
        list[str] | None,
        typer.Option(help="What to vary: rules.KEY=LOW:HIGH, =a,b,c, or policies.NAME.KEY=…; once or twice."),
    ] = None,
    all_options: Annotated[
        bool, typer.Option("--all", help="Move every option one step each way instead: a tornado chart.")
    ] = False,
    games: Games = None,
    until: UntilText = None,
    seed: Seed = None,
    threads: Threads = None,
    out: Out = Path("reports"),
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Vary rules or policies over a grid, all points on the same deals and dice.

    Examples: analyzer sweep ritter/four-players --vary rules.night_recovery=0:6

    analyzer sweep ritter/four-players --vary rules.days=2:6 --vary rules.wound_limit=8:12

    analyzer sweep ritter/four-players --all
    """
    from analyzer.studies.sweep import read_axis

    if all_options == bool(vary) or len(vary or []) > 2:
        raise BadInput("say either --vary, once or twice, or --all")
    options: dict[str, Any] = {} if all_options else {"axes": [read_axis(text) for text in vary or []]}

    def show(result: Any) -> None:
        from analyzer.reporting import sweep, tornado

        screen.table((tornado if all_options else sweep).headline_texts(result))
        if len(result.refused):
            screen.say()
            screen.table(result.refused, "Not played")
        screen.say()

    run_study(
        "tornado" if all_options else "sweep",
        scenario,
        show,
        games=games,
        until=until,
        seed=seed,
        threads=threads,
        out=out,
        json=json,
        quiet=quiet,
        **options,
    )
