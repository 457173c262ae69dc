"""The command line: read options, call one study, show it, choose the exit code."""

from __future__ import annotations

import contextlib
import os
import sys
import threading

import typer

from analyzer import __version__
from analyzer.catalogue import STUDIES
from analyzer.cli import batch, games, play, signals
from analyzer.cli.commands import command_of
from analyzer.errors import AnalyzerError

_IO_ERROR = 74  # EX_IOERR: a full disk is no violated target

app = typer.Typer(
    name="analyzer",
    help="Win odds and balance of knightly games, played by the million.\n\n"
    "Start with: analyzer odds scenarios/ritter/four-players.toml",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for module in (games, play, batch):
    module.register(app)
for study in STUDIES.values():
    app.command(study.name)(command_of(study))


def _version(asked: bool) -> None:
    if asked:
        print(f"analyzer {__version__}")
        raise typer.Exit()


@app.callback()
def _options(
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of a failure."),
    version: bool = typer.Option(
        False, "--version", callback=_version, is_eager=True, help="Print the version and leave."
    ),
) -> None:
    pass  # main looks for --debug itself


def main() -> None:
    """Run a command; report what went wrong in one message."""
    with signals.heard() as came:
        code = _run()
        if came and code == 0:  # whatever has lost the interruption on its way
            code = signals.INTERRUPTED
        if code == signals.INTERRUPTED and threading.active_count() > 1 and came:
            signals.leave()  # nobody waits for what the threads play
    if code:
        sys.exit(code)


def _run() -> int:
    """Run a command and return its exit code."""
    try:
        try:
            app(prog_name="analyzer")
        except SystemExit as left:
            if isinstance(getattr(left.__context__, "__cause__", None), KeyboardInterrupt):
                raise KeyboardInterrupt from None  # typer ends with the right code, but without a word
            return left.code if isinstance(left.code, int) else int(bool(left.code))
        finally:
            sys.stdout.flush()
    except AnalyzerError as error:
        if "--debug" in sys.argv:
            raise
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except OSError as error:
        if "--debug" in sys.argv:
            raise
        _say_no_more()
        print(f"error: cannot be written or read: {error}", file=sys.stderr)
        return _IO_ERROR
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return signals.INTERRUPTED
    return 0


def _say_no_more() -> None:
    """Let what could not be printed go nowhere, so that it is not tried again at the end."""
    with contextlib.suppress(OSError, ValueError), open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
