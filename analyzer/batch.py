"""Many scenarios, their studies one after another; what stands there from the same question is skipped."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analyzer.ask import Asked, ask
from analyzer.catalogue import STUDIES
from analyzer.errors import AnalyzerError, BadInput
from analyzer.reporting.folder import clear_leftovers, uninterrupted
from analyzer.reporting.index import Row, row_of, write_index
from analyzer.reporting.page import write
from analyzer.scenarios import Scenario, find_scenario, load_scenario


@dataclass(frozen=True)
class Task:
    """One study of one scenario, ready to be played; or what is wrong with it."""

    name: str
    study: str = ""
    scenario: Scenario | None = None
    asked: Asked | None = None
    fault: str = ""


@dataclass(frozen=True)
class Batch:
    """What became of all tasks; `left` counts those an interruption kept from being done."""

    rows: tuple[Row, ...]
    left: int

    @property
    def failed(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.status == "failed")


# called with which task of how many it is and the games it plays at most; gives what to call with games played
Watch = Callable[[int, int, Task, int | None], AbstractContextManager[Callable[[int], None]]]


def find_tasks(places: Sequence[str], games: int | None = None) -> list[Task]:
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
            tasks += [_task(scenario, study, games) for study in scenario.studies]
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


def _task(scenario: Scenario, wanted: Mapping[str, Any], games: int | None) -> Task:
    """Return a study that a scenario names, with the options it gives."""
    name = wanted["study"]
    study = STUDIES[name]
    given = {key: value for key, value in wanted.items() if key != "study"}
    keys = [each.key for each in study.asks]
    about = next((each.key for each in study.asks if each.names == "scenario"), "")
    if about and about not in given:
        given[about] = scenario
    if games is not None and "games" in keys:
        given["games"] = games
    try:
        return Task(scenario.name, name, scenario, ask(study, **given))
    except AnalyzerError as error:
        return Task(scenario.name, name, scenario, fault=str(error))


def run_batch(
    tasks: Sequence[Task],
    out: Path,
    *,
    resume: bool,
    threads: int | None,
    watch: Watch,
    tell: Callable[[Row], None],
) -> Batch:
    """Do all tasks, go on past those that fail, and write OUT/index.html.

    With `resume` a task is skipped whose report stands there, made from the same inputs. Ctrl-C ends the
    batch after the report being written; the study being played is dropped. `tell` is called with each row.
    The index goes on listing the other reports below OUT; where no scenario can be read at all, it is left
    alone.
    """
    rows: list[Row] = []
    clear_leftovers(out, below=True)
    try:
        for row in _rows(tasks, out, resume, threads, watch):
            rows.append(row)
            tell(row)
    except KeyboardInterrupt:
        pass  # what is done stands in the index
    batch = Batch(tuple(rows), len(tasks) - len(rows))
    if any(task.scenario for task in tasks):
        with uninterrupted():
            write_index(batch.rows, batch.left, out)
    return batch


def _rows(tasks: Sequence[Task], out: Path, resume: bool, threads: int | None, watch: Watch) -> Iterator[Row]:
    """Do one task after another and yield their rows."""
    for number, task in enumerate(tasks, 1):
        row = _standing(task, out, "skipped") if resume else None
        if row is None:
            try:
                with watch(number, len(tasks), task, task.asked.plan if task.asked else 0) as advance:
                    row = _do(task, out, threads, advance)
            except KeyboardInterrupt:
                row = _standing(task, out, "done")  # its report may have been finished all the same
                if row is not None:
                    yield row
                raise
        yield row


def _do(task: Task, out: Path, threads: int | None, progress: Callable[[int], None]) -> Row:
    """Do a task and return its row, also if it fails."""
    title = task.scenario.title if task.scenario else ""
    if task.asked is None:
        return Row(task.name, task.study, "failed", title, fault=task.fault)
    try:
        answer = task.asked.answer(threads=threads, progress=progress)
        if answer.interrupted:
            raise KeyboardInterrupt
        with uninterrupted():
            write(answer, out / task.asked.folder)
        row = _standing(task, out, "done")
        assert row is not None, "a report was written and is not there"
        return row
    except Exception as error:  # whatever it is, the other scenarios can do without this one
        fault = str(error) if isinstance(error, AnalyzerError) else f"{type(error).__name__}: {error}"
        return Row(task.name, task.study, "failed", title, fault=fault)


def _standing(task: Task, out: Path, status: str) -> Row | None:
    """Return the row of a finished report made from the task's inputs, if there is one."""
    if task.asked is None:
        return None
    folder = out / task.asked.folder
    try:
        run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
        if run["inputs_hash"] != task.asked.inputs_hash or run["interrupted"]:
            return None
        return row_of(run, folder, out, status)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
