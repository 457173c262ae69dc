"""Charts in one style: the title is the finding, intervals are drawn, colours can be told apart by all."""

from __future__ import annotations

from pathlib import Path
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


def heat_chart(path: Path, title: str, table: pd.DataFrame, note: str) -> None:
    """Draw shares as a heat map: rows are the table's index, columns its columns."""
    with plt.rc_context(_STYLE):
        figure, axes = _new_figure(height=2.0 + 0.32 * len(table))
        axes.imshow(table.to_numpy(float), cmap="Blues", aspect="auto", vmin=0.0)
        top = float(table.to_numpy(float).max())
        for (row, column), value in np.ndenumerate(table.to_numpy(float)):
            if value >= 0.005:
                colour = "white" if value > 0.6 * top else "#333333"
                axes.text(column, row, f"{100 * value:.0f}", ha="center", va="center", fontsize=8, color=colour)
        axes.set_xticks(range(len(table.columns)), list(table.columns))
        axes.set_yticks(range(len(table)), list(table.index))
        axes.tick_params(length=0)
        axes.set_xlabel("percent of picks in each row")
        _finish(figure, axes, title, note, path)


def _new_figure(height: float) -> tuple[Figure, Axes]:
    return plt.subplots(figsize=(10, height), layout="constrained")


def _finish(figure: Figure, axes: Axes, title: str, note: str, path: Path) -> None:
    axes.set_title(title, wrap=True)
    figure.supxlabel(note, fontsize=8.5, color="#666666", x=0.01, ha="left")
    figure.savefig(path)
    plt.close(figure)
