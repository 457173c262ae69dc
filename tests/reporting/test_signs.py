"""No number is printed as minus zero: whatever can be negative is formatted with `z`."""

from __future__ import annotations

import ast
import re
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "analyzer"
SIGNED = re.compile("difference|effect|gain|worth|behind|price|lost")


def _formats(path):
    """Yield the expression and the format of each number with decimals in a file's f-strings."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            spec = ast.unparse(node.format_spec)[2:-1]
            if spec.endswith(("f", "%")):
                yield ast.unparse(node.value), spec


def test_whatever_can_be_negative_has_no_minus_zero():
    found = [
        f"{path.relative_to(PACKAGE)}: {{{value}:{spec}}}"
        for room in ("studies", "reporting", "cli", "games/*/studies")
        for path in sorted(PACKAGE.glob(f"{room}/*.py"))
        for value, spec in _formats(path)
        if "z" not in spec and ("+" in spec or SIGNED.search(value))
    ]
    assert found == [], "write `z` into these formats, as in {x:+z.1f}"
