"""The planted faults of `make mutants` can still be planted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from analyzer.games import GAMES
from tests.mutants import __main__ as mutants
from tests.mutants.__main__ import ROOT, planted, source, verdict
from tests.mutants.faults import FAULTS, Fault


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.game}-{fault.name}")
def test_the_text_of_a_fault_stands_in_its_file_just_once(fault: Fault) -> None:
    text = source(fault).read_text(encoding="utf-8")
    assert planted(fault, text) != text


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: f"{fault.game}-{fault.name}")
def test_its_tests_stand_where_it_says_and_are_not_golden(fault: Fault) -> None:
    for test in fault.tests:
        file, _, function = test.partition("::")
        assert f"def {function}" in (ROOT / "tests" / file).read_text(encoding="utf-8")
        assert "golden" not in file


def test_every_game_has_a_handful_of_faults_of_different_names() -> None:
    counts = Counter((fault.game, fault.name) for fault in FAULTS)
    assert set(counts.values()) == {1}
    assert all(sum(fault.game == game for fault in FAULTS) >= 5 for game in GAMES)


def test_a_text_that_is_gone_is_said_loudly() -> None:
    with pytest.raises(LookupError, match="stands 0 times"):
        planted(FAULTS[0], "something else")


@pytest.mark.parametrize(
    ("code", "printed", "said"),
    [
        (0, "", "SURVIVED"),
        (1, "FAILED tests/a.py::test_b - AssertionError", "caught by test_b"),
        (1, "no such module", "BROKEN"),
        (2, "", "BROKEN"),  # nothing could be collected: that is no test that noticed
        (None, "", "BROKEN"),
    ],
)
def test_only_a_test_that_fails_has_noticed(
    code: int | None, printed: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = source(FAULTS[0], tmp_path)
    file.parent.mkdir(parents=True)
    file.write_text(FAULTS[0].text, encoding="utf-8")

    def run(*_: object) -> tuple[int | None, str]:
        assert file.read_text(encoding="utf-8") == FAULTS[0].replacement
        return code, printed

    monkeypatch.setattr(mutants, "run_tests", run)
    assert verdict(tmp_path, FAULTS[0]).startswith(said)
    assert file.read_text(encoding="utf-8") == FAULTS[0].text
