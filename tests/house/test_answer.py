"""An answer and its renderers: numbers with their errors, wherever they are shown."""

from __future__ import annotations

import io
import json
import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from analyzer.answer import POINTS, Answer, Chart, Column, Table, estimate_in, estimates
from analyzer.reporting.charts import KINDS, figure_of
from analyzer.reporting.document import document, json_text, rows
from analyzer.reporting.numbers import number, readable
from analyzer.reporting.page import html, markdown, write
from analyzer.reporting.terminal import show
from analyzer.stats.intervals import Estimate

SCENARIO = SimpleNamespace(name="toy/one", text="game = 'toy'", game=SimpleNamespace(name="toy", title="Toy"))
WINS = [Estimate(0.3109, 0.3084, 0.3135), Estimate(0.1424, 0.1404, 0.1443)]


def _table(**more) -> Table:
    frame = pd.DataFrame(
        {"seat": [1, 2], "policy": ["bold", "<b>shy</b>"]}
        | estimates("win", WINS)
        | estimates("gain", [Estimate(0.061, 0.05, 0.072), Estimate(-0.0001, -0.002, 0.0018)])
        | {"hash": ["a", "b"]}
    )
    columns = (Column("win", "wins", "share"), Column("gain", unit=POINTS, detail=True), Column("hash", data=True))
    return Table("seats", "Win odds", frame, columns, brief=True, **more)


def _answer(**more) -> Answer:
    table = _table(chart=Chart("intervals", "Bold leads", "win", "policy", reference=(0.25, "fair share")))
    return Answer("odds", SCENARIO, "A toy", "Who?", "Bold wins.", (table,), "Counted.", 7, 1000, **more)


@pytest.mark.parametrize(
    ("told", "value", "unit", "low", "high"),
    [
        ("31.1% (30.8–31.4)", 0.3109, "share", 0.3084, 0.3135),
        ("31% (26–36)", 0.31, "share", 0.26, 0.36),
        ("+1.4 (+0.9 to +1.9)", 0.014, POINTS, 0.009, 0.019),
        ("0.0% (0.0–0.2)", 0.0, "share", 0.0, 0.002),
        ("+5.0 (+0.3 to +9.7)", 0.05, POINTS, 0.003, 0.097),  # an end that is not zero is not written as zero
        ("820 (1,000 or less)", 820.0, "Elo points", -float("inf"), 1000.0),
        ("+0.0 (-0.2 to +0.2)", -0.0001, POINTS, -0.002, 0.002),
        ("17.90 (17.84–17.95)", 17.898, "premiums", 17.84, 17.95),
        ("4.2 (4.1–4.3)", 4.2, "points", 4.1, 4.3),  # those of a game whose score is called so
        ("100%", 1.0, "share", 1.0, 1.0),
        ("100%", 1.0, "share", 0.9999999999966, 1.0),
        ("3", 3, "", None, None),
        ("0.25", 0.25, "", None, None),
        ("12,345", 12345.0, "count", None, None),
        ("", float("nan"), "share", 0.0, 1.0),
        ("820 (600 or more)", 820.0, "Elo points", 600.0, float("inf")),
        ("4.00 (no bounds yet)", 4.0, "days", -float("inf"), float("inf")),
    ],
)
def test_a_number_is_told_with_the_digits_its_error_allows(told, value, unit, low, high):
    assert number(value, unit, low, high) == told


def test_no_renderer_says_minus_zero():
    rng = np.random.default_rng(1)
    for value in rng.normal(0, 1e-3, 2000):
        for unit in ("share", POINTS, "", "premiums"):
            assert "-0.0%" not in number(value, unit) + number(value, unit, value - 0.01, value + 0.01)
            assert not number(value / 1e6, unit).startswith(("-0.0", "-0 "))


def test_columns_are_for_readers_details_for_pages_data_for_programs():
    table = _table()
    assert list(readable(table).columns) == ["seat", "policy", "wins", "gain, points"]
    assert list(readable(table, briefly=True).columns) == ["seat", "policy", "wins"]
    assert estimate_in(table.frame.iloc[0], "win") == WINS[0]


@pytest.mark.parametrize(
    ("told", "low", "high", "unit"),
    [
        ("23.0% to 27.0%", 0.23, 0.27, "share"),
        ("49.99% to 50.01%", 0.4999, 0.5001, "share"),
        ("-5.0 to +5.0", -0.05, 0.05, POINTS),
        ("15.0 to 30.0", 15.0, 30.0, "per game"),
        ("at most 80.0%", -math.inf, 0.8, "share"),
        ("at least 3.00", 3.0, math.inf, "days"),
        ("", -math.inf, math.inf, "share"),
    ],
)
def test_a_band_stands_in_one_cell(told, low, high, unit):
    frame = pd.DataFrame({"wanted_from": [low], "up_to": [high], "in": [unit], "left": [0]})
    columns = (Column("wanted_from", "wanted", unit_from="in", to="up_to"), Column("left", unit="count", blank=0))
    shown = readable(Table("t", "T", frame, columns))
    assert shown.iloc[0].to_dict() == {"wanted": told, "in": unit, "left": ""}


