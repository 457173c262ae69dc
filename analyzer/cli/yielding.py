"""`yield`: when fighting on costs more than it can win."""

from __future__ import annotations

import re
from pathlib import Path

import typer

from analyzer.cli import screen
from analyzer.cli.study import Json, Out, Quiet, Threads


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("yield")(yielding)


def yielding(
    a: str = typer.Argument(help="Your knight: 3d123, 4d1123w2, or a card's name."),
    b: str = typer.Argument(help="The other knight."),
    defend: bool = typer.Option(False, "--defend", help="Your knight was challenged; otherwise he attacks."),
    train_a: str = typer.Option("", help="Training of your knight: dice, 1 to 6, mounted, foot, with commas."),
    train_b: str = typer.Option("", help="Training of the other."),
    yield_b: str = typer.Option("7", help="The other yields with this many wounds: a number, never, or best."),
    day: int = typer.Option(1, min=1, help="Day of the tournament."),
    scenario: str = typer.Option(
        "", help="Scenario whose tournaments set the prices; four by the rulebook if not given."
    ),
    prices: str = typer.Option("", help="Prices by hand, in premiums: one a wound, or a list for 0, 1, … and out."),
    stake: float = typer.Option(2.0, min=0.0, help="With --prices: what the win is worth."),
    rule: list[str] = typer.Option([], help="An option of the rules, as enrage=every_round; not with --scenario."),
    games: int = typer.Option(60_000, min=1000, help="Tournaments for the prices, and for each threshold."),
    seed: int = typer.Option(1, min=0, help="Seed of the tournaments."),
    threads: Threads = None,
    out: Out = Path("reports"),
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Solve when to yield on foot: the best map by both knights' wounds, and what simple rules lose.

    Prices of wounds are measured in tournaments and kept, or given by hand; then no tournament is played.
    Writes a report to OUT/<scenario>/yield/<A>-<B>/.

    Examples: analyzer yield 4d1123 5d1 --day 2

    analyzer yield Apollonius Harald --prices 0.3 --stake 2 --yield-b best
    """
    from time import perf_counter

    from analyzer.errors import BadInput
    from analyzer.games.ritter import worth
    from analyzer.games.ritter.joust import ATTACKER, DEFENDER
    from analyzer.games.ritter.studies import yielding as study
    from analyzer.games.ritter.studies.joust import read_entrant, ritter_scenario
    from analyzer.reporting.folder import check_writable

    start = perf_counter()
    asked = ritter_scenario(scenario, rule)
    if day > asked.table.rules.days:
        raise BadInput(f"--day {day}: the tournament has {asked.table.rules.days} days")
    other_is_best = yield_b == "best"
    me = read_entrant(asked, a, train_a)
    other = read_entrant(asked, b, train_b, "never" if other_is_best else yield_b)
    folder = out / asked.name / "yield" / re.sub(r"[^\w-]+", "", f"{a}-{b}")
    if not json:
        check_writable(folder)
    side = DEFENDER if defend else ATTACKER
    limit = int(asked.table.rules.wound_limit)
    if not prices:
        screen.announce_compiling(quiet, drivers=[worth.measure, worth.compare])
    with screen.progress(0 if prices else games * limit, quiet or json) as advance:
        ends = (
            study.given_prices(limit, prices, stake)
            if prices
            else study.measured_prices(asked, me, other, side=side, day=day, seed=seed, games=games, threads=threads)
        )
        result = study.yielding(
            asked, me, other, ends,
            other_is_best=other_is_best, side=side, day=day,
            seed=seed, games=games, tournaments=not prices, threads=threads, progress=advance,
        )  # fmt: skip
    if json:
        screen.document(study.as_json(result))
        return
    from analyzer.reporting.yielding import write_yielding

    write_yielding(result, folder, perf_counter() - start)
    if not quiet:
        _show(result)
        screen.say(f"\nPrices: {result.prices.origin}. Report: {folder / 'report.html'}")


def _show(result) -> None:  # type: ignore[no-untyped-def]
    screen.say(f"{result.finding}\n")
    screen.say("Yield (Y) or fight on (·); own wounds down, the other's across")
    screen.say("    " + " ".join(f"{his:>2}" for his in result.yields.columns))
    for own, row in result.yields.iterrows():
        screen.say(f"  {own:>2} " + " ".join(" Y" if yields else " ·" for yields in row))
    screen.say()
    screen.table(result.simple)
    if result.tournaments is not None:
        screen.say()
        screen.say("Whole tournaments: the same joust of these two, with each threshold")
        screen.table(result.tournaments)
