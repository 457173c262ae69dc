"""The Python door: `import analyzer as az`, then `az.odds(az.scenario("ritter/four-players"), games=200_000)`.

Every study that has a command is a function here, with the same options and the same answers. An answer's
tables are data frames (`answer["seats"]`), and a notebook shows it as its report.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

from analyzer.answer import Answer
from analyzer.ask import ask
from analyzer.catalogue import STUDIES
from analyzer.errors import BadInput
from analyzer.own import policy
from analyzer.reporting import page  # noqa: F401  a notebook shows answers as pages
from analyzer.scenarios import Scenario, find_scenario, load_scenario, read_scenario
from analyzer.study import Study

_PYTHON_NAMES = {"yield": "yielding"}  # what Python keeps for itself


def scenario(
    name: str | PathLike[str] = "",
    *,
    game: str = "",
    rules: Mapping[str, Any] | None = None,
    seats: Sequence[str] | None = None,
    policies: Mapping[str, Mapping[str, Any]] | None = None,
    **others: Any,
) -> Scenario:
    """Return a scenario: a shipped one or a file, or a new one of a game, with the changes given.

    Parameters
    ----------
    name : such as "ritter/four-players", or the path of a file; without one a `game` is needed.
    rules, policies : settings beside those of the file.
    seats : the policies at the table, in place of the file's.
    others : any further key of a scenario file: games, seed, deck, targets, rotate, …
    """
    if bool(name) == bool(game):
        raise BadInput("name a scenario or a game")
    read = load_scenario(find_scenario(str(name))) if name else None
    data: dict[str, Any] = {**(read.data if read else {"game": game}), **others}
    if rules:
        data["rules"] = {**data.get("rules", {}), **rules}
    if policies:
        data["policies"] = {**data.get("policies", {}), **policies}
    if seats is not None:
        data["seats"] = list(seats)
    return read_scenario(data, read.path if read else None, read.text if read else "")


@dataclass(frozen=True)
class Story:
    """One game: its moves, and the story of it line by line."""

    moves: tuple[tuple[int, str], ...]  # (seat, move)
    lines: tuple[str, ...]

    def __str__(self) -> str:
        return "\n".join(self.lines)


def play(of: Scenario | str, game: int = 0, seed: int | None = None) -> Story:
    """Play one game of a scenario, the very game that `odds` plays under that number, and tell it."""
    from analyzer.engine.trace import story, watch

    asked = load_scenario(find_scenario(of)) if isinstance(of, str) else of
    if not isinstance(asked, Scenario):
        raise BadInput("play: give a scenario or its name")
    steps = list(watch(asked.table, asked.policies, asked.seed if seed is None else seed, game, asked.rotate))
    return Story(tuple((step.seat + 1, step.text) for step in steps), tuple(story(asked.table, steps)))


def _function_of(study: Study) -> Callable[..., Answer]:
    arguments = [each.key for each in study.asks if each.argument]

    def call(
        *subject: Any,
        threads: int | None = None,
        progress: Callable[[int], None] = lambda played: None,
        **options: Any,
    ) -> Answer:
        if len(subject) > len(arguments):
            raise BadInput(f"{study.name} takes {', '.join(arguments) or 'no arguments'}")
        given = dict(zip(arguments, subject, strict=False)) | options
        return ask(study, **given).answer(threads=threads, progress=progress)

    call.__name__ = call.__qualname__ = _PYTHON_NAMES.get(study.name, study.name)
    listed = "\n".join(f"{each.key} : {each.help}" for each in study.asks)
    call.__doc__ = f"{study.summary}\n\n{study.about}\n\nParameters\n----------\n{listed}\n"
    return call


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "scenario": scenario,
    "play": play,
    "policy": policy,
    **{_PYTHON_NAMES.get(name, name): _function_of(study) for name, study in STUDIES.items()},
}