def test_a_person_may_read_other_rows_than_a_program():
    table = _table(view=_table().frame.iloc[:1])
    assert readable(table)["policy"].tolist() == ["bold"]
    assert len(document(replace(_answer(), tables=(table,)))["tables"]["seats"]) == 2


def test_the_document_has_every_number_with_its_interval():
    found = json.loads(json_text(document(_answer())))
    row = found["tables"]["seats"][0]
    assert row["win"] == {"estimate": 0.3109, "low": 0.3084, "high": 0.3135}
    assert row["hash"] == "a"
    assert (found["study"], found["seed"], found["games"], found["finding"]) == ("odds", 7, 1000, "Bold wins.")


def test_pages_escape_what_is_not_theirs_and_need_nothing_else(tmp_path):
    answer = _answer(notes=("Learned under <other> rules.",))
    page = html(answer)
    assert "<b>shy</b>" not in page
    assert "&lt;other&gt;" in page
    assert "http" not in page.split("</style>")[1]
    assert answer._repr_html_() == page
    assert "31.1% (30.8–31.4)" in markdown(answer)
    write(answer, tmp_path / "here")
    names = {path.name for path in (tmp_path / "here").iterdir()}
    assert names == {"report.md", "report.html", "run.json", "seats.csv", "seats.png"}
    again = pd.read_csv(tmp_path / "here" / "seats.csv")
    assert again["win_low"].tolist() == [e.low for e in WINS]


def test_a_terminal_shows_the_finding_and_the_brief_tables():
    out, lines = io.StringIO(), []
    show(_answer(), lines.append, out)
    assert "Bold wins.\n" in lines
    assert "31.1% (30.8–31.4)" in out.getvalue()
    assert "gain" not in out.getvalue()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_of_chart_draws_its_title(kind):
    shares = pd.DataFrame({"name": list("abc"), "other": list("bca"), "step": [1, 2, 3]})
    found = [Estimate(0.2, 0.1, 0.3), Estimate(0.6, 0.5, 0.7), Estimate(0.9, 0.8, 1.0)]
    shares = shares.assign(**estimates("win", found), target_low=0.1, target_high=0.8, verdict="holds", plan="x y x")
    how = {
        "matrix": {"down": "name", "across": "other"},
        "heat": {"down": "name", "across": "other"},
        "course": {"across": "step", "group": "name", "label": "name"},
        "lines": {"across": "step"},
        "histogram": {"across": "step"},
    }.get(kind, {"label": "name"})
    value = "plan" if kind == "strips" else "win"
    table = Table("t", "T", shares, (Column("win", unit="share"),))
    figure = figure_of(Chart(kind, "What was found", value, note="100 games", **how), table)
    said = [text.get_text() for axes in figure.axes for text in (axes.title, axes._left_title)]
    assert "What was found" in [*said, figure._suptitle.get_text() if figure._suptitle else ""]


def test_a_person_may_read_other_columns_than_a_program():
    frame = pd.DataFrame({"what": ["a", "b"], "win": [0.25, 0.5]})
    wide = pd.DataFrame(estimates("a", [WINS[0]]))
    table = Table("wins", "W", frame, (Column("a", unit="share"),), view=wide)
    assert readable(table).to_dict("list") == {"a": ["31.1% (30.8–31.4)"]}
    assert rows(table) == frame.to_dict("records")


def test_a_column_named_like_an_end_of_an_interval_is_a_number_of_its_own():
    """As in a table with a column for each policy, one of them called `bold_low`."""
    table = Table("alpha", "A", pd.DataFrame({"bold": [0.5], "bold_low": [0.25]}))
    assert readable(table).to_dict("list") == {"bold": ["0.50"], "bold low": ["0.25"]}
    assert rows(table) == [{"bold": 0.5, "bold_low": 0.25}]
    assert not table.has_error("bold")


def test_an_interval_without_a_bound_is_drawn_beyond_all_others():
    found = [Estimate(10.0, 5.0, 20.0), Estimate(30.0, 12.0, np.inf)]
    table = Table("ratings", "R", pd.DataFrame({"policy": ["a", "b"]} | estimates("rating", found)))
    axes = figure_of(Chart("intervals", "B leads", "rating", "policy"), table).axes[0]
    (bars,) = axes.containers[0].lines[2]
    ends = [segment[:, 0] for segment in bars.get_segments()]
    assert ends[0].tolist() == [5, 20]
    assert ends[1][1] > 60


def test_cells_of_a_heat_map_can_be_read_wherever_the_scale_begins():
    frame = pd.DataFrame({"row": ["x", "x"], "column": [1, 2], "win": [0.42, 0.58]})
    table = Table("grid", "G", frame, (Column("win", unit="share"),))
    axes = figure_of(Chart("heat", "", "win", down="row", across="column"), table).axes[0]
    assert [text.get_color() for text in axes.texts] == ["black", "white"]


def test_documents_are_strict_json():
    value = {"a": np.float64("nan"), "b": [np.int64(3), float("inf")], "c": {"d": np.bool_(True)}}
    assert json.loads(json_text(value)) == {"a": None, "b": [3, None], "c": {"d": True}}
