"""Many scenarios, their studies one after another, and an index page of the answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from analyzer.errors import AnalyzerError, BadInput
from analyzer.reporting.folder import clear_leftovers, uninterrupted, write_whole
from analyzer.reporting.perform import budget, perform
from analyzer.reporting.provenance import inputs_hash
from analyzer.reporting.report import template
from analyzer.scenarios import Scenario, find_scenario, load_scenario


@dataclass(frozen=True)
class Task:
    """One study of one scenario; or what is wrong with the scenario."""

    name: str
    study: str = ""
    scenario: Scenario | None = None
    fault: str = ""


@dataclass(frozen=True)
class Row:
    """What became of a task."""

    scenario: str
    study: str
    status: str  # done, skipped (done before), failed, or before: a report of another batch or command
    title: str = ""
    finding: str = ""
    verdicts: tuple[tuple[str, str], ...] = ()
    games: int = 0
    seconds: float = 0.0
    report: str = ""  # relative to the index
    fault: str = ""


@dataclass(frozen=True)
class Batch:
    """What became of all tasks; `left` counts those an interruption kept from being done."""

    rows: tuple[Row, ...]
    left: int

    @property
    def failed(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.status == "failed")

    def as_json(self) -> dict[str, Any]:
        return {"rows": [asdict(row) for row in self.rows], "failed": len(self.failed), "left": self.left}


# called with which task of how many it is and the games it plays at most; gives what to call with games played
Watch = Callable[[int, int, Task, int], AbstractContextManager[Callable[[int], None]]]


def find_tasks(places: Sequence[str]) -> list[Task]:
    """Return the tasks of files and of all scenarios below folders, in order; a bad file is one with a fault.

    A deck that stands beside the scenario it belongs to is not taken for a scenario.
    """
    tasks: list[Task] = []
    taken: dict[str, Path] = {}
    for place, path in _files(places):
        try:
            path = path or find_scenario(place)
            if path.resolve() in taken.values():
                continue
            scenario = load_scenario(path)
            if scenario.name in taken:
                other = taken[scenario.name]
                raise BadInput(f"{path}: its reports would take the place of those of {other}; rename one of them")
            taken[scenario.name] = path.resolve()
            tasks += [Task(scenario.name, str(study["study"]), scenario) for study in scenario.studies]
        except AnalyzerError as error:
            tasks.append(Task(place, fault=str(error)))
    decks = {task.scenario.deck.resolve() for task in tasks if task.scenario and task.scenario.deck}
    tasks = [task for task in tasks if task.scenario or Path(task.name).resolve() not in decks]
    if not tasks:
        raise BadInput(f"no scenario (*.toml) in {', '.join(places)}")
    return tasks


def _files(places: Sequence[str]) -> Iterator[tuple[str, Path | None]]:
    """Yield the scenario files of folders, and other places as they were given."""
    for place in places:
        if Path(place).is_dir():
            yield from ((str(path), path) for path in sorted(Path(place).rglob("*.toml")))
        else:
            yield place, None


def run_batch(
    tasks: Sequence[Task],
    out: Path,
    *,
    resume: bool,
    games: int | None,
    threads: int | None,
    watch: Watch,
    tell: Callable[[Row], None],
) -> Batch:
    """Do all tasks, go on past those that fail, and write OUT/index.html.

    With `resume` a task is skipped whose report stands there, made from the same inputs. Ctrl-C ends the
    batch after the report being written; the study being played is dropped. `tell` is called with each row.
    The index goes on listing the reports of other scenarios below OUT; where no scenario can be read at
    all, it is left alone.
    """
    rows: list[Row] = []
    clear_leftovers(out, below=True)
    try:
        for row in _rows(tasks, out, resume, games, threads, watch):
            rows.append(row)
            tell(row)
    except KeyboardInterrupt:
        pass  # what is done stands in the index
    batch = Batch(tuple(rows), len(tasks) - len(rows))
    if any(task.scenario for task in tasks):
        with uninterrupted():
            write_index(batch, out)
    return batch


def _rows(
    tasks: Sequence[Task], out: Path, resume: bool, games: int | None, threads: int | None, watch: Watch
) -> Iterator[Row]:
    """Do one task after another and yield their rows."""
    for number, task in enumerate(tasks, 1):
        row = _read(task, out, games, "skipped") if resume else None
        if row is None:
            try:
                with watch(number, len(tasks), task, _budget(task, games)) as advance:
                    row = _do(task, out, games, threads, advance)
            except KeyboardInterrupt:
                row = _read(task, out, games, "done")  # its report may have been finished all the same
                if row is not None:
                    yield row
                raise
        yield row


def write_index(batch: Batch, out: Path) -> None:
    """Write OUT/index.html: the rows of a batch, then those of the reports that stood there before."""
    out.mkdir(parents=True, exist_ok=True)
    own = {row.report for row in batch.rows} | {f"{row.scenario}/{row.study}/report.html" for row in batch.rows}
    others = [row for row in _reports(out) if row.report not in own]
    write_whole(out / "index.html", template("index.html").render(batch=batch, others=others))


def _reports(out: Path) -> Iterator[Row]:
    """Yield a row for each report that a command has written to OUT, in the order of their folders."""
    for path in sorted(out.rglob("run.json")):
        report = path.with_name("report.html")
        if not report.is_file():
            continue
        try:
            run = json.loads(path.read_text(encoding="utf-8"))
            at = path.parent.relative_to(out).as_posix()
            name = str(run["scenario"])
            if at.startswith(f"{Path(name).as_posix()}/"):  # else it was written to another OUT below this one
                title = str(run.get("title") or name)
                yield _row(name, at.removeprefix(f"{name}/"), "before", title, run, f"{at}/{report.name}")
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            continue  # no report of ours


def _budget(task: Task, games: int | None) -> int:
    return budget(task.study, task.scenario, games=games) if task.scenario else 0


def _do(task: Task, out: Path, games: int | None, threads: int | None, progress: Callable[[int], None]) -> Row:
    """Do a task and return its row, also if it fails."""
    if task.scenario is None:
        return Row(task.name, task.study, "failed", fault=task.fault)
    folder = out / task.name / task.study
    try:
        done = perform(
            task.study, task.scenario, folder, keep_part=False, progress=progress, games=games, threads=threads
        )
        if done.result.interrupted:
            raise KeyboardInterrupt
        row = _read(task, out, games, "done")
        assert row is not None, "a report was written and is not there"
        return row
    except Exception as error:  # whatever it is, the other scenarios can do without this one
        fault = str(error) if isinstance(error, AnalyzerError) else f"{type(error).__name__}: {error}"
        return Row(task.name, task.study, "failed", title=task.scenario.title, fault=fault)


def _read(task: Task, out: Path, games: int | None, status: str) -> Row | None:
    """Return the row of a finished report made from the task's inputs, if there is one."""
    scenario, path = task.scenario, out / task.name / task.study / "run.json"
    if scenario is None:
        return None
    try:
        run = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    asked = budget(task.study, scenario, games=games)
    if run.get("inputs") != inputs_hash(scenario, task.study, scenario.seed, asked) or run.get("interrupted"):
        return None
    report = f"{Path(task.name).as_posix()}/{task.study}/report.html"
    return _row(task.name, task.study, status, scenario.title, run, report)


def _row(name: str, study: str, status: str, title: str, run: Mapping[str, Any], report: str) -> Row:
    """Return the row of a report from its run.json."""
    result = run["result"]
    return Row(
        scenario=name,
        study=study,
        status=status,
        title=title,
        finding=str(result.get("finding", "")),
        verdicts=tuple((str(line), str(verdict)) for line, verdict in result.get("verdicts", ())),
        games=int(run["games"]),
        seconds=float(run["seconds"]),
        report=report,
    )
