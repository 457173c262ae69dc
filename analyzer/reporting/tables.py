"""Tables as a person reads them: shares in percent, means with two digits, intervals in one cell."""

from __future__ import annotations

import pandas as pd

_SHARES = ("win", "share", "picked", "price", "gain", "contested")
_TITLES = {"win": "wins", "per_game": "per game", "share_of": "share of"}


def readable(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with every estimate and its interval in one cell."""
    cells: dict[str, list[str]] = {}
    for column in table.columns:
        if column.endswith(("_low", "_high")):
            continue
        title = _TITLES.get(column, column)
        if f"{column}_low" in table.columns:
            spans = zip(table[column], table[f"{column}_low"], table[f"{column}_high"], strict=True)
            cells[title] = [_span(column, *span) for span in spans]
        elif table[column].dtype.kind == "f":
            cells[title] = [_number(column, value) for value in table[column]]
        else:
            cells[title] = [f"{v:,}" if isinstance(v, int) and column == "games" else str(v) for v in table[column]]
    return pd.DataFrame(cells)


def _number(column: str, value: float) -> str:
    if value != value:
        return ""
    return f"{100 * value:.2f}%" if column in _SHARES else f"{value:.2f}"


def _span(column: str, value: float, low: float, high: float) -> str:
    if column in _SHARES:
        return f"{100 * value:.2f}% ({100 * low:.2f}–{100 * high:.2f})"
    digits = 2 if high - low > 0.005 or value == 0 else 3
    return f"{value:.{digits}f} ({low:.{digits}f}–{high:.{digits}f})"


def markdown(table: pd.DataFrame) -> str:
    """Write a table in Markdown."""
    shown = readable(table)
    right = [_is_numeric(shown[column]) for column in shown.columns]
    return shown.to_markdown(index=False, disable_numparse=True, colalign=["right" if r else "left" for r in right])


def html(table: pd.DataFrame) -> str:
    """Write a table in HTML."""
    return readable(table).to_html(index=False, border=0, justify="left")


def _is_numeric(column: pd.Series) -> bool:
    return all(not cell or cell[0].isdigit() or cell[0] == "-" for cell in column)
