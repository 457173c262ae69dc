"""An answer on a terminal: the finding, the tables that fit there, where the rest is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TextIO

from analyzer.answer import Answer, Table
from analyzer.reporting.numbers import is_numeric, readable

_FILE_WIDTH = 200  # piped into a file, lines are not broken


def show(answer: Answer, say: Callable[[str], None] = print, out: TextIO | None = None) -> None:
    """Print an answer briefly."""
    game = answer.scenario.game.title
    played = f"{answer.n_games:,} games, seed {answer.seed}" if answer.n_games else "exact"
    say(f"{answer.title} ({game}, {played})")
    say(f"{answer.finding}\n")
    for note in answer.notes:
        say(f"Note: {note}\n")
    for table in answer.tables:
        if table.brief and len(table.read):
            print_table(table, out)
            say("")
    say(answer.method)


def print_table(table: Table, out: TextIO | None = None) -> None:
    """Print a table, estimates with their intervals in one cell."""
    from rich.console import Console
    from rich.table import Table as Grid

    out = out or sys.stdout
    shown = readable(table, briefly=True)
    grid = Grid(title=table.title, title_justify="left", title_style="bold", box=None, pad_edge=False)
    for heading in shown.columns:
        grid.add_column(str(heading), justify="right" if is_numeric(shown[heading]) else "left", overflow="fold")
    for row in shown.itertuples(index=False):
        grid.add_row(*map(str, row))
    Console(file=out, width=None if out.isatty() else _FILE_WIDTH, highlight=False, markup=False).print(grid)
