"""`balance`, `compare`, `sweep` and `check`: for those who tune rules."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from analyzer.cli import screen
from analyzer.cli.options import Games, Json, Out, Quiet, ScenarioName, Seed, Threads, UntilText, answer, get_ready


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (balance, compare, sweep, check):
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
    from analyzer.scenario import find_scenario, load_scenario
    from analyzer.studies.until import read_until

    asked = load_scenario(find_scenario(scenario))
    stop = read_until(until, games, asked.games)
    folder = out / asked.name / "balance"
    get_ready(folder, json, quiet)
    from analyzer.studies import balance as study

    start = perf_counter()
    with screen.progress(None if stop.sequential else stop.games, quiet or json) as advance:
        result = study.balance(asked, stop, seed=seed, threads=threads, progress=advance)
    seconds = perf_counter() - start

    def write() -> None:
        from analyzer.reporting.balance import write_balance

        write_balance(result, folder, seconds)

    def show() -> None:
        from analyzer.reporting.balance import line_texts

        screen.say(f"{asked.title} ({asked.game.title}, {result.n_games:,} games, seed {result.seed})")
        screen.say(f"{result.finding}\n")
        judged = result.lines[result.lines["verdict"] != ""]
        screen.table(line_texts(judged), "Targets")
        screen.say()
        screen.table(
            line_texts(result.lines[result.lines["verdict"] == ""]).drop(columns=["wanted", "verdict"]), "Also"
        )
        screen.say(f"\nIntervals: {result.interval}.")
        screen.say(_halving(stop, result.n_games))
        screen.say(f"{seconds:.1f} s. Report: {folder / 'report.html'}")

    answer(
        n_games=result.n_games,
        interrupted=result.interrupted,
        json=json,
        quiet=quiet,
        document=lambda: study.as_json(result),
        write=write,
        show=show,
    )


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
    from analyzer.scenario import find_scenario, load_scenario
    from analyzer.studies.until import read_until

    a, b = (load_scenario(find_scenario(name)) for name in (first, second))
    stop = read_until(until, games, a.games)
    folder = out / a.name / f"compare-{Path(b.name).name}"
    get_ready(folder, json, quiet)
    from analyzer.studies import compare as study

    start = perf_counter()
    with screen.progress(None if stop.sequential else stop.games, quiet or json) as advance:
        result = study.compare(a, b, stop, seed=seed, threads=threads, progress=advance)
    seconds = perf_counter() - start

    def write() -> None:
        from analyzer.reporting.compare import write_comparison

        write_comparison(result, folder, seconds)

    def show() -> None:
        from analyzer.reporting.compare import difference_texts

        screen.say(f"{a.title} against {b.title} ({a.game.title}, {result.n_games:,} games each, seed {result.seed})")
        screen.say(f"{result.finding}\n")
        screen.table(difference_texts(result.table))
        screen.say(f"\nIntervals: {result.interval}.")
        screen.say(_halving(stop, result.n_games))
        screen.say(f"{seconds:.1f} s. Report: {folder / 'report.html'}")

    answer(
        n_games=result.n_games,
        interrupted=result.interrupted,
        json=json,
        quiet=quiet,
        document=lambda: study.as_json(result),
        write=write,
        show=show,
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
    from analyzer.errors import BadInput
    from analyzer.scenario import find_scenario, load_scenario
    from analyzer.studies.until import read_until

    asked = load_scenario(find_scenario(scenario))
    stop = read_until(until, games, asked.games)
    if all_options == bool(vary) or len(vary or []) > 2:
        raise BadInput("say either --vary, once or twice, or --all")
    folder = out / asked.name / ("tornado" if all_options else "sweep")
    get_ready(folder, json, quiet)
    from analyzer.studies import sweep as study

    axes = [study.read_axis(text) for text in vary or []]
    start = perf_counter()
    with screen.progress(None, quiet or json) as advance:
        result: study.Sweep | study.Tornado
        if all_options:
            result = study.tornado(asked, stop, seed=seed, threads=threads, progress=advance)
        else:
            result = study.sweep(asked, axes, stop, seed=seed, threads=threads, progress=advance)
    seconds = perf_counter() - start

    def write() -> None:
        from analyzer.reporting.sweep import write_sweep, write_tornado

        if isinstance(result, study.Tornado):
            write_tornado(result, folder, seconds)
        else:
            write_sweep(result, folder, seconds)

    def show() -> None:
        from analyzer.reporting.sweep import headline_texts

        screen.say(f"{asked.title} ({asked.game.title}, {result.n_games:,} games a point, seed {result.seed})")
        screen.say(f"{result.finding}\n")
        screen.table(headline_texts(result))
        if len(result.refused):
            screen.say()
            screen.table(result.refused, "Not played")
        screen.say(f"\n{seconds:.1f} s. Report: {folder / 'report.html'}")

    answer(
        n_games=result.n_games,
        interrupted=result.interrupted,
        json=json,
        quiet=quiet,
        document=lambda: study.as_json(result),
        write=write,
        show=show,
    )


def check(
    scenario: ScenarioName,
    baseline: Annotated[
        Path | None, typer.Option(help="run.json of an earlier balance or check: test against its numbers instead.")
    ] = None,
    games: Annotated[int | None, typer.Option(min=1, help="The most games to play before giving up.")] = None,
    seed: Seed = None,
    threads: Threads = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Hold a scenario to its targets: exit 0 all hold, 1 one is violated, 3 undecided within the budget.

    Examples: analyzer check ritter/no-ladies

    analyzer check ritter/four-players --baseline reports/ritter/four-players/balance/run.json
    """
    from analyzer.scenario import find_scenario, load_scenario
    from analyzer.studies.until import DECIDED, read_until

    asked = load_scenario(find_scenario(scenario))
    stop = read_until(DECIDED, games, asked.games)
    from analyzer.studies import check as study

    with screen.progress(None, quiet or json) as advance:
        result = study.check(asked, stop, baseline=baseline, seed=seed, threads=threads, progress=advance)
    if json:
        screen.document(study.as_json(result))
    elif not quiet:
        from analyzer.reporting.balance import line_texts

        for row in line_texts(result.lines).to_dict("records"):
            word, _, more = row["verdict"].partition(" ")
            found = f"{row['value']} {row['unit']}".rstrip()
            screen.say(f"{word:<10} {row['what']}: {found}; wanted {row['wanted']} {more}".rstrip())
        screen.say(f"{result.verdict}: {asked.title}, {result.n_games:,} games, seed {result.seed}")
    if result.interrupted:
        raise typer.Exit(130)
    raise typer.Exit(result.exit_code)


def _halving(stop, games: int) -> str:  # type: ignore[no-untyped-def]
    """Say how the number of games came about and what half the width would take."""
    how = "It stopped by itself" if stop.sequential and games < stop.games else "That was the number asked for"
    if stop.sequential and games >= stop.games:
        how = "It used up the games allowed before it was enough"
    return f"{how}: {games:,} games; half the width takes about {4 * games:,}."
