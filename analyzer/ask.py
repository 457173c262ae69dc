"""The one way from a request to an answer: read, plan, play, say where the numbers come from.

Commands, batches, the lab and the Python door all come through here.
"""

from __future__ import annotations

import hashlib
import json
import platform
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib import metadata
from pathlib import Path
from time import perf_counter
from typing import Any

import analyzer
from analyzer.answer import Answer
from analyzer.errors import Interrupted
from analyzer.scenarios import Scenario
from analyzer.study import Question, Study

_LONGEST_NAME = 80
_LIBRARIES = ("numba", "numpy", "scipy", "pandas", "matplotlib")


@dataclass(frozen=True)
class Asked:
    """A question that is ready to be played."""

    study: Study
    question: Question
    given: Mapping[str, Any]  # what differs from the defaults

    @property
    def folder(self) -> Path:
        """Where its report stands below the folder of reports: no two questions share it."""
        name = "-".join([self.study.name, *filter(None, [self.question.label]), *_words(self.given)])
        plain = re.sub(r"[^\w.,=+-]+", "_", name)
        if len(plain) > _LONGEST_NAME or plain != name:
            plain = f"{plain[: _LONGEST_NAME - 9]}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"
        return Path(self.question.scenario.name) / plain

    @property
    def plan(self) -> int | None:
        """How many games are played at most, where that is known."""
        return self.study.plan(self.question.subject, **self.question.options)

    @property
    def inputs_hash(self) -> str:
        """A hash of all that the numbers depend on: equal inputs, equal tables.

        The rules and policies are hashed as the kernel takes them, so what they read from files counts too.
        """
        scenario, options = self.question.scenario, self.question.options.values()
        others = [value for value in options if isinstance(value, Scenario)]  # to be compared with
        files = [path.read_bytes() for path in (*([scenario.deck] if scenario.deck else []), *self.question.files)]
        records = [
            record.tobytes()
            for one in (scenario, *others)
            for record in (one.table.rules, one.game.encode_policies(list(one.catalogue.values())))
        ]
        contents = [hashlib.sha256(content).hexdigest() for content in (*files, *records)]
        told = [(one.name, one.text, one.data, one.seats) for one in (scenario, *others)]
        parts = [self.study.name, told, contents, self.question.label, self.given, self.plan]
        return hashlib.sha256(json.dumps([*parts, _program()], sort_keys=True, default=str).encode()).hexdigest()[:16]

    def answer(self, *, threads: int | None = None, progress: Callable[[int], None] = lambda played: None) -> Answer:
        """Play it and answer; an interruption leaves what was played until then."""
        start = perf_counter()
        try:
            found = self.study.run(self.question.subject, **self.question.options, threads=threads, progress=progress)
        except KeyboardInterrupt:
            raise Interrupted from None
        if found.interrupted and not found.n_games:
            raise Interrupted
        return replace(found, provenance=self._provenance(found, perf_counter() - start))

    def _provenance(self, found: Answer, seconds: float) -> dict[str, Any]:
        return {
            "inputs_hash": self.inputs_hash,
            "given": {key: str(value) for key, value in self.given.items()},
            "scenario_text": found.scenario.text,
            "scenario_data": found.scenario.data,
            "version": analyzer.__version__,
            "source_hash": analyzer.source_hash(),
            "python": platform.python_version(),
            "libraries": {name: metadata.version(name) for name in _LIBRARIES},
            "seconds": round(seconds, 3),
        }


def ask(study: Study, **given: Any) -> Asked:
    """Read and check a question."""
    question = study.ask(**given)
    apart = {key: value for key, value in study.differing(given).items() if key not in _subjects(study)}
    return Asked(study, question, apart)


def _subjects(study: Study) -> set[str]:
    """The arguments a question's label and scenario stand for."""
    return {ask.key for ask in study.asks if ask.argument or ask.key == "scenario"}


def _words(given: Mapping[str, Any]) -> list[str]:
    """Return settings as they stand in a folder's name."""
    words = []
    for key, value in given.items():
        for one in value if isinstance(value, (list, tuple)) else [value]:
            words.append(key if one is True else f"{key}={one}")
    return words


@cache
def _program() -> str:
    """Return a hash of the whole program, the data it ships included."""
    root = Path(analyzer.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(p for p in root.rglob("*") if p.suffix in (".py", ".toml", ".csv", ".html")):
        digest.update(str(path.relative_to(root)).encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()
