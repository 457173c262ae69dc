"""The answer to a question: a finding in words, tables whose numbers know their errors, charts as descriptions.

Every study returns one. How it looks, on a terminal, a page, in JSON or in a spreadsheet, is the business of the
renderers in `reporting/`, and none of them knows a study.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from analyzer.stats.intervals import Estimate

if TYPE_CHECKING:
    import pandas as pd

    from analyzer.scenarios import Scenario

SHARE, POINTS, COUNT, PLAIN = "share", "percentage points", "count", ""
SCHEMA = "analyzer/2"  # of documents
LOW, HIGH = "_low", "_high"  # a number with an error stands in three columns: its own, and these two


@dataclass(frozen=True)
class Column:
    """What the numbers of a column are, and what a person calls them.

    The unit is a share of games (SHARE, read in percent), a difference of shares (POINTS), a whole number
    (COUNT), or a word such as "premiums"; `unit_from` names the column in which each row says its own.
    A band stands in one cell: `to` names the column of its upper end.
    """

    key: str
    title: str = ""
    unit: str = PLAIN
    unit_from: str = ""
    to: str = ""
    blank: Any = None  # a value that tells a person nothing
    detail: bool = False  # for the page; too much for a terminal
    data: bool = False  # for CSV and JSON only

    @property
    def heading(self) -> str:
        return self.title or self.key.replace("_", " ")


@dataclass(frozen=True)
class Chart:
    """A picture of a table, described: its kind is the name of a drawing in `reporting/charts.py`.

    `value` is the column drawn, with its interval where the table has one; `label` names the rows;
    `across`, `down` and `group` arrange them; `axis` says what is measured. `frame` replaces the table's
    own rows. What only one kind of chart needs stands in `more`.
    """

    kind: str
    title: str  # the finding
    value: str = ""
    label: str = ""
    across: str = ""
    down: str = ""
    group: str = ""
    axis: str = ""
    note: str = ""
    reference: tuple[float, str] | None = None  # a line to compare with, and its name
    frame: pd.DataFrame | None = None
    more: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """Numbers of one kind; the key names the CSV and the chart."""

    key: str
    title: str
    frame: pd.DataFrame
    columns: Sequence[Column] = ()  # in any order; a column not described here is shown plainly
    text: str = ""
    chart: Chart | None = None
    brief: bool = False  # a terminal shows it, too
    view: pd.DataFrame | None = None  # what a person reads instead: fewer rows, or one for what takes several

    def column(self, key: str) -> Column:
        """Return the description of a column."""
        return next((column for column in self.columns if column.key == key), Column(key))

    @property
    def read(self) -> pd.DataFrame:
        """The rows a person reads; CSV and JSON hold those of `frame`."""
        return self.frame if self.view is None else self.view

    @property
    def shown(self) -> list[Column]:
        """The columns a person reads, in order; the ends of intervals stand beside their number."""
        keys = [str(key) for key in self.read.columns]
        ends = ends_among(keys) | {column.to for column in self.columns}
        return [self.column(key) for key in keys if key not in ends and not self.column(key).data]

    def has_error(self, key: str) -> bool:
        return {key + LOW, key + HIGH} <= set(self.frame.columns)


def ends_among(keys: Sequence[str]) -> set[str]:
    """Return those of the columns that are ends of another's interval, which has both."""
    return {key + end for key in keys if {key + LOW, key + HIGH} <= set(keys) for end in (LOW, HIGH)}


@dataclass(frozen=True)
class Answer:
    """What a study found, whole: what was asked, the finding, the numbers, and how they came about."""

    study: str
    scenario: Scenario
    title: str
    question: str
    finding: str
    tables: tuple[Table, ...]
    method: str
    seed: int
    n_games: int
    interrupted: bool = False
    verdicts: tuple[tuple[str, str], ...] = ()  # (what was judged, verdict)
    notes: tuple[str, ...] = ()  # what a reader must know before he believes it
    facts: Mapping[str, Any] = field(default_factory=dict)  # further plain values, for programs
    files: Mapping[str, str] = field(default_factory=dict)  # further files of the report, by name
    exit_code: int = 0
    provenance: Mapping[str, Any] = field(default_factory=dict)  # filled in by whoever asked

    as_html: ClassVar[Callable[[Answer], str] | None] = None  # the page's renderer, once it is loaded

    def table(self, key: str) -> Table:
        """Return a table by its key."""
        return next(table for table in self.tables if table.key == key)

    def __getitem__(self, key: str) -> pd.DataFrame:
        """Return the numbers of a table by its key."""
        return self.table(key).frame

    def _repr_html_(self) -> str | None:
        render = type(self).as_html
        return render(self) if render else None


def estimates(key: str, found: Iterable[Estimate]) -> dict[str, list[float]]:
    """Return the three columns of numbers with their intervals."""
    rows = list(found)
    return {
        key: [e.estimate for e in rows],
        key + LOW: [e.low for e in rows],
        key + HIGH: [e.high for e in rows],
    }


def estimate(key: str, found: Estimate) -> dict[str, float]:
    """Return the three cells of a number with its interval, for a row."""
    return {key: found.estimate, key + LOW: found.low, key + HIGH: found.high}


def estimate_in(row: Any, key: str) -> Estimate:
    """Return a number of a row with its interval."""
    return Estimate(float(row[key]), float(row[key + LOW]), float(row[key + HIGH]))
