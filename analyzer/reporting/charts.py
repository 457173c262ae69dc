"""Charts in one style, drawn from descriptions: a title that is the finding, intervals, colours all can tell.

`figure_of` draws a `Chart` of an answer's table. A kind of chart is a function here, registered under its
name; it knows columns and units, and no study.
"""

from __future__ import annotations

from collections.abc import Callable
from textwrap import fill
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

from analyzer.answer import HIGH, LOW, POINTS, SHARE, Chart, Column, Table
from analyzer.reporting.numbers import cell

# Okabe and Ito's palette
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
_GREY, _GRID = "#666666", "#e5e5e5"
_STYLE: Any = {
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 13,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 14,
    "figure.dpi": 120,
}
_BARE: Any = {"axes.titlesize": 11, "axes.spines.left": False, "axes.spines.bottom": False}

Drawing = Callable[[Chart, pd.DataFrame, Column], Figure]
KINDS: dict[str, Drawing] = {}


def figure_of(chart: Chart, table: Table) -> Figure:
    """Draw a chart of a table."""
    frame = table.frame if chart.frame is None else chart.frame
    with matplotlib.rc_context(_STYLE):
        return KINDS[chart.kind](chart, frame.reset_index(drop=True), table.column(chart.value))


def kind(name: str) -> Callable[[Drawing], Drawing]:
    """Register a drawing as a kind of chart."""

    def register(drawing: Drawing) -> Drawing:
        KINDS[name] = drawing
        return drawing

    return register


@kind("intervals")
def _intervals(chart: Chart, frame: pd.DataFrame, column: Column) -> Figure:
    """One row for each label: the estimate as a dot, the interval as a bar, a reference as a line."""
    figure, axes = _one(chart, height=1.7 + 0.42 * len(frame))
    rows = range(len(frame))
    value, low, high = _spans(frame, column)
    drawn = np.isfinite(value)
    axes.errorbar(
        value[drawn], np.flatnonzero(drawn), xerr=[(value - low)[drawn], (high - value)[drawn]], fmt="o",
        color=COLOURS[0], ecolor=COLOURS[5], elinewidth=4, markersize=6,
    )  # fmt: skip
    for row in np.flatnonzero(drawn):
        text = _short(frame.iloc[row], column)
        axes.annotate(text, (value[row], row), xytext=(0, 8), textcoords="offset points", ha="center", fontsize=9)
    _reference(axes, chart, column)
    axes.set_yticks(list(rows), [str(label) for label in frame[chart.label]])
    axes.set_ylim(len(frame) - 0.4, -0.9)
    axes.margins(x=0.08)
    _scale(axes.xaxis, column)
    axes.grid(axis="x", color=_GRID)
    return figure


@kind("matrix")
def _matrix(chart: Chart, frame: pd.DataFrame, column: Column) -> Figure:
    """Who beats whom, `down` against `across`: purple where the row wins, brown where it loses, a share in each."""
    names = list(dict.fromkeys([*frame[chart.down], *frame[chart.across]]))
    n = len(names)
    figure, axes = _one(chart, height=max(4.8, 2.2 + 0.68 * n))
    share, low, high = (
        frame.pivot_table(index=chart.down, columns=chart.across, values=chart.value + end, sort=False)
        .reindex(index=names, columns=names)
        .to_numpy()
        for end in ("", LOW, HIGH)
    )
    image = axes.imshow(share, cmap="PuOr", vmin=0, vmax=1, aspect="auto")
    size = max(5.5, min(10.0, 84 / n))
    for i, j in np.argwhere(np.isfinite(share)):
        is_open = low[i, j] <= 0.5 <= high[i, j]
        red, green, blue, _ = image.cmap(share[i, j])
        is_dark = 0.3 * red + 0.6 * green + 0.1 * blue < 0.45
        colour = "white" if is_dark else "#595959" if is_open else "black"
        axes.text(
            j, i - 0.12, f"{100 * share[i, j]:.1f}", ha="center", va="center", color=colour, fontsize=size,
            style="italic" if is_open else "normal",
        )  # fmt: skip
        span = f"{100 * low[i, j]:.1f}–{100 * high[i, j]:.1f}"
        axes.text(j, i + 0.24, span, ha="center", va="center", color=colour, fontsize=0.75 * size)
    axes.set_xticks(range(n), names, rotation=30 if n > 8 else 0, ha="left" if n > 8 else "center")
    axes.set_yticks(range(n), names)
    axes.xaxis.tick_top()
    axes.xaxis.set_label_position("top")
    axes.tick_params(length=0)
    axes.set_xlabel(chart.across.replace("_", " "))
    axes.set_ylabel(chart.down.replace("_", " "))
    axes.spines[:].set_visible(False)
    bar = figure.colorbar(image, ax=axes, shrink=0.8, format=PercentFormatter(1.0, decimals=0))
    bar.set_label(chart.axis)
    bar.outline.set_visible(False)
    return figure


