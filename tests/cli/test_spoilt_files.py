"""Spoilt files of all four kinds: what is wrong is said, shortly and soon; no traceback, whatever stands in them."""

from __future__ import annotations

from pathlib import Path
from random import Random
from time import perf_counter

import pytest

from analyzer.engine import files
from analyzer.errors import BadFile, BadInput
from analyzer.games import GAMES
from analyzer.scenarios import load_scenario, read_rules
from analyzer.studies.replay import read_game
from tests import files as spoil
from tests.cli.test_bad_input import GOOD

CASES = 200
SOON = 5.0  # seconds for one file on a busy machine


def load_deck(game: str):
    options = {option.key: option.default for option in GAMES[game].options}
    return lambda path: GAMES[game].prepare(GAMES[game].least_players, options, path)


def check(texts: list[str], read, folder: Path, n: int = CASES) -> None:
    """Read spoilt files; most are refused, and nothing but BadInput ever comes out."""
    refused = []
    for ending, content in spoil.spoilt(texts, n, Random(20)):
        path = folder / f"mine{ending}"
        path.write_bytes(content)
        start = perf_counter()
        try:
            read(path)
        except BadInput as error:
            refused.append(str(error))
        except Exception as error:
            raise AssertionError(f"{ending}: {content[:2_000]!r}") from error
        assert perf_counter() - start < SOON
    assert len(refused) > n / 3
    assert max(map(len, refused)) < 21_000


def test_scenarios(tmp_path):
    for path in (spoil.ROOT / "scenarios").rglob("*.toml"):
        load_scenario(path)
    check(spoil.scenarios(), load_scenario, tmp_path)


@pytest.mark.parametrize("game", [game for game in GAMES if spoil.decks(game)])
def test_decks(game, tmp_path):
    check(spoil.decks(game), load_deck(game), tmp_path)


@pytest.mark.parametrize("game", GAMES)
def test_positions(game, tmp_path):
    check(spoil.positions(game, Random(3)), read_game, tmp_path)


@pytest.mark.parametrize("game", GAMES)
def test_written_games(game, tmp_path):
    check(spoil.written_games(game, Random(3)), read_game, tmp_path)


def fault_of(path: Path, content: str | bytes, read=load_scenario) -> str:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(BadInput) as caught:
        read(path)
    return str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("seed = " + "9" * 10_000, "digits"),
        ("seed = 18446744073709551616", "seed: a number has at most 64 bits"),
        ("[targets]\nplace = nan", "targets.place = nan: a finite number is needed"),
        ("title = 1979-05-27", "title = '1979-05-27': a date or a time"),
        ("rules = " + "[" * 5_000 + "]" * 5_000, "too deep in one another"),
        ("rules = " + "[" * 30 + "]" * 30, "stand at most 12 deep"),
        ("rules." + "a." * 5_000 + "b = 1", "a line with more than 1,000 dots"),
        ("x" * 3_000 + " = 1", "a key has at most 200 letters"),
        (f'title = "{"x" * 30_000}"', "a text has at most 20,000 letters"),
        ("studies = [" + '"odds", ' * 6_000 + "]", "studies: 6,000 entries; 5,000 are the most"),
        (f'deck = "{"x" * 3_000}"', "no such file"),
        ('deck = "a\\u0000b"', "no such file"),
        ('[policies.mine]\nlike = ["bold"]', "policies.mine.like = ['bold']: no such policy"),
        ("[policies.mine]\nlike = {a = 1}", "policies.mine.like = {'a': 1}: no such policy"),
        ("#" * 1_100_000, "longer than 1,000,000 bytes"),
    ],
    ids=lambda value: value[:30],
)
def test_limits_of_a_scenario(tmp_path, line, message):
    told = fault_of(tmp_path / "mine.toml", GOOD + line)
    assert message in told
    assert len(told) < 3_000


def test_a_byte_order_mark_and_other_line_ends_are_read(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode())
    scenario = load_scenario(path)
    assert scenario.seats == ("rulebook", "random")
    assert scenario.text == GOOD
    deck = next(p for p in (spoil.ROOT / "analyzer/games/ritter/decks").glob("default.toml"))
    (tmp_path / "deck.toml").write_bytes(b"\xef\xbb\xbf" + deck.read_bytes())
    load_deck("ritter")(tmp_path / "deck.toml")
    (tmp_path / "game.txt").write_bytes(b"\xef\xbb\xbfgame: ritter\r\nplayers: 2\r\n")
    assert read_game(tmp_path / "game.txt").table.players == 2


def test_another_encoding_is_said_to_be_one(tmp_path):
    told = fault_of(tmp_path / "mine.toml", 'title = "Größe"'.encode("latin-1"))
    assert "not UTF-8 at byte 11; save it as UTF-8" in told


@pytest.mark.parametrize("place", [".", "/dev/zero", "nowhere/at/all", "x" * 5_000])
def test_what_is_no_file(tmp_path, place):
    with pytest.raises(BadInput, match="cannot be read"):
        files.read_text(tmp_path / place)


def test_many_faults_end_the_reading(tmp_path):
    told = fault_of(tmp_path / "mine.toml", GOOD + "\n".join(f"key{i} = {i}" for i in range(4_000)))
    assert "50 faults, and perhaps more" in told
    assert told.count("\n") == 50


def test_a_rule_of_the_command_line_has_the_same_limits():
    with pytest.raises(BadInput, match="64 bits"):
        read_rules(GAMES["ritter"], ["days=99999999999999999999"])
    with pytest.raises(BadInput, match="a date"):
        read_rules(GAMES["ritter"], ["days=1979-05-27"])
    with pytest.raises(BadInput) as caught:
        read_rules(GAMES["ritter"], ["days=" + "9" * 50_000])
    assert len(str(caught.value)) < 1_000


@pytest.mark.parametrize(
    ("move", "message"),
    [
        ("yield [7]", "dice show 1 to 6"),
        ("yield [" + "9" * 10_000 + "]", "dice show 1 to 6"),
        ("yield [" + "1 " * 600 + "]", "at most 512"),
        ("yield [٣]", "dice show 1 to 6"),
    ],
    ids=["seven", "long", "many", "arabic"],
)
def test_dice_of_a_written_game(tmp_path, move, message):
    told = fault_of(tmp_path / "game.txt", f"game: ritter\nplayers: 2\n{move}\n", read_game)
    assert message in told
    assert len(told) < 1_000


@pytest.mark.parametrize(
    "head",
    ["moves: 3", "rules: 3\nrules.days: 2", "players: 1_000_000_000", "players: true", "position: 3", "number: -1"],
)
def test_heads_of_a_written_game(tmp_path, head):
    assert "game.txt" in fault_of(tmp_path / "game.txt", f"game: ritter\n{head}\nyield\n", _played)


def _played(path: Path):
    from analyzer.studies.replay import play_back

    return list(play_back(read_game(path)))


def test_decks_that_are_like_each_other(tmp_path):
    (tmp_path / "a.toml").write_text('like = "b.toml"')
    (tmp_path / "b.toml").write_text('like = "a.toml"')
    with pytest.raises(BadFile, match="cannot be like itself"):
        load_deck("ritter")(tmp_path / "a.toml")
