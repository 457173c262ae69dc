"""Numbers as a person says them: as many digits as their error allows, shares in percent, never "-0.0"."""

from __future__ import annotations

import math
from typing import Any

import pandas as pd

from analyzer.answer import COUNT, HIGH, LOW, POINTS, SHARE, Column, Table

_NO_ERROR = {SHARE: 1, POINTS: 1, COUNT: 0}  # digits where there is no error to go by
_MOST_DIGITS = 4
_NOISE = 1e-9  # of reckoning: an interval no wider is none


def digits_for(half_width: float, unit: str) -> int:
    """Return how many decimals an error of this size allows: up to its own first digit."""
    if not math.isfinite(half_width) or half_width <= 0:
        return _NO_ERROR.get(unit, 2)
    return int(min(_MOST_DIGITS, max(0, -math.floor(math.log10(half_width)))))


def number(value: float, unit: str = "", low: float | None = None, high: float | None = None) -> str:
    """Write a number in its unit, with its interval if there is one."""
    if value != value:
        return ""
    scale = 100 if unit in (SHARE, POINTS) else 1
    sign = "+" if unit == POINTS else ""
    percent = "%" if unit == SHARE else ""
    if low is None or high is None:
        digits = 0 if float(value).is_integer() and unit not in (SHARE, POINTS) else _NO_ERROR.get(unit, 2)
        return f"{scale * value:{sign}z,.{digits}f}{percent}"
    if max(high, value) - min(low, value) < _NOISE:
        digits = 0 if float(round(scale * value, 6)).is_integer() else _NO_ERROR.get(unit, 2)
        return f"{scale * value:{sign}z,.{digits}f}{percent}"
    half_width = (high - low) / 2 if math.isfinite(high - low) else min(high - value, value - low)
    digits = digits_for(scale * half_width, unit)
    if unit == POINTS and any(end and not round(scale * end, digits) for end in (low, high)) and low * high > 0:
        digits += 1  # an interval that leaves zero out says so
    told = f"{scale * value:{sign}z,.{digits}f}{percent}"
    if not (math.isfinite(low) or math.isfinite(high)):
        return f"{told} (no bounds yet)"
    ends = [f"{scale * end:{sign}z,.{digits}f}" if math.isfinite(end) else "∞" for end in (low, high)]
    if not math.isfinite(high):
        return f"{told} ({ends[0]} or more)"
    if not math.isfinite(low):
        return f"{told} ({ends[1]} or less)"
    return f"{told} ({ends[0]}{' to ' if unit == POINTS or low < 0 else '–'}{ends[1]})"


def band(low: float, high: float, unit: str = "") -> str:
    """Write what lies between two numbers, with a digit more than its width asks for; open ends are left out."""
    scale = 100 if unit in (SHARE, POINTS) else 1
    digits = digits_for(scale * (high - low) / 2, unit) + (0 < high - low < math.inf)
    sign, percent = "+" if unit == POINTS else "", "%" if unit == SHARE else ""
    ends = [f"{scale * end:{sign}z,.{digits}f}{percent}" for end in (low, high)]
    if math.isinf(low) or math.isinf(high):
        return "" if low == -high else f"at most {ends[1]}" if math.isinf(low) else f"at least {ends[0]}"
    return f"{ends[0]} to {ends[1]}"


def cell(row: Any, column: Column) -> str:
    """Write one cell of a table as a person reads it; `row` maps column keys to values."""
    value = row[column.key]
    unit = str(row[column.unit_from]) if column.unit_from else column.unit
    if value is None or value is pd.NA or (column.blank is not None and value == column.blank):
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if hasattr(value, "item"):
        value = value.item()
    if not isinstance(value, (int, float)):
        return str(value)
    if column.to:
        return band(value, float(row[column.to]), unit)
    if column.key + LOW in row and column.key + HIGH in row:
        return number(value, unit, row[column.key + LOW], row[column.key + HIGH])
    if isinstance(value, int) and not unit:
        return str(value)
    return number(value, unit)


def readable(table: Table, briefly: bool = False) -> pd.DataFrame:
    """Return a table as text, every number in one cell with its interval; `briefly` leaves details out."""
    rows = table.read.to_dict("records")
    cells = {}
    for column in table.shown:
        if briefly and column.detail:
            continue
        heading = f"{column.heading}, points" if column.unit == POINTS else column.heading
        cells[heading] = [cell(row, column) for row in rows]
    return pd.DataFrame(cells)


def is_numeric(column: pd.Series) -> bool:
    """Say whether a column of text holds numbers, to be set flush right."""
    return all(not cell or cell[0].isdigit() or cell[0] in "+-" for cell in column)
