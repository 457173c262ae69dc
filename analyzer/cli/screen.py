"""What a terminal shows: tables, progress, documents."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analyzer.engine.game import Table


def say(text: str = "") -> None:
    """Print a line of the answer."""
    print(text)


def note(text: str) -> None:
    """Print a remark beside the answer."""
    print(text, file=sys.stderr)


def document(value: Mapping[str, Any]) -> None:
    """Print one JSON document and nothing else."""
    from analyzer.reporting.document import json_text

    print(json_text(value))


def announce_compiling(quiet: bool, tables: Iterable[Table], drivers: Sequence[Any] = ()) -> None:
    """Say that the first run compiles, if it will: the engine's driver for the games of these tables, or others."""
    from analyzer.engine.drive import play_chunk
    from analyzer.engine.jit import is_compiled

    ready = all(is_compiled(driver, table.rules) for table in tables for driver in drivers or (play_chunk,))
    if not quiet and not ready:
        note("compiling the kernels; this happens once and takes about half a minute …")


@contextmanager
def progress(games: int | None, quiet: bool, label: str = "playing") -> Iterator[Callable[[int], None]]:
    """Show a bar with games a second and, where the number of games is known, the time left; on a terminal only."""
    if quiet or not sys.stderr.isatty():
        yield lambda played: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn(label, markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("games", total=games, rate="")

        def advance(played: int) -> None:
            bar.advance(task, played)
            speed = bar.tasks[0].speed
            bar.update(task, rate=f"{speed:,.0f} games/s" if speed else "")

        yield advance
