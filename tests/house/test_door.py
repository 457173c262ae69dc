"""The Python door: studies as functions, scenarios made in Python, policies of one's own."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

import analyzer as az
from analyzer.answer import Answer
from analyzer.ask import ask
from analyzer.catalogue import STUDIES
from analyzer.errors import BadFile, BadInput
from analyzer.games import GAMES
from analyzer.scenarios import find_scenario, load_scenario
from analyzer.study import Ask

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def at_home(monkeypatch):
    monkeypatch.chdir(ROOT)
    yield
    GAMES.registered.clear()


def test_the_page_on_python_runs_as_written():
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "python.md").read_text("utf-8"), re.M | re.S)
    known: dict[str, object] = {}
    path = Path(__file__).with_name("_page.py")  # numba and inspect want a file
    try:
        path.write_text("\n".join(blocks), encoding="utf-8")
        exec(compile(path.read_text("utf-8"), str(path), "exec"), known)
    finally:
        path.unlink()
    assert isinstance(known["answer"], Answer)


def test_the_same_numbers_as_the_scenario_file_gives():
    from_file = az.odds("ritter/duel-of-two", games=400)
    made = az.odds(az.scenario("ritter/duel-of-two"), games=400)
    assert from_file["seats"].equals(made["seats"])
    assert "<h1>" in (made._repr_html_() or "")
    other = az.odds(az.scenario("ritter/duel-of-two", rules={"night_recovery": 0}), games=400)
    assert not from_file["seats"].equals(other["seats"])
    assert from_file.provenance["inputs_hash"] != other.provenance["inputs_hash"]


def test_targets_set_in_python_are_part_of_the_question():
    hashes = {
        ask(STUDIES["balance"], scenario=az.scenario("ritter/duel-of-two", targets={"ties": [0, high]})).inputs_hash
        for high in (0.1, 0.2)
    }
    assert len(hashes) == 2


def test_changes_made_in_python_outlive_further_ones():
    made = az.scenario("ritter/duel-of-two", rules={"night_recovery": 0})
    swept = az.odds(made, games=200, rule=["days=2"])
    assert swept.scenario.table.options["night_recovery"] == 0
    assert swept.scenario.table.options["days"] == 2


def test_a_game_is_told_as_odds_plays_it():
    story = az.play("ritter/duel-of-two", game=2)
    assert story.moves[0][0] in (1, 2)
    assert len(str(story).splitlines()) == len(story.lines) > 10


def test_faults_are_told_as_those_of_files():
    with pytest.raises(BadFile, match=r"night_recovry.*did you mean"):
        az.scenario("ritter/duel-of-two", rules={"night_recovry": 0})
    with pytest.raises(BadInput, match="takes no 'gmes'"):
        az.odds("ritter/duel-of-two", gmes=3)
    with pytest.raises(BadInput, match="--games 0: allowed: 1 or more"):
        az.odds("ritter/duel-of-two", games=0)
    with pytest.raises(BadInput, match="a whole number"):
        az.odds("ritter/duel-of-two", games="many")
    with pytest.raises(BadInput, match="name a scenario or a game"):
        az.scenario()
    with pytest.raises(AttributeError, match="it has: scenario"):
        _ = az.oddds


def test_an_own_policy_beats_random_and_leaves_the_game_as_shipped_alone():
    plain = az.odds("ritter/duel-of-two", games=200)
    found = az.odds(
        "ritter/four-players",
        code=["docs/examples/patient.py"],
        seat=["1=patient", "2=random", "3=random", "4=random"],
        games=2_000,
    )
    assert found["seats"].loc[0, "win_low"] > 0.4
    assert az.odds("ritter/duel-of-two", games=200)["seats"].equals(plain["seats"])


def test_an_own_policy_that_cannot_be_compiled_is_refused_in_a_line(tmp_path):
    bad = tmp_path / "bad.py"
    bad.write_text(
        "import analyzer as az\n\n@az.policy('ritter')\ndef bad(rules, s, policy, moves, n_moves, chance):\n"
        "    return unknown(moves)\n",
        encoding="utf-8",
    )
    with pytest.raises(BadInput, match=r"cannot be compiled: .*unknown"):
        az.odds("ritter/duel-of-two", code=[str(bad)], games=10)
    with pytest.raises(BadInput, match="no such file"):
        az.odds("ritter/duel-of-two", code=["nowhere.py"], games=10)
    with pytest.raises(BadInput, match="already"):
        az.policy("ritter", "rulebook")(lambda rules, s, policy, moves, n_moves, chance: moves[0])


def test_every_declared_function_is_there():
    for study in STUDIES.values():
        for part in (study.read, study.plan, study.run):
            assert callable(part.load()), study.name
        assert study.summary.endswith(".")
        assert study.examples
        assert len({ask.key for ask in study.asks}) == len(study.asks)


@pytest.mark.parametrize("study", STUDIES.values(), ids=lambda study: study.name)
def test_a_study_reads_all_that_it_asks(study):
    """An option that several studies take is declared once; none of their readers may be left behind."""
    inspect.signature(study.read.load()).bind(**dict.fromkeys(ask.key for ask in study.asks))


def test_what_is_asked_is_checked():
    share = Ask("margin", "…", float, 0.02, low=0, high=1)
    assert share.checked(None) == 0.02
    assert share.checked(1) == 1
    with pytest.raises(BadInput, match="0 to 1"):
        share.checked(1.5)
    with pytest.raises(BadInput, match="is missing"):
        Ask("a", "A knight.", argument=True, required=True).checked(None)
    assert Ask("vary", "…", many=True).checked("rules.days=1:2") == ["rules.days=1:2"]


def test_scenarios_may_name_any_study_with_its_options(tmp_path):
    path = tmp_path / "mine.toml"
    head = 'game = "ritter"\nseats = ["rulebook", "bold"]\n'
    path.write_text(head + 'studies = ["odds", {study = "sweep", vary = ["rules.days=2:3"]}]\n', encoding="utf-8")
    assert [s["study"] for s in load_scenario(path).studies] == ["odds", "sweep"]
    path.write_text(head + 'studies = ["ods", {study = "sweep", varry = 1}]\n', encoding="utf-8")
    with pytest.raises(BadFile, match="2 faults") as raised:
        load_scenario(path)
    assert "did you mean 'odds'" in str(raised.value)
    assert "studies[1].varry" in str(raised.value)
    assert load_scenario(find_scenario("ritter/four-players")).studies[0]["study"] == "odds"
