"""An answer as a folder: Markdown, a self-contained page, a CSV a table, a picture a chart, and run.json."""

from __future__ import annotations

import base64
import io
import json
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, select_autoescape

from analyzer.answer import Answer, Table
from analyzer.reporting.charts import figure_of
from analyzer.reporting.document import json_text, run_document
from analyzer.reporting.folder import whole_folder
from analyzer.reporting.numbers import is_numeric, readable


def write(answer: Answer, folder: Path) -> None:
    """Write all files of a report; the folder is replaced as a whole."""
    with whole_folder(folder) as scratch:
        pictures = {table.key: picture(table) for table in answer.tables if table.chart is not None}
        for table in answer.tables:
            table.frame.to_csv(scratch / f"{table.key}.csv", index=False)
        for key, png in pictures.items():
            (scratch / f"{key}.png").write_bytes(png)
        texts = {
            "report.md": markdown(answer),
            "report.html": html(answer, pictures),
            "run.json": json_text(run_document(answer)),
            **answer.files,
        }
        for name, text in texts.items():
            (scratch / name).write_text(text, encoding="utf-8")


def picture(table: Table) -> bytes:
    """Draw the chart of a table as PNG."""
    assert table.chart is not None
    png = io.BytesIO()
    figure_of(table.chart, table).savefig(png, format="png")
    return png.getvalue()


def markdown(answer: Answer) -> str:
    """Write an answer in Markdown; its pictures stand beside it."""
    parts = [f"# {answer.title}", answer.question, f"**{answer.finding}**", *(f"*Note: {n}*" for n in answer.notes)]
    for table in answer.tables:
        parts += [f"## {table.title}", table.text]
        if table.chart is not None:
            parts.append(f"![{table.chart.title}]({table.key}.png)")
        shown = readable(table)
        if len(shown):
            align = ["right" if is_numeric(shown[heading]) else "left" for heading in shown.columns]
            parts.append(shown.to_markdown(index=False, disable_numparse=True, colalign=align))
    parts.append(f"---\n{answer.method}")
    return "\n\n".join(filter(None, parts)) + "\n"


def html(answer: Answer, pictures: dict[str, bytes] | None = None) -> str:
    """Write an answer as a page that needs nothing else."""
    if pictures is None:
        pictures = {table.key: picture(table) for table in answer.tables if table.chart is not None}
    versions = {key: value for key, value in answer.provenance.items() if not key.startswith("scenario_")}
    return template("page.html").render(
        title=answer.title,
        question=answer.question,
        finding=answer.finding,
        notes=answer.notes,
        method=answer.method,
        scenario_text=answer.provenance.get("scenario_text", answer.scenario.text),
        versions=json.dumps(versions, indent=2),
        sections=[
            {
                "title": table.title,
                "text": table.text,
                "image": base64.b64encode(pictures[table.key]).decode() if table.key in pictures else "",
                "alt": table.chart.title if table.chart else "",
                "table": readable(table).to_html(index=False, border=0, justify="left") if len(table.read) else "",
            }
            for table in answer.tables
        ],
    )


def template(name: str) -> Any:
    """Return one of the page templates that stand beside this file."""
    loader = FileSystemLoader(Path(__file__).parent)
    return Environment(loader=loader, autoescape=select_autoescape()).get_template(name)


Answer.as_html = staticmethod(html)
