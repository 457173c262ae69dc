"""`play` and `replay`: one game, told or played back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from analyzer.cli import screen

_JSON = typer.Option(False, "--json", help="Print one JSON document.")


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(play)
    app.command()(replay)


def play(
    scenario: str = typer.Argument(help="A scenario file, or its name below scenarios/."),
    game: int = typer.Option(0, min=0, help="Number of the game; `odds` plays the same ones."),
    seed: int = typer.Option(None, min=0, help="Another seed than the scenario's."),
    json: bool = _JSON,
) -> None:
    """Tell one game in sentences: the deal, every decision, every joust with its dice, the scores.

    Example: analyzer play scenarios/ritter/four-players.toml --game 3
    """
    from analyzer.engine.trace import story, watch
    from analyzer.scenarios import find_scenario, load_scenario

    asked = load_scenario(find_scenario(scenario))
    chosen = asked.seed if seed is None else seed
    steps = list(watch(asked.table, asked.policies, chosen, game, asked.rotate))
    lines = story(asked.table, steps)
    if json:
        moves = [{"seat": step.seat + 1, "move": step.text} for step in steps]
        state = asked.game.show(asked.table, steps[-1].after) if steps else {}
        screen.document(
            {"scenario": asked.name, "seed": chosen, "game": game, "moves": moves, "end": state, "story": lines}
        )
        return
    n = len(asked.seats)
    shift = game % n if asked.rotate else 0
    seated = [f"seat {seat + 1} {asked.seats[(seat - shift) % n]}" for seat in range(n)]
    screen.say(f"{asked.title}: game {game} of seed {chosen}. {', '.join(seated).capitalize()}.\n")
    for line in lines:
        screen.say(line)


def replay(
    file: Path = typer.Argument(help="A written game: TOML, or text with one move a line."),
    json: bool = _JSON,
    quiet: bool = typer.Option(False, "--quiet", help="Print only the last state."),
) -> None:
    """Play a written game back and print each state, or only the last; an illegal move is refused with the legal ones.

    Example: analyzer replay docs/games/first-joust.toml
    """
    from analyzer.studies.replay import play_back, read_game

    written = read_game(file)
    table = written.table
    states: list[dict[str, Any]] = []
    for step, walk in play_back(written):
        shown = table.game.show(table, walk.state)
        _, legal = walk.look()
        texts = [table.game.move_text(table, walk.state, move) for move in legal]
        if quiet:
            states.clear()
        states.append({"move": step.text if step else None, "state": shown, "legal": texts})
        if json or quiet:
            continue
        if step is None:
            screen.say("The beginning")
        else:
            screen.say(f"> {step.text}")
            for line in table.game.tell(table, step):
                screen.say(line)
        _print_state(shown)
    if json:
        screen.document({"game": table.game.name, "states": states})
    elif quiet:
        _print_state(states[-1]["state"])


def _print_state(state: dict[str, Any]) -> None:
    for line in _lines(state):
        screen.say(f"  {line}")
    screen.say()


def _lines(state: dict[str, Any]) -> list[str]:
    """Return a state in words: plain values on one line, what holds more below its name."""
    plain = {key: value for key, value in state.items() if not _is_nested(value)}
    lines = [", ".join(f"{key} {_words(value)}" for key, value in plain.items())] if plain else []
    for key, value in state.items():
        if not _is_nested(value):
            continue
        named = (
            value.items()
            if isinstance(value, dict)
            else ((f"{key.rstrip('s')} {i + 1}", v) for i, v in enumerate(value))
        )
        for name, part in named:
            inner = _lines(part) if isinstance(part, dict) else [_words(part)]
            first, rest = (inner[:1], inner[1:]) if inner else ([""], [])
            lines.append(f"{name}: {first[0]}".rstrip())
            lines += [f"  {line}" for line in rest]
    return lines


def _is_nested(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and any(isinstance(v, dict) for v in value))


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return "[" + ", ".join(map(_words, value)) + "]"
    return str(value)
