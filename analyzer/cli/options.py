"""The options that commands share, and what they do with an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from analyzer.cli import screen

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


def get_ready(folder: Path, json: bool, quiet: bool) -> None:
    """Make sure before the work that the report can be written, and say so when kernels must be compiled."""
    from analyzer.engine.run import is_compiled
    from analyzer.reporting.folder import check_writable

    if not json:
        check_writable(folder)
    if not quiet and not is_compiled():
        screen.note("compiling the kernels; this happens once and takes about half a minute …")


def answer(
    *,
    n_games: int,
    interrupted: bool,
    json: bool,
    quiet: bool,
    document: Callable[[], Mapping[str, Any]],
    write: Callable[[], None],
    show: Callable[[], None],
) -> None:
    """Print or write an answer; an interrupted one says so and leaves with 130."""
    if n_games == 0:
        screen.note("interrupted before the first games were played; nothing written")
        raise typer.Exit(130)
    if json:
        screen.document(document())
    else:
        write()
        if not quiet:
            show()
    if interrupted:
        screen.note(f"interrupted: {n_games:,} games had been played and are reported")
        raise typer.Exit(130)
