"""`balance` and `check`: for those who tune rules."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from analyzer.cli import screen
from analyzer.cli.study import Games, Json, Out, Quiet, ScenarioName, Seed, Threads, UntilText, run_study


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (balance, check):
        app.command()(command)


def balance(
    scenario: ScenarioName,
    games: Games = None,
    until: UntilText = None,
    seed: Seed = None,
    threads: Threads = None,
    out: Out = Path("reports"),
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Judge a game: seats, policies, cards, ties, length, course, luck and skill, against the scenario's targets.

    Examples: analyzer balance ritter/four-players

    analyzer balance ritter/four-players --until decided
    """

    def show(result: Any) -> None:
        from analyzer.reporting.balance import left_out_text, line_texts

        judged = result.lines["verdict"] != ""
        screen.table(line_texts(result.lines[judged]), "Targets")
        screen.say()
        screen.table(line_texts(result.lines[~judged]).drop(columns=["wanted", "verdict"]), "Also")
        if result.left_out:
            screen.say(f"\n{left_out_text(result.left_out)}")
        screen.say(f"\nIntervals: {result.interval}.")

    run_study(
        "balance", scenario, show, games=games, until=until, seed=seed, threads=threads, out=out, json=json, quiet=quiet
    )


def check(
    scenario: ScenarioName,
    baseline: Annotated[
        Path | None, typer.Option(help="run.json of an earlier balance or check: test against its numbers instead.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--all", help="Decide every target, instead of stopping at the first violated one.")
    ] = False,
    games: Annotated[int | None, typer.Option(min=1, help="The most games to play before giving up.")] = None,
    seed: Seed = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Hold a scenario to its targets: exit 0 all hold, 1 one is violated, 3 undecided within the budget.

    Against a baseline the same games are played again where its seed and scenario allow it: a game that has
    not changed then moves by exactly nothing, and a changed rule is seen on the same deals and dice.

    Examples: analyzer check ritter/even-table

    analyzer check ritter/four-players --baseline reports/ritter/four-players/balance/run.json
    """
    from analyzer.scenarios import find_scenario, load_scenario
    from analyzer.studies import check as study
    from analyzer.studies.until import DECIDED, read_until

    asked = load_scenario(find_scenario(scenario))
    until = read_until(DECIDED, games, asked.games)
    screen.announce_compiling(quiet, [asked.table])
    with screen.progress(None, quiet or json) as advance:
        result = study.check(
            asked, until=until, baseline=baseline, every=every, seed=seed, threads=threads, progress=advance
        )
    if json:
        screen.document(study.as_json(result))
    elif not quiet:
        from analyzer.reporting.balance import baseline_text, left_out_text, line_texts

        for row in line_texts(result.lines).to_dict("records"):
            word, _, more = row["verdict"].partition(" ")
            found = f"{row['value']} {row['unit']}".rstrip()
            screen.say(f"{word:<10} {row['what']}: {found}; wanted {row['wanted']} {more}".rstrip())
        if result.left_out:
            screen.say(left_out_text(result.left_out))
        if result.compared:
            screen.say(baseline_text(result.compared))
        screen.say(f"{result.verdict}: {asked.title}, {result.n_games:,} games, seed {result.seed}")
    raise typer.Exit(130 if result.interrupted else result.exit_code)
