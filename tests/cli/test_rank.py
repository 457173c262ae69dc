"""What `rank` prints and writes."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from analyzer.answer import Answer
from analyzer.ask import ask
from analyzer.catalogue import STUDIES
from analyzer.reporting.page import write

DUEL = ("rank", "ritter/duel-of-two", "--policies", "bold, wall,random", "--games", 3000)


def test_rank_prints_one_document(analyzer):
    done = analyzer(*DUEL, "--json")
    assert done.code == 0
    answer = json.loads(done.out)
    tables, facts = answer["tables"], answer["facts"]
    assert 0 < answer["games"] <= facts["games_asked"] == 3000
    assert tables["ratings"][-1]["policy"] == "random"
    assert len(tables["matchups"]) == 3
    assert all(m["share"]["low"] <= m["share"]["estimate"] <= m["share"]["high"] for m in tables["matchups"])
    assert sum(row["mix"]["estimate"] for row in tables["mix"]) == pytest.approx(1)
    assert sum(row["alpha_rank"]["estimate"] for row in tables["mix"]) == pytest.approx(1)
    assert "HiGHS" in facts["equilibrium_by"]
    assert facts["effective_strategies"].keys() == {"estimate", "low", "high"}
    assert "normal-mixture" in answer["method"]
    assert sum(row["rating"]["estimate"] for row in tables["ratings"]) == pytest.approx(0, abs=1e-6)


def test_rank_writes_a_whole_report(analyzer, tmp_path):
    done = analyzer(*DUEL, "--out", tmp_path)
    assert done.code == 0
    (folder,) = (tmp_path / "ritter" / "duel-of-two").iterdir()
    assert folder.name.startswith("rank-policies=bold")
    assert "games=3000" in folder.name
    written = {path.name for path in folder.iterdir()}
    assert {"report.md", "report.html", "run.json", "ratings.csv", "ratings.png", "matchups.csv"} <= written
    assert {path[:-4] for path in written if path.endswith(".png")} == {"ratings", "matchups", "mix"}
    run = json.loads((folder / "run.json").read_text())
    assert run["study"] == "rank"
    assert pd.read_csv(folder / "matchups.csv")["share"].tolist() == [
        m["share"]["estimate"] for m in run["tables"]["matchups"]
    ]
    text = (folder / "report.md").read_text()
    assert "HiGHS" in text
    assert "Bradley–Terry" in text
    assert run["finding"] in done.out


def test_bad_policies(analyzer):
    done = analyzer("rank", "ritter/duel-of-two", "--policies", "bold,wal")
    assert (done.code, done.out) == (2, "")
    assert "did you mean 'wall'?" in done.err


OF_SCENARIOS = [name for name, study in STUDIES.items() if study.asks[0].names == "scenario" and study.asks[0].required]
MORE = {"compare": {"second": "ritter/duel-of-two"}, "sweep": {"vary": "rules.days=1:2"}}


@pytest.mark.parametrize("name", OF_SCENARIOS)
def test_every_study_a_scenario_may_declare_can_be_done(name, tmp_path, monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])
    scenario = next(a.key for a in STUDIES[name].asks if a.names == "scenario")
    given = {scenario: "ritter/duel-of-two", "games": 2000} | MORE.get(name, {})
    asked = ask(STUDIES[name], **given)
    assert asked.plan is None or asked.plan >= 2000
    answer = asked.answer()
    write(answer, tmp_path / name)
    assert isinstance(answer, Answer)
    assert answer.study == name
    assert answer.finding
    assert not answer.interrupted
    assert all(len(verdict) == 2 for verdict in answer.verdicts)
    assert answer.provenance["seconds"] > 0
    assert (tmp_path / name / "report.html").is_file()
