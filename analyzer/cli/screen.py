"""What a terminal shows: tables, progress, documents."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.engine.game import Table


def say(text: str = "") -> None:
    """Print a line of the answer."""
    print(text)


def note(text: str) -> None:
    """Print a remark beside the answer."""
    print(text, file=sys.stderr)


def caveats(texts: Sequence[str]) -> None:
    """Print what to know before one believes the answer."""
    for text in texts:
        print(f"Mind: {text}\n")


def document(value: Mapping[str, Any]) -> None:
    """Print one JSON document and nothing else."""
    from analyzer.reporting.report import json_text

    print(json_text(value))


def table(frame: pd.DataFrame, title: str = "") -> None:
    """Print a table, estimates with their intervals in one cell."""
    from rich.console import Console
    from rich.table import Table as RichTable

    from analyzer.reporting.tables import readable

    shown = readable(frame)
    grid = RichTable(title=title or None, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for column in shown.columns:
        numeric = all(not cell or cell[0].isdigit() or cell[0] == "-" for cell in shown[column])
        grid.add_column(str(column), justify="right" if numeric else "left", overflow="fold")
    for row in shown.itertuples(index=False):
        grid.add_row(*map(str, row))
    # piped into a file, lines are not broken
    Console(width=None if sys.stdout.isatty() else 200, highlight=False).print(grid)


def part(frame: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    """Return some columns of a table, printed as before."""
    chosen = frame[columns]
    chosen.attrs.update(frame.attrs)
    return chosen


def announce_compiling(quiet: bool, tables: Iterable[Table] = (), drivers: Iterable[Any] = ()) -> None:
    """Say that the first run compiles, if it will: the engine's driver for the games of these tables, or others."""
    from analyzer.engine.drive import play_chunk
    from analyzer.engine.jit import is_compiled

    ready = all(is_compiled(play_chunk, table.rules) for table in tables) and all(map(is_compiled, drivers))
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
