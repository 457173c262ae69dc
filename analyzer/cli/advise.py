"""`advise` and `challenge`: what to do in a position."""

from __future__ import annotations

from pathlib import Path

import typer

from analyzer.cli import screen
from analyzer.cli.study import Json, Out, Quiet, Seed, Threads

_POSITION = typer.Argument(help="A written game as `replay` reads it, or a scenario.")
_POLICY = typer.Option(
    "",
    help="Who plays on: one policy for all, or one for each seat, with commas; else those of the scenario, of a "
    "position the strongest, with a whim now and then.",
)
_GAME = typer.Option(0, min=0, help="Of a scenario: number of the game.")
_AFTER = typer.Option(0, min=0, help="Of a scenario: moves already played.")
_GAMES = typer.Option(
    None,
    min=128,
    help="Most games for a move; 50,000, fewer where those who play on are slow or the scenario has fewer.",
)
_COLUMNS = [
    "win",
    "win_low",
    "win_high",
    "score",
    "score_low",
    "score_high",
    "price",
    "price_low",
    "price_high",
    "verdict",
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(advise)
    app.command()(challenge)


def advise(
    position: str = _POSITION,
    policy: str = _POLICY,
    game: int = _GAME,
    after: int = _AFTER,
    games: int = _GAMES,
    seed: Seed = None,
    threads: Threads = None,
    out: Out = Path("reports"),
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play every legal move of a position on, with the same luck for all, and rank them.

    Writes a report to OUT/<position>/advise/.

    Examples: analyzer advise ritter/four-players --game 3 --after 16

    analyzer advise docs/positions/last-day.toml --policy calculating
    """
    from analyzer.studies.advise import advise as study
    from analyzer.studies.advise import read_question

    question = read_question(position, policies=policy, seed=seed, game=game, after=after)
    _answer("advise", study, question, games, threads, out, json, quiet)


def challenge(
    position: str = _POSITION,
    policy: str = _POLICY,
    game: int = _GAME,
    after: int = _AFTER,
    games: int = _GAMES,
    seed: Seed = None,
    threads: Threads = None,
    out: Out = Path("reports"),
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Rank the challenges of a position: the exact odds of each joust, and what it is worth in the end.

    Where the position is none with a challenge to make, the policies play on to the next one.
    Writes a report to OUT/<position>/challenge/.

    Examples: analyzer challenge docs/positions/last-day.toml

    analyzer challenge ritter/four-players --game 3
    """
    from analyzer.games.ritter.studies.challenge import ODDS, read_challenge
    from analyzer.games.ritter.studies.challenge import challenge as study

    question = read_challenge(position, policies=policy, seed=seed, game=game, after=after)
    text = "odds: exact chance that the challenger wins the joust; then that nobody does, and that each is out."
    _answer("challenge", study, question, games, threads, out, json, quiet, text, ODDS)


def _answer(name, study, question, games, threads, out, json, quiet, text="", extra=()) -> None:  # type: ignore[no-untyped-def]
    """Run the study, then show it."""
    from time import perf_counter

    from analyzer.reporting.folder import check_writable
    from analyzer.studies.advise import as_json, budget, default_games

    games = games or default_games(question)
    folder = out / question.scenario.name / name
    if not json:
        check_writable(folder)
    screen.announce_compiling(quiet, [question.scenario.table])
    start = perf_counter()
    with screen.progress(budget(question, games), quiet or json) as advance:
        result = study(question, games=games, threads=threads, progress=advance)
    seconds = perf_counter() - start
    if json:
        screen.document(as_json(result, extra))
        return
    from analyzer.reporting.advise import write_advice

    write_advice(result, folder, seconds, name, text, extra)
    if not quiet:
        screen.say(f"{question.scenario.title}: {question.where}; seat {question.seat + 1} to decide")
        screen.say(f"{result.finding}\n")
        screen.caveats(question.scenario.caveats)
        screen.table(screen.part(result.moves, ["move", *extra, "games", *_COLUMNS]))
        if len(result.otherwise):
            screen.say()
            screen.table(result.otherwise, f"{result.moves['move'][0]}, where others play on than {question.company}")
        screen.say(f"\n{result.played:,} games in {seconds:.1f} s. Report: {folder / 'report.html'}")
