"""Charts in one style: the title is the finding, intervals are drawn, colours can be told apart by all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    digits: int = 2,
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
            text = f"{100 * value:.1f}%" if percent else f"{value:.{digits}f}"
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


def matchup_chart(
    path: Path,
    title: str,
    names: Sequence[str],
    share: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    note: str,
) -> None:
    """Draw who beats whom, row against column: purple where the row wins, brown where it loses, a share in each."""
    n = len(names)
    with plt.rc_context(_STYLE):
        figure, axes = _new_figure(height=max(4.8, 2.2 + 0.68 * n))
        shown = np.where(np.eye(n, dtype=bool), np.nan, share)
        image = axes.imshow(shown, cmap="PuOr", vmin=0, vmax=1, aspect="auto")
        size = max(5.5, min(10.0, 84 / n))
        for i, j in np.ndindex(n, n):
            if i == j:
                continue
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
        axes.set_xlabel("against")
        axes.set_ylabel("policy")
        axes.spines[:].set_visible(False)
        bar = figure.colorbar(image, ax=axes, shrink=0.8, format=PercentFormatter(1.0, decimals=0))
        bar.set_label("share of wins per seat of the row")
        bar.outline.set_visible(False)
        _finish(figure, axes, title, note, path)


def share_chart(
    path: Path,
    title: str,
    labels: list[str],
    table: pd.DataFrame,
    columns: Mapping[str, str],
    unit: str,
    note: str,
) -> None:
    """Draw bars of shares side by side, a colour for each column, with their intervals."""
    with plt.rc_context(_STYLE):
        figure, axes = _new_figure(height=1.9 + 0.55 * len(labels))
        thick = 0.8 / len(columns)
        rows = np.arange(len(labels))
        for i, (column, label) in enumerate(columns.items()):
            at = rows + (i - (len(columns) - 1) / 2) * thick
            value = table[column]
            spans = [value - table[f"{column}_low"], table[f"{column}_high"] - value]
            axes.barh(
                at, value, height=0.9 * thick, xerr=spans, color=COLOURS[i], label=label,
                error_kw={"elinewidth": 1.5, "capsize": 3, "ecolor": "#333333"},
            )  # fmt: skip
            for y, share, high in zip(at, value, table[f"{column}_high"], strict=True):
                axes.annotate(
                    f"{100 * share:.1f}%", (high, y), xytext=(5, 0), textcoords="offset points", va="center", fontsize=9
                )
        axes.set_yticks(rows, labels)
        axes.invert_yaxis()
        axes.set_xlim(0, 1.09 * max(table[f"{column}_high"].max() for column in columns))
        axes.xaxis.set_major_formatter(PercentFormatter(1.0, decimals=None))
        axes.grid(axis="x", color="#e5e5e5")
        axes.set_axisbelow(True)
        axes.set_xlabel(unit)
        axes.legend(frameon=False, loc="lower right")
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


def _new_figure(height: float) -> tuple[Figure, Axes]:
    return plt.subplots(figsize=(10, height), layout="constrained")


def _finish(figure: Figure, axes: Axes, title: str, note: str, path: Path) -> None:
    axes.set_title(title, wrap=True)
    figure.supxlabel(note, fontsize=8.5, color="#666666", x=0.01, ha="left")
    figure.savefig(path)
    plt.close(figure)
