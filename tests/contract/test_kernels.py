"""What is compiled is kept until its own sources change: not a comment, not a story, not another game's rules."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from analyzer.games import GAMES

ROOT = Path(__file__).parents[2]
_SCRIPT = """
from numba.np.numpy_support import from_dtype
from analyzer.engine import kernels
from analyzer.engine.drive import play_chunk
from analyzer.games import GAMES

for game in GAMES.values():
    options = {option.key: option.default for option in game.options}
    rules = game.prepare(game.least_players, options, None).rules
    print(game.name, kernels._folder(play_chunk._cache._roots([from_dtype(rules.dtype)])).name)
"""


def _folders(root: Path, **environment: str) -> dict[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT],
        cwd=root,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return dict(line.split() for line in done.stdout.splitlines())


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    """A copy of the program whose files may be edited."""
    root = tmp_path_factory.mktemp("house")
    shutil.copytree(ROOT / "analyzer", root / "analyzer", ignore=shutil.ignore_patterns("__pycache__"))
    return root


@pytest.fixture
def edit(house):
    """Write something else in the place of a text in a file; it is taken back after the test."""
    before: dict[Path, str] = {}

    def write(file: str, old: str, new: str) -> None:
        path = house / "analyzer" / file
        text = before.setdefault(path, path.read_text(encoding="utf-8"))
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    yield write
    for path, text in before.items():
        path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def plain(house):
    return _folders(house)


def test_each_game_has_a_folder_of_its_own(house, plain):
    assert list(plain) == list(GAMES)
    assert all(folder.startswith(f"kernels-{game}-") for game, folder in plain.items())
    assert _folders(house) == plain


def test_comments_docstrings_stories_and_positions_compile_nothing_anew(house, plain, edit):
    for game in GAMES:
        edit(f"games/{game}/story.py", "\n\ndef ", '\n\nWORD = "another"\n\n\ndef ')
        edit(f"games/{game}/position.py", "\n\ndef ", '\n\nWORD = "another"\n\n\ndef ')
        edit(f"games/{game}/kernel.py", '"""', '"""Otherwise told. ')
        edit(f"games/{game}/kernel.py", "\n\n\n", "\n\n\n# a comment more\n")
    edit("engine/chance.py", "\n\n\n", "\n\n\n# a comment more\n")
    assert _folders(house) == plain


def test_an_edit_of_one_game_compiles_that_game(house, plain, edit):
    edit("games/ritter/kernel.py", "return", "pass; return")
    edited = _folders(house)
    assert {game for game in GAMES if edited[game] != plain[game]} == {"ritter"}


def test_a_number_that_compiled_code_holds_counts(house, edit):
    """Wherever it comes from: here from outside of all sources, as from a deck's file."""
    edit(
        "games/ivanhoe/rules.py",
        "import annotations\n",
        'import annotations\n\nimport os\n\nCARDS_AT_FIRST = int(os.environ["CARDS_AT_FIRST"])\n',
    )
    eight, nine = (_folders(house, CARDS_AT_FIRST=number) for number in ("8", "9"))
    assert {game for game in GAMES if eight[game] != nine[game]} == {"ivanhoe"}


def test_an_edit_of_the_engine_or_a_flag_of_the_compiler_counts_for_all(house, plain, edit):
    flagged = _folders(house, NUMBA_BOUNDSCHECK="1")
    edit("engine/chance.py", "0x9E3779B97F4A7C15", "0x9E3779B97F4A7C17")
    edited = _folders(house)
    assert all(edited[game] != plain[game] for game in GAMES)
    assert all(flagged[game] != plain[game] for game in GAMES)
