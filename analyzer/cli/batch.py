"""`batch`: every scenario's studies, one after another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from analyzer.cli import screen

if TYPE_CHECKING:
    from analyzer.batch import Batch
    from analyzer.reporting.index import Row


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(batch)


def batch(
    places: list[str] = typer.Argument(metavar="DIR|FILES…", help="Scenario files, or folders of them."),
    resume: bool = typer.Option(False, "--resume", help="Skip what stands there from the same inputs."),
    games: int = typer.Option(None, min=1, help="How many games for each study; the scenarios' numbers if not given."),
    threads: int = typer.Option(None, min=1, help="Threads; all processors if not given."),
    out: Path = typer.Option(Path("reports"), help="Folder for reports."),
    json: bool = typer.Option(False, "--json", help="Print one JSON document instead of lines."),
    quiet: bool = typer.Option(False, "--quiet", help="Print nothing but errors."),
) -> None:
    """Do the studies that scenarios declare (`studies = ["odds", "rank"]`), one after another.

    Goes on past a scenario that fails and names it at the end (exit 1). Writes each report to
    OUT/<scenario>/<study>/ and a page that leads to all of them to OUT/index.html.

    Example: analyzer batch scenarios --resume
    """
    from analyzer.batch import find_tasks, run_batch
    from analyzer.reporting.folder import check_writable

    check_writable(out)
    tasks = find_tasks(places, games)
    silent = quiet or json
    screen.announce_compiling(silent, [task.scenario.table for task in tasks if task.scenario])

    def tell(row: Row) -> None:
        if not silent:
            _show(row, out)

    done = run_batch(
        tasks,
        out,
        resume=resume,
        threads=threads,
        watch=lambda number, n, task, limit: screen.progress(
            limit, silent, f"{number} of {n}: {task.name}, {task.study}"
        ),
        tell=tell,
    )
    if json:
        screen.document(_document(done))
    elif not quiet:
        screen.say(f"Index: {out / 'index.html'}")
    for row in done.failed:
        where = f"{row.scenario} {row.study}".strip()
        screen.note(f"failed: {row.fault}" if row.fault.startswith(where) else f"failed: {where}: {row.fault}")
    if done.left:
        screen.note(f"interrupted: {done.left} of {len(tasks)} left to do; --resume goes on")
        raise typer.Exit(130)
    if done.failed:
        screen.note(f"{len(done.failed)} of {len(tasks)} failed")
        raise typer.Exit(1)


def _document(done: Batch) -> dict[str, object]:
    from dataclasses import asdict

    from analyzer.answer import SCHEMA

    rows = [asdict(row) | {"verdicts": dict(row.verdicts)} for row in done.rows]
    return {"schema": SCHEMA, "study": "batch", "rows": rows, "failed": len(done.failed), "left": done.left}


def _show(row: Row, out: Path) -> None:
    if row.status == "failed":
        screen.say(f"{row.title or row.scenario}: failed\n")
        return
    before = " (done before)" if row.status == "skipped" else ""
    screen.say(f"{row.title}: {row.study}{before}")
    screen.say(f"  {row.finding}")
    for name, verdict in row.verdicts:
        screen.say(f"  {name}: {verdict}")
    screen.say(f"  {row.games:,} games, {row.seconds:.1f} s. Report: {out / row.report}\n")
