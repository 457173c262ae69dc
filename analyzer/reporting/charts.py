"""Charts in one style: the title is the finding, intervals are drawn, colours can be told apart by all."""

from __future__ import annotations

from pathlib import Path
from textwrap import fill
from typing import Any

import matplotlib
import numpy as np
import pandas as pd

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter

# Okabe and Ito's palette
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999")
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


def interval_chart(
    path: Path,
    title: str,
    labels: list[str],
    table: pd.DataFrame,
    column: str,
    unit: str,
    note: str,
    fair: float | None = None,
) -> None:
    """Draw one row for each label: the estimate as a dot, the interval as a bar, the fair share as a line."""
    with plt.rc_context(_STYLE):
        figure, axes = _new_figure(height=1.7 + 0.42 * len(labels))
        rows = range(len(labels))
        low = table[column] - table[f"{column}_low"]
        high = table[f"{column}_high"] - table[column]
        axes.errorbar(
            table[column],
            rows,
            xerr=[low, high],
            fmt="o",
            color=COLOURS[0],
            ecolor=COLOURS[5],
            elinewidth=4,
            markersize=6,
        )
        percent = column == "win"
        for row, value in zip(rows, table[column], strict=True):
            text = f"{100 * value:.1f}%" if percent else f"{value:.2f}"
            axes.annotate(text, (value, row), xytext=(0, 8), textcoords="offset points", ha="center", fontsize=9)
        if fair is not None:
            axes.axvline(fair, color=COLOURS[7], linestyle="--", linewidth=1)
            axes.annotate(
                "fair share", (fair, 1), xycoords=("data", "axes fraction"), xytext=(4, -2), textcoords="offset points",
                fontsize=9, color="#666666", va="top",
            )  # fmt: skip
        axes.set_yticks(list(rows), labels)
        axes.set_ylim(len(labels) - 0.4, -0.9)
        axes.margins(x=0.08)
        if percent:
            axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=None))
        axes.grid(axis="x", color="#e5e5e5")
        axes.set_axisbelow(True)
        axes.set_xlabel(unit)
        _finish(figure, axes, title, note, path)


def course_chart(path: Path, title: str, course: pd.DataFrame, step: str, unit: str, note: str) -> None:
    """Draw the mean score of each seat from checkpoint to checkpoint, labelled at the line's end."""
    with plt.rc_context(_STYLE):
        figure, axes = _new_figure(height=4.8)
        lines = [(seat, rows) for seat, rows in course.groupby("seat")]
        ends = []
        for i, (_, rows) in enumerate(lines):
            axes.plot(rows[step], rows["score"], marker="o", color=COLOURS[i % len(COLOURS)], linewidth=2)
            ends.append((float(rows["score"].iloc[-1]), str(rows["policy"].iloc[0]), COLOURS[i % len(COLOURS)]))
        span = max(course["score"].max() - course["score"].min(), 1e-9)
        placed = -1e9
        for value, label, colour in sorted(ends):
            placed = max(value, placed + 0.055 * span)  # labels keep their distance
            axes.annotate(
                label,
                (course[step].max(), placed),
                xytext=(10, 0),
                textcoords="offset points",
                color=colour,
                va="center",
            )
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(axis="y", color="#e5e5e5")
        axes.set_xlabel(f"after {step}")
        axes.set_ylabel(unit)
        _finish(figure, axes, title, note, path)


