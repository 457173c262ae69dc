"""The program as a user runs it, inside this process."""

from __future__ import annotations

import json
from typing import Any

from typer.testing import CliRunner

from analyzer.cli import app
from analyzer.errors import AnalyzerError


def run(*arguments: str) -> tuple[int, str, str]:
    """Return the exit code, what was printed, and the error message."""
    result = CliRunner().invoke(app, list(arguments))
    if isinstance(result.exception, AnalyzerError):
        return result.exception.exit_code, result.stdout, str(result.exception)
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def document(*arguments: str) -> dict[str, Any]:
    """Return the one JSON document a command prints."""
    code, printed, error = run(*arguments, "--json")
    assert code == 0, error
    return json.loads(printed)