@kind("bars")
def _bars(chart: Chart, frame: pd.DataFrame, column: Column) -> Figure:
    """Bars side by side, a colour for each of the columns `more["columns"]` (key: what it is), with their intervals."""
    columns: dict[str, str] = chart.more.get("columns", {chart.value: ""})
    figure, axes = _one(chart, height=1.9 + 0.55 * len(frame))
    thick = 0.8 / len(columns)
    rows = np.arange(len(frame))
    for i, (key, label) in enumerate(columns.items()):
        at = rows + (i - (len(columns) - 1) / 2) * thick
        value, low, high = _spans(frame, Column(key))
        axes.barh(
            at, value, height=0.9 * thick, xerr=[value - low, high - value], color=COLOURS[i], label=label,
            error_kw={"elinewidth": 1.5, "capsize": 3, "ecolor": "#333333"},
        )  # fmt: skip
        for y, share, end in zip(at, value, high, strict=True):
            text = f"{100 * share:.1f}%"
            axes.annotate(text, (end, y), xytext=(5, 0), textcoords="offset points", va="center", fontsize=9)
    axes.set_yticks(rows, [str(label) for label in frame[chart.label]])
    axes.invert_yaxis()
    axes.set_xlim(0, 1.09 * max(frame[key + HIGH].max() for key in columns))
    _scale(axes.xaxis, column)
    axes.grid(axis="x", color=_GRID)
    if len(columns) > 1:
        axes.legend(frameon=False, loc="lower right")
    return figure


