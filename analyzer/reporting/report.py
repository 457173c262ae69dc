"""A report: sections of text, tables and charts, written as Markdown, HTML, CSV, PNG and run.json."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from jinja2 import Environment, FileSystemLoader, select_autoescape

from analyzer.reporting import tables
from analyzer.reporting.folder import whole_folder


@dataclass(frozen=True)
class Section:
    """A part of a report; its key names the CSV and the PNG."""

    key: str
    title: str
    table: pd.DataFrame
    text: str = ""
    chart: Callable[[Path], None] | None = None
    shown: pd.DataFrame | None = None  # the table as a person reads it, where that is not its plain form


def write_report(
    folder: Path,
    *,
    title: str,
    question: str,
    finding: str,
    sections: Sequence[Section],
    method: str,
    run: Mapping[str, Any],
    document: Mapping[str, Any],
    files: Mapping[str, str] | None = None,
) -> None:
    """Write all files of a report, and further ones by name; the folder is replaced as a whole.

    The caveats of `run` stand below the finding.
    """
    with whole_folder(folder) as scratch:
        images = {}
        for section in sections:
            section.table.to_csv(scratch / f"{section.key}.csv", index=False)
            if section.chart is not None:
                section.chart(scratch / f"{section.key}.png")
                images[section.key] = base64.b64encode((scratch / f"{section.key}.png").read_bytes()).decode()
        caveats = run.get("caveats", [])
        text = _markdown(title, question, finding, caveats, sections, method)
        (scratch / "report.md").write_text(text, encoding="utf-8")
        page = template("page.html").render(
            title=title,
            question=question,
            finding=finding,
            caveats=caveats,
            method=method,
            scenario_text=run["scenario_text"],
            versions=json.dumps({k: v for k, v in run.items() if k != "scenario_text"}, indent=2),
            sections=[
                {"title": s.title, "text": s.text, "image": images.get(s.key), "table": tables.html(_shown(s))}
                for s in sections
            ],
        )
        (scratch / "report.html").write_text(page, encoding="utf-8")
        for name, text in (files or {}).items():
            (scratch / name).write_text(text, encoding="utf-8")
        (scratch / "run.json").write_text(json_text({**run, "result": document}), encoding="utf-8")


def json_text(document: Mapping[str, Any]) -> str:
    """Write a document as strict JSON: what is not a number becomes null."""
    return json.dumps(_plain(document), indent=2, ensure_ascii=False, allow_nan=False)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    return value


def _shown(section: Section) -> pd.DataFrame:
    return section.table if section.shown is None else section.shown


def _markdown(
    title: str, question: str, finding: str, caveats: Sequence[str], sections: Sequence[Section], method: str
) -> str:
    parts = [f"# {title}", *([question] if question else []), f"**{finding}**"]
    parts += [f"*Mind:* {caveat}" for caveat in caveats]
    for section in sections:
        parts.append(f"## {section.title}")
        if section.text:
            parts.append(section.text)
        if section.chart is not None:
            parts.append(f"![{section.title}]({section.key}.png)")
        parts.append(tables.markdown(_shown(section)))
    parts.append(f"---\n{method}")
    return "\n\n".join(parts) + "\n"


def template(name: str) -> Any:
    """Return one of the page templates that stand beside this file."""
    loader = FileSystemLoader(Path(__file__).parent)
    return Environment(loader=loader, autoescape=select_autoescape()).get_template(name)
