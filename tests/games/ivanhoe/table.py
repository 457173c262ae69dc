"""Written games for the tests of the rules: positions in few words, played through the replay study."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from analyzer.engine.game import toml_text
from analyzer.errors import IllegalMove
from analyzer.games.ivanhoe.cards import KINDS, load_deck
from analyzer.studies.replay import play_back, read_game

Position = dict[str, Any]
BOX = [KINDS[k].name for k, copies in enumerate(load_deck().copies) for _ in range(copies)]  # its 110 cards


def seat(display: str = "", hand: str = "", tokens: str = "", **rest: Any) -> dict[str, Any]:
    """Return a seat; cards and tokens are named with commas between them."""

    def split(names: str) -> list[str]:
        return [name.strip() for name in names.split(",") if name.strip()]

    return {"display": split(display), "hand": split(hand), "tokens": split(tokens), **rest}


def position(*seats: Mapping[str, Any], colour: str = "red", turn: int = 1, **rest: Any) -> Position:
    """Return a position in the middle of a tournament."""
    return {"colour": colour, "turn": turn, "opening": False, **rest, "seats": list(seats)}


def _toml(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return toml_text(value)


def states(place: Position, *moves: str, seed: int = 1, **rules: Any) -> list[dict[str, Any]]:
    """Write a game down, play it back and return the state before and after each move, with its legal moves."""
    content = {"game": "ivanhoe", "seed": seed, "rules": rules, "position": place}
    lines = [f"{key} = {_toml(value)}" for key, value in content.items()]
    lines.append("moves = [" + ", ".join(f"'{move}'" for move in moves) + "]")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "game.toml"
        path.write_text("\n".join(lines), encoding="utf-8")
        written = read_game(path)
        game, shown = written.table.game, []
        for _, walk in play_back(written):
            legal = [game.move_text(written.table, walk.state, move) for move in walk.look()[1]]
            shown.append(game.show(written.table, walk.state) | {"legal": legal})
    return shown


def after(place: Position, *moves: str, **rules: Any) -> dict[str, Any]:
    """Return the state after some moves."""
    return states(place, *moves, **rules)[-1]


def refused(place: Position, *moves: str, **rules: Any) -> None:
    """Check that the last of some moves is illegal where it stands."""
    states(place, *moves[:-1], **rules)
    with pytest.raises(IllegalMove):
        states(place, *moves, **rules)


def legal(place: Position, *moves: str, **rules: Any) -> list[str]:
    """Return the legal moves after some moves."""
    return after(place, *moves, **rules)["legal"]


def displays(state: Mapping[str, Any]) -> list[str]:
    """Return the displays of all seats, each as one text."""
    return [", ".join(row["display"]) for row in state["seats"]]


def totals(state: Mapping[str, Any]) -> list[int]:
    """Return what the displays count."""
    return [row["total"] for row in state["seats"]]
