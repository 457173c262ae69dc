"""Every command in the README and the documents runs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def commands(page: Path) -> list[str]:
    """Return the lines of a page's code blocks that call the analyzer; a `#` begins a remark.

    A line with a variable belongs to a block that is a script, and has a test of its own.
    """
    blocks = re.findall(
        r"^```(?:sh|console|bash)\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    lines = [line.strip().removeprefix("$ ") for block in blocks for line in block.splitlines()]
    return [line.removeprefix(".venv/bin/") for line in lines if re.match(r"(\.venv/bin/)?analyzer [^$]*$", line)]


EVERY = sorted({(command, page.name) for page in PAGES for command in commands(page)})


@pytest.mark.parametrize(("command", "page"), EVERY, ids=[command for command, _ in EVERY])
def test_a_written_command_runs(analyzer, tmp_path, command, page):
    arguments = shlex.split(command, comments=True)[1:]
    takes = analyzer(arguments[0], "--help").out
    if "--games" in takes and "--games" not in arguments:
        arguments += ["--games", "5000"]
    if "--effort" in takes and "--effort" not in arguments:
        arguments += ["--effort", "1"]
    if "--out" in takes:
        arguments += ["--out", str(tmp_path)]
    done = analyzer(*arguments)
    assert done.code in ((0, 1, 3) if arguments[0] == "check" else (0,)), done.err  # a gate may stay shut
    assert done.out


def test_the_readme_begins_with_the_two_commands():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first = re.search(r"```sh\n(.*?)```", text, re.DOTALL)
    assert first is not None
    assert [line.split("#")[0].strip() for line in first[1].strip().splitlines()] == ["make report", "make test"]


def test_the_readme_shows_what_the_tool_wrote():
    """The table and the chart are those of the sample report, which says how it was made."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    charts = re.findall(r"!\[.*?\]\((reports/sample/.*?\.png)\)", text)
    assert charts
    assert all((ROOT / chart).is_file() for chart in charts)
    report = (ROOT / charts[0]).with_name("report.md").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("|") and "%" in line]
    assert rows
    assert all(row in report for row in rows)


def test_the_sample_is_what_the_tool_writes_now(analyzer, tmp_path):
    sample = ROOT / "reports" / "sample" / "ritter" / "four-players" / "odds"
    analyzer("odds", "ritter/four-players", "--out", tmp_path, "--quiet")
    now = tmp_path / "ritter" / "four-players" / "odds"
    for table in sorted(sample.glob("*.csv")):
        assert table.read_bytes() == (now / table.name).read_bytes(), f"{table.name} is stale: make golden"


def test_every_link_between_pages_leads_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+?)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert target.startswith("http") or (page.parent / target).exists(), f"{page.name}: {target}"
