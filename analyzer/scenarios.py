"""Scenario files: TOML, checked as a whole, every fault named at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from analyzer.catalogue import STUDIES
from analyzer.engine.files import is_file, parse_value, read_toml
from analyzer.engine.game import Game, Option, Table
from analyzer.errors import BadFile, BadInput, Fault, Faults, shortened, suggest
from analyzer.games import GAMES

SEEDS = 2**63 - 1
MOST_GAMES = 10**11


class _File(BaseModel):
    """The keys of a scenario file that every game has."""

    model_config = ConfigDict(extra="forbid", strict=True)

    game: str
    title: str = ""
    question: str = ""
    seed: Annotated[int, Field(ge=0, le=SEEDS)] = 1
    games: Annotated[int, Field(ge=1, le=MOST_GAMES)] = 100_000
    rotate: bool = True
    deck: str | None = None
    seats: list[str]
    studies: Annotated[list[str | dict[str, Any]], Field(min_length=1)] = ["odds"]
    rules: dict[str, Any] = {}
    policies: dict[str, dict[str, Any]] = {}
    targets: dict[str, Any] = {}


# What a designer may want of a game; a margin is a distance from the fair value, a band has two ends.
MARGINS = ("place", "policy", "card", "first_player")
BANDS = (
    *("ties", "margin", "lead_changes", "drama", "certainty", "comeback", "known_half", "snowball", "dead"),
    *("length_p10", "length_p50", "length_p90", "skill", "deal", "dice"),
)
_ALLOWED = {
    "game": "the name of a game",
    "title": "a text",
    "question": "a text",
    "seed": f"0 to {SEEDS}",
    "games": f"1 to {MOST_GAMES}",
    "rotate": "true or false",
    "deck": "the name of a shipped deck, or a file beside the scenario",
    "seats": "a list of policy names",
    "studies": "a list of studies, each a name or a table with `study` and its options",
    "rules": "a table of the game's options",
    "policies": "a table for each policy that differs from the shipped one",
    "targets": "a table of margins and bands",
}


@dataclass(frozen=True)
class Scenario:
    """A question ready to be played: the table, who sits there, the seed and how many games."""

    path: Path | None
    name: str
    text: str
    title: str
    question: str
    seed: int
    games: int
    rotate: bool
    seats: tuple[str, ...]
    settings: tuple[Mapping[str, Any], ...]  # every parameter of each seat's policy
    catalogue: Mapping[str, Mapping[str, Any]]  # every policy there is, the scenario's own included
    table: Table
    data: Mapping[str, Any] = field(default_factory=dict)  # the content as it was read, changes included
    studies: tuple[Mapping[str, Any], ...] = ({"study": "odds"},)  # what a batch does with it, options included
    deck: Path | None = None
    targets: Mapping[str, float | tuple[float, float]] = field(default_factory=dict)  # a margin, or a band's ends

    @property
    def game(self) -> Game:
        return self.table.game

    @property
    def policies(self) -> np.ndarray:
        """The policy records of the seats."""
        return self.game.encode_policies(self.settings)

    @property
    def caveats(self) -> list[str]:
        """What to know before one believes what these policies do at this table."""
        return self.game.caveats(self.table, self.settings)


def find_scenario(name: str) -> Path:
    """Return the file of a scenario given as a path or as a name below `scenarios/`."""
    shelf = Path("scenarios")
    for path in (Path(name), Path(f"{name}.toml"), shelf / name, shelf / f"{name}.toml"):
        if is_file(path):
            return path
    known = sorted(str(p.relative_to(shelf).with_suffix("")) for p in shelf.rglob("*.toml"))
    listed = f"; there are: {', '.join(known)}" if known else ""
    raise BadInput(f"no scenario {shortened(name)!r}: no such file{suggest(name, known)}{listed}")


def load_scenario(path: Path) -> Scenario:
    """Read a scenario file.

    Raises
    ------
    BadFile
        with all the faults of the file.
    """
    data, text = read_toml(path)
    return read_scenario(data, path, text)


def read_scenario(data: Mapping[str, Any], path: Path | None = None, text: str = "") -> Scenario:
    """Check the content of a scenario file and set its table up."""
    name = str(Path(*path.parts[-2:]).with_suffix("")) if path else "scenario"
    faults = Faults(path or name)
    values = _checked(_File, data, "", _ALLOWED, faults)
    game = GAMES.get(str(data.get("game")))
    if game is None:
        if isinstance(data.get("game"), str):
            problem = f"no such game; allowed: {', '.join(GAMES)}{suggest(data['game'], GAMES)}"
            faults.append(Fault("game", data["game"], problem))
        raise BadFile(path or name, faults)
    options = _options(game, data.get("rules", {}), faults)
    seats = [s for s in data.get("seats", []) if isinstance(s, str)] if isinstance(data.get("seats"), list) else []
    settings = _settings(game, seats, data.get("policies", {}), path.parent if path else Path(), faults)
    targets = _targets(game, data.get("targets", {}), faults)
    studies = _studies(values.get("studies", _File.model_fields["studies"].default), faults)
    if isinstance(data.get("seats"), list) and not game.least_players <= len(seats) <= game.most_players:
        allowed = f"{game.least_players} to {game.most_players} seats"
        faults.append(Fault("seats", len(seats), f"allowed: {allowed} for {game.title}"))
    faults.check()
    deck = values.get("deck")
    deck_path = game.find_deck(deck, path.parent if path else Path()) if deck else None
    return Scenario(
        path=path,
        name=name,
        text=text,
        title=values.get("title") or name,
        question=values.get("question", ""),
        seed=values.get("seed", _File.model_fields["seed"].default),
        games=values.get("games", _File.model_fields["games"].default),
        rotate=values.get("rotate", True),
        seats=tuple(seats),
        settings=tuple(settings[seat] for seat in seats),
        catalogue=settings,
        data=data,
        studies=studies,
        deck=deck_path,
        table=game.prepare(len(seats), options, deck_path),
        targets=targets,
    )


def changed(scenario: Scenario, changes: Mapping[str, Any]) -> Scenario:
    """Return the scenario with other settings (keys such as `rules.night_recovery`), checked as a file would be."""
    data = deepcopy(dict(scenario.data))
    for key, value in changes.items():
        table = data
        *path, last = key.split(".")
        for part in path:
            table = table.setdefault(part, {})
        table[last] = value
    return read_scenario(data, scenario.path, scenario.text)


def _studies(wanted: Sequence[Any], faults: list[Fault]) -> tuple[Mapping[str, Any], ...]:
    """Return the studies a scenario names, each with its options; what the options may be is the study's business."""
    found: list[Mapping[str, Any]] = []
    for i, given in enumerate(wanted):
        one = {"study": given} if isinstance(given, str) else given
        name = one.get("study")
        if not isinstance(name, str) or name not in STUDIES:
            problem = f"no such study; allowed: {', '.join(STUDIES)}{suggest(str(name), STUDIES)}"
            faults.append(Fault(f"studies[{i}]", name, problem))
            continue
        known = {ask.key for ask in STUDIES[name].asks}
        for key in one:
            if key != "study" and key not in known:
                problem = f"unknown; allowed: {', '.join(sorted(known))}{suggest(key, known)}"
                faults.append(Fault(f"studies[{i}].{key}", one[key], problem))
        if one not in found:
            found.append(one)
    return tuple(found)


