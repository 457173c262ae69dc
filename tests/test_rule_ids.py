"""Every rule of the rulebook pages is named by a test, and every option by its page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analyzer.games import GAMES
from tests.contract.games import EVERY

TESTS = Path(__file__).parent
PAGES = {page.stem: page for page in sorted((TESTS.parent / "docs" / "rules").glob("*.md"))}
PAGES["pig"] = TESTS / "pig" / "pig.md"
_ID = re.compile(r"^\s*(?:[-*]\s+)?\*\*([A-Z]+\d+[a-z]?)\*\*", re.MULTILINE)


def rule_ids(page: str) -> list[str]:
    """Return the ids in bold at the start of a page's items."""
    return _ID.findall(page)


def unnamed(ids: list[str], text: str) -> list[str]:
    """Return the ids that a text does not name; `_` ends an id, so that `test_r2_…` names R2 and not R20."""
    named = {word.casefold() for word in re.findall(r"(?<![A-Za-z0-9])[A-Za-z]+\d+[a-z]?(?![A-Za-z0-9])", text)}
    return [rule for rule in ids if rule.casefold() not in named]


def test_ids_are_read_whole() -> None:
    assert rule_ids("- **R2** one\n  see **R3**\n**R20a** two\n") == ["R2", "R20a"]
    assert unnamed(["R2", "R20", "R20a", "E1"], "def test_r20a_x():\n    '''E1: so it is.'''") == ["R2", "R20"]


def test_every_game_has_a_page() -> None:
    assert set(PAGES) >= set(GAMES)


@pytest.mark.parametrize("page", PAGES.values(), ids=PAGES)
def test_every_rule_is_named_by_a_test(page: Path) -> None:
    ids = rule_ids(page.read_text(encoding="utf-8"))
    files = sorted((TESTS / "games" / page.stem).rglob("test_*.py"))
    assert ids, f"{page} has no rules"
    assert len(ids) == len(set(ids)), "an id stands twice"
    missing = unnamed(ids, "\n".join(file.read_text(encoding="utf-8") for file in files))
    assert not missing, f"no test under tests/games/{page.stem} names {', '.join(missing)}"


@pytest.mark.parametrize("name", EVERY)
def test_every_option_is_named_by_its_page(name: str) -> None:
    page = PAGES[name].read_text(encoding="utf-8")
    missing = [option.key for option in EVERY[name].options if f"`{option.key}`" not in page]
    assert not missing, f"{PAGES[name]} does not name {', '.join(missing)}"
