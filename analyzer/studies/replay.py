"""Written games: read, played back, and an illegal move refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from analyzer.engine.chance import CHANCE, TAPE_LENGTH, prescribe, unused_dice
from analyzer.engine.files import MOST_ITEMS, parse_toml, read_text
from analyzer.engine.game import Step, Table
from analyzer.engine.trace import Walk, copy_record
from analyzer.errors import BadFile, Fault, Faults, IllegalMove, shortened
from analyzer.games import GAMES
from analyzer.scenarios import MOST_GAMES, SEEDS, Scenario, plain_value, read_scenario

DIE = 6
_DICE = re.compile(r"^(?P<move>[^\[]*)\[(?P<dice>[\d\s,]*)\]\s*$")
_MOST_PLAYERS = 99  # far more than any game takes; the scenario's own check knows how many
_KEYS = ("game", "players", "deck", "rules", "seed", "number", "position", "moves")


@dataclass(frozen=True)
class WrittenGame:
    """A game on paper: the table, where it begins, and the moves, each with prescribed dice or none."""

    path: Path
    table: Table
    seed: int
    number: int
    position: np.ndarray | None
    moves: tuple[tuple[str, tuple[int, ...]], ...]
    deck: Path | None = None


def read_game(path: Path) -> WrittenGame:
    """Read a written game: TOML, or lines of text.

    Text begins with `key: value` lines (game, players, seed, number, deck, rules.<option>), then one
    move a line; `#` begins a comment. A move may prescribe its dice: `challenge A B [1 3 3 6 1 2 5 5 6]`.
    """
    text = read_text(path)
    data = parse_toml(text, path) if path.suffix == ".toml" else _read_lines(text)
    faults = Faults(path)
    for key in data:
        if key not in _KEYS:
            faults.append(Fault(key, None, f"unknown; allowed: {', '.join(_KEYS)}"))
    moves = []
    given = data.get("moves", [])
    if not isinstance(given, list) or not all(isinstance(move, str) for move in given) or len(given) > MOST_ITEMS:
        faults.append(Fault("moves", None, f"must be a list of texts, {MOST_ITEMS:,} at most"))
        given = []
    for i, line in enumerate(given):
        found = _DICE.match(line)
        dice = re.split(r"[\s,]+", found["dice"].strip()) if found else []
        most = _most_face(data.get("game"))
        if any(not _is_face(d, most) for d in dice if d) or len(dice) > TAPE_LENGTH:
            faults.append(Fault(f"moves[{i}]", line, f"dice show 1 to {most}, and are at most {TAPE_LENGTH}"))
            continue
        moves.append((found["move"].strip() if found else line.strip(), tuple(int(d) for d in dice if d)))
    position = data.get("position")
    seats = position.get("seats") if isinstance(position, dict) else None
    players = data.get("players", len(seats) if isinstance(seats, list) else None)
    for key, value, least, most in (
        ("players", players, 1, _MOST_PLAYERS),
        ("seed", data.get("seed", 1), 0, SEEDS),
        ("number", data.get("number", 0), 0, MOST_GAMES),
    ):
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            faults.append(Fault(key, value, f"a whole number from {least} to {most} is needed"))
    faults.check()
    assert isinstance(players, int)
    scenario_data = {key: data[key] for key in ("game", "deck", "rules") if key in data}
    scenario = read_scenario(scenario_data | {"seats": ["random"] * players}, path)
    table = scenario.table
    try:
        placed = table.game.place(table, position) if position is not None else None
    except BadFile as error:
        raise BadFile(path, error.faults) from None
    return WrittenGame(path, table, data.get("seed", 1), data.get("number", 0), placed, tuple(moves), scenario.deck)


def _most_face(name: object) -> int:
    """Return the highest number that dice of a game may show; where a move says more of it, what a tape can hold."""
    game = GAMES.get(name) if isinstance(name, str) else None
    return int(np.iinfo(CHANCE["tape"].base).max) if game is not None and game.faces else DIE


def _is_face(text: str, most: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 3 and 1 <= int(text) <= most


def as_scenario(game: WrittenGame, policy: str, games: int) -> Scenario:
    """Return a written game as a scenario: its table, and one policy on all seats."""
    rules, n = game.table.game, game.table.players
    return Scenario(
        path=game.path,
        name=game.path.stem,
        text=read_text(game.path),
        title=game.path.stem,
        question="",
        seed=game.seed,
        games=games,
        rotate=False,
        seats=(policy,) * n,
        settings=(rules.parameters_of(rules.policy_named(policy)),) * n,
        catalogue={each.name: rules.parameters_of(each) for each in rules.policies},
        table=game.table,
        deck=game.deck,
    )


def _read_lines(text: str) -> dict[str, Any]:
    data: dict[str, Any] = {"moves": []}
    for line in text.splitlines():
        line = line.split("#", 1)[0].strip()
        key, colon, value = (part.strip() for part in line.partition(":"))
        if colon and not data["moves"] and re.fullmatch(r"[\w.]+", key) and key not in ("moves", "rules"):
            parsed = plain_value(value)
            if key.startswith("rules."):
                data.setdefault("rules", {})[key.removeprefix("rules.")] = parsed
            else:
                data[key] = parsed
        elif line:
            data["moves"].append(line)
    return data


def play_back(game: WrittenGame) -> Iterator[tuple[Step | None, Walk]]:
    """Yield the beginning (no step) and each step of a written game.

    Raises
    ------
    IllegalMove
        naming the move's place in the file and the legal ones.
    """
    table = game.table
    walk = Walk(table, game.seed, game.number, game.position)
    yield None, walk
    for i, (text, dice) in enumerate(game.moves):
        seat, legal = walk.look()
        if seat < 0:
            raise IllegalMove(f"{game.path}: move {i + 1}, {shortened(text)!r}: the game is over")
        try:
            move = table.game.read_move(table, walk.state, text, legal)
        except IllegalMove as error:
            raise IllegalMove(f"{game.path}: move {i + 1}: {error}") from None
        most = table.game.faces(table, walk.state, move) if table.game.faces else DIE
        if dice and most and max(dice) > most:
            raise IllegalMove(f"{game.path}: move {i + 1}, {text!r}: {max(dice)} is not a number from 1 to {most}")
        prescribe(walk.chance, dice)
        step = walk.play(move, _die_by_die(table.rules) if dice else None)
        if unused_dice(walk.chance):
            raise IllegalMove(
                f"{game.path}: move {i + 1}, {shortened(text)!r}: {unused_dice(walk.chance)} dice too many"
            )
        yield step, walk


def _die_by_die(rules: Any) -> Any:
    """Return the rules with every die rolled, where the game has another way."""
    if "by_die" not in (rules.dtype.names or ()):
        return rules
    rolled = copy_record(rules)
    rolled.by_die = 1
    return rolled