def plain_value(text: str) -> Any:
    """Return what a value means that is written as in TOML, or as a bare word."""
    return parse_value(text)


def read_rules(game: Game, settings: Sequence[str]) -> dict[str, Any]:
    """Return the options set by texts like `enrage=every_round`; what is wrong with them is told in one line."""
    given = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            first = game.options[0]
            raise BadInput(f"--rule {shortened(setting)!r}: write key=value, as in {first.key}={first.default_text}")
        given[key.strip()] = plain_value(value.strip())
    faults: list[Fault] = []
    options = _checked_options(game.options, given, "", faults)
    if faults:
        raise BadInput("; ".join(f"--rule {fault}" for fault in faults))
    return options


def _options(game: Game, given: object, faults: list[Fault]) -> dict[str, Any]:
    """Return the full options of a table."""
    defaults = {option.key: option.default for option in game.options}
    return defaults | _checked_options(game.options, given, "rules.", faults)


def _settings(
    game: Game, seats: list[str], own: object, beside: Path, faults: list[Fault]
) -> dict[str, dict[str, Any]]:
    """Return the parameters of every policy; one of the scenario's own is `like` a shipped one."""
    shipped = {policy.name: policy for policy in game.policies}
    ready = {name: game.parameters_of(policy) for name, policy in shipped.items()}
    for name, values in (own if isinstance(own, Mapping) else {}).items():
        if not isinstance(values, Mapping):
            continue  # the file's own check has said so
        like = values.get("like", name)
        if like not in shipped:
            problem = f"no such policy; allowed: {', '.join(shipped)}{suggest(str(like), shipped)}"
            key = f"policies.{name}.like"
            faults.append(
                Fault(key, like, problem if "like" in values else f"`like` must name a shipped policy: {problem}")
            )
            continue
        rest = {key: value for key, value in values.items() if key != "like"}
        changes = _checked_options(game.parameters, rest, f"policies.{name}.", faults)
        _find_files(game.parameters, changes, beside, f"policies.{name}.", faults)
        ready[name] = game.parameters_of(shipped[like], changes)
    for i, seat in enumerate(seats):
        if seat not in ready:
            problem = f"no such policy; allowed: {', '.join(ready)}{suggest(seat, ready)}"
            faults.append(Fault(f"seats[{i}]", seat, problem))
    return ready


