"""The page that leads to every report below a folder."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analyzer.reporting.folder import write_whole
from analyzer.reporting.page import template


@dataclass(frozen=True)
class Row:
    """A report, or what kept it from being written."""

    scenario: str
    study: str
    status: str  # done, skipped (done before), before (not of this batch) or failed
    title: str = ""
    finding: str = ""
    verdicts: tuple[tuple[str, str], ...] = ()
    games: int = 0
    seconds: float = 0.0
    report: str = ""  # relative to the index
    fault: str = ""


def row_of(run: Mapping[str, Any], folder: Path, out: Path, status: str) -> Row:
    """Return the row of a report from its run.json."""
    return Row(
        scenario=str(run["scenario"]),
        study=str(run["study"]),
        status=status,
        title=str(run["title"]),
        finding=str(run["finding"]),
        verdicts=tuple((str(line), str(verdict)) for line, verdict in dict(run["verdicts"]).items()),
        games=int(run["games"]),
        seconds=float(run["seconds"]),
        report=(folder / "report.html").relative_to(out).as_posix(),
    )


def write_index(rows: Sequence[Row], left: int, out: Path) -> None:
    """Write OUT/index.html: the rows of a batch, then those of the other reports below OUT."""
    out.mkdir(parents=True, exist_ok=True)
    own = {row.report for row in rows}
    others = [row for row in reports_below(out) if row.report not in own]
    failed = sum(row.status == "failed" for row in rows)
    write_whole(
        out / "index.html", template("index.html").render(rows=list(rows), others=others, failed=failed, left=left)
    )


def reports_below(out: Path) -> Iterator[Row]:
    """Yield a row for each report that stands below OUT, in the order of their folders."""
    for path in sorted(out.rglob("run.json")):
        if not path.with_name("report.html").is_file():
            continue
        try:
            run = json.loads(path.read_text(encoding="utf-8"))
            if path.parent.parent == out / str(run["scenario"]):  # else it was written to another OUT below this one
                yield row_of(run, path.parent, out, "before")
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue  # no report of ours