def heat_maps(
    path: Path,
    title: str,
    panels: list[tuple[str, pd.DataFrame]],
    across: str,
    down: str,
    note: str,
    middle: float | None = None,
    percent: bool = True,
    texts: pd.DataFrame | None = None,
) -> None:
    """Draw tables of numbers as coloured cells, side by side on one scale; with `middle` in two colours about it.

    The cells show percent, numbers, or `texts`.
    """
    with plt.rc_context(_STYLE | {"axes.titlesize": 11, "axes.spines.left": False, "axes.spines.bottom": False}):
        rows, columns = panels[0][1].shape
        cell = 0.6 if len(panels) == 1 else 0.36
        width = max(8.0, 1.8 + len(panels) * (cell * 1.15 * columns + 0.3))
        figure, grid = plt.subplots(
            1, len(panels), figsize=(width, 2.3 + cell * rows), layout="constrained", sharey=True, squeeze=False
        )
        low = min(float(np.nanmin(table)) for _, table in panels)
        high = max(float(np.nanmax(table)) for _, table in panels)
        if middle is not None:
            reach = max(high - middle, middle - low, 1e-9)
            low, high = middle - reach, middle + reach
        colours = "RdBu" if middle is not None else "Blues"
        for axes, (name, table) in zip(grid[0], panels, strict=True):
            axes.imshow(table, cmap=colours, vmin=low, vmax=high, aspect="auto")
            for (i, j), value in np.ndenumerate(table.to_numpy()):
                dark = abs(value - middle) > 0.6 * (high - middle) if middle is not None else value > 0.6 * high
                text = str(texts.iloc[i, j]) if texts is not None else _cell(value, percent, middle is None)
                axes.text(j, i, text, ha="center", va="center", fontsize=8, color="white" if dark else "black")
            axes.set_xticks(range(table.shape[1]), list(table.columns))
            if max(len(str(column)) for column in table.columns) > 3:
                axes.tick_params(axis="x", rotation=40)
                plt.setp(axes.get_xticklabels(), ha="right", rotation_mode="anchor")
            axes.set_yticks(range(table.shape[0]), list(table.index))
            axes.tick_params(length=0)
            axes.set_title(name, fontweight="normal", pad=6)
            axes.set_xlabel(across)
        grid[0][0].set_ylabel(down)
        _close(figure, title, f"{note}; cells in percent" if percent and texts is None else note, path)


def _cell(value: float, percent: bool, blank_zero: bool) -> str:
    """Write a number into a cell; chances too small to matter stay blank."""
    if blank_zero and abs(value) < 0.0005:
        return ""
    if not percent:
        return f"{value:.2f}"
    return f"{100 * value:.0f}" if abs(value) >= 0.0995 else f"{100 * value:.1f}"


def strip_chart(
    path: Path, title: str, strips: list[tuple[str, list[str]]], breaks: list[int], unit: str, note: str
) -> None:
    """Draw sequences as strips of coloured boxes, one row each, with lines at `breaks`."""
    with plt.rc_context(_STYLE | {"axes.spines.left": False}):
        figure, axes = _new_figure(height=1.9 + 0.5 * len(strips))
        kinds = list(dict.fromkeys(item for _, items in strips for item in items))
        length = max(len(items) for _, items in strips)
        for row, (_, items) in enumerate(strips):
            for i, item in enumerate(items):
                colour = COLOURS[kinds.index(item) % len(COLOURS)]
                axes.barh(row, 0.94, left=i + 0.03, height=0.72, color=colour)
                axes.text(i + 0.5, row, item, ha="center", va="center", color="white", fontsize=8)
        for place in breaks:
            axes.axvline(place, color="#666666", linewidth=1)
        axes.set_yticks(range(len(strips)), [label for label, _ in strips])
        axes.set_xticks([i + 0.5 for i in range(length)], [str(i + 1) for i in range(length)])
        axes.tick_params(length=0)
        axes.set_xlim(0, length)
        axes.set_ylim(len(strips) - 0.5, -0.5)
        axes.set_xlabel(unit)
        _finish(figure, axes, title, note, path)


def _new_figure(height: float) -> tuple[Figure, Axes]:
    return plt.subplots(figsize=(10, height), layout="constrained")


def _finish(figure: Figure, axes: Axes, title: str, note: str, path: Path) -> None:
    axes.set_title(title, wrap=True)
    _save(figure, note, path)


def _close(figure: Figure, title: str, note: str, path: Path) -> None:
    """Finish a figure of several panels: the finding stands above them all."""
    wide = int(figure.get_figwidth() * 8.5)
    figure.suptitle(fill(title, wide), fontsize=13, fontweight="bold", x=0.01, ha="left")
    _save(figure, note, path)


def _save(figure: Figure, note: str, path: Path) -> None:
    figure.supxlabel(note, fontsize=8.5, color="#666666", x=0.01, ha="left")
    figure.savefig(path)
    plt.close(figure)