def _targets(game: Game, given: object, faults: list[Fault]) -> dict[str, float | tuple[float, float]]:
    """Return the targets: margins of what has a fair value, bands of anything, measures included."""
    names = (*MARGINS, *BANDS, *(measure.key for measure in game.measures))
    targets: dict[str, float | tuple[float, float]] = {}
    for key, value in (given if isinstance(given, Mapping) else {}).items():
        where = f"targets.{key}"
        numbers = value if isinstance(value, list) else [value]
        if key not in names:
            faults.append(Fault(where, value, f"unknown; allowed: {', '.join(names)}{suggest(key, names)}"))
        elif not all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in numbers):
            faults.append(Fault(where, value, "allowed: a number, or a list of two"))
        elif isinstance(value, list) and (len(value) != 2 or value[0] > value[1]):
            faults.append(Fault(where, value, "allowed: [lowest, highest]"))
        elif not isinstance(value, list) and (key not in MARGINS or value <= 0):
            allowed = "a margin above 0, or [lowest, highest]" if key in MARGINS else "[lowest, highest]"
            faults.append(Fault(where, value, f"allowed: {allowed}"))
        else:
            targets[key] = (float(value[0]), float(value[1])) if isinstance(value, list) else float(value)
    return targets


def _find_files(
    options: tuple[Option, ...], values: dict[str, Any], beside: Path, where: str, faults: list[Fault]
) -> None:
    """Put the path beside the scenario in place of a file's name, and read each file once (modifies `values`)."""
    for option in options:
        if option.read is None or option.key not in values:
            continue
        name = values[option.key]
        if is_file(beside / name):
            values[option.key] = str(beside / name)
        try:
            option.encode(values[option.key])
        except BadFile as error:
            faults += [Fault(f"{where}{option.key}", name, str(fault)) for fault in error.faults]


def _checked_options(options: tuple[Option, ...], given: object, where: str, faults: list[Fault]) -> dict[str, Any]:
    """Check a table against options with a model made from them; return the good values."""
    if not isinstance(given, Mapping):
        return {}
    fields: Any = {option.key: (_annotation(option), option.default) for option in options}
    model = create_model("Options", __config__=ConfigDict(extra="forbid", strict=True), **fields)
    allowed = {option.key: option.allowed for option in options}
    return _checked(model, given, where, allowed, faults)


def _annotation(option: Option) -> Any:
    """Return the type pydantic checks an option's value with."""
    one: Any
    if option.is_flag:
        one = bool
    elif option.read:
        one = str
    elif option.choices:
        one = Literal[option.choices]
    else:
        one = Annotated[int, Field(ge=option.low, le=option.high)]
        if option.words:
            one = one | Literal[tuple(option.words)]
    return Annotated[list[one], Field(min_length=1, max_length=option.most)] if option.most else one


def _checked(
    model: type[BaseModel], given: Mapping[str, Any], where: str, allowed: Mapping[str, str], faults: list[Fault]
) -> dict[str, Any]:
    """Return the values a model accepts and add a fault for each one it does not."""
    try:
        model.model_validate(dict(given))
    except ValidationError as error:
        bad = set()
        for problem in error.errors():
            key = str(problem["loc"][0])
            if key in bad:
                continue  # a union reports each of its branches
            bad.add(key)
            if problem["type"] == "extra_forbidden":
                listed = ", ".join(allowed)
                faults.append(Fault(f"{where}{key}", given[key], f"unknown; allowed: {listed}{suggest(key, allowed)}"))
            elif problem["type"] == "missing":
                faults.append(Fault(f"{where}{key}", None, f"missing; needed: {allowed[key]}"))
            else:
                near = suggest(str(given[key]), allowed[key].split(" | "))
                faults.append(Fault(f"{where}{key}", given[key], f"allowed: {allowed[key]}{near}"))
        return {key: value for key, value in given.items() if key not in bad}
    return dict(given)
