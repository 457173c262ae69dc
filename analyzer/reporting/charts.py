"""Charts in one style: the title is the finding, intervals are drawn, colours can be told apart by all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    fair_name: str = "fair share",
    digits: int = 2,
) -> None:
    """Draw one row for each label: the estimate as a dot, the interval as a bar, the fair share as a line."""
    with plt.rc_context(_STYLE):
        figure, axes = _new_figure(height=1.7 + 0.42 * len(labels))
        rows = range(len(labels))
        axes.errorbar(
            table[column],
            rows,
            xerr=_reaches(table, column),
            fmt="o",
            color=COLOURS[0],
            ecolor=COLOURS[5],
            elinewidth=4,
            markersize=6,
        )
        percent = column in ("win", "share", "effect", "worth")
        for row, value in zip(rows, table[column], strict=True):
            text = f"{100 * value:z.1f}%" if percent else f"{value:z.{digits}f}"
            axes.annotate(text, (value, row), xytext=(0, 8), textcoords="offset points", ha="center", fontsize=9)
        if fair is not None:
            axes.axvline(fair, color=COLOURS[7], linestyle="--", linewidth=1)
            axes.annotate(
                fair_name, (fair, 1), xycoords=("data", "axes fraction"), xytext=(4, -2), textcoords="offset points",
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


def _reaches(table: pd.DataFrame, column: str) -> np.ndarray:
    """Return how far the intervals go down and up; open ends go as far as all the others together and half again."""
    value = table[column].to_numpy(float)
    reaches = np.stack([value - table[f"{column}_low"], table[f"{column}_high"] - value]).astype(float)
    held = np.where(np.isfinite(reaches), reaches, 0)
    most, least = (value + held[1]).max(initial=0), (value - held[0]).min(initial=0)
    return np.where(np.isfinite(reaches), reaches, 1.5 * (most - least) or 1.0)


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
                j, i - 0.12, f"{100 * share[i, j]:z.1f}", ha="center", va="center", color=colour, fontsize=size,
                style="italic" if is_open else "normal",
            )  # fmt: skip
            span = f"{100 * low[i, j]:z.1f}–{100 * high[i, j]:z.1f}"
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
                    f"{100 * share:z.1f}%",
                    (high, y),
                    xytext=(5, 0),
                    textcoords="offset points",
                    va="center",
                    fontsize=9,
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
        ends.sort()
        for (_, label, colour), at in zip(ends, _apart([value for value, *_ in ends], 0.055 * span), strict=True):
            axes.annotate(
                label,
                (course[step].max(), at),
                xytext=(10, 0),
                textcoords="offset points",
                color=colour,
                va="center",
                annotation_clip=False,
            )
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(axis="y", color="#e5e5e5")
        axes.set_xlabel(f"after {step}")
        axes.set_ylabel(unit)
        _finish(figure, axes, title, note, path)


def _apart(values: list[float], distance: float) -> list[float]:
    """Return rising values moved as little as keeps them this far from each other, about where they were."""
    rising: list[float] = []
    for value in values:
        rising.append(max(value, rising[-1] + distance) if rising else value)
    pushed = (sum(rising) - sum(values)) / len(values)
    return [value - pushed for value in rising]


def band_chart(
    path: Path,
    title: str,
    lines: list[tuple[str, pd.DataFrame]],
    across: str,
    column: str,
    unit: str,
    note: str,
    percent: bool = True,
    wanted: tuple[float, float] | None = None,
) -> None:
    """Draw a line with its band of error for each table, over the column `across`; `wanted` is a target's band."""
    with plt.rc_context(_STYLE):
        figure, axes = _new_figure(height=4.8)
        places = {value: i for i, value in enumerate(dict.fromkeys(v for _, t in lines for v in t[across]))}
        words = not all(isinstance(value, (int, float)) for value in places)
        for i, (label, table) in enumerate(lines):
            x = [places[v] for v in table[across]] if words else table[across]
            colour = COLOURS[i % len(COLOURS)]
            axes.plot(x, table[column], marker="o", markersize=4, color=colour, label=label)
            axes.fill_between(x, table[f"{column}_low"], table[f"{column}_high"], color=colour, alpha=0.2, linewidth=0)
        if wanted is not None:
            axes.axhspan(*wanted, color=COLOURS[7], alpha=0.15, linewidth=0, label="target")
        if words:
            axes.set_xticks(range(len(places)), [str(value) for value in places])
        else:
            axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        if percent:
            axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=None))
        axes.grid(axis="y", color="#e5e5e5")
        axes.set_xlabel(across)
        axes.set_ylabel(unit)
        if len(lines) > 1 or wanted is not None:
            axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
        _finish(figure, axes, title, note, path)


