"""A command for every study, made from its declaration: read, play, show, choose the exit code."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from analyzer.cli import screen
from analyzer.study import Ask, Study

_COMMON = {
    "threads": Annotated[
        int | None, typer.Option(min=1, help="Threads; all processors if not given. Results do not depend on it.")
    ],
    "out": Annotated[Path | None, typer.Option(help="Folder for reports.  [default: reports]")],
    "json": Annotated[
        bool, typer.Option("--json", help="Print one JSON document; a report is written only with --out.")
    ],
    "quiet": Annotated[bool, typer.Option("--quiet", help="Print nothing but errors.")],
}
_DEFAULTS = {"threads": None, "out": None, "json": False, "quiet": False}


def command_of(study: Study) -> Callable[..., None]:
    """Return the function that Typer makes a command of."""

    def command(**given: Any) -> None:
        common = {key: given.pop(key) for key in _COMMON}
        perform(study, given, **common)

    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        *(
            inspect.Parameter(ask.key, keyword, default=_default(ask), annotation=_annotation(ask))
            for ask in study.asks
        ),
        *(inspect.Parameter(k, keyword, default=_DEFAULTS[k], annotation=a) for k, a in _COMMON.items()),
    ]
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    command.__annotations__ = {p.name: p.annotation for p in parameters}
    command.__name__ = study.name
    examples = "\n\n".join(study.examples)
    command.__doc__ = "\n\n".join(filter(None, [study.summary, study.about, examples and f"Examples: {examples}"]))
    return command


def _default(ask: Ask) -> Any:
    if ask.required and ask.argument:
        return inspect.Parameter.empty
    return None if ask.many else ask.default


def _annotation(ask: Ask) -> Any:
    kind: Any = list[ask.kind] if ask.many else ask.kind  # type: ignore[name-defined]
    if ask.default is None and not ask.required:
        kind = kind | None
    common: dict[str, Any] = {"help": ask.help, "metavar": ask.metavar or None}
    if ask.kind in (int, float):
        common |= {"min": ask.low, "max": ask.high}
    if ask.argument:
        return Annotated[kind, typer.Argument(**common)]
    return Annotated[kind, typer.Option(ask.written, show_default=bool(ask.default), **common)]


def perform(
    study: Study, given: dict[str, Any], *, threads: int | None, out: Path | None, json: bool, quiet: bool
) -> None:
    """Ask, play, write the report, show the answer."""
    from analyzer.ask import ask
    from analyzer.reporting.folder import check_writable, uninterrupted

    asked = ask(study, **given)
    folder = None if json and out is None else (out or Path("reports")) / asked.folder
    if folder is not None:
        check_writable(folder)
    screen.announce_compiling(quiet, [asked.question.scenario.table], asked.question.drivers)
    until = asked.question.options.get("until")
    with screen.progress(None if until else asked.plan, quiet or json) as advance:
        answer = asked.answer(threads=threads, progress=advance)
    if folder is not None:
        from analyzer.reporting.page import write

        with uninterrupted():
            write(answer, folder)
    if json:
        from analyzer.reporting.document import document

        screen.document(document(answer))
    elif not quiet:
        from analyzer.reporting.terminal import show

        show(answer, screen.say)
        if until:
            screen.say(_how_it_ended(answer.n_games, until.games))
        screen.say(f"{answer.provenance['seconds']:.1f} s. Report: {folder and folder / 'report.html'}")
    if answer.interrupted:
        screen.note(f"interrupted: {answer.n_games:,} games had been played and are reported")
        raise typer.Exit(130)
    if answer.exit_code:
        raise typer.Exit(answer.exit_code)


def _how_it_ended(games: int, most: int) -> str:
    """Say whether a run that could stop by itself did, and what half the width would take."""
    how = "It stopped by itself" if games < most else "It used up the games allowed before it was enough"
    return f"{how}: {games:,} games; half the width would take about {4 * games:,}."
