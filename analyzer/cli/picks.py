"""`picks`: which two cards of six to pick."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from analyzer.cli import screen
from analyzer.cli.study import Json, Out, Quiet, Seed, Threads

if TYPE_CHECKING:
    from analyzer.games.gluecksritter.studies.picks import Picks, Question

_OFTEN = 0.005  # pairs picked less are not listed on the screen


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(picks)


def picks(
    target: str = typer.Argument("", help="A scenario, or a file with a [position]; the openings if not given."),
    effort: int = typer.Option(100, min=1, max=10_000, help="Percent of the usual number of games."),
    seed: Seed = None,
    threads: Threads = None,
    out: Out = Path("reports"),
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find the equilibrium of picking two hidden cards (Die Glücksritter).

    For a position: what each pair wins, how often to pick it, and how much could still be gained. For a
    scenario: its opening, and a mix for the whole game learned in self-play, with a file for scenarios.

    Writes report.md, report.html, CSV, PNG, mix.csv and run.json to OUT/<scenario>/picks/.

    Examples: analyzer picks

    analyzer picks gluecksritter/five-players
    """
    from time import perf_counter

    from analyzer.games.gluecksritter import learning
    from analyzer.reporting.folder import check_writable

    asked = _question(target)
    folder = out / asked.scenario.name / "picks"
    if not json:
        check_writable(folder)
    from analyzer.games.gluecksritter.studies import picks as study

    screen.announce_compiling(quiet, drivers=[learning.try_pairs, *([learning.try_situations] if asked.whole else [])])
    start = perf_counter()
    plan = study.Effort().scaled(effort)
    with screen.progress(study.games_to_play(asked, plan), quiet or json) as advance:
        result = study.picks(asked, seed=seed, effort=plan, threads=threads, progress=advance)
    seconds = perf_counter() - start
    if json:
        screen.document(study.as_json(result))
        return
    from analyzer.reporting.picks import write_picks

    write_picks(result, folder, seconds)
    if not quiet:
        _show(result, folder, seconds)


def _question(target: str) -> Question:
    from analyzer.engine.files import read_toml
    from analyzer.errors import BadInput
    from analyzer.games.gluecksritter.studies import picks as study
    from analyzer.scenarios import find_scenario, load_scenario
    from analyzer.studies.replay import read_game

    if not target:
        return study.ask_openings()
    path = find_scenario(target)
    try:
        is_position = "position" in read_toml(path)[0]
    except BadInput:
        is_position = False  # the scenario's own reading says what is wrong
    if not is_position:
        return study.ask_scenario(load_scenario(path))
    return study.ask_position(read_game(path))


def _show(result: Picks, folder: Path, seconds: float) -> None:
    screen.say(f"{result.asked.title} ({result.n_games:,} games, seed {result.seed})")
    screen.say(f"{result.finding}\n")
    screen.caveats(result.caveats)
    if result.game:
        screen.table(result.game.pairs, f"The price of always picking the same pair, {result.game.players} players")
        screen.say()
        screen.table(result.game.cards, "Single cards")
        screen.say()
        screen.table(result.game.rivals, "One seat of another policy against the mix")
        screen.say()
        screen.table(result.game.responders, "How far the mix can be beaten, as far as was found")
        screen.say()
    for position in result.positions:
        if result.game:
            screen.say(position.finding)
        else:
            often = position.pairs[position.pairs["picked"] >= _OFTEN]
            often = often.drop(columns="seats") if len(position.gains) == 1 else often
            screen.table(often, f"{position.name.capitalize()} (the report has the pairs hardly ever picked, too)")
    screen.say(f"\nIntervals: {result.interval}.")
    files = f"; the mix: {folder / 'mix.csv'}" if result.game else ""
    screen.say(f"{seconds:.1f} s. Report: {folder / 'report.html'}{files}")
