"""The command line: read options, call one study, show it, choose the exit code."""

from __future__ import annotations

import sys

import typer

from analyzer.cli import games, odds, picks, play
from analyzer.errors import AnalyzerError

app = typer.Typer(
    name="analyzer",
    help="Win odds and balance of knightly games, played by the million.\n\n"
    "Start with: analyzer odds scenarios/ritter/four-players.toml",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for module in (games, play, odds, picks):
    module.register(app)


@app.callback()
def _options(
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of a failure."),
    version: bool = typer.Option(False, "--version", help="Print the version and leave."),
) -> None:
    if version:
        from analyzer import __version__

        print(f"analyzer {__version__}")
        raise typer.Exit()


def main() -> None:
    """Run a command; report what went wrong in one message."""
    try:
        app()
    except AnalyzerError as error:
        if "--debug" in sys.argv:
            raise
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