@kind("course")
def _course(chart: Chart, frame: pd.DataFrame, column: Column) -> Figure:
    """A line for each `group` over `across`, labelled at its end."""
    figure, axes = _one(chart, height=4.8)
    ends = []
    for i, (_, rows) in enumerate(frame.groupby(chart.group)):
        colour = COLOURS[i % len(COLOURS)]
        style = ("-", "--", ":")[i // len(COLOURS) % 3]
        axes.plot(rows[chart.across], rows[chart.value], marker="o", color=colour, linewidth=2, linestyle=style)
        ends.append((float(rows[chart.value].iloc[-1]), str(rows[chart.label].iloc[0]), colour))
    span = max(frame[chart.value].max() - frame[chart.value].min(), 1e-9)
    ends.sort()
    for (_, label, colour), at in zip(ends, _apart([value for value, *_ in ends], 0.055 * span), strict=True):
        axes.annotate(
            label, (frame[chart.across].max(), at), xytext=(10, 0), textcoords="offset points", color=colour,
            va="center", annotation_clip=False,
        )  # fmt: skip
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y", color=_GRID)
    axes.set_xlabel(f"after {chart.across}")
    axes.set_ylabel(chart.axis)
    return figure


def _apart(values: list[float], distance: float) -> list[float]:
    """Return rising values moved as little as keeps them this far from each other, about where they were."""
    rising: list[float] = []
    for value in values:
        rising.append(max(value, rising[-1] + distance) if rising else value)
    pushed = (sum(rising) - sum(values)) / len(values)
    return [value - pushed for value in rising]


@kind("lines")
def _lines(chart: Chart, frame: pd.DataFrame, column: Column) -> Figure:
    """A line with its band of error for each `group`, over `across`; `more["wanted"]` is a target's band."""
    figure, axes = _one(chart, height=4.8)
    places = {value: i for i, value in enumerate(dict.fromkeys(frame[chart.across]))}
    words = not pd.api.types.is_numeric_dtype(frame[chart.across])
    groups = list(frame.groupby(chart.group, sort=False)) if chart.group else [("", frame)]
    for i, (label, rows) in enumerate(groups):
        x = [places[v] for v in rows[chart.across]] if words else rows[chart.across]
        colour = COLOURS[i % len(COLOURS)]
        value, low, high = _spans(rows, column)
        axes.plot(x, value, marker="o", markersize=4, color=colour, label=str(label))
        axes.fill_between(x, low, high, color=colour, alpha=0.2, linewidth=0)
    wanted = chart.more.get("wanted")
    if wanted is not None:
        axes.axhspan(*wanted, color=COLOURS[7], alpha=0.15, linewidth=0, label="target")
    if words:
        axes.set_xticks(range(len(places)), [str(value) for value in places])
    else:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    _scale(axes.yaxis, column)
    axes.grid(axis="y", color=_GRID)
    axes.set_xlabel(str(chart.more.get("across", chart.across)))
    axes.set_ylabel(chart.axis)
    if len(groups) > 1 or wanted is not None:
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    return figure


@kind("verdicts")
def _verdicts(chart: Chart, frame: pd.DataFrame, column: Column) -> Figure:
    """Where each judged line lies in its target's band (`target_low`, `target_high`), every band from -1 to 1."""
    looks = {"holds": (COLOURS[2], "o"), "violated": (COLOURS[1], "X"), "undecided": (COLOURS[4], "D")}
    figure, axes = _one(chart, height=1.9 + 0.3 * len(frame))
    axes.axvspan(-1, 1, color=COLOURS[7], alpha=0.15, linewidth=0)
    for i, row in enumerate(frame.to_dict("records")):
        centre, half = (row["target_high"] + row["target_low"]) / 2, (row["target_high"] - row["target_low"]) / 2
        at, low, high = (
            float(np.clip((row[chart.value + end] - centre) / (half or 1.0), -4, 4)) for end in ("", LOW, HIGH)
        )
        colour, marker = looks[row["verdict"]]
        axes.plot([low, high], [i, i], color=colour, linewidth=4, alpha=0.4)
        axes.plot(at, i, marker=marker, color=colour, markersize=7, linestyle="")
    for name, (colour, marker) in looks.items():
        axes.plot([], [], marker=marker, color=colour, linestyle="", label=name)
    axes.set_yticks(range(len(frame)), [str(label) for label in frame[chart.label]], fontsize=9)
    axes.set_ylim(len(frame) - 0.4, -0.6)
    axes.set_xticks([-1, 0, 1], ["lowest wanted", "middle", "highest wanted"])
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    return figure


@kind("histogram")
def _histogram(chart: Chart, frame: pd.DataFrame, column: Column) -> Figure:
    """The share of games at each value of `across`."""
    figure, axes = _one(chart, height=4.0)
    axes.bar(frame[chart.across], frame[chart.value], color=COLOURS[0], width=0.9)
    _scale(axes.yaxis, column)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y", color=_GRID)
    axes.set_xlabel(f"{chart.across} in a game")
    axes.set_ylabel(chart.axis or "share of games")
    return figure


@kind("tornado")
def _tornado(chart: Chart, frame: pd.DataFrame, column: Column) -> Figure:
    """How far each step moves a number, with its interval, in the order given."""
    figure, axes = _one(chart, height=1.8 + 0.34 * len(frame))
    percent = bool(chart.more.get("percent", column.unit in (SHARE, POINTS)))
    rows = range(len(frame))
    value, low, high = ((100 if percent else 1) * part for part in _spans(frame, column))
    axes.barh(rows, value, color=[COLOURS[0] if v >= 0 else COLOURS[1] for v in value], height=0.62, alpha=0.8)
    axes.errorbar(value, rows, xerr=[value - low, high - value], fmt="none", ecolor="black", elinewidth=1, capsize=2)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_yticks(rows, [str(label) for label in frame[chart.label]])
    axes.set_ylim(len(frame) - 0.4, -0.6)
    axes.grid(axis="x", color=_GRID)
    return figure


@kind("heat")
def _heat(chart: Chart, frame: pd.DataFrame, column: Column) -> Figure:
    """Numbers as coloured cells, a panel for each `group`, on one scale.

    `more` may hold `middle` (two colours about it), `text` (the column whose words stand in the cells) and
    `percent` (whether the cells are read in percent; as the column's unit says if not given).
    """
    middle, text_key = chart.more.get("middle"), chart.more.get("text", "")
    percent = bool(chart.more.get("percent", column.unit in (SHARE, POINTS)))
    parts = list(frame.groupby(chart.group, sort=False)) if chart.group else [("", frame)]

    def grid(part: pd.DataFrame, key: str) -> pd.DataFrame:
        order = [list(dict.fromkeys(frame[name])) for name in (chart.down, chart.across)]
        return part.pivot(index=chart.down, columns=chart.across, values=key).reindex(index=order[0], columns=order[1])

    panels = [(str(name), grid(part, chart.value), grid(part, text_key) if text_key else None) for name, part in parts]
    rows, columns = panels[0][1].shape
    size = 0.6 if len(panels) == 1 else 0.36
    with matplotlib.rc_context(_BARE):
        figure = Figure(
            figsize=(max(8.0, 1.8 + len(panels) * (size * 1.15 * columns + 0.3)), 2.3 + size * rows),
            layout="constrained",
        )
        all_axes = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        low, high = float(np.nanmin(frame[chart.value])), float(np.nanmax(frame[chart.value]))
        if middle is not None:
            reach = max(high - middle, middle - low, 1e-9)
            low, high = middle - reach, middle + reach
        for axes, (name, values, texts) in zip(all_axes, panels, strict=True):
            axes.imshow(
                values.to_numpy(float), cmap="RdBu" if middle is not None else "Blues", vmin=low, vmax=high,
                aspect="auto",
            )  # fmt: skip
            for (i, j), value in np.ndenumerate(values.to_numpy(float)):
                reach = high - (low if middle is None else middle)
                dark = abs(value - (high - reach)) > 0.6 * reach
                text = str(texts.iloc[i, j]) if texts is not None else _cell(value, percent, middle is None)
                axes.text(j, i, text, ha="center", va="center", fontsize=8, color="white" if dark else "black")
            axes.set_xticks(range(columns), [str(c) for c in values.columns])
            if max(len(str(c)) for c in values.columns) > 3:
                axes.tick_params(axis="x", rotation=40)
                for label in axes.get_xticklabels():
                    label.set(ha="right", rotation_mode="anchor")
            axes.set_yticks(range(rows), [str(r) for r in values.index])
            axes.tick_params(length=0)
            axes.set_title(name, fontweight="normal", pad=6)
            axes.set_xlabel(str(chart.more.get("across", chart.across)))
        all_axes[0].set_ylabel(str(chart.more.get("down", chart.down)))
        figure.suptitle(
            fill(chart.title, int(figure.get_figwidth() * 8.5)), fontsize=13, fontweight="bold", x=0.01, ha="left"
        )
        _note(figure, f"{chart.note}; cells in percent" if percent and not text_key else chart.note)
    return figure


def _cell(value: float, percent: bool, blank_zero: bool) -> str:
    """Write a number into a cell; chances too small to matter stay blank."""
    if value != value or (blank_zero and abs(value) < 0.0005):
        return ""
    if not percent:
        return f"{value:z.2f}"
    return f"{100 * value:z.0f}" if abs(value) >= 0.0995 else f"{100 * value:z.1f}"


@kind("strips")
def _strips(chart: Chart, frame: pd.DataFrame, column: Column) -> Figure:
    """Sequences (`value`: words with spaces between) as strips of coloured boxes, with lines at `more["breaks"]`."""
    with matplotlib.rc_context({"axes.spines.left": False}):
        figure, axes = _one(chart, height=1.9 + 0.5 * len(frame))
    strips = [str(items).split() for items in frame[chart.value]]
    kinds = list(dict.fromkeys(item for items in strips for item in items))
    length = max(len(items) for items in strips)
    for row, items in enumerate(strips):
        for i, item in enumerate(items):
            axes.barh(row, 0.94, left=i + 0.03, height=0.72, color=COLOURS[kinds.index(item) % len(COLOURS)])
            axes.text(i + 0.5, row, item, ha="center", va="center", color="white", fontsize=8)
    for place in chart.more.get("breaks", ()):
        axes.axvline(place, color=_GREY, linewidth=1)
    axes.set_yticks(range(len(strips)), [str(label) for label in frame[chart.label]])
    axes.set_xticks([i + 0.5 for i in range(length)], [str(i + 1) for i in range(length)])
    axes.tick_params(length=0)
    axes.set_xlim(0, length)
    axes.set_ylim(len(strips) - 0.5, -0.5)
    return figure


def _one(chart: Chart, height: float) -> tuple[Figure, Axes]:
    """Return a figure of one panel with its title, what is measured, and its note."""
    figure = Figure(figsize=(10, height), layout="constrained")
    axes = figure.subplots()
    axes.set_title(chart.title, wrap=True)
    axes.set_axisbelow(True)
    axes.set_xlabel(chart.axis)
    _note(figure, chart.note)
    return figure, axes


def _note(figure: Figure, note: str) -> None:
    figure.supxlabel(note, fontsize=8.5, color=_GREY, x=0.01, ha="left")


def _spans(frame: pd.DataFrame, column: Column) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the values of a column and the ends of their intervals; open ends go half again as far as all others."""
    value = frame[column.key].to_numpy(float)
    low, high = (frame[column.key + e].to_numpy(float) if column.key + e in frame else value for e in (LOW, HIGH))
    reaches = np.maximum(0.0, np.stack([value - low, high - value]))
    held = np.where(np.isfinite(reaches), reaches, 0)
    span = np.nanmax(value + held[1], initial=-np.inf) - np.nanmin(value - held[0], initial=np.inf)
    reaches = np.where(np.isposinf(reaches), 1.5 * span if np.isfinite(span) and span else 1.0, held)
    return value, value - reaches[0], value + reaches[1]


def _short(row: pd.Series, column: Column) -> str:
    """Write a number beside its dot, with as many digits as its error allows."""
    return cell(row, column).partition(" ")[0]


def _scale(axis: Any, column: Column) -> None:
    if column.unit in (SHARE, POINTS):
        axis.set_major_formatter(PercentFormatter(1.0, decimals=None, symbol="%" if column.unit == SHARE else ""))


def _reference(axes: Axes, chart: Chart, column: Column) -> None:
    if chart.reference is None:
        return
    at, name = chart.reference
    axes.axvline(at, color=COLOURS[7], linestyle="--", linewidth=1)
    axes.annotate(
        name, (at, 1), xycoords=("data", "axes fraction"), xytext=(4, -2), textcoords="offset points", fontsize=9,
        color=_GREY, va="top",
    )  # fmt: skip
