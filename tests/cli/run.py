"""Run a command as a user would, in this process or in one of its own."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Any

from analyzer.cli import main

COMMAND = [sys.executable, "-m", "analyzer"]


@dataclass(frozen=True)
class Done:
    """What a command printed and its exit code."""

    code: int
    out: str
    err: str


def run(capsys: Any, monkeypatch: Any, *arguments: object) -> Done:
    """Run `analyzer ARGUMENTS` here."""
    monkeypatch.setattr(sys, "argv", ["analyzer", *map(str, arguments)])
    code = 0
    try:
        main()
    except SystemExit as left:
        code = int(left.code or 0)
    out, err = capsys.readouterr()
    return Done(code, out, err)
