"""Files as people might write them, spoilt in every way a random number can think of."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from analyzer.engine.trace import Walk
from analyzer.games import GAMES
from tests.tables import policies_of, table_of

ROOT = Path(__file__).parents[1]


class Raw(str):
    """A value as it stands in the file."""


POISONS: tuple[Any, ...] = (
    *([], {}, [[]], [{}], {"a": 1}, {"like": []}, [[1, "ones"]], ["a", ["b"]], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]),
    *(0, -1, 1, 3, 1.5, 2**31, 2**63, -(2**63), True, False, Raw("inf"), Raw("nan"), Raw("-0.0"), Raw("9" * 10_000)),
    *("", " ", "a", "never", "none", "x" * 3_000, "x" * 60_000, "ü ñ 漢", "a\tb\nc", "\0", "/", ".", "..", "/dev/zero"),
    *(Raw("1979-05-27"), Raw("07:32:00"), Raw("1979-05-27T07:32:00Z"), Raw("[" * 40 + "]" * 40)),
    *(Raw("[" * 3_000 + "]" * 3_000), Raw("{a = " * 200 + "1" + "}" * 200), [0] * 9_000, ["random"] * 300),
)  # fmt: skip


def toml(value: Any, top: bool = True) -> str:
    """Write a value as TOML; all tables but the outermost stand in one line."""
    if isinstance(value, Raw):
        return value
    if isinstance(value, dict):
        pairs = [f"{json.dumps(str(key))} = {toml(item, False)}" for key, item in value.items()]
        return "\n".join(pairs) + "\n" if top else "{" + ", ".join(pairs) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml(item, False) for item in value) + "]"
    if isinstance(value, bool):
        return str(value).lower()
    return json.dumps(value) if isinstance(value, str) else str(value)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield every (container, key) of a tree."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from _places(value[key])


def spoilt_tree(data: dict[str, Any], random: Random) -> bytes:
    """Return a file with some of its values replaced, left out, doubled, renamed or exchanged."""
    data = json.loads(json.dumps(data))
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        places = list(_places(data))
        if not places:
            break
        holder, key = random.choice(places)
        what = random.randrange(8)
        if what == 0:
            del holder[key]
        elif what == 1:
            other, its = random.choice(places)
            if its in other if isinstance(other, dict) else its < len(other):
                holder[key] = json.loads(json.dumps(other[its]))
        elif what == 2 and isinstance(holder, dict):
            holder[random.choice(("", "a", "x" * 500, "like", "deck", "ü", "a b"))] = holder.pop(key)
        elif what == 3 and isinstance(holder, list):
            holder *= random.choice((2, 30))
        else:
            holder[key] = random.choice(POISONS)
            if not isinstance(holder[key], Raw):
                holder[key] = json.loads(json.dumps(holder[key]))
    return toml(data).encode()


def spoilt_text(text: str, random: Random) -> bytes:
    """Return a file with bytes or lines changed."""
    content = bytearray(text.encode())
    for _ in range(random.choice((1, 2, 8))):
        at = random.randrange(len(content) + 1)
        what = random.randrange(6)
        if what == 0:
            content[at : at + random.randrange(40)] = b""
        elif what == 1:
            content[at:at] = bytes(random.randrange(256) for _ in range(random.randrange(9)))
        elif what == 2:
            content[at:at] = content[: random.randrange(200)]
        elif what == 3:
            content[at:at] = random.choice(
                (b"[[", b"]]", b"{", b"=", b'"""', b"#", b"\n", b".", b"\xff\xfe", b"9" * 5_000)
            )
        elif what == 4:
            content = content.replace(b"\n", b"\r\n")
        else:
            content = bytearray(b"\xef\xbb\xbf") + content
    return bytes(content)


def _written(game_name: str, random: Random) -> dict[str, Any]:
    """Return a written game that begins in a position of a game played at random."""
    game = GAMES[game_name]
    table = table_of(game, random.randint(game.least_players, game.most_players))
    walk, policies = Walk(table, random.randrange(99), 0), policies_of(game, ["random"] * table.players)
    before = game.show(table, walk.state)
    for _ in range(random.randrange(60)):
        seat, _ = walk.look()
        if seat < 0:
            break
        before = game.show(table, walk.state)
        walk.play(walk.choose(policies[seat]))
    moves = [game.move_text(table, walk.state, move) for move in walk.look()[1][:3]]
    return {"game": game.name, "players": table.players, "seed": 3, "position": before, "moves": moves}


def scenarios() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted((ROOT / "scenarios").rglob("*.toml"))]


def decks(game: str) -> list[str]:
    return [
        path.read_text(encoding="utf-8") for path in sorted((ROOT / "analyzer/games" / game / "decks").glob("*.toml"))
    ]


def positions(game: str, random: Random) -> list[str]:
    return [toml(_written(game, random)) for _ in range(12)]


def written_games(game: str, random: Random) -> list[str]:
    """Return games as lines of text, and as TOML without a position."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "docs" / "games").iterdir())]
    for data in (_written(game, random) for _ in range(3)):
        lines = [f"{key}: {toml(data[key], False)}" for key in ("game", "players", "seed")]
        texts.append("\n".join([*lines, *data["moves"], "yield [1 2 3 4]"]))
    return texts


def spoilt(texts: list[str], n: int, random: Random) -> Iterator[tuple[str, bytes]]:
    """Yield the ending and the content of `n` spoilt files."""
    for _ in range(n):
        text = random.choice(texts)
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            yield ".txt", spoilt_text(text, random)
            continue
        yield ".toml", spoilt_tree(data, random) if random.randrange(3) else spoilt_text(text, random)
