"""The command line: read options, call one study, show it, choose the exit code."""

from __future__ import annotations

import sys

import typer

from analyzer import __version__
from analyzer.cli import advise, batch, design, games, joust, ladies, odds, picks, play, rank, train, yielding
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
for module in (games, play, odds, design, rank, batch, joust, train, yielding, ladies, advise, picks):
    module.register(app)


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
    try:
        app(prog_name="analyzer")
    except AnalyzerError as error:
        if "--debug" in sys.argv:
            raise
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