def verdict_chart(path: Path, title: str, lines: pd.DataFrame, note: str) -> None:
    """Draw where each judged line lies in its target's band, every band drawn from -1 to 1."""
    looks = {"holds": (COLOURS[2], "o"), "violated": (COLOURS[1], "X"), "undecided": (COLOURS[4], "D")}
    with plt.rc_context(_STYLE):
        figure, axes = _new_figure(height=1.9 + 0.3 * len(lines))
        axes.axvspan(-1, 1, color=COLOURS[7], alpha=0.15, linewidth=0)
        for i, row in enumerate(lines.to_dict("records")):
            centre, half = (row["target_high"] + row["target_low"]) / 2, (row["target_high"] - row["target_low"]) / 2
            at, low, high = (
                float(np.clip((row[key] - centre) / half, -4, 4))
                for key in ("estimate", "estimate_low", "estimate_high")
            )
            colour, marker = looks[row["verdict"]]
            axes.plot([low, high], [i, i], color=colour, linewidth=4, alpha=0.4)
            axes.plot(at, i, marker=marker, color=colour, markersize=7, linestyle="")
        for name, (colour, marker) in looks.items():
            axes.plot([], [], marker=marker, color=colour, linestyle="", label=name)
        axes.set_yticks(range(len(lines)), list(lines["key"]), fontsize=9)
        axes.set_ylim(len(lines) - 0.4, -0.6)
        axes.set_xticks([-1, 0, 1], ["lowest wanted", "middle", "highest wanted"])
        axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
        _finish(figure, axes, title, note, path)


def histogram_chart(path: Path, title: str, table: pd.DataFrame, across: str, column: str, note: str) -> None:
    """Draw the share of games at each value."""
    with plt.rc_context(_STYLE):
        figure, axes = _new_figure(height=4.0)
        axes.bar(table[across], table[column], color=COLOURS[0], width=0.9)
        axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=None))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(axis="y", color="#e5e5e5")
        axes.set_axisbelow(True)
        axes.set_xlabel(f"{across} in a game")
        axes.set_ylabel("share of games")
        _finish(figure, axes, title, note, path)


def tornado_chart(path: Path, title: str, steps: pd.DataFrame, unit: str, note: str, percent: bool) -> None:
    """Draw how far each step of an option moves a number, with its interval, in the order given."""
    with plt.rc_context(_STYLE):
        figure, axes = _new_figure(height=1.8 + 0.34 * len(steps))
        scale = 100 if percent else 1
        rows = range(len(steps))
        value, low, high = (scale * steps[f"difference{end}"].to_numpy() for end in ("", "_low", "_high"))
        axes.barh(rows, value, color=[COLOURS[0] if v >= 0 else COLOURS[1] for v in value], height=0.62, alpha=0.8)
        axes.errorbar(
            value, rows, xerr=[value - low, high - value], fmt="none", ecolor="black", elinewidth=1, capsize=2
        )
        axes.axvline(0, color="black", linewidth=0.8)
        axes.set_yticks(rows, [f"{o} = {v}" for o, v in zip(steps["option"], steps["value"], strict=True)])
        axes.set_ylim(len(steps) - 0.4, -0.6)
        axes.grid(axis="x", color="#e5e5e5")
        axes.set_axisbelow(True)
        axes.set_xlabel(unit)
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
    if value != value or (blank_zero and abs(value) < 0.0005):
        return ""
    if not percent:
        return f"{value:z.2f}"
    return f"{100 * value:z.0f}" if abs(value) >= 0.0995 else f"{100 * value:z.1f}"


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
