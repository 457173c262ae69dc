"""Tables as a person reads them: shares in percent, means with two digits, intervals in one cell."""

from __future__ import annotations

import math

import pandas as pd

_SHARES = (
    *("win", "share", "effect", "known_share", "leader_win", "mix", "alpha_rank", "worth", "changed"),
    *("picked", "price", "gain", "contested"),
)
_TITLES = {
    "win": "wins",
    "per_game": "per game",
    "share_of": "share of",
    "known_share": "known of the winner",
    "leader_win": "leader wins",
    "alpha_rank": "alpha-rank",
}


def readable(table: pd.DataFrame) -> pd.DataFrame:
    """Return the table with every estimate and its interval in one cell.

    Shares are printed in percent: the columns of that name, and those in `table.attrs["shares"]`.
    """
    cells: dict[str, list[str]] = {}
    shares = (*_SHARES, *table.attrs.get("shares", ()))
    for column in table.columns:
        if column.endswith(("_low", "_high")):
            continue
        title = _TITLES.get(column, column)
        if f"{column}_low" in table.columns:
            spans = zip(table[column], table[f"{column}_low"], table[f"{column}_high"], strict=True)
            cells[title] = [_span(column in shares, *span) for span in spans]
        elif table[column].dtype.kind == "f":
            cells[title] = [_number(column in shares, value) for value in table[column]]
        else:
            cells[title] = [f"{v:,}" if isinstance(v, int) and column == "games" else str(v) for v in table[column]]
    return pd.DataFrame(cells)


def _number(share: bool, value: float) -> str:
    if value != value:
        return ""
    return f"{100 * value:z.2f}%" if share else f"{value:z.2f}"


def _span(share: bool, value: float, low: float, high: float) -> str:
    if value != value:
        return ""
    if low == high and value == int(value) and not share:
        return f"{value:z.0f}"
    digits = 2 if share or high - low > 0.005 or value == 0 else 3
    shown, *ends = (f"{100 * v if share else v:z.{digits}f}" for v in (value, low, high))
    return f"{shown}{'%' if share else ''} ({_ends(low, high, *ends)})"


def _ends(low: float, high: float, low_text: str, high_text: str) -> str:
    """Write an interval; an open end stands for what no number of such games could bound."""
    if math.isinf(low) and math.isinf(high):
        return "no bounds yet"
    if math.isinf(high):
        return f"{low_text} or more"
    if math.isinf(low):
        return f"{high_text} or less"
    return f"{low_text}{'–' if not low_text.startswith('-') else ' to '}{high_text}"


def by_unit(unit: str, value: float, low: float | None = None, high: float | None = None) -> str:
    """Write a number, with its interval if given, in its unit: shares in percent."""
    if low is None or high is None:
        return _number(unit == "share", value)
    return _span(unit == "share", value, low, high)


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
